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
import math
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.arguments import Parser, add_threads, whole
from companion.rules.cards import PACK_24
from companion.synth.camera import Camera
from companion.synth.german import german_pack
from companion.synth.lens import degrade
from companion.synth.pack import Pack
from companion.synth.scene import CardTruth, Light, Placed, Scene
from companion.synth.setting import held_out_light
from companion.synth.surface import ALIKE, HELD_OUT, surface
from companion.table.detection import CLASSES, UNKNOWN, Detection
from companion.table.quad import aligned, overlap
from companion.training.calibration import Bin, calibration_error, reliability
from companion.training.fault import TrainingError, in_one_line
from companion.training.run import make_folder
from companion.training.tables import Sample, Tables, load_packs
from companion.vision.deck import Deck, DeckError
from companion.vision.detector import PHOTO_SIDES, CardDetector
from companion.vision.drawing import drawn, outlined
from companion.vision.rectify import rectify
from companion.vision.showing import the_card
from companion.vision.still import jpeg

__all__ = [
    "CONDITIONS",
    "HELD_OUT_GERMAN",
    "TALL",
    "USUAL",
    "Counted",
    "Ground",
    "Looked",
    "Measured",
    "add_ground",
    "check_scenes",
    "enrolled",
    "held_out",
    "main",
]

HELD_OUT_GERMAN = (1000, 1001, 1002, 1003, 1004)
"""Seeds of the German-suited packs that are measured."""
_LEAST_HEIGHT = 60
_LEAST_VISIBLE = 0.5
TALL = 110
"""Cards of this height and more, pixels, are also counted apart: a camera above a table shows them so."""
_WHOLE, _SHAKEN = 0.95, 2.0
"""From which share in sight on a card is whole, and from how many pixels of motion on a picture is shaken."""
_FALSE_ALARMS = 0.01
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


@dataclass(frozen=True, slots=True)
class Counted:
    """A card that counts, and what it was told as.

    Attributes:
        name: Of the card, `unknown` where the pack holds none such.
        height: Pixels.
        visible: Share of it that shows.
        shaken: Length of the picture's motion blur, pixels.
        told: Its name as told, None where no outline fits it.
        confidence: Of that name.
        strangeness: Probability of `unknown`.
        corner_error: Mean distance of the corners, share of the card's long side.
    """

    name: str
    height: float
    visible: float
    shaken: float
    told: str | None = None
    confidence: float = 0.0
    strangeness: float = 0.0
    corner_error: float = 0.0

    @property
    def is_right(self) -> bool:
        """Located and named."""
        return self.told == self.name


CONDITIONS: Mapping[str, Callable[[Counted], bool]] = {
    "less than 80 pixels high": lambda card: card.height < 80,
    "80 to 110 pixels high": lambda card: 80 <= card.height < TALL,
    "110 pixels high and more": lambda card: card.height >= TALL,
    "half to three quarters in sight": lambda card: card.visible < 0.75,
    "more in sight": lambda card: 0.75 <= card.visible < _WHOLE,
    "whole": lambda card: card.visible >= _WHOLE,
    "face down": lambda card: card.name == "back",
    "in a picture that was shaken": lambda card: card.shaken >= _SHAKEN,
    "in one that was not": lambda card: card.shaken < _SHAKEN,
    "in one that was not, whole, 110 pixels high and more": lambda card: (
        card.shaken < _SHAKEN and card.visible >= _WHOLE and card.height >= TALL
    ),
}
"""What cards are counted by, too."""


