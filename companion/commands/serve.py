"""Serve the live table: a camera looks on, phones show the game, the log keeps it.

Prints an address and its QR code; a phone in the same network opens it once and is paired.
Ctrl-C ends; the next start goes on where the log stands.
"""

from __future__ import annotations

import argparse
import sys
import threading
from pathlib import Path

from companion.commands.deck import add_deck, chosen_deck
from companion.commands.fault import Fault
from companion.commands.keeping import add_keep, keeping
from companion.commands.sitting import ended_by_signal, opened, sit_down
from companion.config import Options, data_folder
from companion.rules.ruleset import preset

NAME = "serve"
HELP = "the live table: camera, phone page, records"


def configure(parser: argparse.ArgumentParser) -> None:
    """Say which arguments there are."""
    usual = Options()
    parser.add_argument(
        "--camera", metavar="CAMERA", help="index, URL or file (default: the phones tell everything)"
    )
    parser.add_argument("--host", default=usual.host, help="address to listen on (default: every network)")
    parser.add_argument("--port", type=int, default=usual.port, help=f"TCP port (default: {usual.port})")
    parser.add_argument("--rules", default="schnapsen", metavar="PRESET", help="rules (default: schnapsen)")
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help=f"folder of the records (default: {usual.data})"
    )
    add_keep(parser)
    add_deck(parser)
    parser.add_argument("--threads", type=int, default=2, help="threads of the networks (default: 2)")


def run(options: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    preset(options.rules)
    try:
        chosen = Options(
            options.camera, options.host, options.port, options.rules, options.data or data_folder()
        )
    except ValueError as error:
        raise Fault(str(error)) from error
    deck = chosen_deck(options.deck, chosen.data)
    source = opened(chosen.camera) if chosen.camera is not None else None
    with (
        ended_by_signal(),
        keeping(options.keep, chosen.data, chosen.camera or "none") as recorder,
        sit_down(chosen, threads=options.threads, recorder=recorder, deck=deck) as sitting,
    ):
        if source is not None and chosen.camera is not None:
            sitting.show(chosen.camera, source)
            print("companion: the recording has ended; Ctrl-C ends the server", file=sys.stderr)
        threading.Event().wait()
    return 0
