"""Who gets in: codes that let in one device, cookies, owners, and devices that are sent away."""

from __future__ import annotations

import errno
import sqlite3
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import Clock
from flask import Flask
from flask.testing import FlaskClient
from paired import ORIGIN, cookie_of, pair, pairing_in
from scripted_table import ScriptedDecoders, random_hand, timed, view_at

from companion.live.snapshot import Role
from companion.live.table import LiveTable
from companion.rules.ruleset import RuleSet
from companion.server.app import create_app
from companion.server.device_book import Device, DeviceBook, DeviceBookError
from companion.server.devices import WRONG_CODES, pair_routes
from companion.server.pairing import COOKIE, Pairing
from companion.server.stream import HEARTBEAT_S
from companion.server.throttle import Throttle
from companion.store.log import EventLog

PATHS = ("/", "/board", "/overlay", "/app.js", "/api/snapshot", "/api/events", "/api/devices", "/api/me")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    """A table whose camera will see a hand."""
    log = EventLog(tmp_path / "table.sqlite")
    with LiveTable(log, ScriptedDecoders(timed(random_hand(5))), rules=RuleSet(), source="script") as table:
        yield table


@pytest.fixture
def owner(table: LiveTable, stranger: FlaskClient, pairing: Pairing) -> FlaskClient:
    """The owner's phone."""
    return pair(stranger.application.test_client(), pairing, owner=True)


def come_in(client: FlaskClient, token: str, **more: str):
    """Post the form of the page that a code leads to."""
    return client.post("/pair", data={"token": token, **more}, headers=ORIGIN)


def test_looking_at_a_link_lets_nobody_in_and_uses_nothing_up(
    stranger: FlaskClient, pairing: Pairing
) -> None:
    """A GET of the link, as previews do, sets no cookie, keeps no device, and leaves the code good."""
    token = pairing.invite(Role.SOUTH).token
    for _ in range(3):
        answer = stranger.get("/pair", query_string={"token": token})
        assert (answer.status_code, "Set-Cookie" in answer.headers) == (200, False)
        assert token in answer.text
    assert pairing.book.devices() == ()
    assert stranger.get("/api/snapshot").status_code == 401
    assert come_in(stranger, token).status_code == 303


@pytest.mark.parametrize(
    ("owner", "unset", "place"), [(True, True, "/setup.html"), (True, False, "/"), (False, True, "/")]
)
def test_an_owner_is_led_to_a_camera_that_is_not_set_up(
    pairing: Pairing, owner: bool, unset: bool, place: str
) -> None:
    """Only an owner, only until it is, and nobody who asked for another page."""
    app = Flask(__name__)
    app.register_blueprint(pair_routes(pairing, lambda: None, lambda: unset))

    for to, led in (("", place), ("board", "/board")):
        answer = come_in(app.test_client(), pairing.invite(Role.TABLE, owner=owner).token, to=to)
        assert answer.headers["Location"] == led


@pytest.mark.parametrize("role", list(Role))
def test_a_code_gives_one_device_its_role(stranger: FlaskClient, pairing: Pairing, role: Role) -> None:
    """The device has the role of the code; the same code lets no other device in, nor the same one again."""
    token = pairing.invite(role).token
    answer = come_in(stranger, token)
    assert answer.headers["Location"] == ("/board" if role is Role.BOARD else "/")
    me = stranger.get("/api/me").get_json()
    assert (me["role"], me["owner"]) == (role.value, False)
    other = stranger.application.test_client()
    for method in (lambda: other.get("/pair", query_string={"token": token}), lambda: come_in(other, token)):
        refused = method()
        assert (refused.status_code, "Set-Cookie" in refused.headers) == (401, False)
    assert other.get("/api/snapshot").status_code == 401
    assert len(pairing.book.devices()) == 1


