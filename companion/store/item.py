"""What stands in the log: the decoder's entries, and the frame around them.

`Settled`, `Retracted`, `Asked` and `Unseen` come from the table or the phones and carry their own
rising `seq`. The frame says when the companion was started and which match is played.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from companion.rules.cards import Player
from companion.rules.events import Event
from companion.rules.fair_play import TRAINING, FairPlay
from companion.rules.points import Award
from companion.rules.ruleset import RuleSet
from companion.table.entry import Entry

__all__ = ["Answered", "Corrected", "Item", "Logged", "MatchStarted", "Pressed", "SittingOpened", "Vouched"]


@dataclass(frozen=True, slots=True)
class SittingOpened:
    """The companion was started; written again where the wall clock of the machine was set since.

    Attributes:
        at: Date and time of the wall clock, ISO 8601 with zone.
        source: What it looks at: a camera, a file, or `none`.
        version: Version of the companion.
        starts: Seconds on the log's clock at that time. Times rise through the whole log:
            the clock goes on where the sitting before ended, and as much later as nobody looked.
    """

    at: str
    source: str
    version: str
    starts: float = 0.0


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """A new match: both players start at the target again.

    Attributes:
        at: Date and time of the wall clock, ISO 8601 with zone.
        rules: Under which rules; they hold for the whole match.
        names: South's and north's name; empty where not given.
        dealer: Who deals first, where it was said or follows from the match before.
        marks: Bummerl marks of south and north that stand from earlier matches.
        number: Number of the match, from 1.
        wins: Matches of the series that each has won before; `None`: as the marks say.
        series: Series that each has won before.
        fair: What phones may tell the players while a hand is played.
        awards: What hands paid in it before, where it goes on under another agreement.
        hands: How many hands were dealt in it before.
    """

    at: str
    rules: RuleSet
    names: tuple[str, str] = ("", "")
    dealer: Player | None = None
    marks: tuple[int, int] = (0, 0)
    number: int = 1
    wins: tuple[int, int] | None = None
    series: tuple[int, int] = (0, 0)
    fair: FairPlay = TRAINING
    awards: tuple[Award, ...] = ()
    hands: int = 0


@dataclass(frozen=True, slots=True)
class Answered:
    """A player answered a question; what follows from it are entries of their own.

    Attributes:
        time: Seconds on the log's clock.
        question: `seq` of the question.
        option: Which of its options, from 0.
        source: Who answered: `phone:south`, `phone:north`, `phone:table`, `phone:referee`.
    """

    time: float
    question: int
    option: int
    source: str


@dataclass(frozen=True, slots=True)
class Vouched:
    """Somebody at the table says that nothing is missing of what nobody saw.

    Attributes:
        time: Seconds on the log's clock.
        gaps: `seq` of each `Unseen` that this is said of.
        source: Who says so: `phone:south`, `phone:north`, `phone:table`, `phone:referee`.
    """

    time: float
    gaps: tuple[int, ...]
    source: str


@dataclass(frozen=True, slots=True)
class Pressed:
    """A player told the table an event: a word of the game, a new deal, a card's name.

    It is written down when it is pressed. What the decoder makes of it follows as an entry of its
    own, at once or when the cards that it belongs to have settled; until then it is pending.

    Attributes:
        time: Seconds on the log's clock.
        event: What was told; a deal without its card means that the deal is awaited.
        source: Who told: `phone:south`, `phone:north`, `phone:table`, `phone:referee`.
    """

    time: float
    event: Event
    source: str


@dataclass(frozen=True, slots=True)
class Corrected:
    """Somebody changed the record; the entries that do so follow, written together with this.

    Attributes:
        at: Date and time of the wall clock, ISO 8601 with zone.
        time: Seconds on the log's clock.
        source: Who changed it: `phone:south`, `phone:north`, `phone:table`, `phone:referee`.
        first: `seq` of the first entry that belongs to it.
        last: `seq` of the last one.
        old: `seq` of the entry that was changed; `None`: the event had been missed.
        new: `seq` of the entry that stands for it; `None`: it did not happen.
        was: What stood before.
        now: What stands since.
        answers: `seq` of the question that was answered by it.
        undone: Whether the last event was only taken back: what is told instead is told by whoever sees it.
        renamed: South's and north's name since, where a name was corrected: then it is about no event, and no
            entry belongs to it (`last` is before `first`).
    """

    at: str
    time: float
    source: str
    first: int
    last: int
    old: int | None
    new: int | None
    was: Event | None
    now: Event | None
    answers: int | None = None
    undone: bool = False
    renamed: tuple[str, str] | None = None


T = TypeVar("T")
Item = Entry | SittingOpened | MatchStarted | Pressed | Answered | Corrected | Vouched


@dataclass(frozen=True, slots=True)
class Logged(Generic[T]):
    """An item with its place in the log.

    Attributes:
        position: 1, 2, 3 ... without gaps.
        item: What happened.
    """

    position: int
    item: T
