"""A played hand as JSON: written, read strictly, replayed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.rules.breach import NotedBreach
from companion.rules.cards import Card, Player
from companion.rules.event_form import (
    RecordError,
    event_from_json,
    event_to_json,
    read_card,
    read_cards,
    read_list,
    read_object,
    read_player,
    read_version,
)
from companion.rules.events import Dealt, Event
from companion.rules.hand import HandState, ImpossibleEvent, apply, deal, legal_events
from companion.rules.match_form import read_points, written_points
from companion.rules.points import PointRange
from companion.rules.revoke import revoke_found
from companion.rules.ruleset import RuleSet, RuleSetError, rules_from_json
from companion.rules.scoring import totals

__all__ = [
    "MOST_EVENTS",
    "Record",
    "RecordError",
    "Result",
    "event_from_json",
    "event_to_json",
    "replay",
    "replay_json",
    "replay_record",
    "result_of",
    "start",
]

VERSION = 1
"""The version of the form that this program writes; a record without one is of version 1."""
MOST_EVENTS = 200
"""A record with more events than this is damaged: no hand has so many."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a recorded hand ended.

    Attributes:
        winner: Who scored; `None` where nobody did, or not yet.
        game_points: What was scored.
        card_points: Points of south and north at the end.
        reason: An award's reason, else `unfinished`, `given_up`, or `open` for a claim that what
            was seen does not decide.
    """

    winner: Player | None
    game_points: int
    card_points: tuple[PointRange, PointRange]
    reason: str

    def to_json(self) -> dict[str, Any]:
        """Write; points that are not known exactly are a pair of bounds."""
        return {
            "winner": None if self.winner is None else int(self.winner),
            "game_points": self.game_points,
            "card_points": [written_points(each) for each in self.card_points],
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class Record:
    """One hand as it was played.

    Attributes:
        rules: The house rules.
        dealer: Who dealt.
        turned_up: The card turned up; `None`: nobody saw it.
        events: What happened, in order.
        result: How it ended, where that was written down.
        hands: The hands of south and north as dealt, where they are known.
        stock: The stock as dealt, top first, the turned-up card last.
    """

    rules: RuleSet
    dealer: Player
    turned_up: Card | None
    events: tuple[Event, ...]
    result: Result | None = None
    hands: tuple[tuple[Card, ...], tuple[Card, ...]] | None = None
    stock: tuple[Card, ...] | None = None

    @classmethod
    def from_state(cls, state: HandState, events: Sequence[Event]) -> Record:
        """Return the record of a hand that was played without knowledge of the hidden cards.

        Args:
            state: The hand after `events`.
            events: What happened; a leading `Dealt` is left out, the record says that by itself.
        """
        told = tuple(event for event in events if not isinstance(event, Dealt))
        return cls(state.rules, state.dealer, state.dealt_up, told, result_of(state))

    def to_json(self) -> dict[str, Any]:
        """Write the record as a JSON object."""
        data: dict[str, Any] = {
            "rules": self.rules.to_json(),
            "dealer": int(self.dealer),
            "turned_up": None if self.turned_up is None else str(self.turned_up),
        }
        if self.hands is not None:
            data["hands"] = [[str(card) for card in hand] for hand in self.hands]
        if self.stock is not None:
            data["stock"] = [str(card) for card in self.stock]
        data["events"] = [event_to_json(event) for event in self.events]
        if self.result is not None:
            data["result"] = self.result.to_json()
        return data

    @classmethod
    def from_json(cls, data: object) -> Record:
        """Read a JSON object; nothing in it is passed over.

        Raises:
            RecordError: Something is missing, unknown or of the wrong kind.
        """
        if isinstance(data, Mapping):
            read_version(data.get("version", VERSION), VERSION)
        fields = read_object(data, "record", _FIELDS, required=("dealer", "events"))
        if "turned_up" not in fields and "stock" not in fields:
            raise RecordError("record: 'turned_up' is missing")
        try:
            rules = rules_from_json(fields.get("rules", {}))
        except RuleSetError as error:
            raise RecordError(f"rules: {error}") from None
        events = read_list(fields["events"], "events")
        if len(events) > MOST_EVENTS:
            raise RecordError(f"events: {len(events)} are more than the {MOST_EVENTS} that a hand may have")
        stock = read_cards(fields["stock"], "stock") if "stock" in fields else None
        up = fields.get("turned_up")
        turned_up = None if up is None else read_card(up, "turned_up")
        return cls(
            rules=rules,
            dealer=read_player(fields["dealer"], "dealer"),
            turned_up=stock[-1] if turned_up is None and stock else turned_up,
            events=tuple(event_from_json(each, f"events[{index}]") for index, each in enumerate(events)),
            result=_result(fields["result"]) if fields.get("result") is not None else None,
            hands=_hands(fields["hands"]) if "hands" in fields else None,
            stock=stock,
        )

    @classmethod
    def parse(cls, text: str) -> Record:
        """Read a record from the text of a JSON object.

        Raises:
            RecordError: The text is no JSON, or no record, or an object in it says a field twice.
        """
        try:
            data = json.loads(text, object_pairs_hook=_said_once)
        except RecordError:
            raise
        except RecursionError:
            raise RecordError("not JSON: nested too deeply") from None
        except ValueError as error:
            raise RecordError(f"not JSON: {error}") from None
        return cls.from_json(data)


_FIELDS = ("version", "rules", "dealer", "turned_up", "events", "result", "hands", "stock")


def _said_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of its fields; of two with one name JSON would keep the last without a word."""
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise RecordError(f"record: {name!r:.80} is there twice in one object")
        fields[name] = value
    return fields