def test_a_terminal_that_is_gone_keeps_no_device_out(
    stranger: FlaskClient, pairing: Pairing, caplog: pytest.LogCaptureFixture
) -> None:
    """The code is used up, so the device has its cookie, whoever cannot be told of it."""

    def gone(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    pairing.when_admitted(gone)
    pair(stranger, pairing)
    assert stranger.get("/api/me").status_code == 200
    assert "Input/output error" in caplog.text


def test_a_code_that_was_shown_too_long_ago_lets_nobody_in(tmp_path: Path, clock: Clock) -> None:
    """A code for ten minutes holds for ten minutes."""
    pairing = Pairing(DeviceBook(tmp_path / "devices.sqlite"), clock)
    token = pairing.invite(Role.SOUTH, minutes=10).token
    clock.now += 599
    assert pairing.knows(token)
    clock.now += 1
    assert not pairing.knows(token)
    assert pairing.admit(token) is None


def test_however_many_are_invited_the_code_in_the_terminal_holds(pairing: Pairing) -> None:
    """It stands there until it is used; of those that hold for minutes the oldest make room."""
    shown = pairing.invite(Role.TABLE, owner=True).token
    first, *_, last = (pairing.invite(Role.SPECTATOR, minutes=10).token for _ in range(100))
    assert pairing.knows(shown)
    assert not pairing.knows(first)
    assert pairing.knows(last)


def test_of_two_that_use_a_code_at_once_one_is_let_in(
    pairing: Pairing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second comes while the first is still being written down."""

    def slowly(device: Device) -> None:
        begun.set()
        time.sleep(0.2)
        add(device)

    add, begun = pairing.book.add, threading.Event()
    monkeypatch.setattr(pairing.book, "add", slowly)
    token = pairing.invite(Role.SOUTH).token
    with ThreadPoolExecutor(2) as devices:
        first = devices.submit(pairing.admit, token)
        begun.wait()
        second = devices.submit(pairing.admit, token)
        assert [first.result() is None, second.result() is None] == [False, True]
    assert len(pairing.book.devices()) == 1


def test_a_device_that_is_sent_away_as_it_uses_a_code_comes_in_as_a_new_one(pairing: Pairing) -> None:
    """It was recognised, then forgotten: the code is used up, and it would have no cookie."""
    known, _ = pairing.admit(pairing.invite(Role.SOUTH).token)
    pairing.book.remove(known.number)
    device, cookie = pairing.admit(pairing.invite(Role.NORTH).token, known=known)
    assert device.number != known.number
    assert pairing.recognise(cookie) == device


def test_the_cookie_is_for_this_server_only_and_nothing_kept_makes_one(
    stranger: FlaskClient, pairing: Pairing, tmp_path: Path
) -> None:
    """HTTP only, same site only; the file of devices holds neither code nor secret, and is private."""
    token = pairing.invite(Role.SOUTH).token
    header = come_in(stranger, token).headers["Set-Cookie"]
    secret = header.partition(";")[0].partition(".")[2]
    assert "HttpOnly" in header
    assert "SameSite=Strict" in header
    kept = (tmp_path / "devices.sqlite").read_bytes()
    assert len(secret) >= 40
    assert secret.encode() not in kept
    assert token.encode() not in kept
    assert (tmp_path / "devices.sqlite").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("path", PATHS)
def test_a_forged_cookie_is_no_cookie(stranger: FlaskClient, pairing: Pairing, path: str) -> None:
    """A cookie with a real device's number and another secret, or none, lets nobody in and is no error."""
    value = cookie_of(pairing, Role.REFEREE, owner=True).partition("=")[2]
    number, _, secret = value.partition(".")
    digest = pairing.book.devices()[0].digest.hex()
    forged = ("", number, f"{number}.", f"{number}.{secret[:-1]}", f"{number}.{digest}", f".{secret}", "ä.ö")
    for cookie in forged:
        stranger.set_cookie(COOKIE, cookie)
        answer = stranger.get(path)
        assert answer.status_code == 401
        assert "trump" not in answer.text


def test_devices_stay_paired_over_a_restart_and_codes_do_not(table: LiveTable, tmp_path: Path) -> None:
    """A server that is started anew knows its devices with their roles; codes of the old one are void."""
    first = pairing_in(tmp_path)
    cookie = cookie_of(first, Role.NORTH).partition("=")[2]
    token = first.invite(Role.SOUTH).token
    again = create_app(table, pairing_in(tmp_path)).test_client()
    again.set_cookie(COOKIE, cookie)
    assert again.get("/api/me").get_json()["role"] == "north"
    assert come_in(again.application.test_client(), token).status_code == 401


def test_two_tables_on_one_computer_leave_each_other_their_devices(table: LiveTable, tmp_path: Path) -> None:
    """Browsers send cookies to every port of a host: a device that both let in is known to both."""
    one, other = pairing_in(tmp_path / "one"), pairing_in(tmp_path / "other")
    browser = create_app(table, one).test_client()
    come_in(browser, one.invite(Role.SOUTH).token)
    second = create_app(table, other).test_client()
    second.set_cookie(one.cookie, browser.get_cookie(one.cookie).value)
    come_in(second, other.invite(Role.REFEREE).token)
    browser.set_cookie(other.cookie, second.get_cookie(other.cookie).value)

    assert second.get("/api/me").get_json()["role"] == "referee"
    assert browser.get("/api/me").get_json()["role"] == "south"


def test_a_device_that_comes_with_another_code_changes_its_role(owner: FlaskClient, pairing: Pairing) -> None:
    """It stays one device, and an owner stays one."""
    answer = come_in(owner, pairing.invite(Role.NORTH).token)
    assert (answer.status_code, "Set-Cookie" in answer.headers) == (303, False)
    me = owner.get("/api/me").get_json()
    assert (me["role"], me["owner"], len(pairing.book.devices())) == ("north", True, 1)


@pytest.mark.parametrize("headers", [{}, {"Origin": "null"}, {"Origin": "http://evil.example"}])
def test_only_the_own_page_asks_to_be_let_in(stranger: FlaskClient, pairing: Pairing, headers) -> None:
    """A form on another site cannot pair this browser."""
    token = pairing.invite(Role.SOUTH).token
    assert stranger.post("/pair", data={"token": token}, headers=headers).status_code == 403
    assert pairing.knows(token)


@pytest.mark.parametrize(
    ("accepted", "own", "title"),
    [
        ("", "de", "Dieses Gerät ist nicht gekoppelt"),
        ("de-AT,de;q=0.9,en;q=0.8", "de", "Dieses Gerät ist nicht gekoppelt"),
        ("en-GB,de;q=0.7", "de", "Dieses Gerät ist nicht gekoppelt"),
        ("en-GB,en;q=0.9", "en", "This device is not paired"),
        ("hu,en;q=0.5", "en", "This device is not paired"),
    ],
)
def test_whoever_is_not_let_in_is_spoken_to_in_the_language_of_the_table(
    stranger: FlaskClient, accepted: str, own: str, title: str
) -> None:
    """The page after it speaks German where the browser knows some, else English; the other comes second."""
    page = stranger.get("/", headers={"Accept-Language": accepted}).get_data(as_text=True)
    assert f'<html lang="{own}">' in page
    assert f"<h1>{title}</h1>" in page
    assert f'lang="{"en" if own == "de" else "de"}">' in page.partition("</h1>")[2]


def test_guessing_is_slowed_down(stranger: FlaskClient, pairing: Pairing) -> None:
    """After some wrong codes an address has to wait, with a right one, too; another address has not."""
    for _ in range(WRONG_CODES):
        assert stranger.get("/pair", query_string={"token": "guess"}).status_code == 401
    token = pairing.invite(Role.SOUTH).token
    for answer in (stranger.get("/pair", query_string={"token": token}), come_in(stranger, token)):
        assert answer.status_code == 429
        assert 1 <= int(answer.headers["Retry-After"]) <= 61
    elsewhere = {"REMOTE_ADDR": "192.168.1.77"}
    page = stranger.get("/pair", query_string={"token": token}, environ_overrides=elsewhere)
    assert page.status_code == 200


def test_who_has_waited_may_try_again(clock: Clock) -> None:
    """The count is forgotten when its time has passed, and not before."""
    throttle = Throttle(2, 60.0, clock)
    throttle.note("a")
    assert throttle.wait_s("a") == 0
    clock.now += 59
    throttle.note("a")
    assert throttle.wait_s("a") == 1
    clock.now += 1
    assert throttle.wait_s("a") == 0
    throttle.note("a")
    assert throttle.wait_s("a") == 0


def test_an_owner_invites_another_device(owner: FlaskClient, pairing: Pairing) -> None:
    """The answer has a link to the address that the owner's phone used, and the same as a QR code."""
    asked = {"type": "invite", "role": "south"}
    owner.set_cookie(pairing.cookie, owner.get_cookie(pairing.cookie).value, domain="10.0.0.7")
    answer = owner.post(
        "/api/devices", json=asked, headers={"Host": "10.0.0.7:8666", "Origin": "http://10.0.0.7:8666"}
    )
    invited = answer.get_json()
    assert answer.status_code == 201
    assert invited["link"].startswith("http://10.0.0.7:8666/pair?token=")
    assert invited["qr"].startswith("data:image/svg+xml")
    other = owner.application.test_client()
    assert come_in(other, invited["link"].partition("token=")[2]).status_code == 303
    assert other.get("/api/me").get_json()["role"] == "south"


def test_an_overlay_is_led_to_its_page(owner: FlaskClient) -> None:
    """A link for a video picture leads to the overlay, whoever opens it."""
    asked = {"type": "invite", "role": "board", "to": "overlay"}
    link = owner.post("/api/devices", json=asked, headers=ORIGIN).get_json()["link"]
    query = dict(part.split("=") for part in link.partition("?")[2].split("&"))
    answer = come_in(owner.application.test_client(), query["token"], to=query["to"])
    assert answer.headers["Location"] == "/overlay"


def test_a_device_that_is_in_is_led_on_by_a_used_code(owner: FlaskClient, stranger: FlaskClient) -> None:
    """A browser source that opens its link anew comes to its page, and nowhere else; a stranger does not."""
    assert owner.get("/pair?token=used&to=overlay").headers["Location"] == "/overlay"
    assert owner.get("/pair?token=used&to=//evil.example").headers["Location"] == "/"
    refused = stranger.get("/pair?token=used&to=//evil.example")
    assert refused.status_code == 401
    assert "evil" not in refused.text


@pytest.mark.parametrize(
    "asked",
    [
        {"type": "invite", "role": "referee", "owner": True},
        {"type": "revoke", "device": "0" * 16},
        {"type": "role", "device": "0" * 16, "role": "referee"},
    ],
)
def test_only_an_owner_lets_in_and_sends_away(stranger: FlaskClient, pairing: Pairing, asked: dict) -> None:
    """Other devices are refused, and are not told the numbers of devices."""
    pair(stranger, pairing, Role.REFEREE)
    refused = stranger.post("/api/devices", json=asked, headers=ORIGIN)
    assert (refused.status_code, refused.get_json()["reason"]) == (403, "not_yours")
    shown = stranger.get("/api/devices").get_json()["devices"]
    assert [each["role"] for each in shown] == ["referee"]
    assert all("device" not in each for each in shown)


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ([], 400),
        ({"type": "expel"}, 400),
        ({"type": "invite"}, 400),
        ({"type": "invite", "role": "king"}, 400),
        ({"type": "invite", "role": ["south"]}, 400),
        ({"type": "invite", "role": "south", "owner": 1}, 400),
        ({"type": "invite", "role": "south", "to": "//evil.example"}, 400),
        ({"type": "invite", "role": "south", "more": 1}, 400),
        ({"type": "revoke", "device": 7}, 400),
        ({"type": "revoke", "device": "0" * 16}, 404),
        ({"type": "role", "device": "0" * 16, "role": "south"}, 404),
    ],
)
def test_what_an_owner_cannot_have_meant_is_refused(owner: FlaskClient, asked: object, status: int) -> None:
    """Unknown, missing and wrong fields are 400, devices that are not there 404."""
    refused = owner.post("/api/devices", json=asked, headers=ORIGIN)
    assert refused.status_code == status
    assert refused.get_json().get("reason") == ("no_device" if status == 404 else None)


