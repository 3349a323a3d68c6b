"""Single cards on a plain table: what somebody shows the companion to make a pack known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from companion.synth.camera import Camera
from companion.synth.lens import degrade
from companion.synth.scene import CardTruth, Light, Placed, Scene
from companion.table.detection import Frame

RATE = 10.0
"""Frames a second of `film`."""


class Desk:
    """A table top under one lamp, with a camera above it."""

    def __init__(self, seed: int = 3, size: tuple[int, int] = (640, 480)) -> None:
        self.rng = np.random.default_rng(seed)
        cloth = np.clip(self.rng.normal([60, 95, 40], 6, (256, 256, 3)), 0, 255).astype(np.uint8)
        camera = Camera.above(size, distance_mm=600, tilt=0.2, width_mm=260)
        self._scene = Scene(camera, cloth, Light(shadow_strength=0.3), 300.0, 0.0)

    def photo(
        self,
        *faces: np.ndarray,
        size_mm: tuple[float, float] = (59.0, 91.0),
        at: tuple[float, float] | None = None,
    ) -> np.ndarray:
        """The faces side by side, (H, W, 3) uint8; a lone one may lie anywhere near the middle."""
        return self.photo_and_truth(*faces, size_mm=size_mm, at=at)[0]

    def photo_and_truth(
        self,
        *faces: np.ndarray,
        size_mm: tuple[float, float] = (59.0, 91.0),
        at: tuple[float, float] | None = None,
    ) -> tuple[np.ndarray, list[CardTruth]]:
        """A photo, and where the cards in it lie."""
        rng = self.rng
        items = []
        for number, face in enumerate(faces):
            x, y = at or (rng.normal(0, 12), rng.normal(0, 8))
            x += (number - (len(faces) - 1) / 2) * 80
            items.append(Placed("card", face, float(x), float(y), float(rng.normal(0, 0.15)), size_mm))
        picture, truth = self._scene.render(items)
        return degrade(picture, rng, blur=0.6, noise=2.0, quality=92), truth

    def film(
        self, faces: Sequence[np.ndarray], *, shown_s: float = 0.9, gap_s: float = 0.6
    ) -> Iterator[Frame]:
        """Each face laid down and taken away again."""
        index = 0
        empty = self.photo()
        for face in faces:
            lying = self.photo(face)
            for picture, seconds in ((empty, gap_s), (lying, shown_s)):
                for _ in range(round(seconds * RATE)):
                    yield Frame(picture, index / RATE, index)
                    index += 1
        yield Frame(empty, index / RATE, index)
