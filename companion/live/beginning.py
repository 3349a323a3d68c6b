"""What begins: the next hand, or a match, in which a hand that is being played may go on."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.live.act import Act, act_of_edit, refuse_other_hand
from companion.live.command import Correct, NewHand, NewMatch, RefusedCommandError
from companion.live.hand import fold_hand
from companion.live.naming import names_of
from companion.live.rewriting import Line, rewritten
from companion.live.standing import Standing, match_begun
from companion.rules.events import Dealt, Event, GivenUp
from companion.rules.match import Match
from companion.rules.points import Award
from companion.rules.ruleset import RuleSet
from companion.store.item import MatchStarted
from companion.table.entry import Entry, Retracted

__all__ = ["changed_seats", "new_hand", "new_match"]

JUST_DEALT_S = 8.0
"""A hand that was dealt so short a time ago, and nothing else, is the one that somebody calls."""


@dataclass(frozen=True, slots=True)
class _Deal:
    """A deal and its number."""

    seq: int
    event: Dealt


def new_hand(
    standing: Standing, command: NewHand, *, now: float, today: str, next_seq: int, source: str
) -> Act:
    """Let the next hand be dealt; what was dealt right before is meant, by whoever is said to deal.

    Raises:
        RefusedCommandError: The hand that the phone showed is played no more.
    """
    dealt = _just_dealt(standing, now)
    if dealt is None:
        return _called(standing, command, source)
    if command.dealer in (None, dealt.event.dealer):
        return Act(source)
    other = Correct(dealt.seq, replace(dealt.event, dealer=command.dealer))
    return act_of_edit(standing, other, now=now, today=today, next_seq=next_seq, source=source)


def _called(standing: Standing, command: NewHand, source: str) -> Act:
    told: list[Event] = []
    if standing.hand is not None and not standing.hand.state.over:
        if standing.called is None:
            refuse_other_hand(standing, command)
        told.append(GivenUp())
    deals = standing.match.next_dealer if command.dealer is None else command.dealer
    return Act(source, told=(*told, Dealt(deals, None)))


def _just_dealt(standing: Standing, now: float) -> _Deal | None:
    """Return the deal that is meant, where the camera has recognised it right before it was called."""
    hand = standing.hand
    if hand is None or standing.called is not None or len(hand.events) > 1:
        return None
    (entry,) = hand.events
    if not isinstance(entry.event, Dealt) or now - entry.time > JUST_DEALT_S:
        return None
    return _Deal(entry.seq, entry.event)


def new_match(
    standing: Standing, command: NewMatch, *, now: float, today: str, next_seq: int, source: str
) -> Act:
    """Begin a match; a hand that is being played goes on in it, with what is asked about it and was pressed.

    Names and rules are often agreed on when the cards lie there already. A hand that the new rules judge
    otherwise ends with the old match, and so does one of which devices would be shown more, or less.

    Raises:
        RefusedCommandError: What is still undecided would be lost: it may have won the old match, or its
            points are to stay. Or what stands would win the match, or the series, as it is agreed on now.
    """
    stays, points = _carried(standing.played), standing.played.won_points
    kept = slice(2, 3) if command.marks is not None else slice(3)  # of marks brought along the series goes on
    lost = not command.clear_marks and any(
        _carried(match)[kept] != stays[kept] for match in standing.outcomes
    )
    if lost or (command.keep_points and any(match.won_points != points for match in standing.outcomes)):
        raise RefusedCommandError(
            "undecided", f"a hand that is not decided yet may decide match {standing.played.number}"
        )
    hand = standing.hand if _goes_on(standing, command) else None
    begun = _match(standing, command, today, goes_on=hand is not None)
    first = match_begun(begun)
    if first.winner is not None or first.series_decided:
        raise RefusedCommandError("won", "what stands already wins the match or the series under these rules")
    if hand is None:
        return Act(source, items=(begun,), renew=True)
    lines = [Line(entry, entry) for entry in hand.events]
    moved = rewritten(
        lines, standing.unanswered, now=now, today=today, first=next_seq, source=source, answers=None
    ).items
    gone = tuple(item for item in moved if isinstance(item, Retracted))
    again = tuple(item for item in moved if not isinstance(item, Retracted))
    last = max((item.seq for item in moved if isinstance(item, Entry)), default=next_seq - 1)
    gaps = tuple(replace(gap, seq=last + place) for place, gap in enumerate(hand.unseen, 1))
    return Act(source, items=(*gone, begun, *again, *gaps, *standing.pending), renew=True)


def _goes_on(standing: Standing, command: NewMatch) -> bool:
    """Whether the hand that is being played may go on in a new match."""
    hand, before = standing.hand, standing.started
    if hand is None or hand.state.over or standing.called is not None:
        return False
    rules = command.rules or before.rules
    anew = fold_hand(rules, hand.events) if rules.deck == before.rules.deck else None
    return (
        command.dealer in (None, hand.state.dealer)
        and command.fair in (None, before.fair)
        and anew is not None
        and not anew.state.over
        and (anew.unfit, anew.state.breaches) == (hand.unfit, hand.state.breaches)
    )


def changed_seats(before: tuple[str, str], names: tuple[str, str]) -> bool:
    """Whether the same two are called the other way round: they sit on each other's sides now."""
    return names == before[::-1] != before and all(names)


