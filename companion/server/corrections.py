"""The routes by which a phone looks through the record and sees what a change would come to.

`GET /api/corrections`: all hands with their events, and what was changed. `GET /api/corrections/N`: what
the event with the number N may have been, and `.../N/missed`: what may have been missed after it.
`GET .../N/picture`: the table when it happened; `.../questions/N/picture`: what question N is about.
`POST /api/corrections/preview`: what a change comes to, without making it; the same object is then sent
to `/api/commands`. Who may see what of it is asked of `companion.live`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from flask import Blueprint, Response

from companion.live.alternatives import alternatives, can_go, missed, trick_can_go
from companion.live.audience import is_open, snapshot_for
from companion.live.command import Answer, Edit, RefusedCommandError, parse_edit
from companion.live.correction import Proposal
from companion.live.hand import HandFold
from companion.live.permission import allow, allow_outcome, explained, may_look
from companion.live.place import entry_of, hand_place
from companion.live.record_view import (
    alternative_view,
    hands_view,
    hidden_proposal_view,
    proposal_view,
)
from companion.live.snapshot import Role, Snapshot
from companion.live.standing import Standing
from companion.rules.cards import Card
from companion.server.answer import answer, asking, asking_for, refusal
from companion.server.stream import Feed
from companion.table.entry import CAMERA

__all__ = ["Pictures", "ReviewedTable", "correction_routes"]


class ReviewedTable(Protocol):
    """What these routes need of a table; `companion.live.table.LiveTable` is one."""

    @property
    def feed(self) -> Feed:
        """Where snapshots come from."""

    def standing(self) -> Standing:
        """Return where the match stands."""

    def propose(self, edit: Edit | Answer) -> Proposal:
        """Say what a change, or an answer, would come to."""


class Pictures(Protocol):
    """What is kept of the table; `companion.store.album.Album` is one."""

    def has(self, time: float) -> bool:
        """Whether there is a picture of what happened at `time`."""

    def picture(self, time: float) -> bytes | None:
        """Return it as JPEG."""

    def looks(self, time: float) -> Mapping[Card, float] | None:
        """Return what the card looked like, as log-probabilities."""


def correction_routes(table: ReviewedTable, pictures: Pictures | None = None) -> Blueprint:
    """Build the routes around `table` and what `pictures` kept of it."""
    routes = Blueprint("corrections", __name__, url_prefix="/api/corrections")

    @routes.before_request
    def guard() -> Response | None:
        return None if asking().role.presses else refusal(403, "this device may look on only", "not_yours")

    @routes.get("")
    def index() -> Response:
        standing, role = table.standing(), asking().role
        snapshot = _newest(table)
        view = hands_view(
            standing,
            sees=lambda hand: _sees(hand, standing, snapshot, role),
            pictured=lambda time: pictures is not None and pictures.has(time),
        )
        return answer(view)

    @routes.get("/<int:seq>")
    def one(seq: int) -> Response:
        standing = table.standing()
        hand, entry = entry_of(standing, seq)
        snapshot, role = _newest(table), asking().role
        if not _sees(hand, standing, snapshot, role):
            return refusal(403, "this is not shown before the end of the hand")
        # what somebody put in stands at the time of what is before it, whose picture that is
        first = next(each for each in hand.events if each.time == entry.time)
        shown = entry.source == CAMERA or (entry is first and not hand.noted)
        pictured = pictures if shown else None
        looks = None if pictured is None else pictured.looks(entry.time)
        found = [alternative_view(each) for each in alternatives(standing, seq, looks)]
        seqs = [each.seq for each in hand.events]
        place = seqs.index(seq)
        return answer(
            {
                "seq": seq,
                "alternatives": found,
                "can_go": can_go(standing, seq),
                "trick_can_go": trick_can_go(standing, seq),
                "before": seqs[place - 1] if place else None,
                "hand_before": None if place else _last_before(seq, standing),
                "last": place == len(seqs) - 1 and not hand.state.agreed,
                "picture": pictured is not None and pictured.has(entry.time),
            }
        )

    @routes.get("/<int:seq>/missed")
    def gap(seq: int) -> Response:
        standing = table.standing()
        hand, _ = entry_of(standing, seq)
        if not _sees(hand, standing, _newest(table), asking().role):
            return refusal(403, "this is not shown before the end of the hand")
        return answer(
            {"after": seq, "alternatives": [alternative_view(each) for each in missed(standing, seq)]}
        )

    @routes.get("/<int:seq>/picture")
    def picture(seq: int) -> Response:
        standing = table.standing()
        hand, entry = entry_of(standing, seq)
        if not _sees(hand, standing, _newest(table), asking().role):
            return refusal(403, "this is not shown before the end of the hand")
        return _picture(None if pictures is None else pictures.picture(entry.time))

    @routes.get("/questions/<int:seq>/picture")
    def asked(seq: int) -> Response:
        # whoever is asked may see it: it lies on the table, or nothing of it is kept from them
        snapshot, role = _newest(table), asking().role
        put = {each.seq for each in snapshot_for(snapshot, role).questions}
        question = next((each for each in table.standing().questions if each.seq == seq), None)
        if question is None or seq not in put:
            return refusal(404, f"question {seq} is not open")
        shows = question.shows
        kept = None if pictures is None or shows is None else pictures.picture(shows)
        if kept is not None and not may_look(role, snapshot) and not _is_of_card(pictures, shows):
            kept = None  # on the whole table a player's hand may be seen
        return Response(status=204) if kept is None else _picture(kept)

    @routes.post("/preview")
    def preview() -> Response:
        edit = parse_edit(asking_for())
        snapshot, device = _newest(table), asking()
        role = device.role
        allow(edit, role, snapshot, owner=device.owner)
        if not (explained(snapshot.match.fair, role) or is_open(snapshot)):
            shown = snapshot_for(snapshot, role).hand
            lying = set() if shown is None else {laid.seq for laid in shown.trick}
            return answer(hidden_proposal_view(edit, table.standing(), lying))
        proposal = table.propose(edit)
        allow_outcome(edit, proposal, role, snapshot, owner=device.owner)
        return answer(proposal_view(edit, proposal))

    return routes


def _last_before(seq: int, standing: Standing) -> int:
    """Number of the last entry of the hand before that of the entry `seq`; 0: there is none."""
    place = hand_place(standing, seq)
    return standing.hands[place - 1].events[-1].seq if place else 0


def _is_of_card(pictures: Pictures | None, time: float | None) -> bool:
    """Whether a picture shows one card where it lies; what a card looked like is kept with those only."""
    return pictures is not None and time is not None and pictures.looks(time) is not None


def _picture(kept: bytes | None) -> Response:
    if kept is None:
        return refusal(404, "no picture of that was kept")
    return Response(kept, mimetype="image/jpeg")


def _newest(table: ReviewedTable) -> Snapshot:
    newest = table.feed.wait("", 0.0)
    if newest is None:
        raise RefusedCommandError("no_hand", "the table is not open yet")
    return newest


def _sees(hand: HandFold, standing: Standing, snapshot: Snapshot, role: Role) -> bool:
    """Whether a phone may look through a hand: one that is played, only if nothing of it is kept from it."""
    if explained(snapshot.match.fair, role):
        return True
    if standing.hand is not hand:
        return True  # the next has been dealt: nobody plays on in it
    if standing.called is None:
        return is_open(snapshot)
    return hand.state.over and not hand.state.given_up
