"""The hands of the log that the device which asks may look through, and those of them that it asks for.

Who may look through which hand is asked of `companion.history.sight`.
"""

from __future__ import annotations

from datetime import date
from typing import Protocol

from flask import Response, request

from companion.history.hands import PlayedHand
from companion.history.search import KINDS, Wanted
from companion.history.sight import open_to
from companion.live.command import InvalidCommandError
from companion.live.snapshot import Role
from companion.server.answer import asking, refusal
from companion.server.stream import Feed

__all__ = ["OpenHands", "PlayedHands"]


class PlayedHands(Protocol):
    """Where played hands come from; `companion.history.archive.Archive` is one."""

    def hands(self) -> tuple[PlayedHand, ...]:
        """Return every hand, oldest first."""


class OpenHands:
    """The hands that the device which asks may look through."""

    def __init__(self, hands: PlayedHands, feed: Feed) -> None:
        self._hands = hands
        self._feed = feed

    def wanted(self) -> list[PlayedHand]:
        """Return those that the request asks for by `find`, `kind`, `since` and `until`, oldest first.

        Raises:
            InvalidCommandError: It asks for what there is not.
        """
        kind = request.args.get("kind", "")
        if kind and kind not in KINDS:
            raise InvalidCommandError(f"kind: {kind!r:.80} is none of {', '.join(KINDS)}")
        since, until = (_day(name) for name in ("since", "until"))
        return Wanted(request.args.get("find", ""), kind, since, until).among(self.all())

    def all(self) -> list[PlayedHand]:
        """Return them, oldest first."""
        newest = self._feed.wait("", 0.0)
        if newest is None:
            return []
        late = self._feed.wait("", 0.0, late=True)
        return open_to(asking().role, self._hands.hands(), newest, late)

    def hide_something(self) -> bool:
        """Whether the hand that was dealt last still keeps cards from the players."""
        newest, played = self._feed.wait("", 0.0), self._hands.hands()
        if newest is None or newest.match.fair.mode == "training":
            return False
        return bool(played) and not open_to(Role.TABLE, played[-1:], newest, None)

    def find(self, number: int, match: int | None = None) -> PlayedHand | Response:
        """Return a hand by its number in the log or in a match, or the refusal that is to be answered."""

        def same(hand: PlayedHand) -> bool:
            return hand.number == number if match is None else (hand.match, hand.hand) == (match, number)

        found = next((each for each in reversed(self.all()) if same(each)), None)
        if found is not None:
            return found
        if any(same(each) for each in self._hands.hands()):
            return refusal(403, "this hand is not open yet")
        return refusal(404, "there is no such hand")


def _day(name: str) -> date | None:
    """Return a day that the request names, as `2026-11-22`."""
    text = request.args.get(name, "")
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise InvalidCommandError(f"{name}: {text!r:.80} is no day, as 2026-11-22 is") from None
