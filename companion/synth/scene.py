"""A table seen by a camera: cards and things laid on a surface, lit, and photographed.

Table coordinates are millimetres: the origin in the middle of the table, x to the right, y
towards south (down in the picture), z up. Everything is drawn from below to above; what is
drawn later covers what was drawn before, and the truth says how much of each card shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.synth.camera import Camera

__all__ = ["Band", "CardTruth", "Layer", "Light", "Overlay", "Placed", "Scene", "blend", "shaded"]

Picture = NDArray[np.uint8]
Points = NDArray[np.float64]
_PAPER_EDGE = (196, 205, 208)
_INDEX_SPOTS = (
    np.stack(np.meshgrid(np.linspace(0.03, 0.17, 5), np.linspace(0.03, 0.24, 6)), axis=-1)
    .reshape(-1, 2)
    .astype(np.float32)
)
"""Points of a card's index in shares of its width and height."""


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A card on the table (or carried above it).

    Attributes:
        name: What the truth calls it: `KH`, `back`, `unknown`.
        picture: (H, W, 4) uint8 BGRA.
        x_mm, y_mm: Centre.
        angle: Turn in radians, clockwise in the picture; at 0 the card's top is north.
        size_mm: Width and height.
        z_mm: Height of the underside above the table.
        thickness_mm: Of the card, or of the packet whose top card it is.
        opacity: Below 1 for what moved during the exposure.
        mark: Any number of the caller's, handed through to the truth.
        indexed: Whether its corners say which card it is, where they can be seen.
    """

    name: str
    picture: Picture
    x_mm: float
    y_mm: float
    angle: float
    size_mm: tuple[float, float] = (59.0, 91.0)
    z_mm: float = 0.0
    thickness_mm: float = 0.3
    opacity: float = 1.0
    mark: int = -1
    indexed: bool = True

    def corners_mm(self, z_mm: float) -> Points:
        """(4, 3) corners clockwise from the card's own top left, at a height."""
        w, h = self.size_mm[0] / 2, self.size_mm[1] / 2
        local = np.array([[-w, -h], [w, -h], [w, h], [-w, h]])
        c, s = np.cos(self.angle), np.sin(self.angle)
        flat = local @ np.array([[c, s], [-s, c]]) + [self.x_mm, self.y_mm]
        return np.hstack([flat, np.full((4, 1), z_mm)])


@dataclass(frozen=True, slots=True, eq=False)
class Overlay:
    """Anything else: an arm, a glass, a sheet of paper; a picture laid over the frame.

    Attributes:
        picture: (h, w, 4) uint8 BGRA in pixels of the frame.
        origin: Top left corner in the frame, pixels; may be outside.
        shadow: 0 to 1, how dark a shadow it throws.
    """

    picture: Picture
    origin: tuple[int, int] = (0, 0)
    shadow: float = 0.0

    def within(self, size: tuple[int, int]) -> tuple[tuple[slice, slice], Picture] | None:
        """Return where a picture of a size (width, height) shows it, and what shows; `None`: nothing."""
        (x, y), (height, width) = self.origin, self.picture.shape[:2]
        x0, y0, x1, y1 = max(0, x), max(0, y), min(size[0], x + width), min(size[1], y + height)
        if x0 >= x1 or y0 >= y1:
            return None
        return (slice(y0, y1), slice(x0, x1)), self.picture[y0 - y : y1 - y, x0 - x : x1 - x]


