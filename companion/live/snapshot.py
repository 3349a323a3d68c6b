"""What a phone shows at one moment, frozen: the whole of it, made from the fold of the log.

Nothing is left to be worked out on the phone, and what a phone may not see is cut by
`companion.live.audience` before it is sent.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from companion.live.doubt import Checked
from companion.live.health import Health
from companion.live.recount import Recount
from companion.live.unannounced import Unannounced
from companion.rules.breach import NotedBreach
from companion.rules.cards import Card, Player, Suit
from companion.rules.claim import Verdict
from companion.rules.event_form import event_to_json
from companion.rules.events import Event
from companion.rules.fair_play import TRAINING, FairPlay
from companion.rules.points import Award, PointRange

__all__ = [
    "ClosedStock",
    "HandResult",
    "HandView",
    "LaidCard",
    "LastTrick",
    "MatchView",
    "Question",
    "Role",
    "RulesView",
    "SeriesView",
    "Side",
    "Snapshot",
    "Told",
    "VerdictView",
]


class Role(Enum):
    """Who looks at a paired phone, and so what it may show and press."""

    SOUTH = "south"
    NORTH = "north"
    TABLE = "table"
    """The one phone in the middle: both players look at it and press on it."""
    REFEREE = "referee"
    """Plays not; sees all in every mode, and presses for both players."""
    SPECTATOR = "spectator"
    """Looks on, and is offered nothing to press."""
    BOARD = "board"
    """A screen on the wall or in a video picture; looks on, too."""

    @property
    def seat(self) -> Player | None:
        """Whose phone it is; `None` where it is not one player's own."""
        return {Role.SOUTH: Player.SOUTH, Role.NORTH: Player.NORTH}.get(self)

    @property
    def presses(self) -> bool:
        """Whether anything may be pressed on it."""
        return self not in (Role.SPECTATOR, Role.BOARD)


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card of the trick on the table; `card` is `None` while nobody has named it."""

    player: Player
    card: Card | None
    seq: int
    confidence: float


@dataclass(frozen=True, slots=True)
class LastTrick:
    """The trick before; `winner` is `None` while nobody can know."""

    leader: Player
    led: Card | None
    followed: Card | None
    winner: Player | None


@dataclass(frozen=True, slots=True)
class Side:
    """One player's count; what a phone may not see of it is `None` or empty.

    Attributes:
        tricks: Tricks known to be won.
        cards: Points of won cards.
        marriages: Points of counted marriages.
        pending: Points of marriages that wait for a trick.
        bonus: Points for the last trick, where the rules give any.
        total: All that counts now.
        working: The sum behind the lower bound of `total`, a line each.
        may: What the player may press now: `claim`, `close`, `close_early`, `exchange`, `knock`,
            `revoke`, `show`.
        marriage_suits: Suits of the marriages that may be declared now.
        left: How many cards the player still holds and has not shown.
        may_show: Cards that these may be, once they may be shown.
    """

    tricks: int | None
    cards: PointRange | None
    marriages: PointRange | None
    pending: PointRange | None
    bonus: PointRange | None
    total: PointRange | None
    working: tuple[str, ...]
    may: tuple[str, ...]
    marriage_suits: tuple[Suit, ...]
    left: int | None
    may_show: tuple[Card, ...]

    @property
    def uncounted(self) -> Side:
        """The side without what was counted, and without what is left."""
        return replace(
            self,
            tricks=None,
            cards=None,
            marriages=None,
            pending=None,
            bonus=None,
            total=None,
            working=(),
            left=None,
            may_show=(),
        )


@dataclass(frozen=True, slots=True)
class ClosedStock:
    """Who closed the stock, and what the other player had at that moment, where that may be seen."""

    player: Player
    points: PointRange | None
    has_trick: bool | None


@dataclass(frozen=True, slots=True)
class VerdictView:
    """A claim and its judgement.

    Attributes:
        player: Who claimed.
        verdict: What stands whatever is answered.
        depends_on: Numbers of the open questions whose answers decide.
        unannounced: Marriages that nobody showed, with each of which a refuted claim would be right.
    """

    player: Player
    verdict: Verdict
    depends_on: tuple[int, ...] = ()
    unannounced: tuple[Unannounced, ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """An event of the hand as it stands in the log.

    Attributes:
        seq: Number of its entry.
        time: Seconds on the log's clock.
        event: What happened; `None` where the phone may not see it.
        confidence: 0 to 1.
        source: Who said so: `camera`, `phone:south`, `phone:north`, `phone:table`, `phone:referee`.
        corrected: Whether it replaces something that was withdrawn.
        unfit: Whether the rules take it for impossible at its place; it has no effect then.
    """

    seq: int
    time: float
    event: Event | None
    confidence: float
    source: str
    corrected: bool = False
    unfit: bool = False


@dataclass(frozen=True, slots=True)
class HandView:
    """The hand that is played, or the last one until the next is dealt.

    Attributes:
        number: From 1 within the match.
        dealer: Who dealt.
        trump: The trump suit; `None` while nobody has seen the turned-up card.
        turned_up: The card face up under the stock; `None` once drawn or closed, or not seen yet.
        stock_left: Cards in the stock, the turned-up one among them; `None` where not to be seen.
        stock: `open`, `closed` or `exhausted`; `None` where not to be seen.
        on_lead: Who must lead; `None` with a card on the table, after the end, or not known.
        to_play: Who must play the next card.
        announced: Suit of the marriage that goes with the current lead.
        trick: Cards on the table, first the one led.
        last_trick: The trick before.
        sides: South's and north's counts.
        closed: The moment of closing.
        over: Whether the play has ended.
        given_up: Whether it ended without a result.
        award: What the hand pays; `None` while it goes on, or while what was seen does not decide, or
            an open question may change it.
        verdict: The claim that ended the hand.
        breaches: Broken rules, in the order in which they became known.
        events: What happened, in order.
        checked: `verified`, `answered` (all that was asked) or `open`.
        asked: How many questions were asked about it.
        recount: That the sum behind `verdict` is counted again by hand, or was.
        unseen: When the table was in sight again, for how many seconds nobody had seen it (`None`: nobody had
            looked before), and the number of that entry.
        vouched: The same of the times of which somebody has said that nothing is missing.
    """

    number: int
    dealer: Player
    trump: Suit | None
    turned_up: Card | None
    stock_left: int | None
    stock: str | None
    on_lead: Player | None
    to_play: Player | None
    announced: Suit | None
    trick: tuple[LaidCard, ...]
    last_trick: LastTrick | None
    sides: tuple[Side, Side]
    closed: ClosedStock | None
    over: bool
    given_up: bool
    award: Award | None
    verdict: VerdictView | None
    breaches: tuple[NotedBreach, ...]
    events: tuple[Told, ...]
    checked: Checked = Checked.VERIFIED
    asked: int = 0
    recount: Recount | None = None
    unseen: tuple[tuple[float, int | None, int], ...] = ()
    vouched: tuple[tuple[float, int | None, int], ...] = ()


@dataclass(frozen=True, slots=True)
class HandResult:
    """A hand of the match that is not played any more; `checked` and `asked` as in `HandView`.

    What ties before have paid its winner on top of its award is `carried`; without an award it was given up,
    or is not decided.
    """

    number: int
    dealer: Player
    award: Award | None
    checked: Checked = Checked.VERIFIED
    asked: int = 0
    carried: int = 0
    given_up: bool = False


@dataclass(frozen=True, slots=True)
class RulesView:
    """What a phone needs to know of the house rules.

    Attributes:
        preset: Name of the preset.
        modifiers: Names of the modifiers on top of it.
        more: How many other options differ from both.
        deck: Cards of the pack, 20 or 24.
        knock: Whether knocking is played.
        close_before_draw: Whether the stock may be closed before drawing.
        counts_itself: Whether hands end by arithmetic, without a word.
        claims_between: Whether either player may claim between tricks.
        revoke_award: What a revoke that is called costs; see `RuleSet`.
    """

    preset: str
    modifiers: tuple[str, ...]
    more: int
    deck: int
    knock: bool
    close_before_draw: bool
    counts_itself: bool
    claims_between: bool
    revoke_award: str


@dataclass(frozen=True, slots=True)
class SeriesView:
    """A series of matches.

    Attributes:
        kind: `best_of_3` or `first_to_n_marks`.
        goal: Matches that win it, or marks that lose it.
        wins: Matches that south and north have won in it, this one included once it is won.
        won: Series that south and north have won, this one included once it is decided.
        winner: Who has won this one.
    """

    kind: str
    goal: int
    wins: tuple[int, int]
    won: tuple[int, int]
    winner: Player | None


@dataclass(frozen=True, slots=True)
class MatchView:
    """The match.

    Attributes:
        number: From 1, since the names were given.
        names: South's and north's name; empty where not given.
        points: What south and north still need, or have, as the rules count.
        target: Game points that win the match.
        counts_down: Whether `points` fall towards 0.
        marks: Bummerl marks of south and north.
        winner: Who won the match.
        charged: Marks that it charges its loser; 0 while it goes on.
        next_dealer: Who deals the next hand; `None` while that is not known.
        hands: All but the one that is played, in order; one may lack an end, since a correction took it away.
        rules: The house rules.
        carry: What the next decided hand pays on top, after a tie.
        series: The series that the match belongs to; `None` where match follows match.
        fair: What phones may tell the players while a hand is played.
        changes: How often somebody has changed what is written of it, or vouched for what nobody saw.
        begun: Whether a hand has been dealt in it, or it has points.
    """

    number: int
    names: tuple[str, str]
    points: tuple[int, int]
    target: int
    counts_down: bool
    marks: tuple[int, int]
    winner: Player | None
    charged: int
    next_dealer: Player | None
    hands: tuple[HandResult, ...]
    rules: RulesView
    carry: int
    series: SeriesView | None
    fair: FairPlay = TRAINING
    changes: int = 0
    begun: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """A question for the table; see `companion.table.entry.Asked`.

    Without `options` the phone offers the whole pack: what was possible would tell what has been played.

    Attributes:
        seq: Its number.
        text: As in `Asked`.
        about: Number of the entry that an answer would change; `None`: it is not written yet.
        options: Possible answers, likeliest first.
        ruled_out: Places of those among them that the rest of the record does not allow as it stands.
        pictured: Whether something on the table showed it, of which a picture may have been kept.
        to: The lead that a play asked about answers; `None`: a lead is asked about, or no play.
        hand: Number of the hand it is about, as the match counts them; `None`: one of an earlier match.
        trick: Number of the trick in which the play lies that is asked about; `None`: no play, or not told.
    """

    seq: int
    text: str
    about: int | None
    options: tuple[Event, ...]
    ruled_out: tuple[int, ...] = ()
    pictured: bool = False
    to: Card | None = None
    hand: int | None = None
    trick: int | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that phones show.

    Attributes:
        revision: Differs between any two snapshots that differ, over restarts too.
        match: The match.
        hand: The current hand, or the last one until the next is called; `None` while a deal is awaited.
        last: What an undo would withdraw.
        questions: Open questions, oldest first.
        health: The table's eyes and memory.
        role: For whom it is cut.
        sheets: Entries on all score sheets; a phone that shows one asks for it anew when this rises.
        may_begin: Whether a match may be begun on it now; on an owner's device it always may.
        may_deal: Whether the next hand may be called on it now; on an owner's device one that is played may
            always be broken off.
        table: What the table is called among others; empty where it is the only one.
    """

    revision: str
    match: MatchView
    hand: HandView | None
    last: Told | None
    questions: tuple[Question, ...]
    health: Health
    role: Role = Role.REFEREE
    sheets: int = 0
    may_begin: bool = True
    may_deal: bool = True
    table: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return this as JSON: cards `KH`, suits `H`, players 0 and 1, point ranges `[low, high]`."""
        return {field.name: _plain(getattr(self, field.name)) for field in dataclasses.fields(self)}


def _plain(value: object) -> object:
    """Return frozen data as what `json.dumps` takes."""
    match value:
        case None | bool() | float() | str():
            return value
        case Enum() if not isinstance(value, int):
            return value.value
        case int():
            return int(value)
        case Card():
            return str(value)
        case PointRange(low, high):
            return [low, high]
        case tuple() | frozenset() | list():
            return [_plain(each) for each in value]
        case Mapping():
            return {key: _plain(each) for key, each in value.items()}
        case _ if isinstance(value, Event):
            return event_to_json(value)
        case _ if dataclasses.is_dataclass(value):
            return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    raise TypeError(f"{type(value).__name__} has no JSON form")
