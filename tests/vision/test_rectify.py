"""Cutting a card out, and finding its true corners from what the crop shows."""

import cv2
import numpy as np
import pytest

from companion.vision.classify import probabilities
from companion.vision.rectify import AROUND, CARD, Crop, rectify


def _table_with_card(corners: np.ndarray) -> np.ndarray:
    card = np.full((180, 120, 3), 255, np.uint8)
    card[:60] = (0, 0, 255)
    matrix = cv2.getPerspectiveTransform(
        np.array([[0, 0], [120, 0], [120, 180], [0, 180]], np.float32), corners
    )
    return cv2.warpPerspective(card, matrix, (640, 480), borderValue=(0, 120, 0))


@pytest.mark.parametrize("grow", [0.5, 1.0, 2.2])
def test_a_card_comes_out_upright_whatever_its_size(grow: float):
    """The end at corner 0 is at the top of the crop, the table is the margin."""
    shape = np.array([[300, 60], [380, 110], [310, 240], [220, 190]], np.float32)
    corners = (shape - shape.mean(axis=0)) * grow + [320, 240]
    crop = rectify(_table_with_card(corners.astype(np.float32)), corners.astype(np.float32))
    assert crop.shape == CARD.shape
    assert crop[30, 48].tolist() == pytest.approx([0, 0, 255], abs=12)
    assert crop[110, 48].tolist() == pytest.approx([255, 255, 255], abs=12)
    assert crop[72, 1].tolist() == pytest.approx([0, 120, 0], abs=40)


@pytest.mark.parametrize("grow", [1e2, 1e4, 1e6])
def test_an_outline_far_beyond_the_picture_gives_a_crop(grow: float):
    """Near the horizon of a camera that was tilted a place is as large as that; nothing of it can be seen."""
    corners = np.array([[-8, -12], [8, -12], [8, 12], [-8, 12]], np.float32) * np.float32(grow)
    assert rectify(np.zeros((480, 640, 3), np.uint8), corners).shape == CARD.shape


@pytest.mark.parametrize("crop", [CARD, AROUND])
def test_shifts_lead_from_wrong_corners_to_the_true_ones(crop: Crop):
    """What `shifted` undoes is what a wrong outline did to the crop."""
    true = np.array([[100, 50], [170, 80], [130, 190], [55, 150]], np.float32)
    wrong = true + np.array([[4, -3], [-2, 5], [3, 3], [-4, 1]], np.float32)
    shifts = crop.shifts(wrong, true)
    assert np.abs(shifts).max() > 0.01
    assert np.abs(crop.shifted(wrong, shifts) - true).max() < 0.01


def test_a_wider_crop_shows_the_same_card_smaller():
    """Its frame leaves the margin it promises on each side."""
    x, y = AROUND.frame[0]
    inner = AROUND.frame[2] - AROUND.frame[0]
    assert x / inner[0] == pytest.approx(AROUND.margin)
    assert y / inner[1] == pytest.approx(AROUND.margin)


def test_probabilities_sum_to_one_and_cool_with_the_temperature():
    """A higher temperature says the same with less certainty."""
    logits = np.array([[3.0, 1.0, 0.0] + [-5.0] * 23], np.float32)
    sharp, soft = probabilities(logits, 0.5), probabilities(logits, 2.0)
    assert sharp.sum() == pytest.approx(1)
    assert soft.sum() == pytest.approx(1)
    assert sharp.argmax() == soft.argmax()
    assert sharp.max() > soft.max()
