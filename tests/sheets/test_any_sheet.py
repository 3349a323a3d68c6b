"""What holds for every sheet, whatever is written on it."""

from __future__ import annotations

import contextlib
import json
from functools import reduce
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from table_talk import AT, sheets

from companion.rules.event_form import RecordError
from companion.sheets.agreement import GAMES, usual
from companion.sheets.command import entry_of, read_command
from companion.sheets.entry import Entry, Renamed, Undone
from companion.sheets.fault import SheetError
from companion.sheets.form import (
    VERSION,
    entries_from_export,
    entry_from_json,
    entry_to_json,
    export,
    hand_from_json,
    hand_to_json,
)
from companion.sheets.hand import ContractHand, TuteHand, payout
from companion.sheets.sheet import Sheet, apply, fold
from companion.sheets.text import sheet_text
from companion.sheets.view import sheet_view, summary_view

PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@PATIENT
@given(sheets())
def test_the_entries_alone_make_the_sheet_at_every_prefix(entries: tuple[Entry, ...]) -> None:
    """State is the fold of what was written, and of nothing else."""
    sheet: Sheet | None = None
    for place, entry in enumerate(entries, start=1):
        sheet = apply(sheet, entry)
        assert sheet == fold(entries[:place])
    assert sheet == reduce(apply, entries, None)


@PATIENT
@given(sheets())
def test_undo_leads_back_to_what_was(entries: tuple[Entry, ...]) -> None:
    """After an undo the sheet is as before, but for the number of its entries."""
    sheet = fold(entries)
    while sheet.last is not None:
        before = sheet.before
        sheet = apply(sheet, Undone(sheet.seq + 1, AT, sheet.last.seq))
        assert (sheet.lines, sheet.names, sheet.agreement) == (before.lines, before.names, before.agreement)
        assert (sheet.closed, sheet.next_dealer, sheet.last) == (
            before.closed,
            before.next_dealer,
            before.last,
        )
        assert sheet.tally == before.tally


@PATIENT
@given(sheets())
def test_points_are_paid_to_winners_only_and_add_up(entries: tuple[Entry, ...]) -> None:
    """Totals are sums of what was paid; a contract pays its value to the side that won, and to no other."""
    sheet = fold(entries)
    agreement = sheet.agreement
    running = [0] * len(agreement.accounts)
    hands = {line.seq: line.hand for line in sheet.lines if line.hand is not None}
    for score in sheet.tally.scores:
        if score.number == 1:
            running = [0] * len(agreement.accounts)
        hand = hands[score.line]
        running = [old + paid for old, paid in zip(running, score.points, strict=True)]
        assert tuple(running) == score.totals
        if isinstance(hand, TuteHand):
            sung = sum(map(sum, hand.songs))
            assert sum(score.points) == 130 + sung
            continue
        assert set(score.points) == {0, hand.worth * hand.doubling}
        mine = next(place for place, players in enumerate(agreement.accounts) if hand.player in players)
        assert (score.points[mine] > 0) is hand.won
        if agreement.dealer_sits_out:
            assert score.points[hand.dealer] == 0


@PATIENT
@given(sheets())
def test_a_hand_lost_is_a_hand_won_by_the_others(entries: tuple[Entry, ...]) -> None:
    """Turning the result over pays exactly those who got nothing before, but for a dealer who sits out."""
    sheet = fold(entries)
    for hand in (line.hand for line in sheet.lines if isinstance(line.hand, ContractHand)):
        other = ContractHand(
            hand.dealer, hand.contract, hand.player, not hand.won, hand.worth, hand.doubling, hand.partner
        )
        paid = [bool(points) for points in payout(sheet.agreement, hand).points]
        turned = [bool(points) for points in payout(sheet.agreement, other).points]
        for account, players in enumerate(sheet.agreement.accounts):
            out = sheet.agreement.dealer_sits_out and players == (hand.dealer,)
            assert paid[account] + turned[account] == (0 if out else 1)


@PATIENT
@given(sheets())
def test_matches_end_when_they_should(entries: tuple[Entry, ...]) -> None:
    """Before its end nobody has reached the target; winners pay nothing, losers pay, and marks add up."""
    sheet = fold(entries)
    agreement, tally = sheet.agreement, sheet.tally
    for one, two in pairwise(tally.scores):
        assert two.match == one.match + (one.ended is not None)
        assert two.number == (1 if one.ended else one.number + 1)
    for score in tally.scores:
        if score.ended is None:
            reached = [points for points in score.totals if points >= agreement.target]
            assert not reached or len(reached) == len(score.totals)
            continue
        assert 0 < len(score.ended.winners) < len(score.totals)
        for account, (kind, cost) in enumerate(zip(score.ended.kinds, score.ended.charged, strict=True)):
            assert (account in score.ended.winners) == (kind == "won") == (cost == 0)
            assert (kind == "schneider") == (kind != "won" and score.totals[account] == 0)
    ends = [score.ended for score in tally.scores if score.ended is not None]
    for account in range(len(agreement.accounts)):
        assert tally.marks[account] == sum(end.charged[account] for end in ends)
        assert tally.won[account] == sum(account in end.winners for end in ends)


