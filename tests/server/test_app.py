"""The phone's server: who gets in, what can be asked, what is answered."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from paired import ORIGIN, pair
from scripted_table import HAND, ScriptedDecoders, random_hand, timed, view_at

from companion.live.snapshot import Role
from companion.live.table import LiveTable
from companion.rules.ruleset import RuleSet
from companion.server.app import MAX_STREAMS, MAX_STREAMS_EACH
from companion.server.files import page_file
from companion.server.pairing import Pairing
from companion.store.log import EventLog


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    """A table whose camera will see a whole hand, one event a second."""
    script = timed(HAND)
    log = EventLog(tmp_path / "table.sqlite")
    with LiveTable(log, ScriptedDecoders(script), rules=RuleSet(), source="script") as table:
        yield table


@pytest.fixture
def phone(stranger: FlaskClient, pairing: Pairing) -> FlaskClient:
    """The paired phone in the middle of the table."""
    return pair(stranger, pairing)


def events_of(chunks: Iterator[bytes], count: int) -> list[dict[str, str]]:
    """The next `count` server-sent events, each as its fields."""
    events: list[dict[str, str]] = []
    for chunk in chunks:
        fields = dict(line.split(": ", 1) for line in chunk.decode().strip().splitlines())
        if "event" in fields:
            events.append(fields)
        if len(events) == count:
            return events
    raise LookupError(f"the stream ended after {len(events)} events")


PATHS = ("/", "/app.js", "/style.css", "/api/snapshot", "/api/events", "/api/rules")


@pytest.mark.parametrize("path", PATHS)
def test_without_a_cookie_nothing_is_shown(stranger: FlaskClient, path: str) -> None:
    """Page, files and data are 401 for whoever is not paired, with a word on how to pair."""
    answer = stranger.get(path)
    assert answer.status_code == 401
    assert "QR" in answer.text
    assert "trump" not in answer.text


def test_without_a_cookie_nothing_changes(stranger: FlaskClient, table: LiveTable) -> None:
    """A command of an unpaired device is refused before it is read."""
    answer = stranger.post("/api/commands", json={"type": "new_hand", "dealer": 0}, headers=ORIGIN)
    assert answer.status_code == 401
    assert table.standing().called is None


def test_the_page_and_its_files_come_from_this_server_only(phone: FlaskClient) -> None:
    """Every file is served with headers that let in nothing from elsewhere, and names no other address."""
    for path in ("/", "/app.js", "/style.css", "/words.js", "/cards.js", "/link.js", "/dom.js", "/icon.svg"):
        answer = phone.get(path, buffered=True)
        assert answer.status_code == 200
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        text = answer.text.replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text
        assert "https://" not in text


def test_files_are_packed_for_those_who_can_unpack_them(phone: FlaskClient) -> None:
    """A phone that takes gzip gets the same text in it; pictures stay as they are; nothing twice."""
    plain = phone.get("/words.js", buffered=True)
    packed = phone.get("/words.js", headers={"Accept-Encoding": "gzip, br"}, buffered=True)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert int(packed.headers["Content-Length"]) == len(packed.data) < len(plain.data) / 2
    assert "Content-Encoding" not in plain.headers
    assert {plain.headers["Vary"], packed.headers["Vary"]} == {"Accept-Encoding"}
    known = {"If-None-Match": packed.headers["ETag"], "Accept-Encoding": "gzip"}
    again = phone.get("/words.js", headers=known, buffered=True)
    assert (again.status_code, again.data) == (304, b"")
    picture = phone.get("/icon-180.png", headers={"Accept-Encoding": "gzip"}, buffered=True)
    assert "Content-Encoding" not in picture.headers


def test_a_changed_file_is_sent_as_it_is_now(tmp_path: Path) -> None:
    """What was packed once is packed anew when the file has changed."""
    for text in ("one", "two, longer"):
        (tmp_path / "a.js").write_text(text)
        with Flask("x").test_request_context(headers={"Accept-Encoding": "gzip"}):
            answer = page_file(tmp_path, "a.js")
            answer.direct_passthrough = False
            assert gzip.decompress(answer.data).decode() == text


def test_no_file_outside_the_page_is_served(phone: FlaskClient) -> None:
    """A path that leads out of the page's folder finds nothing."""
    for path in ("/../pyproject.toml", "/%2e%2e/pyproject.toml", "/..%2fpyproject.toml"):
        assert phone.get(path, buffered=True).status_code in (308, 404)


