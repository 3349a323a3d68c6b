"""What is counted when the networks are measured on drawn scenes."""

import sys
from dataclasses import dataclass
from types import ModuleType

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.synth.scene import CardTruth
from companion.table.detection import CLASSES, Detection
from companion.training import art, drawn_photos, evaluate
from companion.training.evaluate import Measured
from companion.training.tables import Sample


def _corners(x: float, height: float) -> NDArray[np.float32]:
    width = height / 1.5
    return np.array([[x, 50], [x + width, 50], [x + width, 50 + height], [x, 50 + height]], np.float32)


def _lies(name: str, x: float, height: float, visible: float = 1.0) -> CardTruth:
    corners = _corners(x, height)
    return CardTruth(name, corners, visible, CLASSES.index(name), corners.mean(axis=0), (1.0, 1.0))


def _told(name: str, x: float, height: float) -> Detection:
    probs = np.full(len(CLASSES), 0.1 / (len(CLASSES) - 1), np.float32)
    probs[CLASSES.index(name)] = 0.9
    return Detection(_corners(x, height), probs, 0.9, 0.0)


@dataclass
class _Detector:
    """Tells what it is told to."""

    answer: tuple[Detection, ...]

    def detect(self, bgr: NDArray[np.uint8]) -> tuple[Detection, ...]:
        """Whatever the picture."""
        return self.answer


def _compared(truth: list[CardTruth], *answer: Detection, shaken: float = 0.0) -> Measured:
    found = Measured()
    sample = Sample(np.zeros((400, 600, 3), np.uint8), truth, [], shaken)
    found.take(sample, _Detector(answer))  # type: ignore[arg-type]
    return found


def _measured(truth: list[CardTruth], *answer: Detection) -> dict[str, float]:
    return _compared(truth, *answer).figures()


def test_cards_count_as_located_and_as_named() -> None:
    """One read right, one misread, one missed, and a name where nothing lies."""
    truth = [_lies("KH", 0, 150), _lies("QS", 150, 150), _lies("AD", 300, 150)]
    figures = _measured(truth, _told("KH", 0, 150), _told("JS", 151, 150), _told("TC", 450, 150))

    assert figures["cards"] == 3
    assert figures["located"] == pytest.approx(2 / 3)
    assert figures["named_of_located"] == pytest.approx(1 / 2)
    assert figures["false_cards_per_scene"] == 1


def test_calibration_is_that_of_located_cards_and_that_of_all_that_is_told() -> None:
    """A name where nothing lies was told as surely as that of a card, and is wrong."""
    figures = _measured([_lies("KH", 0, 150)], _told("KH", 0, 150), _told("TC", 450, 150))

    sure = _told("KH", 0, 150).confidence
    assert figures["calibration_error"] == pytest.approx(1 - sure, abs=1e-6)
    assert figures["calibration_error_of_all_told"] == pytest.approx(abs(sure - 0.5), abs=1e-6)


def test_small_and_covered_cards_do_not_count_and_tall_ones_count_apart() -> None:
    """From 60 pixels on a card counts; what stands 110 pixels high is legible."""
    truth = [_lies("KH", 0, 150), _lies("QS", 150, 80), _lies("AD", 300, 50), _lies("AC", 450, 150, 0.4)]
    figures = _measured(truth, _told("KH", 0, 150), _told("JS", 150, 80), _told("AD", 300, 50))

    assert (figures["cards"], figures["tall"]) == (2, 1)
    assert figures["named_of_located"] == pytest.approx(1 / 2)
    assert figures["named_of_tall"] == 1
    assert figures["false_cards_per_scene"] == 0


def test_cards_are_counted_by_condition() -> None:
    """A missed card counts as wrong under each condition that it lies under."""
    truth = [_lies("KH", 0, 150), _lies("back", 150, 70, 0.6), _lies("AD", 300, 90, 0.8)]
    counted = _compared(truth, _told("KH", 0, 150), _told("AD", 300, 90), shaken=4.0).by_condition()

    assert counted["110 pixels high and more"] == (1, 1.0)
    assert counted["less than 80 pixels high"] == counted["face down"] == (1, 0.0)
    assert counted["half to three quarters in sight"] == (1, 0.0)
    assert counted["more in sight"] == counted["80 to 110 pixels high"] == (1, 1.0)
    assert counted["in a picture that was shaken"] == (3, pytest.approx(2 / 3))
    assert counted["in one that was not"] == (0, 0.0)


def test_cards_of_no_pack_count_apart() -> None:
    """A stranger that is taken for a card of the pack is a confusion, but no card located."""
    found = _compared(
        [_lies("KH", 0, 150), _lies("unknown", 150, 150)], _told("KH", 0, 150), _told("AD", 150, 150)
    )

    assert found.figures()["cards"] == found.figures()["unknown_cards"] == 1
    assert found.confusions() == [("unknown", "AD", 1)]


@pytest.mark.parametrize(
    ("program", "option"), [(art, "--out"), (drawn_photos, "--out"), (evaluate, "--pictures")]
)
def test_a_folder_that_cannot_be_made_ends_a_program_before_it_works(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], program: ModuleType, option: str
) -> None:
    """Nothing is drawn for nothing, and what is wrong is said of the option that named it."""
    monkeypatch.setattr(sys, "argv", ["program", option, "/proc/figures"])
    with pytest.raises(SystemExit, match="2"):
        program.main()
    assert f"{option} /proc/figures: cannot be made" in capsys.readouterr().err
