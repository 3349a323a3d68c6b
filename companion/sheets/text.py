"""A sheet as plain text: to keep, to send, to read aloud. Documented in docs/score-sheets.md, part 6."""

from __future__ import annotations

from companion.sheets.hand import ContractHand, Hand
from companion.sheets.sheet import Sheet

__all__ = ["sheet_text"]


def sheet_text(number: int, sheet: Sheet) -> str:
    """Return the sheet as text: a head, then a line a hand with what it paid and the totals after it."""
    agreement = sheet.agreement
    names = [_name(sheet, seat) for seat in range(agreement.seats)]
    sides = [" + ".join(names[seat] for seat in players) for players in agreement.accounts]
    head = [
        f"sheet: {number}   game: {agreement.game}   opened: {sheet.at}",
        f"target: {agreement.target} {agreement.count}   players: {', '.join(names)}",
        f"columns: {' | '.join(sides)}",
    ]
    tally = sheet.tally
    body: list[str] = []
    match = 0
    hands = {line.seq: line.hand for line in sheet.lines if line.hand is not None}
    for score in tally.scores:
        if score.match != match:
            match = score.match
            body.append(f"\nmatch {match}")
        paid = " ".join(f"+{points}" for points in score.points)
        totals = " | ".join(map(str, agreement.shown(score.totals)))
        told = _hand_text(sheet, hands[score.line])
        body.append(f"{score.number}. {told}; {paid}; {totals}")
        if score.ended is not None:
            won = " and ".join(sides[account] for account in score.ended.winners)
            charged = ", ".join(
                f"{side} {kind} {cost}"
                for side, kind, cost in zip(sides, score.ended.kinds, score.ended.charged, strict=True)
                if kind != "won"
            )
            body.append(f"won by {won}; marks: {charged}")
    marks = " | ".join(map(str, tally.marks))
    return "\n".join([*head, *body, f"\nmarks: {marks}", ""])


def _hand_text(sheet: Sheet, hand: Hand) -> str:
    dealt = f"dealer {_name(sheet, hand.dealer)}"
    if isinstance(hand, ContractHand):
        partner = "" if hand.partner is None else f" with {_name(sheet, hand.partner)}"
        doubled = "" if hand.doubling == 1 else f" x{hand.doubling}"
        result = "won" if hand.won else "lost"
        return f"{dealt}; {_name(sheet, hand.player)}{partner} {hand.contract} {hand.worth}{doubled} {result}"
    parts = [f"cards {hand.cards[0]}-{hand.cards[1]}"]
    if hand.last_trick is not None:
        parts.append(f"last trick {_name(sheet, hand.last_trick)}")
    parts += [
        f"{_name(sheet, seat)} sings {'+'.join(map(str, songs))}"
        for seat, songs in enumerate(hand.songs)
        if songs
    ]
    if hand.tute is not None:
        parts.append(f"{_name(sheet, hand.tute)} tute")
    return f"{dealt}; {', '.join(parts)}"


def _name(sheet: Sheet, seat: int) -> str:
    return sheet.names[seat] or f"player {seat + 1}"
