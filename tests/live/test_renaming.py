"""Names that are corrected: in the log, for the whole match, through restarts and into the next one."""

from __future__ import annotations

from pathlib import Path

import pytest
from scripted_table import HAND, items, newest, timed, view_at

from companion.history.archive import Archive
from companion.live.command import Declare, InvalidCommandError, NewMatch, Rename, Undo, parse_command
from companion.live.naming import names_of
from companion.rules.cards import Card, Player, Suit
from companion.rules.events import CardPlayed, Dealt
from companion.store.coding import decode, encode
from companion.store.item import Corrected

SEEN = 100.0
KING_LED = CardPlayed(Player.NORTH, Card.parse("KC"))


def test_a_corrected_name_holds_for_the_whole_match_and_into_the_next(open_table, tmp_path: Path) -> None:
    """Phones and the archive show it, hands before included; a restart and a new match keep it."""
    table = open_table(timed(HAND), names=("Ana", "Bert"))
    table.see(view_at(SEEN))
    before = newest(table)
    table.submit(Rename(Player.SOUTH, "Anna"), source="phone:south")
    table.submit(Rename(Player.NORTH, "Berta"), source="phone:table")
    table.submit(Rename(Player.NORTH, "Berta"), source="phone:table")  # nothing changes by it
    after = newest(table)
    assert (before.match.names, after.match.names) == (("Ana", "Bert"), ("Anna", "Berta"))
    assert (after.hand, after.match.points) == (before.hand, before.match.points)
    written = [each for each in items(tmp_path) if isinstance(each, Corrected)]
    assert [(each.renamed, each.source) for each in written] == [
        (("Anna", "Bert"), "phone:south"),
        (("Anna", "Berta"), "phone:table"),
    ]
    archive = Archive(tmp_path / "table.sqlite")
    (played,) = archive.hands()
    assert (played.names, played.corrections) == (("Anna", "Berta"), ())
    archive.close()
    again = open_table(timed(HAND))
    assert newest(again).match.names == ("Anna", "Berta")
    again.submit(NewMatch())
    assert again.standing().started.names == ("Anna", "Berta")


def test_a_corrected_name_is_no_event_to_take_back(open_table) -> None:
    """Undo takes back what was played last, and leaves the name."""
    table = open_table(timed(HAND[:5]), names=("Ana", "Bert"))
    table.see(view_at(SEEN))
    table.submit(Rename(Player.SOUTH, "Anna"))
    last = newest(table).last
    table.submit(Undo(last.seq))
    assert len(newest(table).hand.events) == 4
    assert names_of(table.standing()) == ("Anna", "Bert")


def test_a_marriage_said_late_is_taken_back_after_a_name_was_corrected(open_table) -> None:
    """The lead stays on the table, and only the word goes."""
    table = open_table([(1.0, Dealt(Player.SOUTH, Card.parse("TH"))), (2.0, KING_LED)])
    table.see(view_at(SEEN))
    table.submit(Declare(Player.NORTH, Suit.CLUBS))
    table.submit(Rename(Player.SOUTH, "Anna"))
    table.submit(Undo(newest(table).last.seq))
    assert [each.event for each in table.standing().hand.events[1:]] == [KING_LED]


def test_what_older_versions_have_written_reads_and_is_written_as_ever() -> None:
    """A correction of an event has no field for names, in old logs and in new ones."""
    text = (
        '{"at":"2026-11-26T20:00:00+01:00","time":3.0,"source":"phone:south","first":4,"last":5,"old":3,'
        '"new":5,"was":{"type":"claim","player":0},"now":{"type":"claim","player":1},"answers":null,'
        '"undone":false}'
    )
    assert encode(decode("corrected", text)) == ("corrected", text)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("x" * 25, "25 characters, at most 24"),
        (7, "text of at most 24 characters, got 7"),
        ("a\x07b", "shown"),
    ],
)
def test_a_name_that_cannot_be_is_refused_with_the_limit(name: object, says: str) -> None:
    """The message has what was given, and what is possible."""
    with pytest.raises(InvalidCommandError, match=f"name: .*{says}"):
        parse_command({"type": "rename", "player": 0, "name": name})