@dataclass(slots=True)
class Measured:
    """What came of comparing detections with the truth.

    Attributes:
        cards: Of the pack, each that counts.
        strangers: Cards of no pack.
        false: Confidence of each name that is given to what is no card.
        scenes: Pictures compared.
    """

    cards: list[Counted] = field(default_factory=list)
    strangers: list[Counted] = field(default_factory=list)
    false: list[float] = field(default_factory=list)
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
            card = Counted(truth.name, height, truth.visible, sample.shaken)
            if best > 0.5:
                seen = found[which]
                gap = aligned(seen.corners, truth.corners) - truth.corners
                card = replace(
                    card,
                    told=CLASSES[seen.best],
                    confidence=seen.confidence,
                    strangeness=float(seen.probs[UNKNOWN]),
                    corner_error=float(np.hypot(*gap.T).mean()) / height,
                )
            (self.strangers if truth.mark == UNKNOWN else self.cards).append(card)
            if not card.is_right:
                wrong.append(truth)
        self.false += [
            each.confidence for i, each in enumerate(found) if i not in taken and each.best != UNKNOWN
        ]
        return Looked(sample.picture, found, wrong)

    @property
    def located(self) -> list[Counted]:
        """Cards of the pack that an outline fits."""
        return [card for card in self.cards if card.told is not None]

    def figures(self) -> dict[str, float]:
        """The figures by name."""
        located = self.located
        strange = [card.strangeness for card in self.strangers if card.told is not None]
        known = [card.strangeness for card in located]
        alarm = float(np.quantile(known, 1 - _FALSE_ALARMS)) if known else 1.0
        corners = [card.corner_error for card in located]
        tall = [card for card in located if card.height >= TALL]
        return {
            "scenes": self.scenes,
            "cards": len(self.cards),
            "located": len(located) / max(1, len(self.cards)),
            "located_and_named": _share_right(self.cards),
            "named_of_located": _share_right(located),
            "tall": len(tall),
            "named_of_tall": _share_right(tall),
            "false_cards_per_scene": sum(sure > 0.5 for sure in self.false) / max(1, self.scenes),
            "unknown_cards": len(strange),
            "unknown_caught_at_1_percent": float(np.mean(np.array(strange) > alarm)) if strange else math.nan,
            "corner_error_median": float(np.median(corners)) if corners else math.nan,
            "calibration_error": calibration_error(self.reliability()),
            "calibration_error_of_all_told": calibration_error(self.reliability(of_all=True)),
        }

    def by_condition(self) -> dict[str, tuple[int, float]]:
        """How many cards there are under each of `CONDITIONS`, and the share located and named of them."""
        groups = {name: [card for card in self.cards if holds(card)] for name, holds in CONDITIONS.items()}
        return {name: (len(group), _share_right(group)) for name, group in groups.items()}

    def reliability(self, *, of_all: bool = False) -> list[Bin]:
        """Names by how surely they are told.

        Args:
            of_all: Whether every name counts that is told, of strangers and of what is no card as well; else
                those of located cards of the pack.
        """
        strangers = [card for card in self.strangers if of_all and card.told is not None]
        names = [(card.confidence, card.is_right) for card in (*self.located, *strangers)]
        names += [(sure, False) for sure in self.false if of_all]
        return reliability(names)

    def told(self) -> Counter[tuple[str, str]]:
        """Pairs of true and told names of located cards, strangers among them, and how often each."""
        return Counter((card.name, card.told) for card in (*self.cards, *self.strangers) if card.told)

    def missed(self) -> Counter[str]:
        """Cards, strangers among them, that no outline fits."""
        return Counter(card.name for card in (*self.cards, *self.strangers) if card.told is None)

    def confusions(self) -> list[tuple[str, str, int]]:
        """True name, told name, how often; wrong ones only, the most frequent first."""
        wrong = [(one, two, count) for (one, two), count in self.told().items() if one != two]
        return sorted(wrong, key=lambda each: (-each[2], each[0], each[1]))


def _share_right(cards: Sequence[Counted]) -> float:
    return sum(card.is_right for card in cards) / max(1, len(cards))


def held_out(suits: str, art: Path) -> list[Pack]:
    """The `french` packs of an art folder, or the `german` ones, that training never sees."""
    if suits == "german":
        return [german_pack(seed, height_px=260) for seed in HELD_OUT_GERMAN]
    return load_packs(art, held_out=True)


@dataclass(frozen=True, slots=True)
class Ground:
    """On what and under which light cards are measured.

    Attributes:
        kinds: Of table tops.
        light: Draws a light.
    """

    kinds: tuple[str, ...] = HELD_OUT
    light: Callable[[np.random.Generator], Light] = held_out_light


USUAL = Ground(ALIKE, Light.random)
"""Table tops and lights much as training draws them, on which older figures were measured."""


