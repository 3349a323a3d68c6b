"""Play the shipped recording through the whole pipeline while the phone page is served.

It runs at its own speed, as if a camera looked on. It begins when the first phone or browser has
opened the page, or after half a minute. With --exit it begins at once, and the command ends after
the last hand and prints its record.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from companion.arguments import add_threads
from companion.commands.fault import Fault
from companion.commands.signals import ended_by_signal
from companion.commands.sitting import opened, sit_down
from companion.config import Options, asset
from companion.rules.record import Record
from companion.watch.taps import read_taps

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment
    from flask import Flask

    from companion.live.standing import Standing

NAME = "demo"
HELP = "the shipped recording instead of a camera"

RECORDING = "table.mp4"
TAPS = "taps.jsonl"
"""What the players of the recording pressed on their phones, where they pressed anything."""
WAIT_FOR_PAGE_S = 30.0


def configure(parser: argparse.ArgumentParser) -> None:
    """Say which arguments there are."""
    usual = Options()
    parser.add_argument("--host", default=usual.host, help="address to listen on (default: every network)")
    parser.add_argument("--port", type=int, default=usual.port, help=f"TCP port (default: {usual.port})")
    parser.add_argument("--exit", action="store_true", help="end after the last hand and print its record")
    add_threads(parser, 2)


def run(options: argparse.Namespace) -> int:
    """Play the recording once; its table is forgotten afterwards."""
    recording = asset("demo") / RECORDING
    pressed = asset("demo") / TAPS
    taps = read_taps(pressed) if pressed.exists() else ()
    arrival = Arrival()
    with tempfile.TemporaryDirectory(prefix="companion-demo-") as folder, ended_by_signal():
        try:
            chosen = Options(str(recording), options.host, options.port, data=Path(folder))
        except ValueError as error:
            raise Fault(str(error)) from error
        with sit_down(chosen, threads=options.threads, seen=arrival.watch) as sitting:
            if not options.exit:
                print("companion: the recording begins when the page is opened", file=sys.stderr)
                arrival.wait(WAIT_FOR_PAGE_S)
            sitting.show(str(recording), opened(str(recording)), taps)
            standing = sitting.table.standing()
            if options.exit:
                for record in records(standing)[-1:]:
                    print(json.dumps(record.to_json()), flush=True)
                return 0
            print("companion: the recording has ended; Ctrl-C ends the demo", file=sys.stderr)
            threading.Event().wait()
    return 0


def records(standing: Standing) -> tuple[Record, ...]:
    """The hands of a match that are over, as records."""
    return tuple(
        Record.from_state(hand.state, [entry.event for entry in hand.events])
        for hand in standing.hands
        if hand.state.over
    )


class Arrival:
    """Notices when the first phone follows the table."""

    def __init__(self) -> None:
        self._here = threading.Event()

    def watch(self, app: Flask) -> None:
        """Look at each request of `app` that asks for the table's events."""
        inner = app.wsgi_app

        def noticed(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
            if environ.get("PATH_INFO") == "/api/events":
                self._here.set()
            return inner(environ, start_response)

        app.wsgi_app = noticed  # type: ignore[method-assign]

    def wait(self, timeout_s: float) -> bool:
        """Wait for the first phone; false where none has come."""
        return self._here.wait(timeout_s)
