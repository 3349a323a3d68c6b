"""What a phone can ask of the table, and what comes of it.

A command becomes entries of the log (a claim, a withdrawal, a new deal ...) or is refused
with a reason; nothing else changes the game. Only that a sum is counted again is not written down.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from companion.rules.cards import Card, Player, Suit
from companion.rules.event_form import RecordError, read_card, read_list, read_player
from companion.rules.events import Agreed, Dealt, Event
from companion.rules.fair_play import FairPlay, FairPlayError, fair_play_from_json
from companion.rules.ruleset import RuleSet, RuleSetError, rules_from_json
from companion.store.coding import logged_event

__all__ = [
    "Answer",
    "CallRevoke",
    "Claim",
    "Close",
    "Command",
    "Correct",
    "CountAgain",
    "Declare",
    "Deed",
    "Edit",
    "Exchange",
    "Insert",
    "InsertHand",
    "InsertTrick",
    "InvalidCommandError",
    "Knock",
    "NewHand",
    "NewMatch",
    "Reason",
    "Receipt",
    "RefusedCommandError",
    "RemoveTrick",
    "Rename",
    "ShowHand",
    "Swap",
    "Undo",
    "Vouch",
    "Word",
    "agrees",
    "named_by",
    "parse_command",
    "parse_edit",
]

Reason = Literal[
    "no_hand",
    "too_late",
    "settled",
    "corrected",
    "against_rules",
    "impossible",
    "undecided",
    "won",
    "not_recorded",
    "not_yours",
]
"""Why a command was refused; the page has a text for each."""

MOST_MARKS = 99
"""More Bummerl marks nobody brings along."""
MAX_NAME = 24


class InvalidCommandError(ValueError):
    """A request that is no command; the message names the field and what was expected."""


class RefusedCommandError(RuntimeError):
    """A command that cannot be done now; the message says why.

    Attributes:
        reason: The same as a key.
        clause: The rule that stands against it, where one does.
    """

    def __init__(self, reason: Reason, text: str, clause: str | None = None) -> None:
        super().__init__(text)
        self.reason: Reason = reason
        self.clause = clause


@dataclass(frozen=True, slots=True)
class _Said:
    """What a player says.

    Attributes:
        hand: Number of the hand in its match that the phone showed; `None`: it does not matter.
        match: Number of that match; `None`: it does not matter.
    """

    hand: int | None = field(default=None, kw_only=True)
    match: int | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class Claim(_Said):
    """`player` says to have 66."""

    player: Player


@dataclass(frozen=True, slots=True)
class Declare(_Said):
    """`player` declares king and queen of `suit`."""

    player: Player
    suit: Suit


@dataclass(frozen=True, slots=True)
class Close(_Said):
    """`player` closes the stock, after drawing or, where that is played, before."""

    player: Player
    before_draw: bool = False


@dataclass(frozen=True, slots=True)
class Exchange(_Said):
    """`player` exchanges the lowest trump for the turned-up card."""

    player: Player


@dataclass(frozen=True, slots=True)
class Knock(_Said):
    """`player` knocks: 66 with this trick."""

    player: Player


@dataclass(frozen=True, slots=True)
class CallRevoke(_Said):
    """`player` insists on what the rules give for a proven revoke of the other."""

    player: Player


@dataclass(frozen=True, slots=True)
class ShowHand(_Said):
    """After the end `player` lays open what was left in the hand."""

    player: Player
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Undo:
    """Withdraw the last event; `seq` says which that was on the phone, so that two do not undo two."""

    seq: int


@dataclass(frozen=True, slots=True)
class NewHand:
    """A new hand is dealt, by `dealer` or by whose turn it is; a hand that goes on is given up.

    Attributes:
        dealer: Who deals; `None`: whose turn it is.
        hand: Number of the hand in its match that the phone showed; `None`: it does not matter.
        match: Number of that match; `None`: it does not matter.
    """

    dealer: Player | None = None
    hand: int | None = None
    match: int | None = None


@dataclass(frozen=True, slots=True)
class NewMatch:
    """Both start at the target again.

    Attributes:
        rules: House rules; `None`: as before.
        names: South's and north's name; `None`: as before.
        dealer: Who deals first; `None`: whose turn it is, or, where others sit down, as the cards show.
        clear_marks: Whether Bummerl marks and series start anew, too.
        fair: What phones may tell the players; `None`: as before.
        keep_points: Whether the match that is played goes on under what is agreed now, with its game points.
        marks: Bummerl marks of south and north that they bring along, of a series that goes on; `None`: as
            before.
    """

    rules: RuleSet | None = None
    names: tuple[str, str] | None = None
    dealer: Player | None = None
    clear_marks: bool = False
    fair: FairPlay | None = None
    keep_points: bool = False
    marks: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Rename:
    """`player` is called `name`, in the hands before, too; empty takes the name away."""

    player: Player
    name: str


@dataclass(frozen=True, slots=True)
class Answer:
    """Option number `option` (from 0) answers the question with the number `seq`."""

    seq: int
    option: int


@dataclass(frozen=True, slots=True)
class Correct:
    """The event with the number `seq`, of any hand, was `event`; `None`: it did not happen."""

    seq: int
    event: Event | None


@dataclass(frozen=True, slots=True)
class Insert:
    """`event` was missed: it happened right after the one with the number `after`."""

    after: int
    event: Event


@dataclass(frozen=True, slots=True)
class InsertTrick:
    """A whole trick was missed right after the event with the number `after`; nobody has named its cards."""

    after: int


@dataclass(frozen=True, slots=True)
class RemoveTrick:
    """The trick of which the play with the number `seq` was told has not been played."""

    seq: int


@dataclass(frozen=True, slots=True)
class InsertHand:
    """A hand that is not on record was played after the entry with the number `after`; this is what it paid.

    Attributes:
        after: Number of the last entry of the hand before it; 0: it was the first.
        result: What it paid.
    """

    after: int
    result: Agreed


@dataclass(frozen=True, slots=True)
class Swap:
    """The plays with the numbers `seq` and `other`, of one hand, showed each other's card."""

    seq: int
    other: int


