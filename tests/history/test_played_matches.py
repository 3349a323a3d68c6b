"""The matches of a log: what the hands of each came to, and what players have won of them."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

from played_log import NORTH, SOUTH
from scripted_table import START, agreed, random_hand, written

from companion.history.archive import Archive
from companion.history.export import MATCH_EXPORTS
from companion.history.figures import people_of
from companion.history.form import listed
from companion.history.hands import PlayedHand, hands_of
from companion.history.matches import matches_of
from companion.live.command import NewMatch
from companion.rules.cards import Player
from companion.rules.events import Agreed, Dealt, Event
from companion.rules.ruleset import preset
from companion.store.item import SittingOpened
from companion.store.log import EventLog
from companion.table.entry import Settled

SITTING = SittingOpened("2026-11-22T20:00:00+01:00", "script", "1")
NAMED = replace(START, names=("Anna", "Bert"))


def paid(winner: Player, points: int) -> tuple[Event, ...]:
    """A hand of which no card was seen."""
    return Dealt(SOUTH, None), Agreed(winner, points)


def played(*hands: tuple[Event, ...], started=NAMED) -> list[PlayedHand]:
    """These hands, in the log of one table."""
    return hands_of(written(*hands, started=started), [SITTING], 1)


def test_a_match_is_decided_by_the_hand_that_reaches_the_target() -> None:
    """Two matches and the beginning of a third: winner, points, Bummerl, and which hands were in each."""
    hands = played(
        *[paid(SOUTH, 3)] * 2, paid(NORTH, 2), paid(SOUTH, 1), *[paid(NORTH, 3)] * 3, paid(SOUTH, 2)
    )
    first, second, third = matches_of(hands)

    assert [[hand.number for hand in each.hands] for each in (first, second, third)] == [
        [1, 2, 3, 4],
        [5, 6, 7],
        [8],
    ]
    assert [each.winner for each in (first, second, third)] == [SOUTH, NORTH, None]
    assert [each.match.won_points for each in (first, second, third)] == [(7, 2), (0, 9), (2, 0)]
    assert second.match.bummerl_marks == third.match.bummerl_marks
    assert second.match.bummerl_marks == (second.match.mark, first.match.mark)
    assert [listed(hand)["decides"] is not None for hand in hands] == [
        hand in (hands[3], hands[6]) for hand in hands
    ]
    assert listed(hands[3])["decides"] == {"winner": SOUTH, "points": [7, 2], "mark": 1}


def test_figures_add_the_matches_up_by_player() -> None:
    """Also where a Schneider charges two; matches that nobody has won count for nobody."""
    double = replace(NAMED, rules=preset("schnapsen+schneider_bummerl"))
    hands = played(
        *[paid(SOUTH, 3)] * 3, *[paid(NORTH, 3), paid(SOUTH, 1), *[paid(NORTH, 3)] * 2], started=double
    )
    anna, bert = sorted(people_of(hands), key=lambda person: person.name)
    assert (anna.matches, anna.matches_won, anna.marks) == (2, 1, 1)
    assert (bert.matches, bert.matches_won, bert.marks) == (2, 1, 2)
    assert people_of(hands[:-1])[0].matches == 1


def test_a_match_that_goes_on_under_another_agreement_is_one(tmp_path: Path) -> None:
    """Seats changed in the middle: the hands before and after are one match, as it is named at its end."""
    log = written(paid(SOUTH, 3), paid(SOUTH, 3), started=NAMED)
    act, _, before = agreed(log, NewMatch(names=("Bert", "Anna"), keep_points=True))
    more = [Settled(90 + at, 99.0 + at, event, 0.9) for at, event in enumerate(paid(NORTH, 1))]
    with EventLog(tmp_path / "table.sqlite") as kept:
        kept.append([SITTING, *before, *act.items, *more])
    with Archive(tmp_path / "table.sqlite") as archive:
        (match,) = matches_of(archive.hands())

    assert [hand.number for hand in match.hands] == [1, 2, 3]
    assert (match.names, match.match.won_points, match.winner) == (("Bert", "Anna"), (0, 7), NORTH)
    assert match.match.mark == 1


def test_matches_are_written_as_lines_and_as_a_table() -> None:
    """Both tell the same; a name that looks like a formula is none."""
    hands = played(*[paid(NORTH, 3)] * 3, random_hand(4), started=replace(START, names=("=Anna", "Bert")))
    matches = matches_of(hands)
    lines = [json.loads(line) for line in MATCH_EXPORTS["jsonl"](matches).splitlines()]
    rows = list(csv.DictReader(io.StringIO(MATCH_EXPORTS["csv"](matches))))
    assert [line["winner"] for line in lines] == [1, None]
    assert [row["winner"] for row in rows] == ["north", ""]
    assert (rows[0]["south"], lines[0]["names"]) == ("'=Anna", ["=Anna", "Bert"])
    points = [(row["south_points"], row["north_points"]) for row in rows]
    assert points == [tuple(map(str, line["points"])) for line in lines]
    assert (points[0], rows[0]["hands"]) == (("0", "9"), "3")
    assert [row["began"] for row in rows] == [
        "" if line["began"] is None else line["began"] for line in lines
    ]
