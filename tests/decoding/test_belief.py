"""What the stories alive make of a card, together."""

from __future__ import annotations

from companion.decoding.belief import Belief
from companion.decoding.options import DecoderOptions
from companion.decoding.story import UNREAD, Act, Story
from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, Closed, Dealt
from companion.rules.ruleset import preset

SOUTH, NORTH = Player.SOUTH, Player.NORTH


def play(player: Player, card: str | None) -> CardPlayed:
    """A card played; `None`: nobody could read it."""
    return CardPlayed(player, None if card is None else Card.parse(card))


def story(*events: CardPlayed | Closed, price: float = 0.0) -> Story:
    """A hand in which the queen of clubs was turned up and north dealt."""
    told = Story.begin(preset("schnapsen"), Act(Dealt(NORTH, Card.parse("QC")), 0.0))
    for at, event in enumerate(events, start=1):
        unread = isinstance(event, CardPlayed) and event.card is None
        grown = told.then(Act(event, float(at), at), index=UNREAD if unread else None)
        assert grown is not None
        told = grown
    return told.then(Act(play(SOUTH, "AS"), 9.0), extra=price) or told


def believed(*stories: Story) -> Belief:
    """These stories and no others."""
    belief = Belief(DecoderOptions(), {})
    belief.start(stories)
    return belief


def test_what_most_of_the_belief_tells_comes_first() -> None:
    """Two stories that tell the same outweigh one that is likelier than each."""
    other = story(Closed(SOUTH), play(SOUTH, "AH"), play(NORTH, "TD"), price=0.1)
    alike = [
        story(Closed(SOUTH), play(SOUTH, "AH"), play(NORTH, "TH")),
        story(Closed(SOUTH), play(SOUTH, "KH"), play(NORTH, "TH")),
    ]
    belief = believed(other, *alike)

    assert belief.told_at(3, belief.stories) == [play(NORTH, "TH"), play(NORTH, "TD")]


def test_a_card_that_nobody_could_read_may_be_what_is_left_and_legal() -> None:
    """Over a closed stock hearts were led: neither what was led, nor the turn-up, nor what is seen later."""
    belief = believed(story(Closed(SOUTH), play(SOUTH, "AH"), play(NORTH, None)))

    told = belief.told_at(3, belief.stories)

    assert play(NORTH, "TH") in told
    assert not {Card.parse(code) for code in ("AH", "AS", "QC")} & {each.card for each in told}
    assert all(isinstance(each, CardPlayed) and each.player is NORTH for each in told)