@dataclass(frozen=True, slots=True)
class Vouch:
    """Nothing is missing of what nobody saw of a hand, up to the time out of sight with the number `seq`.

    A time in which a hand was dealt is of two hands: that of which is spoken also has the number `first`;
    `None`: it is the later one.
    """

    seq: int
    first: int | None = None


@dataclass(frozen=True, slots=True)
class CountAgain:
    """`player` asks to count the sum of the claim again by hand; `right`: has done so, and it is right."""

    player: Player
    right: bool = False


Word = Claim | Declare | Close | Exchange | Knock | CallRevoke | ShowHand
"""What a player says at the table."""
Edit = Correct | Insert | InsertTrick | InsertHand | RemoveTrick | Swap
"""What changes the record; see `companion.live.correction`."""
Deed = Word | Undo | NewHand | NewMatch | Rename | Answer | Vouch | Edit
"""What changes the game."""
Command = Deed | CountAgain


def named_by(edit: Edit) -> int:
    """Return the number of the entry that a change names."""
    return edit.after if isinstance(edit, Insert | InsertTrick | InsertHand) else edit.seq


def agrees(edit: Edit) -> bool:
    """Whether somebody says what a hand paid."""
    match edit:
        case InsertHand() | Insert(event=Agreed()) | Correct(event=Agreed()):
            return True
        case _:
            return False


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

    >>> parse_command({"type": "claim", "player": 1, "hand": 3})
    Claim(hand=3, match=None, player=<Player.NORTH: 1>)

    Raises:
        InvalidCommandError: Not a command.
    """
    if not isinstance(value, dict):
        raise InvalidCommandError(f"expected a JSON object, got {type(value).__name__}")
    kind = value.get("type")
    if not isinstance(kind, str) or kind not in _FIELDS:
        raise InvalidCommandError(f"type: {kind!r:.80} is no command; there are {', '.join(_FIELDS)}")
    required, optional = _FIELDS[kind]
    if missing := [name for name in required if name not in value]:
        raise InvalidCommandError(f"{kind}: {missing[0]!r} is missing")
    if unknown := sorted(set(value) - {"type", "key", *required, *optional}):
        raise InvalidCommandError(f"{kind}: unknown field {unknown[0]!r:.80}")
    match kind:
        case "claim":
            return Claim(_player(value["player"]), **_shown(value))
        case "marriage":
            return Declare(_player(value["player"]), _suit(value["suit"]), **_shown(value))
        case "close":
            return Close(_player(value["player"]), _flag(value, "before_draw"), **_shown(value))
        case "exchange":
            return Exchange(_player(value["player"]), **_shown(value))
        case "knock":
            return Knock(_player(value["player"]), **_shown(value))
        case "revoke":
            return CallRevoke(_player(value["player"]), **_shown(value))
        case "show":
            return ShowHand(_player(value["player"]), _cards(value["cards"]), **_shown(value))
        case "undo":
            return Undo(_whole(value["seq"], "seq"))
        case "new_hand":
            return NewHand(_dealer(value), **_shown(value))
        case "new_match":
            return NewMatch(
                _rules(value.get("rules")),
                _names(value.get("names")),
                _dealer(value),
                _flag(value, "clear_marks"),
                _fair(value.get("fair")),
                _flag(value, "keep_points"),
                _marks(value.get("marks")),
            )
        case "rename":
            return Rename(_player(value["player"]), _name(value["name"], "name"))
        case "answer":
            return Answer(_whole(value["seq"], "seq"), _whole(value["option"], "option"))
        case "insert":
            return Insert(_whole(value["after"], "after"), _inserted(value["event"]))
        case "insert_trick":
            return InsertTrick(_whole(value["after"], "after"))
        case "insert_hand":
            return InsertHand(_whole(value["after"], "after"), _agreed(value["result"]))
        case "remove_trick":
            return RemoveTrick(_whole(value["seq"], "seq"))
        case "vouch":
            return Vouch(
                _whole(value["seq"], "seq"), _whole(value["first"], "first") if "first" in value else None
            )
        case "recount":
            return CountAgain(_player(value["player"]), _flag(value, "right"))
        case "swap":
            return Swap(_whole(value["seq"], "seq"), _whole(value["with"], "with"))
        case _:
            return Correct(_whole(value["seq"], "seq"), _event(value["event"]))


def parse_edit(value: object) -> Edit:
    """Read a command that changes the record; `None` of the others is taken.

    Raises:
        InvalidCommandError: Not such a command.
    """
    command = parse_command(value)
    if not isinstance(command, Edit):
        raise InvalidCommandError(f"type: expected one of {', '.join(_EDITS)}")
    return command


_SHOWN = ("hand", "match")
"""Which hand a phone showed, of which match."""
_FIELDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "claim": (("player",), _SHOWN),
    "marriage": (("player", "suit"), _SHOWN),
    "close": (("player",), ("before_draw", *_SHOWN)),
    "exchange": (("player",), _SHOWN),
    "knock": (("player",), _SHOWN),
    "revoke": (("player",), _SHOWN),
    "show": (("player", "cards"), _SHOWN),
    "undo": (("seq",), ()),
    "new_hand": ((), ("dealer", *_SHOWN)),
    "new_match": ((), ("rules", "names", "dealer", "clear_marks", "fair", "keep_points", "marks")),
    "rename": (("player", "name"), ()),
    "answer": (("seq", "option"), ()),
    "vouch": (("seq",), ("first",)),
    "recount": (("player",), ("right",)),
    "correct": (("seq", "event"), ()),
    "insert": (("after", "event"), ()),
    "insert_trick": (("after",), ()),
    "insert_hand": (("after", "result"), ()),
    "remove_trick": (("seq",), ()),
    "swap": (("seq", "with"), ()),
}
"""Required and optional fields of each command."""
_EDITS = ("correct", "insert", "insert_trick", "insert_hand", "remove_trick", "swap")


def _player(value: object) -> Player:
    try:
        return read_player(value, "player")
    except RecordError as error:
        raise InvalidCommandError(str(error)) from error


def _dealer(fields: dict[str, object]) -> Player | None:
    value = fields.get("dealer")
    return None if value is None else _player(value)


def _shown(fields: dict[str, object]) -> dict[str, int]:
    return {name: _whole(fields[name], name) for name in _SHOWN if name in fields}


def _suit(value: object) -> Suit:
    try:
        return Suit(value)
    except ValueError:
        raise InvalidCommandError(f"suit: expected one of H D C S, got {value!r:.80}") from None


def _whole(value: object, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InvalidCommandError(f"{where}: expected a whole number from 0, got {value!r:.80}")
    return value


def _marks(value: object) -> tuple[int, int] | None:
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != len(Player):
        raise InvalidCommandError(f"marks: expected those of south and north, got {value!r:.80}")
    south, north = (_whole(each, "marks") for each in value)
    if not 0 <= min(south, north) <= max(south, north) <= MOST_MARKS:
        raise InvalidCommandError(f"marks: expected 0 to {MOST_MARKS} each, got {value!r:.80}")
    return south, north


def _flag(fields: dict[str, object], name: str) -> bool:
    value = fields.get(name, False)
    if not isinstance(value, bool):
        raise InvalidCommandError(f"{name}: expected true or false, got {value!r:.80}")
    return value


def _cards(value: object) -> tuple[Card, ...]:
    try:
        named = tuple(read_card(each, "cards") for each in read_list(value, "cards"))
    except RecordError as error:
        raise InvalidCommandError(str(error)) from error
    if not named:
        raise InvalidCommandError("cards: expected at least one")
    return named


def _rules(value: object) -> RuleSet | None:
    if value is None:
        return None
    try:
        return rules_from_json(value)
    except RuleSetError as error:
        raise InvalidCommandError(f"rules: {error}") from error


def _fair(value: object) -> FairPlay | None:
    if value is None:
        return None
    try:
        return fair_play_from_json(value)
    except FairPlayError as error:
        raise InvalidCommandError(f"fair: {error}") from error


def _names(value: object) -> tuple[str, str] | None:
    if value is None:
        return None
    match value:
        case [south, north]:
            return _name(south, "names"), _name(north, "names")
    raise InvalidCommandError(
        f"names: expected two texts of at most {MAX_NAME} characters, got {value!r:.80}"
    )


def _name(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise InvalidCommandError(
            f"{where}: expected a text of at most {MAX_NAME} characters, got {value!r:.80}"
        )
    name = value.strip()
    if len(name) > MAX_NAME:
        raise InvalidCommandError(
            f"{where}: {name!r:.80} has {len(name)} characters, at most {MAX_NAME} are possible"
        )
    if not name.isprintable():
        raise InvalidCommandError(f"{where}: {name!r:.80} has characters that cannot be shown")
    return name


def _event(value: object) -> Event | None:
    if value is None:
        return None
    try:
        return logged_event(value)
    except RecordError as error:
        raise InvalidCommandError(str(error)) from error


def _inserted(value: object) -> Event:
    event = _event(value)
    if event is None or isinstance(event, Dealt):
        raise InvalidCommandError("event: expected what can happen within a hand")
    return event


def _agreed(value: object) -> Agreed:
    event = _event(value)
    if not isinstance(event, Agreed):
        raise InvalidCommandError("result: expected what a hand paid, of the type 'agreed'")
    return event
