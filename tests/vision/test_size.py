"""All pictures of a source have one size."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.vision.fault import SourceError
from companion.vision.size import one_size
from companion.vision.source import open_source


def _picture(width: int, height: int) -> NDArray[np.uint8]:
    """White, with its left half black."""
    bgr = np.full((height, width, 3), 255, np.uint8)
    bgr[:, : width // 2] = 0
    return bgr


def _folder(tmp_path: Path, *sizes: tuple[int, int]) -> Path:
    for number, size in enumerate(sizes):
        assert cv2.imwrite(str(tmp_path / f"{number}.png"), _picture(*size))
    return tmp_path


def test_a_picture_of_the_same_shape_comes_in_the_size_of_the_first(tmp_path: Path) -> None:
    """What lies still in a folder of larger and smaller pictures keeps its place."""
    with open_source(_folder(tmp_path, (160, 90), (320, 180), (80, 45))) as source:
        frames = list(one_size(source))
    assert [frame.bgr.shape for frame in frames] == [(90, 160, 3)] * 3
    for frame in frames:
        assert frame.bgr[:, :76].max() < 8
        assert frame.bgr[:, 84:].min() > 247


def test_a_picture_of_another_shape_ends_the_source_by_name(tmp_path: Path) -> None:
    """It shows the table otherwise: where a card lies in it cannot be told."""
    with (
        open_source(_folder(tmp_path, (160, 90), (90, 160))) as source,
        pytest.raises(SourceError, match="were 160 x 90 pixels and are 90 x 160"),
    ):
        list(one_size(source))
