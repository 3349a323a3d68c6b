"""What is likely to come in before an act that seems ripe: then it is neither written nor asked about yet."""

from __future__ import annotations

from collections.abc import Mapping

from companion.decoding.likelihood import Sight
from companion.decoding.story import Act, Story
from companion.rules.cards import Card
from companion.rules.events import CardPlayed, Event, Exchanged
from companion.rules.hand import HandState, legal_events
from companion.table.observation import Phase

__all__ = ["is_taken_back", "may_be_exchanged", "shows_pair"]


def is_taken_back(story: Story, act: Act, sights: Mapping[int, Sight]) -> bool:
    """Whether the latest card played has gone, and the trick that it belongs to has not been gathered."""
    latest, led = story.last_card, story.table.led
    if act is not story.chain[-1] or not isinstance(act.event, CardPlayed) or latest is None or led is None:
        return False
    if latest not in sights or sights[latest].lies:
        return False
    return story.state.led is not None or (led in sights and sights[led].lies)


def shows_pair(story: Story, sights: Mapping[int, Sight]) -> bool:
    """Whether king and queen of a marriage lie there: which of them is led shows when the other goes."""
    table = story.table
    pair = table.pair or (table.led, table.kept)
    shown = [sights.get(track) if track is not None else None for track in pair]
    return all(sight is not None and sight.phase is not Phase.GONE for sight in shown)


def may_be_exchanged(state: HandState, event: Event) -> bool:
    """Whether a card that seems to be led may be on its way under the stock."""
    if not isinstance(event, CardPlayed) or event.card is None or state.trump is None:
        return False
    lowest = Card(state.rules.lowest_trump, state.trump)
    return event.card == lowest and Exchanged(event.player) in legal_events(state)
