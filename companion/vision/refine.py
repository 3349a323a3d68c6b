"""Loose outlines to true ones."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.table.quad import is_in_view
from companion.vision.network import Network, to_batch
from companion.vision.rectify import AROUND, rectify

__all__ = ["Refiner"]

LOOKS = 2
"""Most looks at one card."""
_MOVED = 0.03
"""Corners that a look moves further than this, in shares of the crop, get another look."""

Quad = NDArray[np.float32]


class Refiner:
    """The shipped refiner.

    Args:
        models: Folder of `card-refiner.onnx` and its card.
        threads: Of the network.
    """

    def __init__(self, models: Path, *, threads: int = 1) -> None:
        self._network = Network(models, "card-refiner", threads=threads)

    def refine(self, bgr: NDArray[np.uint8], outlines: Sequence[Quad]) -> list[Quad]:
        """Move the corners of outlines to where the cards' corners are.

        Args:
            bgr: (H, W, 3) uint8.
            outlines: (4, 2) float32 pixels each, clockwise on screen, the first side short.

        Returns:
            As many outlines, in their order; one that would become no quadrilateral stays as it was.
        """
        refined = [np.asarray(outline, np.float32) for outline in outlines]
        pending = list(range(len(refined)))
        for _ in range(LOOKS):
            if not pending:
                break
            crops = [rectify(bgr, refined[number], AROUND) for number in pending]
            shifts = self._network.run(to_batch(crops))[0].reshape(-1, 4, 2)
            moved = []
            for number, shift in zip(pending, shifts, strict=True):
                better = AROUND.shifted(refined[number], shift)
                if is_in_view(better, bgr.shape):
                    refined[number] = better
                    if float(np.abs(shift).max()) > _MOVED:
                        moved.append(number)
            pending = moved
        return refined