def _hands(data: object) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    hands = read_list(data, "hands")
    if len(hands) != 2:
        raise RecordError(f"hands: {len(hands)} hands, not 2")
    return read_cards(hands[0], "hands[0]"), read_cards(hands[1], "hands[1]")


def _result(data: object) -> Result:
    names = ("winner", "game_points", "card_points", "reason")
    fields = read_object(data, "result", names, names)
    points = read_list(fields["card_points"], "result.card_points")
    if len(points) != 2:
        raise RecordError(f"result.card_points: {len(points)} numbers, not 2")
    if type(fields["game_points"]) is not int or fields["game_points"] < 0:
        raise RecordError(f"result.game_points: {fields['game_points']!r:.80} is not a number of points")
    if not isinstance(fields["reason"], str) or not re.fullmatch(r"[a-z_]+", fields["reason"]):
        raise RecordError(f"result.reason: {fields['reason']!a:.80} is no reason")
    return Result(
        winner=None if fields["winner"] is None else read_player(fields["winner"], "result.winner"),
        game_points=fields["game_points"],
        card_points=(
            read_points(points[0], "result.card_points[0]"),
            read_points(points[1], "result.card_points[1]"),
        ),
        reason=fields["reason"],
    )


def result_of(state: HandState) -> Result:
    """Return how a hand ended, or that it has not."""
    if state.award is not None:
        award = state.award
        return Result(award.winner, award.game_points, award.card_points, award.reason)
    reason = "given_up" if state.given_up else "open" if state.over else "unfinished"
    return Result(None, 0, totals(state), reason)


def start(record: Record) -> HandState:
    """Return the hand of a record before its first event.

    Raises:
        ImpossibleEvent: The cards do not make up a deal.
    """
    return deal(record.rules, record.dealer, record.turned_up, record.hands, record.stock)


def replay(record: Record) -> HandState:
    """Return the hand after all events of a record.

    Raises:
        ImpossibleEvent: The hand cannot have happened; the message names the event.
    """
    state = start(record)
    for index, event in enumerate(record.events):
        state = _step(state, event, index)
    return state


def _step(state: HandState, event: Event, index: int) -> HandState:
    try:
        return apply(state, event)
    except ImpossibleEvent as error:
        raise ImpossibleEvent(f"events[{index}]: {error}") from None


def breach_to_json(noted: NotedBreach) -> dict[str, Any]:
    """Write a broken rule with its clause, and both plays where a later one proved it."""
    data: dict[str, Any] = {
        "breach": noted.breach.name.lower(),
        "clause": noted.breach.value,
        "player": int(noted.player),
        "trick": noted.trick,
    }
    if noted.card is not None:
        data["card"] = str(noted.card)
    if noted.proved_by is not None:
        data |= {"proved_in": noted.proved_in, "proved_by": str(noted.proved_by)}
    if noted.taken_back:
        data["taken_back"] = True
    return data


def replay_json(text: str, index: int, legal: bool) -> dict[str, Any]:
    """Replay the text of one record; never raises for what the text says.

    Args:
        text: A JSON object.
        index: Number of the record in its file, from 0.
        legal: Whether to say what was allowed before each event; only records with both hands
            and the stock get that.

    Returns:
        As `replay_record`.
    """
    try:
        record = Record.parse(text)
    except RecordError as error:
        return {"index": index, "error": str(error)}
    return replay_record(record, index, legal)


def replay_record(record: Record, index: int, legal: bool) -> dict[str, Any]:
    """Replay one record; never raises for what it says.

    Returns:
        `index` with winner, game points, card points, reason and breaches, or with `error`.
        Where the record itself claims another result, `recorded` repeats that.
    """
    allowed: list[list[dict[str, Any]]] = []
    tell = legal and record.hands is not None and record.stock is not None
    try:
        state = start(record)
        for number, event in enumerate(record.events):
            if tell:
                allowed.append([event_to_json(each) for each in legal_events(state)])
            state = _step(state, event, number)
    except ImpossibleEvent as error:
        return {"index": index, "error": str(error)}
    result = result_of(state)
    answer = {
        "index": index,
        **result.to_json(),
        "breaches": [_breach_to_json(each, state) for each in state.breaches],
    }
    if record.result is not None and record.result != result:
        answer["recorded"] = record.result.to_json()
    if tell:
        answer["legal"] = allowed
    return answer


def _breach_to_json(noted: NotedBreach, state: HandState) -> dict[str, Any]:
    """Write a broken rule; of a revoke also to which card it was, and what it pays when called."""
    data = breach_to_json(noted)
    if not noted.breach.is_revoke:
        return data
    found = revoke_found(noted, state)
    if found.led is not None:
        data["led"] = str(found.led)
    if found.award is not None:
        data["pays"] = {"winner": int(noted.player.other), "game_points": found.award.game_points}
    return data