def test_a_name_that_no_file_can_have_is_not_found(phone: FlaskClient) -> None:
    """Too long for the disk, it is no failure of the server, whatever the phone can unpack."""
    for headers in ({}, {"Accept-Encoding": "gzip"}):
        assert phone.get(f"/{'a' * 300}.html", headers=headers).status_code == 404


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", ""])
def test_a_name_from_elsewhere_that_points_here_is_refused(phone: FlaskClient, host: str) -> None:
    """A page of another site cannot reach the server under its own name."""
    assert phone.get("/api/snapshot", headers={"Host": host}).status_code == 421


@pytest.mark.parametrize(
    "host", ["192.168.1.5:8666", "127.0.0.1", "[::1]:8666", "localhost:8666", "LOCALHOST"]
)
def test_the_machine_is_reached_by_address_or_own_name(phone: FlaskClient, host: str) -> None:
    """Addresses and the machine's own names pass; the cookie is asked for as ever."""
    assert phone.get("/api/rules", headers={"Host": host}).status_code in (200, 401)


@pytest.mark.parametrize(
    "origin",
    [{}, {"Origin": "null"}, {"Origin": "http://evil.example"}, {"Origin": "http://localhost:81"}],
)
def test_a_command_from_another_page_is_refused(phone: FlaskClient, table: LiveTable, origin) -> None:
    """A paired browser cannot be made to press by a page of another origin."""
    answer = phone.post("/api/commands", json={"type": "new_hand"}, headers=origin)
    assert answer.status_code == 403
    assert table.standing().called is None


def test_no_get_presses(phone: FlaskClient, table: LiveTable) -> None:
    """Commands are taken by POST only."""
    assert phone.get("/api/commands?type=new_hand").status_code in (404, 405)
    assert table.standing().called is None


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("[]", "object"),
        ("7", "object"),
        ("{}", "type"),
        ('{"type":"fold"}', "fold"),
        ('{"type":"claim"}', "player"),
        ('{"type":"claim","player":2}', "player"),
        ('{"type":"claim","player":true}', "player"),
        ('{"type":"claim","player":"0"}', "player"),
        ('{"type":"claim","player":0,"points":66}', "points"),
        ('{"type":"marriage","player":0,"suit":"X"}', "suit"),
        ('{"type":"marriage","player":0,"suit":["H"]}', "suit"),
        ('{"type":"undo","seq":-1}', "seq"),
        ('{"type":"undo","seq":1.5}', "seq"),
        ('{"type":"new_match","names":["a"]}', "names"),
        ('{"type":"new_match","names":["a","' + "b" * 25 + '"]}', "names"),
        ('{"type":"new_match","rules":{"preset":"whist"}}', "whist"),
        ('{"type":"new_match","clear_marks":1}', "clear_marks"),
        ('{"type":"new_match","marks":[1]}', "marks"),
        ('{"type":"new_match","marks":[0,100]}', "marks"),
        ('{"type":"new_match","marks":[0,"1"]}', "marks"),
        ('{"type":"correct","seq":1,"event":{"type":"play","player":0,"card":"1H"}}', "card"),
        ('{"type":"insert","after":1,"event":{"type":"deal","dealer":0,"turned_up":null}}', "event"),
        ('{"type":"insert","after":1,"event":null}', "event"),
        ('{"type":"swap","seq":1}', "with"),
        ('{"type":"claim","player":0,"key":7}', "key"),
        ('{"type":"claim","player":0,"key":"' + "k" * 65 + '"}', "key"),
        (r'{"type":"new_hand","key":"\ud800"}', "key"),
        ("{", ""),
        ("", ""),
    ],
)
def test_what_is_no_command_is_a_400_that_names_the_field(phone: FlaskClient, body: str, says: str) -> None:
    """The boundary is strict: nothing unknown, missing or of the wrong kind comes through."""
    answer = phone.post("/api/commands", data=body, headers=ORIGIN, content_type="application/json")
    assert answer.status_code == 400
    assert says in answer.get_json()["error"]


def test_a_body_that_is_no_json_or_too_large_is_refused(phone: FlaskClient) -> None:
    """Forms are 415 and floods are 413, both as JSON."""
    form = phone.post("/api/commands", data={"type": "new_hand"}, headers=ORIGIN)
    assert (form.status_code, "error" in form.get_json()) == (415, True)
    flood = phone.post("/api/commands", data=b" " * 20_000, headers=ORIGIN, content_type="application/json")
    assert (flood.status_code, "error" in flood.get_json()) == (413, True)


