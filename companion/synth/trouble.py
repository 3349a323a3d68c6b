"""What befalls a film between the table and the file: a poor camera, a restless room, another view.

Each trouble takes the frames of a recording and gives them as they would have come. So recordings once
rendered serve for many cameras: `python -m companion.evaluate hands DIR --trouble dim,focus`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules.cards import Player
from companion.synth.arm import ArmLook, draw_hand
from companion.synth.camera import Camera
from companion.synth.scene import Overlay, blend
from companion.synth.script import Grip, Hand
from companion.table.detection import Frame

__all__ = ["TROUBLES", "Trouble", "TroubleError", "troubled"]

Picture = NDArray[np.uint8]
Trouble = Callable[[Iterable[Frame], np.random.Generator], Iterator[Frame]]

_COARSE = (160, 90)
_STIRRED_LEVELS = 30.0
"""Grey levels by which a place of the coarse picture changes where somebody moves."""
_GAMMA = 2.2
_PACKED = 35
"""JPEG quality of what comes through a slow network."""
_LOST = 0.2
_SENT_S, _HELD_S = 12.0, (0.3, 2.5)
"""How long pictures come through such a network at a time, on average, and then do not."""
_SHAKEN = 0.002
"""How far a picture that shakes is off, as a share of its width: the deviation."""
_INK = 0.35
"""How much of what lies under it writing in the picture hides."""
_FLAT: Grip = "over"
"""How a hand lies that holds nothing."""


class TroubleError(ValueError):
    """A trouble that nobody knows; the message names it and those that are known."""


def troubled(frames: Iterable[Frame], names: Sequence[str], seed: int) -> Iterable[Frame]:
    """Return frames as they come through the named troubles, one after the other.

    Args:
        frames: Of a recording, as rendered.
        names: Keys of `TROUBLES`.
        seed: For all that is left to chance.

    Raises:
        TroubleError: A name is unknown.
    """
    for at, name in enumerate(names):
        if name not in TROUBLES:
            raise TroubleError(f"trouble {name!r:.40}: none of {', '.join(TROUBLES)}")
        frames = TROUBLES[name](frames, np.random.default_rng([seed, at]))
    return frames


# The camera


def _exposure(frames: Iterable[Frame], rng: np.random.Generator) -> Iterator[Frame]:
    """A camera that meters the middle, late, and overshoots: each arm makes it brighter or darker."""
    gain, speed, usual, last = 1.0, 0.0, 0.0, 0.0
    stiffness, damping, steps = 14.0, 4.5, 10
    for frame in frames:
        light = (_gray(frame.bgr) / 255.0) ** _GAMMA
        height, width = light.shape
        middle = light[height // 4 : 3 * height // 4, width // 4 : 3 * width // 4]
        metered = 0.7 * float(middle.mean()) + 0.3 * float(light.mean()) + 1e-6
        usual = usual or metered
        step = min(0.5, frame.time - last) / steps
        last = frame.time
        wanted = float(np.clip(usual / metered, 0.35, 2.5))
        for _ in range(steps):
            speed += (stiffness * (wanted - gain) - damping * speed) * step
            gain = float(np.clip(gain + speed * step, 0.3, 3.0))
        yield replace(frame, bgr=_lit(frame.bgr, (gain, gain, gain)))


def _focus(frames: Iterable[Frame], rng: np.random.Generator) -> Iterator[Frame]:
    """A lens that looks for its focus for a second or two, now and then, and where somebody reaches in."""
    stir, lasts = _Stir(), 1.4
    begun, following, most = -np.inf, float(rng.uniform(4, 10)), 0.0
    for frame in frames:
        reached = stir.share(frame.bgr) > 0.06 and rng.random() < 0.25
        through = (frame.time - begun) / lasts
        if through >= 1.0 and (frame.time > following or reached):
            begun, through, most = frame.time, 0.0, float(rng.uniform(2.5, 6.0))
            following = frame.time + float(rng.uniform(8, 20))
        blur = (
            most * float(np.sin(np.pi * through) * abs(np.cos(2 * np.pi * through))) if through < 1 else 0.0
        )
        yield frame if blur < 0.3 else replace(frame, bgr=_blurred(frame.bgr, blur))


def _colours(frames: Iterable[Frame], rng: np.random.Generator) -> Iterator[Frame]:
    """A white balance that wanders whenever something large moves."""
    stir, gains, wanted = _Stir(), np.ones(3), np.ones(3)
    for frame in frames:
        share, lot = stir.share(frame.bgr), rng.random()
        if lot < (0.3 if share > 0.05 else 0.01):
            wanted = np.array([rng.uniform(0.65, 1.45), 1.0, rng.uniform(0.65, 1.45)])
        gains += 0.15 * (wanted - gains)
        yield replace(frame, bgr=_lit(frame.bgr, gains))


def _dim(frames: Iterable[Frame], rng: np.random.Generator) -> Iterator[Frame]:
    """A dim lamp: noise, a smoothing over time that leaves ghosts, hard compression."""
    shown: NDArray[np.float32] | None = None
    for frame in frames:
        dark = _lit(frame.bgr, (0.35, 0.35, 0.35)).astype(np.float32)
        height, width = dark.shape[:2]
        spots = rng.normal(0, 7, (height // 4, width // 4, 3)).astype(np.float32)
        dark += rng.normal(0, 9, (height, width, 1)) + cv2.resize(spots, (width, height))
        if shown is not None:
            moved = np.abs(cv2.GaussianBlur(dark - shown, (0, 0), 2)).max(axis=2, keepdims=True)
            new = np.clip(0.35 + moved / 60.0, 0.35, 0.8)
            dark = new * dark + (1.0 - new) * shown
        shown = np.asarray(dark, np.float32)
        yield replace(frame, bgr=_compressed(np.clip(shown, 0, 255).astype(np.uint8), 38))


def _barrel(frames: Iterable[Frame], rng: np.random.Generator) -> Iterator[Frame]:
    """A wide lens that bends what is straight."""
    ways: NDArray[np.float32] | None = None
    for frame in frames:
        height, width = frame.bgr.shape[:2]
        if ways is None or ways.shape[:2] != (height, width):
            lens = np.array([[0.75 * width, 0, width / 2], [0, 0.75 * width, height / 2], [0, 0, 1.0]])
            places = np.stack(np.meshgrid(np.arange(width), np.arange(height)), -1).astype(np.float32)
            bent = cv2.undistortPoints(places.reshape(-1, 1, 2), lens, np.array([-0.13, 0.02, 0, 0]), P=lens)
            ways = np.asarray(bent, np.float32).reshape(height, width, 2)
        picture = cv2.remap(
            frame.bgr, ways[..., 0], ways[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        yield replace(frame, bgr=np.asarray(picture, np.uint8))


def _small(frames: Iterable[Frame], rng: np.random.Generator) -> Iterator[Frame]:
    """An old webcam of half the width, and compression."""
    for frame in frames:
        height, width = frame.bgr.shape[:2]
        half = cv2.resize(frame.bgr, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
        yield replace(frame, bgr=_compressed(np.asarray(half, np.uint8), 60))


def _wobble(frames: Iterable[Frame], rng: np.random.Generator) -> Iterator[Frame]:
    """A table that shakes the camera whenever somebody lays a card down."""
    stir, begun, most, phase = _Stir(), -np.inf, 0.0, 0.0
    for frame in frames:
        if stir.share(frame.bgr) > 0.03 and rng.random() < 0.4:
            begun, most, phase = frame.time, float(rng.uniform(3, 9)), float(rng.uniform(0, 6))
        since = frame.time - begun
        if since >= 2.5:
            yield frame
            continue
        left = most * np.exp(-since / 0.5)
        x, y = left * np.sin(8 * np.pi * since + phase), left * np.cos(6 * np.pi * since + phase) / 2
        yield replace(frame, bgr=_shifted(frame.bgr, float(x), float(y)))


def _slipping(frames: Iterable[Frame], rng: np.random.Generator) -> Iterator[Frame]:
    """A mount that gives by a few pixels with every knock, and stays there."""
    stir, off = _Stir(), np.zeros(2)
    for frame in frames:
        if stir.share(frame.bgr) > 0.03 and rng.random() < 0.25:
            off += rng.normal(0, 2.5, 2)
        yield replace(frame, bgr=_shifted(frame.bgr, float(off[0]), float(off[1])))


def _network(frames: Iterable[Frame], rng: np.random.Generator) -> Iterator[Frame]:
    """A phone's, over Wi-Fi: pictures packed hard, one in five is lost, and every while none comes."""
    begins = ends = 0.0
    for frame in frames:
        if frame.time >= ends:
            begins = frame.time + rng.exponential(_SENT_S)
            ends = begins + rng.uniform(*_HELD_S)
        if frame.time < begins and rng.random() >= _LOST:
            yield replace(frame, bgr=_compressed(frame.bgr, _PACKED))


