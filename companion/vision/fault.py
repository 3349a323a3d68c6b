"""The errors of vision; this module needs no library, so that any caller may name them."""

from __future__ import annotations

__all__ = ["DeckError", "ModelError", "SourceError", "why_unreadable"]


class SourceError(Exception):
    """A picture, video, folder or camera that cannot be used; the message names it and what is wrong.

    Attributes:
        reason: What is wrong with a camera, as a key: `absent`, `address` (nothing answers there), `silent`
            (no picture came), `stopped` (none comes any more); empty for all else.
    """

    def __init__(self, text: str, reason: str = "") -> None:
        super().__init__(text)
        self.reason = reason


class ModelError(RuntimeError):
    """A model file or its card is missing, damaged or not what the card says; the message names it."""


class DeckError(ValueError):
    """A deck that cannot be read, written or used; the message names it and what is wrong."""


def why_unreadable(error: OSError) -> str:
    """Return what is said, after its name, of a file of any kind that cannot be read."""
    return (
        "is a folder, expected a file"
        if isinstance(error, IsADirectoryError)
        else error.strerror or str(error)
    )
