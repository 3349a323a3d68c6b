"""Things on the table: they lie where they are put, stand up if they are glasses, and keep clear of cards."""

from __future__ import annotations

import numpy as np
import pytest

from companion.synth.camera import Camera
from companion.synth.clutter import KINDS, laid, scatter, thing
from companion.synth.scene import Overlay
from companion.synth.style import View

SIZE = (640, 360)
STRAIGHT = Camera.above(SIZE)
TILTED = Camera.above(SIZE, tilt=0.6)


def opaque(overlay: Overlay) -> np.ndarray:
    """Pixels of the frame (or beside it) that a thing covers, (N, 2) x and y."""
    ys, xs = np.nonzero(overlay.picture[..., 3] > 127)
    return np.stack([xs, ys], axis=1) + overlay.origin


def put(
    kind: str, camera: Camera = STRAIGHT, place: tuple[float, float] = (60.0, -30.0), seed: int = 4
) -> Overlay:
    """A thing of this kind, put down."""
    return thing(kind, np.random.default_rng(seed), *place, camera)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "glass"])
@pytest.mark.parametrize("camera", [STRAIGHT, TILTED], ids=["straight", "tilted"])
def test_a_thing_lies_where_it_is_put(kind: str, camera: Camera) -> None:
    """The middle of what is seen is the place on the table, as the camera sees it."""
    seen = opaque(put(kind, camera)).mean(axis=0)
    assert np.abs(seen - camera.project(np.array([[60.0, -30.0, 0.0]]))[0]).max() < 6


def test_things_have_their_real_size() -> None:
    """A coin of 24 mm is as wide in the picture as 24 mm of the table."""
    points = opaque(put("coin"))
    expected = 24 * SIZE[0] / 600
    assert np.ptp(points, axis=0) == pytest.approx([expected, expected], abs=2.5)


def test_a_glass_leans_away_from_the_camera() -> None:
    """It hides table beyond it: to the right if it stands right, above if it is seen from the south."""

    def lean(camera: Camera, x_mm: float) -> np.ndarray:
        foot = camera.project(np.array([[x_mm, 0.0, 0.0]]))[0]
        return opaque(put("glass", camera, (x_mm, 0.0))).mean(axis=0) - foot

    assert lean(STRAIGHT, 200.0)[0] > 3
    assert abs(lean(STRAIGHT, 200.0)[1]) < 3
    assert lean(TILTED, 0.0)[1] < -15


def test_one_sees_the_table_through_a_glass() -> None:
    """Part of a glass is neither opaque nor clear."""
    alpha = put("glass", TILTED).picture[..., 3]
    assert ((alpha > 60) & (alpha < 120)).mean() > 0.02


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_gives_the_same_thing(kind: str) -> None:
    """Colour and writing come from the seed."""
    one, two, other = put(kind, seed=4), put(kind, seed=4), put(kind, seed=5)
    assert np.array_equal(one.picture, two.picture)
    assert one.picture.shape != other.picture.shape or not np.array_equal(one.picture, other.picture)


def test_an_unknown_thing_is_refused() -> None:
    """The message names it."""
    with pytest.raises(ValueError, match="teapot"):
        put("teapot")


@pytest.mark.parametrize("camera", [STRAIGHT, TILTED], ids=["straight", "tilted"])
def test_scattered_things_keep_clear_of_the_cards(camera: Camera) -> None:
    """Nothing covers a card's place, the tops of glasses included."""
    view = View(300.0, -170.0, 170.0)
    taken = [(-150.0, 0.0), (0.0, 0.0), (180.0, -120.0)]
    laid = [
        item for seed in range(12) for item in scatter(np.random.default_rng(seed), camera, view, taken, 3)
    ]
    assert len(laid) > 6
    places = camera.project(np.array([[*place, 0.0] for place in taken]))
    for item in laid:
        points = opaque(item)
        for place in places:
            assert np.hypot(*(points - place).T).min() > 30 * SIZE[0] / 600


def test_scattered_things_do_not_lie_on_one_another() -> None:
    """Each has its own place."""
    view = View(300.0, -170.0, 170.0)
    found = 0
    for seed in range(8):
        items = scatter(np.random.default_rng(seed), STRAIGHT, view, [], 3)
        found += len(items)
        points = np.vstack([opaque(item) for item in items])
        assert len(np.unique(points[:, 0] * 10_000 + points[:, 1])) == len(points)
    assert found > 12


def test_no_more_things_than_asked() -> None:
    """Where there is room there are as many, and none if none are asked for."""
    view = View(300.0, -170.0, 170.0)
    for count in (0, 1, 2):
        assert len(scatter(np.random.default_rng(3), STRAIGHT, view, [], count)) == count


@pytest.mark.parametrize("y_mm", [380.0, 480.0, 565.0, 575.0, 900.0])
def test_what_reaches_to_under_the_lens_is_drawn_no_larger_than_is_seen(y_mm: float) -> None:
    """Near the plane of the lens a picture grows without end; what is drawn does not."""
    camera = Camera.above(SIZE, distance_mm=450, tilt=0.9)
    art = np.full((600, 600, 4), 255, np.uint8)

    height, width = laid(art, (0.0, y_mm), 0.7, 1.0, camera).picture.shape[:2]

    assert width <= 3 * SIZE[0] + 10
    assert height <= 3 * SIZE[1] + 10
