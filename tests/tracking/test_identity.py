"""What a still card is taken for, frame by frame."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.rules.cards import PACK_24, Card
from companion.table.detection import CLASSES
from companion.tracking.identity import Identity


def look(card: str, sure: float = 0.9, other: str | None = None) -> NDArray[np.float32]:
    """One frame's answer: `card` with this probability, the rest on another or on all."""
    probs = np.full(len(CLASSES), (1.0 - sure) / len(CLASSES), np.float32)
    if other is not None:
        probs[:] = 0.0
        probs[PACK_24.index(Card.parse(other))] = 1.0 - sure
    probs[PACK_24.index(Card.parse(card))] += sure
    return probs / probs.sum()


def best(identity: Identity) -> Card:
    """What it is taken for."""
    return PACK_24[identity.best]


def test_a_first_glimpse_is_no_look_to_be_contradicted() -> None:
    """Misread in the first frame, read right in the next: the same card, not another in its place."""
    identity = Identity()
    identity.add(look("KD"), 0.0)
    for time in (0.2, 0.3, 0.4, 0.5):
        identity.add(look("TD"), time)
        assert identity.changed(3) is None

    assert best(identity) == Card.parse("TD")


def test_a_card_exchanged_in_place_is_another() -> None:
    """A clear look for seconds, then three frames of another card, the last of them hardly clear."""
    identity = Identity()
    for number in range(20):
        identity.add(look("QD"), 0.1 * number)
    identity.add(look("JD"), 2.7)
    identity.add(look("JD"), 2.8)
    identity.add(look("JD", 0.6, "QD"), 3.2)

    changed = identity.changed(3)
    assert changed is not None
    other, since = changed
    assert best(other) == Card.parse("JD")
    assert since == 2.7
    assert best(identity) == Card.parse("QD")


def test_a_single_misread_frame_counts_as_one() -> None:
    """It waits, and the next frame that agrees with the look ends the doubt."""
    identity = Identity()
    for number in range(20):
        identity.add(look("QD"), 0.1 * number)
    identity.add(look("AS"), 2.0)
    identity.add(look("QD"), 2.1)

    assert identity.changed(1) is None
    assert best(identity) == Card.parse("QD")


@pytest.mark.parametrize("fps", [5, 10, 30])
def test_a_blur_of_a_tenth_of_a_second_is_no_exchange_at_any_frame_rate(fps: int) -> None:
    """A fast camera sees it three times; a card that is exchanged shows itself for longer."""
    identity = Identity()
    for number in range(3 * fps):
        identity.add(look("QD"), number / fps)
    blurred = [number / fps for number in range(3 * fps, 3 * fps + max(1, fps // 10) + 1)]
    for time in blurred:
        identity.add(look("JD"), time)
    assert identity.changed(3) is None
    for number in range(2 * fps):
        identity.add(look("JD"), blurred[-1] + (number + 1) / fps)
        changed = identity.changed(3)
        if changed is not None:
            break
    assert changed is not None
    other, since = changed
    assert (best(other), since) == (Card.parse("JD"), blurred[0])
