"""The routes of the review page: hands of the match that have ended, what happened, and what was best.

`GET /api/reviews`: the hands that may be reviewed. `GET /api/reviews/M/N`: hand N of match M, its story at
once, and what the solver has said of it so far; asking again brings the rest.

A hand is reviewed once nothing of it can be played, claimed or taken up again. That is decided here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol

from flask import Blueprint, Response

from companion.live.fold import HandFold, Standing
from companion.live.snapshot import Role
from companion.review.course import Course
from companion.review.form import hand_to_json
from companion.review.reviewed import ranked
from companion.rules.cards import Player
from companion.rules.fair_play import TRAINING
from companion.rules.hand import ImpossibleEvent
from companion.rules.match import Match
from companion.rules.record import Record, result_of
from companion.server.answer import answer, asking, refusal
from companion.table.entry import Settled

__all__ = ["ReviewedTable", "Reviews", "review_routes"]

DOUBTED = 0.9
"""A card read with less confidence is marked."""


class ReviewedTable(Protocol):
    """What the review needs of a table; `companion.live.table.LiveTable` is one."""

    def standing(self) -> Standing:
        """Return where the match stands."""


class Reviews(Protocol):
    """What works reviews out; `companion.server.reviewer.Reviewer` is one."""

    def analysis(self, record: Record) -> dict[str, Any]:
        """Return what is known of a hand by now, and have the rest worked out."""


@dataclass(frozen=True, slots=True)
class _Numbered:
    """A hand of the table with its place.

    Attributes:
        match: Number of its match.
        number: Its number there, from 1.
        hand: The hand.
        newest: Whether no other has been dealt since.
    """

    match: int
    number: int
    hand: HandFold
    newest: bool


def review_routes(table: ReviewedTable, reviews: Reviews) -> Blueprint:
    """Build the routes around a table."""
    routes = Blueprint("reviews", __name__, url_prefix="/api/reviews")

    @routes.get("")
    def index() -> Response:
        standing, role = table.standing(), asking().role
        listed = [_listed(each) for each in _numbered(standing) if _finished(each, standing, role)]
        return answer({"names": list(standing.started.names), "hands": listed[::-1]})

    @routes.get("/<int:match>/<int:number>")
    def one(match: int, number: int) -> Response:
        standing = table.standing()
        found = next(
            (each for each in _numbered(standing) if (each.match, each.number) == (match, number)), None
        )
        if found is None:
            return refusal(404, "there is no such hand")
        if not _finished(found, standing, asking().role):
            return refusal(403, "this hand has not ended")
        try:
            return answer(_reviewed(standing, found, reviews))
        except ImpossibleEvent as error:
            return refusal(409, f"this hand cannot be reviewed: {error}")

    return routes


def _numbered(standing: Standing) -> Iterator[_Numbered]:
    """Yield the hands of all matches since names and rules were given."""
    started = standing.started
    match = Match(
        started.rules, Player.SOUTH, started.number, (), started.marks, started.wins, started.series
    )
    number = 0
    for hand in standing.hands:
        if match.winner is not None:
            match, number = match.following(), 0
        number += 1
        yield _Numbered(match.number, number, hand, hand is standing.hands[-1])
        if hand.state.award is not None:
            match = match.with_award(hand.state.award, hand.state.dealer)


def _finished(numbered: _Numbered, standing: Standing, role: Role) -> bool:
    """Whether nothing of a hand needs to be kept from whoever asks.

    What was given up last could be taken up again. After the last trick there may be a claim, which matters
    where counts are kept from the players. Lookers-on may see a match late: they get a hand once the next has
    been dealt.
    """
    state = numbered.hand.state
    if not numbered.newest:
        return True
    settled = state.ended or (state.over and (standing.started.fair == TRAINING or not state.claimants))
    return settled and not state.given_up and role.presses


def _listed(numbered: _Numbered) -> dict[str, Any]:
    return {
        "match": numbered.match,
        "hand": numbered.number,
        "result": result_of(numbered.hand.state).to_json(),
    }


def _reviewed(standing: Standing, numbered: _Numbered, reviews: Reviews) -> dict[str, Any]:
    """Return the story of a hand, and what the solver has said so far."""
    hand = numbered.hand
    counted = [entry for entry in hand.events if entry.seq not in hand.unfit]
    record = replace(Record.from_state(hand.state, [entry.event for entry in counted]), result=None)
    course = Course.of(record)
    notes = [_note(entry, standing) for entry in counted[1:]]
    return {
        "match": numbered.match,
        "hand": numbered.number,
        "names": list(standing.started.names),
        "story": hand_to_json(course, ranked(course)),
        "notes": notes if len(notes) == len(course.events) else [],
        **reviews.analysis(record),
    }


def _note(entry: Settled, standing: Standing) -> dict[str, Any]:
    """Return how an event was read, and whether it was settled otherwise later."""
    note: dict[str, Any] = {}
    if entry.seq in standing.corrected:
        note["corrected"] = True
    if entry.source == "camera" and entry.confidence < DOUBTED:
        note["confidence"] = round(entry.confidence, 2)
    return note
