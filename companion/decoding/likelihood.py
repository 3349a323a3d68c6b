"""How likely the pieces of a story are, in nats (natural logarithms of probabilities).

The table's habits are priors; they are rough on purpose, since what a card is and who brought it
come from the tracks. A prior only has to be right about what is usual and what is rare.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from companion.rules.cards import PACK_24, Card, Player
from companion.table.detection import BACK, UNKNOWN
from companion.table.observation import Observation, Phase

__all__ = [
    "CLEAR",
    "LOG_AFTER_LEAD",
    "LOG_AFTER_TRICK",
    "LOG_ALONE",
    "LOG_AMONG_OTHERS",
    "LOG_ASIDE_LIES",
    "LOG_AT_TURN_UP",
    "LOG_BESIDE_LEAD",
    "LOG_BOTH_BACK",
    "LOG_BOTH_LIE",
    "LOG_BREACH",
    "LOG_BUTTON_IDLE",
    "LOG_CAME_BACK",
    "LOG_CARRIED_BY",
    "LOG_CLAIM_UNHEARD",
    "LOG_CLOSED",
    "LOG_COUNTED",
    "LOG_DRAWN_THOUGH_CLOSED",
    "LOG_DRAWN_UNANSWERED",
    "LOG_EXCHANGED",
    "LOG_FALLEN",
    "LOG_GATHERED_UNANSWERED",
    "LOG_GLIMPSED",
    "LOG_HAND_SHOWN",
    "LOG_KEPT_LIES",
    "LOG_LAID_AGAIN",
    "LOG_LAID_ASIDE",
    "LOG_LAST_SHOWN",
    "LOG_LED_UNDER_ARM",
    "LOG_LED_UNDER_OTHER",
    "LOG_LEFT_BEHIND",
    "LOG_LOOKED_AT",
    "LOG_LOOKED_BACK",
    "LOG_LOOKED_THROUGH",
    "LOG_MARKED",
    "LOG_MARRIAGE",
    "LOG_MARRIAGE_BENEATH",
    "LOG_MARRIAGE_HELD",
    "LOG_MARRIAGE_IN_DARK",
    "LOG_MARRIAGE_UNDER_ARM",
    "LOG_MISSED_AGAIN",
    "LOG_MISSED_IN_DARK",
    "LOG_MISSED_PLAY",
    "LOG_MORE_SHOWN",
    "LOG_MOVED",
    "LOG_NOT_DRAWN",
    "LOG_NOT_OFFERED",
    "LOG_NOT_SHOWN",
    "LOG_ON_STOCK",
    "LOG_OTHER_HAND",
    "LOG_OUT",
    "LOG_OUTSIDE_HAND",
    "LOG_PICTURED",
    "LOG_PILE_OF_LOSER",
    "LOG_PILE_TURNED",
    "LOG_PLAYED_ON_STOCK",
    "LOG_READ_ALIKE",
    "LOG_SEEN_TWICE",
    "LOG_SHOWN_APART",
    "LOG_SHOWN_BRIEFLY",
    "LOG_STOCK_LEFT",
    "LOG_STUCK_TOGETHER",
    "LOG_TAKEN_BACK",
    "LOG_TAKEN_UP",
    "LOG_THING_FOR_TURN_UP",
    "LOG_TOO_QUICK",
    "LOG_TRICK_BACK",
    "LOG_TRICK_IN_DARK",
    "LOG_TRICK_IN_LONG_DARK",
    "LOG_TRICK_LIES_ON",
    "LOG_TURNED_OVER",
    "LOG_TURN_UP_ABSENT",
    "LOG_UNDECLARED",
    "LOG_UNMOVED",
    "LOG_UNREAD",
    "PUSHED_S",
    "SHOWN_S",
    "Sight",
    "reading",
    "side",
]

LOG_BREACH = -4.0
"""A rule is broken about once in fifty plays."""
LOG_UNREAD = -5.5
"""A card read wrong, or not at all, for as long as it lay."""
LOG_MARRIAGE = -0.5
"""Whoever lays king and queen of a suit together on lead declares them."""
LOG_BUTTON_IDLE = -8.0
"""An announcement button laid beside a card that announces nothing."""
LOG_EXCHANGED = -0.7
"""Whoever leads and holds the lowest trump exchanges it about every other time."""
LOG_CLOSED = -2.0
"""The stock is closed before one lead in seven."""
LOG_ON_STOCK = -3.0
"""The turn-up lies face up on the stock, and that does not close it."""
LOG_AFTER_LEAD = -1.5
"""Whoever leads closes or exchanges when the lead lies there already, unanswered: it was meant with it."""
LOG_AFTER_TRICK = -2.0
"""Whoever has won a trick exchanges before it is gathered, while an arm rests at the turn-up."""
LOG_MOVED = -1.0
"""A card seen under a new track beside its old place, pushed or picked up again."""
PUSHED_S = 1.0
"""A card that is pushed a little, or turned, lies still again after this time."""
LOG_TAKEN_UP = -4.0
"""A card seen again beside its old place after longer than a push takes: taken up, and laid down again."""
LOG_LOOKED_BACK = -5.0
"""A card of the last trick lies open again: somebody looks at it once more."""
LOG_LAID_AGAIN = -6.0
"""A card of a gathered trick laid on the table again; whoever looks back at a trick turns up both."""
LOG_PILE_TURNED = -2.0
"""A card of a gathered trick lies open while the pile of whoever won it is not seen: it is counted."""
LOG_MARKED = -2.0
"""A card of a marriage left open in the pile of the trick that it won, so that nobody forgets it."""
LOG_SEEN_TWICE = -6.0
"""Two tracks of one card while both still seem to lie there."""
LOG_PICTURED = -3.0
"""A card that lies there, seen a second time: the page on a phone shows it."""
LOG_LOOKED_AT = -4.0
"""The card that was turned down when the stock was closed, turned up there to see what is trump."""
LOG_CAME_BACK = -5.0
"""The turn-up face up again after the stock was closed."""
LOG_TAKEN_BACK = -4.0
"""A card taken back, and another put in its place."""
LOG_FALLEN = -5.0
"""A card that falls from a hand, face up, and is taken back."""
LOG_STUCK_TOGETHER = -4.0
"""A card that came along with the lead, and is taken back: the two stuck together."""
LOG_NOT_SHOWN = -2.0
"""... where it came along with a king or queen that may be declared: the other one is shown then."""
LOG_TRICK_BACK = -7.0
"""Both cards of a trick are taken back by who played them, and others are played."""
LOG_OTHER_HAND = -2.0
"""While a player takes a card back and thinks of another, the other one reaches in."""
LOG_SHOWN_APART = -5.0
"""Of a marriage one card had been taken back when the other was laid."""
LOG_SHOWN_BRIEFLY = -2.0
"""The card of a marriage that is taken back was hardly seen lying there."""
SHOWN_S = 0.4
"""Whoever shows king and queen lets them lie for longer than this."""
LOG_READ_ALIKE = -3.0
"""A card that is misread is taken for just the one that was taken back from there."""
LOG_MISSED_PLAY = -6.0
"""A card played and gathered that no frame showed."""
LOG_MISSED_AGAIN = -4.0
"""One more in the same hand: who takes tricks so, or sits so, that an answer is hidden, does it again."""
LOG_GLIMPSED = -1.0
"""A card that was seen while it was carried to the trick, and never lying still, is the answer."""
LOG_LAID_ASIDE = -1.0
"""The turn-up is drawn out and laid down elsewhere, before the lowest trump lies in its place."""
LOG_ASIDE_LIES = -6.0
"""A lead while the turn-up lies there that was drawn out to be exchanged: its player takes it up before."""
LOG_CARRIED_BY = -2.0
"""A card that was seen while it was carried, and that whoever has to answer may hold, is no answer: it was
carried past, or lies as another track."""
LOG_MISSED_IN_DARK = -2.0
"""A card played and gathered while nobody saw the table: the lead lay there before, and has gone since."""
LOG_MARRIAGE_IN_DARK = -2.5
"""A marriage shown and taken back while nobody saw the table, before the king or queen that was led then."""
LOG_MARRIAGE_HELD = -1.0
"""The same while a hand stayed at the king or queen that it led: it may have shown the other to one only."""
LOG_MARRIAGE_BENEATH = -2.5
"""The same where a hand came back to the king or queen that it led: the other may have lain under that."""
LOG_MARRIAGE_UNDER_ARM = -1.0
"""The same under an arm of the other player, which hid the king or queen that was led as well."""
LOG_TRICK_IN_DARK = -5.5
"""A whole trick played and gathered in the shortest time for which nobody saw the table."""
LOG_TRICK_IN_LONG_DARK = -1.5
"""A whole trick played and gathered where nobody saw the table for as long as a trick takes."""
LOG_GATHERED_UNANSWERED = -3.5
"""The lead disappeared before it was answered."""
LOG_TRICK_LIES_ON = -3.5
"""A lead while the trick before still lies on the table."""
LOG_LEFT_BEHIND = -7.0
"""A lead while one card of the trick before still lies on the table, and the other has gone."""
LOG_LED_UNDER_ARM = -2.0
"""Whoever leads leaves the arm on the card until it is answered."""
LOG_LED_UNDER_OTHER = -4.0
"""A card is led under an arm of the other player, who answers before that leaves."""
LOG_ALONE = -3.0
"""One card of a trick disappears while the other stays."""
OUTLASTS_S = 0.5
"""Two cards that are gathered go within this time."""
LOG_KEPT_LIES = -6.0
"""The led card of a marriage disappears and the one that was only shown stays."""
LOG_BOTH_LIE = -1.5
"""Both cards of a marriage lie there still when it is answered: many take the other up with the trick."""
LOG_BOTH_BACK = -3.0
"""Both cards of a marriage are taken back before one is led."""
LOG_TOO_QUICK = -5.0
"""The answer came down in the same moment as the lead."""
LOG_OUTSIDE_HAND = -1.5
"""A face shown after the hand ended, or before a claim was heard."""
LOG_UNDECLARED = -2.0
"""King and queen of a suit laid by who may declare them, and no marriage: alone right before a claim, or one
taken back and the other led."""
LOG_AMONG_OTHERS = -1.5
"""A marriage shown while the other cards of the hand are laid open, too."""
LOG_HAND_SHOWN = -5.0
"""Cards laid side by side by whoever may lead, before a claim was heard: a hand that is laid open."""
LOG_TURNED_OVER = -2.0
"""What is left of the stock is turned over, to see what would have come, before a claim was heard."""
LOG_PLAYED_ON_STOCK = -4.0
"""A card is played just where the stock lies."""
LOG_LAST_SHOWN = -1.0
"""What seemed to be led, and was the last card of a hand, laid open with a claim."""
LOG_COUNTED = -5.0
"""A card of a gathered trick turned up where the hand has ended, to be counted."""
LOG_LOOKED_THROUGH = -7.0
"""Cards of gathered tricks turned up and put back, all in all, and the hand goes on."""
LOG_OUT = 2.0
"""What that costs less where its player has 66 for certain."""
LOG_MORE_SHOWN = -0.5
"""One more card beside them, or of the won tricks."""
LOG_AT_TURN_UP = -5.0
"""A card played where the turn-up lies, and covering half of its place."""
LOG_BESIDE_LEAD = -2.0
"""The other card of a marriage shown there, beside a lead that lies near it."""
LOG_PILE_OF_LOSER = -1.5
"""A pile grew on the side of the player who lost the trick, and not on that of who won it."""
LOG_NOT_DRAWN = -3.0
"""The stock is open, and lay untouched and in sight from one trick to the next lead."""
LOG_DRAWN_THOUGH_CLOSED = -3.0
"""The stock is closed, and hands of both players came to it between two tricks."""
LOG_DRAWN_UNANSWERED = -6.0
"""A card answers a lead that had gone, and hands of both players came to the stock meanwhile."""
LOG_TURN_UP_ABSENT = -4.0
"""The turn-up not seen for another half second although it should lie there in clear view.

