"""A picture of the camera with what is recognised in it, for whoever sets the camera up."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any

import numpy as np

from companion.table.detection import CLASSES, Frame, Reading
from companion.table.quad import Quad, inverse, mapped
from companion.vision.still import jpeg
from companion.vision.tabletop import find_tabletop

__all__ = ["WIDTH", "Look"]

WIDTH = 720
"""Of the picture that a phone is sent, pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """The newest picture.

    Attributes:
        frame: The picture, turned as it is set up.
        reading: What the networks say of it; `None`: they were not asked.
    """

    frame: Frame
    reading: Reading | None

    def to_json(self) -> dict[str, Any]:
        """Return picture, cards and the table that is found in it.

        Corners are shares of the picture's width and height. `table` is `None` where none was found.
        """
        size = np.array([self.frame.bgr.shape[1], self.frame.bgr.shape[0]], np.float64)
        table = find_tabletop(self.frame.bgr)
        picture = base64.b64encode(jpeg(self.frame.bgr, WIDTH)).decode("ascii")
        return {
            "time": round(self.frame.time, 2),
            "picture": f"data:image/jpeg;base64,{picture}",
            "width": int(size[0]),
            "height": int(size[1]),
            "cards": _cards(self.reading, size),
            "table": None if table is None else _rounded(table),
        }


def _cards(reading: Reading | None, size: Quad) -> list[dict[str, Any]]:
    if reading is None:
        return []
    to_frame = inverse(reading.to_table)
    return [
        {
            "card": CLASSES[found.best],
            "confidence": round(found.confidence, 2),
            "corners": _rounded(mapped(found.corners, to_frame) / size),
        }
        for found in reading.detections
    ]


def _rounded(corners: Quad) -> list[list[float]]:
    return [[round(float(x), 4), round(float(y), 4)] for x, y in corners]
