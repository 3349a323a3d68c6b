"""Counting card points, and what the end of a hand pays (docs/rules.md, sections 7 and 8).

The card points of all cards are 120: those played plus those not yet played.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.cards import Card, Player
from companion.rules.events import Agreed
from companion.rules.points import Award, PointRange, Reason
from companion.rules.state import HandState, Marriage, Trick

__all__ = [
    "ENOUGH",
    "SCHNEIDER",
    "Award",
    "Count",
    "PointRange",
    "award_of_agreement",
    "award_of_claim",
    "award_of_concession",
    "award_of_knock",
    "award_of_last_trick",
    "award_of_revoke",
    "claims_awaited",
    "count",
    "has_enough",
    "has_trick",
    "players_out",
    "totals",
    "unread",
]

ENOUGH = 66
"""Card points that win a hand."""
SCHNEIDER = 33
"""Fewer card points than these and the winner scores 2 (clause 7.5)."""
LAST_TRICK_BONUS = 10
"""Worth of the last trick under `last_trick_bonus_10` (clause 8.6)."""


@dataclass(frozen=True, slots=True)
class Count:
    """What a player has.

    Attributes:
        cards: Points of the cards in the won tricks.
        marriages: Points of counted marriages.
        pending: Points of marriages that still wait for a trick.
        bonus: Points for the last trick, where the rules give any.
        total: `cards`, `marriages` and `bonus` together; what a claim is judged by.
        working: How `total.low` comes about, a line each, as in `KS+TS = 14`; the numbers after
            the equals signs add up to it. An unread card is `?` and has a line of its own.
    """

    cards: PointRange
    marriages: PointRange
    pending: PointRange
    bonus: PointRange
    total: PointRange
    working: tuple[str, ...]


def unread(state: HandState) -> tuple[Card, ...]:
    """Cards that an unnamed play may have been, in the order of the pack."""
    elsewhere = state.seen | state.shown(Player.SOUTH) | state.shown(Player.NORTH)
    if state.bottom is not None and not (state.at_close is None and state.exhausted):
        elsewhere |= {state.bottom}
    return tuple(card for card in state.rules.pack if card not in elsewhere)


def has_trick(state: HandState, player: Player) -> bool | None:
    """Say whether `player` has a trick; `None` where a trick's winner is not known and decides it."""
    if state.tricks_of(player):
        return True
    return None if any(trick.winner is None for trick in state.tricks) else False


def _bonus(state: HandState, player: Player) -> PointRange:
    """Points for the last trick of `player` (clause 8.6)."""
    if state.rules.unclaimed_end != "last_trick_bonus_10" or not state.played_out or state.at_close:
        return PointRange.of(0)
    winner = state.tricks[-1].winner
    if winner is None:
        return PointRange(0, LAST_TRICK_BONUS)
    return PointRange.of(LAST_TRICK_BONUS if winner is player else 0)


def _line(trick: Trick) -> str:
    shown = "+".join(str(card) if card else "?" for card in (trick.led, trick.followed))
    return f"{shown} = {sum(card.rank.value for card in trick.cards)}"


def _marriage_line(marriage: Marriage) -> str:
    return f"marriage {'+'.join(str(card) for card in marriage.pair)} = {marriage.points.low}"


def count(state: HandState, player: Player) -> Count:
    """Count what `player` has won, between bounds where cards or winners are not known.

    A marriage that waits for a trick counts towards the upper bound while a trick whose winner
    is not known may be the one.
    """
    ours = [trick for trick in state.tricks if trick.winner is player]
    doubtful = [trick for trick in state.tricks if trick.winner is None]
    lows = highs = sum(card.rank.value for trick in ours for card in trick.cards)
    highs += sum(card.rank.value for trick in doubtful for card in trick.cards)
    missing = sum(2 - len(trick.cards) for trick in ours)
    perhaps = missing + sum(2 - len(trick.cards) for trick in doubtful)
    working = [_line(trick) for trick in ours]
    if perhaps:
        values = sorted(card.rank.value for card in unread(state))
        least = sum(values[:missing])
        lows += least
        highs += sum(values[max(0, len(values) - perhaps) :])
        if missing:
            working.append(f"{'+'.join('?' * missing)} = {least}")
    cards = PointRange(lows, highs)

    mine = [marriage for marriage in state.marriages if marriage.player is player]
    marriages = sum((each.points for each in mine if each.counted), PointRange.of(0))
    pending = sum((each.points for each in mine if each.pending), PointRange.of(0))
    working += [_marriage_line(each) for each in mine if each.counted]
    bonus = _bonus(state, player)
    if bonus.low:
        working.append(f"last trick = {bonus.low}")
    total = cards + marriages + bonus
    if doubtful and pending.high:
        total += PointRange(0, pending.high)
    return Count(cards, marriages, pending, bonus, total, tuple(working))


