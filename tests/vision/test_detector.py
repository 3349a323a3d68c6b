"""One card, one outline: what lies inside another outline is no second card."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.table.detection import BACK, CLASSES, UNKNOWN, Detection
from companion.vision.classify import Classified
from companion.vision.detector import (
    CardDetector,
    Named,
    _believed,
    _distinct,
    _doubted,
    _unnested,
    _with_indices,
)
from companion.vision.locate import Located


def _detection(
    x: float, y: float, height: float, confidence: float = 0.9, score: float = 0.7, best: int = 0
) -> Detection:
    probs = np.full(len(CLASSES), (1 - confidence) / (len(CLASSES) - 1), np.float32)
    probs[best] = confidence
    width = height / 1.5
    corners = np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float32)
    return Detection(corners, probs, score, 0.0)


def test_a_part_of_a_card_is_no_card():
    """The large sign of an ace looks like a small card."""
    card, part = _detection(0, 0, 300), _detection(50, 50, 90, score=0.5)
    assert _unnested([card, part], one_size=True) == [card]


def test_two_sure_cards_beat_one_outline_around_them():
    """The same rule the other way round."""
    one, two, both = _detection(0, 0, 100), _detection(75, 0, 100), _detection(-20, -20, 260, 0.4, 0.3)
    assert _unnested([both, one, two], one_size=True) == [one, two]


def test_a_mat_does_not_drive_out_the_cards_on_it():
    """Whatever is surely no card may lie under all of them."""
    mat = _detection(-20, -20, 300, 0.97, 0.9, best=UNKNOWN)
    cards = [_detection(0, 0, 100, 0.8, 0.6), _detection(80, 0, 100, 0.75, 0.6)]
    assert _unnested([mat, *cards], one_size=True) == cards


def test_a_card_on_another_stays():
    """Cards are of one size: one that lies on another never lies inside its outline."""
    below, above = _detection(0, 0, 150), _detection(10, 20, 140)
    assert len(_unnested([below, above], one_size=True)) == 2


def test_a_card_of_another_rank_in_a_close_up_drives_out_its_pips():
    """Of a photo nobody knows how large its cards are: a seven is one card, not seven aces."""
    seven = _detection(0, 0, 300, 0.97, 0.8, best=UNKNOWN)
    pips = [_detection(20, 20, 80, 0.9, 0.6), _detection(120, 20, 80, 0.9, 0.5)]
    assert _unnested([*pips, seven], one_size=False) == [seven]
    assert _unnested([*pips, seven], one_size=True) == pips


@pytest.mark.parametrize("other", [UNKNOWN, BACK])
def test_what_is_no_face_does_not_drive_out_one_that_is_named_for_certain(other: int):
    """In a photo one outline around two cards is called unknown or a back, and so is a piece of a card."""
    ace = _detection(20, 20, 100, 0.99, 0.6)
    around, within = (
        _detection(0, 0, 170, 0.99, 0.8, best=other),
        _detection(30, 30, 60, 0.99, 0.8, best=other),
    )
    assert ace in _unnested([ace, around], one_size=False)
    assert ace in _unnested([ace, within], one_size=False)
    doubtful = _detection(20, 20, 100, 0.9, 0.6)
    assert _unnested([doubtful, around], one_size=False) == [around]


def _named(x: float, spot_x: float, best: int, confidence: float = 0.95, score: float = 0.7) -> Named:
    """A card 100 wide and 150 high with its left edge at `x`, seen at `spot_x`."""
    one = _detection(x, 0, 150, confidence, score, best)
    outline = Located(one.corners, score, np.array([spot_x, 75], np.float32))
    return outline, one.probs


def test_two_cards_of_a_fan_are_two():
    """Their outlines are nearly one, but each is seen at a place of its own and has a name of its own."""
    below, above = _named(0, 10, best=3, score=0.5), _named(20, 70, best=7)
    assert _distinct([below, above], one_size=True) == [above, below]


def test_two_outlines_of_one_card_are_one():
    """Whether they have one name, or are seen at one spot, or one of the names is a guess."""
    card = _named(20, 70, best=7, score=0.8)
    assert _distinct([_named(0, 10, best=7), card], one_size=True) == [card]
    assert _distinct([_named(0, 60, best=3), card], one_size=True) == [card]
    assert _distinct([_named(0, 10, best=3, confidence=0.6), card], one_size=True) == [card]


def test_of_a_photo_the_outline_that_can_be_read_is_the_card():
    """Looked at in several sizes a card has several outlines, and most heat may have one that is askew."""
    askew = _named(0, 50, best=3, confidence=0.4, score=0.8)
    fits = _named(20, 55, best=7, confidence=0.99, score=0.7)
    assert _distinct([askew, fits], one_size=False) == [fits]
    assert _distinct([askew, fits], one_size=True) == [askew]


def test_a_back_of_a_photo_is_as_likely_as_that_a_card_lies_there():
    """What the outline's heat says, the classifier cannot: a sheet of paper looks like a back, too."""
    sheet, back = (_doubted(_named(0, 50, BACK, 0.99, score=heat))[1] for heat in (0.4, 0.8))
    assert sheet[BACK] < 0.3 < 0.7 < sheet[UNKNOWN]
    assert back[BACK] > 0.9
    assert sheet.sum() == pytest.approx(1)
    face = _named(0, 50, best=3, confidence=0.99, score=0.4)
    assert _doubted(face)[1][3] == face[1][3]