def test_a_device_that_is_sent_away_gets_nothing_more(
    owner: FlaskClient, stranger: FlaskClient, pairing: Pairing, table: LiveTable
) -> None:
    """Its open stream ends with the next event unsent, every request is 401, and a restart does not help."""
    phone = pair(stranger, pairing, Role.SOUTH)
    stream = phone.get("/api/events").iter_encoded()
    next(stream)
    assert b"snapshot" in next(stream)
    number = next(each.number for each in pairing.book.devices() if not each.owner)
    done = owner.post("/api/devices", json={"type": "revoke", "device": number}, headers=ORIGIN)
    assert done.status_code == 201
    table.see(view_at(2.0))
    assert list(stream) == []
    assert phone.get("/api/snapshot").status_code == 401
    assert phone.post("/api/commands", json={"type": "new_hand"}, headers=ORIGIN).status_code == 401
    assert [each.number for each in DeviceBook(pairing.book._path).devices()] != []
    assert number not in {each.number for each in DeviceBook(pairing.book._path).devices()}


def test_a_stream_that_waits_ends_at_once_when_its_device_is_sent_away(
    owner: FlaskClient, stranger: FlaskClient, pairing: Pairing
) -> None:
    """Nothing has to happen at the table: the waiting stream is woken."""
    phone = pair(stranger, pairing, Role.SOUTH)
    stream = phone.get("/api/events").iter_encoded()
    next(stream)
    next(stream)
    rest: list[bytes] = []
    reader = threading.Thread(target=lambda: rest.extend(stream))
    reader.start()
    number = next(each.number for each in pairing.book.devices() if not each.owner)
    owner.post("/api/devices", json={"type": "revoke", "device": number}, headers=ORIGIN)
    reader.join(0.8 * HEARTBEAT_S)  # a stream that was not woken would wait for its next heartbeat
    assert not reader.is_alive()
    assert b"snapshot" not in b"".join(rest)