def _match(standing: Standing, command: NewMatch, today: str, *, goes_on: bool) -> MatchStarted:
    """Return the next match; whoever has changed seats takes marks, wins and the deal along."""
    before, called_before = standing.started, names_of(standing)
    names = called_before if command.names is None else command.names
    keeps = command.keep_points and standing.played.winner is None
    same_players = names == called_before or called_before == ("", "")
    swapped = changed_seats(called_before, names)
    dealer = command.dealer
    if dealer is None and (same_players or swapped or keeps):
        dealer = standing.next_dealer
        if dealer is not None and swapped and not goes_on:
            dealer = dealer.other
    rules = before.rules if command.rules is None else command.rules
    anew = MatchStarted(
        at=today,
        rules=rules,
        names=names,
        dealer=dealer,
        fair=before.fair if command.fair is None else command.fair,
        awards=_kept(standing.played, rules, swapped=swapped) if keeps else (),
        hands=standing.number - goes_on if keeps else 0,
    )
    # a match in which nothing was dealt was none: what was agreed on has changed before it began
    number = standing.played.number + (not keeps and standing.number > goes_on)
    if command.clear_marks:
        return replace(anew, marks=command.marks or (0, 0))
    other = _other_series(anew.rules, before.rules)
    if other and command.marks is None:
        return replace(anew, number=number, wins=(0, 0))
    marks, wins, series = _carried(standing.played)
    if swapped:
        marks, series = marks[::-1], series[::-1]
        wins = None if wins is None else wins[::-1]
    if command.marks is not None:
        marks, wins, series = command.marks, None, (0, 0) if other else series
    return replace(anew, marks=marks, number=number, wins=wins, series=series)


def _kept(match: Match, rules: RuleSet, *, swapped: bool) -> tuple[Award, ...]:
    """Return what hands have paid in a match that goes on under `rules`, to those who sit there now.

    What ties have carried over is of the award that it was paid with, however these rules count ties; those
    that nothing was paid with yet go on carrying where both rules do (clause 8.5).
    """
    paid: list[Award] = []
    ties: list[Award] = []
    for award in match.awards:
        if award.winner is None:
            ties.append(award)
            continue
        more = len(ties) if match.rules.tie == "carry_1" else 0
        winner = award.winner.other if swapped else award.winner
        points = award.card_points[::-1] if swapped else award.card_points
        seated = replace(award, winner=winner, card_points=points)
        paid.append(replace(seated, game_points=award.game_points + more))
        ties = []
    return (*paid, *(ties if match.rules.tie == rules.tie == "carry_1" else ()))


def _carried(match: Match) -> tuple[tuple[int, int], tuple[int, int] | None, tuple[int, int]]:
    """Return marks, won matches and won series as the next match has them from `match`."""
    if match.winner is not None:
        match = match.following()
    return match.earlier_marks, match.earlier_wins, match.earlier_series


def _other_series(one: RuleSet, other: RuleSet) -> bool:
    """Whether what was won under `other` counts for nothing under `one` (clause 9.4)."""
    return (one.series, one.series_marks) != (other.series, other.series_marks)
