"""One size for all pictures of a source: places of one picture must be places of the next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.detection import Frame
from companion.vision.fault import SourceError
from companion.vision.source import FrameSource

__all__ = ["SameSize", "one_size", "same_shape"]

_SAME_SHAPE = 0.02
"""Pictures whose sides differ by less in proportion show the same."""


def same_shape(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether pictures of two sizes, width and height, show the same; sizes are rounded."""
    return abs(one[0] * other[1] - one[1] * other[0]) <= _SAME_SHAPE * one[1] * other[0]


class SameSize:
    """Brings pictures to the size of the first.

    Args:
        name: Of their source, for messages.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._size: tuple[int, int] | None = None
        """Width and height of the first picture."""

    def of(self, bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The picture, (H, W, 3) uint8, in the size of the first.

        Raises:
            SourceError: It has another shape, and shows the table otherwise: whoever reads it begins anew.
        """
        height, width = bgr.shape[:2]
        if self._size is None:
            self._size = (width, height)
        if (width, height) == self._size:
            return bgr
        if not same_shape((width, height), self._size):
            was = f"{self._size[0]} x {self._size[1]}"
            raise SourceError(f"{self._name}: its pictures were {was} pixels and are {width} x {height} now")
        how = cv2.INTER_AREA if width > self._size[0] else cv2.INTER_LINEAR
        return np.asarray(cv2.resize(bgr, self._size, interpolation=how), np.uint8)


def one_size(source: FrameSource) -> Iterator[Frame]:
    """The frames of a source in the size of the first, as whoever follows cards through them needs them.

    Raises:
        SourceError: As the source does; or a picture has another shape.
    """
    same = SameSize(source.name)
    for frame in source:
        yield replace(frame, bgr=same.of(frame.bgr))