def test_a_changed_role_shows_at_once(
    owner: FlaskClient, stranger: FlaskClient, pairing: Pairing, table: LiveTable
) -> None:
    """The stream ends, and comes back with what the new role sees, though nothing else has happened."""
    table.see(view_at(3.0))
    phone = pair(stranger, pairing, Role.SOUTH)
    stream = phone.get("/api/events").iter_encoded()
    next(stream)
    last = next(stream).decode().partition("\n")[0].removeprefix("id: ")
    number = next(each.number for each in pairing.book.devices() if not each.owner)
    owner.post("/api/devices", json={"type": "role", "device": number, "role": "spectator"}, headers=ORIGIN)
    assert list(stream) == []
    again = phone.get("/api/events", headers={"Last-Event-ID": last}).iter_encoded()
    next(again)
    assert b'"role":"spectator"' in next(again)


def test_a_press_that_was_done_is_answered_alike_after_the_role_has_gone(
    owner: FlaskClient, stranger: FlaskClient, pairing: Pairing, table: LiveTable
) -> None:
    """The phone asks once more, for the answer was lost; it may press nothing else any more."""
    phone = pair(stranger, pairing, Role.SOUTH)
    number = next(each.number for each in pairing.book.devices() if not each.owner)
    press = {"type": "new_hand", "key": "once"}
    first = phone.post("/api/commands", json=press, headers=ORIGIN)
    owner.post("/api/devices", json={"type": "role", "device": number, "role": "spectator"}, headers=ORIGIN)

    again = phone.post("/api/commands", json=press, headers=ORIGIN)
    other = phone.post("/api/commands", json={**press, "key": "another"}, headers=ORIGIN)
    assert (first.status_code, again.status_code, other.status_code) == (201, 201, 403)
    assert again.get_json() == first.get_json()
    owner.post("/api/devices", json={"type": "revoke", "device": number}, headers=ORIGIN)
    assert phone.post("/api/commands", json=press, headers=ORIGIN).status_code == 401


