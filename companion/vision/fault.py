"""The one error of everything that gives pictures; it needs no library, so that any caller may name it."""

from __future__ import annotations

__all__ = ["SourceError"]


class SourceError(Exception):
    """A picture, video, folder or camera that cannot be used; the message names it and what is wrong."""
