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


def paired(link: str) -> str:
    """Exchange what the QR code says for a cookie."""
    host, _, pair = link.removeprefix("http://").partition("/")
    line = http.client.HTTPConnection(host, timeout=20)
    try:
        form = {"Origin": f"http://{host}", "Content-Type": "application/x-www-form-urlencoded"}
        line.request("POST", "/pair", pair.partition("?")[2], form)
        return line.getresponse().headers["Set-Cookie"].partition(";")[0]
    finally:
        line.close()


def ask(link: str, cookie: str, path: str, body: object = None) -> tuple[int, dict]:
    """Ask as a paired phone."""
    host = link.removeprefix("http://").partition("/")[0]
    line = http.client.HTTPConnection(host, timeout=20)
    try:
        headers = {"Cookie": cookie, "Origin": f"http://{host}", "Content-Type": "application/json"}
        line.request("GET" if body is None else "POST", path, body and json.dumps(body), headers)
        answer = line.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        line.close()


def test_sheets_are_kept_from_one_sitting_to_the_next(tmp_path: Path) -> None:
    """What a phone writes in one is shown in the next, to the same phone; the snapshot counts the entries."""
    command = {"type": "open", "names": ["Ana", "Luis"], "dealer": 0, "agreement": {"game": "tute"}}
    with sit_down(options(tmp_path)) as sitting:
        cookie = paired(sitting.link)
        written = ask(sitting.link, cookie, "/api/sheets", command)
        assert written == (201, {"sheet": 1, "seq": 1, "position": 1})
    with sit_down(options(tmp_path)) as sitting:
        assert ask(sitting.link, cookie, "/api/sheets/1")[1]["names"] == ["Ana", "Luis"]
        assert ask(sitting.link, cookie, "/api/snapshot")[1]["sheets"] == 1


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
