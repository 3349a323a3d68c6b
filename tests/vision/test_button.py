"""Announcement buttons: found by their rim, read at any angle, told from coins and coasters."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from companion.config import asset
from companion.synth.button import HEIGHT_MM, draw_button
from companion.synth.camera import Camera
from companion.synth.clutter import PX_MM, laid, thing
from companion.synth.drawn import drawn_pack
from companion.synth.german import german_pack
from companion.synth.lens import degrade
from companion.synth.scene import Light, Overlay, Placed, Scene
from companion.synth.surface import surface
from companion.table.detection import CLASSES, Button, Detection
from companion.vision.button import ButtonFinder

SIZE = (1280, 720)
TABLES = ("felt", "wood", "check", "linen", "planks", "white_cloth")


@pytest.fixture(scope="module")
def finder() -> ButtonFinder:
    """The shipped network."""
    return ButtonFinder(asset("models"))


def _lead(name: str, corners: np.ndarray) -> Detection:
    probs = np.full(len(CLASSES), 0.001, np.float32)
    probs[CLASSES.index(name)] = 1 - 0.001 * (len(CLASSES) - 1)
    return Detection(corners, probs, 0.9, 0.0)


def _tables(
    seed: int, count: int, lead: str = "KH"
) -> Iterator[tuple[np.ndarray, Detection, Overlay, str, np.ndarray]]:
    """Tables with a lead: picture, lead, what lies beside it, what that says, and where its middle is."""
    rng = np.random.default_rng(seed)
    pack = drawn_pack(1003, height_px=300)
    for number in range(count):
        camera = Camera.above(
            SIZE,
            distance_mm=900,
            tilt=float(rng.uniform(0, 0.6)),
            yaw=float(rng.uniform(-3, 3)),
            width_mm=float(rng.uniform(450, 700)),
        )
        scene = Scene(camera, surface(TABLES[number % len(TABLES)], rng), Light.random(rng), 300.0)
        says = str(rng.choice(["20", "40"]))
        x, y = float(rng.choice([-1, 1]) * rng.uniform(58, 80)), float(rng.uniform(-30, 30))
        art = draw_button(rng, says, round(rng.uniform(30, 42) * PX_MM))
        beside = laid(art, (x, y), float(rng.uniform(0, 6.3)), HEIGHT_MM, camera)
        card = Placed(lead, pack.faces[lead], 0.0, 0.0, float(rng.uniform(0, 6.3)))
        picture, (truth,) = scene.render([card, beside])
        picture = degrade(picture, rng, blur=0.8, noise=2.0, quality=85)
        yield (
            picture,
            _lead(lead, truth.corners),
            beside,
            says,
            camera.project(np.array([[x, y, HEIGHT_MM]]))[0],
        )


def _nearest(buttons: tuple[Button, ...], place: np.ndarray) -> Button | None:
    near = [each for each in buttons if np.hypot(each.x - place[0], each.y - place[1]) < 0.2 * each.size]
    return near[0] if near else None


def tally(finder: ButtonFinder, seed: int, count: int) -> tuple[int, int, int]:
    """On so many tables: buttons found, of these read right, and taken for the other."""
    found = right = wrong = 0
    for bgr, lead, _, says, place in _tables(seed, count):
        button = _nearest(finder.find(bgr, [lead]), place)
        if button is None:
            continue
        found += 1
        told, other = (button.twenty, button.forty) if says == "20" else (button.forty, button.twenty)
        right += told > 0.5
        wrong += other > 0.5
    return found, right, wrong


def test_a_button_beside_a_king_is_found_and_read(finder: ButtonFinder) -> None:
    """On cloth, wood and stone, from above and aslant, in type that training never saw."""
    found, right, wrong = tally(finder, 5, 40)
    assert found >= 32
    assert right >= 0.9 * found
    assert wrong <= 1


def test_a_button_is_looked_for_beside_kings_and_queens_and_where_it_was(finder: ButtonFinder) -> None:
    """Elsewhere it announces nothing, but whether it still lies there must be seen."""
    seen = 0
    for bgr, lead, _, _, place in _tables(6, 8, "TS"):
        assert finder.find(bgr, [lead]) == ()
        king = _lead("KS", lead.corners)
        button = _nearest(finder.find(bgr, [king]), place)
        if button is not None:
            seen += 1
            again = _nearest(finder.find(bgr, [], [button]), place)
            assert again is not None
    assert seen >= 5


def test_what_is_printed_on_another_card_is_no_button(finder: ButtonFinder) -> None:
    """The acorns of an ace that answers a king are round, and of a button's size."""
    rng = np.random.default_rng(9)
    taken = 0
    for number in range(12):
        pack = german_pack(1000 + number % 4)
        camera = Camera.above(SIZE, distance_mm=900, tilt=0.3, yaw=float(rng.uniform(-3, 3)), width_mm=500.0)
        scene = Scene(camera, surface(TABLES[number % len(TABLES)], rng), Light.random(rng), 300.0)
        led = Placed("KC", pack.faces["KC"], 0.0, 0.0, float(rng.uniform(-0.3, 0.3)))
        answer = Placed("AC", pack.faces["AC"], 55.0, 20.0, float(rng.uniform(-0.3, 0.3)))
        picture, truths = scene.render([led, answer])
        king, ace = (_lead(each.name, each.corners) for each in truths)
        within = [
            each
            for each in finder.find(picture, [king])
            if cv2.pointPolygonTest(ace.corners.astype(np.float32), (each.x, each.y), False) > 0
        ]
        taken += len(within)
        told = finder.find(picture, [king, ace], within)
        assert not any(_nearest(told, np.array([each.x, each.y])) for each in within)
    assert taken > 0, "what the rule is for"


