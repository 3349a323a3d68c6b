"""A killed server loses nothing that it has acknowledged, and the hand goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

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
sys.path[:0] = sys.argv[3:]
from pathlib import Path
from scripted_table import ScriptedDecoders, view_at
from companion.live.table import LiveTable
from companion.rules.ruleset import RuleSet
from companion.server import create_app, serve
from companion.server.device_book import DeviceBook
from companion.server.pairing import Pairing
from companion.store.coding import logged_event
from companion.store.log import EventLog

folder, number = Path(sys.argv[1]), int(sys.argv[2])
script = [(float(place), logged_event(each)) for place, each in enumerate(json.load(sys.stdin))]
log = EventLog(folder / "table.sqlite")
table = LiveTable(log, ScriptedDecoders(script), rules=RuleSet(), source="script")
pairing = Pairing(DeviceBook(folder / "devices.sqlite"))
app = create_app(table, pairing)
serving = serve(app, "127.0.0.1", 0)
table.see(view_at(float(number)))
shown = table.feed.wait("", 0.0)
print(json.dumps([shown.to_json(), serving.port]), flush=True)
os.kill(os.getpid(), signal.SIGKILL) if number >= 0 else None
threading.Event().wait()
"""


def serve_until(folder: Path, number: int, events: tuple[Event, ...]) -> tuple[int, dict]:
    """Start a server, let it see event `number`, and have it killed as soon as a phone was shown that."""
    tests = Path(__file__).resolve().parents[1]
    done = subprocess.run(
        [sys.executable, "-c", SERVER, str(folder), str(number), str(tests), str(tests.parent)],
        input=json.dumps([event_to_json(event) for event in events]),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    if not done.stdout:
        raise RuntimeError(done.stderr)
    return done.returncode, json.loads(done.stdout)[0]


def kept(folder: Path) -> list[Event]:
    """The events in the log, read beside whoever writes it."""
    with LogReader(folder / "table.sqlite") as reader:
        return [logged.item.event for logged in reader.read() if isinstance(logged.item, Settled)]


def test_a_server_killed_after_every_event_of_a_hand_loses_none(tmp_path: Path) -> None:
    """SIGKILL after each acknowledged event: the next server finds all of them and goes on to the award."""
    events = hand_with(Exchanged, MarriageDeclared, Claimed)
    for number, event in enumerate(events):
        status, shown = serve_until(tmp_path, number, events)
        assert status == -signal.SIGKILL
        assert [logged_event(told["event"]) for told in shown["hand"]["events"]] == list(events[: number + 1])
        assert kept(tmp_path) == list(events[: number + 1]), f"lost after {event}"
    whole = fold_hand(
        RuleSet(), tuple(Settled(place, 0.0, event, 1.0) for place, event in enumerate(events, start=1))
    )
    assert shown["hand"]["award"]["winner"] == whole.state.award.winner
    assert shown["hand"]["award"]["game_points"] == whole.state.award.game_points
    assert isinstance(events[0], Dealt)


def test_a_word_pressed_on_a_phone_survives_the_kill(tmp_path: Path) -> None:
    """Killed right after the phone was answered, the server comes back with what was pressed."""
    events = hand_with(MarriageDeclared, Claimed)
    before = [event for event in events if not isinstance(event, Claimed)]
    script = tmp_path / "phone.py"
    script.write_text(PHONE)
    cookie = cookie_of(pairing_in(tmp_path)).partition("=")[2]
    tests = Path(__file__).resolve().parents[1]
    child = subprocess.Popen(
        [
            sys.executable,
            "-c",
            SERVER.replace("number >= 0", "False"),
            str(tmp_path),
            str(len(before)),
            str(tests),
        ],
        cwd=tests.parent,
        env={**os.environ, "PYTHONPATH": str(tests.parent)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        json.dump([event_to_json(event) for event in before], child.stdin)
        child.stdin.close()
        shown, port = json.loads(child.stdout.readline())
        claimant = next(player for player in (0, 1) if "claim" in shown["hand"]["sides"][player]["may"])
        answer = subprocess.run(
            [sys.executable, str(script), cookie, str(port), str(claimant)],
            env={**os.environ, "PYTHONPATH": str(tests.parent)},
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        assert answer.stdout.strip() == "201"
    finally:
        child.kill()
        child.wait()
        child.stdout.close()
    assert kept(tmp_path) == [*before, Claimed(events[-1].player)]
    _, again = serve_until(tmp_path, len(before), tuple(before))
    assert again["hand"]["verdict"]["player"] == claimant


PHONE = """
import json, sys, urllib.request
from pathlib import Path
from companion.server.pairing import COOKIE

cookie, port, player = sys.argv[1], sys.argv[2], int(sys.argv[3])
request = urllib.request.Request(
    f"http://127.0.0.1:{port}/api/commands",
    json.dumps({"type": "claim", "player": player}).encode(),
    {"Content-Type": "application/json", "Cookie": f"{COOKIE}={cookie}", "Origin": f"http://127.0.0.1:{port}"},
)
print(urllib.request.urlopen(request).status)
"""
