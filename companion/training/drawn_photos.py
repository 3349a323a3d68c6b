"""Draw photos of held-out packs with their labels, for `python -m companion.evaluate photos`.

    python -m companion.training.drawn_photos --art art --out photos [--packs german] [--scenes 200]

Cards stand 60 to 400 pixels high in pictures of 960x640, on table tops that training never drew, no face
twice in one. A card is labelled where 30 % of it shows, or a strip with its index; one of which less shows
need not be told, and may be.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.arguments import Parser, whole
from companion.synth.scene import CardTruth
from companion.table.detection import BACK
from companion.training.evaluate import TALL, add_ground, check_scenes, held_out
from companion.training.fault import in_one_line
from companion.training.run import make_folder
from companion.training.tables import Sample, Tables
from companion.vision.still import jpeg

__all__ = ["labels", "main"]

SIZE = (960, 640)
_SHOWN, _STRIP, _INDEX = 0.3, 0.06, 0.8
"""Least share of a card that shows, of a strip that has an index, and of that index."""


def labels(sample: Sample, name: str, deck: str) -> dict[str, Any]:
    """What `labels.json` says of one picture: cards, those hardly in sight, conditions, deck."""
    faces = [card for card in sample.truth if card.mark < BACK]
    shown = [card for card in faces if _is_told(card)]
    tall = [float(np.linalg.norm(card.corners[1] - card.corners[2])) for card in shown]
    conditions = {
        "covered": any(card.visible < 0.9 for card in shown),
        "strip": any(card.visible < _SHOWN for card in shown),
        "small": min(tall, default=TALL) < TALL,
    }
    return {
        "path": name,
        "cards": [{"card": card.name, "partial": card.visible < 0.9} for card in shown],
        "hidden": [card.name for card in faces if not _is_told(card)],
        "conditions": [condition for condition, holds in conditions.items() if holds],
        "deck": deck,
    }


def _is_told(card: CardTruth) -> bool:
    """Whether a person could name it: so much of it shows, in the picture, or its index."""
    inside = bool(((card.spot > 0) & (card.spot < SIZE)).all())
    return inside and (card.visible >= _SHOWN or (card.index >= _INDEX and card.visible >= _STRIP))


def _of_one_pack(tables: Tables) -> Sample:
    """A table on which no face lies twice: tables draw each card from a full pack, photos show one."""
    while True:
        sample = tables.sample()
        faces = [card.name for card in sample.truth if card.mark < BACK]
        if len(faces) == len(set(faces)):
            return sample


@in_one_line("drawn_photos")
def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments and draw."""
    parser = Parser(
        prog="python -m companion.training.drawn_photos", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--art", type=Path, default=Path("art"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--packs", choices=["french", "german"], default="french")
    parser.add_argument("--scenes", type=whole(1), default=200)
    add_ground(parser)
    args = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    make_folder(parser, "--out", args.out)
    packs = held_out(args.packs, args.art)
    check_scenes(parser, args.scenes, len(packs))
    entries = []
    for number, pack in enumerate(packs):
        tables = Tables(
            [pack],
            np.random.default_rng([11, number]),
            size=SIZE,
            card_px=(60, 400),
            kinds=args.ground.kinds,
            tops=20,
            light=args.ground.light,
        )
        for turn in range(args.scenes // len(packs)):
            sample = _of_one_pack(tables)
            name = f"{pack.name}-{turn:03d}.jpg"
            (args.out / name).write_bytes(jpeg(sample.picture))
            entries.append(labels(sample, name, pack.name))
    (args.out / "labels.json").write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")
    print(f"{len(entries)} photos of {len(packs)} packs in {args.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
