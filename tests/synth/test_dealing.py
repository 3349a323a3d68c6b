"""Random hands that people might play."""

from collections import Counter
from itertools import pairwise

from companion.rules.events import CardPlayed, Claimed, Closed, Exchanged, MarriageDeclared
from companion.rules.record import Record, replay, result_of
from companion.rules.ruleset import preset
from companion.synth.players import random_evening, random_record

SEEDS = range(200)


def test_every_random_hand_is_legal_and_ends() -> None:
    """The judge notes no breach but a claim of too little, and every hand has an award."""
    for seed in SEEDS:
        record = random_record(seed)
        state = replay(record)
        assert state.breaches == (), seed
        assert state.over, seed
        assert state.award is not None, seed
        assert record.result == result_of(state), seed


def test_a_random_hand_survives_its_json_form() -> None:
    """What is written beside a recording is the hand, with both hands and the stock."""
    record = random_record(3)
    assert Record.from_json(record.to_json()) == record
    assert record.hands is not None
    assert record.stock is not None
    dealt = [*record.hands[0], *record.hands[1], *record.stock]
    assert Counter(dealt) == Counter(record.rules.pack)


def test_the_seed_alone_decides_the_hand() -> None:
    """The same seed deals and plays the same hand, another seed another."""
    assert random_record(5) == random_record(5)
    assert random_record(5) != random_record(6)


def test_random_hands_show_all_that_happens_at_a_table() -> None:
    """Exchanges, marriages, closings, claims and hands to the last card all come up."""
    records = [random_record(seed) for seed in SEEDS]
    kinds = Counter(type(event) for record in records for event in record.events)
    for kind in (Exchanged, MarriageDeclared, Closed, Claimed, CardPlayed):
        assert kinds[kind] >= 5, kind
    assert any(not isinstance(record.events[-1], Claimed) for record in records)
    reasons = Counter(record.result.reason for record in records if record.result)
    assert reasons["claim"] > len(records) / 2


def test_where_the_winner_deals_he_does_so_in_an_evening() -> None:
    """Clause 1.5: whoever dealt deals again where nobody has won."""
    evening = random_evening(300, 6, preset("sixty_six"))

    for one, other in pairwise(evening):
        assert other.dealer is (one.dealer if one.result.winner is None else one.result.winner)
    assert any(one.dealer is other.dealer for one, other in pairwise(evening))


def test_the_deal_alternates_in_an_evening() -> None:
    """Its first hand is that of its seed, and no two are the same."""
    evening = random_evening(5, 4)

    assert evening[0] == random_record(5)
    assert all(one.dealer is not other.dealer for one, other in pairwise(evening))
    assert len({record.turned_up for record in evening} | {record.hands for record in evening}) > 4
