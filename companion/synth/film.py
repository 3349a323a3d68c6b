"""Photographs a script: frames with their truth, fed to the pipeline or written to a video file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.synth.arm import draw_hand
from companion.synth.button import ACTED_MM, is_button
from companion.synth.lens import degrade
from companion.synth.phone import Page, pages
from companion.synth.scene import CardTruth, Layer, Overlay, Placed
from companion.synth.script import CARD_MM, LAYER_HELD, LAYER_TABLE, Laid, Moment, Script
from companion.synth.setting import Setting
from companion.table.detection import Frame
from companion.vision.container import Container

__all__ = [
    "CardSeen",
    "FilmError",
    "FrameTruth",
    "Sensor",
    "play",
    "truth_json",
    "write_truth",
    "write_video",
]

Picture = NDArray[np.uint8]
_SHEETS, _SLACK = 6, 64
_PRESSED = ("claim", "knock", "revoke")
"""Words of the game that leave nothing on the table to be seen."""
_PILE_DEPTH = 6
"""So many cards of a won pile are drawn; those below cannot be seen."""


class FilmError(OSError):
    """A video file that cannot be written; the message names it."""


@dataclass(frozen=True, slots=True, eq=False)
class CardSeen:
    """A card in a frame.

    Attributes:
        name: `KH`, or `back`.
        corners: (4, 2) float32 pixels, clockwise from the card's own top left; may be outside.
        visible: Share of the card that can be seen, 0 to 1.
        still: Whether it lies.
    """

    name: str
    corners: NDArray[np.float32]
    visible: float
    still: bool


@dataclass(frozen=True, slots=True, eq=False)
class FrameTruth:
    """What a frame shows: cards from the lowest to the highest, and whether anything moves."""

    cards: tuple[CardSeen, ...]
    quiet: bool


def play(
    script: Script,
    setting: Setting,
    *,
    seed: int,
    fps: float = 10.0,
    seconds: tuple[float, float] | None = None,
) -> Iterator[tuple[Frame, FrameTruth]]:
    """Photograph a script, frame after frame.

    Args:
        script: What moves.
        setting: Where, and with which camera; its picture size is that of the frames.
        seed: For noise and flicker.
        fps: Frames a second.
        seconds: Only this part of the script.

    Yields:
        Frames as from a camera, with their truth.
    """
    darkroom, sensor = _Darkroom(script, setting), Sensor(setting, seed)
    begin, end = seconds or (0.0, script.duration)
    for index in range(round(begin * fps), round(end * fps) + 1):
        rng = np.random.default_rng([seed, index])
        time = index / fps
        moment = script.at(time)
        picture, truth = darkroom.exposed(time, moment)
        cards = [card for card in truth if card.mark >= 0 and not is_button(card.name)]
        seen = tuple(_seen(card, moment) for card in cards)
        yield Frame(sensor.taken(picture, rng), time, index), FrameTruth(seen, moment.quiet)


class Sensor:
    """What a camera adds to a picture: flicker, blur, grain, its own compression.

    Args:
        setting: How much of each.
        seed: Draws the grain.
    """

    def __init__(self, setting: Setting, seed: int) -> None:
        self.setting = setting
        self._grain = _grain(setting, np.random.default_rng([seed, 0x6A11]))

    def taken(self, picture: Picture, rng: np.random.Generator) -> Picture:
        """Give a picture, (H, W, 3) uint8 blue green red, the camera's faults."""
        setting = self.setting
        if setting.flicker > 0:
            gain = 1 + float(rng.normal(0, setting.flicker))
            picture = np.asarray(cv2.convertScaleAbs(picture, alpha=gain), np.uint8)
        picture = degrade(picture, rng, blur=setting.blur, noise=0.0, quality=100, gamma=setting.gamma)
        if setting.noise > 0:
            height, width = picture.shape[:2]
            y, x = rng.integers(0, _SLACK, 2)
            sheet = self._grain[int(rng.integers(len(self._grain)))]
            grain = np.ascontiguousarray(sheet[y : y + height, x : x + width])
            picture = np.asarray(cv2.add(picture, grain, dtype=cv2.CV_8U), np.uint8)
        return degrade(picture, rng, blur=0.0, noise=0.0, quality=setting.quality)


