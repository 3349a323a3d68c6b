"""From where the match stands to what a phone shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.live.answering import ruled_out
from companion.live.doubt import count_over
from companion.live.hand import HandFold
from companion.live.health import Health
from companion.live.naming import names_of
from companion.live.recount import Recount
from companion.live.rewriting import about_any, lead_before, trick_asked
from companion.live.snapshot import (
    ClosedStock,
    HandResult,
    HandView,
    LaidCard,
    LastTrick,
    MatchView,
    Question,
    RulesView,
    SeriesView,
    Side,
    Snapshot,
    Told,
    VerdictView,
)
from companion.live.standing import Standing
from companion.live.unannounced import unannounced
from companion.rules.cards import Card, Player
from companion.rules.events import (
    Claimed,
    Closed,
    Event,
    Exchanged,
    HandShown,
    Knocked,
    MarriageDeclared,
    RevokeCalled,
)
from companion.rules.match import BEST_OF_3, Match
from companion.rules.presets import MODIFIERS
from companion.rules.ruleset import PRESETS, RuleSet, choices
from companion.table.entry import Asked, Settled, Unseen

__all__ = ["gaps_view", "snapshot_of"]


def snapshot_of(
    standing: Standing, health: Health, revision: str, recount: Recount | None = None
) -> Snapshot:
    """Return the whole of what can be shown; `companion.live.audience.snapshot_for` cuts it."""
    hand = standing.hand if standing.called is None else None
    last = standing.last_event
    return Snapshot(
        revision,
        _match_view(standing),
        None if hand is None else _hand_view(standing, hand, recount),
        None if last is None else _told(standing, last),
        tuple(_question(standing, each) for each in standing.questions),
        health,
    )


def _question(standing: Standing, asked: Asked) -> Question:
    entries = [entry for hand in standing.hands for entry in hand.events]
    hand = standing.asked_in(asked.seq)
    to = None if hand is None else lead_before(hand.events, asked)
    return Question(
        asked.seq,
        asked.text,
        about_any(entries, asked),
        asked.options,
        ruled_out=ruled_out(standing, asked),
        pictured=asked.shows is not None,
        to=to,
        hand=_number_of(standing, hand),
        trick=None if hand is None else trick_asked(hand.events, asked),
    )


def _number_of(standing: Standing, hand: HandFold | None) -> int | None:
    """Number of a hand in the match, if it belongs to it."""
    of_match = standing.hands[standing.first_hand :]
    return next(
        (number for number, each in enumerate(of_match, standing.hands_before + 1) if each is hand), None
    )


def _match_view(standing: Standing) -> MatchView:
    match, called = standing.match, standing.called
    hands, carried = standing.hands[standing.first_hand :], standing.carried[standing.first_hand :]
    if called is not None and match.winner is not None:
        match, hands, carried = match.following(), (), ()  # whoever says who deals next has read who won
    south, north = match.shown_points
    first = standing.hands_before + 1
    return MatchView(
        number=match.number,
        names=names_of(standing),
        points=(south, north),
        target=match.rules.match_target,
        counts_down=match.rules.count == "down",
        marks=match.bummerl_marks,
        winner=match.winner,
        charged=match.mark,
        next_dealer=standing.next_dealer,
        hands=tuple(
            HandResult(
                number,
                hand.state.dealer,
                hand.award,
                hand.doubt.checked,
                hand.doubt.asked,
                more,
                hand.state.given_up,
            )
            for number, (hand, more) in enumerate(zip(hands, carried, strict=True), start=first)
            if hand.state.over or hand is not standing.hand
        ),
        rules=_rules_view(match.rules),
        carry=match.carry,
        series=_series_view(match),
        fair=standing.started.fair,
        begun=bool(hands) or bool(match.awards),
        changes=len(standing.corrections) + sum(len(hand.vouched) for hand in standing.hands),
    )


def _rules_view(rules: RuleSet) -> RulesView:
    modifiers, base = rules.modifiers, PRESETS[rules.preset]
    modified = {name: value for modifier in modifiers for name, value in MODIFIERS[modifier].items()}
    return RulesView(
        preset=rules.preset,
        modifiers=modifiers,
        more=sum(getattr(rules, name) != modified.get(name, getattr(base, name)) for name in choices()),
        deck=rules.deck,
        knock=rules.knock,
        close_before_draw=rules.close_before_draw,
        counts_itself=rules.claim_mode == "auto",
        claims_between=rules.claim_window == "any_player_between_tricks",
        revoke_award=rules.revoke_award,
    )


def _series_view(match: Match) -> SeriesView | None:
    match match.rules.series:
        case "none":
            return None
        case "best_of_3":
            goal = BEST_OF_3
        case "first_to_n_marks":
            goal = match.rules.series_marks
    return SeriesView(match.rules.series, goal, match.matches_won, match.series_won, match.series_winner)


def _hand_view(standing: Standing, hand: HandFold, recount: Recount | None) -> HandView:
    state, words = hand.state, hand.words
    last = state.tricks[-1] if state.tricks else None
    close = state.at_close
    verdict = None
    if hand.verdict is not None and hand.claimant is not None:
        missed = unannounced(standing.rules, hand)
        verdict = VerdictView(hand.claimant, hand.verdict, hand.doubt.depends_on, missed)
    sides = _side(hand, Player.SOUTH, words), _side(hand, Player.NORTH, words)
    if hand.noted:
        sides = sides[0].uncounted, sides[1].uncounted
    return HandView(
        number=standing.number,
        dealer=state.dealer,
        trump=state.trump,
        turned_up=state.turned_up,
        stock_left=None if hand.noted else state.stock_left,
        stock=None if hand.noted else "closed" if close else "exhausted" if state.exhausted else "open",
        on_lead=state.on_lead,
        to_play=state.to_play,
        announced=state.announced,
        trick=_laid(hand),
        last_trick=None if last is None else LastTrick(last.leader, last.led, last.followed, last.winner),
        sides=sides,
        closed=None if close is None else ClosedStock(close.closer, close.card_points, close.has_trick),
        over=state.over,
        given_up=state.given_up,
        award=hand.award,
        verdict=verdict,
        checked=hand.doubt.checked,
        asked=hand.doubt.asked,
        recount=recount,
        unseen=gaps_view(hand.unseen),
        vouched=gaps_view(hand.vouched),
        breaches=state.breaches,
        events=tuple(_told(standing, entry) for entry in hand.events),
    )


def gaps_view(gaps: Iterable[Unseen]) -> tuple[tuple[float, int | None, int], ...]:
    """Return when the table was in sight again, after how many seconds, and the number of that entry.

    `None` for the seconds: nobody had looked before.
    """
    return tuple((gap.time, gap.whole_seconds, gap.seq) for gap in gaps)


def _told(standing: Standing, entry: Settled) -> Told:
    unfit = any(entry.seq in hand.unfit for hand in standing.hands)
    return Told(
        entry.seq,
        entry.time,
        entry.event,
        entry.confidence,
        entry.source,
        entry.seq in standing.corrected,
        unfit,
    )


def _laid(hand: HandFold) -> tuple[LaidCard, ...]:
    """The card that awaits an answer, with the entry that put it there."""
    led = hand.state.led
    if led is None:
        return ()
    entry = next(entry for entry in reversed(hand.events) if entry.event == led)
    return (LaidCard(led.player, led.card, entry.seq, entry.confidence),)


def _side(hand: HandFold, player: Player, words: Sequence[Event]) -> Side:
    counted = count_over(hand.states, player)
    own = [event for event in words if getattr(event, "player", None) is player]
    left, may_show = _left(hand, player)
    may = {name for event in own if (name := _pressed(event)) is not None}
    return Side(
        tricks=min(each.tricks_of(player) for each in hand.states),
        cards=counted.cards,
        marriages=counted.marriages,
        pending=counted.pending,
        bonus=counted.bonus,
        total=counted.total,
        working=counted.working,
        may=tuple(sorted(may | ({"show"} if may_show else set()))),
        marriage_suits=tuple(event.suit for event in own if isinstance(event, MarriageDeclared)),
        left=left,
        may_show=may_show,
    )


def _pressed(event: Event) -> str | None:
    """What the phone offers to press for an event; `None`: nothing, or something of its own."""
    match event:
        case Claimed():
            return "claim"
        case Closed(before_draw=before_draw):
            return "close_early" if before_draw else "close"
        case Exchanged():
            return "exchange"
        case Knocked():
            return "knock"
        case RevokeCalled():
            return "revoke"
        case _:
            return None


def _left(hand: HandFold, player: Player) -> tuple[int, tuple[Card, ...]]:
    """How many cards a player holds and has not shown; and which they may be, after the end of the play."""
    state = hand.state
    shown = {
        card
        for entry in hand.events
        if isinstance(entry.event, HandShown) and entry.event.player is player
        for card in entry.event.cards
    }
    left = state.hand_sizes[player] - len(shown)
    if not state.over or state.given_up or state.agreed or left <= 0:
        return max(0, left), ()
    return left, tuple(card for card in state.candidates(player) if card not in shown)
