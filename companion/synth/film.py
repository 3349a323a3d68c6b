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
from companion.synth.scene import CardTruth, Overlay, Placed, Scene, degrade
from companion.synth.script import CARD_MM, STOCK, Laid, Moment, Script
from companion.synth.setting import Setting
from companion.table.detection import Frame

__all__ = ["CardSeen", "FilmError", "FrameTruth", "play", "truth_json", "write_truth", "write_video"]

Picture = NDArray[np.uint8]
_HELD = 1e6
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
    background = setting.scene.background()
    begin, end = seconds or (0.0, script.duration)
    first, last = round(begin * fps), round(end * fps)
    kept: tuple[Moment, Picture, list[CardTruth]] | None = None
    for index in range(first, last + 1):
        rng = np.random.default_rng([seed, index])
        time = index / fps
        moment = script.at(time)
        early = script.at(max(0.0, time - setting.shutter_s))
        if moment == early and kept is not None and kept[0] == moment:
            _, picture, truth = kept
        elif moment == early:
            picture, truth = _photograph(setting, moment, background)
            kept = moment, picture, truth
        else:
            picture, truth = _exposed(script, setting, time, background)
        taken = _taken(picture, setting, rng)
        seen = tuple(_seen(card, moment) for card in truth if card.mark >= 0)
        yield Frame(taken, time, index), FrameTruth(seen, moment.quiet)


def _exposed(
    script: Script, setting: Setting, time: float, background: Picture
) -> tuple[Picture, list[CardTruth]]:
    total = np.zeros(background.shape, np.uint16)
    truth: list[CardTruth] = []
    count = max(1, setting.samples)
    for sample in range(count):
        behind = setting.shutter_s * (count - 1 - sample) / max(1, count - 1)
        picture, truth = _photograph(setting, script.at(max(0.0, time - behind)), background)
        total += picture
    # the truth is that of the last moment of the exposure, which is the frame's time
    return (total // count).astype(np.uint8), truth


def _photograph(setting: Setting, moment: Moment, background: Picture) -> tuple[Picture, list[CardTruth]]:
    scene: Scene = setting.scene
    below: list[Overlay] = []
    above: list[Overlay] = []
    for hand in moment.hands:
        under, over = draw_hand(hand, setting.arms[hand.player], scene.camera)
        below += [under] if under is not None else []
        above += [over] if over is not None else []
    lying: list[Placed] = []
    held: list[Placed] = []
    for index, laid in enumerate(moment.cards):
        if not _buried(laid, moment):
            (held if laid.layer >= _HELD else lying).append(_placed(laid, index, setting))
    return scene.render([*setting.things, *lying, *below, *held, *above], background)


def _buried(laid: Laid, moment: Moment) -> bool:
    if laid.moving or laid.pose.face_up or laid.layer < 10:
        return False
    over = [
        other
        for other in moment.cards
        if not other.moving
        and not other.pose.face_up
        and other.layer > laid.layer
        and abs(other.pose.y_mm - laid.pose.y_mm) + abs(other.pose.x_mm - laid.pose.x_mm) < 60
    ]
    return len(over) >= _PILE_DEPTH


def _placed(laid: Laid, index: int, setting: Setting) -> Placed:
    pack, pose = setting.pack, laid.pose
    face = pack.faces.get(laid.card) if pose.face_up else None
    width, height = pack.size_mm
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


def _taken(picture: Picture, setting: Setting, rng: np.random.Generator) -> Picture:
    if setting.flicker > 0:
        gain = 1 + float(rng.normal(0, setting.flicker))
        picture = np.asarray(cv2.convertScaleAbs(picture, alpha=gain), np.uint8)
    return degrade(
        picture, rng, blur=setting.blur, noise=setting.noise, quality=setting.quality, gamma=setting.gamma
    )


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
    return count


def truth_json(script: Script, setting: Setting, *, fps: float, seed: int) -> dict[str, Any]:
    """What a recording shows, as written beside it: the hand, the timeline, how it was taken."""
    hands = [_hand_json(record.to_json()) for record in script.records]
    truth: dict[str, Any] = {"hand": hands[0], "timeline": [dict(entry) for entry in script.timeline]}
    if len(hands) > 1:
        truth["hands"] = hands
    return {**truth, "fps": fps, "seed": seed, **dict(setting.names)}


def _hand_json(data: dict[str, Any]) -> dict[str, Any]:
    return {name: data[name] for name in ("rules", "dealer", "turned_up", "hands", "stock", "events", "result") if name in data}


def write_truth(folder: Path, script: Script, setting: Setting, *, fps: float, seed: int) -> None:
    """Write `truth.json` and `taps.jsonl` (what was pressed on the phone) into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    truth = truth_json(script, setting, fps=fps, seed=seed)
    (folder / "truth.json").write_text(json.dumps(truth) + "\n", encoding="utf-8")
    pressed: Sequence[Any] = [entry for entry in script.timeline if entry["type"] == "claim"]
    lines = "".join(json.dumps(dict(entry)) + "\n" for entry in pressed)
    (folder / "taps.jsonl").write_text(lines, encoding="utf-8")


