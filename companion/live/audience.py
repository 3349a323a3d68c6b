"""What each phone may see: a snapshot is cut to its role and the match's fair play before it is sent.

Nothing that is cut here is hidden in the page: it never leaves the server. A hand that has ended shows
everything to everybody; one that was given up, or that may still be claimed after its last trick, does not.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

from companion.live.doubt import Checked
from companion.live.snapshot import ClosedStock, HandView, Question, Role, Side, Snapshot
from companion.rules.cards import Player, Suit
from companion.rules.events import Agreed, CardPlayed, Dealt, Event, GivenUp
from companion.rules.fair_play import Mode

__all__ = [
    "Sight",
    "cuts_off_claim",
    "is_open",
    "may_begin",
    "may_deal",
    "may_give_up",
    "may_take_back",
    "seen_as",
    "sight_of",
    "snapshot_for",
    "tells_cards",
]


class Sight(Enum):
    """How much of a hand that is played a phone may show."""

    ALL = "all"
    OWN = "own"
    """The table as it lies, and the points of the phone's own player."""
    LAST = "last"
    """The table as it lies, and the trick before."""
    LEAD = "lead"
    """Trumps and whose lead."""


def sight_of(mode: Mode, role: Role) -> Sight:
    """Return how much of a hand that is played a phone with `role` may show."""
    if role is Role.REFEREE or mode == "training":
        return Sight.ALL
    if mode == "own_count":
        return Sight.OWN
    if mode == "last_trick":
        return Sight.LAST
    return Sight.ALL if mode == "broadcast" and not role.presses else Sight.LEAD


def seen_as(screen: Role, device: Role, mode: Mode) -> Role:
    """Return for whom a snapshot is cut that `device` shows as `screen` would.

    In a broadcast it shows a player's own device no more than that may see anyway: with a short delay whoever
    plays would know the counts all hand. What stands in the middle, or before all, everybody sees.
    """
    tells_more = sight_of(mode, screen) is Sight.ALL and sight_of(mode, device) is not Sight.ALL
    return device if tells_more and device.seat is not None else screen


def is_open(snapshot: Snapshot) -> bool:
    """Whether nothing of the hand needs to be kept from anybody (any more)."""
    hand = snapshot.hand
    if snapshot.match.fair.mode == "training":
        return True
    if hand is None:  # one that was given up can be taken up again, until the next is dealt
        return snapshot.last is None or not isinstance(snapshot.last.event, GivenUp)
    return hand.over and not hand.given_up and not any("claim" in side.may for side in hand.sides)


def may_begin(snapshot: Snapshot, role: Role) -> bool:
    """Whether a phone with `role` may begin a match now, be its device an owner's or not.

    Where something is hidden, players do not end a match that nobody has won yet.
    """
    match = snapshot.match
    begun = match.winner is None and (snapshot.hand is not None or match.begun)
    return role.presses and (role.seat is None or not begun or sight_of(match.fair.mode, role) is Sight.ALL)


def may_give_up(snapshot: Snapshot, role: Role) -> bool:
    """Whether a phone with `role` may break off the hand that is played, if one is, for the next to be dealt.

    Where something is hidden, a player does not: whoever is about to lose a hand would.
    """
    hand = snapshot.hand
    goes_on = hand is not None and not hand.over and bool(hand.last_trick or hand.trick)
    return role.seat is None or not goes_on or sight_of(snapshot.match.fair.mode, role) is Sight.ALL


def cuts_off_claim(snapshot: Snapshot, role: Role) -> bool:
    """Whether the next hand, called on a player's phone, would take from the other what he may still claim.

    Where counts are hidden nobody sees that he has 66, and he has to count; dealt cards take it from him.
    """
    hand, seat = snapshot.hand, role.seat
    if hand is None or seat is None or sight_of(snapshot.match.fair.mode, role) is Sight.ALL:
        return False
    return hand.over and "claim" in hand.sides[seat.other].may


def may_deal(snapshot: Snapshot, role: Role) -> bool:
    """Whether a phone with `role` may call the next hand now, be its device an owner's or not."""
    return role.presses and may_give_up(snapshot, role) and not cuts_off_claim(snapshot, role)


def may_take_back(snapshot: Snapshot, role: Role) -> bool:
    """Whether a phone with `role` may undo the last event now.

    Where something is hidden that is a card which lies there, a word of its own player, or that the hand was
    given up: whoever took back one event after the other would wipe out what nobody may look at.
    """
    hand, last = snapshot.hand, snapshot.last
    if last is None or not role.presses:
        return False
    if sight_of(snapshot.match.fair.mode, role) is Sight.ALL:
        return True
    if hand is not None and is_open(snapshot):
        return not hand.over  # everything has been shown after its end
    match last.event:
        case CardPlayed():
            return hand is not None and any(laid.seq == last.seq for laid in hand.trick)
        case GivenUp():
            return True
        case Dealt() | Agreed() | None:
            return False
        case word:
            return role.seat in (None, word.player)


