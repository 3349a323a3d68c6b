"""What befalls a film: a poor camera, a restless room, another view of the table."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from companion.synth.trouble import TROUBLES, TroubleError, troubled
from companion.table.detection import Frame

SIZE = (320, 180)
CARD = (slice(60, 120), slice(140, 180))


def film(seconds: float = 12.0, fps: float = 5.0) -> Iterator[Frame]:
    """A table with a card on it; every few seconds an arm reaches in."""
    table = np.full((SIZE[1], SIZE[0], 3), (70, 110, 60), np.uint8)
    table[CARD] = 235
    cv2.putText(table[CARD], "K", (8, 40), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (30, 30, 200), 3)
    for index in range(round(seconds * fps)):
        picture = table.copy()
        if index % 8 < 3:
            cv2.rectangle(picture, (200, 40 * (3 - index % 8)), (250, SIZE[1]), (120, 150, 210), -1)
        yield Frame(picture, index / fps, index)


def seen(name: str, seed: int = 4) -> list[Frame]:
    """The film through one trouble."""
    return list(troubled(film(), [name], seed))


@pytest.mark.parametrize("name", TROUBLES)
def test_a_trouble_changes_the_pictures_and_nothing_else(name: str) -> None:
    """Frames at the same times, in a picture of some size, but for a network all; the same with one seed."""
    clean, poor, again = {one.index: one for one in film()}, seen(name), seen(name)
    pairs = [(one, clean[one.index]) for one in poor]

    assert name == "network" or len(poor) == len(clean)
    assert all(one.time == two.time for one, two in pairs)
    assert all(one.bgr.dtype == np.uint8 and one.bgr.ndim == 3 for one in poor)
    assert any(one.bgr.shape != two.bgr.shape or (one.bgr != two.bgr).any() for one, two in pairs)
    assert all((one.bgr == two.bgr).all() for one, two in zip(poor, again, strict=True))


def test_a_network_loses_pictures_and_stops_for_a_while() -> None:
    """One in five is missing, and every now and then all are for up to two and a half seconds."""
    times = [frame.time for frame in troubled(film(200.0), ["network"], 4)]
    gaps = np.diff(times)
    sent = gaps[gaps < 1.2]

    assert 0.15 < 1 - len(sent) / (5 * sent.sum()) < 0.3
    assert 5 < (gaps > 1.2).sum() < 20
    assert gaps.max() < 3.5


@pytest.mark.parametrize("name", ["exposure", "colours", "television", "shadows"])
def test_light_moves_nothing(name: str) -> None:
    """The card has its edges where it had them."""
    for poor in seen(name):
        rows = np.flatnonzero(np.abs(np.diff(poor.bgr[:, 150].astype(int).sum(axis=1))) > 60)
        assert {59, 119} <= set(rows)


@pytest.mark.parametrize(("name", "stays"), [("wobble", True), ("slipping", False)])
def test_a_table_that_shakes_comes_to_rest_and_a_mount_that_gives_does_not_come_back(
    name: str, stays: bool
) -> None:
    """Long after the last arm a camera that wobbled stands where it stood."""
    frames = list(film())
    frames += [Frame(frames[7].bgr, 12.0 + index / 5, 60 + index) for index in range(25)]
    last = list(troubled(frames, [name], 4))[-1]

    assert (last.bgr == frames[7].bgr).all() == stays


def test_troubles_follow_each_other() -> None:
    """A small webcam in a dim room gives small dim pictures."""
    (first, *_) = troubled(film(), ["dim", "small"], 4)

    assert first.bgr.shape[:2] == (SIZE[1] // 2, SIZE[0] // 2)
    assert first.bgr.mean() < 0.8 * next(film()).bgr.mean()


def test_an_unknown_trouble_is_named() -> None:
    """With those that are known."""
    with pytest.raises(TroubleError, match=r"trouble 'fog': none of .*barrel.*"):
        list(troubled(film(), ["fog"], 1))
