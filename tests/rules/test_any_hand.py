"""Properties of every hand, whatever is played: one machine plays, several referees look on."""

from __future__ import annotations

import json
import random
from functools import reduce

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from companion.rules.cards import Card, Player, Suit
from companion.rules.claim import Outcome, verify
from companion.rules.events import (
    CardPlayed,
    Claimed,
    Closed,
    Event,
    Exchanged,
    GivenUp,
    Knocked,
    MarriageDeclared,
    RevokeCalled,
)
from companion.rules.hand import HandState, ImpossibleEvent, apply, check, deal, legal_events, legal_words
from companion.rules.judge import outstanding
from companion.rules.record import Record, replay
from companion.rules.ruleset import PRESETS, RuleSet, preset, rules_from_json
from companion.rules.scoring import claims_awaited, count
from tests.rules.compare_awards import agrees, hands, on_paper
from tests.rules.random_hands import OPTIONS, random_rules

QUICK = settings(
    derandomize=True,
    deadline=None,
    max_examples=28,
    stateful_step_count=45,
    phases=(Phase.explicit, Phase.generate),  # a whole hand takes minutes to shrink
    suppress_health_check=list(HealthCheck),
)

DECKS = ({}, {"deck": 24, "hand_size": 6, "exchange_rank": "9"})


def every_event(rules: RuleSet) -> list[Event]:
    """Everything that either player could do or say."""
    events: list[Event] = []
    for player in Player:
        events += [Exchanged(player), Closed(player), Closed(player, before_draw=True)]
        events += [Claimed(player), Knocked(player), RevokeCalled(player)]
        events += [MarriageDeclared(player, suit) for suit in Suit]
        events += [CardPlayed(player, card) for card in rules.pack]
    return events


def possible(state: HandState, event: Event) -> bool:
    """Whether the judge takes the event for possible."""
    try:
        check(state, event)
    except ImpossibleEvent:
        return False
    return True


