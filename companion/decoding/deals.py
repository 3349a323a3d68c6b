"""How a story begins: who dealt, and what was turned up."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from math import inf, log

from companion.decoding.evidence import TurnedUp, Unturned
from companion.decoding.likelihood import Sight
from companion.decoding.story import UNREAD, Act, Story
from companion.rules.altered import altered
from companion.rules.cards import PACK_24, Card, Player, Rank, Suit
from companion.rules.events import Dealt
from companion.rules.ruleset import RuleSet

__all__ = ["deals", "is_misread", "stood_in"]

Sights = Mapping[int, Sight]


def deals(
    rules: RuleSet, dealers: Mapping[Player, float], seen: TurnedUp | Unturned, sights: Sights
) -> Iterator[Story]:
    """Yield the stories with which a hand may begin.

    The turn-up is one of the cards that it looks like most; or it is misread for as long as it lies,
    and trumps are another suit, which only the tricks can tell.

    Args:
        rules: The house rules.
        dealers: Who may have dealt, with how usual that is, nats.
        seen: What shows the deal.
        sights: What is known of each track.
    """
    if isinstance(seen, Unturned):
        for dealer, prior in dealers.items():
            yield Story.begin(rules, Act(Dealt(dealer, None), seen.time, prior=prior))
        return
    sight = sights[seen.track]
    cards = [card for card in sight.cards(4, 6.0) if card in rules.pack]
    suits = [suit for suit in Suit if suit not in {card.suit for card in cards}]
    others = [card for suit in suits if (card := _stand_in(rules, suit, sight)) is not None]
    for card in (*cards, *others):
        for dealer, prior in dealers.items():
            story = Story.begin(rules, Act(Dealt(dealer, card), seen.time, seen.track, prior=prior))
            if card in others:
                story = altered(story, readings={seen.track: UNREAD}, extra=-log(len(others)))
            yield story


def _stand_in(rules: RuleSet, suit: Suit, sight: Sight, seen: Collection[Card] = ()) -> Card | None:
    """Return a card of `suit` for a misread turn-up: what it looks like, but what tells least if wrong.

    King, queen and lowest trump would rule out a marriage or an exchange.
    """
    looks = [card for card in sight.cards(len(PACK_24), inf) if card.suit is suit and card in rules.pack]
    telling = (Rank.KING, Rank.QUEEN, rules.lowest_trump)
    free = [card for card in looks if card not in seen]
    return min(free, key=lambda card: card.rank in telling, default=None)


def stood_in(story: Story, sights: Sights) -> Story | None:
    """Return the story in which the turn-up is misread and another card of its suit, or `None`.

    For when the card that it was taken for, or that stood in for it, turns out to be elsewhere.
    """
    track, shown = story.dealt.track, story.state.dealt_up
    if track is None or shown is None or track not in sights:
        return None
    taken = {*story.state.seen, shown}
    card = _stand_in(story.state.rules, shown.suit, sights[track], taken)
    if card is None:
        return None
    again = story.refolded(story.acts, replace(story.dealt, event=Dealt(story.state.dealer, card)))
    return None if again is None else altered(again, readings={**again.readings, track: UNREAD})


def is_misread(story: Story) -> bool:
    """Whether the story takes the turn-up for another card than it looks like."""
    return story.dealt.track is not None and story.readings.get(story.dealt.track) == UNREAD
