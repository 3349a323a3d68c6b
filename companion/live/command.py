"""What a phone can ask of the table, and what comes of it.

A command becomes entries of the log (a claim, a withdrawal, a new deal ...) or is refused
with a reason; nothing else changes the game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from companion.rules.cards import Player, Suit
from companion.rules.event_form import RecordError, read_player
from companion.rules.events import CardPlayed, Closed, Dealt, Event, Exchanged, MarriageDeclared
from companion.rules.ruleset import RuleSet, RuleSetError, rules_from_json
from companion.store.coding import logged_event

__all__ = [
    "Answer",
    "Claim",
    "Close",
    "Command",
    "Correct",
    "Declare",
    "InvalidCommandError",
    "NewHand",
    "NewMatch",
    "Reason",
    "Receipt",
    "RefusedCommandError",
    "Undo",
    "parse_command",
]

Reason = Literal["no_hand", "too_late", "against_rules", "impossible", "not_recorded"]
"""Why a command was refused; the page has a text for each."""

MAX_NAME = 24


class InvalidCommandError(ValueError):
    """A request that is no command; the message names the field and what was expected."""


class RefusedCommandError(RuntimeError):
    """A command that cannot be done now; the message says why.

    Attributes:
        reason: The same as a key.
    """

    def __init__(self, reason: Reason, text: str) -> None:
        super().__init__(text)
        self.reason: Reason = reason


@dataclass(frozen=True, slots=True)
class Claim:
    """`player` says to have 66."""

    player: Player


@dataclass(frozen=True, slots=True)
class Declare:
    """`player` declares king and queen of `suit`."""

    player: Player
    suit: Suit


@dataclass(frozen=True, slots=True)
class Close:
    """`player` closes the stock."""

    player: Player


@dataclass(frozen=True, slots=True)
class Undo:
    """Withdraw the last event; `seq` says which that was on the phone, so that two do not undo two."""

    seq: int


@dataclass(frozen=True, slots=True)
class NewHand:
    """A new hand is dealt, by `dealer` or by whose turn it is; a hand that goes on is given up."""

    dealer: Player | None = None


@dataclass(frozen=True, slots=True)
class NewMatch:
    """Both start at the target again.

    Attributes:
        rules: House rules; `None`: as before.
        names: South's and north's name; `None`: as before.
        dealer: Who deals first; `None`: as the cards show.
        clear_marks: Whether the Bummerl marks start anew, too.
    """

    rules: RuleSet | None = None
    names: tuple[str, str] | None = None
    dealer: Player | None = None
    clear_marks: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """Option number `option` (from 0) answers the question with the number `seq`."""

    seq: int
    option: int


@dataclass(frozen=True, slots=True)
class Correct:
    """The event with the number `seq` was `event`; `None`: it did not happen."""

    seq: int
    event: Event | None


Command = Claim | Declare | Close | Undo | NewHand | NewMatch | Answer | Correct


@dataclass(frozen=True, slots=True)
class Receipt:
    """A command was done.

    Attributes:
        position: Position of the last item of the log that it wrote.
        revision: Revision of the first snapshot that shows it.
    """

    position: int
    revision: str

    def to_json(self) -> dict[str, Any]:
        """Return this as a JSON object."""
        return {"position": self.position, "revision": self.revision}


def parse_command(value: object) -> Command:
    """Read a command from its JSON object; unknown, missing and wrong fields are refused.

    `key`, a text that marks repetitions of one press, may accompany every command.

    >>> parse_command({"type": "claim", "player": 1})
    Claim(player=<Player.NORTH: 1>)

    Raises:
        InvalidCommandError: Not a command.
    """
    if not isinstance(value, dict):
        raise InvalidCommandError(f"expected a JSON object, got {type(value).__name__}")
    kind = value.get("type")
    if not isinstance(kind, str) or kind not in _FIELDS:
        raise InvalidCommandError(f"type: {kind!r} is no command; there are {', '.join(_FIELDS)}")
    required, optional = _FIELDS[kind]
    if missing := [name for name in required if name not in value]:
        raise InvalidCommandError(f"{kind}: {missing[0]!r} is missing")
    if unknown := sorted(set(value) - {"type", "key", *required, *optional}):
        raise InvalidCommandError(f"{kind}: unknown field {unknown[0]!r}")
    match kind:
        case "claim":
            return Claim(_player(value["player"]))
        case "marriage":
            return Declare(_player(value["player"]), _suit(value["suit"]))
        case "close":
            return Close(_player(value["player"]))
        case "undo":
            return Undo(_whole(value["seq"], "seq"))
        case "new_hand":
            return NewHand(_dealer(value))
        case "new_match":
            return NewMatch(
                _rules(value.get("rules")), _names(value.get("names")), _dealer(value), _flag(value)
            )
        case "answer":
            return Answer(_whole(value["seq"], "seq"), _whole(value["option"], "option"))
        case _:
            return Correct(_whole(value["seq"], "seq"), _event(value["event"]))


_FIELDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "claim": (("player",), ()),
    "marriage": (("player", "suit"), ()),
    "close": (("player",), ()),
    "undo": (("seq",), ()),
    "new_hand": ((), ("dealer",)),
    "new_match": ((), ("rules", "names", "dealer", "clear_marks")),
    "answer": (("seq", "option"), ()),
    "correct": (("seq", "event"), ()),
}
"""Required and optional fields of each command."""


def _player(value: object) -> Player:
    try:
        return read_player(value, "player")
    except RecordError as error:
        raise InvalidCommandError(str(error)) from error


def _dealer(fields: dict[str, object]) -> Player | None:
    value = fields.get("dealer")
    return None if value is None else _player(value)


def _suit(value: object) -> Suit:
    try:
        return Suit(value)
    except ValueError:
        raise InvalidCommandError(f"suit: expected one of H D C S, got {value!r}") from None


def _whole(value: object, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InvalidCommandError(f"{where}: expected a whole number from 0, got {value!r}")
    return value


def _flag(fields: dict[str, object]) -> bool:
    value = fields.get("clear_marks", False)
    if not isinstance(value, bool):
        raise InvalidCommandError(f"clear_marks: expected true or false, got {value!r}")
    return value


def _rules(value: object) -> RuleSet | None:
    if value is None:
        return None
    try:
        return rules_from_json(value)
    except RuleSetError as error:
        raise InvalidCommandError(f"rules: {error}") from error


def _names(value: object) -> tuple[str, str] | None:
    if value is None:
        return None
    match value:
        case [str(south), str(north)] if len(south.strip()) <= MAX_NAME and len(north.strip()) <= MAX_NAME:
            return south.strip(), north.strip()
    raise InvalidCommandError(f"names: expected two texts of at most {MAX_NAME} characters")


def _event(value: object) -> Event | None:
    if value is None:
        return None
    try:
        event = logged_event(value)
    except RecordError as error:
        raise InvalidCommandError(str(error)) from error
    if not isinstance(event, CardPlayed | Closed | Dealt | Exchanged | MarriageDeclared):
        raise InvalidCommandError(
            "event: only what the table showed can be corrected; withdraw a claim by undo"
        )
    return event
