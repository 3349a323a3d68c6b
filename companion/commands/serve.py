"""Serve the live table: a camera looks on, phones show the game, the log keeps it.

Prints an address and its QR code; a phone in the same network opens it once and is paired. Where no
camera was named and none set up before, that phone leads through the set-up.
Ctrl-C ends; the next start goes on where the log stands.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.arguments import add_threads
from companion.commands.deck import add_deck, chosen_deck
from companion.commands.fault import Fault
from companion.commands.keeping import add_keep, keeping
from companion.commands.records import add_data
from companion.commands.signals import ended_by_signal
from companion.commands.sitting import opened, sit_down
from companion.config import Options, data_folder
from companion.rules.fair_play import MODES
from companion.rules.ruleset import preset

if TYPE_CHECKING:
    from companion.live.eyes import Eyes
    from companion.live.setting import Setting
    from companion.live.table import LiveTable
    from companion.live.witness import Witness
    from companion.server.mqtt import Publisher
    from companion.vision.deck import Deck

NAME = "serve"
HELP = "the live table: camera, phone page, records"
MQTT_PASSWORD = "COMPANION_MQTT_PASSWORD"
"""The environment variable that may hold the broker's password: every user of a machine sees arguments."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Say which arguments there are."""
    usual = Options()
    parser.add_argument(
        "--camera",
        metavar="CAMERA",
        help="index, rpicam, URL or file (default: as it was set up from a phone)",
    )
    parser.add_argument("--setup", action="store_true", help="begin with the set-up, whatever was kept")
    parser.add_argument("--host", default=usual.host, help="address to listen on (default: every network)")
    parser.add_argument("--port", type=int, default=usual.port, help=f"TCP port (default: {usual.port})")
    parser.add_argument("--rules", default="schnapsen", metavar="PRESET", help="rules (default: schnapsen)")
    parser.add_argument(
        "--fair",
        choices=[mode for mode in MODES if mode != "broadcast"],
        default=usual.fair,
        help=f"who sees what in a first match (default: {usual.fair}); a broadcast is agreed on a phone",
    )
    add_data(parser, f"folder of the records (default: {usual.data})")
    parser.add_argument(
        "--table", default="", metavar="NAME", help="what this table is called among others, as in 'Tisch 7'"
    )
    parser.add_argument(
        "--mqtt",
        metavar="URL",
        help="tell an MQTT broker what a screen beside the table shows: mqtt://[user@]host[:port], mqtts://"
        f" for TLS; the password from {MQTT_PASSWORD}",
    )
    add_keep(parser)
    add_deck(parser)
    add_threads(parser, 2)


def run(options: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    preset(options.rules)
    try:
        chosen = Options(
            options.camera,
            options.host,
            options.port,
            options.rules,
            options.data or data_folder(),
            options.table.strip(),
            options.fair,
        )
    except ValueError as error:
        raise Fault(str(error)) from error
    deck = chosen_deck(options.deck, chosen.data)
    mqtt = None if options.mqtt is None else _publisher(options.mqtt, chosen.table)
    _check_free(chosen)
    if chosen.camera is not None and not _is_live(chosen.camera):
        _play(chosen, options, deck, mqtt)
    else:
        _watch(chosen, options, mqtt)
    return 0


def _check_free(chosen: Options) -> None:
    """Find out before anything is begun, or written down, whether data folder and address are free."""
    from companion.server import serving
    from companion.store import log

    try:
        log.check_free(chosen.log)
        serving.check_free(chosen.host, chosen.port)
    except (log.LogError, serving.ServingError) as error:
        raise Fault(str(error)) from error


def _publisher(url: str, table: str) -> Publisher:
    from companion.server.mqtt import MqttError, Publisher, parse_broker

    try:
        return Publisher(parse_broker(url, os.environ.get(MQTT_PASSWORD)), table=table)
    except MqttError as error:
        raise Fault(f"--mqtt: {error}") from None  # the cause could show parts of a password


def _play(chosen: Options, options: argparse.Namespace, deck: Deck | None, mqtt: Publisher | None) -> None:
    """Serve a recording, and what it came to after its end."""
    recording = chosen.camera or ""
    source = opened(recording)
    with (
        ended_by_signal(),
        keeping(options.keep, chosen.data, recording) as recorder,
        sit_down(chosen, threads=options.threads, recorder=recorder, deck=deck, mqtt=mqtt) as sitting,
    ):
        sitting.show(recording, source)
        print("companion: the recording has ended; Ctrl-C ends the server", file=sys.stderr)
        threading.Event().wait()


def _watch(chosen: Options, options: argparse.Namespace, mqtt: Publisher | None) -> None:
    """Serve the table before a camera, which a phone may set up."""
    from companion.commands.optics import TableOptics, told_lost
    from companion.live.eyes import Eyes
    from companion.vision.camera import LiveSource
    from companion.vision.cameras import camera_shown

    setting = _setting(chosen, options)
    source = camera_shown((setting and setting.camera) or "none")
    with ended_by_signal(), contextlib.ExitStack() as open_until_end:
        first = None
        if chosen.camera is not None:
            first = chosen.camera, open_until_end.enter_context(LiveSource(chosen.camera, lost=told_lost))
        recorder = open_until_end.enter_context(keeping(options.keep, chosen.data, source))

        def eyes(table: LiveTable, witness: Witness) -> Eyes:
            optics = TableOptics(chosen.data, options.threads, witness, recorder, first)
            return Eyes(table, optics, chosen.setup, setting)

        seen = replace(chosen, camera=None if source == "none" else source)
        with sit_down(seen, threads=options.threads, recorder=recorder, eyes=eyes, mqtt=mqtt) as sitting:
            if setting is not None and sitting.eyes is not None:
                sitting.eyes.watch()
            threading.Event().wait()


def _setting(chosen: Options, options: argparse.Namespace) -> Setting | None:
    """How the camera is set up; `None`: that is still to be done."""
    from companion.live.setting import SettingError, kept_for, read_setting

    try:
        kept = None if options.setup else read_setting(chosen.setup)
    except SettingError as error:
        raise Fault(str(error)) from error
    if chosen.camera is not None and not options.setup:
        kept = kept_for(chosen.camera, kept)
    return kept if kept is None or options.deck is None else replace(kept, deck=options.deck)


def _is_live(camera: str) -> bool:
    from companion.vision.source import is_live

    return is_live(camera)
