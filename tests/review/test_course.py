"""What is known of the hands afterwards, and the deals that are drawn for the rest."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from test_planted import hands

from companion.review.course import Course
from companion.review.deals import DealError, Deals
from companion.review.reviewed import ranked
from companion.review.story import story, tricks
from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, Claimed, Closed, Event, Exchanged, HandShown, MarriageDeclared
from companion.rules.hand import HandState, apply, deal, legal_events
from companion.rules.record import Record, replay
from companion.rules.ruleset import PRESETS, RuleSet
from companion.rules.scoring import count
from companion.rules.shuffle import shuffled
from tests.rules.telling import event_of, new_hand, words

ALL = (*hands("planted.hand"), *hands("perfect.hand"))
KNOWN = tuple(record for record in ALL if record.hands is not None)


def unseen(record: Record) -> Course:
    """A hand as the camera saw it."""
    return Course.of(replace(record, hands=None, stock=None))


def test_what_counts_as_held_was_held() -> None:
    """At every moment the cards that are certain are in the real hand."""
    certain = 0
    for record in KNOWN:
        real, course = Course.of(record), unseen(record)
        for at, state in enumerate(real.states):
            for player in Player:
                held = course.held(at, player)
                assert held <= state.hands[player]
                certain += len(held)

    assert certain > 800


def test_a_card_is_not_held_before_it_can_have_been_drawn() -> None:
    """What is played late may have been drawn late; the exchanged card comes by the exchange."""
    record = next(each for each in KNOWN if any(isinstance(event, Exchanged) for event in each.events[2:]))
    course = unseen(record)
    at, exchange = next(
        (at, event) for at, event in enumerate(course.events) if isinstance(event, Exchanged) and at >= 2
    )
    lowest = Card(record.rules.lowest_trump, record.turned_up.suit)

    assert lowest in course.held(at, exchange.player)
    assert record.turned_up not in course.held(at, exchange.player)
    assert lowest not in course.held(at + 1, exchange.player)
    first_draw = next(at for at, state in enumerate(course.states) if state.draws == 1)
    played_late = [event.card for event in course.events[first_draw + 4 :] if isinstance(event, CardPlayed)]
    assert not set(played_late) & (course.held(0, Player.SOUTH) | course.held(0, Player.NORTH))


OUT_OF_TURN = {
    "rules": {"preset": "schnapsen"},
    "dealer": 0,
    "turned_up": "AC",
    "hands": [["QH", "AD", "TD", "TS", "JS"], ["JD", "JH", "KS", "QS", "KD"]],
    "stock": ["KH", "AS", "TH", "AH", "QD", "TC", "KC", "QC", "JC", "AC"],
}


def with_word_twice(word: dict[str, object]) -> Record:
    """South says a word out of turn, draws the king of hearts, and says it again in turn."""
    plays = [{"type": "play", "player": who, "card": card} for who, card in ((1, "JD"), (0, "AD"))]
    more = [{"type": "play", "player": who, "card": card} for who, card in ((0, "QH"), (1, "JH"))]
    again = [word, *more] if word["type"] == "marriage" else [*more, word]
    return Record.from_json({**OUT_OF_TURN, "events": [plays[0], word, plays[1], *again]})


def test_a_marriage_that_was_void_says_nothing_of_who_held_its_cards() -> None:
    """Only the word that counted does: before it the king lay in the stock."""
    record = with_word_twice({"type": "marriage", "player": 0, "suit": "H"})
    real, course = Course.of(record), unseen(record)

    assert course.final.marriages
    for at, state in enumerate(real.states):
        assert course.held(at, Player.SOUTH) <= state.hands[Player.SOUTH]


def test_a_claim_out_of_turn_is_not_the_one_that_was_wrong() -> None:
    """What was missing is told of the claim that ended the hand."""
    course = Course.of(with_word_twice({"type": "claim", "player": 0}))
    (found,) = [each for each in ranked(course) if each.kind == "claim_early"]

    assert found.at == len(course.events) - 1
    assert (found.known["points"], found.known["short"]) == (18, 48)


@pytest.mark.parametrize("seed", range(20))
def test_a_hand_that_was_closed_before_drawing_is_drawn_and_judged(seed: int) -> None:
    """The draw that the close took back was none (Sixty-Six)."""
    rng = random.Random(seed)
    state, events = closed_before_drawing(rng)
    record = Record(state.rules, state.dealer, state.dealt_up, tuple(events), None, None, None)
    drawn = Deals(Course.of(record), rng).draw()

    assert len({card for hand in drawn[0].hands for card in hand}) == 12


def closed_before_drawing(rng: random.Random) -> tuple[HandState, list[Event]]:
    """A hand of Sixty-Six, some tricks of it, the last with a close before the draw; and one trick more."""
    rules = PRESETS["sixty_six"]
    start = state = deal(rules, Player.SOUTH, None, *shuffled(rules, rng))
    events: list[Event] = []
    wanted = rng.randrange(1, 4)
    while len(state.tricks) < wanted + 1:
        legal = legal_events(state)
        early = [event for event in legal if isinstance(event, Closed) and event.before_draw]
        plays = [event for event in legal if isinstance(event, CardPlayed)]
        closing = early and len(state.tricks) == wanted and state.at_close is None
        events.append(early[0] if closing else rng.choice(plays))
        state = apply(state, events[-1])
    return start, events


def test_whoever_wins_the_last_trick_need_not_have_claimed() -> None:
    """It pays the same, and nothing was missed."""
    rules, told = PRESETS["schnapsen"], 0
    for seed in range(60):
        rng = random.Random(seed)
        state = deal(rules, Player.SOUTH, None, *shuffled(rules, rng))
        start, events = state, list[Event]()
        while not state.over:
            due = [player for player in state.claimants if count(state, player).total.low >= 66]
            plays = [event for event in legal_events(state) if isinstance(event, CardPlayed)]
            events.append(Claimed(due[0]) if due else rng.choice(plays))
            state = apply(state, events[-1])
        course = Course.of(Record(rules, start.dealer, start.dealt_up, tuple(events), None, None, None))
        if course.final.award is not None and course.final.award.reason == "last_trick":
            told += 1
            assert not [each for each in ranked(course) if each.kind == "claim_late" and not each.loss]
    assert told > 10


@pytest.mark.parametrize("number", range(0, len(KNOWN), 4))
def test_drawn_deals_fit_what_was_seen(number: int) -> None:
    """The same events, the same end, no other breach; and not the same cards every time."""
    course = unseen(KNOWN[number])
    deals, drawn = Deals(course, random.Random(1)), set()
    for _ in range(4):
        states = deals.draw()
        drawn.add(states[0].hands)
        assert len(states) == len(course.states)
        assert states[-1].award == course.final.award
        assert len(states[-1].breaches) == len(course.final.breaches)
        for at, state in enumerate(states):
            if state.hands is not None:
                assert all(course.held(at, player) <= state.hands[player] for player in Player)

    assert len(drawn) > 1


def test_a_record_with_all_cards_needs_no_drawing() -> None:
    """Its own cards are the only deal."""
    course = Course.of(KNOWN[0])
    deals = Deals(course, random.Random(1))

    assert deals.certain
    assert deals.draw() == course.states


def test_a_play_without_a_name_leaves_nothing_to_draw() -> None:
    """Nobody knows what the hands were then."""
    record = replace(KNOWN[0], hands=None, stock=None)
    events = tuple(
        replace(event, card=None) if at == 1 else event for at, event in enumerate(record.events[:2])
    )

    with pytest.raises(DealError, match="not all cards"):
        Deals(Course.of(replace(record, events=events)), random.Random(1))


def test_the_story_counts_as_the_rules_do() -> None:
    """After each trick both players have what a replay of the events so far gives them."""
    for record in ALL[::5]:
        course = Course.of(record)
        steps = list(story(course))
        assert len(steps) == len(record.events) + 1
        for step in steps[1:]:
            state = replay(replace(record, events=record.events[: step.at + 1]))
            assert step.state.tricks == state.tricks
            assert [len(step.held[player]) + step.hidden[player] for player in Player] == list(
                state.hand_sizes
            )
        last = list(tricks(course))[-1]
        assert last.counts == steps[-1].counts
        assert any(isinstance(event, Claimed) for told in tricks(course) for event in told.words)


@pytest.mark.parametrize("led", [0, 1])
def test_a_claim_before_a_lead_is_answered_belongs_to_the_trick_under_way(led: int) -> None:
    """Upon a declaration or the lead after it; one between two tricks belongs to the trick that was won."""
    record, at = next(
        (record, at)
        for record in KNOWN
        for at, event in enumerate(record.events)
        if isinstance(event, MarriageDeclared) and at > 4 and isinstance(record.events[at + 1], CardPlayed)
    )
    claim = Claimed(record.events[at].player)

    upon, between = (
        list(story(Course.of(replace(record, events=(*record.events[:end], claim)))))
        for end in (at + 1 + led, at)
    )

    assert upon[-1].state.claimed_by is claim.player
    assert [step.trick for step in upon[-2 - led :]] == [len(upon[-1].state.tricks) + 1] * (2 + led)
    assert between[-1].trick == len(between[-1].state.tricks)


def test_a_card_that_was_laid_open_was_held_since_the_last_draw() -> None:
    """North shows the queen of hearts after a closed hand: it was there at the first lead, too."""
    shown = HandShown(Player.NORTH, (Card.parse("QH"),))
    state, events = new_hand("TD"), list[Event]()
    for word in ("close", "AS", "TS", "AC", "TC", "claim"):
        events.append(event_of(state, word))
        state = apply(state, events[-1])
    record = Record(state.rules, state.dealer, state.dealt_up, (*events, shown))
    course = Course.of(record)

    assert all(Card.parse("QH") in course.held(at, Player.NORTH) for at in range(len(events) + 1))
    assert not any(Card.parse("QH") in course.held(at, Player.SOUTH) for at in range(len(events) + 1))


def test_a_pair_that_nobody_declared_was_hardly_ever_a_pair() -> None:
    """South leads the king of hearts in silence: the queen is in 4 of 18 hands, and would be declared."""
    record = Record(RuleSet(), Player.NORTH, Card.parse("TD"), (CardPlayed(Player.SOUTH, Card.parse("KH")),))
    deals = Deals(Course.of(record), random.Random(3))
    queen = Card.parse("QH")

    together = sum(queen in deals.draw()[0].hands[Player.SOUTH] for _ in range(300))

    assert 0 < together < 30


def test_hands_that_were_recorded_without_the_stock_are_kept() -> None:
    """Only the stock is drawn then."""
    record = replace(KNOWN[0], stock=None)
    deals = Deals(Course.of(record), random.Random(1))
    drawn = [deals.draw() for _ in range(3)]

    assert not deals.certain
    assert {states[0].hands for states in drawn} == {tuple(map(frozenset, record.hands))}
    assert all(states[0].stock[-1] == record.turned_up for states in drawn)


def test_the_card_drawn_last_is_held_by_who_lost_the_trick_before() -> None:
    """South takes five tricks, north draws the ten that was turned up; then the hand ends."""
    state, events = new_hand("TD"), list[Event]()
    for word in words("AS-TS AC-TC AH-TH AD-KD KC-QC claim"):
        events.append(event_of(state, word))
        state = apply(state, events[-1])
    course, ten = (
        Course.of(Record(state.rules, state.dealer, state.dealt_up, tuple(events))),
        Card.parse("TD"),
    )

    held = [[ten in course.held(at, player) for at in range(len(events) + 1)] for player in Player]

    assert held == [[False] * 12, [False] * 10 + [True] * 2]
    assert list(story(course))[-1].hidden == (5, 4)


def test_a_hand_of_strict_play_throughout_is_drawn() -> None:
    """With the stock open every answer had to follow, too, and few hands fit them all."""
    rng = random.Random("strict/4")
    state = start = deal(PRESETS["schnapsen_strict_follow"], Player.SOUTH, None, *shuffled(RuleSet(), rng))
    events: list[Event] = []
    while not state.over:
        legal = [event for event in legal_events(state) if isinstance(event, CardPlayed | MarriageDeclared)]
        words = [event for event in legal if isinstance(event, MarriageDeclared)]
        events.append(rng.choice(words or legal))
        state = apply(state, events[-1])
    course = Course.of(Record(start.rules, start.dealer, start.dealt_up, tuple(events)))
    deals = Deals(course, rng)

    drawn = {deals.draw()[0].hands for _ in range(24)}

    assert len(drawn) > 1
