"""What a score sheet refuses, as a key with figures and as a sentence."""

from __future__ import annotations

__all__ = ["SheetError"]


class SheetError(ValueError):
    """An entry that a sheet cannot take; the message is a sentence, clauses are of docs/score-sheets.md.

    Attributes:
        reason: The same as a key; the page has a sentence for each, in its own language.
        details: Figures and names that fill that sentence.
    """

    def __init__(self, reason: str, text: str, **details: int | str) -> None:
        super().__init__(text)
        self.reason = reason
        self.details: dict[str, int | str] = details
