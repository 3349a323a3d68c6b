"""Training pictures without end: random tables with random packs, and their truth.

Nothing is stored: every sample is drawn when it is asked for, from a seed. Whole packs, kinds of table tops
and of lights are held out (`HELD_OUT_PACKS`, `surface.HELD_OUT`, `setting.HELD_OUT_LIGHTS`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.synth.backs import random_back
from companion.synth.camera import Camera
from companion.synth.clutter import KINDS as THINGS
from companion.synth.clutter import thing
from companion.synth.drawn import DrawnStyle, drawn_pack
from companion.synth.german import german_pack
from companion.synth.lens import degrade
from companion.synth.pack import ArtError, Pack, load_art_pack, with_alpha
from companion.synth.scene import CardTruth, Light, Overlay, Placed, Scene, shaded
from companion.synth.surface import KINDS, MORE, RECTANGLES, surface
from companion.table.detection import CLASSES, UNKNOWN
from companion.training.aces import ornamented
from companion.training.letters import FOLDER as LETTERS_FOLDER
from companion.training.letters import Letters, ink_of
from companion.training.obstacles import arm, flat_thing, hand
from companion.training.printed import printed_thing
from companion.training.screens import screen_thing

__all__ = ["HELD_OUT_PACKS", "Sample", "Tables", "load_packs"]

HELD_OUT_PACKS = ("lattmann", "rheinland", "anglo_poker")
"""Packs that training never draws; for measuring."""
DRAWN_SEEDS = tuple(range(100, 118))
"""Packs of our own drawing that training uses; other seeds are for films and measuring."""
_WEIGHT = {
    "berlin": 4.0,
    "atlasnye_skat": 3.0,
    "slavic_costumes": 1.0,
    "xskat-german": 3.0,
    "simplistic": 0.5,
}
GERMAN_SEEDS = tuple(range(100, 200))
"""German-suited packs of our own drawing that training uses; those from 1000 on are for measuring."""
_DRAWN_WEIGHT = 0.3
_GERMAN_WEIGHT = 0.12
_FOREIGN = ("swiss-xvii",)
_OWN_LETTERS = (
    "swiss-xvii",
    "xskat-german",
    "heruka-2color-bf",
    "heruka-4color-bf",
    "ornamental",
    "tango",
    "dondorf",
    "simplistic",
    *(f"drawn-{seed}" for seed in DRAWN_SEEDS if DrawnStyle.random(seed).corners == 4),
    *(f"german-{seed}" for seed in GERMAN_SEEDS),
)
"""Packs whose index cannot be papered over: no French suits, jumbo, or in four corners."""
_OTHER_LETTERS = 0.65
"""Share of the other packs' faces that get another index."""
_COURTS = ("K", "Q", "J")
_ANY_COURT = 0.5
"""Share of such courts whose picture says nothing: the index alone tells king, queen and jack.

Every pack draws its courts in its own way. A network that may learn the courts of its packs by
heart does not learn to read the letters, and guesses on the next pack.
"""
_MORE_COURTS = 0.2
"""Share of other cards for which training draws again: small courts are what is misread most."""
_BARE = 0.06
"""Share of other faces that lose their index."""
_UNINDEXED = {"guyenne-classic": "KQJ", "swiss-xvii": "KQJ"}
"""Packs of card art, and their ranks that have no index."""
_ORNAMENTED = 0.5
"""Share of aces of spades that get another large sign."""
_DRAWN_BACKS = 600
_MOTIFS, _FINE, _BORDERED = 0.22, 0.25, 0.42
"""Shares of them with large signs, with a fine pattern, and with a border: without one a back ends where its
pattern does, and a fine pale one looks like a sheet of paper."""
_PRINTED = 0.3
"""Share of training's tables on which a newspaper, a box, a score sheet lies."""
_SCREENS = 0.15
"""The same of phones and tablets that are on."""
_SHADED = 0.3
"""The same of lights with soft shadows and several lamps."""
_LAYOUTS = {
    "one": 0.14,
    "trick": 0.24,
    "stock": 0.31,
    "pile": 0.07,
    "fan": 0.12,
    "pair": 0.07,
    "scatter": 0.05,
}
"""Ways in which cards lie together, and how often each."""
_CLASS_OF = {name: index for index, name in enumerate(CLASSES)}