def test_the_owner_sees_who_looks_on_now(owner: FlaskClient, stranger: FlaskClient, pairing: Pairing) -> None:
    """A device with an open stream is told from one that is away; the owner's own is marked."""
    phone = pair(stranger, pairing, Role.NORTH)
    stream = phone.get("/api/events")
    shown = {each["role"]: each for each in owner.get("/api/devices").get_json()["devices"]}
    assert (shown["north"]["here"], shown["north"]["own"]) == (True, False)
    assert (shown["table"]["here"], shown["table"]["own"]) == (False, True)
    stream.close()
    shown = {each["role"]: each for each in owner.get("/api/devices").get_json()["devices"]}
    assert shown["north"]["here"] is False


def test_a_file_of_devices_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    """Damaged, from a later version, or where no folder can be: the message names the file."""
    damaged, later = tmp_path / "damaged.sqlite", tmp_path / "later.sqlite"
    damaged.write_text("milk, bread\n" * 400)
    with sqlite3.connect(later) as file:
        file.execute("PRAGMA user_version = 99")
    file.close()
    for path in (damaged, later, damaged / "below.sqlite"):
        with pytest.raises(DeviceBookError, match=r"\.sqlite"):
            DeviceBook(path)


def test_after_the_wait_wrong_codes_are_counted_anew() -> None:
    """Whoever guesses on waits again: a wait that is over is no leave to guess for ever."""
    clock = Clock()
    throttle = Throttle(3, 60.0, clock)
    for _ in range(2):
        for _ in range(3):
            assert throttle.wait_s("192.0.2.7") == 0
            throttle.note("192.0.2.7")
        assert throttle.wait_s("192.0.2.7") == 60.0
        clock.now += 60.0