def snapshot_for(snapshot: Snapshot, role: Role) -> Snapshot:
    """Cut `snapshot` to what a phone with `role` may see and press."""
    sight = Sight.ALL if is_open(snapshot) else sight_of(snapshot.match.fair.mode, role)
    match, hand, last, questions = snapshot.match, snapshot.hand, snapshot.last, snapshot.questions
    if hand is None and sight_of(match.fair.mode, role) is not Sight.ALL:
        questions = tuple(each for each in questions if not tells_cards(each))  # one given up may be taken up
    if hand is not None:
        if sight is not Sight.ALL:
            before = tuple(each for each in match.hands if each.number != hand.number)
            # by who deals next a phone would know who has won
            match = replace(match, hands=before, next_dealer=None)
            questions = tuple(cut for each in questions if (cut := _question_for(each, hand)) is not None)
            last = None if last is None else replace(last, time=0.0, event=None, confidence=1.0, source="")
            hand = _hand_for(hand, sight, role.seat)
        hand = replace(hand, sides=_pressing(hand.sides, role))
    if not may_take_back(snapshot, role):
        last = None
    if not role.presses:
        questions = ()
    return replace(
        snapshot,
        match=match,
        role=role,
        hand=hand,
        last=last,
        questions=questions,
        may_begin=may_begin(snapshot, role),
        may_deal=may_deal(snapshot, role),
    )


def _hand_for(hand: HandView, sight: Sight, seat: Player | None) -> HandView:
    """Cut a hand that is played."""
    south, north = (_side_for(hand, player, sight is Sight.OWN and player is seat) for player in Player)
    cut = replace(
        hand,
        sides=(south, north),
        last_trick=hand.last_trick if sight is Sight.LAST else None,
        closed=_closed_for(hand.closed, seat if sight is Sight.OWN else None),
        award=None,
        verdict=None,
        recount=None,
        breaches=(),
        events=(),
        checked=Checked.VERIFIED,  # how sure the counts are is told with them
        asked=0,
        unseen=(),
        vouched=(),
    )
    if sight is not Sight.LEAD:
        return cut
    return replace(cut, turned_up=None, stock_left=None, stock=None, announced=None, trick=(), closed=None)


def _side_for(hand: HandView, player: Player, counted: bool) -> Side:
    """Cut a player's side; what may be pressed must not tell which cards are gone."""
    side = hand.sides[player]
    leads = hand.on_lead is player
    # it may be declared with the lead that lies there; whether that is a king is not told
    declares = leads or (len(hand.trick) == 1 and hand.trick[0].player is player)
    may = set(side.may) - {"exchange", "revoke", "show"}
    if not hand.over:
        may |= {"revoke"} | ({"exchange"} if leads and hand.stock == "open" else set())
    if counted:
        return replace(
            side,
            working=(),
            may=tuple(sorted(may)),
            marriage_suits=tuple(Suit) if declares else (),
            may_show=(),
        )
    return replace(
        side.uncounted,
        may=tuple(sorted(may)),
        marriage_suits=tuple(Suit) if declares else (),
    )


def _closed_for(closed: ClosedStock | None, seat: Player | None) -> ClosedStock | None:
    """Who closed is seen on the table; what the other had then, by that one alone."""
    if closed is None or seat is closed.player.other:
        return closed
    return ClosedStock(closed.player, None, None)


def tells_cards(question: Question) -> bool:
    """Whether the options of a question name cards: which may be, and so which have been played."""
    return any(_names_card(option) for option in question.options)


def _question_for(question: Question, hand: HandView) -> Question | None:
    """Return a question as it may be put to the players while the hand is played; `None`: not before its end.

    A card may be asked about as long as it lies on the table and both see it. Which cards it may be
    is not told: players name it from the whole pack.
    """
    if not tells_cards(question):
        return question
    if question.about in {laid.seq for laid in hand.trick}:
        return replace(question, options=(), ruled_out=(), to=None, trick=None)
    return None


def _names_card(event: Event) -> bool:
    match event:
        case Dealt(_, card) | CardPlayed(_, card):
            return card is not None
        case _:
            return hasattr(event, "suit") or hasattr(event, "cards")


def _pressing(sides: tuple[Side, Side], role: Role) -> tuple[Side, Side]:
    """Leave only what may be pressed on this phone."""
    south, north = (
        side
        if role.presses and role.seat in (None, player)
        else replace(side, may=(), marriage_suits=(), may_show=())
        for player, side in zip(Player, sides, strict=True)
    )
    return south, north
