"""Hands and matches as readable text: the `.hand` notation of docs/notation.md, written and read.

.hand 1
hand north JD
1. close AD-QS
2. marriage-D KD-KC
3. QD-JS
claim
end south 3 67 0 claim
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.rules.cards import Card, Player
from companion.rules.event_form import RecordError, read_card, read_version
from companion.rules.events import Event
from companion.rules.points import PointRange
from companion.rules.record import MOST_EVENTS, Record, Result
from companion.rules.ruleset import RuleSet, RuleSetError, choices, rules_from_json
from companion.rules.told_words import UNDO, Turns, lines_of, read_word

__all__ = ["VERSION", "Part", "Read", "Title", "is_notation", "read", "read_each", "write"]

VERSION = 1
"""The version of the notation that this program writes."""
LONGEST_LINE = 4000
"""Characters of a line; a longer one is damaged."""


@dataclass(frozen=True, slots=True)
class Title:
    """The heading of a match.

    Attributes:
        number: Number of the match, from 1.
        names: The players, south first; empty where nobody wrote them down.
        marks: Bummerl marks before it.
    """

    number: int = 1
    names: tuple[str, str] = ("", "")
    marks: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Part:
    """Hands under one heading; without one they belong to no match."""

    title: Title | None
    hands: tuple[Record, ...]


@dataclass(frozen=True, slots=True)
class Read:
    """What was read from a file at a line.

    Attributes:
        line: Its number, from 1; of a hand the first.
        what: A match's heading, `None` where hands without one begin, a hand, or what is wrong there.
    """

    line: int
    what: Title | Record | RecordError | None


def is_notation(text: str) -> bool:
    """Whether a text begins as a file of this notation does."""
    first = next((line for line in text.splitlines() if line.partition("#")[0].strip()), "")
    return first.split()[:1] == [".hand"]


# Writing


def write(parts: Iterable[Part]) -> str:
    """Write hands, several under their heading; `read` gives the same parts again.

    Raises:
        RecordError: Something cannot be written, as a name with a bar or a line break in it.
    """
    lines = [f".hand {VERSION}"]
    rules = RuleSet()
    for number, part in enumerate(parts):
        if part.title is not None:
            lines += ["", _title_line(part.title)]
        elif number or not part.hands:
            lines += ["", "match none"]
        for record in part.hands:
            if record.rules != rules:
                rules = record.rules
                lines += ["", _rules_line(rules)]
            lines += ["", *_hand_lines(record)]
    return "\n".join(lines) + "\n"


def _title_line(title: Title) -> str:
    line = f"match {title.number}"
    if title.marks != (0, 0):
        line += f" marks {title.marks[0]} {title.marks[1]}"
    if title.names != ("", ""):
        for name in title.names:
            if name != " ".join(name.split()) or "|" in name or "#" in name:
                raise RecordError(
                    f"name {name!r:.80} cannot be written: no bar, number sign, or spare spaces"
                )
        line += f" names {title.names[0]} | {title.names[1]}"
    return line


def _rules_line(rules: RuleSet) -> str:
    changed = [
        f"{name}={value if isinstance(value, str) else json.dumps(value)}"
        for name, value in rules.to_json().items()
        if name != "preset"
    ]
    return " ".join(("rules", rules.preset, *changed))


def _hand_lines(record: Record) -> Iterator[str]:
    yield f"hand {record.dealer.name.lower()} {record.turned_up or '?'}"
    if record.hands is not None:
        for player in Player:
            yield " ".join((player.name.lower(), *(str(card) for card in record.hands[player])))
    if record.stock is not None:
        yield " ".join(("stock", *(str(card) for card in record.stock)))
    yield from lines_of(record.events, Turns(record.dealer, record.turned_up))
    if record.result is not None:
        yield _result_line(record.result)


def _result_line(result: Result) -> str:
    if not re.fullmatch(r"[a-z_]+", result.reason):
        raise RecordError(f"reason {result.reason!r:.60} cannot be written: not a word of small letters")
    winner = "nobody" if result.winner is None else result.winner.name.lower()
    south, north = (str(each).replace(" to ", "..") for each in result.card_points)
    return f"end {winner} {result.game_points} {south} {north} {result.reason}"


# Reading


def read(text: str) -> tuple[Part, ...]:
    """Read what `write` wrote, or people did.

    Raises:
        RecordError: Something is wrong; the message names the line. A newer version is refused.
    """
    parts: list[tuple[Title | None, list[Record]]] = []
    for each in read_each(text.splitlines()):
        if isinstance(each.what, RecordError):
            raise each.what
        if isinstance(each.what, Record):
            if not parts:
                parts.append((None, []))
            parts[-1][1].append(each.what)
        else:
            parts.append((each.what, []))
    return tuple(Part(title, tuple(hands)) for title, hands in parts)


def read_each(lines: Iterable[str]) -> Iterator[Read]:
    """Read headings and hands one by one; what is damaged is told with its line, and the rest is read.

    A hand with an error in it is left out as a whole. After a file of another version nothing is read.
    """
    reader = _Reader()
    for number, line in enumerate(lines, 1):
        yield from reader.line(number, line)
        if reader.refused:
            return
    yield from reader.finish()


@dataclass(slots=True)
class _Hand:
    """A hand while its lines are read."""

    line: int
    dealer: Player
    turned_up: Card | None
    dealt: dict[str, tuple[Card, ...]] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    result: Result | None = None
    error: RecordError | None = None

    def record(self, rules: RuleSet) -> Record:
        hands = None
        if "south" in self.dealt or "north" in self.dealt:
            if not {"south", "north"} <= set(self.dealt):
                raise RecordError(f"line {self.line}: only one of the two hands is given")
            hands = self.dealt["south"], self.dealt["north"]
        stock = self.dealt.get("stock")
        return Record(rules, self.dealer, self.turned_up, tuple(self.events), self.result, hands, stock)


class _Reader:
    """Line by line; keeps the rules that hold and the hand that is being read."""

    def __init__(self) -> None:
        self.refused = False
        self._begun = False
        self._rules: RuleSet | None = RuleSet()
        self._hand: _Hand | None = None

    def line(self, number: int, text: str) -> Iterator[Read]:
        """Read one line."""
        if len(text) > LONGEST_LINE:
            yield from self._damaged(number, f"{len(text)} characters are more than a line may have")
            return
        words = text.removeprefix("\ufeff").partition("#")[0].split()
        if not words:
            return
        try:
            if not self._begun:
                self._begin(words)
            elif words[0] in ("match", "rules", "hand"):
                yield from self.finish()
                yield from self._head(number, words)
            elif self._hand is None:
                raise RecordError(f"{words[0]!r:.60} before a hand has been dealt")
            elif self._hand.error is None:
                self._body(self._hand, words)
        except RecordError as error:
            yield from self._damaged(number, str(error))

    def finish(self) -> Iterator[Read]:
        """Give out the hand that was being read."""
        hand, self._hand = self._hand, None
        if hand is None:
            return
        try:
            if hand.error is not None:
                raise hand.error
            if self._rules is None:
                raise RecordError(f"line {hand.line}: the rules before this hand could not be read")
            yield Read(hand.line, hand.record(self._rules))
        except RecordError as error:
            yield Read(hand.line, error)

    def _damaged(self, number: int, why: str) -> Iterator[Read]:
        error = RecordError(f"line {number}: {why}")
        if self._hand is None:
            self.refused = not self._begun
            yield Read(number, error)
        elif self._hand.error is None:
            self._hand.error = error

    def _begin(self, words: list[str]) -> None:
        if words[0] != ".hand" or len(words) != 2:
            raise RecordError("a file of hands begins with its version, as in '.hand 1'")
        read_version(_number(words[1], "version"), VERSION)
        self._begun = True

    def _head(self, number: int, words: list[str]) -> Iterator[Read]:
        kind, *rest = words
        if kind == "rules":
            self._rules = None
            self._rules = _rules(rest)
        elif kind == "match":
            yield Read(number, None if rest == ["none"] else _title(rest))
        else:
            # a hand whose first line is damaged swallows the lines that follow it
            self._hand = _Hand(number, Player.SOUTH, None)
            if len(rest) != 2:
                raise RecordError("a hand says who dealt and what was turned up, as in 'hand south QH'")
            self._hand.dealer = _seat(rest[0])
            self._hand.turned_up = None if rest[1] == "?" else read_card(rest[1], "turned-up card")

    def _body(self, hand: _Hand, words: list[str]) -> None:
        if hand.result is not None:
            raise RecordError(f"{words[0]!r:.60} after the end of the hand")
        if words[0] in ("south", "north", "stock"):
            if words[0] in hand.dealt or hand.events:
                raise RecordError(f"{words[0]} is told twice, or after the play has begun")
            hand.dealt[words[0]] = tuple(read_card(each, words[0]) for each in words[1:])
            return
        if words[0] == "end":
            hand.result = _result(words[1:])
            return
        turns = Turns(hand.dealer, hand.turned_up, hand.events)
        label = re.fullmatch(r"(\d+)\.", words[0])
        if label is not None:
            words = words[1:]
            if not turns.between_tricks or label[1] != str(turns.tricks + 1):
                raise RecordError(
                    f"trick {label[1][:9]} is announced, but trick {turns.tricks + 1} comes here"
                )
        for word in words:
            if word == UNDO:
                if not hand.events:
                    raise RecordError("there is nothing to undo")
                hand.events.pop()
                turns = Turns(hand.dealer, hand.turned_up, hand.events)
                continue
            for event in read_word(word, turns):
                hand.events.append(event)
                turns.take(event)
            if len(hand.events) > MOST_EVENTS:
                raise RecordError(f"more than the {MOST_EVENTS} events that a hand may have")


def _seat(text: str) -> Player:
    for player in Player:
        if text == player.name.lower():
            return player
    raise RecordError(f"{text!r:.60} is neither south nor north")


def _number(text: str, what: str) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", text):
        raise RecordError(f"{what}: {text!r:.60} is not a number")
    return int(text)


def _rules(words: list[str]) -> RuleSet:
    if not words:
        raise RecordError("rules: which? as in 'rules schnapsen'")
    data: dict[str, Any] = {"preset": words[0]}
    for word in words[1:]:
        name, equals, value = word.partition("=")
        if not equals or name in data:
            raise RecordError(
                f"rules: {word!r:.60} is no option, or said twice; options look like 'tie=drawn'"
            )
        data[name] = _VALUES.get(value, value)
    try:
        return rules_from_json(data | {name: _fitting(name, data[name]) for name in data})
    except RuleSetError as error:
        raise RecordError(f"rules: {error}") from None


_VALUES: Mapping[str, bool] = {"true": True, "false": False}


def _fitting(name: str, value: object) -> object:
    """Return a value as the option has it: numbers where the option has numbers."""
    allowed = choices().get(name, ())
    return next((each for each in allowed if type(each) is int and str(each) == value), value)


def _title(words: list[str]) -> Title:
    match = re.fullmatch(
        r"(?P<number>\d{1,6})(?: marks (?P<south>\d{1,6}) (?P<north>\d{1,6}))?"
        r"(?: names (?P<one>[^|]*) ?\| ?(?P<other>[^|]*))?",
        " ".join(words),
    )
    if match is None or int(match["number"]) < 1:
        raise RecordError(
            f"match: {' '.join(words)!r:.60} is no heading, as in 'match 2 marks 1 0 names Anna | Berta'"
        )
    return Title(
        int(match["number"]),
        ((match["one"] or "").strip(), (match["other"] or "").strip()),
        (int(match["south"] or 0), int(match["north"] or 0)),
    )


def _result(words: list[str]) -> Result:
    if len(words) != 5 or not re.fullmatch(r"[a-z_]+", words[4]):
        raise RecordError(
            "an end says winner, game points, both card points and why, as in 'end south 2 71 20 claim'"
        )
    return Result(
        winner=None if words[0] == "nobody" else _seat(words[0]),
        game_points=_number(words[1], "game points"),
        card_points=(_points(words[2]), _points(words[3])),
        reason=words[4],
    )


def _points(text: str) -> PointRange:
    low, dots, high = text.partition("..")
    least = _number(low, "card points")
    most = _number(high, "card points") if dots else least
    if most < least:
        raise RecordError(f"card points: {text!r:.60} falls")
    return PointRange(least, most)
