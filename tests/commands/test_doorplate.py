"""Where the first phone finds the table, while the machine changes its network."""

from __future__ import annotations

import contextlib
import io
import socket
import threading
from types import SimpleNamespace

import pytest
from patience import until

from companion.commands import doorplate
from companion.commands.doorplate import Doorplate
from companion.server import address
from companion.server.address import lan_address, moved


class NoWayOut(socket.socket):
    """A machine without a default route."""

    def connect(self, _: object) -> None:
        """Find none."""
        raise OSError(101, "Network is unreachable")


def adapters(**given: tuple[str, ...]) -> list[SimpleNamespace]:
    """Network adapters and their addresses."""
    return [
        SimpleNamespace(name=name, ips=[SimpleNamespace(ip=each, is_IPv4=":" not in each) for each in ips])
        for name, ips in given.items()
    ]


@pytest.mark.parametrize(
    ("there", "shown"),
    [
        ({"lo": ("127.0.0.1",)}, "127.0.0.1"),
        ({"lo": ("127.0.0.1",), "wlan0": ("fe80::1", "192.168.4.1")}, "192.168.4.1"),
        ({"docker0": ("172.17.0.1",), "wlan0": ("192.168.4.1",)}, "192.168.4.1"),
        ({"eth0": ("169.254.7.7",), "wlan0": ("10.42.0.1",)}, "10.42.0.1"),
        ({"eth0": ("169.254.7.7",)}, "169.254.7.7"),
    ],
)
def test_a_machine_that_is_the_access_point_itself_has_an_address(
    monkeypatch: pytest.MonkeyPatch, there: dict[str, tuple[str, ...]], shown: str
) -> None:
    """Nothing leads out of its network, and phones are in it."""
    monkeypatch.setattr(address.socket, "socket", NoWayOut)
    monkeypatch.setattr(address.ifaddr, "get_adapters", lambda: adapters(**there))
    assert lan_address() == shown


def test_only_another_address_is_a_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """A network that is away for a moment and comes back is none."""
    found = iter(["10.0.0.2", "127.0.0.1", "10.0.0.2", "10.0.0.9", "127.0.0.1", "10.0.0.9"])
    ended = threading.Event()

    def look() -> str:
        here = next(found, None)
        if here is None:
            ended.set()
        return here or "10.0.0.9"

    monkeypatch.setattr(address, "lan_address", look)
    assert list(moved("10.0.0.2", ended, 0.001)) == ["10.0.0.9"]


def test_a_moment_in_which_nobody_can_tell_the_address_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where too many files are open: the next move is noticed."""
    found = iter([OSError(24, "Too many open files"), "10.0.0.9"])
    ended = threading.Event()

    def look() -> str:
        here = next(found, None)
        if here is None:
            ended.set()
        if isinstance(here, OSError):
            raise here
        return here or "10.0.0.9"

    monkeypatch.setattr(address, "lan_address", look)
    assert list(moved("10.0.0.2", ended, 0.001)) == ["10.0.0.9"]


def test_a_machine_whose_terminal_is_gone_takes_its_name_along(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Started over a connection that was closed since: nobody reads where it is now; phones ask for it."""
    told: list[str] = []

    @contextlib.contextmanager
    def announced(where: str, *_: object):
        told.append(where)
        yield "schnapsen.local"

    monkeypatch.setattr(doorplate, "lan_address", lambda: "127.0.0.1")
    monkeypatch.setattr(doorplate, "moved", lambda *_: iter(("10.0.0.8", "10.0.0.9")))
    monkeypatch.setattr(doorplate, "announced", announced)
    monkeypatch.setattr(doorplate.sys, "stderr", Gone())
    with Doorplate("0.0.0.0", 8666) as shown:
        shown._follower.join(10.0)
    assert told == ["10.0.0.8", "10.0.0.9"]
    assert "could not be shown: [Errno 5]" in caplog.text


class Gone(io.StringIO):
    """A terminal that was closed."""

    def write(self, _: str) -> int:
        """Take nothing."""
        raise OSError(5, "Input/output error")


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_the_code_is_shown_again_where_the_machine_has_moved_to(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], host: str
) -> None:
    """The same code, since it may be on somebody's way in; the name in the network goes along."""
    here, told, gone = ["127.0.0.1"], [], []
    move = threading.Event()

    def moves(*_: object):
        move.wait(10.0)
        yield here[0]

    @contextlib.contextmanager
    def announced(where: str, *_: object):
        told.append(where)
        yield "schnapsen.local"
        gone.append(where)

    for module in (doorplate, address):
        monkeypatch.setattr(module, "lan_address", lambda: here[0])
    monkeypatch.setattr(doorplate, "moved", moves)
    monkeypatch.setattr(doorplate, "announced", announced)
    with Doorplate(host, 8666) as shown:
        assert shown.show("abc") == "http://127.0.0.1:8666/pair?token=abc"
        assert "schnapsen.local" not in capsys.readouterr().out  # it would lead a phone to itself
        here[0] = "192.168.5.20"
        move.set()
        until(lambda: told)
        until(lambda: not shown._follower.is_alive())
        out = capsys.readouterr().out.splitlines()
        assert "http://192.168.5.20:8666/pair?token=abc" in out
        assert "http://schnapsen.local:8666/pair?token=abc" in out
        assert not gone
    assert (told, gone) == (["192.168.5.20"], ["192.168.5.20"])