class AnyHand(RuleBasedStateMachine):
    """A hand played with all cards known, seen by the table, and seen by a camera that misses cards."""

    preset = "schnapsen"
    house_rules = False
    breaking = False

    @initialize(data=st.data())
    def start(self, data: st.DataObject) -> None:
        """Shuffle and deal."""
        self.rules = preset(self.preset)
        if self.house_rules:
            options = {name: data.draw(st.sampled_from(values)) for name, values in OPTIONS.items()}
            self.rules = self.rules.with_overrides(options | data.draw(st.sampled_from(DECKS)))
        pack = data.draw(st.permutations(self.rules.pack))
        size = self.rules.hand_size
        self.hands = tuple(pack[:size]), tuple(pack[size : 2 * size])
        self.stock = tuple(pack[2 * size :])
        self.dealer = data.draw(st.sampled_from(Player))
        self.open = deal(self.rules, self.dealer, None, self.hands, self.stock)
        self.seen = deal(self.rules, self.dealer, self.stock[-1])
        self.missed = self.seen
        self.log: list[Event] = []
        self.checked: HandState | None = None
        self.options = legal_events(self.open)

    def happen(self, event: Event, read: bool = True) -> None:
        """Let `event` happen before all three."""
        self.open = apply(self.open, event)
        self.seen = apply(self.seen, event)
        unread = isinstance(event, CardPlayed) and not read
        self.missed = apply(self.missed, CardPlayed(event.player, None) if unread else event)
        self.log.append(event)
        self.options = legal_events(self.open)

    @property
    def plays(self) -> list[Event]:
        """Cards that may be played; none where only a marriage is left that must not be kept silent."""
        return [event for event in self.options if isinstance(event, CardPlayed)]

    @property
    def words(self) -> list[Event]:
        """What may be said or exchanged; claims only with a good share of the points."""
        said = [event for event in self.options if not isinstance(event, CardPlayed | RevokeCalled)]
        if self.open.over:
            return said
        return [
            event
            for event in said
            if not isinstance(event, Claimed) or count(self.open, event.player).total.low >= 50
        ]

    @property
    def callers(self) -> list[Player]:
        """Who may insist on a revoke that everybody has noticed."""
        callers = []
        for player in Player:
            found = [outstanding(state, player.other) for state in (self.open, self.seen, self.missed)]
            if all(found) and len({noted.trick for noted in found if noted}) == 1:
                callers.append(player)
        return [player for player in callers if possible(self.open, RevokeCalled(player))]

    @rule()
    def rest(self) -> None:
        """Nothing happens, as after the end."""

    @precondition(lambda self: self.plays)
    @rule(data=st.data(), read=st.sampled_from((True, True, True, False)))
    def play_a_card(self, data: st.DataObject, read: bool) -> None:
        """Play by the rules, and now and then leave the card unread."""
        self.happen(data.draw(st.sampled_from(self.plays)), read)

    @precondition(lambda self: self.words)
    @rule(data=st.data())
    def say_a_word(self, data: st.DataObject) -> None:
        """Exchange, declare, close, knock or claim by the rules."""
        self.happen(data.draw(st.sampled_from(self.words)))

    @precondition(lambda self: self.breaking and not self.open.over)
    @rule(data=st.data())
    def play_any_card_of_the_hand(self, data: st.DataObject) -> None:
        """Play as if there were no duties."""
        player = self.open.to_play
        assert player is not None
        assert self.open.hands is not None
        held = [card for card in self.rules.pack if card in self.open.hands[player]]
        self.happen(CardPlayed(player, data.draw(st.sampled_from(held))))

    @precondition(lambda self: self.breaking and self.callers)
    @rule(data=st.data())
    def call_a_revoke(self, data: st.DataObject) -> None:
        """Insist on a revoke; it ends the hand or is taken back."""
        self.happen(RevokeCalled(data.draw(st.sampled_from(self.callers))))

    @invariant()
    def every_property_holds(self) -> None:
        """After every event; what has been looked at is not looked at again."""
        if self.checked is not self.open:
            self.checked = self.open
            for holds in self.PROPERTIES:
                holds(self)

    def each_card_is_in_exactly_one_place(self) -> None:
        """Tricks, table, hands and stock are the pack."""
        state = self.open
        assert state.hands is not None
        assert state.stock is not None
        played = [card for trick in state.tricks for card in trick.cards]
        table = [state.led.card] if state.led else []
        everything = [*played, *table, *state.hands[0], *state.hands[1], *state.stock]
        assert len(everything) == len(self.rules.pack)
        assert set(everything) == set(self.rules.pack)
        assert state.seen == {*played, *table}
        assert tuple(len(hand) for hand in state.hands) == state.hand_sizes
        assert len(state.stock) == state.stock_left

    def what_is_said_of_hidden_cards_is_true(self) -> None:
        """Places told from public knowledge are the real ones, and what may be held includes what is."""
        for state in (self.seen, self.missed):
            for player in Player:
                assert state.placed(player) <= self.open.placed(player)
                if not self.open.over and state.leader is not None:
                    assert self.open.placed(player) <= set(state.candidates(player))
            assert state.hand_sizes == self.open.hand_sizes
            assert state.stock_left == self.open.stock_left

    def judge_list_and_hand_agree(self) -> None:
        """An event is listed exactly if the judge lets it through, and only then is nothing noted."""
        for state in (self.open, self.seen, self.missed):
            listed = legal_events(state)
            assert len(set(listed)) == len(listed)
            assert legal_words(state) == tuple(each for each in listed if not isinstance(each, CardPlayed))
            for event in every_event(self.rules)[len(self.log) % 3 :: 3]:
                if possible(state, event):
                    breach = check(state, event)
                    noted = apply(state, event).breaches[len(state.breaches) :]
                    assert (event in listed) == (breach is None)
                    assert [each.breach for each in noted][:1] == ([breach] if breach else [])
                else:
                    assert event not in listed
                    with pytest.raises(ImpossibleEvent):
                        apply(state, event)

    def bounds_hold_the_truth(self) -> None:
        """Counts by what was seen hold the true points, and no verdict says more than is true."""
        for player in Player:
            true = count(self.open, player).total
            assert true.exact
            if not self.breaking:
                assert count(self.seen, player) == count(self.open, player)
            bounds = count(self.missed, player).total
            verdict = verify(self.missed, player)
            if self.missed.leader is not None and not self.breaking:
                assert bounds.low <= true.low <= bounds.high
                assert verdict.outcome is not Outcome.PROVEN or true.low >= 66
                assert verdict.outcome is not Outcome.REFUTED or true.low < 66

    def working_adds_up(self) -> None:
        """The lines of a verdict add up to its lower bound."""
        for state in (self.open, self.missed):
            for player in Player:
                counted = count(state, player)
                sums = [int(line.rpartition(" = ")[2]) for line in counted.working]
                assert sum(sums) == counted.total.low

    def log_alone_rebuilds_the_hand(self) -> None:
        """The deal and the events give the same hand again, also by way of a written record."""
        assert (
            reduce(apply, self.log, deal(self.rules, self.dealer, None, self.hands, self.stock)) == self.open
        )
        record = Record(
            self.rules, self.dealer, self.stock[-1], tuple(self.log), None, self.hands, self.stock
        )
        assert replay(Record.parse(json.dumps(record.to_json()))) == self.open

    def facts_of_the_game(self) -> None:
        """An even stock on lead, a trick for whoever leads later, pending only from the first lead."""
        state = self.open
        if state.on_lead is not None:
            assert state.stock_left % 2 == 0
            assert not state.tricks or state.tricks_of(state.on_lead) > 0
        if self.rules.marriage_counts == "first_trick":
            pending = [marriage for marriage in state.marriages if marriage.pending]
            assert len(pending) <= 1
            assert all(each.after == 0 and each.player is state.forehand for each in pending)
        if self.rules.deck == 20:
            for trick in state.tricks:
                assert sum(card.rank.value for card in trick.cards) >= 4
        if state.award is not None and state.award.winner is not None and state.award.clause == "7.5":
            loser = count(state, state.award.winner.other)
            expected = 1 if loser.total.low >= 33 else 2 if state.tricks_of(state.award.winner.other) else 3
            assert state.award.game_points == expected
        if state.award is not None and state.award.reason == "drawn":
            split = 65 if self.rules.unclaimed_end == "last_trick_bonus_10" else 60
            totals = [each.low for each in state.award.card_points]
            assert totals[0] == totals[1]
            assert totals[0] == split or totals[0] >= 66
        enough = [count(state, player) for player in Player]
        if all(each.total.low >= 66 for each in enough):
            assert any(each.marriages.low for each in enough)
        inside = sum(card.rank.value for card in state.seen)
        table = 0 if state.led is None or state.led.card is None else state.led.card.rank.value
        south, north = (count(state, player) for player in Player)
        assert south.cards.low + north.cards.low + table == inside

    def a_second_referee_agrees(self) -> None:
        """Points and award are those worked out on paper, and hidden hands change neither."""
        if self.breaking:
            return
        paper = on_paper(self.open, self.log)
        assert [paper.points(0), paper.points(1)] == [count(self.open, each).total.low for each in Player]
        award = self.open.award
        assert (None if award is None else (award.winner, award.game_points)) == paper.award
        assert self.seen.award == award
        if self.missed.award is not None:
            assert self.missed.award.winner == (None if award is None else award.winner)

    def an_unclaimed_open_hand_gives_all_its_points(self) -> None:
        """120 and the counted marriages; without a 66 both have 55 to 65 and no marriage counted."""
        state = self.open
        if not state.played_out or state.breaches:
            return
        south, north = (count(state, player) for player in Player)
        if state.at_close is not None:
            undealt = sum(card.rank.value for card in state.stock or ())
            assert south.cards.low + north.cards.low == 120 - undealt
            return
        assert south.cards.low + north.cards.low == 120
        if self.rules.marriage_counts == "next_trick":
            return
        if max(each.cards.low + each.marriages.low for each in (south, north)) < 66:
            assert min(each.cards.low for each in (south, north)) >= 55
            assert not any(marriage.counted for marriage in state.marriages)

    def a_claim_is_awaited_where_it_pays_otherwise(self) -> None:
        """After the last trick, of whoever may claim and has 66: it then changes what the hand pays."""
        state = self.open
        awaited = claims_awaited(state)
        if not state.played_out:
            assert awaited == ()
            return
        silent = state.award and (state.award.winner, state.award.game_points)
        for player in state.claimants:
            claimed = apply(state, Claimed(player)).award
            assert claimed is not None
            enough = count(state, player).total.low >= 66
            pays_otherwise = (claimed.winner, claimed.game_points) != silent
            assert (player in awaited) == (enough and pays_otherwise)
        assert set(awaited) <= set(state.claimants)

    def a_revoke_comes_out(self) -> None:
        """Hidden hands: a revoke is noted once the cards are gone, and never without cause."""
        if self.rules.follow == "always_strict":
            return
        true = {(noted.player, noted.trick) for noted in self.open.breaches if noted.breach.is_revoke}
        told = {(noted.player, noted.trick) for noted in self.seen.breaches if noted.breach.is_revoke}
        assert told <= true
        if self.open.played_out:
            assert told == true

    def hands_by_the_rules_have_no_breach(self) -> None:
        """Nobody is accused who kept the rules."""
        if not self.breaking:
            for state in (self.open, self.seen, self.missed):
                assert state.breaches == ()

    PROPERTIES = (
        each_card_is_in_exactly_one_place,
        what_is_said_of_hidden_cards_is_true,
        judge_list_and_hand_agree,
        bounds_hold_the_truth,
        working_adds_up,
        log_alone_rebuilds_the_hand,
        facts_of_the_game,
        a_second_referee_agrees,
        an_unclaimed_open_hand_gives_all_its_points,
        a_claim_is_awaited_where_it_pays_otherwise,
        a_revoke_comes_out,
        hands_by_the_rules_have_no_breach,
    )


