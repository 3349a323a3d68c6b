"""Somebody has 66 at the last trick of all, and nobody tells the phone whether that was claimed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from puppets import Stage, readings

from companion.decoding.decoder import Decoder
from companion.live.alternatives import alternatives
from companion.live.command import Answer, Claim, Command, Correct
from companion.live.hand import HandFold
from companion.live.standing import Standing
from companion.live.table import LiveTable
from companion.rules.cards import PACK_20, Card, Player, Suit
from companion.rules.events import CardPlayed, Claimed, Closed, Dealt, Event, MarriageDeclared
from companion.rules.hand import deal
from companion.rules.ruleset import RuleSet
from companion.store.log import EventLog
from companion.table.entry import Asked, Settled
from companion.tracking.tracker import Tracker
from tests.rules.telling import tell

SOUTH, NORTH = Player.SOUTH, Player.NORTH
HANDS = {
    "won": ("AH AC AS KC QC", "KH QH JS TS KS", "AH QH AC KH AS JS KC TS QC KS"),
    "thrown in": ("AH AC KC QC QS", "KH QH JS TS AS", "AH QH AC KH KC TS QC JS QS AS"),
    "lost": ("AH AC KC JC QS", "KH QH JS TS AS", "AH QH AC KH KC TS JC JS QS AS"),
}
"""North's cards, south's, then by turns what north leads and south answers."""
TURN_UP = Card.parse("JD")


def cards(names: str) -> tuple[Card, ...]:
    """The cards named."""
    return tuple(map(Card.parse, names.split()))


def played(last: str) -> tuple[Stage, list[Event]]:
    """North closes at once and wins the last trick or not; what happened, the deal first.

    With 20 for clubs: in "thrown in" 66 is reached with the last trick but one, in "lost" never.
    """
    north, south, order = (cards(names) for names in HANDS[last])
    left = [card for card in PACK_20 if card not in {*north, *south, TURN_UP}]
    start = deal(RuleSet(), SOUTH, TURN_UP, (south, north), (*left, TURN_UP))
    events: list[Event] = [Closed(NORTH)]
    for lead, answer in zip(order[::2], order[1::2], strict=True):
        events += (
            [MarriageDeclared(NORTH, Suit.CLUBS)] if str(lead) == "KC" and Card.parse("QC") in north else []
        )
        events += [CardPlayed(NORTH, lead), CardPlayed(SOUTH, answer)]
    stage = Stage(RuleSet(), 3, dealer=SOUTH, taps=False)
    stage.hand(start, events)
    stage.show.end += 6.0  # an empty table
    return stage, [Dealt(SOUTH, TURN_UP), *events]


def at_the_table(
    stage: Stage, folder: Path, says: Callable[[Asked], Command] | None
) -> tuple[list[Asked], HandFold]:
    """See it at a live table where somebody says this to each question; what was asked, and how it stands."""
    tracker, now, asked = Tracker(), 0.0, list[Asked]()
    log = EventLog(folder / "table.sqlite")
    with LiveTable(log, Decoder, rules=stage.rules, source="film", clock=lambda: now) as table:
        for reading in readings(stage.show, seed=3):
            now = reading.time
            table.see(tracker.update(reading))
            for question in table.standing().questions:
                asked += [question] if question not in asked else []
                if says is not None:
                    table.submit(says(question))
        table.finish()
        hand = table.standing().hand
    assert hand is not None
    return asked, hand


def restarted(stage: Stage, folder: Path) -> Standing:
    """Where the match stands when the table is opened once more after the film, and closed."""
    log = EventLog(folder / "table.sqlite")
    with LiveTable(log, Decoder, rules=RuleSet(), source="film", clock=lambda: stage.show.end) as table:
        table.finish()
        return table.standing()


def test_a_closer_who_won_the_last_trick_is_asked_about(tmp_path: Path) -> None:
    """Most likely that was 66; until somebody says so the hand pays nobody anything."""
    stage, events = played("won")
    asked, hand = at_the_table(stage, tmp_path, None)

    assert [entry.event for entry in hand.events] == [*events, Claimed(NORTH)]
    assert hand.events[-1].confidence < 1.0
    assert [(one.text, one.about, one.options) for one in asked] == [
        ("how_ended", hand.events[-1].seq, (Claimed(NORTH),))
    ]
    assert hand.award is None


def test_the_table_says_that_the_closer_claimed(tmp_path: Path) -> None:
    """Clause 8.1: 3 points, south had no trick at the close."""
    asked, hand = at_the_table(played("won")[0], tmp_path, lambda question: Answer(question.seq, 0))

    assert len(asked) == 1
    assert hand.award is not None
    assert (hand.award.winner, hand.award.game_points, hand.award.clause) == (NORTH, 3, "8.1")


def test_a_claim_that_is_pressed_after_the_table_was_swept_is_confirmed(tmp_path: Path) -> None:
    """The button was touched just as the question appeared; a second touch changes nothing either."""
    asked, hand = at_the_table(played("won")[0], tmp_path, lambda _: Claim(NORTH))
    with LiveTable(
        EventLog(tmp_path / "table.sqlite"), Decoder, rules=RuleSet(), source="film", clock=lambda: 99.0
    ) as table:
        before = table.standing()
        table.submit(Claim(NORTH))
        assert table.standing() == before

    assert len(asked) == 1
    assert hand.award is not None
    assert (hand.award.winner, hand.award.clause) == (NORTH, "8.1")


def test_the_table_says_that_the_closer_kept_silent(tmp_path: Path) -> None:
    """Clause 8.2; a claim that somebody has struck out is not told again."""
    asked, hand = at_the_table(
        played("won")[0], tmp_path, lambda question: Correct(question.about or 0, None)
    )

    assert len(asked) == 1
    assert hand.award is not None
    assert (hand.award.winner, hand.award.game_points, hand.award.clause) == (SOUTH, 3, "8.2")


def test_a_claim_that_was_struck_out_is_not_told_again_after_a_restart(tmp_path: Path) -> None:
    """Nor at the end of the evening: what was decided about it stands in the log."""
    stage, events = played("won")
    at_the_table(stage, tmp_path, lambda question: Correct(question.about or 0, None))
    standing = restarted(stage, tmp_path)
    assert standing.questions == ()
    assert standing.hand is not None
    assert [entry.event for entry in standing.hand.events] == events


def test_a_closer_who_lost_the_last_trick_has_failed(tmp_path: Path) -> None:
    """47 points: nobody could have claimed, and nothing is asked."""
    stage, events = played("lost")
    asked, hand = at_the_table(stage, tmp_path, None)

    assert ([entry.event for entry in hand.events], asked) == (events, [])
    assert hand.award is not None
    assert (hand.award.winner, hand.award.clause) == (SOUTH, "8.2")


def test_what_a_closer_fails_but_for_a_word_is_not_counted_yet(tmp_path: Path) -> None:
    """Between the last trick and the swept table the page says neither 8.1 nor 8.2."""
    stage, _ = played("won")
    stage.show.end = stage.show.events[0][-1][0] + 2.0
    tracker, now = Tracker(), 0.0
    log = EventLog(tmp_path / "table.sqlite")
    with LiveTable(log, Decoder, rules=RuleSet(), source="film", clock=lambda: now) as table:
        for reading in readings(stage.show, seed=3):
            now = reading.time
            table.see(tracker.update(reading))
        standing = table.standing()
    assert standing.hand is not None
    assert standing.hand.state.played_out
    assert (standing.hand.award, standing.match.awards) == (None, ())


def test_whoever_lost_the_last_trick_is_asked_about_where_both_may_claim(tmp_path: Path) -> None:
    """South closed and has 82 since the third trick; with `any_player_between_tricks` a claim is in time."""
    rules = RuleSet().with_overrides({"claim_window": "any_player_between_tricks"})
    south, north = cards("AD KD QD JC JS"), cards("TH TC KC AC AS")
    left = [card for card in PACK_20 if card not in {*south, *north, TURN_UP}]
    start = deal(rules, NORTH, TURN_UP, (south, north), (*left, TURN_UP))
    words = tell(start, "close AD-TH mD KD-TC QD-KC JC-AC AS-JS").told
    stage = Stage(rules, 3, dealer=NORTH, taps=False)
    stage.hand(start, words)
    stage.show.end += 6.0  # an empty table
    asked, hand = at_the_table(stage, tmp_path, None)

    assert [entry.event for entry in hand.events] == [Dealt(NORTH, TURN_UP), *words, Claimed(SOUTH)]
    assert [(one.text, one.options) for one in asked] == [("how_ended", (Claimed(SOUTH),))]
    assert hand.award is None


CLAIMED, AS_PLAYED = 0, 1


def thrown_in(folder: Path, says: Callable[[Asked], Command] | None) -> tuple[list[Asked], HandFold]:
    """North has 66 and one card, as has south: both lay it down, and south's is the higher."""
    return at_the_table(played("thrown in")[0], folder, says)