def load_packs(folder: Path, *, height_px: int = 260, held_out: bool = False) -> list[Pack]:
    """Read all packs of a folder and draw a few more, without those held out (or these alone).

    Raises:
        ArtError: There is none.
    """
    packs = [
        _marked(load_art_pack(path, height_px=height_px))
        for path in (sorted(folder.iterdir()) if folder.is_dir() else [])
        if path.is_dir() and path.name != LETTERS_FOLDER and (path.name in HELD_OUT_PACKS) == held_out
    ]
    if not packs:
        raise ArtError(f"{folder}: no packs; make them with python -m companion.training.art --out {folder}")
    if not held_out:
        packs += [
            drawn_pack(seed, indices=("AKDB", "AKQJ")[seed % 2], height_px=height_px) for seed in DRAWN_SEEDS
        ]
        packs += [german_pack(seed, height_px=height_px) for seed in GERMAN_SEEDS]
    return packs


def _marked(pack: Pack) -> Pack:
    """A pack of card art with what is known of its indices."""
    ranks = _UNINDEXED.get(pack.name, "")
    return replace(pack, unindexed=frozenset(name for name in pack.faces if name[0] in ranks))


def _weight(pack: Pack) -> float:
    if pack.name.startswith("german-"):
        return _GERMAN_WEIGHT
    return _DRAWN_WEIGHT if pack.name.startswith("drawn-") else _WEIGHT.get(pack.name, 1.0)


def _label(pack: Pack, name: str) -> int:
    if pack.name in _FOREIGN and name != "back":
        return UNKNOWN
    return _CLASS_OF.get(name, UNKNOWN)


@dataclass(frozen=True, slots=True)
class Sample:
    """A picture, its cards, and for each thing or hand that is no card x, y of a point on it and its turn.

    Pixels and degrees.

    Attributes:
        picture: (H, W, 3) uint8, blue green red.
        truth: Its cards.
        others: A float64 (x, y, turn) each.
        shaken: Length of the motion blur, pixels.
    """

    picture: NDArray[np.uint8]
    truth: list[CardTruth]
    others: list[NDArray[np.float64]]
    shaken: float = 0.0


