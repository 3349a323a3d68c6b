"""A finished hand as it is written on a sheet, what it pays, and what cannot have been.

Clauses are those of docs/score-sheets.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from companion.sheets.agreement import MAX_WORTH, Agreement
from companion.sheets.fault import SheetError

__all__ = ["CARD_POINTS", "LAST_TRICK", "ContractHand", "Hand", "Payout", "TuteHand", "check_hand", "payout"]

CARD_POINTS = 120
"""All cards of a Tute pack: 11, 10, 4, 3 and 2 in four suits (clause 4.1)."""
LAST_TRICK = 10
_UNREACHABLE = (1, 119)
"""No cards of a Tute pack add up to these, the smallest that counts being 2."""


@dataclass(frozen=True, slots=True)
class ContractHand:
    """A hand with a contract.

    Attributes:
        dealer: Who dealt; players are numbered around the table from 0.
        contract: Name of what was announced.
        player: Who announced it, or played the normal game.
        won: Whether `player` made it.
        worth: What the table said it is worth; it stays so when the table changes (clause 2.3).
        doubling: By what that is multiplied.
        partner: Who was called to play with `player`; `None`: nobody, or partners are fixed.
    """

    dealer: int
    contract: str
    player: int
    won: bool
    worth: int
    doubling: int = 1
    partner: int | None = None


@dataclass(frozen=True, slots=True)
class TuteHand:
    """A hand of Tute for two, counted.

    Attributes:
        dealer: Who dealt.
        cards: Card points in the tricks of each player.
        last_trick: Who won the last trick; `None`: the hand was broken off before.
        songs: What each player sang: 40 and 20s, highest first.
        tute: Who showed four kings or four horses.
    """

    dealer: int
    cards: tuple[int, int]
    last_trick: int | None
    songs: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    tute: int | None = None


Hand = ContractHand | TuteHand


@dataclass(frozen=True, slots=True)
class Payout:
    """What a hand pays.

    Attributes:
        points: For each account.
        outright: Account that wins the match whatever the points.
    """

    points: tuple[int, ...]
    outright: int | None = None


def payout(agreement: Agreement, hand: Hand) -> Payout:
    """Return what `hand` pays each account (clauses 2.5, 2.6 and 4.2); `check_hand` has let it through.

    >>> from companion.sheets.agreement import usual
    >>> payout(usual("dreier"), ContractHand(0, "gang", player=1, won=False, worth=9, doubling=2)).points
    (18, 0, 18)
    """
    match hand:
        case ContractHand():
            winners = _winners(agreement, hand)
            value = hand.worth * hand.doubling
            return Payout(tuple(value if winners & set(players) else 0 for players in agreement.accounts))
        case TuteHand(cards=cards, last_trick=last, songs=songs, tute=tute):
            first, second = (
                cards[seat] + sum(songs[seat]) + (LAST_TRICK if last == seat else 0) for seat in (0, 1)
            )
            return Payout((first, second), tute)
        case _:
            assert_never(hand)


def check_hand(agreement: Agreement, hand: Hand) -> None:
    """Let `hand` through if it can have been, under `agreement`.

    Whether its worth stands in the table is not asked: the table may have changed since.

    Raises:
        SheetError: It cannot have been; the message says why.
    """
    _check_seat(agreement, hand.dealer)
    match hand:
        case ContractHand():
            if agreement.game == "tute":
                raise SheetError("wrong_kind", "Tute is counted, it has no contracts.")
            _check_contract_hand(agreement, hand)
        case TuteHand():
            if agreement.game != "tute":
                raise SheetError("wrong_kind", "Only Tute is counted by cards.")
            _check_tute_hand(agreement, hand)
        case _:
            assert_never(hand)


def _winners(agreement: Agreement, hand: ContractHand) -> set[int]:
    side = {hand.player} if hand.partner is None else {hand.player, hand.partner}
    for players in agreement.accounts:
        if hand.player in players:
            side |= set(players)
    playing = set(range(agreement.seats))
    if agreement.dealer_sits_out:
        playing.remove(hand.dealer)
    return side if hand.won else playing - side


def _check_contract_hand(agreement: Agreement, hand: ContractHand) -> None:
    _check_seat(agreement, hand.player)
    if not 1 <= hand.worth <= MAX_WORTH:
        raise SheetError("worth", f"A contract is worth 1 to {MAX_WORTH}, not {hand.worth}.", n=MAX_WORTH)
    if hand.doubling not in agreement.doublings:
        raise SheetError("doubling", f"This sheet knows no doubling by {hand.doubling}.", n=hand.doubling)
    if agreement.dealer_sits_out and hand.player == hand.dealer:
        raise SheetError(
            "sits_out", "The dealer sits out and cannot have played this hand.", player=hand.dealer
        )
    if hand.partner is None:
        return
    if agreement.partners != "called":
        raise SheetError("no_partner", "No partner is called in this game.")
    _check_seat(agreement, hand.partner)
    if hand.partner == hand.player:
        raise SheetError("own_partner", "Nobody is his own partner; whoever plays alone has none.")


def _check_tute_hand(agreement: Agreement, hand: TuteHand) -> None:
    for seat in (hand.last_trick, hand.tute):
        if seat is not None:
            _check_seat(agreement, seat)
    for points in hand.cards:
        if not 0 <= points <= CARD_POINTS or points in _UNREACHABLE:
            raise SheetError("cards_range", f"No tricks hold exactly {points} card points.", n=points)
    total = sum(hand.cards)
    if hand.last_trick is not None and total != CARD_POINTS:
        raise SheetError(
            "cards_sum",
            f"A hand played out has {CARD_POINTS} card points, not {total}.",
            n=total,
            all=CARD_POINTS,
        )
    if total > CARD_POINTS:
        raise SheetError(
            "cards_many", f"There are {CARD_POINTS} card points, not {total}.", n=total, all=CARD_POINTS
        )
    if total == CARD_POINTS and hand.last_trick is None and hand.tute is None:
        raise SheetError("no_last_trick", "All cards are counted, so somebody won the last trick.")
    _check_songs(hand)


def _check_songs(hand: TuteHand) -> None:
    for songs in hand.songs:
        if list(songs) != sorted(songs, reverse=True) or not set(songs) <= {40, 20}:
            raise SheetError("songs", "Songs are 40 and 20, highest first.")
    sung = [*hand.songs[0], *hand.songs[1]]
    if sung.count(40) > 1:
        raise SheetError("forty_twice", "There is one 40 in a hand: king and horse of trumps.")
    if sung.count(20) > 3:
        raise SheetError("twenties", "There are three 20s in a hand, one for each suit beside trumps.")
    if hand.tute is not None and hand.songs[1 - hand.tute]:
        raise SheetError(
            "tute_songs", "Against four kings or four horses in one hand nobody else can have sung."
        )


def _check_seat(agreement: Agreement, seat: int) -> None:
    if not 0 <= seat < agreement.seats:
        raise SheetError(
            "no_player", f"There is no player {seat} at a table of {agreement.seats}.", n=agreement.seats
        )