def test_one_face_lies_once_where_outlines_share_a_part():
    """Between king and queen of a marriage lay a third outline, a king once more; backs lie in piles."""
    king, queen = _named(0, 50, best=3, score=0.8), _named(130, 180, best=2)
    between = _named(35, 90, best=3, confidence=0.6, score=0.42)
    assert _distinct([king, queen, between], one_size=True) == [king, queen]
    # with more heat it is a card, and misread, as who decides must know
    misread = _named(35, 90, best=3, confidence=0.6, score=0.5)
    assert _distinct([king, queen, misread], one_size=True) == [king, queen, misread]
    back, second = _named(0, 50, best=BACK, score=0.8), _named(35, 90, best=BACK)
    assert _distinct([back, second], one_size=True) == [back, second]


def test_what_is_hardly_an_outline_is_no_card():
    """However likely the name: a cup's edge was once an ace. What is called no card needs more heat."""
    faint, enough = _named(0, 50, best=7, score=0.35, confidence=0.9), _named(200, 250, best=7, score=0.42)
    strange = _named(400, 450, best=UNKNOWN, score=0.42)
    assert _distinct([faint, enough, strange], one_size=True) == [enough]


def test_a_card_named_for_certain_needs_less_of_an_outline():
    """A stock on a dark table has little heat, and what lies there is a back beyond doubt."""
    face, back = _named(0, 50, best=7, score=0.32, confidence=0.96), _named(200, 250, BACK, 0.97, 0.32)
    likely = _named(400, 450, best=BACK, score=0.32, confidence=0.9)
    assert _distinct([face, back, likely], one_size=True) == [face, back]


def test_what_has_no_name_needs_an_outline():
    """Half of a score sheet is outlined faintly and looks a little like each card; a card does not."""
    sheet, dark = _named(0, 50, 7, 0.2, score=0.52), _named(200, 250, 7, 0.2, score=0.7)
    assert _distinct([sheet, dark], one_size=True) == [dark]


def test_a_faint_outline_of_a_photo_needs_a_surer_name():
    """A lamp's foot looks a little like a card, and its middle a little like an ace."""
    assert not _believed(_named(0, 50, best=5, confidence=0.85, score=0.5))
    assert _believed(_named(0, 50, best=5, confidence=0.97, score=0.5))
    assert _believed(_named(0, 50, best=5, confidence=0.85, score=0.8))
    assert _believed(_named(0, 50, best=UNKNOWN, confidence=0.85, score=0.5))


def _indexed(x: float, best: int, confidence: float = 0.7) -> Named:
    """A card with its left edge at `x`, found by its index."""
    outline, answer = _named(x, 0, best, confidence)
    return replace(outline, spot=np.array([x + 10, 20], np.float32)), answer


def test_an_index_tells_of_a_card_that_lies_under_others():
    """Strips of a fan: neighbours lie on each other nearly whole, and each has an index of its own."""
    known = _named(0, 50, best=0)
    strips = [_indexed(12.0 * at, best=at, confidence=0.85) for at in range(1, 4)]
    doubtful = _indexed(48, best=4, confidence=0.75)

    assert _with_indices([known], [*strips, doubtful]) == [known, *strips, doubtful]


