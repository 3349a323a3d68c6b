"""Measure how good the companion is.

    python -m companion.evaluate photos DIR [--json] [--errors]
    python -m companion.evaluate hands DIR [--trouble NAME] [--unpressed] [--json]
    python -m companion.evaluate faces DIR --source TEXT --back PICTURE --out PACK

`photos` reads a folder of labelled photos and gives recall, precision and the share of pictures
read exactly, overall and by condition. `hands` watches a folder of recorded hands and gives for
each whether it was read exactly, or the first difference; with `--trouble` the films come as through a
poor camera, in a restless room, or from another side, and with `--unpressed` nobody tells a phone that
66 was claimed. `faces` cuts a pack out of labelled photos, of which `python -m companion.synth hands
--packs` makes films.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from companion.arguments import Parser, add_threads, share
from companion.config import AssetError, asset
from companion.evaluate.faces import cut_faces, write_pack
from companion.evaluate.hands import TruthError, hand_folders, watched
from companion.evaluate.photos import RANKS, LabelError, judged, read_labels
from companion.evaluate.tally import Verdict, table, tallied
from companion.synth.trouble import TROUBLES
from companion.vision.button import ButtonFinder
from companion.vision.detector import PHOTO_SIDES, CardDetector
from companion.vision.fault import ModelError, SourceError
from companion.vision.naming import LEAST_CONFIDENCE
from companion.vision.picture import check_picture
from companion.vision.reader import Reader

_EVERY_RANK = "AKQJT98765432"


def main(arguments: list[str] | None = None) -> int:
    """Run one evaluation; 2 for input that cannot be used, in one line on stderr."""
    parser = Parser(
        prog="python -m companion.evaluate",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    kinds = parser.add_subparsers(metavar="WHAT", required=True)
    photos = kinds.add_parser("photos", help="labelled photos")
    photos.add_argument("--ranks", type=_ranks, default=RANKS, help=f"ranks that count (default: {RANKS})")
    photos.add_argument(
        "--confidence",
        type=share,
        default=LEAST_CONFIDENCE,
        help="leave out cards named with less; a second card of one name must be surer",
    )
    photos.add_argument("--errors", action="store_true", help="also name each picture that was not exact")
    photos.set_defaults(run=_photos)
    hands = kinds.add_parser("hands", help="recorded hands")
    hands.add_argument(
        "--trouble",
        metavar="NAME",
        type=_troubles,
        default=[],
        help=f"what befalls the films, several with commas between: {', '.join(TROUBLES)}",
    )
    hands.add_argument("--unpressed", action="store_true", help="claims are said, and not pressed on a phone")
    hands.set_defaults(run=_hands)
    faces = kinds.add_parser("faces", help="a pack cut out of labelled photos")
    faces.add_argument("--source", required=True, help="what the paths of its photos have in common")
    faces.add_argument("--back", type=Path, required=True, help="picture of a back")
    faces.add_argument("--out", type=Path, required=True, metavar="PACK", help="folder to write to")
    faces.set_defaults(run=_faces)
    for kind in (photos, hands):
        kind.add_argument("--json", action="store_true", help="JSON Lines")
    for kind in (photos, hands, faces):
        kind.add_argument("folder", metavar="DIR", type=Path)
        kind.add_argument("--models", type=Path, help="folder of the networks (default: the shipped ones)")
        add_threads(kind, 1)
    options = parser.parse_args(arguments)
    try:
        options.run(options)
    except (AssetError, LabelError, ModelError, SourceError, TruthError) as error:
        print(f"companion.evaluate: {error}", file=sys.stderr)
        return 2
    return 0


def _ranks(text: str) -> str:
    if not text or not set(text) <= set(_EVERY_RANK):
        raise argparse.ArgumentTypeError(f"{text!r:.40} is not one or more of {_EVERY_RANK}")
    return text


def _troubles(text: str) -> list[str]:
    names = text.split(",")
    for name in names:
        if name not in TROUBLES:
            raise argparse.ArgumentTypeError(f"{name!r:.40} is none of {', '.join(TROUBLES)}")
    return names


def _models(options: argparse.Namespace) -> Path:
    return options.models or asset("models")


def _photos(options: argparse.Namespace) -> None:
    photos = read_labels(options.folder, options.ranks)
    detector = CardDetector(_models(options), threads=options.threads, sides=PHOTO_SIDES, by_index=True)
    verdicts: list[Verdict] = []
    for verdict in judged(photos, detector, ranks=options.ranks, confidence=options.confidence):
        verdicts.append(verdict)
        if len(verdicts) % 25 == 0:
            print(f"{len(verdicts)} of {len(photos)} photos", file=sys.stderr)
    tallies = tallied(verdicts)
    if options.json:
        for each in tallies:
            rates = {"recall": each.recall, "precision": each.precision, "exact_rate": each.exact_rate}
            print(json.dumps({**asdict(each), **rates}))
    else:
        print(table(tallies))
    if options.errors:
        for verdict in verdicts:
            if not verdict.exact:
                missed, invented = " ".join(verdict.missed) or "-", " ".join(verdict.invented) or "-"
                print(f"{verdict.picture}: missed {missed}, invented {invented}", file=sys.stderr)


def _hands(options: argparse.Namespace) -> None:
    folders = hand_folders(options.folder)
    detector = CardDetector(_models(options), threads=options.threads)
    buttons = ButtonFinder(_models(options), threads=options.threads)
    exact = frames = 0
    seconds = 0.0
    for folder in folders:
        reader = Reader.through(detector, buttons)
        outcome = watched(folder, reader, options.trouble, pressed=not options.unpressed)
        exact += outcome.exact
        frames += outcome.frames
        seconds += outcome.seconds
        if options.json:
            print(json.dumps(asdict(outcome)), flush=True)
        else:
            asides = [f"{outcome.withdrawn} withdrawn"] if outcome.withdrawn else []
            asides += [f"{outcome.questions} asked"] if outcome.questions else []
            aside = f" ({', '.join(asides)})" if asides else ""
            print(f"{outcome.name}: {outcome.difference or 'exact'}{aside}", flush=True)
    if options.json:
        print(json.dumps({"hands": len(folders), "exact": exact, "frames": frames, "seconds": seconds}))
    else:
        print(f"{exact} of {len(folders)} hands exact; {frames / seconds:.1f} frames a second")


def _faces(options: argparse.Namespace) -> None:
    check_picture(options.back)
    detector = CardDetector(_models(options), threads=options.threads, sides=PHOTO_SIDES)
    faces = cut_faces(options.folder, options.source, detector)
    write_pack(options.out, faces, options.back)
    for name, face in faces.items():
        print(f"{name}: {face.photo}")


if __name__ == "__main__":
    sys.exit(main())
