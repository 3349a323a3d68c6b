"""Say whether a set-up is fit: camera, light, sharpness, size, recognition, speed, and what to change first.

Some cards should lie face up on the table, in the middle and at its edges. The camera is watched for a few
seconds, then some pictures are read; of a file its beginning, on its own clock.
"""

from __future__ import annotations

import argparse
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.arguments import add_threads
from companion.commands.deck import add_deck, chosen_deck
from companion.commands.fault import Fault
from companion.commands.records import add_data
from companion.commands.terminal import Progress, print_json
from companion.config import Options, asset, data_folder
from companion.vision.cameras import camera_shown

if TYPE_CHECKING:
    from companion.live.setting import Setting
    from companion.table.detection import Frame
    from companion.vision.detector import CardDetector
    from companion.vision.fitness import Check, Fitness

NAME = "doctor"
HELP = "is this set-up fit, and what to change first"
WATCHED_S = 3.0
"""For so long light and the rate of the pictures are watched."""
APART_S = 0.5
"""So far apart are the pictures that are read."""
READ = 10
"""So many are read."""
_MIB = 1024 * 1024


def configure(parser: argparse.ArgumentParser) -> None:
    """Say which arguments there are."""
    parser.add_argument(
        "--camera",
        metavar="CAMERA",
        help="index, rpicam, URL or file (default: as it was set up, or the first there is)",
    )
    add_deck(parser)
    add_data(parser)
    add_threads(parser, 2)
    parser.add_argument("--json", action="store_true", help="JSON Lines, one a check, then a summary")


def run(options: argparse.Namespace) -> int:
    """Look, and say what was found, the worst first."""
    from companion.vision.detector import CardDetector
    from companion.vision.fitness import Fitness, judged

    chosen = Options(data=options.data or data_folder())
    setting = _setting(options.camera, chosen)
    deck = chosen_deck(options.deck or setting.deck, options.data)
    detector = CardDetector(asset("models"), threads=options.threads, deck=deck)
    fitness = Fitness()
    _look(setting, detector, fitness)
    checks = judged([*fitness.checks(), _disk(chosen.data)])
    _tell(camera_shown(setting.camera or ""), checks, as_json=options.json)
    return 0


def _setting(camera: str | None, chosen: Options) -> Setting:
    """The camera that was named, that was set up, or that is there."""
    from companion.live.setting import Setting, SettingError, kept_for, read_setting
    from companion.vision.cameras import cameras

    try:
        kept = read_setting(chosen.setup)
    except SettingError as error:
        raise Fault(str(error)) from error
    if camera is not None:
        return kept_for(camera, kept)
    if kept is not None and kept.camera is not None:
        return kept
    there = cameras()
    if not there:
        raise Fault("no camera is set up, and this machine has none: connect one, or name it with --camera")
    return Setting(there[0][0])


def _look(setting: Setting, detector: CardDetector, fitness: Fitness) -> None:
    """Watch the camera, then read some of its pictures."""
    progress = Progress("pictures")
    began: float | None = None
    frame: Frame | None = None
    read, count = -APART_S, 0
    for number, frame in enumerate(_frames(setting), 1):
        began = frame.time if began is None else began
        progress.at(number)
        since = frame.time - began
        if since < WATCHED_S:
            fitness.watch(frame)
        elif since - read >= APART_S:
            if count == 0:
                detector.detect(frame.bgr)  # the first time takes longer
            _read(frame, detector, fitness)
            read, count = since, count + 1
        if count == READ:
            break
    progress.done()
    if frame is None:
        raise Fault(f"{camera_shown(setting.camera or '')}: no picture comes")
    if count == 0:  # a photo, or a film that ended while it was watched
        _read(frame, detector, fitness)


def _read(frame: Frame, detector: CardDetector, fitness: Fitness) -> None:
    """Read a picture, and the same mirrored."""
    started = time.perf_counter()
    cards = detector.detect(frame.bgr)
    took_ms = 1000 * (time.perf_counter() - started)
    fitness.read(frame, cards, took_ms, detector.detect(frame.bgr[:, ::-1].copy()))


def _frames(setting: Setting) -> Iterator[Frame]:
    """The camera's pictures, turned as they were set up."""
    from companion.vision.source import open_source
    from companion.vision.turning import Turned

    with open_source(setting.camera or "", _give_up) as source:
        yield from Turned(source, setting.turn)


def _give_up(why: str) -> None:
    """Say what is wrong with a camera that stops, rather than wait for it as a table would."""
    raise Fault(why)


def _disk(folder: Path) -> Check:
    """Whether there is room for records."""
    from companion.vision.fitness import Limits

    there = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    limits = Limits("disk", "MiB", 500, 50, f"there is little room for records: clear the disk of {there}")
    return limits.judge(shutil.disk_usage(there).free / _MIB)


def _tell(camera: str, checks: tuple[Check, ...], *, as_json: bool) -> None:
    from companion.vision.fitness import Verdict

    first = None if checks[0].verdict is Verdict.GOOD else checks[0]
    summary: dict[str, Any] = {
        "type": "summary",
        "camera": camera,
        "fit": checks[0].verdict is not Verdict.POOR,
        "first": None if first is None else first.name,
    }
    if as_json:
        for check in checks:
            print_json(check.to_json())
        print_json(summary)
        return
    for check in checks:
        digits = 0 if check.value >= 20 else 1
        value = f"{check.value:.0%}" if check.unit == "" else f"{check.value:.{digits}f} {check.unit}"
        print(f"{check.verdict.name.lower():5} {check.name:12} {value:18} {check.advice}".rstrip())
    if first is None:
        print("This set-up is fit.")
    else:
        print(f"This set-up is {'fit' if summary['fit'] else 'not fit'}. What to change first: {first.name}.")