def test_what_else_is_round_says_nothing(finder: ButtonFinder) -> None:
    """Coins, coasters and glasses beside a queen."""
    rng = np.random.default_rng(8)
    pack = drawn_pack(1003, height_px=300)
    taken = 0
    for number in range(24):
        camera = Camera.above(SIZE, distance_mm=900, tilt=float(rng.uniform(0, 0.6)), width_mm=520.0)
        scene = Scene(camera, surface(TABLES[number % len(TABLES)], rng), Light.random(rng), 300.0)
        kinds = ("coin", "coin", "coaster", "glass")
        things = [
            thing(kind, rng, 75 * np.cos(turn), 75 * np.sin(turn), camera)
            for kind, turn in zip(kinds, rng.uniform(0, 6.3) + np.arange(4) * np.pi / 2, strict=True)
        ]
        blank = laid(draw_button(rng, "", 100), (0.0, 120.0), 0.0, HEIGHT_MM, camera)
        queen = Placed("QC", pack.faces["QC"], 0.0, 0.0, float(rng.uniform(0, 6.3)))
        picture, (truth,) = scene.render([queen, *things, blank])
        told = finder.find(
            degrade(picture, rng, blur=0.8, noise=2.0, quality=85), [_lead("QC", truth.corners)]
        )
        taken += any(each.twenty + each.forty > 0.9 for each in told)
    assert taken <= 1


def test_an_empty_or_tiny_picture_has_no_button(finder: ButtonFinder) -> None:
    """A lead at the picture's edge, and a picture too small for anything."""
    corners = np.array([[-60, -60], [0, -60], [0, 40], [-60, 40]], np.float32)
    assert finder.find(np.zeros((720, 1280, 3), np.uint8), [_lead("KH", corners)]) == ()
    assert finder.find(np.zeros((8, 8, 3), np.uint8), [_lead("KH", corners)]) == ()
    grey = cv2.randn(np.zeros((720, 1280, 3), np.uint8), (128, 128, 128), (20, 20, 20))
    assert finder.find(grey, [_lead("KH", corners + 500)]) == ()


if __name__ == "__main__":
    print("found {}, read right {}, wrong {}".format(*tally(ButtonFinder(asset("models")), 50, 100)))