def test_a_command_that_cannot_be_done_now_is_a_409_with_its_reason(phone: FlaskClient) -> None:
    """What the rules do not allow now is told apart from what is no command."""
    answer = phone.post("/api/commands", json={"type": "claim", "player": 0}, headers=ORIGIN)
    assert (answer.status_code, answer.get_json()["reason"]) == (409, "no_hand")


def test_a_command_is_done_and_shown(phone: FlaskClient) -> None:
    """A command is answered 201 with a revision, and the snapshot of that revision shows it."""
    answer = phone.post("/api/commands", json={"type": "new_hand", "dealer": 1}, headers=ORIGIN)
    snapshot = phone.get("/api/snapshot").get_json()
    assert answer.status_code == 201
    assert snapshot["revision"] == answer.get_json()["revision"]
    assert snapshot["match"]["next_dealer"] == 1


def test_after_the_table_is_closed_commands_are_a_503(phone: FlaskClient, table: LiveTable) -> None:
    """A server whose table is gone says so and acknowledges nothing."""
    table.close()
    assert phone.post("/api/commands", json={"type": "new_hand"}, headers=ORIGIN).status_code == 503


def test_a_failure_inside_is_a_500_without_its_details(
    phone: FlaskClient, table: LiveTable, monkeypatch
) -> None:
    """What went wrong inside goes to the log file, not to the phone."""

    def broken(command, key="", source=""):
        raise RuntimeError("secret detail")

    monkeypatch.setattr(table, "submit", broken)
    answer = phone.post("/api/commands", json={"type": "new_hand"}, headers=ORIGIN)
    assert answer.status_code == 500
    assert "secret" not in answer.text


def test_the_stream_gives_the_state_and_then_every_change(phone: FlaskClient, table: LiveTable) -> None:
    """The first event is the whole state with an id; what happens next follows."""
    stream = phone.get("/api/events").iter_encoded()
    (first,) = events_of(stream, 1)
    assert first["event"] == "snapshot"
    assert json.loads(first["data"])["hand"] is None
    table.see(view_at(1.0))
    (second,) = events_of(stream, 1)
    assert json.loads(second["data"])["hand"]["number"] == 1
    assert second["id"] != first["id"]


@pytest.mark.parametrize("by", ["header", "query"])
def test_a_phone_that_comes_back_is_told_only_what_it_missed(
    phone: FlaskClient, table: LiveTable, by: str
) -> None:
    """With the newest id nothing is sent again but a heartbeat; with an older one the state now."""
    (first,) = events_of(phone.get("/api/events").iter_encoded(), 1)
    last = (
        {"headers": {"Last-Event-ID": first["id"]}}
        if by == "header"
        else {"query_string": {"after": first["id"]}}
    )
    (again,) = events_of(phone.get("/api/events", **last).iter_encoded(), 1)
    assert again["event"] == "beat"
    for time in (1.0, 2.0, 3.0):
        table.see(view_at(time))
    (caught_up,) = events_of(phone.get("/api/events", **last).iter_encoded(), 1)
    assert len(json.loads(caught_up["data"])["hand"]["events"]) == 3


def test_a_slow_phone_skips_what_is_outdated(phone: FlaskClient, table: LiveTable) -> None:
    """A phone that reads nothing for a while is sent the newest state, not a queue of old ones."""
    stream = phone.get("/api/events").iter_encoded()
    events_of(stream, 1)
    for time in range(1, 8):
        table.see(view_at(float(time)))
    (next_,) = events_of(stream, 1)
    assert len(json.loads(next_["data"])["hand"]["events"]) == 7


def test_streams_are_limited_so_that_commands_come_through(phone: FlaskClient, pairing: Pairing) -> None:
    """One stream more than there is room for is a 503; a stream that ends makes room."""
    clients = [pair(phone.application.test_client(), pairing) for _ in range(MAX_STREAMS)]
    streams = [client.get("/api/events") for client in clients]
    refused = phone.get("/api/events")
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "5")
    streams[0].close()
    assert phone.get("/api/events").status_code == 200


