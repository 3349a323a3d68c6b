"""A sitting: log, table and server opened together, and what was pressed pressed again."""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from companion.bundle.archive import BundleWriter
from companion.bundle.recorder import Recorder
from companion.cli import main
from companion.commands.demo import Arrival
from companion.commands.fault import Fault
from companion.commands.sitting import Pressing, sit_down
from companion.config import Options
from companion.live.command import Claim, Close, Command, Declare, RefusedCommandError
from companion.rules.cards import Player, Suit
from companion.rules.events import Claimed, Closed, MarriageDeclared
from companion.rules.fair_play import FairPlay
from companion.table.detection import Frame
from companion.vision.fault import SourceError
from companion.watch.taps import Tap

ROOT = Path(__file__).resolve().parent.parent.parent
SOUTH, NORTH = Player.SOUTH, Player.NORTH


class Table:
    """Notes what it is asked, and between which frames."""

    def __init__(self, refuses: bool = False) -> None:
        self.story: list[object] = []
        self.refuses = refuses

    def submit(self, command: Command) -> None:
        """Take a command, or refuse it."""
        self.story.append(command)
        if self.refuses:
            raise RefusedCommandError("no_hand", "no hand is dealt")


class Recording:
    """Three frames, a second apart."""

    def __init__(self, broken: bool = False) -> None:
        self.closed = False
        self.broken = broken

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *_: object) -> None:
        self.closed = True

    def __iter__(self) -> Iterator[Frame]:
        """Frames at 0, 1 and 2 seconds; a broken recording ends there with an error."""
        for index in range(3):
            yield Frame(np.zeros((2, 2, 3), np.uint8), float(index), index)
        if self.broken:
            raise SourceError("a.mp4: cut off")


def played(table: Table, taps: list[Tap], recording: Recording | None = None) -> list[object]:
    """Frames and commands in their order."""
    with Pressing(recording or Recording(), taps, table) as source:
        for frame in source:
            table.story.append(frame.time)
    return table.story


def test_what_was_pressed_is_pressed_when_its_time_comes() -> None:
    """A press lands before the first frame that is not earlier; one after the last frame at the end."""
    taps = [
        Tap(9.0, NORTH, Claimed(NORTH)),
        Tap(0.5, SOUTH, MarriageDeclared(SOUTH, Suit.SPADES)),
        Tap(1.5, SOUTH, Closed(SOUTH)),
    ]

    story = played(Table(), taps)

    assert story == [0.0, Declare(SOUTH, Suit.SPADES), 1.0, Close(SOUTH), 2.0, Claim(NORTH)]


def test_a_press_that_is_refused_is_said_and_the_recording_goes_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One line on stderr, and all frames."""
    story = played(Table(refuses=True), [Tap(0.5, SOUTH, Claimed(SOUTH))])

    assert story == [0.0, Claim(SOUTH), 1.0, 2.0]
    assert "0.5 s was refused: no hand is dealt" in capsys.readouterr().err


def test_the_recording_is_closed_whatever_happens() -> None:
    """Also when it ends before its end."""
    recording = Recording(broken=True)

    with pytest.raises(SourceError):
        played(Table(), [], recording)

    assert recording.closed


def test_a_sitting_prints_where_phones_find_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The printed address lets one phone in, then another is printed; the log is in the data folder."""
    arrival = Arrival()
    options = Options(None, "127.0.0.1", 0, data=tmp_path)

    with sit_down(options, seen=arrival.watch) as sitting:
        printed = capsys.readouterr().out
        address, _, path = sitting.link.removeprefix("http://").partition("/")
        connection = http.client.HTTPConnection(address, timeout=10)
        form = {"Origin": f"http://{address}", "Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", "/pair", path.partition("?")[2], form)
        paired = connection.getresponse()
        paired.read()
        cookie = (paired.getheader("Set-Cookie") or "").partition(";")[0]
        nobody_yet = arrival.wait(0.0)
        connection.request("GET", "/api/events", headers={"Cookie": cookie})
        events = connection.getresponse()
        events.readline()
        somebody = arrival.wait(10.0)
        connection.close()

    assert sitting.link in printed.splitlines()
    assert "█" in printed
    assert paired.status == 303
    again = [line for line in capsys.readouterr().out.splitlines() if line.startswith("http")]
    assert len(again) == 1
    assert sitting.link not in again
    assert (nobody_yet, somebody) == (False, True)
    assert (tmp_path / "table.sqlite").is_file()


