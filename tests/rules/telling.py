"""Hands told in a line, for tests: who acts follows from the hand itself.

`AH-TH` is a trick, `AH` a card led or an answer, `?` a card nobody named, `x` the exchange,
`mS` the marriage of spades, `close`, `early` (a close before drawing), `knock`, `claim`, `revoke`,
`give-up`. Whoever is on lead acts (after the last trick its winner); `S:` or `N:` before a word
names another player.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.cards import Card, Player, Suit
from companion.rules.events import (
    CardPlayed,
    Claimed,
    Closed,
    Conceded,
    Event,
    Exchanged,
    GivenUp,
    Knocked,
    MarriageDeclared,
    RevokeCalled,
)
from companion.rules.hand import HandState, apply, deal
from companion.rules.ruleset import preset

SOUTH, NORTH = Player.SOUTH, Player.NORTH
_SEATS = {"S": SOUTH, "N": NORTH}
WORDS = ("claim", "close", "concede", "early", "knock", "revoke", "x")


def card(text: str) -> Card | None:
    """Read a card, or `?`."""
    return None if text == "?" else Card.parse(text)


def new_hand(
    turned_up: str = "JD", *, dealer: Player = NORTH, rules: str = "schnapsen", **options: object
) -> HandState:
    """Deal with hidden hands under a preset with some options changed; south leads."""
    return deal(preset(rules).with_overrides(options), dealer, card(turned_up))


def event_of(state: HandState, word: str) -> Event:
    """Read one word as what happens next in `state`."""
    player = state.leader
    if word[1:2] == ":":
        player, word = _SEATS[word[0]], word[2:]
    elif state.led is not None and word not in WORDS and not word.startswith("m"):
        player = state.led.player.other
    if word == "give-up":
        return GivenUp()
    if player is None:
        raise ValueError(f"{word!r}: say who, nobody knows who leads")
    if word == "x":
        return Exchanged(player)
    if word == "close":
        return Closed(player)
    if word == "early":
        return Closed(player, before_draw=True)
    if word == "knock":
        return Knocked(player)
    if word == "claim":
        return Claimed(player)
    if word == "concede":
        return Conceded(player)
    if word == "revoke":
        return RevokeCalled(player)
    if word.startswith("m"):
        return MarriageDeclared(player, Suit(word[1:]))
    return CardPlayed(player, card(word))


def words(text: str) -> Iterator[str]:
    """Split a told hand into words; `N:AH-TH` says who leads."""
    for word in text.split():
        yield from word.split("-") if word != "give-up" else (word,)


def tell(state: HandState, text: str) -> HandState:
    """Let the told events happen."""
    for word in words(text):
        state = apply(state, event_of(state, word))
    return state
