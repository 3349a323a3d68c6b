"""Words of the text notation: events as they stand in a `.hand` file (docs/notation.md)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from companion.rules.cards import Card, Player, Suit
from companion.rules.course import taker
from companion.rules.event_form import RecordError
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

__all__ = ["UNDO", "Turns", "lines_of", "read_word"]

UNDO = "undo"
"""Withdraws the event before it."""

_CARD = r"(?:[ATKQJ9][HDCS]|\?)"
_WORD = re.compile(
    rf"(?:(?P<seat>[SN]):)?(?:(?P<led>{_CARD})(?:-(?P<answer>{_CARD}))?|marriage-(?P<suit>[HDCS])"
    rf"|show(?P<shown>(?:-[ATKQJ9][HDCS])*)|(?P<word>exchange|close-early|close|knock|claim|revoke|concede))"
)
_AGREED = re.compile(r"agreed-(?P<winner>nobody(?=-0)|(?:south|north)(?=-[123]))-(?P<points>[0-3])")
_SEATS = {"S": Player.SOUTH, "N": Player.NORTH}


class Turns:
    """Whose word it is, as the notation reckons: from the cards on the table alone.

    A word belongs to whoever leads, an answer to the other player; who leads next follows from the
    cards of a trick. Where that is not so, or not known, the word says whose it is.
    """

    def __init__(self, dealer: Player, turned_up: Card | None, events: Iterable[Event] = ()) -> None:
        self._trump = None if turned_up is None else turned_up.suit
        self._leader: Player | None = dealer.other
        self._led: CardPlayed | None = None
        self.tricks = 0
        for event in events:
            self.take(event)

    @property
    def speaker(self) -> Player | None:
        """Whose a word is that says nothing else; `None` while nobody can know."""
        return self._led.player if self._led else self._leader

    @property
    def next_to_play(self) -> Player | None:
        """Whose a card is that says nothing else."""
        return self._led.player.other if self._led else self._leader

    @property
    def between_tricks(self) -> bool:
        """Whether no card awaits an answer."""
        return self._led is None

    def take(self, event: Event) -> None:
        """Go on by one event."""
        if not isinstance(event, CardPlayed):
            return
        if self._led is None:
            self._led, self._leader = event, event.player
            return
        led, self._led = self._led, None
        self.tricks += 1
        self._leader = None
        if led.card is not None and event.card is not None:
            self._leader = taker(led.player, (led.card,), (event.card,), self._trump)


def read_word(word: str, turns: Turns) -> tuple[Event, ...]:
    """Read a word of a hand: one event, or the two plays of a trick.

    Args:
        word: As in `KS`, `KS-AS`, `N:claim`.
        turns: Where the hand stands; it is not changed.

    Raises:
        RecordError: It is none, or does not say whose it is where nobody can know.
    """
    if word == "give-up":
        return (GivenUp(),)
    agreed = _AGREED.fullmatch(word)
    if agreed is not None:
        winner = None if agreed["winner"] == "nobody" else Player[agreed["winner"].upper()]
        return (Agreed(winner, int(agreed["points"])),)
    match = _WORD.fullmatch(word)
    if match is None:
        raise RecordError(f"{word!r:.60} is no word of a hand")
    said = _SEATS.get(match["seat"] or "")
    player = said if said is not None else turns.next_to_play if match["led"] else turns.speaker
    if player is None:
        raise RecordError(f"{word!r:.60} does not say whose it is, and that is not known; write S: or N:")
    if match["led"]:
        plays = (CardPlayed(player, _card(match["led"])),)
        if match["answer"] is None:
            return plays
        if not turns.between_tricks:
            raise RecordError(f"{word!r:.60} is a whole trick, but a card lies on the table")
        return (*plays, CardPlayed(player.other, _card(match["answer"])))
    if match["suit"]:
        return (MarriageDeclared(player, Suit(match["suit"])),)
    if match["shown"] is not None:
        return (HandShown(player, tuple(Card.parse(each) for each in match["shown"].split("-")[1:])),)
    return (_plain(match["word"], player),)


def _card(text: str) -> Card | None:
    return None if text == "?" else Card.parse(text)


def _plain(word: str, player: Player) -> Event:
    match word:
        case "exchange":
            return Exchanged(player)
        case "close":
            return Closed(player)
        case "close-early":
            return Closed(player, before_draw=True)
        case "knock":
            return Knocked(player)
        case "revoke":
            return RevokeCalled(player)
        case "concede":
            return Conceded(player)
        case _:
            return Claimed(player)


def lines_of(events: Iterable[Event], turns: Turns) -> Iterator[str]:
    """Write events, a trick a line, numbered; `turns` goes on with them."""
    words: list[str] = []
    label = ""
    for event in events:
        answers = isinstance(event, CardPlayed) and not turns.between_tricks
        if isinstance(event, CardPlayed) and not answers:
            label = f"{turns.tricks + 1}. "
        text = _written(event, turns)
        if answers and ":" not in text and words and _leads(words[-1]):
            words[-1] += f"-{text}"
        else:
            words.append(text)
        turns.take(event)
        if answers:
            yield label + " ".join(words)
            words, label = [], ""
    if words:
        yield label + " ".join(words)


def _leads(word: str) -> bool:
    return re.fullmatch(rf"(?:[SN]:)?{_CARD}", word) is not None


def _written(event: Event, turns: Turns) -> str:
    """Return the word for an event, with its seat where that is not expected."""
    match event:
        case GivenUp():
            return "give-up"
        case Agreed(winner, game_points):
            return f"agreed-{'nobody' if winner is None else winner.name.lower()}-{game_points}"
        case Dealt():
            raise RecordError("a deal is no word of a hand")
        case CardPlayed():
            expected, word = turns.next_to_play, "?" if event.card is None else str(event.card)
        case Exchanged():
            expected, word = turns.speaker, "exchange"
        case MarriageDeclared():
            expected, word = turns.speaker, f"marriage-{event.suit.letter}"
        case Closed():
            expected, word = turns.speaker, "close-early" if event.before_draw else "close"
        case Knocked():
            expected, word = turns.speaker, "knock"
        case Claimed():
            expected, word = turns.speaker, "claim"
        case RevokeCalled():
            expected, word = turns.speaker, "revoke"
        case Conceded():
            expected, word = turns.speaker, "concede"
        case HandShown():
            expected, word = turns.speaker, "-".join(("show", *(str(card) for card in event.cards)))
    return word if event.player is expected else f"{'SN'[event.player]}:{word}"
