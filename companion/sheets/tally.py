"""From hands to points, matches and marks; the one place that adds up (docs/score-sheets.md, part 3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.sheets.agreement import Agreement
from companion.sheets.hand import Hand, payout

__all__ = ["MatchEnd", "Score", "Tally", "tally"]


@dataclass(frozen=True, slots=True)
class MatchEnd:
    """A match was won.

    Attributes:
        winners: Accounts that won it.
        charged: Marks that each account is charged.
        kinds: Why, for each account: `won`, `lost`, `schneider` (no point), `retour` (had led with one
            point missing against nothing).
    """

    winners: tuple[int, ...]
    charged: tuple[int, ...]
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """What a hand did.

    Attributes:
        line: Entry that wrote the hand.
        match: Number of the match, from 1.
        number: Number of the hand within the match, from 1.
        points: What it paid each account.
        totals: What each account has after it, in this match.
        ended: The match's end, where this hand brought it.
    """

    line: int
    match: int
    number: int
    points: tuple[int, ...]
    totals: tuple[int, ...]
    ended: MatchEnd | None


@dataclass(frozen=True, slots=True)
class Tally:
    """All counts of a sheet.

    Attributes:
        scores: Of each hand that counts, in order.
        totals: Of the match that is played, or of the last until the next hand is written.
        marks: Bummerl marks of each account.
        match: Number of the match that `totals` belong to.
        won: Matches that each account has won.
    """

    scores: tuple[Score, ...]
    totals: tuple[int, ...]
    marks: tuple[int, ...]
    match: int
    won: tuple[int, ...]


def tally(agreement: Agreement, hands: Iterable[tuple[int, Hand]]) -> Tally:
    """Add up `hands`, each with the number of its entry, in order."""
    nothing = (0,) * len(agreement.accounts)
    scores: list[Score] = []
    totals, marks, won = nothing, nothing, nothing
    nearly = [False] * len(nothing)
    match, number = 1, 0
    for line, hand in hands:
        if scores and scores[-1].ended is not None:
            totals, nearly, match, number = nothing, [False] * len(nothing), match + 1, 0
        paid = payout(agreement, hand)
        totals = _sum(totals, paid.points)
        number += 1
        ended = _end(agreement, totals, paid.outright, nearly)
        scores.append(Score(line, match, number, paid.points, totals, ended))
        if ended is not None:
            marks = _sum(marks, ended.charged)
            won = tuple(count + (account in ended.winners) for account, count in enumerate(won))
        nearly = [
            before or (points == agreement.target - 1 and sum(totals) == points)
            for before, points in zip(nearly, totals, strict=True)
        ]
    return Tally(tuple(scores), totals, marks, match, won)


def _end(
    agreement: Agreement, totals: tuple[int, ...], outright: int | None, nearly: list[bool]
) -> MatchEnd | None:
    winners = (outright,) if outright is not None else _winners(agreement, totals)
    if not winners:
        return None
    usual, schneider, retour = agreement.marks
    kinds, charged = [], []
    for account, points in enumerate(totals):
        kind, cost = "lost", usual
        if account in winners:
            kind, cost = "won", 0
        elif points == 0:
            kind, cost = "schneider", schneider
        elif nearly[account]:
            kind, cost = "retour", retour
        kinds.append(kind)
        charged.append(cost)
    return MatchEnd(winners, tuple(charged), tuple(kinds))


def _winners(agreement: Agreement, totals: tuple[int, ...]) -> tuple[int, ...]:
    """Return who has won; nobody while all would win together (clause 3.3)."""
    reached = [account for account, points in enumerate(totals) if points >= agreement.target]
    if agreement.several == "most" and reached:
        best = max(totals)
        reached = [account for account in reached if totals[account] == best]
    return () if len(reached) == len(totals) else tuple(reached)


def _sum(left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(left, right, strict=True))
