"""Listening, addresses and QR codes."""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import socket
import sys
import threading
import time
from pathlib import Path

import pytest
from flask import Flask, request
from paired import cookie_of, pairing_in
from scripted_table import ScriptedDecoders, random_hand, timed, view_at

from companion.live.table import LiveTable
from companion.rules.ruleset import RuleSet
from companion.server import ServingError, create_app, serve
from companion.server.address import NetworkNames, lan_address, pairing_link, qr_text
from companion.server.serving import THREADS, _LoggingServer
from companion.server.stream import HEARTBEAT_S
from companion.store.log import EventLog


def test_the_address_of_this_machine_is_an_address() -> None:
    """Whatever network there is, the answer can be put into a link."""
    assert ipaddress.ip_address(lan_address())


def test_a_link_for_every_network_names_one_address() -> None:
    """Listening everywhere is no address that a phone could open."""
    link = pairing_link("0.0.0.0", 8666, "a b")
    assert link == f"http://{lan_address()}:8666/pair?token=a%20b"
    assert pairing_link("::1", 80, "t") == "http://[::1]:80/pair?token=t"


def test_the_qr_code_is_square_and_says_the_link() -> None:
    """The terminal shows half blocks; different links give different codes of the same height."""
    one, other = (
        qr_text("http://192.168.1.20:8666/pair?token=a"),
        qr_text("http://192.168.1.20:8666/pair?token=b"),
    )
    assert one != other
    assert len(one.splitlines()) == len(other.splitlines()) > 10


def test_own_names_and_addresses_are_known_and_others_are_not() -> None:
    """The guard against names from elsewhere that point here."""
    names = NetworkNames("Tisch.Local")
    for host in (socket.gethostname(), "tisch.local:8666", "10.0.0.7", "[fe80::1]:80", "localhost."):
        assert host in names
    for host in ("", "evil.example", "10.0.0.7.evil.example", "[evil]"):
        assert host not in names


def test_an_address_in_use_is_named() -> None:
    """A second server on the same port fails with one clear line."""
    app = Flask("empty")
    with serve(app, "127.0.0.1", 0) as first, pytest.raises(ServingError, match=f"{first.port}: .*in use"):
        serve(app, "127.0.0.1", first.port)


def test_a_phone_that_vanishes_without_a_word_is_gone_within_half_a_minute() -> None:
    """Where its network is off nothing is acknowledged: the system gives the connection up soon."""
    with socket.socket() as listening:
        _LoggingServer.bind_socket(listening, ("127.0.0.1", 0))
        listening.listen()
        with socket.create_connection(listening.getsockname()), listening.accept()[0] as connection:
            gone_after_s = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) / 1000

    # what is not acknowledged is sent within one beat; that it is given up is noticed within another
    assert 0 < gone_after_s <= 30 - 2 * HEARTBEAT_S


def test_streams_and_commands_go_over_the_wire(tmp_path: Path) -> None:
    """On a real socket events arrive as they happen, while other requests are answered beside them."""
    script = timed(random_hand(3))
    pairing = pairing_in(tmp_path)
    log = EventLog(tmp_path / "t.sqlite")
    with (
        LiveTable(log, ScriptedDecoders(script), rules=RuleSet()) as table,
        serve(create_app(table, pairing), "127.0.0.1", 0) as serving,
    ):
        phones = []
        for _ in range(12):
            line = http.client.HTTPConnection("127.0.0.1", serving.port, timeout=20)
            line.request("GET", "/api/events", headers={"Cookie": cookie_of(pairing)})
            phones.append((line, line.getresponse()))
        for _, answer in phones:
            assert answer.headers["Content-Type"].startswith("text/event-stream")
            assert next_data(answer).startswith(b'data: {"revision"')
        table.see(view_at(1.0))
        for _, answer in phones:
            assert b'"type":"deal"' in next_data(answer)
        table.feed.close()
        for line, answer in phones:
            answer.read()
            line.close()