def add_ground(parser: argparse.ArgumentParser) -> None:
    """Let a command choose the ground on which it measures."""
    parser.add_argument(
        "--usual",
        dest="ground",
        action="store_const",
        const=USUAL,
        default=Ground(),
        help="on table tops and under lights much as training draws them",
    )


def check_scenes(parser: argparse.ArgumentParser, scenes: int, packs: int) -> None:
    """End a command of which fewer scenes are wanted than there are packs: nothing would be drawn of any."""
    if scenes < packs:
        parser.error(f"argument --scenes: {scenes} are too few for {packs} packs, which have as many each")


def enrolled(pack: Pack, detector: CardDetector, photos: int, ground: Ground, seed: int = 3) -> Deck:
    """Photograph each card of a pack alone on a table and keep the crops, as `companion deck enrol` does.

    Raises:
        TrainingError: A card was not found in its picture.
    """
    rng = np.random.default_rng(seed)
    top = surface(str(rng.choice(ground.kinds)), rng)
    light = ground.light(rng)
    crops: dict[str, list[NDArray[np.uint8]]] = {}
    for card in (str(each) for each in PACK_24 if str(each) in pack.faces):
        tries = 0
        while len(crops.get(card, ())) < photos:
            tries += 1
            if tries > 5 * photos:
                raise TrainingError(f"pack {pack.name}: {card} was not found in its pictures")
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
    packs: Sequence[Pack], models: Path, scenes: int, photos: int, threads: int, ground: Ground
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
            kinds=ground.kinds,
            tops=20,
            light=ground.light,
        )
        detector = CardDetector(models, threads)
        if photos:
            photographer = CardDetector(models, threads, sides=PHOTO_SIDES)
            detector = CardDetector(models, threads, deck=enrolled(pack, photographer, photos, ground))
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
        "conditions": found.by_condition(),
        "missed": dict(found.missed().most_common()),
        "reliability": found.reliability(),
    }
    (out / f"{name}.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    figure = Figure(figsize=(12, 5.5), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=[1.25, 1])
    told = found.told()
    counts = np.array([[told[one, two] for two in CLASSES] for one in CLASSES], np.float64)
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


@in_one_line("evaluate")
def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments and measure."""
    parser = Parser(prog="python -m companion.training.evaluate", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--art", type=Path, default=Path("art"))
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--packs", choices=["french", "german"], default="french")
    parser.add_argument(
        "--photos", type=whole(0), default=0, help="enrol each pack from so many pictures a card"
    )
    parser.add_argument("--scenes", type=whole(1), default=200)
    add_threads(parser, 1)
    add_ground(parser)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--out", type=Path, help="folder for figures, confusion matrix and reliability curve")
    parser.add_argument("--pictures", type=Path, help="folder for ten scenes, the five hardest first")
    args = parser.parse_args(arguments)
    if args.out is not None:
        try:
            import matplotlib  # noqa: F401  # missing, it is missed before the scenes are looked at
        except ImportError as error:
            raise TrainingError("--out needs matplotlib: pip install -e .[train]") from error

        make_folder(parser, "--out", args.out)
    if args.pictures is not None:
        make_folder(parser, "--pictures", args.pictures)

    packs = held_out(args.packs, args.art)
    check_scenes(parser, args.scenes, len(packs))
    found, scenes = measured(packs, args.models, args.scenes, args.photos, args.threads, args.ground)
    if args.pictures is not None:
        for number, looked in enumerate(scenes, 1):
            (args.pictures / f"{args.packs}-{number:02d}.jpg").write_bytes(jpeg(looked.drawn(), _DRAWN_WIDTH))
    if args.out is not None:
        write(found, args.packs + (f"-enrolled-{args.photos}" if args.photos else ""), args.out)
    if args.json:
        print(json.dumps(found.figures()))
    else:
        for name, value in found.figures().items():
            print(f"{name:28s} {value:.4f}")
        for name, (count, right) in found.by_condition().items():
            print(f"{name:40s} {count:4d} cards, {right:.4f} located and named")
        for one, two, count in found.confusions()[:12]:
            print(f"  {one} told as {two}: {count}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