def test_last_cards_of_whoever_was_out_are_asked_about(tmp_path: Path) -> None:
    """Most who have 66 say so and throw the last card in; until then the hand pays nobody anything."""
    stage, events = played("thrown in")
    asked, hand = thrown_in(tmp_path, None)
    assert [entry.event for entry in hand.events] == events
    lead = hand.events[-2]
    assert [(one.text, one.about, one.options) for one in asked] == [
        ("last_cards", lead.seq, (Claimed(NORTH), lead.event))
    ]
    assert hand.award is None

    assert restarted(stage, tmp_path).questions == tuple(asked)  # nor is it asked again


def test_last_cards_were_thrown_in_after_a_claim(tmp_path: Path) -> None:
    """They were no plays then: clause 8.1, 3 points, south had no trick at the close."""
    asked, hand = thrown_in(tmp_path, lambda question: Answer(question.seq, CLAIMED))
    assert len(asked) == 1
    assert [entry.event for entry in hand.events] == [*played("thrown in")[1][:-2], Claimed(NORTH)]
    assert hand.award is not None
    assert (hand.award.winner, hand.award.game_points, hand.award.clause) == (NORTH, 3, "8.1")


def test_last_cards_were_played_and_nothing_was_claimed(tmp_path: Path) -> None:
    """Clause 8.2; nobody is asked again, nor after a restart."""
    stage, events = played("thrown in")
    asked, hand = thrown_in(tmp_path, lambda question: Answer(question.seq, AS_PLAYED))
    assert len(asked) == 1
    assert [entry.event for entry in hand.events] == events
    assert hand.award is not None
    assert (hand.award.winner, hand.award.game_points, hand.award.clause) == (SOUTH, 3, "8.2")

    assert restarted(stage, tmp_path).questions == ()


