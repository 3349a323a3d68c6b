"""What is kept of an evening is readable by its owner only."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.history.kept import KeptAnalyses
from companion.rules.events import GivenUp
from companion.store.album import Album
from companion.store.log import EventLog
from companion.store.sheets import SheetLog
from companion.table.entry import Settled

KINDS = [EventLog, SheetLog, Album, KeptAnalyses]


def readable(folder: Path) -> list[str]:
    """The files in a folder that others than their owner may read."""
    return sorted(path.name for path in folder.iterdir() if path.stat().st_mode & 0o077)


@pytest.mark.parametrize("kind", KINDS)
def test_nobody_else_may_read_what_is_kept(tmp_path: Path, kind: Callable) -> None:
    """Nor what SQLite lays beside it while it is open."""
    opened = kind(tmp_path / "kept.sqlite")
    if kind is EventLog:
        opened.append([Settled(1, 1.0, GivenUp(), 1.0, "phone:south")])
    assert (tmp_path / "kept.sqlite-wal").exists()
    assert readable(tmp_path) == []
    opened.close()


@pytest.mark.parametrize("kind", KINDS)
def test_what_an_earlier_version_left_open_to_all_becomes_private(tmp_path: Path, kind: Callable) -> None:
    """The files beside it, too, that are left where the power went."""
    kind(tmp_path / "kept.sqlite").close()
    for name in ("kept.sqlite", "kept.sqlite-wal"):
        (tmp_path / name).touch()
        (tmp_path / name).chmod(0o644)
    opened = kind(tmp_path / "kept.sqlite")
    assert readable(tmp_path) == []
    opened.close()


def test_where_files_have_no_owners_everything_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on most USB sticks: whoever has the stick has what lies on it."""

    def refused(path: Path, mode: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", refused)
    with EventLog(tmp_path / "t.sqlite") as log, Album(tmp_path / "s.sqlite", spare_bytes=0) as album:
        log.append([Settled(1, 1.0, GivenUp(), 1.0, "phone:south")])
        assert album.keep(1.0, b"picture", {})
