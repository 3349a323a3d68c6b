"""The routes of the score sheets: who may look, who may write, what is refused and how."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from paired import ORIGIN, pair, pairing_in
from scripted_table import ScriptedDecoders

from companion.live.sheet_book import SheetBook
from companion.live.snapshot import Role
from companion.live.table import LiveTable
from companion.rules.ruleset import RuleSet
from companion.server.app import create_app
from companion.server.pairing import Pairing
from companion.server.sheets import LISTED
from companion.sheets.form import entries_from_export
from companion.sheets.sheet import fold
from companion.store.log import EventLog
from companion.store.sheets import SheetLog

OPEN = {"type": "open", "names": ["Anna", "Bert", "Clara", "Dora"], "dealer": 0}
BAUERN = {**OPEN, "agreement": {"game": "bauern"}}
GANG = {"contract": "gang", "player": 1, "won": True}
PATHS = (
    "/sheet.html",
    "/sheet.js",
    "/sheet_words.js",
    "/api/sheets",
    "/api/sheets/1",
    "/api/sheets/1/export.json",
    "/api/sheets/1/export.txt",
)


@pytest.fixture
def book(tmp_path: Path) -> Iterator[SheetBook]:
    """The sheets."""
    with SheetBook(SheetLog(tmp_path / "sheets.sqlite")) as book:
        yield book


@pytest.fixture
def stranger(tmp_path: Path, book: SheetBook, pairing: Pairing) -> Iterator[FlaskClient]:
    """A phone that has not been paired."""
    log = EventLog(tmp_path / "table.sqlite")
    with LiveTable(log, ScriptedDecoders(), rules=RuleSet()) as table:
        yield create_app(table, pairing, sheets=book).test_client()


@pytest.fixture
def phone(stranger: FlaskClient, pairing: Pairing) -> FlaskClient:
    """A paired phone."""
    return pair(stranger, pairing)


def post(client: FlaskClient, command: object, **more):
    """Send a command as the page does."""
    return client.post("/api/sheets", json=command, headers=more.pop("headers", ORIGIN), **more)


@pytest.mark.parametrize("path", PATHS)
def test_without_a_cookie_no_sheet_is_shown(
    phone: FlaskClient, pairing: Pairing, book: SheetBook, path: str
) -> None:
    """Page, list, sheet and exports are 401 for whoever is not paired, and name nobody."""
    post(phone, BAUERN)
    phone.delete_cookie(pairing.cookie)
    answer = phone.get(path)
    assert answer.status_code == 401
    assert "Anna" not in answer.text
    assert len(book.sheets()) == 1


def test_without_a_cookie_nothing_is_written(stranger: FlaskClient, book: SheetBook) -> None:
    """A command of an unpaired device is refused before it is read."""
    assert post(stranger, BAUERN).status_code == 401
    assert book.sheets() == ()


@pytest.mark.parametrize("origin", [{}, {"Origin": "null"}, {"Origin": "http://evil.example"}])
def test_a_command_from_another_page_is_refused(phone: FlaskClient, book: SheetBook, origin: dict) -> None:
    """A paired browser cannot be made to write by a page of another origin."""
    assert post(phone, BAUERN, headers=origin).status_code == 403
    assert book.sheets() == ()


def test_who_looks_on_sees_and_writes_nothing(
    stranger: FlaskClient, pairing: Pairing, book: SheetBook
) -> None:
    """A spectator reads sheets, is told that there is nothing to press, and is refused if he does."""
    post(pair(stranger, pairing), BAUERN)
    pair(stranger, pairing, Role.SPECTATOR)
    assert stranger.get("/api/sheets").get_json()["may_write"] is False
    assert stranger.get("/api/sheets/1").get_json()["may_write"] is False
    assert post(stranger, {"type": "close", "sheet": 1, "after": 1}).status_code == 403
    assert not book.sheet(1).closed


def test_no_get_writes(phone: FlaskClient, book: SheetBook) -> None:
    """However a command is put into an address, reading changes nothing."""
    post(phone, BAUERN)
    before = book.entries(1)
    for path in (*PATHS, "/api/sheets?type=close&sheet=1&after=1", "/api/sheets/1?type=undo"):
        phone.get(path, buffered=True)
    assert book.entries(1) == before
    for method in (phone.put, phone.delete, phone.patch):
        assert method("/api/sheets/1", headers=ORIGIN).status_code == 405


def test_a_hand_is_written_and_shown(phone: FlaskClient) -> None:
    """Open, write, look: columns, the hand, what it paid, who deals."""
    answer = post(phone, BAUERN)
    assert (answer.status_code, answer.get_json()) == (201, {"sheet": 1, "seq": 1, "position": 1})
    assert post(phone, {"type": "hand", "sheet": 1, "after": 1, "hand": GANG}).status_code == 201
    shown = phone.get("/api/sheets/1").get_json()
    assert [account["shown"] for account in shown["accounts"]] == [0, 9]
    assert [account["players"] for account in shown["accounts"]] == [[0, 2], [1, 3]]
    (line,) = shown["lines"]
    assert (line["paid"], line["hand"]["dealer"], line["hand"]["worth"]) == ([0, 9], 0, 9)
    assert (shown["dealer"], shown["may_write"], shown["seq"]) == (1, True, 2)
    (summary,) = phone.get("/api/sheets").get_json()["sheets"]
    assert (summary["names"], summary["shown"], summary["hands"]) == (BAUERN["names"], [0, 9], 1)


def test_every_answer_is_of_now(phone: FlaskClient) -> None:
    """Looked at after each entry, by list and alone, a sheet never shows what has been overtaken."""
    post(phone, BAUERN)
    commands = (
        ({"type": "hand", "hand": GANG}, [0, 9]),
        ({"type": "hand", "hand": {**GANG, "player": 0}}, [9, 9]),
        ({"type": "undo"}, [0, 9]),
        ({"type": "correct", "line": 2, "hand": {**GANG, "won": False}}, [9, 0]),
        ({"type": "undo"}, [0, 9]),
        ({"type": "undo"}, [0, 0]),
    )
    for after, (command, columns) in enumerate(commands, start=1):
        post(phone, {**command, "sheet": 1, "after": after})
        shown = phone.get("/api/sheets/1").get_json()
        assert [account["shown"] for account in shown["accounts"]] == columns
        assert phone.get("/api/sheets").get_json()["sheets"][0]["shown"] == columns


def test_what_each_game_usually_agrees_is_told(phone: FlaskClient) -> None:
    """The page that opens a sheet knows no values of its own."""
    games = {each["game"]: each for each in phone.get("/api/sheets").get_json()["games"]}
    assert set(games) == {"zweier", "bauern", "dreier", "negyes", "harmas", "rotation", "tute"}
    assert games["bauern"]["target"] == 24
    assert {"name": "schnapser", "values": [6]} in games["bauern"]["contracts"]


def test_the_list_goes_back_page_by_page(phone: FlaskClient) -> None:
    """Newest first, so many at a time, and none is left out."""
    for _ in range(LISTED + 7):
        post(phone, BAUERN)
    first = phone.get("/api/sheets").get_json()
    numbers = [each["sheet"] for each in first["sheets"]]
    assert first["older"]
    assert numbers == list(range(LISTED + 7, 7, -1))
    rest = phone.get(f"/api/sheets?before={numbers[-1]}").get_json()
    assert [each["sheet"] for each in rest["sheets"]] == [7, 6, 5, 4, 3, 2, 1]
    assert not rest["older"]


@pytest.mark.parametrize("before", ["x", "-1", "1.5", "٣", "9" * 10])
def test_a_list_before_no_number_is_a_400(phone: FlaskClient, before: str) -> None:
    """With the parameter's name."""
    answer = phone.get("/api/sheets", query_string={"before": before})
    assert (answer.status_code, "before" in answer.get_json()["error"]) == (400, True)