class AnyHandUnderHouseRules(AnyHand):
    """The same under any options."""

    house_rules = True


class AnyHandWithRevokes(AnyHand):
    """The same where duties are broken."""

    breaking = True


class AnyHandOf24WithRevokes(AnyHandWithRevokes):
    """Duties broken with the nines in the pack."""

    preset = "snapszer_24"


@pytest.mark.parametrize("name", PRESETS)
def test_any_hand_of_every_preset(name: str) -> None:
    """Whatever is played under a preset, the properties of the machine hold after every event."""
    machine = type(f"AnyHandOf_{name}", (AnyHand,), {"preset": name})
    run_state_machine_as_test(machine, settings=settings(QUICK, max_examples=6))


class AnyHandWithPlaysTakenBack(AnyHandWithRevokes):
    """Duties broken, and revokes taken back."""

    preset = "schnapsen_casual"


@pytest.mark.parametrize(
    "machine",
    [AnyHandUnderHouseRules, AnyHandWithRevokes, AnyHandOf24WithRevokes, AnyHandWithPlaysTakenBack],
)
def test_any_hand(machine: type[AnyHand]) -> None:
    """The same under any mixture of options, and where duties are broken."""
    run_state_machine_as_test(machine, settings=QUICK)


def test_awards_are_those_worked_out_on_paper() -> None:
    """Random hands of every preset, some with options of other houses, pay what the document says."""
    seen = set()
    for state, events in hands(800, seed=1):
        assert agrees(state, events), (state.rules.to_json(), events)
        seen.add(state.rules.preset)

    assert seen == set(PRESETS)


