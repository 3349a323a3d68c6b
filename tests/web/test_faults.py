"""The network and the server fail in mid-hand: phones say so, come back by themselves, and are right.

Between browser and server lies a wire of the test's own that can be cut: nothing comes through and
nobody is told, as when the Wi-Fi is gone. While nothing can come the time of the phones' pages is moved on;
from when it can they have no more time than the clock on the wall.
"""

from __future__ import annotations

import contextlib
import http.client
import re
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import SPEECH, Phone, expect, free_port, nothing_twice
from scripted_table import HAND
from served_house import ServedHouse

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.alone]

BACK_MS = 2000
"""A phone is right again so long after the server's return at the latest."""
SAYS_SO_S = 10
"""A phone that hears nothing says so by then."""

PATIENCE_S = 2.0
"""A device that takes nothing for so long is hung up on, here."""


class Cable:
    """Carries bytes between a port of its own and the server's, until it is cut."""

    def __init__(self, to: int) -> None:
        self._to = to
        self._whole = threading.Event()
        self._whole.set()
        self._open = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._open.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Let nothing through; connections stay as they are."""
        self._whole.clear()

    def mend(self) -> None:
        """Let all through again."""
        self._whole.set()

    def close(self) -> None:
        """Take no more connections."""
        self._open.close()
        self._whole.set()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._open.accept()
            except OSError:
                return
            threading.Thread(target=self._join, args=(near,), daemon=True).start()

    def _join(self, near: socket.socket) -> None:
        self._whole.wait()
        try:
            far = socket.create_connection(("127.0.0.1", self._to), timeout=5)
        except OSError:
            near.close()
            return
        far.settimeout(None)
        for one, other in ((near, far), (far, near)):
            threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while part := one.recv(65536):
                self._whole.wait()
                other.sendall(part)
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[ServedHouse]:
    """A table and its server in a process of their own."""
    served = ServedHouse(tmp_path, free_port(), PATIENCE_S)
    yield served
    served.wake()
    served.kill()


@pytest.fixture
def cable(house: ServedHouse) -> Iterator[Cable]:
    """The network between the phones and the house."""
    laid = Cable(house.port)
    yield laid
    laid.close()


@pytest.fixture
def phones(chromium, house: ServedHouse, cable: Cable) -> Iterator[list[Phone]]:
    """South's and north's phone, which read events out, and a looker-on's."""
    opened = []
    for role in ("south", "north", "spectator"):
        link = house.link(role).replace(f":{house.port}/", f":{cable.port}/")
        choices = {"voice": "on", "language": "en"}
        opened.append(Phone(chromium, cable, link=link, script=SPEECH, choices=choices, hasty=True))
    yield opened
    for phone in opened:
        phone.context.close()


def tell(phones: list[Phone], count: int, within_ms: int = BACK_MS) -> None:
    """All phones show `count` events and say that they are connected, before the time is up."""
    until = time.monotonic() + within_ms / 1000
    for phone in phones:
        for what, state in (
            (f"#story li:nth-child({count}):last-child", "attached"),
            ("#link.good", "attached"),
        ):
            left = max(1.0, 1000 * (until - time.monotonic()))
            phone.page.wait_for_selector(what, state=state, timeout=left)


def say_so(phones: list[Phone], within_s: int = SAYS_SO_S) -> None:
    """All phones say that they are behind."""
    for phone in phones:
        banner = phone.page.locator("#banner")
        expect(banner).to_have_text(re.compile("No connection"), timeout=1000 * within_s)


def hear_nothing(phones: list[Phone], seconds: int) -> None:
    """So many seconds go by on all phones."""
    for _ in range(seconds):
        for phone in phones:
            phone.later(1)


def test_a_network_that_is_cut_in_mid_hand(phones: list[Phone], house: ServedHouse, cable: Cable) -> None:
    """Half a minute without network: the phones say so, and have what was played as soon as it is back."""
    house.see(4.0)
    tell(phones, 4)
    cable.cut()
    house.see(7.0)
    hear_nothing(phones, SAYS_SO_S)
    say_so(phones, within_s=1)
    hear_nothing(phones, 30 - SAYS_SO_S)
    cable.mend()
    tell(phones, 7)
    house.see(9.0)
    tell(phones, 9)
    nothing_twice(phones)


def test_a_server_that_is_killed_and_started_again(phones: list[Phone], house: ServedHouse) -> None:
    """Nothing that was shown is lost, and the hand goes on on every phone."""
    house.see(6.0)
    tell(phones, 6)
    house.kill()
    say_so(phones)
    house.start()
    tell(phones, 6)
    house.see(8.0)
    tell(phones, 8)
    nothing_twice(phones)


def test_a_laptop_that_sleeps_and_wakes(phones: list[Phone], house: ServedHouse) -> None:
    """The phones say that they hear nothing; once it is awake they follow without being touched."""
    house.see(5.0)
    tell(phones, 5)
    house.sleep()
    hear_nothing(phones, SAYS_SO_S)
    say_so(phones, within_s=1)
    house.wake()
    tell(phones, 5)
    house.see(7.0)
    tell(phones, 7)
    nothing_twice(phones)


def test_a_reader_that_stalls_holds_up_nobody(phones: list[Phone], house: ServedHouse) -> None:
    """Phones beside a device that never reads have each event in time; it is dropped."""
    wire = socket.socket()
    # small, so that it is full soon; of a smaller one the system says too late that there is room again
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 32768)
    wire.connect(("127.0.0.1", house.port))
    cookie = let_in(house)
    wire.sendall(f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {cookie}\r\n\r\n".encode())
    for hand in range(12):
        for place in range(1, len(HAND), 2):
            house.see(float(hand * len(HAND) + place))
            tell(phones, place)
    time.sleep(2 * PATIENCE_S)
    wire.settimeout(5)
    until = time.monotonic() + 5
    with contextlib.suppress(ConnectionResetError):
        while wire.recv(65536):  # what was on its way; then the server has hung up
            assert time.monotonic() < until
    wire.close()


def let_in(house: ServedHouse) -> str:
    """The cookie of a looker-on's device."""
    line = http.client.HTTPConnection("127.0.0.1", house.port, timeout=10)
    form = "token=" + house.link("spectator").partition("token=")[2]
    kind = {"Content-Type": "application/x-www-form-urlencoded", "Origin": f"http://127.0.0.1:{house.port}"}
    line.request("POST", "/pair", form, kind)
    cookie = line.getresponse().headers["Set-Cookie"].partition(";")[0]
    line.close()
    return cookie
