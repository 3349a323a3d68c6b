"""A sheet as a phone shows it: everything is worked out here, nothing on the phone."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from companion.sheets.form import agreement_to_json, entry_to_json, hand_to_json
from companion.sheets.hand import Hand, payout
from companion.sheets.sheet import Line, Sheet
from companion.sheets.tally import Score

__all__ = ["sheet_view", "summary_view"]


def summary_view(number: int, sheet: Sheet) -> dict[str, Any]:
    """Return what a list of sheets shows of one."""
    tally = sheet.tally
    return {
        "sheet": number,
        "at": sheet.at,
        "game": sheet.agreement.game,
        "names": list(sheet.names),
        "accounts": [list(players) for players in sheet.agreement.accounts],
        "shown": list(sheet.agreement.shown(tally.totals)),
        "marks": list(tally.marks),
        "hands": len(tally.scores),
        "closed": sheet.closed,
    }


def sheet_view(number: int, sheet: Sheet) -> dict[str, Any]:
    """Return all that a phone shows of a sheet.

    `lines` has the hands in order: `hand` (`null`: struck out), what it `was` before and, of a hand that
    counts, its `score` with the totals as players write them.
    """
    tally = sheet.tally
    scores = {score.line: score for score in tally.scores}
    ended = tally.scores[-1].ended if tally.scores else None
    return {
        "sheet": number,
        "seq": sheet.seq,
        "at": sheet.at,
        "agreement": agreement_to_json(sheet.agreement),
        "names": list(sheet.names),
        "accounts": [
            {"players": list(players), "points": points, "shown": shown, "marks": marks, "won": won}
            for players, points, shown, marks, won in zip(
                sheet.agreement.accounts,
                tally.totals,
                sheet.agreement.shown(tally.totals),
                tally.marks,
                tally.won,
                strict=True,
            )
        ],
        "match": tally.match,
        "dealer": sheet.next_dealer,
        "dealer_sits_out": sheet.agreement.dealer_sits_out,
        "told_by_winner": sheet.agreement.told_by_winner,
        "ended": None if ended is None else asdict(ended),
        "lines": [_line(sheet, line, scores.get(line.seq)) for line in sheet.lines],
        "last": None if sheet.last is None else entry_to_json(sheet.last),
        "closed": sheet.closed,
    }


def _line(sheet: Sheet, line: Line, score: Score | None) -> dict[str, Any]:
    return {
        "seq": line.seq,
        "at": line.at,
        "hand": _hand(line.hand),
        "was": [_hand(hand) for hand in line.was],
        "paid": None if line.hand is None else list(payout(sheet.agreement, line.hand).points),
        "score": None
        if score is None
        else {
            "match": score.match,
            "number": score.number,
            "shown": list(sheet.agreement.shown(score.totals)),
            "ended": None if score.ended is None else asdict(score.ended),
        },
    }


def _hand(hand: Hand | None) -> dict[str, Any] | None:
    return None if hand is None else hand_to_json(hand)
