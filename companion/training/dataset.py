"""Training pictures without end: random tables with random packs, and their truth.

Nothing is stored: every sample is drawn when it is asked for, from a seed. Whole packs, table
tops and lights are held out (`HELD_OUT_PACKS`, `surface.HELD_OUT`), never random frames.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.utils.data import IterableDataset, get_worker_info

from companion.synth.drawn import drawn_pack
from companion.synth.pack import ArtError, Pack, load_art_pack
from companion.synth.scene import Camera, CardTruth, Light, Overlay, Placed, Scene, degrade
from companion.synth.surface import KINDS, surface
from companion.table.detection import CLASSES, UNKNOWN
from companion.vision.rectify import CROP_SIZE, crop_frame, rectify

__all__ = ["HELD_OUT_PACKS", "CropSet", "TableSet", "Tables", "load_packs", "locator_target"]

HELD_OUT_PACKS = ("lattmann", "rheinland", "anglo_poker")
"""Packs that training never draws; for measuring."""
DRAWN_SEEDS = (100, 101, 102)
"""Packs of our own drawing that training uses; other seeds are for films and measuring."""
_WEIGHT = {
    "berlin": 4.0,
    "atlasnye_skat": 3.0,
    "slavic_costumes": 1.0,
    "xskat-german": 3.0,
    "simplistic": 0.5,
}
_FOREIGN = ("swiss-xvii",)
_CLASS_OF = {name: index for index, name in enumerate(CLASSES)}


def load_packs(folder: Path, *, height_px: int = 260, held_out: bool = False) -> list[Pack]:
    """Read all packs of a folder and draw a few more, without those held out (or these alone).

    Raises:
        ArtError: There is none.
    """
    packs = [
        load_art_pack(path, height_px=height_px)
        for path in (sorted(folder.iterdir()) if folder.is_dir() else [])
        if path.is_dir() and (path.name in HELD_OUT_PACKS) == held_out
    ]
    if not packs:
        raise ArtError(f"{folder}: no packs; make them with python -m companion.training.art --out {folder}")
    if not held_out:
        packs += [
            drawn_pack(seed, indices=("AKDB", "AKQJ")[seed % 2], height_px=height_px) for seed in DRAWN_SEEDS
        ]
    return packs


def _label(pack: Pack, name: str) -> int:
    if pack.name in _FOREIGN and name != "back":
        return UNKNOWN
    return _CLASS_OF.get(name, UNKNOWN)


@dataclass(frozen=True, slots=True)
class _Sample:
    picture: NDArray[np.uint8]
    truth: list[CardTruth]


class Tables:
    """Random tables as a camera may see them.

    Args:
        packs: To draw from.
        rng: Decides everything.
        size: Width and height of the pictures in pixels.
        card_px: Smallest and largest height of a card in pixels.
        kinds: Table tops to draw from.
    """

    def __init__(
        self,
        packs: Sequence[Pack],
        rng: np.random.Generator,
        *,
        size: tuple[int, int],
        card_px: tuple[float, float],
        kinds: Sequence[str] = KINDS,
        tops: int = 60,
    ) -> None:
        self.packs = list(packs)
        self.rng = rng
        self.size = size
        self.card_px = card_px
        weights = np.array([_WEIGHT.get(pack.name, 1.0) for pack in self.packs])
        self._weights = weights / weights.sum()
        self._tops = [surface(str(rng.choice(kinds)), rng) for _ in range(tops)]
        self._backs = [pack.back for pack in self.packs if pack.name != "ornamental"]

    def sample(self) -> _Sample:
        """Draw one picture."""
        rng = self.rng
        w, h = self.size
        card_px = float(np.exp(rng.uniform(*np.log(self.card_px))))
        pack = self.packs[int(rng.choice(len(self.packs), p=self._weights))]
        aspect = rng.uniform(1.42, 1.64) if rng.random() < 0.3 else pack.size_mm[1] / pack.size_mm[0]
        card_mm = (59.0, 59.0 * aspect)
        mm_px = card_mm[1] / card_px
        camera = Camera.above(
            (w, h),
            distance_mm=float(rng.uniform(450, 1400)),
            tilt=float(rng.beta(1.2, 1.8) * np.radians(52)),
            yaw=float(rng.uniform(-np.pi, np.pi)),
            roll=float(rng.normal(0, 0.15)),
            width_mm=w * mm_px,
        )
        top = self._tops[int(rng.integers(len(self._tops)))]
        scene = Scene(
            camera,
            top,
            Light.random(rng),
            float(np.exp(rng.uniform(*np.log([120, 900])))),
            float(rng.uniform(0, 6.3)),
        )
        span = (w * mm_px / 2, h * mm_px / 2)
        items = self._layout(pack, card_mm, span)
        picture, truth = scene.render(items)
        picture = degrade(
            picture,
            rng,
            blur=float(rng.choice([0.3, 0.6, 0.9, 1.3], p=[0.3, 0.4, 0.2, 0.1])) * (1 + card_px / 400),
            noise=float(abs(rng.normal(0, 4))),
            quality=int(rng.integers(30, 98)) if rng.random() < 0.7 else 100,
            gamma=float(rng.uniform(0.75, 1.3)),
            motion=(float(rng.normal(0, 5)), float(rng.normal(0, 5))) if rng.random() < 0.08 else (0.0, 0.0),
        )
        return _Sample(picture, truth)

    def _face(self, pack: Pack) -> tuple[str, NDArray[np.uint8], int]:
        rng = self.rng
        names = list(pack.faces)
        game = [name for name in names if name in _CLASS_OF]
        name = str(rng.choice(game)) if rng.random() < 0.88 else str(rng.choice(names))
        return name, self._worn(pack.faces[name]), _label(pack, name)

    def _worn(self, face: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Vary paper, ink and wear of a face."""
        rng = self.rng
        out = face
        if rng.random() < 0.5:
            tone = np.array(
                [rng.uniform(0.82, 1), rng.uniform(0.9, 1), rng.uniform(0.92, 1), 1.0], np.float32
            )
            out = (out * tone).astype(np.uint8)
        if rng.random() < 0.15:
            hsv = cv2.cvtColor(out[..., :3], cv2.COLOR_BGR2HSV)
            hsv[..., 1] = np.clip(hsv[..., 1] * rng.uniform(0.5, 1.3), 0, 255).astype(np.uint8)
            hsv[..., 0] = (hsv[..., 0].astype(np.int16) + int(rng.integers(-6, 7))) % 180
            out = np.dstack([cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), out[..., 3]])
        if rng.random() < 0.1:
            out = out.copy()
            for _ in range(int(rng.integers(1, 5))):
                p, q = (
                    rng.integers(0, [out.shape[1], out.shape[0]]),
                    rng.integers(0, [out.shape[1], out.shape[0]]),
                )
                shade = int(rng.integers(100, 240))
                cv2.line(out, p.tolist(), q.tolist(), (shade, shade, shade, 255), 1, cv2.LINE_AA)
        return np.asarray(out, np.uint8)

    def _back(self) -> NDArray[np.uint8]:
        rng = self.rng
        back = self._backs[int(rng.integers(len(self._backs)))]
        if rng.random() < 0.5:
            hsv = cv2.cvtColor(back[..., :3], cv2.COLOR_BGR2HSV)
            hsv[..., 0] = (hsv[..., 0].astype(np.int16) + int(rng.integers(0, 180))) % 180
            back = np.dstack([cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), back[..., 3]])
        return np.asarray(back, np.uint8)

    def _card(
        self, pack: Pack, mm: tuple[float, float], x: float, y: float, angle: float, z: float = 0.0
    ) -> Placed:
        _, face, label = self._face(pack)
        return Placed(CLASSES[label], face, x, y, angle, mm, z, mark=label)

    def _packet(self, mm: tuple[float, float], x: float, y: float, angle: float, thick: float) -> Placed:
        label = _CLASS_OF["back"]
        return Placed("back", self._back(), x, y, angle, mm, 0.0, thick, mark=label)

    def _layout(
        self, pack: Pack, mm: tuple[float, float], span: tuple[float, float]
    ) -> list[Placed | Overlay]:
        """Lay cards in the ways that tables show."""
        rng = self.rng
        items: list[Placed | Overlay] = []

        def anywhere(share: float = 0.85) -> tuple[float, float]:
            return float(rng.uniform(-span[0], span[0]) * share), float(
                rng.uniform(-span[1], span[1]) * share
            )

        if rng.random() < 0.25:
            items.append(self._thing(mm))
        for _ in range(int(rng.choice([1, 2, 3, 4], p=[0.3, 0.35, 0.2, 0.15]))):
            x, y = anywhere()
            angle = float(rng.uniform(0, 2 * np.pi))
            kind = rng.choice(
                ["one", "trick", "stock", "pile", "fan", "pair", "scatter"],
                p=[0.14, 0.26, 0.34, 0.08, 0.04, 0.08, 0.06],
            )
            if kind == "one":
                items.append(self._card(pack, mm, x, y, angle))
            elif kind in ("trick", "pair"):
                items.append(self._card(pack, mm, x, y, angle))
                far = rng.uniform(0.25, 0.9) if kind == "trick" else rng.uniform(0.68, 0.95)
                way = rng.uniform(0, 2 * np.pi)
                turn = float(angle + rng.normal(0, 0.5) + (np.pi if rng.random() < 0.5 else 0))
                items.append(
                    self._card(
                        pack,
                        mm,
                        x + np.cos(way) * far * mm[1] * 0.8,
                        y + np.sin(way) * far * mm[1] * 0.8,
                        turn,
                        0.4,
                    )
                )
            elif kind == "stock":
                shift = rng.uniform(0.3, 0.75) * mm[1] * (1 if rng.random() < 0.5 else -1)
                cross = angle + np.pi / 2 if rng.random() < 0.8 else angle + rng.normal(0, 0.3)
                # the turn-up's long side points away from the stock
                dx, dy = float(np.cos(angle) * shift * 0.8), float(np.sin(angle) * shift * 0.8)
                items.append(self._card(pack, mm, x + dx, y + dy, float(cross + rng.normal(0, 0.06))))
                items.append(
                    self._packet(mm, x, y, float(angle + rng.normal(0, 0.1)), float(rng.uniform(0.3, 3.2)))
                )
            elif kind == "pile":
                for _ in range(int(rng.integers(1, 5))):
                    items.append(
                        self._packet(
                            mm,
                            x + rng.normal(0, 6),
                            y + rng.normal(0, 6),
                            float(angle + rng.normal(0, 0.25)),
                            0.6,
                        )
                    )
            elif kind == "fan":
                count = int(rng.integers(3, 6))
                step = rng.uniform(0.1, 0.35)
                for i in range(count):
                    a = angle + (i - count / 2) * step * 0.6
                    items.append(
                        self._card(
                            pack,
                            mm,
                            x + np.cos(angle) * i * step * mm[0],
                            y + np.sin(angle) * i * step * mm[0],
                            float(a),
                            i * 0.3,
                        )
                    )
            else:
                for _ in range(int(rng.integers(2, 5))):
                    sx, sy = anywhere()
                    items.append(self._card(pack, mm, sx, sy, float(rng.uniform(0, 6.3))))
        if rng.random() < 0.06:
            return [self._thing(mm), self._thing(mm)]
        if rng.random() < 0.3:
            items.append(self._occluder(mm, span))
        if rng.random() < 0.12:
            items.append(self._thing(mm))
        return items

    def _thing(self, mm: tuple[float, float]) -> Overlay:
        """Something that is no card: a sheet with writing, a coaster, a coin, a phone, a glass."""
        rng = self.rng
        w, h = self.size
        side = int(max(8, rng.uniform(0.1, 0.6) * min(w, h)))
        art = np.zeros((side, side, 4), np.uint8)
        colour = [int(c) for c in rng.integers(0, 256, 3)]
        kind = rng.choice(["sheet", "round", "box", "ring"])
        angle = float(rng.uniform(0, 180))
        if kind in ("sheet", "box"):
            if kind == "sheet":
                colour = [int(rng.integers(200, 256))] * 3
            box = cv2.boxPoints(
                ((side / 2, side / 2), (side * rng.uniform(0.3, 0.65), side * rng.uniform(0.3, 0.65)), angle)
            )
            cv2.fillConvexPoly(art, box.astype(np.int32), (*colour, 255), cv2.LINE_AA)
            if kind == "sheet":
                for i in range(1, 7):
                    a = box[0] + (box[1] - box[0]) * i / 7 + (box[3] - box[0]) * 0.1
                    b = box[0] + (box[1] - box[0]) * i / 7 + (box[3] - box[0]) * rng.uniform(0.3, 0.9)
                    cv2.line(
                        art, a.astype(int).tolist(), b.astype(int).tolist(), (90, 60, 50, 255), 1, cv2.LINE_AA
                    )
        else:
            radius = max(2, int(side * 0.42))
            cv2.circle(
                art,
                (side // 2, side // 2),
                radius,
                (*colour, 255),
                -1 if kind == "round" else max(1, side // 14),
                cv2.LINE_AA,
            )
            inner = [int(c) for c in rng.integers(0, 256, 3)]
            cv2.circle(
                art,
                (side // 2, side // 2),
                max(1, int(radius * rng.uniform(0.3, 0.8))),
                (*inner, 255),
                2,
                cv2.LINE_AA,
            )
        return Overlay(
            art,
            (int(rng.integers(-side // 2, w - side // 2)), int(rng.integers(-side // 2, h - side // 2))),
            0.4,
        )

    def _occluder(self, mm: tuple[float, float], span: tuple[float, float]) -> Overlay:
        """A hand with an arm, from any side; or fingers alone."""
        rng = self.rng
        w, h = self.size
        art = np.zeros((h, w, 4), np.uint8)
        px = w / (2 * span[0])
        tone = rng.uniform(0.25, 1.0)
        skin = np.array([130, 165, 215]) * tone + rng.normal(0, 8, 3)
        sleeve = rng.integers(0, 230, 3)
        finger = max(2, int(rng.uniform(14, 20) * px))
        tip = np.array([rng.uniform(0, w), rng.uniform(0, h)])
        way = rng.uniform(0, 2 * np.pi)
        reach = np.array([np.cos(way), np.sin(way)])
        across = np.array([-reach[1], reach[0]])
        palm = tip + reach * 95 * px

        def stroke(
            a: NDArray[np.float64], b: NDArray[np.float64], thick: int, colour: NDArray[np.float64]
        ) -> None:
            shade = np.clip(colour * rng.uniform(0.85, 1.1), 0, 255)
            p, q = (
                np.clip(a, -4000, 4000).astype(int).tolist(),
                np.clip(b, -4000, 4000).astype(int).tolist(),
            )
            cv2.line(
                art,
                p,
                q,
                (*np.clip(shade * 0.7, 0, 255).astype(int).tolist(), 255),
                thick + max(2, thick // 6),
                cv2.LINE_AA,
            )
            cv2.line(art, p, q, (*shade.astype(int).tolist(), 255), thick, cv2.LINE_AA)

        elbow = palm + reach * 400 * px
        stroke(palm, elbow, max(3, int(58 * px)), skin)
        stroke(palm + reach * 90 * px, elbow, max(3, int(80 * px)), sleeve.astype(np.float64))
        stroke(palm, palm + reach * 15 * px, max(3, int(80 * px)), skin)
        for i in range(4):
            end = tip + across * (i - 1.5) * finger * 1.15 + reach * rng.uniform(0, 25) * px
            stroke(palm + across * (i - 1.5) * finger * 1.1, end, finger, skin)
        stroke(palm + across * 3 * finger, palm + across * 4 * finger - reach * 45 * px, finger, skin)
        return Overlay(art, (0, 0), 0.4)


def locator_target(
    truth: Sequence[CardTruth], size: tuple[int, int], *, stride: int = 8
) -> NDArray[np.float32]:
    """What the locator should answer, (10, H/8, W/8): its nine channels, then the weight.

    Cards of which less than 15 % shows have no peak; what little shows is not punished.
    """
    w, h = size[0] // stride, size[1] // stride
    target = np.zeros((10, h, w), np.float32)
    ys, xs = np.mgrid[0:h, 0:w].astype(np.float32) + 0.5
    for card in truth:
        if card.visible <= 0.03:
            continue
        c = card.corners / stride
        centre = c.mean(axis=0)
        long_axis = (c[0] + c[1] - c[2] - c[3]) / 4
        short_axis = (c[1] + c[2] - c[0] - c[3]) / 4
        spot = card.spot / stride
        sigma = max(
            0.7,
            0.22
            * float(
                np.sqrt(np.linalg.norm(long_axis) * np.linalg.norm(short_axis) * min(1.0, card.visible + 0.2))
            ),
        )
        # the peak's cell itself counts as one
        cell = np.clip(np.floor(spot), 0, [w - 1, h - 1]) + 0.5
        bump = np.exp(-((xs - cell[0]) ** 2 + (ys - cell[1]) ** 2) / (2 * sigma**2))
        if card.visible < 0.15:
            target[9][bump > 0.3] = -1
            continue
        mine = bump > np.maximum(target[0], 0.2)
        target[0] = np.maximum(target[0], bump)
        target[1][mine] = centre[0] - xs[mine]
        target[2][mine] = centre[1] - ys[mine]
        for channel, axis in ((3, long_axis), (6, short_axis)):
            length = max(1e-3, float(np.linalg.norm(axis)))
            double = 2 * np.arctan2(axis[1], axis[0])
            target[channel][mine] = np.log(length * stride / 32)
            target[channel + 1][mine] = np.cos(double)
            target[channel + 2][mine] = np.sin(double)
        target[9][mine] = bump[mine]
    return target


def _worker_rng(seed: int) -> np.random.Generator:
    info = get_worker_info()
    return np.random.default_rng([seed, info.id if info is not None else 0])


class TableSet(IterableDataset[tuple[torch.Tensor, torch.Tensor]]):
    """Endless (picture (3, H, W) uint8, target (10, H/8, W/8)) for the locator."""

    def __init__(self, packs: Sequence[Pack], seed: int, size: tuple[int, int] = (256, 256)) -> None:
        self.packs, self.seed, self.size = packs, seed, size

    def __iter__(self) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        cv2.setNumThreads(0)
        tables = Tables(self.packs, _worker_rng(self.seed), size=self.size, card_px=(24, 190))
        while True:
            sample = tables.sample()
            picture = torch.from_numpy(np.ascontiguousarray(sample.picture.transpose(2, 0, 1)))
            yield picture, torch.from_numpy(locator_target(sample.truth, self.size))


class CropSet(IterableDataset[tuple[torch.Tensor, torch.Tensor, torch.Tensor]]):
    """Endless (crop (3, 144, 96) uint8, class, corner shifts (8,)) for the classifier.

    Crops are cut with corners as wrong as the locator's; the shifts lead back to the true
    ones. Crops of the bare table and of things are `unknown` and have shifts of NaN.
    """

    def __init__(self, packs: Sequence[Pack], seed: int) -> None:
        self.packs, self.seed = packs, seed

    def __iter__(self) -> Iterator[tuple[torch.Tensor, torch.Tensor, torch.Tensor]]:
        cv2.setNumThreads(0)
        rng = _worker_rng(self.seed)
        tables = Tables(self.packs, rng, size=(400, 320), card_px=(70, 260))
        while True:
            sample = tables.sample()
            for card in sample.truth:
                inside = ((card.corners > -8) & (card.corners < [408, 328])).all(axis=1).sum()
                if card.visible < 0.3 or inside < 2:
                    continue
                if card.mark == BACK_INDEX and rng.random() < 0.5:
                    continue
                yield self._crop(sample.picture, card, rng)
            if rng.random() < 0.25:
                yield self._nothing(sample, rng)

    @staticmethod
    def _crop(
        picture: NDArray[np.uint8], card: CardTruth, rng: np.random.Generator
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        true = card.corners if rng.random() < 0.5 else np.roll(card.corners, 2, axis=0)
        side = float(np.linalg.norm(true[1] - true[2]))
        # now and then as wrong as a locator that was misled by what covers the card
        spread = float(rng.choice([0.008, 0.025, 0.05, 0.08], p=[0.35, 0.35, 0.2, 0.1]))
        shift = rng.normal(0, spread, 2) * side
        scale = 1 + rng.normal(0, spread)
        turn = rng.normal(0, 2.0 * spread)
        turned = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        centre = true.mean(axis=0)
        wrong = (true - centre) @ turned * scale + centre + shift + rng.normal(0, spread * 0.4, (4, 2)) * side
        wrong = wrong.astype(np.float32)
        crop = rectify(picture, wrong)
        matrix = cv2.getPerspectiveTransform(wrong, crop_frame())
        where = cv2.perspectiveTransform(true[None].astype(np.float32), matrix)[0]
        shifts = ((where - crop_frame()) / np.array(CROP_SIZE, np.float32)).reshape(8).astype(np.float32)
        return (
            torch.from_numpy(np.ascontiguousarray(crop.transpose(2, 0, 1))),
            torch.tensor(card.mark),
            torch.from_numpy(shifts),
        )

    @staticmethod
    def _nothing(
        sample: _Sample, rng: np.random.Generator
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        h, w = sample.picture.shape[:2]
        for _ in range(10):
            side = float(rng.uniform(40, 200))
            centre = rng.uniform([0, 0], [w, h])
            if all(
                np.linalg.norm(card.corners.mean(axis=0) - centre) > side * 0.6 + 30 for card in sample.truth
            ):
                break
        else:
            side, centre = 20.0, np.array([10.0, 10.0])
        box = cv2.boxPoints((centre.tolist(), (side / 1.5, side), float(rng.uniform(0, 180)))).astype(
            np.float32
        )
        if np.linalg.norm(box[0] - box[1]) > np.linalg.norm(box[1] - box[2]):
            box = np.roll(box, 1, axis=0)
        crop = rectify(sample.picture, box)
        return (
            torch.from_numpy(np.ascontiguousarray(crop.transpose(2, 0, 1))),
            torch.tensor(UNKNOWN),
            torch.full((8,), float("nan")),
        )


BACK_INDEX = _CLASS_OF["back"]