def test_one_device_does_not_take_the_streams_of_all(phone: FlaskClient, pairing: Pairing) -> None:
    """A device with too many pages open is refused one more; another device is not."""
    streams = [phone.get("/api/events") for _ in range(MAX_STREAMS_EACH)]
    assert phone.get("/api/events").status_code == 503
    other = pair(phone.application.test_client(), pairing)
    assert other.get("/api/events").status_code == 200
    streams[0].close()
    assert phone.get("/api/events").status_code == 200


def test_streams_end_when_the_feed_closes(phone: FlaskClient, table: LiveTable) -> None:
    """A server that stops is not held up by its phones."""
    stream = phone.get("/api/events").iter_encoded()
    events_of(stream, 1)
    table.feed.close()
    assert b"".join(stream) in (b"", b"event: beat\ndata: {}\n\n")


@pytest.mark.parametrize("role", [Role.SPECTATOR, Role.BOARD])
def test_who_looks_on_sees_and_presses_nothing(
    stranger: FlaskClient, pairing: Pairing, table: LiveTable, role: Role
) -> None:
    """A looker-on has the counts, no buttons, and a 403 for every command."""
    pair(stranger, pairing, role)
    for time in range(1, 5):
        table.see(view_at(float(time)))
    hand = stranger.get("/api/snapshot").get_json()["hand"]
    assert all(side["may"] == [] and side["marriage_suits"] == [] for side in hand["sides"])
    assert all(side["total"] for side in hand["sides"])
    answer = stranger.post("/api/commands", json={"type": "new_hand"}, headers=ORIGIN)
    assert answer.status_code == 403


def test_a_whole_hand_is_json_at_every_event(tmp_path: Path) -> None:
    """Snapshots of random hands have a JSON form at every event: cards and players as the page reads them."""
    for seed in range(12):
        script = timed(random_hand(seed))
        log = EventLog(tmp_path / f"{seed}.sqlite")
        with LiveTable(log, ScriptedDecoders(script), rules=RuleSet()) as table:
            for time, _ in script:
                table.see(view_at(time))
                hand = json.loads(json.dumps(table.feed.wait("", 0.0).to_json()))["hand"]
                assert hand["trump"] == str(script[0][1].turned_up)[1]
                assert {laid["player"] for laid in hand["trick"]} <= {0, 1}
                assert all(side["total"][0] <= side["total"][1] for side in hand["sides"])


@pytest.mark.parametrize("path", ["/api/commands", "/api/corrections/preview"])
def test_json_that_is_nested_too_deeply_is_a_wrong_request(phone: FlaskClient, path: str) -> None:
    """As wrong as any other, and no fault of the server."""
    answer = phone.post(path, data="[" * 7_500, content_type="application/json", headers=ORIGIN)
    assert answer.status_code == 400


@pytest.mark.parametrize("name", ["\ud800", "A\nB", "A\u202eB", "\0"])
def test_a_name_that_cannot_be_shown_is_refused(phone: FlaskClient, name: str) -> None:
    """The table keeps the names that it has."""
    wanted = {"type": "new_match", "names": [name, "Bert"]}
    answer = phone.post("/api/commands", json=wanted, headers=ORIGIN)
    assert answer.status_code == 400
    assert "cannot be shown" in answer.json["error"]
    assert "Bert" not in phone.get("/api/snapshot").text


@pytest.mark.parametrize(
    ("method", "path", "sent", "status", "says"),
    [
        ("POST", "/api/commands", {"data": b"x" * 20_000}, 413, "20000 bytes, at most 16384"),
        ("POST", "/api/commands", {"data": b"{"}, 400, "the body is no JSON: Expecting"),
        ("POST", "/api/commands", {"data": b"{}", "content_type": "text/plain"}, 415, "json, got text/plain"),
        ("POST", "/api/commands", {"json": {"type": "claim", "player": 0, "key": "k" * 65}}, 400, "64.*65"),
        ("POST", "/api/commands", {"json": {"type": "new_match", "names": ["x" * 25, ""]}}, 400, "25.*24"),
        ("GET", "/api/nowhere", {}, 404, "nothing at /api/nowhere"),
        ("PUT", "/api/commands", {}, 405, "PUT is not taken at /api/commands, .*POST"),
    ],
)
def test_a_bad_request_is_told_what_was_given_and_what_is_possible(
    phone: FlaskClient, method: str, path: str, sent: dict, status: int, says: str
) -> None:
    """In the server's own words, with the limit."""
    answer = phone.open(path, method=method, headers=ORIGIN, **{"content_type": "application/json", **sent})
    assert answer.status_code == status
    assert re.search(says, answer.get_json()["error"])
