"""The routes of the review page: hands that have ended, what happened, and what was best.

`GET /api/reviews`: the hands that may be reviewed; `find`, `kind`, `since` and `until` choose among them.
`GET /api/reviews/N`: hand N of the log, its story at once, and what the solver has said of it so far; asking
again brings the rest. `GET /api/reviews/M/N`: the newest hand N of a match M.
`GET /api/reviews/N/pictures/T`: the table at one of its events.

Who may look through which hand is asked of `companion.history.sight`.
"""

from __future__ import annotations

from typing import Any, Protocol

from flask import Blueprint, Response

from companion.history.form import listed, notes_of
from companion.history.hands import PlayedHand
from companion.history.search import KINDS
from companion.review.course import Course
from companion.review.form import hand_to_json
from companion.review.reviewed import ranked
from companion.rules.hand import ImpossibleEvent
from companion.rules.record import Record
from companion.server.answer import answer, refusal
from companion.server.open_hands import OpenHands

__all__ = ["Reviews", "Stills", "review_routes"]

STILL_S = 3600
"""A picture never changes; a browser may keep it for so long."""


class Reviews(Protocol):
    """What works reviews out; `companion.server.reviewer.Reviewer` is one."""

    def analysis(self, record: Record) -> dict[str, Any]:
        """Return what is known of a hand by now, and have the rest worked out."""

    def decisions(self, record: Record) -> list[dict[str, Any]] | None:
        """Return the judged decisions of a hand, if they all are."""

    def failed(self, record: Record) -> bool:
        """Whether working a hand out was broken off, and is not tried again."""


class Stills(Protocol):
    """What is kept of the table; `companion.store.album.Album` is one."""

    def has(self, time: float) -> bool:
        """Whether there is a picture of what happened at `time`."""

    def picture(self, time: float) -> bytes | None:
        """Return it as JPEG."""


def review_routes(hands: OpenHands, reviews: Reviews, pictures: Stills | None = None) -> Blueprint:
    """Build the routes around the hands of a log, and what `pictures` kept of them."""
    routes = Blueprint("reviews", __name__, url_prefix="/api/reviews")

    @routes.get("")
    def index() -> Response:
        return answer({"hands": [listed(each) for each in reversed(hands.wanted())], "kinds": list(KINDS)})

    @routes.get("/<int:number>")
    @routes.get("/<int:match>/<int:number>")
    def one(number: int, match: int | None = None) -> Response:
        found = hands.find(number, match)
        if isinstance(found, Response):
            return found
        try:
            return answer(_reviewed(found, reviews, pictures))
        except ImpossibleEvent as error:
            return refusal(409, f"this hand cannot be reviewed: {error}")

    @routes.get("/<int:number>/pictures/<int:time_ms>")
    def picture(number: int, time_ms: int) -> Response:
        found = hands.find(number)
        if isinstance(found, Response):
            return found
        times = (entry.time for entry in found.entries)
        time = next((each for each in times if round(each * 1000) == time_ms), None)
        kept = None if pictures is None or time is None else pictures.picture(time)
        if kept is None:
            return refusal(404, "no picture of that was kept")
        response = Response(kept, mimetype="image/jpeg")
        response.headers["Cache-Control"] = f"private, max-age={STILL_S}"
        return response

    return routes


def _reviewed(hand: PlayedHand, reviews: Reviews, pictures: Stills | None) -> dict[str, Any]:
    """Return the story of a hand, how it came to be known, and what the solver has said so far."""
    record = hand.analysed
    course = Course.of(record)
    told = notes_of(hand, lambda time: pictures is not None and pictures.has(time))
    if len(told["notes"]) != len(course.events):  # a revoke was taken back: the story is shorter
        told["notes"] = []
    return {**listed(hand), "story": hand_to_json(course, ranked(course)), **told, **reviews.analysis(record)}
