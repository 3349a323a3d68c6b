"""The lines of `watch --json`: numbered, withdrawn openly, and the result told when it stands."""

from __future__ import annotations

from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, Claimed, Dealt, Event, GivenUp
from companion.rules.ruleset import RuleSet
from companion.table.entry import Asked, Retracted, Settled
from companion.watch.chronicle import Chronicle

SOUTH, NORTH = Player.SOUTH, Player.NORTH


def settled(seq: int, event: Event, confidence: float = 0.98) -> Settled:
    """An entry at a time of a second each."""
    return Settled(seq, float(seq), event, confidence)


DEAL = settled(1, Dealt(SOUTH, Card.parse("QH")))
LEAD = settled(2, CardPlayed(NORTH, Card.parse("KC")))


def test_an_event_is_a_line_with_time_and_confidence() -> None:
    """A play carries what the interface names, and its number."""
    lines = Chronicle(RuleSet()).tell([DEAL, LEAD])

    assert lines == (
        {"t": 1.0, "type": "deal", "turned_up": "QH", "dealer": 0, "confidence": 0.98, "seq": 1},
        {"t": 2.0, "type": "play", "player": 1, "card": "KC", "confidence": 0.98, "seq": 2},
    )


def test_a_retraction_names_the_line_it_withdraws() -> None:
    """Numbers are those of the lines, whatever the log's own numbers are."""
    chronicle = Chronicle(RuleSet())
    first = settled(40, DEAL.event), settled(41, LEAD.event)
    chronicle.tell(first)

    (line,) = chronicle.tell([Retracted(42, 9.0, withdraws=41)])

    assert line == {"t": 9.0, "type": "retract", "seq": 2}


def test_a_question_points_at_the_line_it_is_about() -> None:
    """Options are events; `about` is the number of the line."""
    chronicle = Chronicle(RuleSet())
    chronicle.tell([DEAL, LEAD])
    options = (CardPlayed(NORTH, Card.parse("KC")), CardPlayed(NORTH, Card.parse("QC")))

    (line,) = chronicle.tell([Asked(3, 4.0, "which_card", about=2, options=options)])

    assert line["type"] == "question"
    assert line["text"] == "which_card"
    assert line["about"] == 2
    assert [option["card"] for option in line["options"]] == ["KC", "QC"]


def test_the_result_is_told_once_and_when_the_hand_is_over() -> None:
    """No result before the end, one at the end, and none again."""
    chronicle = Chronicle(RuleSet())
    before = chronicle.tell([DEAL, LEAD])
    after = chronicle.tell([settled(3, GivenUp())])
    later = chronicle.tell([settled(4, Dealt(NORTH, Card.parse("AS")))])

    assert "result" not in {line["type"] for line in (*before, *later)}
    assert [line["type"] for line in after] == ["given_up", "result"]
    assert after[-1]["winner"] is None
    assert after[-1]["reason"] == "given_up"


def test_a_result_that_does_not_stand_is_withdrawn() -> None:
    """Withdrawing the end of a hand withdraws its result; the new end tells a new one."""
    chronicle = Chronicle(RuleSet())
    told = chronicle.tell([DEAL, LEAD, settled(3, GivenUp())])
    result = told[-1]["seq"]

    undone = chronicle.tell([Retracted(4, 5.0, withdraws=3)])
    again = chronicle.tell([settled(5, GivenUp())])

    assert [(line["type"], line["seq"]) for line in undone] == [("retract", 3), ("retract", result)]
    assert again[-1]["type"] == "result"
    assert again[-1]["seq"] not in {line["seq"] for line in told}


def test_a_change_that_leaves_the_result_leaves_its_line() -> None:
    """Rewriting a play under the same end does not tell the result twice, where it stays the same."""
    chronicle = Chronicle(RuleSet())
    chronicle.tell([DEAL, LEAD, settled(3, GivenUp())])

    lines = chronicle.tell(
        [
            Retracted(4, 5.0, withdraws=3),
            Retracted(5, 5.0, withdraws=2),
            settled(6, LEAD.event),
            settled(7, GivenUp()),
        ]
    )

    assert [line["type"] for line in lines] == ["retract", "retract", "play", "given_up"]


def test_a_claim_out_of_turn_leaves_its_hand_in_the_summary() -> None:
    """The record has what was played and the claim, and replays with the rule that it broke."""
    chronicle = Chronicle(RuleSet())
    chronicle.tell([DEAL, LEAD])
    assert chronicle.records == ()

    chronicle.tell([settled(3, Claimed(SOUTH))])

    (record,) = chronicle.records
    assert record.events[-1] == Claimed(SOUTH)
    assert record.result.reason == "unfinished"
