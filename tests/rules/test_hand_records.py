"""Records of hands: written, read strictly, replayed."""

from __future__ import annotations

import json

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
    Dealt,
    Exchanged,
    GivenUp,
    MarriageDeclared,
)
from companion.rules.record import Record, RecordError, event_to_json, replay, replay_json
from companion.rules.ruleset import RuleSet
from tests.rules.telling import NORTH, SOUTH, event_of, new_hand, tell, words

CLOSED_FORTY = "close AD-QS mD KD-KC QD-JS claim"


def record_of(text: str, **options: object) -> Record:
    """The record of a told hand."""
    state, events = new_hand(**options), []
    for word in words(text):
        events.append(event_of(state, word))
        state = tell(state, word)
    return Record.from_state(state, [Dealt(state.dealer, state.dealt_up), *events])


def test_a_record_has_the_agreed_form() -> None:
    """Rules, dealer, turned-up card, events and result, as other programs read them."""
    assert record_of(CLOSED_FORTY).to_json() == {
        "rules": {"preset": "schnapsen"},
        "dealer": 1,
        "turned_up": "JD",
        "events": [
            {"type": "close", "player": 0},
            {"type": "play", "player": 0, "card": "AD"},
            {"type": "play", "player": 1, "card": "QS"},
            {"type": "marriage", "player": 0, "suit": "D"},
            {"type": "play", "player": 0, "card": "KD"},
            {"type": "play", "player": 1, "card": "KC"},
            {"type": "play", "player": 0, "card": "QD"},
            {"type": "play", "player": 1, "card": "JS"},
            {"type": "claim", "player": 0},
        ],
        "result": {"winner": 0, "game_points": 3, "card_points": [67, 0], "reason": "claim"},
    }


def test_replay_says_how_it_ended() -> None:
    """One object a record: winner, game points, card points, reason, breaches."""
    text = json.dumps(record_of(CLOSED_FORTY).to_json())

    assert replay_json(text, 4, legal=True) == {
        "index": 4,
        "winner": 0,
        "game_points": 3,
        "card_points": [67, 0],
        "reason": "claim",
        "breaches": [],
    }


def test_replay_names_both_plays_of_a_revoke() -> None:
    """A breach carries its clause, the wrong play, the one that proved it, and what it pays."""
    answer = replay_json(json.dumps(record_of("close AH-KS AS-KH").to_json()), 0, legal=False)

    assert answer["reason"] == "unfinished"
    assert answer["breaches"] == [
        {
            "breach": "revoke_not_followed",
            "clause": "3.2",
            "player": 1,
            "trick": 1,
            "card": "KS",
            "proved_in": 2,
            "proved_by": "KH",
            "led": "AH",
            "pays": {"winner": 0, "game_points": 3},
        }
    ]


def test_replay_repeats_a_result_that_the_events_do_not_give() -> None:
    """A recorded result is not believed: the own one stands, the other is shown beside it."""
    data = record_of(CLOSED_FORTY).to_json()
    data["result"]["game_points"] = 1

    answer = replay_json(json.dumps(data), 0, legal=False)

    assert answer["game_points"] == 3
    assert answer["recorded"]["game_points"] == 1


def test_replay_lists_what_was_allowed() -> None:
    """With both hands and the stock known every event comes with what could have been done."""
    pack = RuleSet().pack
    data = {
        "dealer": 1,
        "turned_up": "JS",
        "hands": [[str(card) for card in pack[:5]], [str(card) for card in pack[5:10]]],
        "stock": [str(card) for card in pack[10:]],
        "events": [
            {"type": "marriage", "player": 0, "suit": "H"},
            {"type": "play", "player": 0, "card": "KH"},
        ],
    }

    allowed = replay_json(json.dumps(data), 0, legal=True)["legal"]

    plays = [{"type": "play", "player": 0, "card": card} for card in ("AH", "TH", "KH", "QH", "JH")]
    assert allowed == [
        [{"type": "marriage", "player": 0, "suit": "H"}, {"type": "close", "player": 0}, *plays],
        [{"type": "close", "player": 0}, {"type": "claim", "player": 0}, plays[2], plays[3]],
    ]
    assert "legal" not in replay_json(json.dumps(data), 0, legal=False)


