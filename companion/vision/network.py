"""A shipped ONNX network and the model card beside it."""

from __future__ import annotations

import hashlib
import math
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from companion.vision.fault import ModelError

__all__ = ["MOST_AT_ONCE", "ModelCard", "ModelError", "Network", "session", "to_batch"]

MOST_AT_ONCE = 8
"""Pictures that a network is given at a time."""


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What a model's card says that inference needs.

    Attributes:
        name: File name without suffix.
        classes: The answers in order; empty for a model that names nothing.
        temperature: Divisor of the logits that makes probabilities honest.
        threshold: Least heat of a peak that counts, for the locator.
        sha256: Of the model file.
    """

    name: str
    classes: tuple[str, ...]
    temperature: float
    threshold: float
    sha256: str

    @classmethod
    def read(cls, path: Path) -> ModelCard:
        """Read a card.

        Raises:
            ModelError: It is missing or is not a model card.
        """
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
            card = cls(
                name=str(data["name"]),
                classes=tuple(str(each) for each in data.get("classes", [])),
                temperature=float(data.get("temperature", 1.0)),
                threshold=float(data.get("threshold", 0.3)),
                sha256=str(data["sha256"]),
            )
            if not (0 < card.temperature < math.inf and 0 <= card.threshold < 1):
                raise ValueError(f"temperature {card.temperature:g}, threshold {card.threshold:g}")
            return card
        except FileNotFoundError as error:
            raise ModelError(f"{path}: no model card there") from error
        except (OSError, KeyError, TypeError, ValueError) as error:
            raise ModelError(f"{path}: not a model card: {error}") from error


def session(model: bytes, threads: int) -> onnxruntime.InferenceSession:
    """An ONNX model ready to run on the CPU."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.enable_cpu_mem_arena = True
    # or the threads of one network keep a core busy while another network wants it
    options.add_session_config_entry("session.force_spinning_stop", "1")
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def to_batch(crops: Sequence[NDArray[np.uint8]]) -> NDArray[np.float32]:
    """Crops of one size, (H, W, 3) uint8 each, to (N, 3, H, W) float32 in 0 to 1."""
    return np.ascontiguousarray(np.stack(crops).transpose(0, 3, 1, 2), np.float32) / np.float32(255)


class Network:
    """One network on the CPU.

    Args:
        folder: Holds `NAME.onnx` and `NAME.toml`.
        name: As above.
        threads: Of the network.

    Raises:
        ModelError: A file is missing, or the model is not the one its card describes.
    """

    def __init__(self, folder: Path, name: str, *, threads: int = 1) -> None:
        self.card = ModelCard.read(folder / f"{name}.toml")
        path = folder / f"{name}.onnx"
        try:
            data = path.read_bytes()
        except OSError as error:
            raise ModelError(f"{path}: cannot be read: {error.strerror}") from error
        if hashlib.sha256(data).hexdigest() != self.card.sha256:
            raise ModelError(f"{path}: is not the file that its card describes (the checksums differ)")
        try:
            self._session = session(data, threads)
        except Exception as error:  # onnxruntime raises many kinds, none of them public
            raise ModelError(f"{path}: cannot be loaded: {error}") from error
        self._input = self._session.get_inputs()[0].name

    def run(self, batch: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """Answer a batch, (N, 3, H, W) float32 in 0 to 1, blue green red.

        Many pictures are dealt out: memory that was taken once is kept, and more at a time are no faster.
        """
        parts = [batch[at : at + MOST_AT_ONCE] for at in range(0, max(1, len(batch)), MOST_AT_ONCE)]
        told: list[list[Any]] = [self._session.run(None, {self._input: part}) for part in parts]
        return [np.asarray(np.concatenate(each), np.float32) for each in zip(*told, strict=True)]
