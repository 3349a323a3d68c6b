"""What the libraries that read pictures tell others: nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SCRIPT = """
import numpy as np
from companion.config import asset
from companion.vision.detector import CardDetector
CardDetector(asset("models"), threads=1).detect(np.zeros((240, 320, 3), np.uint8))
"""


def test_reading_a_picture_leaves_nothing_in_the_home_folder(tmp_path: Path) -> None:
    """What runs the networks would keep a number of this machine there, and what it is to send."""
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    without = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    subprocess.run([sys.executable, "-c", SCRIPT], env={**without, **home}, check=True, timeout=120)
    assert [path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()] == []
