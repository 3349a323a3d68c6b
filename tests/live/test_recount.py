"""A player counts the sum of a claim again: who asks, who ends it, how long it stands."""

from __future__ import annotations

from contextlib import suppress

import pytest
from scripted_table import HAND, PLAYED, items, newest, other_sum, play_on, random_hand, timed, view_at

from companion.live.command import (
    Claim,
    CountAgain,
    InvalidCommandError,
    NewHand,
    NewMatch,
    RefusedCommandError,
    Undo,
    parse_command,
)
from companion.live.permission import allow
from companion.live.recount import Recount
from companion.live.snapshot import Role
from companion.live.table import LiveTable
from companion.rules.cards import Player

CLAIMANT = HAND[-1].player
OTHER = CLAIMANT.other
NEXT = 60.0
SCRIPT = [*timed(HAND), *timed(random_hand(3, Player.NORTH)[:3], start=NEXT)]


@pytest.fixture
def table(open_table) -> LiveTable:
    """A table after a claim; its camera will see the next hand dealt."""
    table = open_table(SCRIPT)
    play_on(table, len(HAND) + 1)
    return table


def refused(table: LiveTable, command: CountAgain) -> str:
    """Why `command` is refused."""
    with pytest.raises(RefusedCommandError) as refusal:
        table.submit(command)
    return refusal.value.reason


def test_a_recount_is_asked_for_and_ended_without_a_line_in_the_log(table: LiveTable, tmp_path) -> None:
    """All phones are told who counts, then that it was right; nothing is written down."""
    written = items(tmp_path)
    asked = table.submit(CountAgain(OTHER))
    shown = newest(table)
    assert (shown.revision, shown.hand.recount) == (asked.revision, Recount(OTHER))
    assert shown.to_json()["hand"]["recount"] == {"player": int(OTHER), "right": False}
    table.submit(CountAgain(OTHER, right=True))
    assert newest(table).hand.recount == Recount(OTHER, right=True)
    assert items(tmp_path) == written


def test_without_a_verdict_there_is_nothing_to_count(open_table) -> None:
    """Before any deal, while a hand is played and once the next is called it is refused."""
    table = open_table(timed(PLAYED))
    assert refused(table, CountAgain(OTHER)) == "too_late"
    play_on(table, len(PLAYED) + 1)
    assert refused(table, CountAgain(OTHER)) == "too_late"
    table.submit(Claim(CLAIMANT))
    table.submit(NewHand())
    assert refused(table, CountAgain(OTHER)) == "too_late"


def test_one_counts_at_a_time_and_only_that_one_ends_it(table: LiveTable) -> None:
    """A second asks too late; the other cannot say that it is right, nor anybody after it was said."""
    assert refused(table, CountAgain(OTHER, right=True)) == "too_late"
    table.submit(CountAgain(OTHER))
    assert refused(table, CountAgain(CLAIMANT)) == "too_late"
    assert refused(table, CountAgain(CLAIMANT, right=True)) == "not_yours"
    assert newest(table).hand.recount == Recount(OTHER)
    table.submit(CountAgain(OTHER, right=True))
    assert refused(table, CountAgain(OTHER, right=True)) == "too_late"


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("end", ["deal", "call", "undo", "match", "restart"])
def test_a_recount_is_over_with_its_verdict(table: LiveTable, open_table, right: bool, end: str) -> None:
    """The next deal, its call, the claim taken back, a new match, a restart: nobody counts any more."""
    table.submit(CountAgain(OTHER))
    if right:
        table.submit(CountAgain(OTHER, right=True))
    match end:
        case "deal":
            table.see(view_at(NEXT + 1.0))
        case "call":
            seq = newest(table).last.seq
            table.submit(NewHand())
            assert newest(table).hand is None
            table.see(view_at(NEXT + 1.0))
            assert newest(table).last.seq > seq
        case "undo":
            table.submit(Undo(newest(table).last.seq))
            table.submit(Claim(CLAIMANT))
            assert newest(table).hand.verdict is not None
        case "match":
            table.submit(NewMatch())
            table.see(view_at(NEXT + 1.0))
        case "restart":
            table = open_table()
            assert newest(table).hand.verdict is not None
    assert newest(table).hand.recount is None


def test_a_correction_leaves_it_open_and_takes_back_that_it_was_right(table: LiveTable) -> None:
    """The sum changes before the eyes of who counts; what was found right was another sum."""
    table.submit(CountAgain(OTHER))
    before = newest(table).hand.verdict.verdict
    table.submit(other_sum(table))
    hand = newest(table).hand
    assert hand.verdict.verdict.working != before.working
    assert hand.recount == Recount(OTHER)
    table.submit(CountAgain(OTHER, right=True))
    table.submit(other_sum(table))
    assert newest(table).hand.recount is None
    table.submit(CountAgain(OTHER))


@pytest.mark.parametrize("right", [False, True])
def test_a_phone_counts_for_its_player_only(table: LiveTable, right: bool) -> None:
    """A player's phone for that player, the middle and a referee for both, lookers-on for nobody."""
    may: dict[Role, list[Player]] = {role: [] for role in Role}
    for role, allowed in may.items():
        for player in Player:
            with suppress(RefusedCommandError):
                allow(CountAgain(player, right), role, newest(table))
                allowed.append(player)
    both = list(Player)
    assert may == {
        Role.SOUTH: [Player.SOUTH],
        Role.NORTH: [Player.NORTH],
        Role.TABLE: both,
        Role.REFEREE: both,
        Role.SPECTATOR: [],
        Role.BOARD: [],
    }


def test_a_recount_is_read_from_json() -> None:
    """Who asks, and whether it is right; anything else is refused."""
    assert parse_command({"type": "recount", "player": 1}) == CountAgain(Player.NORTH)
    told = {"type": "recount", "player": 0, "right": True, "key": "k"}
    assert parse_command(told) == CountAgain(Player.SOUTH, right=True)
    for wrong in ({}, {"player": 2}, {"player": 1, "right": 1}, {"player": 1, "sum": 66}):
        with pytest.raises(InvalidCommandError):
            parse_command({"type": "recount", **wrong})