def test_doubtful_indices_make_no_fan_of_each_other():
    """Small signs of one card's picture, each a little like an index, lie as close as strips do."""
    known = _named(0, 50, best=0)

    assert _with_indices([known], [_indexed(12.0 * at, best=at) for at in range(1, 5)]) == [known]


def test_an_index_outside_a_fan_must_be_surer():
    """There the locator sees what there is to see; what looks like an index may be a pip."""
    known = _named(0, 50, best=0)
    doubtful, sure = _indexed(300, best=1, confidence=0.75), _indexed(600, best=2, confidence=0.95)

    assert _with_indices([known], [doubtful, sure]) == [known, sure]


def test_the_indices_of_a_card_that_is_known_tell_nothing_new():
    """Nor do both of one card make two of it, and one index has one name."""
    known = _named(0, 50, best=0)
    first, second = _indexed(300, best=1, confidence=0.95), _indexed(303, best=1, confidence=0.9)
    second = replace(second[0], spot=second[0].spot + np.array([80, 110], np.float32)), second[1]
    misnamed = _indexed(304, best=2, confidence=0.92)

    assert _with_indices([known], [_indexed(4, best=0), second, misnamed, first]) == [known, first]


def test_an_index_makes_a_guess_sure():
    """A guess at a card, and its index is read: the name is no guess any more, the outline stays."""
    guess, index = _named(0, 50, best=0, confidence=0.4), _indexed(4, best=0, confidence=0.95)

    ((outline, probs),) = _with_indices([guess], [index])
    assert probs is index[1]
    assert outline.corners is guess[0].corners
    assert outline.score == guess[0].score


def test_an_index_decides_between_the_two_names_of_a_card_in_doubt():
    """It may be a pip of the picture: against a name that was read of all that shows it says nothing."""
    index, between = _indexed(4, best=1, confidence=0.95), _named(0, 50, best=0, confidence=0.5)
    between[1][1] = 0.4
    doubtful, sure = _named(0, 50, best=0, confidence=0.65), _named(0, 50, best=0, confidence=0.97)
    nameless = _named(0, 50, best=UNKNOWN, confidence=0.9)

    assert _with_indices([between], [index]) == [index]
    assert _with_indices([nameless], [index]) == [index]
    assert _with_indices([doubtful], [index]) == [doubtful]
    assert _with_indices([sure], [index]) == [sure]


class _Wavering:
    """Names crops as it is told, and counts them."""

    def __init__(self, *answers: Sequence[float]) -> None:
        self.answers, self.crops = list(answers), 0

    def classify(self, crops: Sequence[NDArray[np.uint8]]) -> list[Classified]:
        """As the other namers do."""
        self.crops += len(crops)
        return [_said(*self.answers.pop(0)) for _ in crops]


def _said(first: float, second: float) -> Classified:
    """The first and the second class with such probabilities, the rest shared by all others."""
    probs = np.full(len(CLASSES), (1 - first - second) / (len(CLASSES) - 2), np.float32)
    probs[:2] = first, second
    return Classified(probs, np.zeros(8, np.float32))


def _read_by(namer: _Wavering) -> NDArray[np.float32]:
    """What one card comes out as."""
    detector = object.__new__(CardDetector)
    detector.classifier = namer
    outline = _named(10, 20, 0)[0]
    picture = np.zeros((200, 200, 3), np.uint8)
    ((_, answer),) = detector._read_again(picture, detector.named(picture, [outline]))
    return answer


def test_a_certain_name_is_read_once():
    """Most cards are clear, and time is short."""
    namer = _Wavering((0.97, 0.01))
    assert _read_by(namer).argmax() == 0
    assert namer.crops == 1


def test_a_doubtful_name_is_read_again_from_other_outlines():
    """One crop that tells another card is outvoted, and less sure is what the looks do not agree on."""
    lone = _read_by(_Wavering((0.6, 0.3), *[(0.1, 0.85)] * 4))
    split = _read_by(_Wavering((0.9, 0.05), (0.9, 0.05), (0.9, 0.05), (0.05, 0.9), (0.05, 0.9)))

    assert lone.argmax() == 1
    assert split.argmax() == 0
    assert 0.5 < split[0] < 0.9
