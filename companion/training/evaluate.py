"""Measure both models together on packs and table tops that training never drew.

    python -m companion.training.evaluate --art art --models models [--packs french] [--scenes 200]
    python -m companion.training.evaluate --packs german [--photos 3]

Scenes are 1280x720, drawn from seed 7; a card counts where at least half of it shows and it
is at least 60 pixels high. With `--photos` each pack is enrolled first, from so many pictures of
each card. `--out FOLDER` keeps the figures, the confusion matrix and the reliability curve;
`--pictures FOLDER` the five scenes with the most mistakes and five others, with what was found drawn in
and, in red, what should have been.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.rules.cards import PACK_24
from companion.synth.camera import Camera
from companion.synth.german import german_pack
from companion.synth.lens import degrade
from companion.synth.pack import Pack
from companion.synth.scene import CardTruth, Light, Placed, Scene
from companion.synth.surface import HELD_OUT, surface
from companion.table.detection import CLASSES, UNKNOWN, Detection
from companion.table.quad import aligned, overlap
from companion.training.tables import Sample, Tables, load_packs
from companion.vision.deck import Deck, DeckError
from companion.vision.detector import PHOTO_SIDES, CardDetector
from companion.vision.drawing import drawn, outlined
from companion.vision.rectify import rectify
from companion.vision.showing import the_card
from companion.vision.still import jpeg

__all__ = ["HELD_OUT_GERMAN", "TALL", "Looked", "Measured", "enrolled", "held_out", "main"]

HELD_OUT_GERMAN = (1000, 1001, 1002, 1003, 1004)
"""Seeds of the German-suited packs that are measured."""
_LEAST_HEIGHT = 60
_LEAST_VISIBLE = 0.5
TALL = 110
"""Cards of this height and more, pixels, are also counted apart: a camera above a table shows them so."""
_FALSE_ALARMS = 0.01
_BINS = 10
_DRAWN = 5
_DRAWN_WIDTH = 960


@dataclass(frozen=True, slots=True, eq=False)
class Looked:
    """A scene, what was found in it, and the cards that were missed or misnamed."""

    picture: NDArray[np.uint8]
    found: tuple[Detection, ...]
    wrong: list[CardTruth]

    def drawn(self) -> NDArray[np.uint8]:
        """The picture with what was found and, in red, what should have been."""
        truth = [(card.corners, card.name) for card in self.wrong]
        return outlined(drawn(self.picture, self.found), truth, (60, 60, 255))


@dataclass(slots=True)
class Measured:
    """What came of comparing detections with the truth; one entry a card that counts.

    Attributes:
        told: Pairs of true and told names of the cards that were located; counted.
        missed: Cards, unknown ones among them, that no outline fits.
        confidences, rights, heights: Of the located cards of the pack; heights in pixels.
        strangeness: Probability of `unknown`, of located cards of the pack and of unknown ones.
        corner_errors: Mean distance of the corners, shares of the card's long side.
        false: Names given to what is no card, surer than a half.
    """

    told: Counter[tuple[str, str]] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    confidences: list[float] = field(default_factory=list)
    rights: list[bool] = field(default_factory=list)
    heights: list[float] = field(default_factory=list)
    strangeness: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    corner_errors: list[float] = field(default_factory=list)
    false: int = 0
    scenes: int = 0

    def take(self, sample: Sample, detector: CardDetector) -> Looked:
        """Detect the cards of one more picture and compare."""
        found = detector.detect(sample.picture)
        wrong: list[CardTruth] = []
        taken: set[int] = set()
        self.scenes += 1
        # what lies in sight has the first choice of outlines, before what it covers
        for truth in sorted(sample.truth, key=lambda card: -card.visible):
            height = float(np.linalg.norm(truth.corners[1] - truth.corners[2]))
            fits = [
                (overlap(each.corners, truth.corners), i) for i, each in enumerate(found) if i not in taken
            ]
            best, which = max(fits, default=(0.0, -1))
            if best > 0.5:
                taken.add(which)
            if truth.visible < _LEAST_VISIBLE or height < _LEAST_HEIGHT:
                continue
            if best <= 0.5:
                self.missed[truth.name] += 1
                wrong.append(truth)
                continue
            seen = found[which]
            name = CLASSES[seen.best]
            self.told[truth.name, name] += 1
            if name != truth.name:
                wrong.append(truth)
            self.strangeness[truth.mark == UNKNOWN].append(float(seen.probs[UNKNOWN]))
            if truth.mark == UNKNOWN:
                continue
            self.confidences.append(seen.confidence)
            self.rights.append(name == truth.name)
            self.heights.append(height)
            gap = aligned(seen.corners, truth.corners) - truth.corners
            self.corner_errors.append(float(np.hypot(*gap.T).mean()) / height)
        self.false += sum(
            1
            for i, each in enumerate(found)
            if i not in taken and each.best != UNKNOWN and each.confidence > 0.5
        )
        return Looked(sample.picture, found, wrong)

    def figures(self) -> dict[str, float]:
        """The figures by name."""
        missed = sum(count for name, count in self.missed.items() if name != "unknown")
        located, named = len(self.rights), sum(self.rights)
        tall = [right for right, height in zip(self.rights, self.heights, strict=True) if height >= TALL]
        known, strange = (np.array(each) for each in self.strangeness)
        alarm = float(np.quantile(known, 1 - _FALSE_ALARMS)) if len(known) else 1.0
        return {
            "scenes": self.scenes,
            "cards": located + missed,
            "located": located / max(1, located + missed),
            "located_and_named": named / max(1, located + missed),
            "named_of_located": named / max(1, located),
            "tall": len(tall),
            "named_of_tall": sum(tall) / max(1, len(tall)),
            "false_cards_per_scene": self.false / max(1, self.scenes),
            "unknown_cards": len(strange),
            "unknown_caught_at_1_percent": float((strange > alarm).mean()) if len(strange) else float("nan"),
            "corner_error_median": float(np.median(self.corner_errors)) if located else float("nan"),
            "calibration_error": sum(share * abs(sure - right) for sure, right, share in self.reliability()),
        }

    def reliability(self) -> list[tuple[float, float, float]]:
        """By confidence, in bins of equal width: mean confidence, share right, share of all cards."""
        confidence, right = np.array(self.confidences), np.array(self.rights)
        which = np.minimum((confidence * _BINS).astype(int), _BINS - 1)
        return [
            (
                float(confidence[which == number].mean()),
                float(right[which == number].mean()),
                float((which == number).mean()),
            )
            for number in sorted(set(which.tolist()))
        ]

    def confusions(self) -> list[tuple[str, str, int]]:
        """True name, told name, how often; wrong ones only, the most frequent first."""
        wrong = [(one, two, count) for (one, two), count in self.told.items() if one != two]
        return sorted(wrong, key=lambda each: (-each[2], each[0], each[1]))


def held_out(suits: str, art: Path) -> list[Pack]:
    """The `french` packs of an art folder, or the `german` ones, that training never sees."""
    if suits == "german":
        return [german_pack(seed, height_px=260) for seed in HELD_OUT_GERMAN]
    return load_packs(art, held_out=True)


def enrolled(pack: Pack, detector: CardDetector, photos: int, seed: int = 3) -> Deck:
    """Photograph each card of a pack alone on a table and keep the crops, as `companion deck enrol` does.

    Raises:
        RuntimeError: A card was not found in its picture.
    """
    rng = np.random.default_rng(seed)
    top = surface(str(rng.choice(HELD_OUT)), rng)
    light = Light.random(rng)
    crops: dict[str, list[NDArray[np.uint8]]] = {}
    for card in (str(each) for each in PACK_24 if str(each) in pack.faces):
        tries = 0
        while len(crops.get(card, ())) < photos:
            tries += 1
            if tries > 5 * photos:
                raise RuntimeError(f"{pack.name}: {card} was not found in its pictures")
            camera = Camera.above(
                (960, 720),
                distance_mm=600,
                tilt=float(rng.uniform(0, 0.4)),
                yaw=float(rng.uniform(-0.3, 0.3)),
                width_mm=260,
            )
            scene = Scene(camera, top, light, 300.0, float(rng.uniform(0, 6)))
            place = (float(rng.normal(0, 15)), float(rng.normal(0, 15)), float(rng.normal(0, 0.3)))
            picture, _ = scene.render([Placed(card, pack.faces[card], *place, pack.size_mm)])
            picture = degrade(picture, rng, blur=0.7, noise=3.0, quality=90)
            try:
                found = the_card(detector, picture)
            except DeckError:
                found = None
            if found is None:
                continue  # whoever enrols takes another picture
            crops.setdefault(card, []).append(rectify(picture, found.corners))
    return Deck(pack.name, {card: tuple(each) for card, each in crops.items()})


def measured(
    packs: Sequence[Pack], models: Path, scenes: int, photos: int, threads: int
) -> tuple[Measured, list[Looked]]:
    """Measure packs, each on as many scenes of its own, each enrolled where `photos` is not 0.

    Returns:
        The measure, and ten scenes: the five with the most mistakes, then five others.
    """
    total = Measured()
    hardest: list[Looked] = []
    others: list[Looked] = []
    for number, pack in enumerate(packs):
        tables = Tables(
            [pack],
            np.random.default_rng([7, number]),
            size=(1280, 720),
            card_px=(70, 330),
            kinds=HELD_OUT,
            tops=20,
        )
        detector = CardDetector(models, threads)
        if photos:
            photographer = CardDetector(models, threads, sides=PHOTO_SIDES)
            detector = CardDetector(models, threads, deck=enrolled(pack, photographer, photos))
        for _ in range(scenes // len(packs)):
            looked = total.take(tables.sample(), detector)
            hardest = sorted([*hardest, looked], key=lambda each: -len(each.wrong))[:_DRAWN]
            if len(others) < _DRAWN and not looked.wrong and len(looked.found) > 2:
                others.append(looked)
    return total, hardest + others


def write(found: Measured, name: str, out: Path) -> None:
    """Keep figures, confusions and reliability as JSON, and the last two as a picture."""
    from matplotlib.figure import Figure

    out.mkdir(parents=True, exist_ok=True)
    data: dict[str, Any] = {
        "figures": found.figures(),
        "confusions": found.confusions(),
        "missed": dict(found.missed.most_common()),
        "reliability": found.reliability(),
    }
    (out / f"{name}.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    figure = Figure(figsize=(12, 5.5), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=[1.25, 1])
    counts = np.array([[found.told[one, two] for two in CLASSES] for one in CLASSES], np.float64)
    left.imshow(np.log1p(counts), cmap="Blues")
    left.set_xticks(range(len(CLASSES)), CLASSES, rotation=90, fontsize=7)
    left.set_yticks(range(len(CLASSES)), CLASSES, fontsize=7)
    for row, column in zip(*np.nonzero(counts), strict=True):
        dark = counts[row, column] > counts.max() / 4
        left.text(
            column,
            row,
            int(counts[row, column]),
            ha="center",
            va="center",
            fontsize=5,
            color="w" if dark else "k",
        )
    left.set(xlabel="told", ylabel="true", title="located cards, at least half visible")
    points = found.reliability()
    right.plot([0, 1], [0, 1], color="0.7", linewidth=1)
    right.plot([each[0] for each in points], [each[1] for each in points], marker="o")
    for sure, share, part in points:
        right.annotate(f"{part:.1%}", (sure, share), textcoords="offset points", xytext=(4, -10), fontsize=7)
    error = found.figures()["calibration_error"]
    right.set(
        xlabel="confidence",
        ylabel="share right",
        xlim=(0, 1.02),
        ylim=(0, 1.02),
        title=f"expected calibration error {error:.3f}",
    )
    figure.savefig(out / f"{name}.png", dpi=110)


def main() -> int:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--art", type=Path, default=Path("art"))
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--packs", choices=["french", "german"], default="french")
    parser.add_argument("--photos", type=int, default=0, help="enrol each pack from so many pictures a card")
    parser.add_argument("--scenes", type=int, default=200)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--out", type=Path, help="folder for figures, confusion matrix and reliability curve")
    parser.add_argument("--pictures", type=Path, help="folder for ten scenes, the five hardest first")
    args = parser.parse_args()
    packs = held_out(args.packs, args.art)
    found, scenes = measured(packs, args.models, args.scenes, args.photos, args.threads)
    if args.pictures is not None:
        args.pictures.mkdir(parents=True, exist_ok=True)
        for number, looked in enumerate(scenes, 1):
            (args.pictures / f"{args.packs}-{number:02d}.jpg").write_bytes(jpeg(looked.drawn(), _DRAWN_WIDTH))
    if args.out is not None:
        write(found, args.packs + (f"-enrolled-{args.photos}" if args.photos else ""), args.out)
    if args.json:
        print(json.dumps(found.figures()))
    else:
        for name, value in found.figures().items():
            print(f"{name:28s} {value:.4f}")
        for one, two, count in found.confusions()[:12]:
            print(f"  {one} told as {two}: {count}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