@PATIENT
@given(sheets())
def test_a_sheet_comes_back_from_json(entries: tuple[Entry, ...]) -> None:
    """Entries and exported sheets survive being written and read, to the last entry."""
    for entry in entries:
        assert entry_from_json(json.loads(json.dumps(entry_to_json(entry)))) == entry
    assert entries_from_export(json.loads(json.dumps(export(entries)))) == entries


@PATIENT
@given(sheets())
def test_whatever_is_written_can_be_shown(entries: tuple[Entry, ...]) -> None:
    """Views are plain JSON with a total for every column; the text has a line for every hand that counts."""
    sheet = fold(entries)
    view = json.loads(json.dumps(sheet_view(1, sheet)))
    assert [line["seq"] for line in view["lines"]] == [line.seq for line in sheet.lines]
    counted = [line["score"] for line in view["lines"] if line["score"]]
    if counted:
        assert [account["shown"] for account in view["accounts"]] == counted[-1]["shown"]
    assert json.loads(json.dumps(summary_view(1, sheet)))["hands"] == len(counted)
    text = sheet_text(1, sheet)
    assert sum("; dealer" in line or ". dealer" in line for line in text.splitlines()) == len(counted)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@settings(PATIENT, max_examples=300)
@given(sheets(longest=6), st.data())
def test_a_damaged_export_is_refused_by_place(entries: tuple[Entry, ...], data: st.DataObject) -> None:
    """Whatever stands in place of something else is read as what it says, or refused; never anything else."""
    whole = json.loads(json.dumps(export(entries)))
    node = whole
    while isinstance(node, dict | list) and node:
        keys = sorted(node) if isinstance(node, dict) else range(len(node))
        key = data.draw(st.sampled_from(list(keys)))
        if not isinstance(node[key], dict | list) or data.draw(st.booleans()):
            node[key] = data.draw(JSON)
            break
        node = node[key]
    with contextlib.suppress(RecordError):
        fold(entries_from_export(whole))


COMMANDS = (
    {"type": "open", "names": ["", ""], "dealer": 0, "agreement": {"game": "tute", "target": 101}},
    {"type": "hand", "hand": {"contract": "gang", "player": 1, "won": True, "partner": 2, "worth": 9}},
    {"type": "hand", "hand": {"cards": [60, None], "last_trick": 0, "songs": [[40], [20]], "tute": None}},
    {"type": "correct", "line": 2, "hand": {"contract": "game", "player": 1, "won": False, "worth": 3}},
    {"type": "dealer", "dealer": 1},
    {"type": "rename", "names": ["a", "b", "c", "d"]},
    {"type": "contracts", "contracts": [{"name": "gang", "values": [9]}]},
    {"type": "undo"},
)


@settings(PATIENT, max_examples=400)
@given(sheets(longest=4), st.sampled_from(COMMANDS), st.data())
def test_any_command_is_done_or_refused_with_words(entries: tuple[Entry, ...], command, data) -> None:
    """Whatever a phone sends: an entry that the sheet takes and that can be read back, or a sentence."""
    sheet = fold(entries)
    told = json.loads(json.dumps({**command, "sheet": 1, "after": sheet.seq}))
    if command["type"] == "open":
        sheet = None
        del told["sheet"], told["after"]
    node = told
    while data.draw(st.booleans()):
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(node[key], dict | list) or not node[key]:
            node[key] = data.draw(JSON)
            break
        node = node[key]
    try:
        entry = entry_of(read_command(told), sheet, AT)
        after = apply(sheet, entry)
    except (RecordError, SheetError) as error:
        event(type(error).__name__)
    else:
        event("done")
        assert entry_from_json(json.loads(json.dumps(entry_to_json(entry)))) == entry
        assert after.seq == entry.seq


@PATIENT
@given(JSON)
def test_nothing_else_is_taken_for_an_entry_or_a_hand(data: object) -> None:
    """Any other JSON is refused with words."""
    for read in (entry_from_json, hand_from_json, entries_from_export):
        with pytest.raises(RecordError):
            read(data)


def test_a_sheet_of_a_later_version_is_refused_by_name() -> None:
    """The message says which version it is and which is the newest that can be read."""
    with pytest.raises(RecordError, match=rf"{VERSION + 1} is newer than {VERSION}"):
        entries_from_export({"format": "score-sheet", "version": VERSION + 1, "entries": []})


@pytest.mark.parametrize("game", GAMES)
def test_every_field_of_a_hand_is_needed(game: str) -> None:
    """A hand in the log that lacks a field is damage, named by the field."""
    hand = (
        TuteHand(0, (60, 60), 0)
        if usual(game).game == "tute"
        else ContractHand(0, "game", 1, True, 1, 1, None)
    )
    written = hand_to_json(hand)
    assert hand_from_json(written) == hand
    for name in written:
        if name == "cards":
            continue
        with pytest.raises(RecordError, match=name):
            hand_from_json({key: value for key, value in written.items() if key != name})


def test_a_sheet_that_does_not_begin_is_none() -> None:
    """Nothing comes before the opening, and nothing opens twice."""
    entry = Renamed(1, AT, ("a",))
    for entries in ((), (entry,)):
        with pytest.raises(ValueError, match="opened"):
            fold(entries)
