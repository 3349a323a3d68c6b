"""A killed server loses nothing that it has acknowledged, and the hand goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from paired import cookie_of, pairing_in
from scripted_table import hand_with

from companion.live.hand import fold_hand
from companion.rules.event_form import event_to_json
from companion.rules.events import Claimed, Dealt, Event, Exchanged, MarriageDeclared
from companion.rules.ruleset import RuleSet
from companion.store.coding import logged_event
from companion.store.log import LogReader
from companion.table.entry import Settled

SERVER = """
import json, os, signal, sys, threading
sys.path[:0] = sys.argv[1:]
from pathlib import Path
from scripted_table import ScriptedDecoders, view_at
from companion.live.table import LiveTable
from companion.rules.ruleset import RuleSet
from companion.server import create_app, serve
from companion.server.device_book import DeviceBook
from companion.server.pairing import Pairing
from companion.store.coding import logged_event
from companion.store.log import EventLog

def show(folder, number, told):
    folder = Path(folder)
    script = [(float(place), logged_event(each)) for place, each in enumerate(told)]
    log = EventLog(folder / "table.sqlite")
    table = LiveTable(log, ScriptedDecoders(script), rules=RuleSet(), source="script")
    pairing = Pairing(DeviceBook(folder / "devices.sqlite"))
    app = create_app(table, pairing)
    serving = serve(app, "127.0.0.1", 0)
    table.see(view_at(float(number)))
    shown = table.feed.wait("", 0.0)
    print(json.dumps([shown.to_json(), serving.port, os.getpid()]), flush=True)
    return table, serving

for line in sys.stdin:
    *asked, killed = json.loads(line)
    child = os.fork()
    if not child:
        here = show(*asked)
        os.kill(os.getpid(), signal.SIGKILL) if killed else threading.Event().wait()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""Reads lines with a folder, the number of an event, all events, and whether to be killed then. Each is done
by a process of its own, which leaves nothing behind but its files; that all share what was imported spares
half a second for each event of a hand.
"""


class Servers:
    """Starts one server after the other."""

    def __init__(self) -> None:
        tests = Path(__file__).resolve().parents[1]
        self._starter = subprocess.Popen(
            [sys.executable, "-c", SERVER, str(tests), str(tests.parent)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def until(self, folder: Path, number: int, events: Sequence[Event], *, killed: bool = True) -> list:
        """Start one, let it see event `number`; return what a phone was shown, its port, and its process."""
        told = [event_to_json(event) for event in events]
        print(json.dumps([str(folder), number, told, killed]), file=self._starter.stdin, flush=True)
        return json.loads(self._starter.stdout.readline())

    def ended(self) -> int:
        """How the last one ended, as its exit status."""
        return json.loads(self._starter.stdout.readline())

    def close(self) -> None:
        """Kill all that still run."""
        os.killpg(self._starter.pid, signal.SIGKILL)
        self._starter.communicate()


@pytest.fixture
def servers() -> Iterator[Servers]:
    """Starts servers."""
    opened = Servers()
    yield opened
    opened.close()


def kept(folder: Path) -> list[Event]:
    """The events in the log, read beside whoever writes it."""
    with LogReader(folder / "table.sqlite") as reader:
        return [logged.item.event for logged in reader.read() if isinstance(logged.item, Settled)]


def test_a_server_killed_after_every_event_of_a_hand_loses_none(tmp_path: Path, servers: Servers) -> None:
    """SIGKILL after each acknowledged event: the next server finds all of them and goes on to the award."""
    events = hand_with(Exchanged, MarriageDeclared, Claimed)
    for number, event in enumerate(events):
        shown, *_ = servers.until(tmp_path, number, events)
        assert servers.ended() == -signal.SIGKILL
        assert [logged_event(told["event"]) for told in shown["hand"]["events"]] == list(events[: number + 1])
        assert kept(tmp_path) == list(events[: number + 1]), f"lost after {event}"
    whole = fold_hand(
        RuleSet(), tuple(Settled(place, 0.0, event, 1.0) for place, event in enumerate(events, start=1))
    )
    assert shown["hand"]["award"]["winner"] == whole.state.award.winner
    assert shown["hand"]["award"]["game_points"] == whole.state.award.game_points
    assert isinstance(events[0], Dealt)


def test_a_word_pressed_on_a_phone_survives_the_kill(tmp_path: Path, servers: Servers) -> None:
    """Killed right after the phone was answered, the server comes back with what was pressed."""
    events = hand_with(MarriageDeclared, Claimed)
    before = [event for event in events if not isinstance(event, Claimed)]
    cookie = cookie_of(pairing_in(tmp_path))
    shown, port, server = servers.until(tmp_path, len(before), before, killed=False)
    claimant = next(player for player in (0, 1) if "claim" in shown["hand"]["sides"][player]["may"])
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/commands",
        json.dumps({"type": "claim", "player": claimant}).encode(),
        {"Content-Type": "application/json", "Cookie": cookie, "Origin": f"http://127.0.0.1:{port}"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        assert answer.status == 201
        os.kill(server, signal.SIGKILL)
    assert servers.ended() == -signal.SIGKILL
    assert kept(tmp_path) == [*before, Claimed(events[-1].player)]
    again, *_ = servers.until(tmp_path, len(before), before)
    assert again["hand"]["verdict"]["player"] == claimant