def _shaking(frames: Iterable[Frame], rng: np.random.Generator) -> Iterator[Frame]:
    """A mount that never stands still: a fan beside it, a floor that gives."""
    for frame in frames:
        x, y = rng.normal(0, _SHAKEN * frame.bgr.shape[1], 2)
        yield replace(frame, bgr=_shifted(frame.bgr, float(x), float(y)))


def _grey(frames: Iterable[Frame], rng: np.random.Generator) -> Iterator[Frame]:
    """Night mode: no colour, a lamp of its own that reaches the middle, noise."""
    lamp = np.zeros((0, 0))
    for frame in frames:
        grey = cv2.cvtColor(frame.bgr, cv2.COLOR_BGR2GRAY).astype(np.float32)
        if lamp.shape != grey.shape:
            rows, columns = np.mgrid[-1 : 1 : grey.shape[0] * 1j, -1 : 1 : grey.shape[1] * 1j]
            lamp = 0.75 * np.exp(-(columns**2) / 1.2 - rows**2 / 1.4)
        night = 40 + lamp * grey + rng.normal(0, 4, grey.shape)
        whole = np.repeat(np.clip(night, 0, 255).astype(np.uint8)[..., None], 3, axis=2)
        yield replace(frame, bgr=whole)


def _written(frames: Iterable[Frame], rng: np.random.Generator) -> Iterator[Frame]:
    """An app that writes across the picture until it is paid for, and a clock below."""
    for frame in frames:
        height, width = frame.bgr.shape[:2]
        size, ink = width / 1280, np.zeros(frame.bgr.shape, np.uint8)
        write = partial(cv2.putText, ink, fontFace=cv2.FONT_HERSHEY_SIMPLEX, color=(255, 255, 255))
        middle, below = (int(0.17 * width), int(0.54 * height)), (int(0.02 * width), int(0.97 * height))
        write("TRIAL VERSION", org=middle, fontScale=3.2 * size, thickness=round(6 * size))
        clock = f"2026-03-04 20:{int(frame.time) // 60 % 60:02d}:{int(frame.time) % 60:02d} CAM01"
        write(clock, org=below, fontScale=1.6 * size, thickness=max(1, round(3 * size)))
        over = frame.bgr + _INK * ink * (1 - frame.bgr / 255.0)
        yield replace(frame, bgr=np.clip(over, 0, 255).astype(np.uint8))


