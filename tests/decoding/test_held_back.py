"""A marriage of which one card is led, and the other shown from the hand: to a player, not to the camera."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.decoding.decoder import Decoder
from companion.decoding.evidence import Lingered
from companion.decoding.explain import explain
from companion.decoding.likelihood import LOG_AFTER_LEAD, LOG_MARRIAGE_BENEATH, LOG_MARRIAGE_HELD
from companion.decoding.lingering import CAME_S, LATEST_S, LINGERS_S, RESTS_S, Lingering
from companion.decoding.reaches import Reaches
from companion.decoding.story import Act, Story, Table
from companion.live.command import Answer, Claim
from companion.live.doubt import count_over
from companion.live.table import LiveTable
from companion.rules.cards import Card, Player, Suit
from companion.rules.events import CardPlayed, Closed, Dealt, Event, MarriageDeclared
from companion.rules.ruleset import RuleSet, preset
from companion.rules.scoring import PointRange
from companion.store.log import EventLog
from companion.synth.choreography import choreograph
from companion.synth.players import random_record
from companion.synth.style import View
from companion.table.observation import Observation, Phase, TableView
from companion.tracking.tracker import Tracker
from tests.decoding.puppets import quad
from tests.e2e.plain_camera import readings
from tests.e2e.scripted_trial import style_of

SOUTH, NORTH = Player
LED = 3
LAID_S = 10.0
STEP_S = 0.1


def led(*names: str, rules: RuleSet | None = None, before: Sequence[Event] = ()) -> Story:
    """South leads and plays the first, third, ... of these cards, and wins each trick; trump is hearts."""
    story = Story.begin(rules or preset("schnapsen"), Act(Dealt(NORTH, Card.parse("JH")), 0.0))
    plays = [CardPlayed(Player(at % 2), Card.parse(name)) for at, name in enumerate(names)]
    for at, event in enumerate([*plays[:-1], *before, plays[-1]]):
        track = LED if event is plays[-1] else None
        table = Table(led=track) if track else None
        grown = story.then(Act(event, float(at), track, 0.9), index=None, table=table)
        assert grown is not None
        story = grown
    return story


def declared(story: Story, *players: Player, again: bool = False) -> list[float]:
    """What it costs each story that tells a marriage before the lead, once these players' hands stayed."""
    ways = list(explain(story, Lingered(LED, 12.0, frozenset(players), again), {}))
    assert ways[0] is story
    return [
        round(way.log_p({}) - story.log_p({}), 2)
        for way in ways[1:]
        if isinstance(way.acts[-2].event, MarriageDeclared) and way.acts[-1].event == story.acts[-1].event
    ]


@pytest.mark.parametrize("card", ["QS", "KS", "QH"])
def test_a_hand_that_stays_at_a_king_or_queen_may_hold_the_other(card: str) -> None:
    """That is nearly as likely as that it holds nothing."""
    (price,) = declared(led("AC", "JC", card), SOUTH)
    assert price == pytest.approx(LOG_MARRIAGE_HELD, abs=0.2)


def test_a_hand_that_comes_back_may_have_taken_the_other_from_beneath() -> None:
    """Mostly it has not; but whoever closes first, the lead lying there, has not led yet."""
    (price,) = declared(led("AC", "JC", "QS"), SOUTH, again=True)
    assert price == pytest.approx(LOG_MARRIAGE_BENEATH, abs=0.2)
    story = led("AC", "JC", "QS")
    close = Act(Closed(SOUTH), story.acts[-1].time, prior=LOG_AFTER_LEAD)
    closed = story.refolded([*story.acts[:-1], close, story.acts[-1]])
    assert closed is not None
    assert declared(closed, SOUTH, again=True) == [pytest.approx(price - LOG_AFTER_LEAD, abs=0.01)]


@pytest.mark.parametrize(
    ("cards", "player"),
    [
        (("AC", "JC", "AS"), SOUTH),
        (("AC", "JC", "QS"), NORTH),
        (("AC", "KC", "QC"), SOUTH),
        (("AC", "JC", "QS", "AS"), NORTH),
    ],
    ids=["an ace is of no marriage", "the other's hand", "the king has been played", "an answer"],
)
def test_nothing_is_held_back_where_there_can_be_no_marriage(cards: tuple[str, ...], player: Player) -> None:
    """Neither by a card that has none, nor by whoever is not on lead, nor of a card that is gone."""
    assert declared(led(*cards), player) == []


