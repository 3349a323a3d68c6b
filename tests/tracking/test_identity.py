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
    assert (since, other.agreed) == (2.7, 3.2)
    assert best(identity) == Card.parse("QD")


def test_a_single_misread_frame_counts_as_one() -> None:
    """It waits, and the next frame that agrees with the look ends the doubt."""
    identity = Identity()
    for number in range(20):
        identity.add(look("QD"), 0.1 * number)
    identity.add(look("AS"), 2.0)
    identity.add(look("QD"), 2.1)

    assert identity.changed(1) is None
    assert identity.contradicted_since is None
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


def lying(card: str, sure: float = 0.9, frames: int = 20) -> Identity:
    """A card that was read as it lay, ten times a second from 0 on."""
    identity = Identity()
    for number in range(frames):
        identity.add(look(card, sure), 0.1 * number)
    return identity


def chances(identity: Identity, *cards: str) -> list[float]:
    """How likely it is each of these."""
    probs = np.exp(identity.log_probs())
    return [float(probs[PACK_24.index(Card.parse(card))]) for card in cards]


def test_one_certain_frame_weighs_less_than_two_fairly_sure_ones() -> None:
    """Even what a network is certain of says nothing in one frame of thirty."""
    identity = Identity()
    identity.add(look("QD", 1.0), 0.0)
    for time in (0.2, 0.4):
        identity.add(look("JD", 0.65), time)

    assert best(identity) == Card.parse("JD")


def test_a_card_has_a_look_after_a_sixth_of_a_second_at_any_frame_rate() -> None:
    """Frames of a fast camera show the same noise."""
    for fps in (20, 60):
        identity = Identity()
        settled = []
        for number in range(fps):
            identity.add(look("QD"), number / fps)
            settled.append(identity.settled)
        assert settled.index(True) / fps == pytest.approx(0.15, abs=0.02)


def test_doubtful_frames_leave_a_doubt_however_many_there_are() -> None:
    """Frames of a card that lies still are never worth more than a few that know nothing of each other."""
    (chance,) = chances(lying("TS", 0.15, frames=200), "TS")

    assert 0.9 < chance < 0.985


@pytest.mark.parametrize(
    ("card", "doubt", "alike"), [("TS", 0.005, ["TC"]), ("KS", 0.02, ["QS", "JS", "KC"])]
)
def test_a_lasting_misreading_takes_a_card_for_one_that_looks_like_it(
    card: str, doubt: float, alike: list[str]
) -> None:
    """Its rank in its colour, and among courts another court of its suit: courts are misread most."""
    identity = lying(card, 0.999, frames=200)

    assert 1.0 - chances(identity, card)[0] == pytest.approx(doubt, rel=0.1)
    for chance in chances(identity, *alike):
        assert chance == pytest.approx(0.8 * doubt / len(alike), rel=0.1)
    assert sum(chances(identity, "AS", "9S", "AH", "TH", "KD")) < 0.05 * doubt


def test_frames_that_hardly_prefer_another_card_are_of_this_one() -> None:
    """Three in a row are no exchange; nor does the one after a clear misreading wait, if it says a third."""
    identity = lying("QD")
    for time in (2.0, 2.2, 2.4):
        identity.add(look("JD", 0.75, "QD"), time)
        assert identity.changed(3) is None
    identity = lying("QD")
    identity.add(look("AS"), 2.0)
    identity.add(look("JD", 0.55, "QD"), 2.1)

    assert identity.contradicted_since is None


def test_a_frame_in_which_neither_is_clear_ends_no_run() -> None:
    """Only a clear look at the card that lay there first does."""
    for between, changed in ((look("QD", 0.55, "JD"), True), (look("QD", 0.9), False)):
        identity = lying("QD")
        for time in (2.0, 2.2, 2.4, 2.6):
            identity.add(between if time == 2.2 else look("JD"), time)
        assert (identity.changed(3) is not None) is changed


@pytest.mark.parametrize(("sure", "other"), [(0.12, False), (0.6, True)])
def test_only_a_clear_look_can_be_contradicted(sure: float, other: bool) -> None:
    """Three doubtful frames and then three of another card are one card; three clear ones, two."""
    identity = lying("QD", sure, frames=3)
    for time in (0.5, 0.7, 0.9):
        identity.add(look("JD"), time)

    assert (identity.changed(3) is not None) is other
    assert best(identity) == Card.parse("QD" if other else "JD")


def test_what_shows_of_a_covered_card_adds_nothing_to_its_look() -> None:
    """Before it has one it counts: some cards are never seen whole."""
    identity = lying("QD")
    clear = identity.clarity
    for number in range(30):
        identity.add(look("QD", 0.4), 2.0 + 0.2 * number, trust=0.3)
    assert identity.clarity == clear

    covered = Identity()
    for number in range(10):
        covered.add(look("QD"), 0.2 * number, trust=0.3)
    assert covered.settled


@pytest.mark.parametrize(
    ("frames", "apart", "other"),
    [(6, 0.08, False), (5, 0.15, False), (6, 0.12, True), (3, 0.15, False)],
)
def test_a_long_run_of_frames_that_do_not_agree_is_another_card(
    frames: int, apart: float, other: bool
) -> None:
    """It is not read well, but is no more the one before; a short run, or a few frames, are misreadings."""
    identity = lying("QD")
    for number in range(frames):
        identity.add(look(("JD", "AS")[number % 2]), 2.0 + apart * number)

    assert (identity.changed(3) is not None) is other


@pytest.mark.parametrize(
    ("frames", "apart", "waits"), [(7, 0.12, True), (8, 0.12, False), (3, 0.4, True), (8, 0.05, True)]
)
def test_frames_that_contradict_for_long_count_after_all(frames: int, apart: float, waits: bool) -> None:
    """Nobody has taken them for an exchange: from then on the card is what all of them say."""
    identity = lying("QD")
    for number in range(frames):
        identity.add(look("JD"), 2.0 + apart * number)

    assert (identity.contradicted_since is not None) is waits


def test_a_card_that_nothing_contradicts_is_not_exchanged() -> None:
    """Whatever run is asked for; nor is one that was not seen yet."""
    for identity in (lying("QD"), Identity()):
        assert identity.changed(0) is None
        assert (identity.contradicted(), identity.contradicting()) == (0.0, None)
    assert Identity().clarity == 0.0