# The room, and whoever sits in it


def _television(frames: Iterable[Frame], rng: np.random.Generator) -> Iterator[Frame]:
    """A dark room in which a screen flickers."""
    light, wanted = np.ones(3), np.ones(3)
    for frame in frames:
        if rng.random() < 0.25:
            wanted = rng.uniform(0.55, 1.25) * np.clip(rng.normal(1, 0.12, 3), 0.7, 1.3)
        light += 0.5 * (wanted - light)
        yield replace(frame, bgr=_lit(frame.bgr, 0.6 * light))


def _shadows(frames: Iterable[Frame], rng: np.random.Generator) -> Iterator[Frame]:
    """Players who lean in before the lamp, and throw large soft shadows."""
    width, height = _COARSE
    rows, columns = np.mgrid[0:height, 0:width]
    phases = rng.uniform(0, 6, (3, 2))
    for frame in frames:
        light = np.ones((height, width), np.float32)
        for side in (0, 1):
            lean = 70 * max(0.0, float(np.sin((0.21 + 0.06 * side) * frame.time + phases[0, side]))) ** 2
            into = lean - 25 + 4 * np.sin(1.3 * frame.time + phases[1, side])
            x = width / 2 + 35 * np.sin(0.1 * frame.time + phases[2, side])
            y = height + 30 - into if side == 0 else into - 30
            away = ((columns - x) / 45) ** 2 + ((rows - y) / 35) ** 2
            light *= 1 - 0.55 / (1 + np.exp(6 * (away - 1)))
        wide = cv2.resize(light, (frame.bgr.shape[1], frame.bgr.shape[0])) ** (1 / _GAMMA)
        yield replace(frame, bgr=(frame.bgr * wide[..., None]).astype(np.uint8))


