"""Hands of every kind of rules, as the rendered table plays them, read without pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from further import further

from companion.rules.events import Closed, Exchanged
from companion.rules.record import Record
from companion.rules.ruleset import preset
from companion.synth.players import random_evening, random_record
from companion.synth.style import Style
from companion.table.entry import Asked
from tests.e2e.scripted_trial import acted, style_of, written


def is_exact(record: Record, seed: int, style: Style | None = None, *, pressed: bool = True) -> bool:
    """Whether dealer, turn-up and all events come back as they were."""
    found = [
        (each.dealer, each.turned_up, each.events)
        for each in written([record], seed, style, pressed=pressed)[0]
    ]
    return found == [(record.dealer, record.turned_up, record.events)]


@pytest.mark.parametrize(
    ("rules", "seed"),
    [("schnapsen", 1), ("snapszer_24", 3), ("schnapsen+knock", 4)],
)
def test_a_hand_acted_out_is_read_exactly(rules: str, seed: int) -> None:
    """From the deal to the claim, with five or six cards in hand and ten or twelve in the stock."""
    assert is_exact(random_record(seed, preset(rules)), seed)


SIXTY_SIX = preset("sixty_six")


@pytest.mark.parametrize("seed", [234])
def test_the_nine_is_shown_at_the_close(seed: int) -> None:
    """In Sixty-Six the closer's opponent exchanges upon the closed stock."""
    record = random_record(seed, SIXTY_SIX)
    closed = next(place for place, event in enumerate(record.events) if isinstance(event, Closed))
    assert isinstance(record.events[closed + 1], Exchanged)
    assert is_exact(record, seed)


@pytest.mark.parametrize("seed", [145])
def test_the_stock_is_closed_before_drawing(seed: int) -> None:
    """In Sixty-Six nobody draws between the trick and an early close."""
    record = random_record(seed, SIXTY_SIX)
    assert any(isinstance(event, Closed) and event.before_draw for event in record.events)
    assert is_exact(record, seed)


OUT_OF_SIGHT: Mapping[str, object] = {"pile_inset_mm": -70.0}
IN_ORDER: Mapping[str, object] = {"haste": 0.0, "crosswise": False, "serves": 0.0, "rests": 0.0}


@pytest.mark.parametrize(
    ("seed", "habits"),
    [
        (1, {"haste": 1.0}),
        (2, {"crosswise": True}),
        (1, {"serves": 1.0}),
        (2, {"rests": 0.5}),
        (1, OUT_OF_SIGHT),
        # a trick gathered while nothing else lies in sight
        (12, IN_ORDER | OUT_OF_SIGHT),
        # a stock pushed so far that its turn-up lies half outside the picture
        (154, {}),
        # a turn-up that was once out of sight though it lay there, and is turned down later
        (195, {}),
        # a card put down beside the hand that its player holds, and pushed in from there
        (37, {}),
        # a card shown alone on the table after the claim is no turn-up whose stock is not seen
        (324, {}),
        *further((357, {})),
    ],
)
def test_a_habit_changes_nothing(seed: int, habits: Mapping[str, object]) -> None:
    """Whatever hands do besides, and wherever the piles lie."""
    assert is_exact(random_record(seed), seed, style_of(seed, **habits))


@pytest.mark.parametrize(
    ("seed", "habits"),
    [
        (2001, ("draws_first", "one_by_one", "turned_last", "second_pack")),
        # the turn-up is turned down where it lies, under the edge of the stock
        (2003, ("draws_late", "lays_beside", "turns_there", "turns_over")),
        (2030, ("turns_first",)),
        # king and queen are both taken back, and the queen is laid again where the king lay, or beside it
        (2033, ("both_back",)),
        *further((2055, ("both_back",))),
        # the king lies under the queen, unseen, until she is taken up; the stock is closed meanwhile
        (2053, ("fans",)),
        # the queen lies open in the pile when the king is led
        (2025, ("marks",)),
        # beside a king that was laid open with the claim
        (2008, ("throws_in",)),
        # which of the two was led is known by what goes before the trick is gathered
        (2012, ("stays_shown",)),
        # talked over for longer than cards that were dealt wrong mostly lie there
        (2055, ("deals_twice",)),
        # leads, and one whose answer was taken back before another came
        (2058, ("nudges",)),
        # the turn-up lies on the stock for a moment, and is then put under that
        (2027, ("turned_on_stock", "hands_over", "moves_pile")),
        # for so long that it is taken for a turn-up whose stock nobody sees
        (2002, ("turned_on_stock",)),
        # the closed stock is pushed past where the turn-up lay
        (2049, ("puts_aside",)),
        # wholly under the stock, where nothing of it is seen any more
        (2001, ("closes_beneath",)),
        # a card that comes into sight as an onlooker's arm leaves, and a turn-up under it
        (3014, ("looks_on",)),
        *further((2051, ("turned_on_stock",)), (3005, ("looks_on",))),
    ],
)
def test_nothing_is_asked_however_cards_are_drawn_and_taken(seed: int, habits: tuple[str, ...]) -> None:
    """Every trick is drawn for, or gathered, or every marriage shown, as some do it."""
    style: dict[str, Any] = {"snatches": 0.0} | dict.fromkeys(habits, 1.0)
    evening = acted(seed, fps=8.0, **style)

    assert (evening.differences, evening.questions) == ((), ())