def test_the_page_and_its_files_come_from_this_server_only(phone: FlaskClient) -> None:
    """Every file of the sheets is served under the strict policy, and names no other address."""
    names = (
        "sheet.html",
        "sheet.css",
        *(f"sheet{part}.js" for part in ("", "_entry", "_forms", "_parts", "_words")),
    )
    for name in names:
        served = phone.get(f"/{name}", buffered=True)
        assert served.status_code == 200
        assert "default-src 'none'" in served.headers["Content-Security-Policy"]
        assert not re.search(r"https?:|//[a-z]", served.text.replace("http://www.w3.org/2000/svg", ""))


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("[]", "type"),
        ("{}", "type"),
        ('{"type":"burn"}', "burn"),
        ('{"type":"open"}', "agreement"),
        ('{"type":"open","names":"Anna","dealer":0,"agreement":{"game":"bauern"}}', "names"),
        ('{"type":"open","names":["a","b",3,"d"],"dealer":0,"agreement":{"game":"bauern"}}', "names"),
        ('{"type":"open","names":["a\\n","b","c","d"],"dealer":0,"agreement":{"game":"bauern"}}', "names"),
        ('{"type":"open","names":[],"dealer":0,"agreement":{"game":"whist"}}', "whist"),
        ('{"type":"open","names":[],"dealer":0,"agreement":{"game":["bauern"]}}', "game"),
        ('{"type":"open","names":[],"dealer":0,"agreement":{"game":"bauern","goal":9}}', "goal"),
        ('{"type":"open","names":[],"dealer":0,"agreement":{"game":"bauern","target":0}}', "target"),
        ('{"type":"open","names":[],"dealer":0,"agreement":{"game":"bauern","marks":[1]}}', "marks"),
        ('{"type":"open","names":[],"dealer":0,"agreement":{"game":"bauern","count":"left"}}', "count"),
        ('{"type":"open","names":[],"dealer":-1,"agreement":{"game":"bauern"}}', "dealer"),
        ('{"type":"hand","sheet":1,"hand":{}}', "after"),
        ('{"type":"hand","sheet":1,"after":1,"hand":7}', "hand"),
        ('{"type":"hand","sheet":1,"after":1,"hand":{}}', "contract"),
        ('{"type":"hand","sheet":1,"after":1,"hand":{"contract":"gang","player":"0","won":true}}', "player"),
        ('{"type":"hand","sheet":1,"after":1,"hand":{"contract":"gang","player":0,"won":1}}', "won"),
        ('{"type":"hand","sheet":1,"after":1,"hand":{"contract":"gang","player":0,"won":true,"x":1}}', "x"),
        ('{"type":"hand","sheet":true,"after":1,"hand":{}}', "sheet"),
        ('{"type":"undo","sheet":1,"after":1.5}', "after"),
        ('{"type":"correct","sheet":1,"after":1,"line":2}', "hand"),
        ('{"type":"contracts","sheet":1,"after":1,"contracts":[{"name":"x"}]}', "values"),
        ('{"type":"contracts","sheet":1,"after":1,"contracts":[{"name":"x","values":[9,8]}]}', "values"),
        ('{"type":"close","sheet":1,"after":1,"key":7}', "key"),
        ('{"type":"close","sheet":1,"after":1,"key":"' + "k" * 65 + '"}', "key"),
        ("{", ""),
    ],
)
def test_what_is_no_command_is_a_400_that_names_the_field(phone: FlaskClient, body: str, says: str) -> None:
    """The boundary is strict: nothing unknown, missing or of the wrong kind comes through."""
    post(phone, BAUERN)
    answer = phone.post("/api/sheets", data=body, headers=ORIGIN, content_type="application/json")
    assert answer.status_code == 400
    assert says in answer.get_json()["error"]
    assert phone.get("/api/sheets/1").get_json()["seq"] == 1


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ({**BAUERN, "names": ["Anna", "Anna", "", ""]}, "name_twice"),
        ({**BAUERN, "names": ["Anna"]}, "name_count"),
        ({**BAUERN, "dealer": 4}, "no_player"),
        ({"type": "hand", "sheet": 1, "after": 9, "hand": GANG}, "too_late"),
        ({"type": "hand", "sheet": 1, "after": 1, "hand": {**GANG, "contract": "x"}}, "no_contract"),
        ({"type": "hand", "sheet": 1, "after": 1, "hand": {**GANG, "worth": 8}}, "not_in_table"),
        ({"type": "hand", "sheet": 1, "after": 1, "hand": {**GANG, "doubling": 3}}, "doubling"),
        ({"type": "hand", "sheet": 1, "after": 1, "hand": {**GANG, "partner": 2}}, "no_partner"),
        ({"type": "correct", "sheet": 1, "after": 1, "line": 1, "hand": None}, "no_line"),
        ({"type": "undo", "sheet": 1, "after": 1}, "nothing_to_undo"),
    ],
)
def test_what_cannot_be_is_a_409_with_its_reason(phone: FlaskClient, command: dict, reason: str) -> None:
    """A clear sentence, the same as a key, and figures for the page's own sentence."""
    post(phone, BAUERN)
    answer = post(phone, command)
    assert (answer.status_code, answer.get_json()["reason"]) == (409, reason)
    assert answer.get_json()["error"].endswith(".")
    assert isinstance(answer.get_json()["details"], dict)