def _resting(frames: Iterable[Frame], rng: np.random.Generator) -> Iterator[Frame]:
    """Players who rest a hand on the table at the edge of the picture, for most of the time."""
    looks = [ArmLook.random(rng) for _ in Player]
    rests = [_rests(rng) for _ in Player]
    drawn: dict[tuple[Player, int, int], tuple[Overlay | None, Overlay | None]] = {}
    for frame in frames:
        size = (frame.bgr.shape[1], frame.bgr.shape[0])
        camera = Camera.above(size, tilt=0.15, width_mm=690)
        picture = frame.bgr.copy()
        for player in Player:
            there = next((rest for rest in rests[player] if rest[0] <= frame.time < rest[1]), None)
            if there is None:
                continue
            came, goes, x, y = there
            out = max(0.0, 1 - (frame.time - came) / 0.6, 1 - (goes - frame.time) / 0.6)
            fidgets = 3 * np.sin(3 * frame.time) if int(frame.time / 7) % 4 == 0 else 0.0
            key = player, round(x + fidgets), round(y + 140 * out)
            if key not in drawn:
                way = 1 if player is Player.SOUTH else -1
                hand = Hand(
                    player, way * key[1], way * key[2], 6.0, (way * (key[1] + 30), way * 420), _FLAT,
                    left=False, moving=False,
                )  # fmt: skip
                drawn[key] = draw_hand(hand, looks[player], camera)
            for part in drawn[key]:
                if part is not None and (shown := part.within(size)) is not None:
                    blend(picture[shown[0]], shown[1])
        yield replace(frame, bgr=picture)


def _rests(rng: np.random.Generator) -> tuple[tuple[float, float, float, float], ...]:
    """From when until when a hand rests, and where, mm right of the middle and below it for its player."""
    side, time, found = float(rng.choice([-1, 1])), 0.0, []
    for _ in range(60):
        stays = float(rng.uniform(15, 45))
        found.append((time, time + stays, side * float(rng.uniform(150, 260)), float(rng.uniform(75, 120))))
        time += stays + float(rng.uniform(1, 12))
    return tuple(found)


# Another view of the table, with what lies at the picture's edge drawn out beyond it


