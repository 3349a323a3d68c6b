"""What can be wrong with a bundle; this module needs no library, so that any caller may name it."""

from __future__ import annotations

from companion.vision.fault import SourceError

__all__ = ["BundleError"]


class BundleError(SourceError):
    """A bundle that cannot be read or written; the message names the file and what is wrong with it."""
