"""Hands played at random by the rules, with all cards known: quick enough for a hundred thousand."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from companion.rules.cards import Card, Player, Rank, Suit
from companion.rules.events import CardPlayed, Claimed, Closed, Event, Exchanged, Knocked, MarriageDeclared
from companion.rules.hand import HandState, ImpossibleEvent, apply, check, deal
from companion.rules.ruleset import PRESETS, RuleSet, RuleSetError
from companion.rules.scoring import count
from companion.rules.shuffle import shuffled

OPTIONS: Mapping[str, tuple[Any, ...]] = {
    "follow": ("open_free", "always_strict"),
    "exchange_first_lead": (True, False),
    "exchange_min_stock": (2, 4),
    "exchange_on_close": (True, False),
    "acts_after_marriage": ("any", "close_only", "none"),
    "marriage_first_lead": (True, False),
    "marriage_counts": ("first_trick", "next_trick", "immediately"),
    "marriage_after_close": (True, False),
    "marriage_after_exhausted": (True, False),
    "marriage_declaration": ("optional", "forced"),
    "close_before_draw": (True, False),
    "close_first_lead": (True, False),
    "close_min_stock": (2, 4),
    "knock": (True, False),
    "claim_mode": ("explicit", "explicit", "auto"),
    "claim_window": ("on_lead", "after_own_trick", "any_player_between_tricks"),
    "claim_on_declaration": (True, False),
    "claim_after_last_trick": (True, False),
    "false_claim_award": (
        "2_3_opponent",
        "2_3_claimant",
        "as_opponent_closed",
        "mirror",
        "flat_2",
        "flat_3",
    ),
    "closer_false_claim": ("worse", "literal"),
    "close_win_basis": ("at_close", "at_end"),
    "failed_close_award": ("2_3_at_close", "2_3_at_end", "2_3_closer", "flat_1", "flat_2", "flat_3"),
    "beaten_closer_award": ("same", "flat_2"),
    "unclaimed_end": ("last_trick_1", "last_trick_scaled", "higher_total_1", "last_trick_bonus_10"),
}
"""Every option that can change how a hand goes or what it pays, with its values."""


def random_rules(rng: random.Random) -> RuleSet:
    """A preset, and every other time with some options of other houses."""
    rules = PRESETS[rng.choice(list(PRESETS))]
    if rng.random() < 0.5:
        return rules
    changed = rng.sample(list(OPTIONS), rng.randrange(1, 5))
    try:
        return rules.with_overrides({name: rng.choice(OPTIONS[name]) for name in changed})
    except RuleSetError:
        return rules


def random_hand(rules: RuleSet, rng: random.Random) -> tuple[HandState, list[Event]]:
    """A hand from the deal to its end, in which no rule is broken, and its events."""
    hands, stock = shuffled(rules, rng)
    state = deal(rules, rng.choice(list(Player)), None, hands, stock)
    events: list[Event] = []
    bold = rng.random() < 0.3
    while True:
        event = _word(state, rng, bold)
        if event is None and state.over:
            return state, events
        event = event or _play(state, rng)
        events.append(event)
        state = apply(state, event)


def _word(state: HandState, rng: random.Random, bold: bool) -> Event | None:
    """Something said or exchanged, now and then; claims mostly with enough."""
    for player in state.claimants:
        enough = count(state, player).total.low >= 66
        claim = Claimed(player)
        if rng.random() < (0.7 if enough else 0.02 if bold else 0.003) and _right(state, claim):
            return claim
    if state.over or state.led is not None or state.leader is None:
        return None
    player = state.leader
    words: list[tuple[float, Event]] = [(0.6, Exchanged(player)), (0.6, Exchanged(player.other))]
    words += [(0.7, MarriageDeclared(player, suit)) for suit in Suit if _holds(state, player, suit)]
    if state.at_close is None:
        close = 0.25 if bold else 0.05
        words += [(close, Closed(player)), (close, Closed(player, before_draw=True))]
    if state.rules.knock:
        words.append((0.06, Knocked(player)))
    for chance, word in words:
        if rng.random() < chance and _right(state, word):
            return word
    return None


def _holds(state: HandState, player: Player, suit: Suit) -> bool:
    hand = state.hands[player] if state.hands else frozenset()
    return Card(Rank.KING, suit) in hand and Card(Rank.QUEEN, suit) in hand


def _play(state: HandState, rng: random.Random) -> Event:
    """A card; or a marriage where only its two cards are left and the house forbids silence."""
    player = state.to_play
    if player is None or state.hands is None:
        raise ValueError("nobody can play")
    cards = sorted(state.hands[player], key=str)
    rng.shuffle(cards)
    plays: list[Event] = [CardPlayed(player, card) for card in cards]
    declared = [MarriageDeclared(player, suit) for suit in Suit if _holds(state, player, suit)]
    return next(event for event in (*plays, *declared) if _right(state, event))


def _right(state: HandState, event: Event) -> bool:
    try:
        return check(state, event) is None
    except ImpossibleEvent:
        return False
