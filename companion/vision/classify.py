"""Which card it is: crops to probabilities, and better corners."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.detection import CLASSES
from companion.vision.network import ModelError, Network
from companion.vision.rectify import CROP_SIZE, crop_frame

__all__ = ["Classified", "Classifier", "probabilities", "shifted", "to_batch"]


@dataclass(frozen=True, slots=True, eq=False)
class Classified:
    """What the classifier says of one crop.

    Attributes:
        probs: (26,) float32 in the order of `CLASSES`, sums to 1.
        shifts: (4, 2) float32, from `crop_frame` to the true corners, shares of the crop.
        embedding: (512,) float32, what the network saw, before it gave it a name.
    """

    probs: NDArray[np.float32]
    shifts: NDArray[np.float32]
    embedding: NDArray[np.float32]


def to_batch(crops: Sequence[NDArray[np.uint8]]) -> NDArray[np.float32]:
    """Crops, (144, 96, 3) uint8 each, to (N, 3, 144, 96) float32 in 0 to 1."""
    return np.ascontiguousarray(np.stack(crops).transpose(0, 3, 1, 2), np.float32) / np.float32(255)


def probabilities(logits: NDArray[np.float32], temperature: float) -> NDArray[np.float32]:
    """Softmax of (N, 26) logits at a temperature."""
    scaled = logits / temperature
    grown = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    return np.asarray(grown / grown.sum(axis=1, keepdims=True), np.float32)


def shifted(corners: NDArray[np.float32], shifts: NDArray[np.float32]) -> NDArray[np.float32]:
    """Where the corners of a card really are, by what its crop showed.

    Args:
        corners: (4, 2) float32 pixels, those that the crop was cut with.
        shifts: (4, 2) float32 as `Classified.shifts`.
    """
    matrix = cv2.getPerspectiveTransform(crop_frame(), np.asarray(corners, np.float32))
    where = crop_frame() + shifts * np.array(CROP_SIZE, np.float32)
    return np.asarray(cv2.perspectiveTransform(where[None].astype(np.float32), matrix)[0], np.float32)


class Classifier:
    """The shipped classifier.

    Args:
        models: Folder of `card-classifier.onnx` and its card.
        threads: Of the network.

    Raises:
        ModelError: The model names other classes than `CLASSES`.
    """

    def __init__(self, models: Path, *, threads: int = 1) -> None:
        self._network = Network(models, "card-classifier", threads=threads)
        if self._network.card.classes != CLASSES:
            raise ModelError(
                f"{models / 'card-classifier.toml'}: names other classes than the companion knows"
            )

    def classify(self, crops: Sequence[NDArray[np.uint8]]) -> list[Classified]:
        """Name crops of `rectify`, all in one batch."""
        if not crops:
            return []
        logits, shifts, embeddings = self._network.run(to_batch(crops))
        probs = probabilities(logits, self._network.card.temperature)
        return [Classified(p, s.reshape(4, 2), e) for p, s, e in zip(probs, shifts, embeddings, strict=True)]
