"""What happens while nobody sees the table is asked about, not guessed and not passed over."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from further import further
from puppets import Show, readings, stage
from trial import verdict

from companion.decoding.decoder import Decoder
from companion.rules.events import CardPlayed, Claimed, Closed, Dealt, Event, MarriageDeclared
from companion.rules.ruleset import preset
from companion.table.entry import Asked, Unseen
from tests.decoding.spectator import Spectator

RULES = preset("schnapsen")


def read(show: Show, seed: int, dark: tuple[float, float]) -> tuple[list[Event], list[Asked]]:
    """What is written and asked about a hand of which no frame of `dark` was taken."""
    decoder = Decoder(RULES)
    seen = (reading for reading in readings(show, seed=seed) if not dark[0] <= reading.time < dark[1])
    out = Spectator(show, decoder).watch(seen)
    written = [event for one in decoder.records for event in (Dealt(one.dealer, one.turned_up), *one.events)]
    return written, [one for one in out if isinstance(one, Asked)]


def unseen(show: Show, seed: int, dark: tuple[float, float]) -> list[tuple[float, float]]:
    """From when until when the log says that nobody saw the table, of a hand with no frame of `dark`."""
    seen = (reading for reading in readings(show, seed=seed) if not dark[0] <= reading.time < dark[1])
    out = Spectator(show, Decoder(RULES)).watch(seen)
    return [(one.since, one.time) for one in out if isinstance(one, Unseen)]


def told(show: Show) -> list[Event]:
    """The hand as it was played."""
    return [event for _, event in show.events[0]]


def plays(show: Show) -> list[tuple[float, CardPlayed]]:
    """The cards played, with their times."""
    return [(time, event) for time, event in show.events[0] if isinstance(event, CardPlayed)]


@pytest.mark.parametrize("seed", [11, *further(17)])
def test_an_answer_that_nobody_saw_is_left_open(seed: int) -> None:
    """The lead lay there before, and lies there no more: the answer is written without its card."""
    show = stage(RULES, seed)
    time, answer = plays(show)[3]
    written, asked = read(show, seed, (time - 0.7, time + 2.3))
    right = [CardPlayed(answer.player, None) if event == answer else event for event in told(show)]

    assert written == right
    assert len(asked) == 1


@pytest.mark.parametrize("seed", [14, *further(26)])
def test_a_close_that_nobody_saw_needs_no_hand(seed: int) -> None:
    """The turn-up has gone meanwhile, and nobody draws any more: it is told, and nothing is asked."""
    show = stage(RULES, seed)
    (time,) = (time for time, event in show.events[0] if isinstance(event, Closed))
    assert read(show, seed, (time - 1.2, time + 1.2)) == (told(show), [])


def test_a_trick_that_nobody_saw_is_missed_once_the_stock_runs_out() -> None:
    """The stock is drawn up one trick too early: two cards are written without names, and asked about."""
    seed = 14
    show = stage(RULES, seed)
    (lead, _), (answer, _) = plays(show)[4:6]
    written, asked = read(show, seed, (lead - 0.9, answer + 2.3))

    assert verdict(told(show), written, asked) == "open"


def with_marriage(seed: int, *, claimed: bool) -> tuple[int, Show, tuple[float, MarriageDeclared], float]:
    """The first hand from `seed` on with a marriage and what came right after it, a claim or the lead."""
    kind = Claimed if claimed else CardPlayed
    while True:
        show = stage(RULES, seed)
        for (time, event), (after, following) in zip(show.events[0], show.events[0][1:], strict=False):
            if isinstance(event, MarriageDeclared) and isinstance(following, kind):
                return seed, show, (time, event), after
        seed += 1


def offered(asked: Sequence[Asked]) -> set[Event]:
    """All answers to questions."""
    return {option for one in asked for option in one.options}


@pytest.mark.parametrize("seed", [20, *further(30)])
def test_a_marriage_that_nobody_saw_is_asked_about_when_one_of_it_is_led(seed: int) -> None:
    """The king or queen is led right after the picture comes back."""
    seed, show, (time, marriage), lead = with_marriage(seed, claimed=False)
    _, asked = read(show, seed, (time - 1.0, lead - 0.2))

    assert marriage in offered(asked)


@pytest.mark.parametrize("seed", [1000, *further(1022)])
def test_a_marriage_that_nobody_saw_is_asked_about_when_66_are_claimed_with_it(seed: int) -> None:
    """Without it the claim would be wrong, so it is not judged before somebody answers."""
    seed, show, (time, marriage), claim = with_marriage(seed, claimed=True)
    _, asked = read(show, seed, (time - 1.0, claim + 0.5))

    assert marriage in offered(asked)


@pytest.mark.parametrize("seed", [14, 17, *further(19, 21)])
def test_of_two_cards_laid_while_nobody_looked_it_is_asked_which_led(seed: int) -> None:
    """Either may have; what follows decides, or the table is asked: nothing is written that was not so."""
    show = stage(RULES, seed)
    (lead, _), (answer, _) = plays(show)[2:4]
    written, asked = read(show, seed, (lead - 0.9, answer + 0.6))

    assert verdict(told(show), written, asked) in ("exact", "open", "asked")
    for one in asked:  # a card offered for both would be a true answer that says nothing
        cards = [option.card for option in one.options if isinstance(option, CardPlayed)]
        assert len(cards) == len(set(cards))


@pytest.mark.parametrize("seed", [7, *further(20)])
def test_how_a_hand_ended_is_not_asked_where_nobody_saw_its_last_card(seed: int) -> None:
    """All cards have been played: which the last one was is asked, and not how the hand ended."""
    show = stage(RULES, seed)
    time, last = plays(show)[-1]
    written, asked = read(show, seed, (time - 0.7, time + 2.6))

    assert len(plays(show)) == 20
    assert written == [CardPlayed(last.player, None) if event == last else event for event in told(show)]
    assert [one.text for one in asked] == ["which_card"]


def test_that_nobody_looked_in_mid_hand_is_written_down() -> None:
    """Whatever is asked or not: the log says from when until when the table was out of sight."""
    show = stage(RULES, 11)
    (_, start), (_, end) = ((time, time + 0.4) for time, _ in plays(show)[5:7])

    ((since, until),) = unseen(show, 11, (start, end))

    assert since == pytest.approx(start, abs=0.15)
    assert until == pytest.approx(end, abs=0.15)


def test_between_hands_and_for_a_moment_nobody_has_to_look() -> None:
    """Before the deal, after the claim, and for less than a second nothing is missed."""
    show = stage(RULES, 11)
    ended = show.events[0][-1][0]

    assert unseen(show, 11, (0.0, 0.5)) == []
    assert unseen(show, 11, (plays(show)[5][0], plays(show)[5][0] + 0.7)) == []
    assert unseen(show, 11, (ended + 0.3, show.end)) == []


def test_a_hand_that_was_dealt_or_ended_out_of_sight_says_so() -> None:
    """What came before the first look at it, or between the last one and the claim, may be missing."""
    show = stage(RULES, 11)
    dealt, claimed = show.events[0][0][0], show.taps[-1][0]

    ((_, until),) = unseen(show, 11, (dealt - 1.0, dealt + 1.2))
    assert until == pytest.approx(dealt + 1.2, abs=0.15)
    ((since, _),) = unseen(show, 11, (claimed - 0.6, claimed + 1.5))
    assert since == pytest.approx(claimed - 0.6, abs=0.15)