def test_nothing_is_held_back_where_the_rules_allow_no_marriage() -> None:
    """Not at the first lead of the restricted game; nor twice."""
    assert declared(led("QS", rules=preset("schnapsen_sharp")), SOUTH) == []
    assert declared(led("AC", "JC", "QS", before=[MarriageDeclared(SOUTH, Suit.SPADES)]), SOUTH) == []


def lies(time: float, pushed_s: float = 0.0, name: str = "QS") -> Observation:
    """The card at a time; for so long after it was laid it is pushed on by twenty pixels a second."""
    x = 600.0 + 20.0 * min(time - LAID_S, pushed_s)
    log_probs = np.full(26, -9.0, np.float32)
    log_probs[Card.parse(name).index] = -0.01
    return Observation(LED, quad(x, 300.0, 0.0), log_probs, Phase.STILL, LAID_S, LAID_S, time)


class Watched:
    """A table on which a king or queen lies from `LAID_S` on, seen from view to view."""

    def __init__(self, name: str) -> None:
        self.reaches = Reaches()
        self.lingering = Lingering(self.reaches)
        self.lingering.laid(lies(LAID_S, name=name), LAID_S)
        self.told: list[Lingered] = []

    def see(self, time: float, cards: Sequence[Observation], hands: Collection[Player]) -> None:
        """See these cards, and the hands of these players; before the card lies nothing is told of it."""
        south, north = (player in hands for player in Player)
        view = TableView(time, (1280, 720), tuple(cards), south, north, not south and not north)
        self.reaches.update(view)
        self.told += self.lingering.update(view) if time >= LAID_S else ()


TIMES = [step * STEP_S for step in range(round((LAID_S + 4.0) / STEP_S))]


def lingered(
    arms: Mapping[Player, tuple[float, float]], pushed_s: float = 0.0, name: str = "QS"
) -> list[Lingered]:
    """What is told of a card that lies from `LAID_S` on while arms are in the picture between two times."""
    table = Watched(name)
    for time in TIMES:
        hands = [player for player, (start, end) in arms.items() if start <= time <= end]
        table.see(time, [lies(time, pushed_s, name)] if time >= LAID_S else [], hands)
    return table.told


def test_a_hand_that_stays_is_told_once_as_it_leaves() -> None:
    """By then it is known whether it has laid a second card."""
    (told,) = lingered({SOUTH: (9.5, LAID_S + 1.5)})
    assert (told.track, told.players) == (LED, frozenset({SOUTH}))
    assert told.time == pytest.approx(LAID_S + 1.6, abs=0.01)


def test_a_hand_that_does_not_leave_is_told_in_the_end() -> None:
    """The lead is written by then."""
    (told,) = lingered({NORTH: (9.5, 20.0)})
    assert told.players == frozenset({NORTH})
    assert told.time == pytest.approx(LAID_S + LATEST_S, abs=STEP_S)


@pytest.mark.parametrize(
    "arm",
    [
        (9.5, LAID_S + LINGERS_S - 2 * STEP_S),
        (LAID_S - CAME_S - 0.5, 20.0),
        (LAID_S + 0.5, 20.0),
        (9.0, LAID_S - 0.5),
    ],
    ids=["drawn back", "rests on the table", "came later", "left before"],
)
def test_no_other_hand_stays(arm: tuple[float, float]) -> None:
    """Only one that laid the card, and was not drawn back."""
    assert lingered({SOUTH: arm}) == []


def test_a_hand_that_pushes_its_card_on_does_not_stay() -> None:
    """It has not laid it down yet."""
    assert lingered({SOUTH: (9.5, LAID_S + 1.5)}, pushed_s=1.4) == []


def test_nothing_goes_with_an_ace() -> None:
    """A hand may stay there as long as it likes."""
    assert lingered({SOUTH: (9.5, 20.0)}, name="AS") == []


BACK_S = (LAID_S + 2.0, LAID_S + 2.6)
"""When a hand is there once more, for a moment."""


