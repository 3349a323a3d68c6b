"""Hands with one planted mistake, whose review names exactly that, and hands played well, left alone.

How the hands were made: `tests/review/planting.py`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from companion.review.judging import Layouts
from companion.review.report import report
from companion.rules.notation import read_each
from companion.rules.record import Record

FEW = Layouts(first=24, second=100, hands=16, played=8)
"""Enough for mistakes that cost a game point; the hands were not chosen by what these layouts say."""
PLANTED = {
    "late claim": ("claim_late", 0, 5),
    "early claim": ("claim_early", 1, 7),
    "forgotten exchange": ("exchange_missed", 1, 3),
    "forgotten marriage": ("marriage_missed", 0, 1),
    "a marriage that would have been enough": ("marriage_missed", 1, 5),
    "revoke": ("revoke", 1, 2),
    "a bad closing": ("close_bad", 1, 2),
    "a closing not made": ("close_missed", 0, 2),
    "a wrong discard in a closed endgame": ("answer", 0, 4),
    "a wrong lead once all is known": ("lead", 0, 7),
    "a wrong answer with the stock open": ("answer", 1, 3),
}
"""Kind, player and trick of what was planted, in the order of the file."""


@cache
def hands(name: str) -> tuple[Record, ...]:
    """The hands of a file beside this one."""
    with (Path(__file__).parent / name).open() as lines:
        return tuple(each.what for each in read_each(lines) if isinstance(each.what, Record))


@cache
def reviewed(record: Record) -> tuple[dict, ...]:
    """All parts of the review of a hand."""
    return tuple(part.data for part in report(record, layouts=FEW))


@pytest.mark.parametrize("title", PLANTED)
def test_exactly_the_planted_mistake_is_named(title: str) -> None:
    """Its kind, its player and its trick, and nothing else."""
    record = hands("planted.hand")[list(PLANTED).index(title)]

    told = reviewed(record)[-1]["told"]

    assert [(each["kind"], each["player"], each["trick"]) for each in told] == [PLANTED[title]]


@pytest.mark.parametrize("number", range(10))
def test_a_hand_played_well_gives_no_finding(number: int) -> None:
    """Neither the rules nor the solver find anything in it."""
    review = reviewed(hands("perfect.hand")[number])[-1]

    assert review["told"] == []
    assert review["lost"] == [0, 0]
    assert review["decisions"] > 3


@pytest.mark.parametrize("number", [0, 4, 7])
def test_nor_does_it_where_the_hands_were_not_seen(number: int) -> None:
    """The same hands as the camera sees them: what the players held is drawn."""
    record = replace(hands("perfect.hand")[number], hands=None, stock=None)

    review = reviewed(record)[-1]

    assert review["told"] == []
    assert "unjudged" not in review


def test_hindsight_is_not_sold_as_a_mistake() -> None:
    """Good play loses against open cards every now and then; that is noted, and not held against anybody."""
    decisions = [each for record in hands("perfect.hand") for each in reviewed(record)[1:-1]]
    unlucky = [each for each in decisions if each["open_loss"] >= 2 and not each["certain"]]

    assert len(unlucky) > 2
    assert all(each["loss"] == 0 for each in unlucky)


def test_every_sentence_is_whole_in_both_languages() -> None:
    """No place for a name is left over, and each names its player."""
    for record in hands("planted.hand"):
        for each in reviewed(record)[-1]["told"]:
            for language, seats in (("de", ("Süd", "Nord")), ("en", ("South", "North"))):
                text = each["text"][language]
                assert not set("{}?") & set(text)
                assert seats[each["player"]] in text


def test_a_mistake_says_what_promised_more() -> None:
    """The sentence compares the better action with what was done, in layouts or in game points."""
    told = reviewed(hands("planted.hand")[list(PLANTED).index("a closing not made")])[-1]["told"]

    assert "closing wins in" in told[0]["text"]["en"]
    assert "Zudrehen gewinnt in" in told[0]["text"]["de"]
    assert told[0]["loss"] >= 1


def test_what_was_lost_is_what_lies_between_the_two_in_the_list() -> None:
    """The sentence, the loss and the promises listed rest on the same layouts."""
    decisions = [each for record in hands("planted.hand") for each in reviewed(record)[1:-1]]
    mistakes = [each for each in decisions if each["loss"] > 0 and each["action"] in each["actions"]]

    assert mistakes
    for each in mistakes:
        better, done = (each["actions"][each[name]]["game_points"] for name in ("best", "action"))
        assert better - done == pytest.approx(each["loss"], abs=0.02)


def test_a_review_says_how_far_it_is() -> None:
    """Each decision counts one up to all there are; before the first nothing is done."""
    story, *decisions, review = report(hands("perfect.hand")[0], layouts=Layouts(2, 2, 1, 2))

    assert (story.done, story.total) == (0, 0)
    assert [part.done for part in decisions] == list(range(1, len(decisions) + 1))
    assert review.done == review.total == decisions[-1].total >= len(decisions)
