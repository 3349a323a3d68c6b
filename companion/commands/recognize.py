"""Read photos: the cards in each picture of the files and folders given.

A picture that cannot be used is named on stderr, the others are read all the same, and the
exit status is 2.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from os.path import isdir
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.arguments import add_threads, share
from companion.commands.deck import add_deck, chosen_deck
from companion.commands.records import add_data
from companion.commands.terminal import Progress, print_json
from companion.commands.whole_file import write_whole
from companion.config import asset
from companion.table.detection import CLASSES
from companion.vision.fault import SourceError
from companion.vision.naming import LEAST_CONFIDENCE, named

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from companion.table.detection import Detection
    from companion.vision.detector import CardDetector

NAME = "recognize"
HELP = "photos -> the cards in each"


def configure(parser: argparse.ArgumentParser) -> None:
    """Say which arguments there are."""
    parser.add_argument(
        "paths", nargs="+", metavar="PATH", type=_path, help="a picture, or a folder of pictures"
    )
    parser.add_argument("--json", action="store_true", help="JSON Lines, one a picture")
    parser.add_argument(
        "--confidence",
        type=share,
        default=LEAST_CONFIDENCE,
        metavar="P",
        help=f"leave out cards named with less, from 0 to 1 (default: {LEAST_CONFIDENCE}); a second card "
        "of one name must be surer",
    )
    parser.add_argument(
        "--one-pack", action="store_true", help="each face is there once at most: the picture shows one pack"
    )
    parser.add_argument(
        "--draw",
        type=Path,
        metavar="DIR",
        help="write the pictures there, with what was found drawn in",
    )
    add_deck(parser)
    add_data(parser, "folder that keeps the decks")
    add_threads(parser, 1)


def _path(text: str) -> Path:
    if not text:  # it would be the folder one is in
        raise argparse.ArgumentTypeError("'' names no picture and no folder")
    return Path(text)


def run(options: argparse.Namespace) -> int:
    """Read each picture; 2 where one could not be used."""
    from companion.vision.detector import PHOTO_SIDES, CardDetector
    from companion.vision.picture import read_picture

    pictures, faults = _pictures(options.paths)
    deck = chosen_deck(options.deck, options.data)
    detector: CardDetector | None = None
    progress = Progress("pictures", len(pictures))
    for number, path in enumerate(pictures, 1):
        try:
            bgr = read_picture(path)
            detector = detector or CardDetector(
                asset("models"), threads=options.threads, sides=PHOTO_SIDES, by_index=True, deck=deck
            )
            started = time.perf_counter()
            detections = detector.detect(bgr)
            elapsed = time.perf_counter() - started
            cards = named(detections, options.confidence, one_of_each=options.one_pack)
            line = {
                "image": str(path),
                "width": int(bgr.shape[1]),
                "height": int(bgr.shape[0]),
                "elapsed_ms": round(1000 * elapsed, 1),
                "cards": [_card(each) for each in cards],
            }
            _show(line, options.json)
            if options.draw is not None:
                _draw(bgr, cards, options.draw / f"{number:04d}-{path.stem}.jpg")
        except SourceError as error:
            progress.done()
            print(f"companion: {error}", file=sys.stderr)
            faults += 1
        progress.at(number)
    progress.done()
    return 2 if faults else 0


def _draw(bgr: NDArray[np.uint8], cards: Sequence[Detection], path: Path) -> None:
    from companion.vision.drawing import drawn
    from companion.vision.still import jpeg

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, jpeg(drawn(bgr, cards)))
    except OSError as error:
        raise SourceError(f"{path}: cannot be written: {error.strerror}") from error
    except ValueError as error:
        raise SourceError(f"{path}: {error}") from error


def _card(detection: Detection) -> dict[str, Any]:
    return {
        "card": CLASSES[detection.best],
        "confidence": round(detection.confidence, 4),
        "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in detection.corners],
    }


def _pictures(paths: list[Path]) -> tuple[list[Path], int]:
    """The pictures named, folders opened up, and how many paths could not be used."""
    from companion.vision.picture import pictures_in

    found: list[Path] = []
    faults = 0
    for path in paths:
        try:
            found.extend(pictures_in(path) if isdir(path) else (path,))
        except SourceError as error:
            print(f"companion: {error}", file=sys.stderr)
            faults += 1
    return found, faults


def _show(line: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(line)
        return
    names = [f"{card['card']} {card['confidence']:.0%}" for card in line["cards"]]
    print(f"{line['image']}: {', '.join(names) if names else 'no card'}", flush=True)
