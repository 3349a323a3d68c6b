"""What is pressed at an odd moment, before the real decoder: no card of the hand is lost by it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from filmed_evening import Evening, two_tricks_on
from further import further

from companion.live.audience import snapshot_for
from companion.live.command import (
    Answer,
    CallRevoke,
    Claim,
    Correct,
    Declare,
    Knock,
    NewHand,
    NewMatch,
    RefusedCommandError,
    Undo,
)
from companion.live.snapshot import Role
from companion.rules.cards import PACK_20, Card, Player, Suit
from companion.rules.events import CardPlayed, Closed, Event, Knocked, MarriageDeclared, RevokeCalled
from companion.rules.fair_play import FairPlay
from companion.rules.hand import deal
from companion.rules.ruleset import RuleSet, preset
from tests.decoding.answering import TruthfulPhone
from tests.decoding.puppets import Show, Stage, stage
from tests.decoding.trial import LAY_BEFORE_S, filmed, shown

SOUTH, NORTH = Player.SOUTH, Player.NORTH
HANDS = {SOUTH: "KH QH AS TS JC", NORTH: "AC TC KC QC JS"}
KING = CardPlayed(SOUTH, Card.parse("KH"))
MARRIAGE = MarriageDeclared(SOUTH, Suit.HEARTS)


def plays(text: str) -> list[Event]:
    """Plays as in `S KH, N TC`."""
    words = (each.split() for each in text.split(", "))
    return [CardPlayed(SOUTH if who == "S" else NORTH, Card.parse(card)) for who, card in words]


def played(events: list[Event], rules: RuleSet | None = None, seed: int = 5) -> Show:
    """A show of a hand that north dealt, jack of diamonds turned up."""
    rules = RuleSet() if rules is None else rules
    south, north = (tuple(map(Card.parse, HANDS[player].split())) for player in Player)
    turned_up = Card.parse("JD")
    left = [card for card in PACK_20 if card not in {*south, *north, turned_up}]
    theatre = Stage(rules, seed, dealer=NORTH)
    theatre.hand(deal(rules, NORTH, turned_up, (south, north), (*left, turned_up)), events)
    return theatre.show


def at(show: Show, event: Event) -> float:
    """When the hand that did it was out of the picture again."""
    return next(time for time, each in show.events[0] if each == event)


def without_the_end(events: list[Event]) -> list[Event]:
    """All but how a hand ended that broke off."""
    return events[:-1]


@pytest.mark.parametrize("pressed_s", [0.1, 0.2])
@pytest.mark.parametrize("seed", [5, 6])
def test_a_marriage_pressed_while_its_king_lies_already_is_counted(
    tmp_path: Path, seed: int, pressed_s: float
) -> None:
    """The king is laid, "zwanzig" is said and pressed before the lead is written."""
    show = played(plays("S AS, N JS, S KH, N TC"), seed=seed)
    evening, done = Evening(tmp_path, show=show), []

    def press(evening: Evening) -> None:
        if not done and evening.now >= at(show, KING) - 0.35 + pressed_s:
            done.append(evening.table.submit(Declare(SOUTH, Suit.HEARTS)))

    told = without_the_end(evening.watch(press))
    assert told == [*evening.happened[:3], MARRIAGE, *evening.happened[3:]]

    assert done
    assert [question.text for question in evening.asked] == ["how_ended"]


@pytest.mark.parametrize("how", ["undo", "strike out"])
@pytest.mark.parametrize("seed", [5, 6])
def test_a_marriage_taken_back_while_both_cards_lie_there_costs_no_trick(
    tmp_path: Path, seed: int, how: str
) -> None:
    """One of the two cards is led afterwards, and answered; both are written."""
    events = [*plays("S AS, N JS"), MARRIAGE, *plays("S KH, N TC, S TS, N AC")]
    evening, done = Evening(tmp_path, show=played(events, seed=seed)), []

    def take_back(evening: Evening) -> None:
        hand = evening.table.standing().hand
        if not done and hand is not None and hand.events[-1].event == MARRIAGE:
            done.append(hand.events[-1].seq)
            evening.table.submit(Undo(done[0]) if how == "undo" else Correct(done[0], None))

    told = without_the_end(evening.watch(take_back))
    assert told == [event for event in evening.happened if event != MARRIAGE]


@pytest.mark.parametrize("how", ["undo", "strike out"])
@pytest.mark.parametrize("later_s", [1.0, 1.5])
def test_what_was_laid_while_a_mistaken_claim_stood_is_written_once_it_is_gone(
    tmp_path: Path, how: str, later_s: float
) -> None:
    """A claim is pressed by mistake, the hand goes on, then the claim is taken back."""
    show = played(plays("S AS, N JS, S JC, N AC, N QC, S TS, N TC, S QH"))
    lead_at = at(show, plays("S JC")[0]) - 0.35
    evening, claimed, undone = Evening(tmp_path, show=show), [], []

    def press(evening: Evening) -> None:
        if not claimed and evening.now >= lead_at - 1.5:
            claimed.append(evening.table.submit(Claim(SOUTH)))
        if not undone and evening.now >= lead_at + later_s:
            last = evening.table.standing().last_event
            undone.append(evening.table.submit(Undo(last.seq) if how == "undo" else Correct(last.seq, None)))

    assert without_the_end(evening.watch(press)) == evening.happened
    assert [question.text for question in evening.asked] == ["how_ended"]


@pytest.mark.parametrize(
    ("seed", "later_s"),
    [(1, 0.2), (4, 2.0), *further((1, 1.2), (5, 0.45), (6, 0.4), (15, 0.3))],
)
def test_a_new_hand_that_is_called_once_its_cards_lie_there_is_that_hand(
    tmp_path: Path, seed: int, later_s: float
) -> None:
    """Whether the camera has recognised the deal by then or not."""
    show = stage(RuleSet(), seed, hands=2)
    dealt_at, dealt = show.events[1][0]
    evening, done = Evening(tmp_path, show=show), []

    def call(evening: Evening) -> None:
        if not done and evening.now > dealt_at + later_s:
            done.append(evening.table.submit(NewHand(dealt.dealer)))

    told = evening.watch(call, until=two_tricks_on(show))
    assert told == evening.happened[: len(told)]
    assert len(told) > len(show.events[0]) + 4
    assert done
    assert not evening.asked


@pytest.mark.parametrize("seed", [71, *further(15, 39)])
def test_a_new_match_begun_over_the_cards_of_the_last_hand_begins_with_the_next_deal(
    tmp_path: Path, seed: int
) -> None:
    """Turn-up and stock still lie there after the claim; they are no deal of the new match."""
    show = stage(RuleSet(), seed, hands=2)
    evening, done = Evening(tmp_path, show=show), []

    def begin(evening: Evening) -> None:
        hand = evening.table.standing().hand
        if not done and hand is not None and hand.state.over and evening.now > hand.events[-1].time + 0.5:
            done.append(evening.table.submit(NewMatch(dealer=show.events[1][0][1].dealer)))

    assert evening.watch(begin) == [event for _, event in show.events[1]]
    assert not evening.asked


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("seed", [12, *further(4, 5)])
def test_a_hand_dealt_while_nobody_looked_is_not_the_one_before(
    tmp_path: Path, seed: int, restarted: bool
) -> None:
    """Camera or program are gone from a trick to the next deal: how the first hand ended is asked."""
    show = stage(RuleSet(), seed, hands=2)
    plays = [time for time, event in show.events[0] if isinstance(event, CardPlayed)]
    away = plays[3] + 1.0, show.events[1][0][0] + 0.7
    evening, back = Evening(tmp_path, show=show), []

    def come_back(evening: Evening) -> None:
        if restarted and not back and evening.now < away[0] < evening.now + 0.3:
            back.append(evening.now)
            evening.restart()

    told = evening.watch(come_back, away=away)
    second = [event for _, event in show.events[1]]
    assert told[-len(second) + 1 :] == second[1:]
    assert second[0] in told
    assert "how_ended" in [question.text for question in evening.asked]
    assert bool(back) == restarted


@pytest.mark.parametrize(("seed", "after"), [(8, 9), *further((3, 1), (5, 4))])
def test_names_and_rules_agreed_on_in_mid_hand_leave_the_hand_as_it_is(
    tmp_path: Path, seed: int, after: int
) -> None:
    """The hand goes on in the new match, from its deal on; the match before it has none of it."""
    show = stage(RuleSet(), seed, hands=2)
    evening, done = Evening(tmp_path, show=show), []

    def begin(evening: Evening) -> None:
        hand = evening.table.standing().hand
        if not done and hand is not None and len(hand.events) == after:
            rules = preset("schnapsen_tournament")
            evening.table.submit(NewMatch(rules=rules, names=("Anna", "Bert")))
            done.append(evening.table.standing())

    assert evening.watch(begin) == evening.happened
    assert not evening.asked
    (standing,) = done
    assert standing.started.names == ("Anna", "Bert")
    assert standing.rules.preset == "schnapsen_tournament"
    assert standing.match.number == 1
    assert len(standing.hands) == 1


@pytest.mark.parametrize("pressed_s", [0.1, 0.2])
def test_a_knock_pressed_while_the_lead_lies_already_comes_before_it(
    tmp_path: Path, pressed_s: float
) -> None:
    """Whoever knocks plays the last trick with the card that lies there."""
    rules = preset("schnapsen+knock")
    show = played(plays("S AS, N JS, S KH, N TC"), rules)
    evening, done = Evening(tmp_path, show=show, rules=rules), []

    def press(evening: Evening) -> None:
        if not done and evening.now >= at(show, KING) - 0.35 + pressed_s:
            done.append(evening.table.submit(Knock(SOUTH)))

    assert evening.watch(press) == [*evening.happened[:3], Knocked(SOUTH), *evening.happened[3:]]


@pytest.mark.parametrize("called_s", [0.6, 3.0, 7.0])
def test_a_revoke_is_called_as_soon_as_the_card_lies_there_that_proves_it(
    tmp_path: Path, called_s: float
) -> None:
    """That card is not written yet, since a misread one looks alike: whoever calls it is the evidence."""
    show = played([Closed(SOUTH), *plays("S AS, N AC, S TS, N JS")])
    show.end += 9.0
    evening, refused = Evening(tmp_path, show=show), []
    proof = at(show, CardPlayed(NORTH, Card.parse("JS")))
    done: list[object] = []

    def press(evening: Evening) -> None:
        hand = evening.table.standing().hand
        if hand is not None and evening.now < proof - 2.0:
            with pytest.raises(RefusedCommandError) as error:
                evening.table.submit(CallRevoke(SOUTH))
            refused.append(error.value.reason)
        elif not done and evening.now >= proof + called_s:
            done.append(evening.table.submit(CallRevoke(SOUTH)))

    assert evening.watch(press) == [*evening.happened, RevokeCalled(SOUTH)]
    assert set(refused) == {"against_rules"}


@pytest.mark.parametrize("seed", [5, 6])
def test_a_marriage_pressed_once_its_king_is_written_is_counted_until_it_is_answered(
    tmp_path: Path, seed: int
) -> None:
    """The phone is taken up after the card was laid; with the answer on it, it is too late."""
    evening = Evening(tmp_path, show=played(plays("S AS, N JS, S KH, N TC"), seed=seed))
    offered: list[tuple[str, bool]] = []
    done = []

    def press(evening: Evening) -> None:
        snapshot = evening.table.feed.wait("", 0.0)
        if snapshot is None or snapshot.hand is None:
            return
        trick = snapshot.hand.trick
        suits = snapshot.hand.sides[SOUTH].marriage_suits
        offered.append((str(trick[0].card) if trick else "", Suit.HEARTS in suits))
        if trick and trick[0].card == KING.card and not done:
            done.append(evening.table.submit(Declare(SOUTH, Suit.HEARTS)))
            hand = evening.table.standing().hand
            assert [entry.event for entry in hand.events[-2:]] == [MARRIAGE, KING]
            assert hand.events[-2].source == "phone:south"

    told = without_the_end(evening.watch(press))
    assert told == [*evening.happened[:3], MARRIAGE, *evening.happened[3:]]
    assert ("AS", True) not in offered
    assert ("KH", True) in offered
    assert [question.text for question in evening.asked] == ["how_ended"]


@pytest.mark.parametrize("seed", [5, 6])
def test_undo_takes_a_marriage_back_that_was_pressed_after_its_lead_was_written(
    tmp_path: Path, seed: int
) -> None:
    """It was pressed last; the lead lies there, and stays."""
    evening = Evening(tmp_path, show=played(plays("S AS, N JS, S KH, N TC, S TS, N AC"), seed=seed))
    done = []

    def press(evening: Evening) -> None:
        hand = evening.table.standing().hand
        if hand is None:
            return
        if not done and hand.events[-1].event == KING:
            evening.table.submit(Declare(SOUTH, Suit.HEARTS))
            done.append(evening.now)
        elif len(done) == 1 and evening.now > done[0] + 0.2:
            last = evening.table.standing().last_event
            assert last.event == MARRIAGE
            evening.table.submit(Undo(last.seq))
            done.append(evening.now)

    assert without_the_end(evening.watch(press)) == evening.happened
    assert len(done) == 2


@pytest.mark.parametrize(
    ("what", "share", "seed"),
    [
        ("match", 0.9, 28),
        ("camera", 0.6, 28),
        ("decoder", 0.6, 3),
        *further(("match", 0.6, 3), ("camera", 0.9, 3), ("decoder", 0.9, 28)),
    ],
)
def test_what_begins_anew_while_the_next_hand_is_dealt_loses_nothing_of_it(
    tmp_path: Path, seed: int, share: float, what: str
) -> None:
    """In packets of three and two, which lie there before the turn-up does, and the stock last."""
    show = stage(RuleSet(), seed, hands=2, packets=True)
    ended, dealt = show.events[0][-1][0], show.events[1][0]
    at_time = ended + share * (dealt[0] - ended)
    evening, done = Evening(tmp_path, show=show), []

    def begin(evening: Evening) -> None:
        if done or evening.now < at_time:
            return
        done.append(evening.now)
        if what == "match":
            evening.table.submit(NewMatch(dealer=dealt[1].dealer))
        elif what == "camera":
            evening.start_camera()
        else:
            evening.table._worker.ask(evening.table._renew)

    told = evening.watch(begin, until=two_tricks_on(show))
    plays = [event for _, event in show.events[1] if isinstance(event, CardPlayed)][:4]
    assert [event for event in told if isinstance(event, CardPlayed)][-len(plays) :] == plays


@pytest.mark.parametrize("seed", [31, *further(7)])
def test_where_counts_are_hidden_the_last_trick_pays_once_it_has_been_taken_up(
    tmp_path: Path, seed: int
) -> None:
    """Until then the score stands still, and afterwards it does not go back while the next hand is dealt."""
    evening = Evening(tmp_path, show=stage(RuleSet(), seed, 2))
    evening.table.submit(NewMatch(fair=FairPlay("tournament")))
    shown: list[tuple[tuple[int, int], bool, bool]] = []

    def look(evening: Evening) -> None:
        standing, snapshot = evening.table.standing(), evening.table.feed.wait("", 0.0)
        if snapshot is None or len(standing.hands) != 1 or not standing.hands[0].state.played_out:
            return
        cut = snapshot_for(snapshot, Role.SOUTH)
        claims = any("claim" in side.may for side in snapshot.hand.sides)
        told = cut.match.points, cut.hand.award is not None, claims
        shown.extend([told] if shown[-1:] != [told] else [])

    assert evening.watch(look) == evening.happened
    before, after = shown
    assert before == ((7, 7), False, True)
    assert sum(after[0]) == 13
    assert after[1:] == (True, False)


def test_a_false_answer_that_is_taken_back_costs_nothing(tmp_path: Path) -> None:
    """It took a card from a later play, past one that nobody had named: that is asked about in its turn."""
    show = shown(1008, "lasting")
    filmed(show, "lasting", 1008)  # cards are misread for as long as they lie
    truth = [(at - LAY_BEFORE_S * isinstance(event, CardPlayed), event) for at, event in show.events[0]]
    phone, done = TruthfulPhone(truth), []

    def answer(evening: Evening) -> None:
        questions = evening.table.standing().questions
        if questions and not done:
            evening.table.submit(Answer(questions[0].seq, 1))
            done.append(evening.table.standing().last_event.event == questions[0].options[1])
            evening.table.submit(Undo(evening.table.standing().last_event.seq))
        elif done:
            phone.look(evening.table, evening.now)

    evening = Evening(tmp_path, show=replace(show, end=show.end + 20.0), fps=10.0)
    assert evening.watch(answer) == evening.happened
    assert done == [True]
    assert phone.answered == 2
