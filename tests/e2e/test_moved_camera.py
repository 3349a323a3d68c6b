"""Hands filmed by a camera to which things happen: the record is right, or somebody is asked."""

from __future__ import annotations

import pytest
from further import further

from tests.e2e.camera_trial import FPS, TRIALS, Outcome, hands_of, watched


def tried(name: str, seed: int) -> Outcome:
    """What was read of one trial."""
    hands, mishap = TRIALS[name]
    return watched(hands_of(seed, hands), seed, mishap)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["bumped by 5 degrees and 10 %", "turned by 180 degrees in mid-hand", "covered for 1 s"]
)
def test_a_hand_goes_on_through_a_mishap(name: str) -> None:
    """Read exactly; sight is back within 3 s and stays until the cards are swept off a bare cloth."""
    outcome = tried(name, 22)
    assert outcome.exact
    blind = [
        time for time in outcome.blind if time > outcome.played[0]
    ]  # a pack laid down and cut hides the cloth
    assert blind
    assert [time for time in blind if 3.0 < time - blind[0] < 30.0] == []


@pytest.mark.slow
def test_the_players_keep_their_sides_when_the_camera_is_turned_round_between_hands() -> None:
    """Turned while the cards are swept off a plain cloth: its light tells, and both hands are exact."""
    assert tried("turned by 180 degrees between hands", 22).exact


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a lamp goes off", "a lamp flickers", "the picture freezes"])
def test_another_light_and_a_camera_that_stalls_change_nothing(name: str) -> None:
    """Nothing has moved: the hand is exact, nobody is asked."""
    outcome = tried(name, 22)
    assert outcome.exact
    assert outcome.questions == 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", [22, *further(5)])
def test_what_a_camera_missed_that_stalled_is_asked(seed: int) -> None:
    """Ten seconds of one picture, in which cards are played: right, or a question; and blind."""
    outcome = tried("stalls for 10 s", seed)
    assert not outcome.silently_wrong
    blind = [time for time in outcome.blind if time > outcome.played[1]]
    assert sum(time - blind[0] < 9.0 for time in blind) > 8.0 * FPS


@pytest.mark.slow
def test_what_a_covered_camera_missed_is_asked() -> None:
    """Ten seconds, in which two cards are played or more: right, or a question; blind all the while."""
    outcome = tried("covered for 10 s", 22)
    assert not outcome.silently_wrong
    blind = [time for time in outcome.blind if time > outcome.played[0]]
    assert sum(time - blind[0] < 10.0 for time in blind) > 9.0 * FPS
