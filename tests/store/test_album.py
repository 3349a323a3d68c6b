"""Pictures beside the log: kept within bounds, never at the cost of the log, gone without harm."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from pathlib import Path

import pytest

from companion.rules.cards import Card
from companion.store.album import Album
from companion.store.log import EventLog

KING = Card.parse("KH")


def test_a_picture_comes_back_with_what_its_card_looked_like(tmp_path: Path) -> None:
    """What was kept is there after the next start, too; a second picture of one moment changes nothing."""
    with Album(tmp_path / "stills.sqlite", spare_bytes=0) as album:
        assert album.keep(12.345, b"one", {KING: -0.1})
        assert album.keep(12.345, b"two", {})
    with Album(tmp_path / "stills.sqlite", spare_bytes=0) as album:
        assert (album.picture(12.345), album.looks(12.345)) == (b"one", {KING: -0.1})
        assert album.has(12.345)
        assert (album.has(12.4), album.picture(12.4), album.looks(12.4)) == (False, None, None)


def test_the_oldest_pictures_make_room(tmp_path: Path) -> None:
    """However many are kept, together they stay below the bound, and the newest are there."""
    with Album(tmp_path / "stills.sqlite", most_bytes=10_000, spare_bytes=0) as album:
        for second in range(50):
            assert album.keep(float(second), bytes(1000), {})
        kept = [second for second in range(50) if album.picture(float(second)) is not None]
    assert kept == list(range(40, 50))
    with sqlite3.connect(tmp_path / "stills.sqlite") as file:
        (taken,) = file.execute("SELECT sum(length(picture)) FROM still").fetchone()
    assert taken <= 10_000


def test_the_last_room_on_the_disk_is_left_to_the_log(tmp_path: Path, monkeypatch) -> None:
    """Where little is free nothing is kept, and once there is room again the next picture is."""
    free = shutil.disk_usage(tmp_path).free
    with Album(tmp_path / "stills.sqlite", spare_bytes=2 * free) as album:
        assert not album.keep(1.0, b"picture", {})
        assert not album.has(1.0)
    with Album(tmp_path / "stills.sqlite", spare_bytes=0) as album:
        assert album.keep(1.0, b"picture", {})


@pytest.mark.parametrize("harm", ["full", "folder"])
def test_an_album_that_cannot_be_used_keeps_nothing_and_says_nothing(tmp_path: Path, harm: str) -> None:
    """A full or impossible file loses pictures only: nothing is raised, the log goes on."""
    path = tmp_path / "stills.sqlite"
    if harm == "folder":
        path.mkdir()
    with Album(path, spare_bytes=0) as album, EventLog(tmp_path / "table.sqlite") as log:
        if harm == "full":
            album._db.execute("PRAGMA max_page_count = 3")
        kept = [album.keep(float(second), bytes(3000), {KING: -0.5}) for second in range(5)]
        assert not all(kept)
        assert all((album.picture(float(second)) is not None) is done for second, done in enumerate(kept))
        assert log.last == 0


@pytest.mark.parametrize("place", [0, 3 * 4096])
def test_a_damaged_album_is_set_aside_and_another_begun(tmp_path: Path, place: int) -> None:
    """Someone pulled the plug while it was written: what was in it is lost, and no later picture."""
    path = tmp_path / "stills.sqlite"
    with Album(path, spare_bytes=0) as album:
        for second in range(20):
            album.keep(float(second), bytes(3000), {KING: -0.5})
    harmed = bytearray(path.read_bytes())
    harmed[place : place + 4096] = b"\xa5" * 4096
    path.write_bytes(harmed)
    for _ in range(2):
        with Album(path, spare_bytes=0) as album:
            assert not album.has(1.0)
            assert album.keep(99.0, b"picture", {})
            assert album.picture(99.0) == b"picture"
    assert (tmp_path / "stills.sqlite.damaged").read_bytes() == harmed


def test_pictures_of_another_log_are_thrown_away(tmp_path: Path) -> None:
    """The time of a new log begins anew, so that old pictures would lie about it."""
    with Album(tmp_path / "stills.sqlite", spare_bytes=0) as album:
        album.keep(1.0, b"picture", {})
    with Album(tmp_path / "stills.sqlite", anew=True) as album:
        assert (album.has(1.0), album.picture(1.0)) == (False, None)


def test_pictures_that_cannot_be_thrown_away_are_shown_to_nobody(tmp_path: Path) -> None:
    """The disk is full, or somebody else writes: better none than one of another evening."""
    with Album(tmp_path / "stills.sqlite", spare_bytes=0) as album:
        album.keep(1.0, b"picture", {})
    with contextlib.closing(sqlite3.connect(tmp_path / "stills.sqlite")) as other:
        other.execute("BEGIN IMMEDIATE")
        album = Album(tmp_path / "stills.sqlite", anew=True, spare_bytes=0)
    with album:
        assert (album.has(1.0), album.picture(1.0)) == (False, None)
        assert not album.keep(1.0, b"another", {})