def changed(**fields: object) -> str:
    """A good record with some fields changed."""
    return json.dumps({**record_of(CLOSED_FORTY).to_json(), **fields})


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("3", "record: 3 is not an object"),
        (changed(colour="red"), "record: 'colour' is no known field"),
        (changed(version=2), "version: 2 is newer than 1, the newest that this program reads"),
        (changed(version=2, trick_pile=[]), "version: 2 is newer than 1"),
        (changed(version="1"), "version: '1' is no version"),
        (changed(dealer=2), "dealer: 2 is neither 0"),
        (changed(dealer=True), "dealer: True is neither 0"),
        (changed(rules={"preset": "skat"}), "rules: no rules are called 'skat'"),
        (changed(turned_up="1H"), "turned_up: '1H' is not a card"),
        (changed(events={}), "events: {} is not a list"),
        (changed(events=[{"type": "play", "player": 0}]), r"events\[0\]: 'card' is missing"),
        (changed(events=[{"type": "pass", "player": 0}]), r"events\[0\].type: 'pass' is no event"),
        (changed(events=[{"type": "claim", "player": 0, "at": 3}]), r"events\[0\]: 'at' is no known field"),
        (changed(events=[{"type": "marriage", "player": 0, "suit": "X"}]), r"events\[0\].suit: 'X' is none"),
        (changed(events=[{"type": "claim", "player": 0}] * 201), "events: 201 are more than the 200"),
        (changed(hands=[[], []]), r"hands of \[0, 0\] cards"),
        (changed(stock=["AH"]), "stock is given without the hands"),
        (changed(result={"winner": 0}), "result: 'game_points' is missing"),
        (
            changed(events=[{"type": "play", "player": 1, "card": "AH"}]),
            r"events\[0\]: it is not north's turn",
        ),
    ],
)
def test_what_cannot_be_read_or_be_is_named(text: str, error: str) -> None:
    """The answer to a bad record is an error that names place and value, and nothing else."""
    answer = replay_json(text, 7, legal=True)

    assert set(answer) == {"index", "error"}
    assert answer["index"] == 7
    with pytest.raises((RecordError, ValueError), match=error):
        raise ValueError(answer["error"])


EVENTS = st.one_of(
    st.builds(CardPlayed, st.sampled_from(Player), st.sampled_from((None, *RuleSet().pack))),
    st.builds(Exchanged, st.sampled_from(Player)),
    st.builds(MarriageDeclared, st.sampled_from(Player), st.sampled_from(Suit)),
    st.builds(Closed, st.sampled_from(Player), st.booleans()),
    st.builds(Claimed, st.sampled_from(Player)),
    st.builds(Conceded, st.sampled_from(Player)),
    st.just(GivenUp()),
    st.builds(Agreed, st.sampled_from(Player), st.integers(1, 3)),
    st.just(Agreed(None, 0)),
)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(events=st.lists(EVENTS, max_size=30), up=st.sampled_from((None, *RuleSet().pack)))
def test_any_record_comes_back_from_its_text(events: list[object], up: Card | None) -> None:
    """Whether it can have happened or not, a record survives writing and reading."""
    record = Record(RuleSet(match_target=9), NORTH, up, tuple(events))  # type: ignore[arg-type]

    assert Record.parse(json.dumps(record.to_json())) == record


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["KH", "play"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["type", "player", "card", "suit", "winner", "reason"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@settings(derandomize=True, deadline=None, max_examples=150)
@given(
    data=st.dictionaries(
        st.sampled_from(["rules", "dealer", "turned_up", "events", "result", "hands", "stock", "version"]),
        JSON,
    )
)
def test_no_text_breaks_the_reader(data: dict[str, object]) -> None:
    """Whatever stands in the fields, the answer is a result or an error."""
    answer = replay_json(json.dumps(data), 0, legal=True)

    assert ("error" in answer) != ("winner" in answer)


def test_a_card_nobody_named_gives_bounds() -> None:
    """Points that are not known exactly are written as a pair."""
    record = record_of("AD-? AC-KC")
    result = record.to_json()["result"]

    assert result == {"winner": None, "game_points": 0, "card_points": [[28, 37], 0], "reason": "unfinished"}
    assert Record.from_json(record.to_json()) == record
    assert replay(record).on_lead is SOUTH


def test_the_deal_is_written_as_an_event_of_the_log() -> None:
    """`watch` and the log print the deal like any event; a record has it in its own fields."""
    deal = event_to_json(Dealt(SOUTH, Card.parse("QH")))

    assert deal == {"type": "deal", "turned_up": "QH", "dealer": 0}
    assert "deal" not in str(record_of("AH").to_json()["events"])


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('{"dealer": 0, "dealer": 1, "turned_up": "KH", "events": []}', "dealer"),
        (
            '{"dealer": 0, "turned_up": "KH", "events": [{"type": "claim", "player": 0, "player": 1}]}',
            "player",
        ),
    ],
)
def test_a_field_that_is_there_twice_is_refused(text: str, name: str) -> None:
    """Which of the two is meant nobody can say."""
    with pytest.raises(RecordError, match=f"'{name}' is there twice"):
        Record.parse(text)