class _Darkroom:
    """Makes pictures of moments; keeps what lies still, because most frames show the same."""

    def __init__(self, script: Script, setting: Setting) -> None:
        self.script, self.setting = script, setting
        self._bare = setting.scene.lay(setting.things, setting.scene.empty())
        self._pages = pages(script.timeline)
        self._table: tuple[Page, Layer] | None = None
        self._lying: tuple[tuple[Laid, ...], Page, Layer] | None = None
        self._still: tuple[Moment, Page, Picture, list[CardTruth]] | None = None

    def exposed(self, time: float, moment: Moment) -> tuple[Picture, list[CardTruth]]:
        """Expose until `time`; the truth is that of the exposure's last moment."""
        scene, setting = self.setting.scene, self.setting
        page = self._page(time)
        if moment == self.script.at(max(0.0, time - setting.shutter_s)):
            if self._still is None or self._still[:2] != (moment, page):
                layer = self._layer(moment, page)
                self._still = moment, page, scene.lit(layer.picture), scene.truth(layer)
            return self._still[2], self._still[3]
        count = max(1, setting.samples)
        total = np.zeros(self._bare.picture.shape, np.uint16)
        for sample in range(count):
            behind = setting.shutter_s * (count - 1 - sample) / max(1, count - 1)
            layer = self._layer(self.script.at(max(0.0, time - behind)), page)
            total += layer.picture
        return scene.lit((total // count).astype(np.uint8)), scene.truth(layer)

    def _page(self, time: float) -> Page:
        """What a phone on the table shows."""
        return [page for since, page in self._pages if since <= time][-1]

    def _things(self, page: Page) -> Layer:
        """The table with everything on it that is no card."""
        phone = self.setting.phone
        if phone is None:
            return self._bare
        if self._table is None or self._table[0] != page:
            self._table = page, self.setting.scene.lay([phone.showing(page)], self._bare)
        return self._table[1]

    def _layer(self, moment: Moment, page: Page) -> Layer:
        scene, setting = self.setting.scene, self.setting
        lying = tuple(laid for laid in moment.cards if laid.layer < LAYER_HELD)
        if self._lying is None or self._lying[:2] != (lying, page):
            placed = [_placed(laid, i, setting) for i, laid in enumerate(lying) if not _buried(laid, lying)]
            self._lying = lying, page, scene.lay(placed, self._things(page))
        if len(lying) == len(moment.cards) and not moment.hands:
            return self._lying[2]
        below: list[Overlay] = []
        above: list[Overlay] = []
        for hand in moment.hands:
            under, over = draw_hand(hand, setting.arms[hand.player or 0], scene.camera)
            below += [under] if under is not None else []
            above += [over] if over is not None else []
        held = [_placed(laid, len(lying) + i, setting) for i, laid in enumerate(moment.cards[len(lying) :])]
        return scene.lay([*below, *held, *above], self._lying[2])


def _grain(setting: Setting, rng: np.random.Generator) -> list[NDArray[np.int16]]:
    """Sheets of sensor noise, somewhat larger than a frame, (H, W, 3): each frame gets a part of one."""
    width, height = setting.scene.camera.size[0] + _SLACK, setting.scene.camera.size[1] + _SLACK
    sheets = []
    for _ in range(_SHEETS if setting.noise > 0 else 0):
        fine = rng.normal(0, setting.noise, (height, width, 1))
        coarse = rng.normal(0, setting.noise, (height // 2 + 1, width // 2 + 1, 3)).astype(np.float32)
        colour = cv2.resize(coarse, (width, height))
        sheets.append(np.rint(fine + 0.5 * colour).astype(np.int16))
    return sheets


def _buried(laid: Laid, lying: Sequence[Laid]) -> bool:
    if laid.pose.face_up or laid.layer < LAYER_TABLE:
        return False
    over = [
        other
        for other in lying
        if not other.pose.face_up
        and other.layer > laid.layer
        and abs(other.pose.y_mm - laid.pose.y_mm) + abs(other.pose.x_mm - laid.pose.x_mm) < 60
    ]
    return len(over) >= _PILE_DEPTH


def _placed(laid: Laid, index: int, setting: Setting) -> Placed:
    pack, pose = setting.pack, laid.pose
    face = pack.faces.get(laid.card) if pose.face_up else None
    width, height = (ACTED_MM, ACTED_MM) if is_button(laid.card) else pack.size_mm
    return Placed(
        laid.card if face is not None else "back",
        face if face is not None else pack.back,
        pose.x_mm,
        pose.y_mm,
        pose.angle,
        (width * laid.width, height),
        pose.z_mm,
        CARD_MM * laid.count,
        mark=index,
    )


def _seen(card: CardTruth, moment: Moment) -> CardSeen:
    laid = moment.cards[card.mark] if card.mark < len(moment.cards) else None
    return CardSeen(card.name, card.corners, card.visible, laid is not None and not laid.moving)


def write_video(path: Path, frames: Iterable[Picture], *, fps: float) -> int:
    """Write frames to an MP4 file; returns how many there were.

    Raises:
        FilmError: The file cannot be written, or there are no frames.
    """
    writer: cv2.VideoWriter | None = None
    count = 0
    try:
        for picture in frames:
            if writer is None:
                path.parent.mkdir(parents=True, exist_ok=True)
                size = (picture.shape[1], picture.shape[0])
                writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), fps, size)
                if not writer.isOpened():
                    raise FilmError(f"{path}: cannot be written as MP4")
            writer.write(picture)
            count += 1
    finally:
        if writer is not None:
            writer.release()
    if count == 0:
        raise FilmError(f"{path}: no frames to write")
    written = Container.of(path)  # the library says nothing of a full disk
    if written.kind != "MP4" or written.missing or not written.index:
        raise FilmError(f"{path}: was not written to its end: the disk may be full")
    return count


def truth_json(script: Script, setting: Setting, *, fps: float, seed: int) -> dict[str, Any]:
    """What a recording shows, as written beside it: the hand, the timeline, how it was taken."""
    hands = [_hand_json(record.to_json()) for record in script.records]
    truth: dict[str, Any] = {"hand": hands[0], "timeline": [dict(entry) for entry in script.timeline]}
    if len(hands) > 1:
        truth["hands"] = hands
    return {**truth, "fps": fps, "seed": seed, **dict(setting.names)}


def _hand_json(data: dict[str, Any]) -> dict[str, Any]:
    names = ("rules", "dealer", "turned_up", "hands", "stock", "events", "result")
    return {name: data[name] for name in names if name in data}


def write_truth(folder: Path, script: Script, setting: Setting, *, fps: float, seed: int) -> None:
    """Write `truth.json` and `taps.jsonl` (what was pressed on the phone) into `folder`.

    Raises:
        FilmError: They cannot be written.
    """
    truth = truth_json(script, setting, fps=fps, seed=seed)
    pressed: Sequence[Any] = [entry for entry in script.timeline if entry["type"] in _PRESSED]
    lines = "".join(json.dumps(dict(entry)) + "\n" for entry in pressed)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "truth.json").write_text(json.dumps(truth) + "\n", encoding="utf-8")
        (folder / "taps.jsonl").write_text(lines, encoding="utf-8")
    except OSError as error:
        raise FilmError(f"{folder}: cannot be written: {error.strerror or error}") from error