class Tables:
    """Random tables as a camera may see them.

    Args:
        packs: To draw from.
        rng: Decides everything.
        size: Width and height of the pictures in pixels.
        card_px: Smallest and largest height of a card in pixels.
        kinds: Table tops to draw from.
        tops: How many table tops are made.
        light: Draws the light of a table.
        letters: For training: typefaces for other indices, drawn backs and printed things; without,
            every pack keeps its own index and back, and tables are those that figures are measured on.
    """

    def __init__(
        self,
        packs: Sequence[Pack],
        rng: np.random.Generator,
        *,
        size: tuple[int, int],
        card_px: tuple[float, float],
        kinds: Sequence[str] = (*KINDS, *RECTANGLES, *MORE),
        tops: int = 60,
        light: Callable[[np.random.Generator], Light] = Light.random,
        letters: Letters | None = None,
    ) -> None:
        self.packs = list(packs)
        # the packs whose index can be papered over
        plain = [pack for pack in self.packs if letters is not None and pack.name not in _OWN_LETTERS]
        aces = {(pack.name, suit): pack.faces["A" + suit] for pack in plain for suit in "HDCS"}
        self._inks = {key: ink_of(ace) for key, ace in aces.items()}
        self._letters = letters and letters.with_signs((suit, ace) for (_, suit), ace in aces.items())
        self.rng = rng
        self.size = size
        self.card_px = card_px
        self._light = light
        weights = np.array([_weight(pack) for pack in self.packs])
        self._weights = weights / weights.sum()
        self._tops = [surface(str(rng.choice(kinds)), rng) for _ in range(tops)]
        self._backs = [pack.back for pack in self.packs if pack.name != "ornamental"]
        if letters is not None:
            drawn = [
                random_back(rng, motifs=_MOTIFS, fine=_FINE, bordered=_BORDERED) for _ in range(_DRAWN_BACKS)
            ]
            self._backs += drawn

    def sample(self, *, fanned: bool = False) -> Sample:
        """Draw one picture; where `fanned`, all cards lie in fans."""
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
            self._lamp(),
            float(np.exp(rng.uniform(*np.log([120, 900])))),
            float(rng.uniform(0, 6.3)),
        )
        span = (w * mm_px / 2, h * mm_px / 2)
        items = self._layout(pack, card_mm, span, camera, fanned=fanned)
        picture, truth = scene.render(items)
        # in this order: figures are measured on the scenes that a seed gives
        blur = float(rng.choice([0.3, 0.6, 0.9, 1.3], p=[0.3, 0.4, 0.2, 0.1])) * (1 + card_px / 400)
        noise = float(abs(rng.normal(0, 4)))
        quality = int(rng.integers(30, 98)) if rng.random() < 0.7 else 100
        gamma = float(rng.uniform(0.75, 1.3))
        motion = (float(rng.normal(0, 5)), float(rng.normal(0, 5))) if rng.random() < 0.08 else (0.0, 0.0)
        picture = degrade(picture, rng, blur=blur, noise=noise, quality=quality, gamma=gamma, motion=motion)
        others = [self._point_on(item) for item in items if isinstance(item, Overlay)]
        points = [point for point in others if point is not None]
        return Sample(picture, truth, points, float(np.hypot(*motion)))

    def _lamp(self) -> Light:
        """The light of a table; in training a part of them have soft shadows, or several lamps."""
        light = self._light(self.rng)
        if self._letters is not None and self.rng.random() < _SHADED:
            return shaded(light, self.rng)
        return light

    def _point_on(self, item: Overlay) -> NDArray[np.float64] | None:
        """Any point of an overlay inside the picture, and its turn; none where all of it lies outside."""
        ys, xs = np.nonzero(item.picture[::4, ::4, 3] > 128)
        if not len(xs):
            return None
        which = int(self.rng.integers(len(xs)))
        point = np.array([xs[which], ys[which]]) * 4.0 + item.origin
        if not ((point > 0) & (point < self.size)).all():
            return None
        turn = cv2.minAreaRect(np.stack([xs, ys], axis=1).astype(np.float32))[2]
        return np.array([*point, turn])

    def _face(self, pack: Pack) -> tuple[NDArray[np.uint8], int, bool]:
        """Any face of a pack, its label, and whether it has an index."""
        rng = self.rng
        names = list(pack.faces)
        game = [name for name in names if name in _CLASS_OF]
        name = str(rng.choice(game)) if rng.random() < 0.84 else str(rng.choice(names))
        if self._letters is not None and name[0] not in _COURTS and rng.random() < _MORE_COURTS:
            name = str(rng.choice(game))
        face = pack.faces[name]
        indexed = name not in pack.unindexed
        ink = self._inks.get((pack.name, name[-1])) if len(name) == 2 and name[0] in "ATKQJ9" else None
        if ink is not None and self._letters is not None and rng.random() < _OTHER_LETTERS:
            rank, indexed = name[0], rng.random() >= _BARE
            if rank in _COURTS and rng.random() < _ANY_COURT:
                rank, indexed = str(rng.choice(_COURTS)), True
            face = self._letters.printed(face, rank, name[1], ink, rng, bare=not indexed)
            name = rank + name[1]
        if name == "AS" and ink is not None and rng.random() < _ORNAMENTED:
            face = ornamented(face, ink, rng)
        return self._worn(face), _label(pack, name), indexed

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
            out = with_alpha(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), out[..., 3])
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
            back = with_alpha(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), back[..., 3])
        return np.asarray(back, np.uint8)

    def _card(
        self, pack: Pack, mm: tuple[float, float], x: float, y: float, angle: float, z: float = 0.0
    ) -> Placed:
        face, label, indexed = self._face(pack)
        return Placed(CLASSES[label], face, x, y, angle, mm, z, mark=label, indexed=indexed)

    def _packet(self, mm: tuple[float, float], x: float, y: float, angle: float, thick: float) -> Placed:
        label = _CLASS_OF["back"]
        return Placed("back", self._back(), x, y, angle, mm, 0.0, thick, mark=label)

    def _layout(
        self,
        pack: Pack,
        mm: tuple[float, float],
        span: tuple[float, float],
        camera: Camera,
        *,
        fanned: bool,
    ) -> list[Placed | Overlay]:
        """Lay cards in the ways that tables show."""
        rng = self.rng
        items: list[Placed | Overlay] = []

        def anywhere(share: float = 0.85) -> tuple[float, float]:
            return float(rng.uniform(-span[0], span[0]) * share), float(
                rng.uniform(-span[1], span[1]) * share
            )

        if rng.random() < 0.25:
            items.append(flat_thing(rng, self.size))
        if rng.random() < 0.25:
            items.append(thing(str(rng.choice(THINGS)), rng, *anywhere(), camera))
        if self._letters is not None and rng.random() < _PRINTED:
            items.append(printed_thing(rng, *anywhere(), camera))
        if self._letters is not None and rng.random() < _SCREENS:
            items.append(screen_thing(rng, *anywhere(), camera))
        for _ in range(int(rng.choice([1, 2, 3, 4], p=[0.3, 0.35, 0.2, 0.15]))):
            x, y = anywhere()
            angle = float(rng.uniform(0, 2 * np.pi))
            kind = "fan" if fanned else rng.choice(list(_LAYOUTS), p=list(_LAYOUTS.values()))
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
                items += self._fan(pack, mm, x, y, angle)
                if rng.random() < 0.3:
                    items.append(
                        hand(rng, self.size, span, camera, (x + rng.normal(0, 40), y + rng.normal(0, 40)))
                    )
            else:
                for _ in range(int(rng.integers(2, 5))):
                    sx, sy = anywhere()
                    items.append(self._card(pack, mm, sx, sy, float(rng.uniform(0, 6.3))))
        if rng.random() < 0.06:
            return [flat_thing(rng, self.size), flat_thing(rng, self.size)]
        if rng.random() < 0.3:
            items.append(
                arm(rng, self.size, span)
                if rng.random() < 0.5
                else hand(rng, self.size, span, camera, anywhere(1.1))
            )
        if rng.random() < 0.12:
            items.append(flat_thing(rng, self.size))
        return items

    def _fan(self, pack: Pack, mm: tuple[float, float], x: float, y: float, angle: float) -> list[Placed]:
        """Two or more cards that cover each other but for a strip: fanned, in a row, or in a column."""
        rng = self.rng
        few = rng.random() < 0.6
        count = int(rng.integers(2, 7)) if few else int(rng.integers(7, 14))
        across = mm[0] * (rng.uniform(0.14, 0.45) if few else rng.uniform(0.13, 0.24))
        down = 0.0
        if few and rng.random() < 0.25:
            across, down = float(rng.normal(0, 2)), mm[1] * rng.uniform(0.18, 0.4)
        # held at its lower end, a fan turns about a point below
        turn = (
            0.0
            if down
            else float(rng.choice([0.0, across / (mm[1] * rng.uniform(0.6, 3.0))], p=[0.35, 0.65]))
        )
        # now and then laid from the right, where most packs have no index to show
        way = -1 if rng.random() < 0.12 else 1
        cards: list[Placed] = []
        at, heading = np.array([x, y]), angle - turn * (count - 1) / 2
        for number in range(count):
            cards.append(
                self._card(
                    pack, mm, float(at[0]), float(at[1]), heading + float(rng.normal(0, 0.02)), number * 0.3
                )
            )
            heading += way * turn
            right = np.array([np.cos(heading), np.sin(heading)])
            below = np.array([-np.sin(heading), np.cos(heading)])
            at = at + way * right * across * rng.uniform(0.8, 1.2) + below * down * rng.uniform(0.85, 1.15)
        # the middle of the fan, not its first card, lies where it was wanted
        shift = np.array([x, y]) - (np.array([cards[0].x_mm, cards[0].y_mm]) + at) / 2
        return [
            replace(card, x_mm=card.x_mm + float(shift[0]), y_mm=card.y_mm + float(shift[1]))
            for card in cards
        ]