@dataclass(frozen=True, slots=True)
class Band:
    """A part of the table under another light: outside a lampshade's, in a stripe of sun, near another lamp.

    Attributes:
        angle: Direction across the band, radians from the picture's x axis.
        start, end: Where it begins and ends in that direction, shares of the picture's width from its middle.
        soft: Width of its edges, share of the picture's width.
        gain: Of blue, green, red, inside.
    """

    angle: float
    start: float
    end: float
    soft: float
    gain: tuple[float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """How the table is lit.

    Attributes:
        colour: Gain of blue, green, red.
        gradient: Gain change from edge to edge, (x, y).
        shadow_px_mm: Offset of shadows on the table per millimetre of height, (x, y) mm.
        shadow_strength: 0 to 1.
        shadow_blur: Standard deviation of the shadow's edge, share of the picture's width.
        glare: Spots as (x, y, radius, strength), shares of the picture's width; they
            whiten what is glossy.
        bands: Parts of the table with a light of their own. Training never draws them.
        shade: (rows, columns, 3) float32, coarse: gain of blue, green, red over the picture, as of shadows
            with soft edges and of lamps between which the table lies.
    """

    colour: tuple[float, float, float] = (1.0, 1.0, 1.0)
    gradient: tuple[float, float] = (0.0, 0.0)
    shadow_px_mm: tuple[float, float] = (0.6, 0.4)
    shadow_strength: float = 0.4
    shadow_blur: float = 0.004
    glare: tuple[tuple[float, float, float, float], ...] = ()
    bands: tuple[Band, ...] = ()
    shade: NDArray[np.float32] | None = None

    @classmethod
    def random(cls, rng: np.random.Generator) -> Light:
        """Any lamp a kitchen may have."""
        warm = rng.normal(0, 0.10)
        level = rng.uniform(0.55, 1.12)
        glare = tuple(
            (
                float(rng.uniform(0, 1)),
                float(rng.uniform(0, 0.6)),
                float(rng.uniform(0.03, 0.2)),
                float(rng.uniform(20, 130)),
            )
            for _ in range(int(rng.choice([0, 0, 0, 1, 2])))
        )
        return cls(
            (level * (1 - warm), level * float(rng.normal(1, 0.025)), level * (1 + warm)),
            (float(rng.uniform(-0.35, 0.35)), float(rng.uniform(-0.35, 0.35))),
            (float(rng.uniform(-1.5, 1.5)), float(rng.uniform(-1.5, 1.5))),
            float(rng.uniform(0.1, 0.65)),
            float(rng.uniform(0.0015, 0.01)),
            glare,
        )


def shaded(light: Light, rng: np.random.Generator) -> Light:
    """Return a light with soft shadows and other lamps: patches that are darker or brighter, and tinted."""
    cells = (int(rng.integers(2, 8)), int(rng.integers(3, 12)))
    depth, tint = float(rng.uniform(0.1, 0.6)), float(rng.uniform(0.0, 0.2))
    dark = rng.uniform(-1, 1, (*cells, 1))
    if rng.random() < 0.4:
        dark = np.where(rng.random((*cells, 1)) < rng.uniform(0.15, 0.6), -1.0, 0.0)
    colour = rng.uniform(-1, 1, (*cells, 1)) * np.array([1.0, 0.0, -1.0])
    shade = np.clip(1 + depth * dark + tint * colour, 0.3, 1.6)
    return replace(light, shade=np.asarray(shade, np.float32))


@dataclass(frozen=True, slots=True, eq=False)
class CardTruth:
    """Where a card is in the picture.

    Attributes:
        name: As `Placed.name`.
        corners: (4, 2) float32 pixels, clockwise from the card's own top left.
        visible: Share of the whole card that can be seen, 0 to 1.
        mark: As `Placed.mark`.
        spot: (2,) float32, mean of its visible pixels.
        indices: Share of each of its two index corners that can be seen, 0 to 1: that at its own top
            left, and the other; 0 where they say nothing.
    """

    name: str
    corners: NDArray[np.float32]
    visible: float
    mark: int
    spot: NDArray[np.float32]
    indices: tuple[float, float]

    @property
    def index(self) -> float:
        """Share of that index corner that shows more."""
        return max(self.indices)


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """A table with things on it, not lit yet.

    Attributes:
        picture: (H, W, 3) uint8.
        owner: (H, W) int16, which of `placed` is seen there; -1: none.
        placed: Cards so far, with their corners, (4, 2) float32 pixels.
    """

    picture: Picture
    owner: NDArray[np.int16]
    placed: tuple[tuple[Placed, NDArray[np.float32]], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A lit table under a camera.

    Attributes:
        texture: (S, S, 3) uint8 table top that tiles.
        texture_mm: Side of one tile in millimetres.
        texture_angle: Turn of the texture, radians.
    """

    camera: Camera
    texture: Picture
    light: Light = field(default_factory=Light)
    texture_mm: float = 400.0
    texture_angle: float = 0.0

    def background(self) -> Picture:
        """The empty table, before light, (H, W, 3) uint8; worth keeping between frames."""
        scale = self.texture_mm / self.texture.shape[0]
        c, s = np.cos(self.texture_angle) * scale, np.sin(self.texture_angle) * scale
        to_mm = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        matrix = self.camera.plane() @ to_mm
        # warpPerspective does not wrap without a map: build the map once by the inverse
        w, h = self.camera.size
        inverse = np.linalg.inv(matrix)
        xs, ys = np.arange(w, dtype=np.float64)[None], np.arange(h, dtype=np.float64)[:, None]
        d = inverse[2, 0] * xs + inverse[2, 1] * ys + inverse[2, 2]
        u = (inverse[0, 0] * xs + inverse[0, 1] * ys + inverse[0, 2]) / d
        v = (inverse[1, 0] * xs + inverse[1, 1] * ys + inverse[1, 2]) / d
        side = self.texture.shape[0]
        map_x, map_y = np.mod(u, side).astype(np.float32), np.mod(v, side).astype(np.float32)
        return np.asarray(
            cv2.remap(self.texture, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP), np.uint8
        )

    def render(
        self, items: Sequence[Placed | Overlay], background: Picture | None = None
    ) -> tuple[Picture, list[CardTruth]]:
        """Draw the table with things on it.

        Args:
            items: From the lowest to the topmost.
            background: What `background` gave, to save drawing it again.

        Returns:
            (H, W, 3) uint8 picture as the sensor gets it, and the truth of each `Placed`
            in the order of `items` (those outside the picture have `visible` 0).
        """
        layer = self.lay(items, self.empty(background))
        return self.lit(layer.picture), self.truth(layer)

    def empty(self, background: Picture | None = None) -> Layer:
        """Return the table with nothing on it; `background` as in `render`."""
        w, h = self.camera.size
        picture = self.background() if background is None else background
        return Layer(picture, np.full((h, w), -1, np.int16), ())

    def lay(self, items: Sequence[Placed | Overlay], onto: Layer) -> Layer:
        """Lay things on what lies there already, from the lowest to the topmost; `onto` stays as it is."""
        picture, owner = onto.picture.copy(), onto.owner.copy()
        placed = list(onto.placed)
        for item in items:
            if isinstance(item, Overlay):
                self._lay_overlay(picture, owner, item)
            else:
                placed.append((item, self._lay_card(picture, owner, item, len(placed))))
        return Layer(picture, owner, tuple(placed))

    def truth(self, layer: Layer) -> list[CardTruth]:
        """Say of each `Placed`, in the order in which they were laid, where it is and what shows of it."""
        return [
            self._truth(layer.owner, number, item, corners)
            for number, (item, corners) in enumerate(layer.placed)
        ]

    def _lay_card(
        self, picture: Picture, owner: NDArray[np.int16], item: Placed, number: int
    ) -> NDArray[np.float32]:
        top = self.camera.project(item.corners_mm(item.z_mm + item.thickness_mm))
        base = self.camera.project(item.corners_mm(item.z_mm))
        self._shadow(picture, item)
        opacity = item.opacity
        if item.thickness_mm > 0.5 and opacity >= 1:
            hull = cv2.convexHull(np.vstack([top, base]).astype(np.float32)).round().astype(np.int32)
            cv2.fillConvexPoly(picture, hull, _PAPER_EDGE, cv2.LINE_AA)
        ph, pw = item.picture.shape[:2]
        source = np.array([[0, 0], [pw, 0], [pw, ph], [0, ph]], np.float32)
        box = _clip_box(top, picture.shape[1], picture.shape[0])
        corners = top.astype(np.float32)
        if box is None:
            return corners
        x0, y0, x1, y1 = box
        # shrink before warping, so that small cards are averaged and not sampled
        side = float(np.linalg.norm(top[1] - top[0]) + np.linalg.norm(top[2] - top[3])) / 2
        art = item.picture
        factor = side / pw
        if factor < 0.6:
            # of a card that is seen from its edge one pixel is left
            smaller = min(1.0, max(factor * 1.3, 0.51 / min(pw, ph)))
            art = np.asarray(
                cv2.resize(art, None, fx=smaller, fy=smaller, interpolation=cv2.INTER_AREA), np.uint8
            )
            source *= np.array([art.shape[1] / pw, art.shape[0] / ph], np.float32)
        matrix = cv2.getPerspectiveTransform(source, corners - np.array([x0, y0], np.float32))
        warped = cv2.warpPerspective(art, matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
        alpha = warped[..., 3:].astype(np.float32) * (opacity / 255)
        region = picture[y0:y1, x0:x1]
        region[...] = (warped[..., :3] * alpha + region * (1 - alpha)).astype(np.uint8)
        if opacity > 0.5:
            owner[y0:y1, x0:x1][warped[..., 3] > 127] = number
        return corners

    def _shadow(self, picture: Picture, item: Placed) -> None:
        strength = self.light.shadow_strength * item.opacity
        height = item.z_mm + item.thickness_mm + 0.8
        offset = np.array([self.light.shadow_px_mm[0] * height, self.light.shadow_px_mm[1] * height, 0.0])
        outline = self.camera.project(item.corners_mm(0.0) + offset)
        sigma = max(0.6, self.light.shadow_blur * self.camera.size[0] * (1 + height / 15))
        _darken(picture, outline, strength, sigma)

    def _lay_overlay(self, picture: Picture, owner: NDArray[np.int16], item: Overlay) -> None:
        w = picture.shape[1]
        shown = item.within((w, picture.shape[0]))
        if shown is None:
            return
        place, art = shown
        if item.shadow > 0:
            dx, dy = (round(self.light.shadow_px_mm[i] * 14 * w / 600) for i in (0, 1))
            soft = cv2.GaussianBlur(art[..., 3], (0, 0), max(1.0, w * 0.008))
            way = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
            # what reaches over the edge of the picture throws its shadow from beyond it too
            shift = cv2.warpAffine(soft, way, soft.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
            region = picture[place]
            region[...] = (region * (1 - shift[..., None].astype(np.float32) * (item.shadow / 255))).astype(
                np.uint8
            )
        blend(picture[place], art)
        owner[place][art[..., 3] > 127] = -1

    def _truth(
        self, owner: NDArray[np.int16], number: int, item: Placed, corners: NDArray[np.float32]
    ) -> CardTruth:
        box = _clip_box(corners, owner.shape[1], owner.shape[0])
        spot = corners.mean(axis=0)
        visible, indices = 0.0, (0.0, 0.0)
        if box is not None:
            x0, y0, x1, y1 = box
            ys, xs = np.nonzero(owner[y0:y1, x0:x1] == number)
            area = float(cv2.contourArea(corners))
            if len(xs) and area > 0:
                visible = min(1.0, len(xs) / area)
                spot = np.array([xs.mean() + x0 + 0.5, ys.mean() + y0 + 0.5], np.float32)
                indices = _indices_shown(owner, number, corners) if item.indexed else indices
        return CardTruth(item.name, corners, visible, item.mark, spot.astype(np.float32), indices)

    def lit(self, picture: Picture) -> Picture:
        """Put light on a picture of the table, (H, W, 3) uint8."""
        h, w = picture.shape[:2]
        gx = 1 + self.light.gradient[0] * np.linspace(-0.5, 0.5, w, dtype=np.float32)[None, :]
        gy = 1 + self.light.gradient[1] * np.linspace(-0.5, 0.5, h, dtype=np.float32)[:, None]
        lit = picture * (gx * gy)[..., None] * np.array(self.light.colour, np.float32)
        if self.light.shade is not None:
            lit = lit * np.asarray(
                cv2.resize(self.light.shade, (w, h), interpolation=cv2.INTER_CUBIC), np.float32
            )
        for band in self.light.bands:
            lit = lit * (1 + _inside(band, (w, h))[..., None] * (np.array(band.gain, np.float32) - 1))
        if self.light.glare:
            ys, xs = np.mgrid[0:h, 0:w].astype(np.float32) / w
            for x, y, radius, strength in self.light.glare:
                spot = np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / (2 * radius**2)) * strength
                lit += spot[..., None]
        return np.clip(lit, 0, 255).astype(np.uint8)


def _inside(band: Band, size: tuple[int, int]) -> NDArray[np.float32]:
    """(H, W) 0 to 1: how much of a band's light falls on each pixel."""
    w, h = size
    xs = (np.arange(w, dtype=np.float32)[None, :] - w / 2) / w
    ys = (np.arange(h, dtype=np.float32)[:, None] - h / 2) / w
    across = xs * np.float32(np.cos(band.angle)) + ys * np.float32(np.sin(band.angle))
    begins, ends = (np.clip(x / band.soft + 0.5, 0, 1) for x in (across - band.start, band.end - across))
    return np.asarray(begins * ends, np.float32)


def _indices_shown(
    owner: NDArray[np.int16], number: int, corners: NDArray[np.float32]
) -> tuple[float, float]:
    """How much of each of a card's two index corners is its own in `owner`."""
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(unit, corners)
    spots = cv2.perspectiveTransform(_INDEX_SPOTS[None], matrix)[0]
    ends = cv2.perspectiveTransform(1 - _INDEX_SPOTS[None], matrix)[0]
    h, w = owner.shape

    def shown(points: NDArray[np.float32]) -> float:
        xs, ys = points.T.astype(int)
        inside = (xs >= 0) & (ys >= 0) & (xs < w) & (ys < h)
        return float((owner[ys[inside], xs[inside]] == number).sum()) / len(xs)

    return shown(spots), shown(ends)


def blend(region: Picture, art: Picture) -> None:
    """Draw over a part of a picture, in place.

    Args:
        region: (h, w, 3) uint8.
        art: (h, w, 4) uint8 BGRA.
    """
    alpha = art[..., 3:].astype(np.float32) / 255
    region[...] = (art[..., :3] * alpha + region * (1 - alpha)).astype(np.uint8)


def _clip_box(points: NDArray[np.floating], width: int, height: int) -> tuple[int, int, int, int] | None:
    x0, y0 = np.floor(points.min(axis=0)).astype(int) - 1
    x1, y1 = np.ceil(points.max(axis=0)).astype(int) + 2
    x0, y0, x1, y1 = max(0, int(x0)), max(0, int(y0)), min(width, int(x1)), min(height, int(y1))
    return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None


def _darken(picture: Picture, outline: Points, strength: float, sigma: float) -> None:
    margin = 3 * sigma + 1
    grown = np.vstack([outline.min(axis=0) - margin, outline.max(axis=0) + margin])
    box = _clip_box(grown, picture.shape[1], picture.shape[0])
    if box is None or strength <= 0:
        return
    x0, y0, x1, y1 = box
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(mask, (outline - [x0, y0]).round().astype(np.int32), 255)
    soft = cv2.GaussianBlur(mask, (0, 0), sigma).astype(np.float32) * (strength / 255)
    region = picture[y0:y1, x0:x1]
    region[...] = (region * (1 - soft[..., None])).astype(np.uint8)
