"""How many frames a second are read of a table that is only acted out."""

from __future__ import annotations

import os

__all__ = ["FPS"]

FPS = float(os.environ.get("COMPANION_TEST_FPS", "8"))
"""About what a small computer reads. The environment may ask for another rate: what holds at one by chance
does not at the next."""
