"""Tricks that are played while a deal is looked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pytest

from companion.decoding.unfollowed import Unfollowed

TRICK, MARRIAGE = (0.0, 2.0), (0.0, 0.0, 2.0)
SHOWN, COUNTED, LED = (0.0, 0.0), (0.0, 0.0, 0.0, 1.0, 2.0), (0.0,)


def views(rounds: Sequence[Sequence[float]]) -> Iterator[Mapping[int, float]]:
    """What lies face up, card by card, where each round is taken up before the next; when each was laid."""
    for number, laid in enumerate(rounds):
        cards = {10 * number + place: 10.0 * number + at for place, at in enumerate(laid)}
        for upto in sorted(set(laid)):
            yield {track: at for track, at in cards.items() if at <= 10.0 * number + upto}
        yield {}


def is_on(*rounds: Sequence[float]) -> bool:
    """Whether a hand is known to be on at any time."""
    unfollowed = Unfollowed()
    return any(unfollowed.look(faces) for faces in views(rounds))


@pytest.mark.parametrize("first", [TRICK, MARRIAGE])
def test_two_tricks_tell_that_a_hand_is_on(first: Sequence[float]) -> None:
    """Also where one of them began with a marriage."""
    assert is_on(first, TRICK)
    assert not is_on(first)
    assert not is_on(first, LED)


@pytest.mark.parametrize("other", [SHOWN, COUNTED, LED])
def test_what_is_shown_or_counted_is_no_trick(other: Sequence[float]) -> None:
    """Cards that come at once, many of them, or one alone; tricks before do not count then."""
    assert not is_on(TRICK, other, TRICK)
    assert is_on(other, TRICK, TRICK)


def test_a_deal_that_is_found_begins_anew() -> None:
    """What was played before it was of no hand that is known."""
    unfollowed = Unfollowed()
    assert not any(unfollowed.look(faces) for faces in views([TRICK]))
    unfollowed.begin()
    assert not any(unfollowed.look(faces) for faces in views([TRICK]))