def test_a_table_that_was_started_for_a_tournament_shows_no_counts(tmp_path: Path) -> None:
    """From its first hand on, without a phone that says so."""
    options = Options(None, "127.0.0.1", 0, data=tmp_path, fair="tournament")

    with sit_down(options) as sitting:
        assert sitting.table.standing().started.fair == FairPlay("tournament")


def test_the_table_knows_that_its_sitting_is_kept_no_more(tmp_path: Path) -> None:
    """What keeps it stops in mid-evening; phones read that from the table."""
    options = Options(None, "127.0.0.1", 0, data=tmp_path)
    bundle = BundleWriter(tmp_path / "a.tar", {})
    with sit_down(options, recorder=Recorder(bundle)) as sitting:
        before = sitting.table.feed.wait("", 0.0)
        bundle.fail("no room left")
        after = sitting.table.feed.wait(before.revision, 10.0)
        assert after is not None
        assert (before.health.sitting_kept, after.health.sitting_kept) == (True, False)
    bundle.close()


def test_two_sittings_cannot_share_a_log(tmp_path: Path) -> None:
    """The second is told so, by name, before it serves anything."""
    options = Options(None, "127.0.0.1", 0, data=tmp_path)

    with sit_down(options), pytest.raises(Fault, match=re.escape(str(tmp_path))):
        sit_down(options).__enter__()


def test_a_start_that_fails_leaves_nothing_behind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A service that is started again and again would fill log and folder with evenings that never were."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        command = ["serve", "--host", "127.0.0.1", "--port", port, "--data", str(tmp_path), "--keep"]
        assert main(command) == 2
    assert "in use" in capsys.readouterr().err
    assert {each.name for each in tmp_path.rglob("*")} <= {"table.sqlite.lock"}


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize(("times", "every_s"), [(1, 0.3), (2, 0.3), (2000, 0.002)])
def test_a_server_ends_quietly(tmp_path: Path, how: signal.Signals, times: int, every_s: float) -> None:
    """Ctrl-C, a service manager's SIGTERM and a closed terminal end `companion serve`, and once is enough."""
    command = [sys.executable, "-m", "companion", "serve", "--host", "127.0.0.1", "--port", "0"]
    command += ["--data", str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # whoever runs the tests in the background made their children deaf to it
        preexec_fn=lambda: signal.signal(how, signal.SIG_DFL),
    ) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        while "http://" not in run.stdout.readline():
            pass
        for _ in range(times):
            run.send_signal(how)
            time.sleep(every_s)
        try:
            _, err = run.communicate(timeout=60)
        finally:
            run.kill()  # one that does not end would be waited for without an end

    assert run.returncode == 0
    # no camera was named, so the first phone is asked to set one up; nothing else is to be said
    assert err in ("", "companion: whoever scans the code sets the camera up\n")


def test_the_demo_notices_only_phones_that_follow_the_table() -> None:
    """Fetching the page is not following it: that begins with the stream of events."""
    arrival = Arrival()
    app = SimpleNamespace(wsgi_app=lambda environ, start: [])
    arrival.watch(app)

    app.wsgi_app({"PATH_INFO": "/"}, None)
    before = arrival.wait(0.0)
    app.wsgi_app({"PATH_INFO": "/api/events"}, None)

    assert (before, arrival.wait(0.0)) == (False, True)