In the rendered hands of docs/models.md that never happened while the stock was open. What stands in
front of it hides it for longer than that, so the whole of it is bounded."""
LOG_THING_FOR_TURN_UP = -5.0
"""Where the turn-up lay lies what looks like a card and is none, and the turn-up has gone."""
LOG_STOCK_LEFT = -3.0
"""Cards lie face down where the stock lay, without its turn-up, after all of it was drawn."""
LOG_UNMOVED = -6.0
"""A card that was laid where nothing was seen to move."""
LOG_NOT_OFFERED = -4.0
"""A word that breaks a rule, besides what the breach costs: phones do not offer it, so a card was misread."""
LOG_CLAIM_UNHEARD = -1.0
"""A player who has 66 said so, and the phone was not told."""

PHANTOM = -2.0
PHANTOM_PER_S = -4.0
LONGEST_PHANTOM_S = 2.0
NOT_ONE_CARD = -2.5
"""A thing that is no card of the hand is read as one card this much less surely than a card is."""
CLEAR, UNCLEAR = -0.3, -0.6
"""Mean log-probability of a frame's answer: nearly all cards are read more clearly than the one, hardly any
less clearly than the other."""
LOG_UNCLEAR = 0.0
"""What is read less clearly still is as likely a thing, a corner of a score sheet under an arm, however long
it lies."""
MOST_SIDE = 0.01


@dataclass(frozen=True, slots=True)
class Sight:
    """What is known of one track by now; later views replace it.

    Attributes:
        log_p: 26 log-probabilities in the order of `CLASSES`.
        still_since: Time at which it first came to rest, seconds.
        lay_s: How long it lay, as far as seen.
        phase: See `Phase`.
        from_south: Probability that it was brought from the south.
        came: Whether something moved where it appeared.
        clarity: Mean log-probability of what each frame took it for, nats.
        upon: Tracks that it was laid upon so that nothing of them is seen.
        best: Index of the likeliest class.
        noise: Log-likelihood of a track that is no card of the hand.
    """

    log_p: tuple[float, ...]
    still_since: float
    lay_s: float
    phase: Phase
    from_south: float
    came: bool = True
    clarity: float = 0.0
    upon: tuple[int, ...] = ()
    best: int = field(init=False, compare=False)
    noise: float = field(init=False, compare=False)

    def __post_init__(self) -> None:
        """Work out once what every weighing of stories asks for."""
        object.__setattr__(self, "best", self.log_p.index(max(self.log_p)))
        object.__setattr__(self, "noise", _noise(self))

    @classmethod
    def of(cls, seen: Observation, still_since: float, upon: tuple[int, ...] = ()) -> Sight:
        """Read an observation that has lain still since `still_since`, upon others or on the table."""
        log_p = tuple(seen.log_probs.tolist())
        lay_s = max(0.0, seen.last_seen - still_since)
        return cls(log_p, still_since, lay_s, seen.phase, seen.from_south, seen.came, seen.clarity, upon)

    @property
    def last_seen(self) -> float:
        """Time of the last detection, seconds."""
        return self.still_since + self.lay_s

    @property
    def is_back(self) -> bool:
        """Whether it lies face down, as far as seen."""
        return self.best == BACK

    @property
    def surest_face(self) -> float:
        """Log-probability of the likeliest face."""
        return max(self.log_p[:BACK])

    def cards(self, most: int, within: float) -> tuple[Card, ...]:
        """Return the likeliest cards, at most `most`, at most `within` nats below the best."""
        order = sorted(range(BACK), key=lambda index: (-self.log_p[index], index))[:most]
        top = self.log_p[order[0]]
        return tuple(PACK_24[index] for index in order if self.log_p[index] >= top - within)

    @property
    def lies(self) -> bool:
        """Whether it is seen lying still now."""
        return self.phase is Phase.STILL

    def outlasted(self, other: Sight) -> bool:
        """Whether it was seen there for longer than another, so that the two were not gathered together."""
        return self.last_seen > other.last_seen + OUTLASTS_S

    def away_s(self, time: float) -> float:
        """How long it has not been seen at a time, seconds; 0 while it lies there."""
        return 0.0 if self.lies else max(0.0, time - self.last_seen)


def reading(sight: Sight, index: int) -> float:
    """Log-likelihood of a track that is the card with this index; negative index: a card misread."""
    return LOG_UNREAD if index < 0 else sight.log_p[index]


def _noise(sight: Sight) -> float:
    if sight.best in (BACK, UNKNOWN):
        return max(sight.log_p[BACK], sight.log_p[UNKNOWN])
    lasting = PHANTOM_PER_S * min(sight.lay_s, LONGEST_PHANTOM_S) if sight.came else 0.0
    unclear = min(1.0, max(0.0, (CLEAR - sight.clarity) / (CLEAR - UNCLEAR)))
    brief = lasting + max(NOT_ONE_CARD, sight.log_p[UNKNOWN])
    # a thing may lie there all evening, if it looks like one
    clear = PHANTOM + max(brief, sight.log_p[UNKNOWN])
    return (1.0 - unclear) * clear + unclear * LOG_UNCLEAR


def side(from_south: float, player: Player) -> float:
    """Log-likelihood that a card came from where it seemed to if `player` brought it."""
    p = from_south if player is Player.SOUTH else 1.0 - from_south
    return math.log(min(1.0 - MOST_SIDE, max(MOST_SIDE, p)))
