"""Cards laid open where a hand ends: no plays, and a claim is heard over them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

import pytest
from trial import answered, at_a_live_table

from companion.decoding.decoder import Decoder
from companion.rules.cards import PACK_20, PACK_24, Card, Player, Rank, Suit
from companion.rules.events import CardPlayed, Claimed, Event, MarriageDeclared
from companion.rules.hand import HandState, apply, deal, legal_events
from companion.rules.ruleset import preset
from companion.table.entry import Asked, Retracted, Settled
from companion.tracking.tracker import Tracker
from tests.decoding.acted import Acted
from tests.decoding.puppets import HEIGHT, WIDTH, Item, Reach, Show, quad, readings, stage
from tests.decoding.spectator import Spectator

RULES = preset("schnapsen")


def before_the_claim(show: Show) -> HandState:
    """The only hand of a show as it stands when 66 is claimed."""
    events = [event for _, event in show.events[0]]
    state = deal(RULES, events[0].dealer, events[0].turned_up)
    for event in events[1:-1]:
        state = apply(state, event)
    return state


def claimed_on_lead() -> list[tuple[int, Suit]]:
    """Hands that end with a claim right after a trick, and a suit whose marriage might be declared."""
    found: list[tuple[int, Suit]] = []
    for seed in count():
        show = stage(RULES, seed)
        *_, (_, last), (_, claim) = show.events[0]
        if not isinstance(claim, Claimed) or not isinstance(last, CardPlayed):
            continue
        state = before_the_claim(show)
        suits = [suit for suit in Suit if MarriageDeclared(claim.player, suit) in legal_events(state)]
        if state.on_lead is claim.player and suits:
            found.append((seed, suits[0]))
        if len(found) == 4:
            return found
    raise AssertionError


HANDS = claimed_on_lead()


def laid_open(seed: int, cards: Sequence[Card], before_s: float) -> Show:
    """A hand whose claimant lays cards side by side so long before 66 is claimed on a phone."""
    show = stage(RULES, seed)
    claimed, claim = show.events[0][-1]
    assert isinstance(claim, Claimed)
    y = 520.0 if claim.player is Player.SOUTH else 200.0
    # the last trick has been taken by then
    claimed += 2.0
    show.events[0][-1] = (claimed, claim)
    show.taps[-1] = (claimed, claim)
    for place, card in enumerate(cards):
        corners = quad(420.0 + 60 * place, y, 0.0)
        show.items.append(Item(PACK_24.index(card), corners, claimed - before_s, claimed + 3.0))
    show.reaches.append(Reach(claim.player, (500.0, y), claimed - before_s - 0.6, claimed - before_s + 0.3))
    return show


def unseen(show: Show, besides: Suit) -> list[Card]:
    """Cards that nobody has seen, without king and queen of a suit."""
    state = before_the_claim(show)
    pair = {Card(Rank.KING, besides), Card(Rank.QUEEN, besides)}
    return [card for card in PACK_20 if card not in state.seen and card not in pair]


def truth(show: Show) -> list[Event]:
    """What happened."""
    return [event for _, event in show.events[0]]


@pytest.mark.parametrize(("seed", "suit"), HANDS)
@pytest.mark.parametrize("before_s", [0.2, 1.0])
def test_a_claim_is_taken_over_cards_that_were_laid_open(seed: int, suit: Suit, before_s: float) -> None:
    """Whatever they seem to be at first, the phone does not say that it is too late, and nobody is asked."""
    show = laid_open(seed, unseen(stage(RULES, seed), suit)[:3], before_s)
    standing, phone = at_a_live_table(show, readings(show, seed=seed))

    assert [entry.event for hand in standing.hands for entry in hand.events] == truth(show)
    assert not phone.refused
    assert not phone.answered


@pytest.mark.parametrize(("seed", "suit"), HANDS)
def test_king_and_queen_alone_are_a_marriage(seed: int, suit: Suit) -> None:
    """Laid right before the claim they are shown for that, as no other two cards are."""
    show = laid_open(seed, [Card(Rank.KING, suit), Card(Rank.QUEEN, suit)], 0.2)
    decoder = Decoder(RULES)
    entries = Spectator(show, decoder).watch(readings(show, seed=seed))
    (record,) = decoder.records

    assert isinstance(record.events[-2], MarriageDeclared)
    assert not [one for one in entries if isinstance(one, Asked)]


@pytest.mark.parametrize(("seed", "suit"), HANDS)
def test_king_and_queen_among_others_are_laid_open(seed: int, suit: Suit) -> None:
    """A whole hand with a marriage in it, shown at once, declares nothing."""
    pair = [Card(Rank.KING, suit), Card(Rank.QUEEN, suit)]
    show = laid_open(seed, [*pair, *unseen(stage(RULES, seed), suit)[:3]], 1.0)
    decoder = Decoder(RULES)
    Spectator(show, decoder).watch(readings(show, seed=seed))
    (record,) = decoder.records

    assert not any(isinstance(event, MarriageDeclared) and event.suit is suit for event in record.events)
    assert list(record.events) == truth(show)[1:]


def test_a_lead_is_no_card_laid_open_for_long() -> None:
    """Who has led may claim for some seconds, as long as it may have been no lead, and then no more."""
    seed = HANDS[0][0]
    show = stage(RULES, seed)
    tracker, decoder = Tracker(), Decoder(RULES)
    led, lead = next(
        (time, event)
        for (time, event), (_, before) in zip(show.events[0][3:], show.events[0][2:], strict=False)
        if isinstance(event, CardPlayed) and isinstance(before, CardPlayed) and event.player is before.player
    )
    # nobody answers
    show.items = [item for item in show.items if item.start < led + 0.3]
    may: dict[float, bool] = {}
    for reading in readings(show, seed=seed):
        if reading.time > led + 14.0:
            break
        decoder.update(tracker.update(reading))
        may[round(reading.time - led, 1)] = Claimed(lead.player) in decoder.may_say(reading.time)

    assert may[2.0]
    assert not may[12.0]


@pytest.mark.parametrize(("seed", "suit"), HANDS)
def test_a_claim_waits_for_what_is_coming_to_lie(seed: int, suit: Suit) -> None:
    """No phone shows for a moment that it was wrong, and then that it was right with a marriage."""
    show = laid_open(seed, [Card(Rank.KING, suit), Card(Rank.QUEEN, suit)], 0.2)
    entries = Spectator(show, Decoder(RULES)).watch(readings(show, seed=seed))
    ends = [one for one in entries if isinstance(one, Settled) and isinstance(one.event, Claimed)]

    assert len(ends) == 1
    assert not [one for one in entries if isinstance(one, Retracted) and one.seq > ends[0].seq]


def test_a_marriage_of_who_is_out_is_no_hand_that_is_counted() -> None:
    """For a moment the queen was read as a card of a gathered trick, and its player had 66 without her."""
    outcome, _ = answered(1362, "frames")

    assert (outcome.kind, outcome.questions) == ("exact", 0)


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("later_s", [0.2, 3.0])
def test_who_has_66_lays_one_card_and_then_the_others(seed: int, later_s: float) -> None:
    """The one was not led, nor did that answer it which lies upon them: nobody reached in to do that."""
    table = Acted(RULES, seed)
    north = Player.NORTH
    table.deal(Player.SOUTH, "JH")
    for lead, answer in (("AS", "TS"), ("AC", "TC"), ("AD", "TD"), ("AH", "JC")):
        table.trick(north, lead, answer)
    table.lay(Card.parse("TH").index, WIDTH / 2, HEIGHT / 2 - 20, north)
    table.wait(later_s)
    table.lay(Card.parse("QD").index, WIDTH / 2, HEIGHT / 2 - 190, north)
    table.wait(3.0)
    table.sweep()
    table.truth[-1].append(Claimed(north))
    table.wait(5.6)
    table.show.end = table.time
    assert table.watched() == (table.truth, [])
