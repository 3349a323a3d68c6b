"""Events as JSON objects, read strictly: what is unknown is refused by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.rules.cards import Card, NotationError, Player, Suit
from companion.rules.events import (
    Agreed,
    CardPlayed,
    Claimed,
    Closed,
    Conceded,
    Dealt,
    Event,
    Exchanged,
    GivenUp,
    HandShown,
    Knocked,
    MarriageDeclared,
    RevokeCalled,
)

__all__ = [
    "RecordError",
    "event_from_json",
    "event_to_json",
    "read_card",
    "read_cards",
    "read_list",
    "read_object",
    "read_player",
    "read_version",
]


class RecordError(ValueError):
    """A record that cannot be read; the message names the place and the value."""


def read_object(data: object, where: str, known: Sequence[str], required: Sequence[str]) -> Mapping[str, Any]:
    """Return `data` as an object with no field that is not `known`, and all that are `required`."""
    if not isinstance(data, Mapping):
        raise RecordError(f"{where}: {data!r:.80} is not an object")
    for name in data:
        if name not in known:
            raise RecordError(f"{where}: {name!r:.80} is no known field; known: {', '.join(known)}")
    for name in required:
        if name not in data:
            raise RecordError(f"{where}: {name!r} is missing")
    return data


def read_list(data: object, where: str) -> list[Any]:
    """Return `data` as a list."""
    if not isinstance(data, list):
        raise RecordError(f"{where}: {data!r:.80} is not a list")
    return data


def read_version(data: object, newest: int) -> int:
    """Return `data` as a version that this program reads, from 1 to `newest`."""
    if type(data) is not int or data < 1:
        raise RecordError(f"version: {data!r:.80} is no version")
    if data > newest:
        raise RecordError(f"version: {data} is newer than {newest}, the newest that this program reads")
    return data


def read_player(data: object, where: str) -> Player:
    """Return `data`, 0 or 1, as a player."""
    if type(data) is not int or data not in (0, 1):
        raise RecordError(f"{where}: {data!r:.80} is neither 0 (south) nor 1 (north)")
    return Player(data)


def read_card(data: object, where: str) -> Card:
    """Return `data`, as in `KH`, as a card."""
    if not isinstance(data, str):
        raise RecordError(f"{where}: {data!r:.80} is not a card")
    try:
        return Card.parse(data)
    except NotationError as error:
        raise RecordError(f"{where}: {error}") from None


def read_cards(data: object, where: str) -> tuple[Card, ...]:
    """Read a list of cards.

    Raises:
        RecordError: It is none; the message begins with `where`.
    """
    return tuple(read_card(each, f"{where}[{at}]") for at, each in enumerate(read_list(data, where)))


def event_to_json(event: Event) -> dict[str, Any]:
    """Write an event as a record has it; the deal as `watch` prints it."""
    match event:
        case CardPlayed():
            card = None if event.card is None else str(event.card)
            return {"type": "play", "player": int(event.player), "card": card}
        case Exchanged():
            return {"type": "exchange", "player": int(event.player)}
        case MarriageDeclared():
            return {"type": "marriage", "player": int(event.player), "suit": event.suit.letter}
        case Closed():
            before = {"before_draw": True} if event.before_draw else {}
            return {"type": "close", "player": int(event.player), **before}
        case Knocked():
            return {"type": "knock", "player": int(event.player)}
        case Claimed():
            return {"type": "claim", "player": int(event.player)}
        case RevokeCalled():
            return {"type": "revoke", "player": int(event.player)}
        case HandShown():
            cards = [str(card) for card in event.cards]
            return {"type": "show", "player": int(event.player), "cards": cards}
        case Conceded():
            return {"type": "concede", "player": int(event.player)}
        case GivenUp():
            return {"type": "given_up"}
        case Agreed(winner, game_points):
            who = None if winner is None else int(winner)
            return {"type": "agreed", "winner": who, "game_points": game_points}
        case Dealt():
            up = None if event.turned_up is None else str(event.turned_up)
            return {"type": "deal", "turned_up": up, "dealer": int(event.dealer)}


_EVENT_FIELDS = {
    "play": ("card",),
    "exchange": (),
    "marriage": ("suit",),
    "close": (),
    "knock": (),
    "claim": (),
    "revoke": (),
    "show": ("cards",),
    "concede": (),
}


def event_from_json(data: object, where: str = "event") -> Event:
    """Read an event of a record.

    Raises:
        RecordError: It is none; the message begins with `where`.
    """
    if not isinstance(data, Mapping):
        raise RecordError(f"{where}: {data!r:.80} is not an object")
    kind = data.get("type")
    if kind == "given_up":
        read_object(data, where, ("type",), ())
        return GivenUp()
    if kind == "agreed":
        return _read_agreed(data, where)
    if not isinstance(kind, str) or kind not in _EVENT_FIELDS:
        known = ", ".join((*_EVENT_FIELDS, "given_up", "agreed"))
        raise RecordError(f"{where}.type: {kind!r:.80} is no event; known: {known}")
    required = ("type", "player", *_EVENT_FIELDS[kind])
    read_object(data, where, (*required, "before_draw") if kind == "close" else required, required)
    player = read_player(data["player"], f"{where}.player")
    match kind:
        case "play":
            return CardPlayed(
                player, None if data["card"] is None else read_card(data["card"], f"{where}.card")
            )
        case "exchange":
            return Exchanged(player)
        case "marriage":
            suit = data["suit"]
            if not isinstance(suit, str) or suit not in [each.letter for each in Suit]:
                raise RecordError(f"{where}.suit: {suit!r:.80} is none of H, D, C, S")
            return MarriageDeclared(player, Suit(suit))
        case "close":
            before_draw = data.get("before_draw", False)
            if type(before_draw) is not bool:
                raise RecordError(f"{where}.before_draw: {before_draw!r:.80} is neither true nor false")
            return Closed(player, before_draw)
        case "knock":
            return Knocked(player)
        case "revoke":
            return RevokeCalled(player)
        case "concede":
            return Conceded(player)
        case "show":
            shown = read_list(data["cards"], f"{where}.cards")
            named = (read_card(each, f"{where}.cards[{place}]") for place, each in enumerate(shown))
            return HandShown(player, tuple(named))
        case _:
            return Claimed(player)


def _read_agreed(data: Mapping[str, Any], where: str) -> Agreed:
    fields = ("type", "winner", "game_points")
    read_object(data, where, fields, fields)
    winner = None if data["winner"] is None else read_player(data["winner"], f"{where}.winner")
    points = data["game_points"]
    if type(points) is not int or points not in ((0,) if winner is None else (1, 2, 3)):
        expected = "0, nobody scores" if winner is None else "1, 2 or 3"
        raise RecordError(f"{where}.game_points: {points!r:.80} is not {expected}")
    return Agreed(winner, points)