def next_data(answer: http.client.HTTPResponse) -> bytes:
    """The next data line of a snapshot."""
    while line := answer.readline():
        if line.startswith(b"data: {") and line.strip() != b"data: {}":
            return line
    raise LookupError("the stream has ended")


def test_stopping_ends_every_thread(tmp_path: Path) -> None:
    """After a stop no thread of server or table is left, with phones still connected."""
    before = set(threading.enumerate())
    pairing = pairing_in(tmp_path)
    with LiveTable(EventLog(tmp_path / "t.sqlite"), ScriptedDecoders(), rules=RuleSet()) as table:
        with serve(create_app(table, pairing), "127.0.0.1", 0) as serving:
            line = http.client.HTTPConnection("127.0.0.1", serving.port, timeout=20)
            cookie = cookie_of(pairing)
            line.request("GET", "/api/events", headers={"Cookie": cookie})
            line.getresponse()
            table.feed.close()
        line.close()
    assert set(threading.enumerate()) <= before


@pytest.mark.parametrize(
    "begun",
    [b"GET /", b"POST /pair HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1073741824\r\n\r\n"],
    ids=["line", "body"],
)
def test_a_request_without_an_end_fills_no_memory(begun: bytes) -> None:
    """Whoever is not let in sends a first line that never ends, or a body that hardly does: it is cut off."""
    with serve(Flask("empty"), "127.0.0.1", 0) as server, socket.socket() as wire:
        wire.settimeout(20.0)
        wire.connect(("127.0.0.1", server.port))
        taken = 0
        try:
            wire.sendall(begun)
            while taken < 8_000_000:
                taken += wire.send(b"a" * 65536)
        except OSError:
            pass

    assert taken < 8_000_000


@pytest.mark.skipif(sys.platform != "linux", reason="needs a second address of the loopback")
@pytest.mark.parametrize(
    "begins",
    [
        b"GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 500000\r\n\r\n",
    ],
    ids=["head", "body"],
)
def test_requests_that_drip_in_keep_nobody_else_out(monkeypatch: pytest.MonkeyPatch, begins: bytes) -> None:
    """More of them than there are threads, a byte now and then: another address is served, and they end."""
    monkeypatch.setattr("companion.server.serving.READ_S", 1.0)
    app = Flask("empty")
    app.add_url_rule("/", "index", lambda: "here")
    with serve(app, "127.0.0.1", 0) as server, contextlib.ExitStack() as stack:
        slow = [stack.enter_context(socket.socket()) for _ in range(THREADS + 10)]
        for each in slow:
            each.settimeout(20.0)
            each.connect(("127.0.0.1", server.port))
            each.sendall(begins)
        other = stack.enter_context(socket.socket())
        other.settimeout(20.0)
        other.bind(("127.0.0.2", 0))
        other.connect(("127.0.0.1", server.port))
        other.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        told = b"".join(iter(lambda: other.recv(4096), b""))
        ends = [b"".join(iter(lambda: _rest(each), b"")) for each in slow]  # noqa: B023 - used at once

    assert told.endswith(b"here")
    assert all(end == b"" or end.startswith(b"HTTP/1.1 4") for end in ends)


def test_an_answer_may_take_longer_than_its_request_may(monkeypatch: pytest.MonkeyPatch) -> None:
    """A position to be solved, say: the request was whole at once, with its body or without one."""
    monkeypatch.setattr("companion.server.serving.READ_S", 0.5)
    app = Flask("slow")

    def work() -> bytes:
        sent = request.get_data()
        time.sleep(3.0)
        return sent or b"done"

    app.add_url_rule("/", "work", work, methods=["GET", "POST"])
    with serve(app, "127.0.0.1", 0) as server:
        for method, body, told in (("GET", None, b"done"), ("POST", b"a position", b"a position")):
            line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
            line.request(method, "/", body=body)
            assert line.getresponse().read() == told
            line.close()


def _rest(wire: socket.socket) -> bytes:
    """What comes on a connection until the server ends it, a byte being sent meanwhile."""
    try:
        wire.sendall(b"a")
        return wire.recv(4096)
    except ConnectionError:
        return b""
