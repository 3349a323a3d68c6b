"""Films by path tracing: what a script shows, traced by Blender, then photographed as any other.

The pictures that the networks learn from and the films that all else is measured on are drawn by the same
code (`companion.synth.scene`). These are not: light, shadow, gloss, focus, hands and table tops are those of
`companion.synth.tracer`, which another Python runs. So they show how much of what is measured hangs on
that code.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.synth.button import ACTED_MM, is_button
from companion.synth.film import FilmError, Sensor
from companion.synth.pack import Pack
from companion.synth.script import CARD_MM, LAYER_HELD, Hand, Laid, Moment, Script
from companion.synth.setting import Setting

__all__ = ["photographed", "trace", "write_moments"]

Picture = NDArray[np.uint8]
_TRACER = Path(__file__).with_name("tracer.py")
_CLEAR_MM = 2.0
"""So high above the table a card is carried at least."""
_TOUCH_MM2 = 4.0


def write_moments(folder: Path, script: Script, setting: Setting, *, fps: float, seed: int) -> None:
    """Write what the tracer needs: the moments of all frames, the camera, a picture of each face.

    Raises:
        FilmError: They cannot be written, or those of another film are there, whose pictures may be traced.
    """
    shown = [_told(script.at(index / fps), setting.pack) for index in range(round(script.duration * fps) + 1)]
    moments: list[Mapping[str, Any]] = []
    frames: list[int] = []
    for moment in shown:
        if not moments or moment != moments[-1]:
            moments.append(moment)
        frames.append(len(moments) - 1)
    camera = setting.scene.camera
    told = {
        "seed": seed,
        "size": camera.size,
        "projection": camera.projection.tolist(),
        "camera": _decomposed(camera.projection),
        "moments": moments,
        "frames": frames,
    }
    faces = {card["picture"]: card["name"] for moment in moments for card in moment["cards"]}
    try:
        (folder / "faces").mkdir(parents=True, exist_ok=True)
        _keep(folder / "moments.json", (json.dumps(told) + "\n").encode())
        for picture, name in faces.items():
            art = setting.pack.back if picture == "back.png" else setting.pack.faces[name]
            _keep(folder / "faces" / picture, cv2.imencode(".png", art)[1].tobytes())
    except FilmError:
        raise
    except OSError as error:
        raise FilmError(f"{folder}: cannot be written: {error.strerror or error}") from error


def _keep(path: Path, data: bytes) -> None:
    """Write a file; one that is there stays, and has to be the same."""
    if not path.exists():
        path.write_bytes(data)
    elif path.read_bytes() != data:
        raise FilmError(f"{path}: is of another film; trace this one into another folder")


def _decomposed(projection: NDArray[np.float64]) -> dict[str, Any]:
    """Focal length, axes (right, down, forward) and place of a camera with square pixels, from its matrix.

    The table's axes are left-handed, which `cv2.decomposeProjectionMatrix` does not foresee.
    """
    turned, moved = projection[:, :3], projection[:, 3]
    forward = turned[2]
    across = turned[:2] - np.outer(turned[:2] @ forward, forward)
    focal = float(np.linalg.norm(across[0]))
    return {
        "focal_px": focal,
        "rotation": [*(across / focal).tolist(), forward.tolist()],
        "eye_mm": (-np.linalg.inv(turned) @ moved).tolist(),
    }


def _told(moment: Moment, pack: Pack) -> dict[str, Any]:
    """A moment as plain data, cards from the lowest to the highest, each resting on those below it."""
    cards: list[dict[str, Any]] = []
    resting: list[tuple[NDArray[np.float32], float]] = []
    for laid in moment.cards:
        card = _card_told(laid, pack)
        outline = _outline(card)
        if laid.layer < LAYER_HELD:
            card["z"] = max((top for below, top in resting if _touch(outline, below)), default=0.0)
            resting.append((outline, card["z"] + card["thick_mm"]))
        else:
            card["z"] += _CLEAR_MM
        cards.append(card)
    return {"cards": cards, "hands": [_hand_told(hand) for hand in moment.hands]}


def _card_told(laid: Laid, pack: Pack) -> dict[str, Any]:
    pose = laid.pose
    is_face = pose.face_up and laid.card in pack.faces
    return {
        "name": laid.card,
        "picture": f"{laid.card}.png" if is_face else "back.png",
        "x": round(pose.x_mm, 2),
        "y": round(pose.y_mm, 2),
        "z": round(pose.z_mm, 2),
        "angle": round(pose.angle, 4),
        "width": round(laid.width, 3),
        "count": laid.count,
        "thick_mm": round(CARD_MM * laid.count, 2),
        "size_mm": (ACTED_MM, ACTED_MM) if is_button(laid.card) else pack.size_mm,
    }


def _hand_told(hand: Hand) -> dict[str, Any]:
    return {
        "player": int(hand.player or 0),
        "x": round(hand.x_mm, 2),
        "y": round(hand.y_mm, 2),
        "z": round(hand.z_mm, 2),
        "seat_mm": hand.seat_mm,
        "grip": hand.grip,
        "left": hand.left,
    }


def _outline(card: Mapping[str, Any]) -> NDArray[np.float32]:
    box = ((card["x"], card["y"]), card["size_mm"], float(np.degrees(card["angle"])))
    return np.asarray(cv2.boxPoints(box), np.float32)


def _touch(one: NDArray[np.float32], other: NDArray[np.float32]) -> bool:
    return float(cv2.intersectConvexConvex(one, other)[0]) > _TOUCH_MM2


def trace(folder: Path, python: str) -> None:
    """Let the Python that has Blender trace all moments of a folder; what was traced already is kept.

    Raises:
        FilmError: It cannot be started, or did not come to an end.
    """
    try:
        done = subprocess.run(
            [python, "-I", str(_TRACER), str(folder)],
            check=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
    except OSError as error:
        raise FilmError(f"{python}: cannot be started: {error.strerror or error}") from error
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise FilmError(f"{folder}: was not traced by {python}: {said[-1] if said else 'no reason given'}")


def photographed(folder: Path, setting: Setting, *, seed: int) -> Iterator[Picture]:
    """Frames as from a camera, (H, W, 3) uint8 blue green red, of a folder that was traced.

    Raises:
        FilmError: A picture is missing or damaged.
    """
    told = json.loads((folder / "moments.json").read_text(encoding="utf-8"))
    parts = {int(path.name.split("_")[0]): path for path in (folder / "traced").glob("*_*.png")}
    sensor = Sensor(setting, seed)
    shown, picture = -1, np.zeros((told["size"][1], told["size"][0], 3), np.uint8)
    for index, wanted in enumerate(told["frames"]):
        while shown < wanted:
            shown += 1
            picture = _patched(picture, parts.get(shown), folder / "traced" / f"{shown:05d}")
        yield sensor.taken(picture, np.random.default_rng([seed, index]))


def _patched(picture: Picture, part: Path | None, wanted: Path) -> Picture:
    """The picture with a part traced anew; its name says where that belongs."""
    patch = None if part is None else cv2.imread(str(part))
    if part is None or patch is None:
        raise FilmError(f"{part or wanted}: was not traced")
    left, top = _corner(part)
    changed = picture.copy()
    room = changed[top : top + patch.shape[0], left : left + patch.shape[1]]
    room[...] = patch[: room.shape[0], : room.shape[1]]
    return changed


def _corner(part: Path) -> Sequence[int]:
    return [int(each) for each in part.stem.split("_")[1:]]
