"""The text notation: written, read, damaged, and from a newer program."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.cards import Card, Player, Suit
from companion.rules.events import (
    Agreed,
    CardPlayed,
    Claimed,
    Closed,
    Conceded,
    Exchanged,
    GivenUp,
    HandShown,
    Knocked,
    MarriageDeclared,
    RevokeCalled,
)
from companion.rules.notation import Part, Title, is_notation, read, read_each, write
from companion.rules.points import PointRange
from companion.rules.record import Record, RecordError, Result, replay, result_of
from companion.rules.ruleset import PRESETS, RuleSet, preset
from tests.rules.random_hands import random_hand, random_rules
from tests.rules.telling import NORTH, SOUTH

EVENING = """\
.hand 1          # Sunday

match 2 marks 1 0 names Anna | Berta
rules schnapsen+knock

hand north JD
1. close AD-QS
2. marriage-D KD-KC
3. QD-JS   # sixty-seven
claim
end south 3 67 0 claim

rules snapszli match_target=9
hand south ?
1. TH-?
2. N:JS S:AS undo QS
"""


def test_an_evening_is_read() -> None:
    """Heading, rules, hands, comments, a correction, an unknown card, an unfinished hand."""
    (part,) = read(EVENING)
    first, second = part.hands

    assert part.title == Title(2, ("Anna", "Berta"), (1, 0))
    assert first.rules == preset("schnapsen+knock")
    assert first.result is not None
    assert result_of(replay(first)) == first.result
    assert second.rules == preset("snapszli").with_overrides({"match_target": 9})
    assert (second.dealer, second.turned_up, second.result) == (SOUTH, None, None)
    assert second.events == (
        CardPlayed(NORTH, Card.parse("TH")),
        CardPlayed(SOUTH, None),
        CardPlayed(NORTH, Card.parse("JS")),
        CardPlayed(SOUTH, Card.parse("QS")),
    )


def test_a_hand_is_written_for_reading() -> None:
    """A trick a line, numbered, and nobody named where it is clear who acts."""
    (part,) = read(EVENING)
    text = write([Part(None, part.hands[:1])])

    assert text.splitlines() == [
        ".hand 1",
        "",
        "rules schnapsen knock=true",
        "",
        "hand north JD",
        "1. close AD-QS",
        "2. marriage-D KD-KC",
        "3. QD-JS",
        "claim",
        "end south 3 67 0 claim",
    ]


@pytest.mark.parametrize("seed", range(60))
def test_hands_of_every_kind_come_back(seed: int) -> None:
    """Random hands of random rules, in matches or not, with all cards or only what was seen."""
    rng = random.Random(seed)
    parts = []
    for number in range(rng.randrange(1, 4)):
        records = []
        for _ in range(rng.randrange(3)):
            state, events = random_hand(random_rules(rng), rng)
            start = state.start or state
            known = rng.random() < 0.5 and start.hands is not None
            hands = tuple(tuple(sorted(hand, key=str)) for hand in start.hands or ())
            records.append(
                Record(
                    state.rules,
                    state.dealer,
                    state.dealt_up,
                    tuple(events),
                    result_of(state) if rng.random() < 0.8 else None,
                    (hands[0], hands[1]) if known else None,
                    start.stock if known else None,
                )
            )
        title = Title(number + 1, ("Anna", "Jörg B."), (number, 0)) if rng.random() < 0.7 else None
        parts.append(Part(title, tuple(records)))

    assert read(write(parts)) == tuple(parts)


EVENTS = st.one_of(
    st.builds(CardPlayed, st.sampled_from(Player), st.sampled_from((None, *preset("santase").pack))),
    st.builds(Exchanged, st.sampled_from(Player)),
    st.builds(MarriageDeclared, st.sampled_from(Player), st.sampled_from(Suit)),
    st.builds(Closed, st.sampled_from(Player), st.booleans()),
    st.builds(Knocked, st.sampled_from(Player)),
    st.builds(Claimed, st.sampled_from(Player)),
    st.builds(RevokeCalled, st.sampled_from(Player)),
    st.builds(
        HandShown,
        st.sampled_from(Player),
        st.lists(st.sampled_from(RuleSet().pack), max_size=5).map(tuple),
    ),
    st.builds(Conceded, st.sampled_from(Player)),
    st.just(GivenUp()),
    st.builds(Agreed, st.sampled_from(Player), st.integers(1, 3)),
    st.just(Agreed(None, 0)),
)
RECORDS = st.builds(
    Record,
    st.sampled_from([PRESETS[name] for name in PRESETS]),
    st.sampled_from(Player),
    st.sampled_from((None, *RuleSet().pack)),
    st.lists(EVENTS, max_size=30).map(tuple),
    st.none()
    | st.builds(
        Result,
        st.sampled_from((None, *Player)),
        st.integers(0, 3),
        st.tuples(
            st.builds(PointRange, st.integers(0, 60), st.integers(60, 130)),
            st.integers(0, 130).map(PointRange.of),
        ),
        st.sampled_from(("claim", "failed_close", "open")),
    ),
)


@settings(derandomize=True, deadline=None, max_examples=80)
@given(records=st.lists(RECORDS, min_size=1, max_size=3))
def test_any_record_comes_back_from_its_text(records: list[Record]) -> None:
    """Whether it can have happened or not, whoever acts out of turn: what is written is read."""
    parts = (Part(None, tuple(records)),)

    assert read(write(parts)) == parts
    assert is_notation(write(parts))


def test_both_forms_say_the_same() -> None:
    """A record read from the text and written as JSON is the record that was written as text."""
    (part,) = read(EVENING)

    for record in part.hands:
        assert Record.from_json(record.to_json()) == record


GOOD = ".hand 1\nhand north JD\n1. KS-QS\n"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (
            ".hand 2\nhand north JD\n",
            "line 1: version: 2 is newer than 1, the newest that this program reads",
        ),
        ("hand north JD\n", "line 1: a file of hands begins with its version"),
        (".hand one\n", "line 1: version: 'one' is not a number"),
        (".hand 1\n\n1. KS-QS\n", "line 3: '1.' before a hand has been dealt"),
        (".hand 1\nhand west JD\n", "line 2: 'west' is neither south nor north"),
        (".hand 1\nhand north 1H\n", "line 2: turned-up card: '1H' is not a card"),
        (".hand 1\nhand north\n", "line 2: a hand says who dealt"),
        (".hand 1\nrules skat\nhand north JD\n", "line 2: rules: no rules are called 'skat'"),
        (".hand 1\nrules schnapsen deck=24\n", "line 2: rules: deck, hand_size, exchange_rank"),
        (".hand 1\nrules schnapsen sharp\n", "line 2: rules: 'sharp' is no option"),
        (".hand 1\nrules\n", "line 2: rules: which?"),
        (".hand 1\nmatch first\n", "line 2: match: 'first' is no heading"),
        (GOOD + "3. AH-KH\n", "line 4: trick 3 is announced, but trick 2 comes here"),
        (GOOD + "2. AH-KX\n", "line 4: 'AH-KX' is no word of a hand"),
        (GOOD + "2. AH KH-QH\n", "line 4: 'KH-QH' is a whole trick, but a card lies"),
        (GOOD + "2. TC-? JC\n", "line 4: 'JC' does not say whose it is"),
        (GOOD + "stock AH\n", "line 4: stock is told twice, or after the play"),
        (GOOD + "end south 3 67\n", "line 4: an end says winner"),
        (GOOD + "end south 3 67..60 0 claim\n", "line 4: card points: '67..60' falls"),
        (GOOD + "end nobody 0 0 7 unfinished\nclaim\n", "line 5: 'claim' after the end"),
        (GOOD + "undo undo undo\n", "line 4: there is nothing to undo"),
        (GOOD + "?" * 5000, "line 4: 5000 characters"),
        (GOOD + "claim " * 250, "line 4: more than the 200 events"),
        (".hand 1\nhand north JD\nsouth AH\n", "line 2: only one of the two hands is given"),
    ],
)
def test_what_is_damaged_is_named_with_its_line(text: str, error: str) -> None:
    """The message begins with the line and says what is wrong there."""
    with pytest.raises(RecordError, match=re.escape(error)):
        read(text)


def test_the_rest_of_a_damaged_file_is_read() -> None:
    """A hand with an error is left out and told once; the hands around it are read."""
    text = GOOD + "\nhand south QH\n1. KC-XX\n2. AH-KH\nclaim\n\nhand north TD\n1. AH\n"
    good, damaged, last = read_each(text.splitlines())

    assert isinstance(good.what, Record)
    assert isinstance(damaged.what, RecordError)
    assert "line 6: 'KC-XX'" in str(damaged.what)
    assert isinstance(last.what, Record)
    assert (last.line, str(last.what.turned_up)) == (10, "TD")


def test_hands_under_unreadable_rules_are_not_judged_by_others() -> None:
    """Until rules that can be read nothing is played by the rules of before."""
    text = ".hand 1\nrules skat\nhand north JD\nrules schnapsen\nhand south JD\n"
    rules, doubtful, good = read_each(text.splitlines())

    assert "line 2" in str(rules.what)
    assert str(doubtful.what) == "line 3: the rules before this hand could not be read"
    assert isinstance(good.what, Record)


@pytest.mark.parametrize("name", ["A|B", "A#B", "A\nB", " A"])
def test_a_name_that_cannot_be_read_again_is_not_written(name: str) -> None:
    """Nothing is written that would be read as something else."""
    with pytest.raises(RecordError, match="cannot be written"):
        write([Part(Title(1, (name, "Berta")), ())])


@settings(derandomize=True, deadline=None, max_examples=200)
@given(
    st.lists(
        st.text(max_size=12)
        | st.sampled_from(
            [
                "hand north JD",
                "rules sixty_six",
                "match 1",
                "1. KS-QS",
                "claim",
                "undo",
                "end",
                "stock",
                "hand",
            ]
        ),
        max_size=12,
    )
)
def test_no_text_breaks_the_reader(lines: list[str]) -> None:
    """Whatever stands in the lines, each is read or told with a line of the file."""
    for found in read_each([".hand 1", *lines]):
        assert 1 <= found.line <= len(lines) + 1
        if isinstance(found.what, RecordError):
            assert str(found.what).startswith("line ")


def test_the_examples_of_the_document_are_read() -> None:
    """Every block of docs/notation.md that begins as a file does is one, and its ends are right."""
    text = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
    files = [block for block in re.findall(r"```\n(.*?)```", text, re.DOTALL) if is_notation(block)]

    assert len(files) >= 2
    for file in files:
        for record in (record for part in read(file) for record in part.hands):
            assert record.result in (None, result_of(replay(record)))