def test_the_page_has_a_sentence_for_every_refusal() -> None:
    """Every reason in the code has its German and its English words, but those that the page never causes."""
    root = Path(__file__).parents[2]
    code = "\n".join(path.read_text() for path in (root / "companion").glob("sheets/*.py"))
    code += (root / "companion" / "live" / "sheet_book.py").read_text()
    reasons = set(re.findall(r'SheetError\(\s*"(\w+)"', code))
    assert len(reasons) > 30
    never = {
        *("contract_name", "contract_values", "doublings", "marks", "name_count", "no_line", "no_player"),
        *("not_open", "open_twice", "partners", "tute_contracts", "worth", "wrong_kind"),
    }
    german, english = (root / "web" / "sheet_words.js").read_text().split("const EN")
    for words in (german, english):
        told = set(re.findall(r"(\w+):", words.split("sheet_refused: {")[1].split("},")[0]))
        assert reasons - never <= told


@pytest.mark.parametrize("path", ["/api/sheets/1", "/api/sheets/99/export.json", "/api/sheets/99/export.txt"])
def test_a_sheet_that_is_not_there_is_a_404(phone: FlaskClient, path: str) -> None:
    """As JSON, with its number."""
    answer = phone.get(path)
    assert answer.status_code == 404
    assert "sheet" in answer.get_json()["error"]
    assert post(phone, {"type": "close", "sheet": 7, "after": 1}).status_code == 404


