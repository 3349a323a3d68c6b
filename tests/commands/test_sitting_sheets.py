"""A sitting has its score sheets, in the same folder and on the same server."""

from __future__ import annotations

import http.client
import json
from pathlib import Path

import pytest

from companion.commands.fault import Fault
from companion.commands.sitting import sit_down
from companion.config import Options
from companion.store.sheets import SheetLog


def options(folder: Path) -> Options:
    """A sitting on this machine only, at any free port."""
    return Options(host="127.0.0.1", port=0, data=folder)


def ask(link: str, path: str, body: object = None) -> tuple[int, dict]:
    """Pair with `link`, then ask."""
    host, _, pair = link.removeprefix("http://").partition("/")
    line = http.client.HTTPConnection(host, timeout=20)
    try:
        line.request("GET", f"/{pair}")
        cookie = line.getresponse().headers["Set-Cookie"].partition(";")[0]
        line.close()
        headers = {"Cookie": cookie, "Origin": f"http://{host}", "Content-Type": "application/json"}
        line.request("GET" if body is None else "POST", path, body and json.dumps(body), headers)
        answer = line.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        line.close()


def test_sheets_are_kept_from_one_sitting_to_the_next(tmp_path: Path) -> None:
    """What a phone writes in one is shown in the next; the snapshot says how many entries there are."""
    command = {"type": "open", "names": ["Ana", "Luis"], "dealer": 0, "agreement": {"game": "tute"}}
    with sit_down(options(tmp_path)) as sitting:
        assert ask(sitting.link, "/api/sheets", command) == (201, {"sheet": 1, "seq": 1, "position": 1})
    with sit_down(options(tmp_path)) as sitting:
        assert ask(sitting.link, "/api/sheets/1")[1]["names"] == ["Ana", "Luis"]
        assert ask(sitting.link, "/api/snapshot")[1]["sheets"] == 1


def test_a_damaged_book_is_named_and_opens_no_table(tmp_path: Path) -> None:
    """One line that names the file; the table's log is closed properly and can be opened again."""
    (tmp_path / "sheets.sqlite").write_text("milk, bread\n" * 400)
    with pytest.raises(Fault, match=r"sheets\.sqlite"), sit_down(options(tmp_path)):
        raise AssertionError
    (tmp_path / "sheets.sqlite").unlink()
    with sit_down(options(tmp_path)):
        pass


def test_a_book_that_another_writes_is_named(tmp_path: Path) -> None:
    """Two companions on one folder do not write the same sheets."""
    with (
        SheetLog(tmp_path / "sheets.sqlite"),
        pytest.raises(Fault, match=r"sheets\.sqlite.*another"),
        sit_down(options(tmp_path)),
    ):
        raise AssertionError