def test_where_claims_are_pressed_the_last_cards_were_played(tmp_path: Path) -> None:
    """Whoever presses would have pressed: nothing is asked."""
    stage, events = played("thrown in")
    decoder, tracker = Decoder(RuleSet()), Tracker()
    decoder.tell(Claimed(NORTH), 0.0, "phone:north")  # in an earlier hand
    written = [
        entry for reading in readings(stage.show, seed=3) for entry in decoder.update(tracker.update(reading))
    ]
    assert [entry for entry in written if isinstance(entry, Asked)] == []
    assert [entry.event for entry in written if isinstance(entry, Settled)] == events


def test_the_course_of_the_hand_offers_that_the_last_cards_were_thrown_in(tmp_path: Path) -> None:
    """Also where nobody was asked: the lead may have been the claim, an earlier card may not."""
    stage, _ = played("thrown in")
    thrown_in(tmp_path, None)
    standing = restarted(stage, tmp_path)
    assert standing.hand is not None
    plays = [entry for entry in standing.hand.events if isinstance(entry.event, CardPlayed)]
    offered = [
        [each.event for each in alternatives(standing, entry.seq) if isinstance(each.event, Claimed)]
        for entry in plays
    ]
    assert offered == [*([[]] * 8), [Claimed(NORTH)], []]