def test_a_form_is_refused(phone: FlaskClient) -> None:
    """Only JSON is taken."""
    assert phone.post("/api/sheets", data={"type": "open"}, headers=ORIGIN).status_code == 415


def test_an_exported_sheet_is_whole(phone: FlaskClient, book: SheetBook) -> None:
    """JSON has every entry, those taken back too, and makes the same sheet; the text names everybody."""
    post(phone, BAUERN)
    post(phone, {"type": "hand", "sheet": 1, "after": 1, "hand": {**GANG, "doubling": 2}})
    post(phone, {"type": "close", "sheet": 1, "after": 2})
    post(phone, {"type": "undo", "sheet": 1, "after": 3})
    answer = phone.get("/api/sheets/1/export.json")
    assert "attachment" in answer.headers["Content-Disposition"]
    entries = entries_from_export(json.loads(answer.data))
    assert entries == book.entries(1)
    assert fold(entries) == book.sheet(1)
    text = phone.get("/api/sheets/1/export.txt")
    assert text.mimetype == "text/plain"
    assert "1. dealer Anna; Bert gang 9 x2 won; +0 +18; 0 | 18" in text.text


def test_without_sheets_there_are_no_routes(tmp_path: Path) -> None:
    """A server that was given no book answers 404, not an error."""
    with LiveTable(EventLog(tmp_path / "t.sqlite"), ScriptedDecoders(), rules=RuleSet()) as table:
        pairing = pairing_in(tmp_path)
        client = pair(create_app(table, pairing).test_client(), pairing)
        assert client.get("/api/sheets").status_code == 404