def test_a_claim_that_only_a_hidden_queen_makes_right_is_asked_about() -> None:
    """The king lies across her so that she is not seen; nobody leads either, and 66 is claimed over them."""
    evening = acted(2016, fps=8.0, snatches=0.0, fans=1.0)

    assert [text for _, text in evening.questions] == ["what_happened"]


LATE: Mapping[str, object] = {"late": 1.0}
OPEN, COUNTED = {"shows": 1.0, "counts": 0.0}, {"shows": 0.0, "counts": 1.0}


@pytest.mark.parametrize(
    ("seed", "habits"),
    [
        *further((309, OPEN)),
        # one card is all that is left
        (311, OPEN),
        # beside a marriage that was shown before
        (323, OPEN),
        *further((324, OPEN)),
        (300, COUNTED),
        # first the one, then the other, before anybody has claimed
        (316, COUNTED | {"shows": 1.0}),
    ],
)
def test_a_hand_that_is_laid_open_before_anybody_claims_was_not_played(
    seed: int, habits: Mapping[str, object]
) -> None:
    """Whoever is out shows the rest of the hand, or counts what was won, and then looks for a phone."""
    assert is_exact(random_record(seed), seed, style_of(seed, **LATE | habits))


@pytest.mark.parametrize("seed", [311, *further(316)])
def test_a_hand_that_is_laid_open_ends_it_though_nobody_presses_anything(seed: int) -> None:
    """Its player has 66 for certain, and the table is swept: that was a claim, and the last card no lead."""
    assert is_exact(random_record(seed), seed, style_of(seed, **LATE | OPEN), pressed=False)


@pytest.mark.parametrize("seed", [325, *further(313)])
def test_a_king_that_is_taken_up_as_its_queen_is_laid_is_no_second_thought(seed: int) -> None:
    """Whoever has both declares them: that is not asked."""
    record = random_record(seed)
    records, entries = written([record], seed, style_of(seed, late=0.0), fps=12.0)
    assert [each.events for each in records] == [record.events]
    assert not [one for one in entries if isinstance(one, Asked)]


@pytest.mark.parametrize("seed", [300, *further(304, 309)])
def test_whoever_wins_a_trick_may_take_it_as_the_answer_is_laid(seed: int) -> None:
    """The answer lies there for a quarter of a second, under the hand that takes both: nothing is asked."""
    evening = acted(seed, snatches=1.0)

    assert (evening.differences, evening.questions) == ((), ())


def test_a_card_that_may_not_be_played_is_not_asked_about_at_once() -> None:
    """South answers a trump with a diamond, notices after four seconds, and follows suit."""
    evening = acted(306)

    assert (evening.differences, evening.questions) == ((), ())


@pytest.mark.parametrize(
    ("seed", "asked"),
    [
        # the second claim becomes known only when the next hand is dealt, and with it who deals that
        (323, []),
        # the second hand ends with its last card laid open, which is no lead
        (302, []),
        # the closer of the second has 66 with the last trick of all
        (303, ["how_ended"]),
        # won tricks are taken up, where the stock has been drawn
        (411, []),
    ],
)
def test_an_evening_of_which_nobody_tells_the_phone_anything_is_scored(seed: int, asked: list[str]) -> None:
    """Three hands, all of them claimed aloud: what was played, whom it pays, and who deals the next."""
    evening = acted(seed, 3, pressed=False, snatches=0.0)

    assert evening.differences == ()
    assert [text for _, text in evening.questions] == asked


def test_a_wrong_claim_that_nobody_tells_the_phone_is_asked_about() -> None:
    """Where the hand stops without 66 the table says how it ended; the next turn-up is no card of it."""
    evening = random_evening(304, 2)
    assert evening[0].result.reason == "false_claim"
    found, entries = written(evening, 304, style_of(304), pressed=False)

    assert [one.text for one in entries if isinstance(one, Asked)] == ["how_ended"]
    assert found[0].events[:-1] == evening[0].events[:-1]
    assert (found[1].dealer, found[1].events) == (evening[1].dealer, evening[1].events)