def _tilted(degrees: float, frames: Iterable[Frame], rng: np.random.Generator) -> Iterator[Frame]:
    """Seen from the south, so many degrees from straight above."""
    tilt = np.deg2rad(degrees)
    for frame in frames:
        height, width = frame.bgr.shape[:2]
        flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
        away = 1.6 * width
        x, north = flat[:, 0] - width / 2, height / 2 - flat[:, 1]
        depth = away + north * np.sin(tilt)
        seen = away * np.stack([x, -north * np.cos(tilt)], axis=1) / depth[:, None]
        room = np.ptp(seen, axis=0)
        seen *= min(width / room[0], height / room[1])
        seen += np.array([width, height]) / 2 - (seen.max(axis=0) + seen.min(axis=0)) / 2
        through = cv2.getPerspectiveTransform(flat.astype(np.float32), seen.astype(np.float32))
        yield replace(frame, bgr=_through(np.asarray(through, np.float64), frame.bgr, rng))


def _elsewhere(
    degrees: float,
    scale: float,
    off: tuple[float, float],
    frames: Iterable[Frame],
    rng: np.random.Generator,
) -> Iterator[Frame]:
    """Turned, smaller, and off the middle by this share of the picture."""
    for frame in frames:
        height, width = frame.bgr.shape[:2]
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, scale)
        turn[:, 2] += off[0] * width, off[1] * height
        yield replace(frame, bgr=_through(np.vstack([turn, [0.0, 0.0, 1.0]]), frame.bgr, rng))


TROUBLES: Mapping[str, Trouble] = {
    "exposure": _exposure,
    "focus": _focus,
    "colours": _colours,
    "dim": _dim,
    "barrel": _barrel,
    "small": _small,
    "network": _network,
    "wobble": _wobble,
    "slipping": _slipping,
    "shaking": _shaking,
    "grey": _grey,
    "written": _written,
    "television": _television,
    "shadows": _shadows,
    "resting": _resting,
    "tilted": partial(_tilted, 50.0),
    "turned": partial(_elsewhere, 25.0, 0.75, (0.0, 0.0)),
    "aside": partial(_elsewhere, -6.0, 0.8, (0.16, 0.16)),
    "far": partial(_elsewhere, 0.0, 0.6, (0.0, 0.0)),
}
"""What may befall a film, by name."""


class _Stir:
    """How much of the picture moves from frame to frame."""

    def __init__(self) -> None:
        self._before: NDArray[np.float32] | None = None

    def share(self, bgr: Picture) -> float:
        """Share of the picture that has changed since the frame before, 0 to 1."""
        now, before = _gray(bgr), self._before
        self._before = now
        return 0.0 if before is None else float((np.abs(now - before) > _STIRRED_LEVELS).mean())


def _gray(bgr: Picture) -> NDArray[np.float32]:
    return cv2.cvtColor(cv2.resize(bgr, _COARSE), cv2.COLOR_BGR2GRAY).astype(np.float32)


def _lit(bgr: Picture, gains: Sequence[float] | NDArray[np.float64]) -> Picture:
    """The picture with so many times the light, by blue, green, red."""
    levels = (np.arange(256) / 255.0) ** _GAMMA
    table = np.stack([np.clip(gain * levels, 0, 1) ** (1 / _GAMMA) * 255 for gain in gains], axis=-1)
    return np.asarray(cv2.LUT(bgr, table.astype(np.uint8).reshape(1, 256, 3)), np.uint8)


def _blurred(bgr: Picture, deviation: float) -> Picture:
    return np.asarray(cv2.GaussianBlur(bgr, (0, 0), deviation), np.uint8)


def _shifted(bgr: Picture, x: float, y: float) -> Picture:
    height, width = bgr.shape[:2]
    way = np.array([[1, 0, x], [0, 1, y]], np.float64)
    return np.asarray(cv2.warpAffine(bgr, way, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _through(way: NDArray[np.float64], bgr: Picture, rng: np.random.Generator) -> Picture:
    """The picture seen another way, with fresh noise of the sensor."""
    height, width = bgr.shape[:2]
    seen = cv2.warpPerspective(
        bgr, way, (width, height), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
    )
    return np.clip(seen + rng.normal(0, 2.5, (height, width, 1)), 0, 255).astype(np.uint8)


def _compressed(bgr: Picture, quality: int) -> Picture:
    _, data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