def totals(state: HandState) -> tuple[PointRange, PointRange]:
    """Points of south and north, counted marriages included."""
    return count(state, Player.SOUTH).total, count(state, Player.NORTH).total


def has_enough(state: HandState, player: Player) -> bool:
    """Say whether `player` has 66 for certain, whatever was not read (clause 7.9)."""
    return count(state, player).total.low >= ENOUGH


def players_out(state: HandState) -> tuple[Player, ...]:
    """Return who has 66 for certain and may claim now (clauses 7.2 to 7.4), in the order of `claimants`."""
    return tuple(player for player in state.claimants if has_enough(state, player))


def _scale(points: PointRange, trick: bool | None) -> int | None:
    """1, 2 or 3 by what the loser has (clause 7.5); `None` where the bounds do not decide."""
    if trick is False:
        return 3
    if trick is None:
        return None
    if points.low >= SCHNEIDER:
        return 1
    return 2 if points.high < SCHNEIDER else None


def _scale_now(state: HandState, loser: Player) -> int | None:
    return _scale(count(state, loser).total, has_trick(state, loser))


def _two_or_three(trick: bool | None) -> int | None:
    return None if trick is None else 2 if trick else 3


def _failed_close(state: HandState) -> int | None:
    """Return what the opponent scores after a failed close or knock (clauses 8.2 and 8.7)."""
    close = state.at_close or state.at_knock
    if close is None:
        raise ValueError("nobody closed")
    match state.rules.failed_close_award:
        case "2_3_at_close":
            return _two_or_three(close.has_trick)
        case "2_3_at_end":
            return _two_or_three(has_trick(state, close.closer.other))
        case "2_3_closer":
            return _two_or_three(close.closer_has_trick)
        case "flat_1":
            return 1
        case "flat_2":
            return 2
        case "flat_3":
            return 3


def _false_claim(state: HandState, claimant: Player) -> int | None:
    """Return what a claim with fewer than 66 pays the other player, a close apart (clause 7.6)."""
    match state.rules.false_claim_award:
        case "2_3_opponent":
            return _two_or_three(has_trick(state, claimant.other))
        case "2_3_claimant":
            return _two_or_three(has_trick(state, claimant))
        case "as_opponent_closed":
            return _scale_now(state, claimant)
        case "mirror":
            return _scale_now(state, claimant.other)
        case "flat_2":
            return 2
        case "flat_3":
            return 3


def _award(state: HandState, winner: Player, points: int | None, reason: Reason, clause: str) -> Award | None:
    return None if points is None else Award(winner, points, reason, clause, totals(state))


def award_of_claim(state: HandState, claimant: Player) -> Award | None:
    """Return what a claim pays on this state (clauses 7.5 to 7.8, 8.1 to 8.3).

    Returns:
        The award; `None` where what was seen does not decide who scores or how much.
    """
    total = count(state, claimant).total
    if total.low >= ENOUGH:
        return _award_of_enough(state, claimant)
    if total.high >= ENOUGH:
        return None
    points, clause = _after_false_claim(state, claimant)
    return _award(state, claimant.other, points, "false_claim", clause)


def _award_of_enough(state: HandState, winner: Player) -> Award | None:
    """Return what `winner` scores for 66 in time."""
    close = state.at_close
    if close is None:
        return _award(state, winner, _scale_now(state, winner.other), "claim", "7.5")
    if close.closer is winner:
        if state.rules.close_win_basis == "at_close":
            points = _scale(close.card_points, close.has_trick)
        else:
            points = _scale_now(state, winner.other)
        return _award(state, winner, points, "claim", "8.1")
    points = 2 if state.rules.beaten_closer_award == "flat_2" else _failed_close(state)
    return _award(state, winner, points, "claim", "8.3")


