"""Which card it is: crops to probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.table.detection import CLASSES
from companion.vision.network import ModelError, Network, to_batch

__all__ = ["Classified", "Classifier", "pooled", "probabilities"]

_LEAST = 1e-6
"""Least probability that one look counts for: what it rules out another may have seen."""


@dataclass(frozen=True, slots=True, eq=False)
class Classified:
    """What the classifier says of one crop.

    Attributes:
        probs: (26,) float32 in the order of `CLASSES`, sums to 1.
        embedding: (512,) float32, what the network saw, before it gave it a name.
    """

    probs: NDArray[np.float32]
    embedding: NDArray[np.float32]


def probabilities(logits: NDArray[np.float32], temperature: float) -> NDArray[np.float32]:
    """Softmax of (N, 26) logits at a temperature."""
    scaled = logits / temperature
    grown = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    return np.asarray(grown / grown.sum(axis=1, keepdims=True), np.float32)


def pooled(looks: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """What several looks at one card say together: the mean of their logarithms.

    Args:
        looks: (26,) float32 probabilities each.
    """
    logs = np.log(np.maximum(looks, _LEAST)).mean(axis=0, keepdims=True)
    return np.asarray(probabilities(logs, 1.0)[0], np.float32)


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
        logits, embeddings = self._network.run(to_batch(crops))
        probs = probabilities(logits, self._network.card.temperature)
        return [Classified(p, e) for p, e in zip(probs, embeddings, strict=True)]