@pytest.mark.parametrize("name", ["schnapsen", "schnapsen_casual", "sixty_six+knock"])
def test_revokes_called_at_random(name: str) -> None:
    """Careless hands: whatever is called and taken back, the log alone gives the same hand again."""
    rules, called, finished = preset(name), 0, 0
    for seed in range(60):
        rng = random.Random(seed)
        pack = rng.sample(rules.pack, len(rules.pack))
        size = rules.hand_size
        dealt = (tuple(pack[:size]), tuple(pack[size : 2 * size])), tuple(pack[2 * size :])
        start = deal(rules, Player(seed % 2), None, *dealt)
        state, log = start, []
        while not state.over and len(log) < 150:
            options = legal_events(state)
            calls = [event for event in options if isinstance(event, RevokeCalled)]
            words = [event for event in options if isinstance(event, Closed | MarriageDeclared)]
            if calls and rng.random() < 0.8:
                event: Event = rng.choice(calls)
                called += 1
            elif words and rng.random() < 0.3:
                event = rng.choice(words)
            else:
                player = state.to_play
                assert player is not None
                assert state.hands is not None
                event = CardPlayed(player, rng.choice(sorted(state.hands[player], key=str)))
            log.append(event)
            state = apply(state, event)
            assert state.hands is not None
            assert state.stock is not None
            held = [*state.seen, *state.hands[0], *state.hands[1], *state.stock]
            assert sorted(map(str, held)) == sorted(map(str, rules.pack))
        assert reduce(apply, log, start) == state
        taken = [noted for noted in state.breaches if noted.taken_back]
        assert bool(taken) == (rules.revoke_award == "take_back" and RevokeCalled in map(type, log))
        if state.called_by is not None:
            assert state.award is not None
            assert (state.award.winner, state.award.reason) == (state.called_by, "revoke")
        finished += state.over
    assert called > 20
    assert finished > 50


@pytest.mark.parametrize("seed", range(40))
def test_any_rules_survive_writing(seed: int) -> None:
    """Presets with options of other houses come back from JSON."""
    rules = random_rules(random.Random(seed))

    assert rules_from_json(json.loads(json.dumps(rules.to_json()))) == rules


def test_given_up_hand_pays_nothing() -> None:
    """A hand that ends on the table has no award, and nothing can follow."""
    state = apply(deal(RuleSet(), Player.SOUTH, Card.parse("QH")), GivenUp())

    assert state.over
    assert state.award is None
    assert legal_events(state) == ()
    with pytest.raises(ImpossibleEvent, match="over"):
        apply(state, Claimed(Player.NORTH))