def _after_false_claim(state: HandState, claimant: Player) -> tuple[int | None, str]:
    """Return what the other player scores for a false claim, and the clause."""
    close = state.at_close
    points = _false_claim(state, claimant)
    if close is None:
        return points, "7.6"
    if close.closer is not claimant:
        return points, "7.8"
    if state.rules.closer_false_claim == "literal":
        return points, "7.6"
    failed = _failed_close(state)
    return None if points is None or failed is None else max(points, failed), "7.7"


def award_of_revoke(state: HandState, revoker: Player) -> Award | None:
    """Return what a revoke pays the other player when called now (clause 3.6).

    Returns:
        The award; `None` where what was seen does not decide it, and where the play is taken back.
    """
    match state.rules.revoke_award:
        case "3":
            points: int | None = 3
        case "as_false_claim":
            points, _ = _after_false_claim(state, revoker)
        case "take_back":
            points = None
    return _award(state, revoker.other, points, "revoke", "3.6")


def award_of_knock(state: HandState) -> Award | None:
    """Return what a hand pays after the trick that was knocked for (clause 8.7).

    Returns:
        The award; `None` where what was seen does not decide it.
    """
    knock = state.at_knock
    if knock is None:
        raise ValueError("nobody knocked")
    knocker, taken_by = knock.closer, state.tricks[-1].winner
    total = count(state, knocker).total
    if taken_by is knocker and total.low >= ENOUGH:
        return _award_of_enough(state, knocker)
    if taken_by is knocker.other or total.high < ENOUGH:
        return _award(state, knocker.other, _failed_close(state), "failed_close", "8.7")
    return None


def award_of_agreement(state: HandState, said: Agreed) -> Award:
    """Return what a hand pays of which the players say that themselves (clause 10.4)."""
    return Award(said.winner, said.game_points, "agreed", "10.4", totals(state))


def award_of_concession(state: HandState) -> Award | None:
    """Return what a hand pays that whoever closed gives up: the claim has not come (clause 8.2).

    Returns:
        The award; `None` where what was seen does not decide it.
    """
    if state.at_close is None:
        raise ValueError("nobody closed")
    return _award(state, state.at_close.closer.other, _failed_close(state), "failed_close", "8.2")


def award_of_last_trick(state: HandState) -> Award | None:
    """Return what a hand pays whose cards are gone without a claim (clauses 8.2, 8.4 to 8.6).

    Returns:
        The award; `None` where what was seen does not decide it.
    """
    if state.at_close is not None:
        return award_of_concession(state)
    winner = state.tricks[-1].winner
    match state.rules.unclaimed_end:
        case "last_trick_1":
            return None if winner is None else _award(state, winner, 1, "last_trick", "8.4")
        case "last_trick_scaled":
            if winner is None:
                return None
            return _award(state, winner, _scale_now(state, winner.other), "last_trick", "8.4")
        case "higher_total_1" | "last_trick_bonus_10":
            return _award_of_higher_total(state)


def claims_awaited(state: HandState) -> tuple[Player, ...]:
    """Return who is out after the last trick, and whose claim would pay otherwise than silence (7.4).

    A closer fails without one (8.2); another scores 1 whatever the loser has (8.4). With
    `any_player_between_tricks` the loser of the last trick may be out, or both; its winner comes first.
    """
    if not state.played_out:
        return ()
    silent = _paid(award_of_last_trick(state))
    return tuple(each for each in players_out(state) if _paid(award_of_claim(state, each)) != silent)


def _paid(award: Award | None) -> tuple[Player | None, int] | None:
    return None if award is None else (award.winner, award.game_points)


def _award_of_higher_total(state: HandState) -> Award | None:
    south, north = totals(state)
    if south.low > north.high:
        winner = Player.SOUTH
    elif north.low > south.high:
        winner = Player.NORTH
    elif south.exact and north.exact:
        return Award(None, 0, "drawn", "8.5", (south, north))
    else:
        return None
    if state.rules.unclaimed_end == "higher_total_1":
        return _award(state, winner, 1, "higher_total", "8.4")
    return _award(state, winner, _scale_now(state, winner.other), "higher_total", "8.6")