def came_back(
    player: Player,
    *,
    touches: bool = True,
    pushes_px: float = 0.0,
    answered: bool = False,
    name: str = "QS",
    takes: str | None = None,
    until: float = BACK_S[1],
) -> list[Lingered]:
    """What is told where a hand that has laid a card is in the picture once more a second after it left.

    What it takes then is seen on its way once.
    """
    table = Watched(name)
    for time in TIMES:
        back = BACK_S[0] <= time <= until
        hands = [SOUTH] * (9.5 <= time <= LAID_S + 0.5) + [player] * back
        touched = min(time, until) if time >= BACK_S[0] and touches else LAID_S
        card = replace(lies(time, name=name), disturbed=touched)
        if time > until:
            card = replace(card, corners=card.corners + np.float32(pushes_px))
        cards = [card] if time >= LAID_S else []
        if takes is not None and back and time > until - 2 * STEP_S:
            cards.append(replace(lies(time, name=takes), track=LED + 2, phase=Phase.MOVING))
        if answered and round(time - LAID_S, 1) == 1.0:
            table.lingering.laid(replace(lies(time, name="AS"), track=LED + 1), time)
        table.see(time, cards, hands)
    return table.told


def test_a_hand_that_comes_back_to_its_card_may_have_taken_another_from_under_it() -> None:
    """It is told once, as it leaves; whose card that is the stories know."""
    (told,) = came_back(SOUTH)
    assert (told.track, told.players, told.again) == (LED, frozenset({SOUTH}), True)
    assert told.time == pytest.approx(BACK_S[1], abs=STEP_S + 0.01)
    assert [one.players for one in came_back(NORTH)] == [frozenset({NORTH})]


def test_what_a_hand_takes_from_there_may_look_like_the_other() -> None:
    """Then that is as likely as if the hand had stayed; a king of clubs is nothing to a queen of spades."""
    assert [one.again for one in came_back(SOUTH, takes="KS")] == [False]
    assert [one.again for one in came_back(SOUTH, takes="KC")] == [True]


def test_a_hand_that_comes_back_and_stays_may_show_the_other() -> None:
    """As where both are laid together; who touches the card, or takes one from under it, is away sooner."""
    assert [one.again for one in came_back(SOUTH, until=BACK_S[0] + RESTS_S - 2 * STEP_S)] == [True]
    assert [one.again for one in came_back(SOUTH, until=BACK_S[0] + RESTS_S + STEP_S)] == [False]


@pytest.mark.parametrize(
    "how",
    [{"touches": False}, {"pushes_px": 40.0}, {"answered": True}, {"name": "AS"}],
    ids=["elsewhere", "to push it", "once it is answered", "to an ace"],
)
def test_a_hand_that_comes_back_for_something_else_is_not_told(how: Mapping[str, Any]) -> None:
    """It touched nothing there, or moved the card itself; nor does anything go with an ace, or an answer."""
    assert came_back(SOUTH, **how) == []


HIDDEN = 2102
"""In the hand of this seed the king of spades is shown so that the hand hides it."""


def test_a_marriage_shown_from_the_hand_is_asked_about_and_counts_once_it_is_said(tmp_path: Path) -> None:
    """Until then either may be; one answer puts the marriage before the lead, and the hand is exact."""
    record, style, view = random_record(HIDDEN), style_of(HIDDEN), View()
    script = choreograph([record], seed=HIDDEN, style=style, view=view)
    claims = [entry["t"] for entry in script.timeline if entry["type"] == "claim"]
    marriage = MarriageDeclared(SOUTH, Suit.SPADES)
    tracker, now = Tracker(), 0.0
    asked: list[tuple[Event, ...]] = []
    counts: list[PointRange] = []
    log = EventLog(tmp_path / "log.sqlite")
    with LiveTable(log, Decoder, rules=record.rules, source="film", clock=lambda: now) as table:
        for reading in readings(script, view, seed=HIDDEN):
            now = reading.time
            table.see(tracker.update(reading))
            if claims and claims[0] <= now:
                table.submit(Claim(SOUTH))
                claims.pop()
            for question in table.standing().questions:
                asked.append(question.options)
                counts.append(count_over(table.standing().hands[0].states, SOUTH).marriages)
                table.submit(Answer(question.seq, question.options.index(marriage)))
        table.finish()
        (hand,) = table.standing().hands
    assert asked == [(CardPlayed(SOUTH, Card.parse("QS")), marriage)]
    assert counts == [PointRange(20, 40)]
    assert tuple(entry.event for entry in hand.events[1:]) == record.events
