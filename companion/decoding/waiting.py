"""What is likely to come in before an act that seems ripe: then it is neither written nor asked about yet."""

from __future__ import annotations

from collections.abc import Mapping

from companion.decoding.likelihood import Sight, side
from companion.decoding.story import Act, Story
from companion.rules.cards import Card
from companion.rules.events import CardPlayed, Event, Exchanged
from companion.rules.hand import HandState, legal_events
from companion.table.observation import Phase

__all__ = ["awaits_answer", "is_out_of_turn", "is_taken_back", "may_be_exchanged", "shows_pair"]

LOG_WRONG_SIDE = -2.3
"""The card came from the other side nine times in ten."""


def is_out_of_turn(story: Story) -> bool:
    """Whether the latest card is a lead without an answer which the hand of the other player brought.

    Whoever leads out of turn mostly notices, or is told so, and takes the card back.
    """
    lead = _bare_lead(story)
    return lead is not None and side(story.chain[-1].from_south, lead.player) < LOG_WRONG_SIDE


def awaits_answer(story: Story, written: Story | None) -> bool:
    """Whether a story speaks for a lead that has no answer yet, and that by what is written was none.

    By that it means nothing, or the wrong player laid it, and takes it back; the answer tells.
    """
    if written is None or _bare_lead(story) is None:
        return False
    track = story.chain[-1].track
    meant = track not in written.noise | written.passed
    return not meant or (written.table.led == track and is_out_of_turn(written))


def _bare_lead(story: Story) -> CardPlayed | None:
    """The latest act, where that is a lead which nobody has answered."""
    event = story.chain[-1].event
    if story.chain[-1].told or story.state.led is None or not isinstance(event, CardPlayed):
        return None
    return event


def is_taken_back(story: Story, act: Act, sights: Mapping[int, Sight]) -> bool:
    """Whether the latest card played has gone, and the trick that it belongs to has not been gathered."""
    latest, led = story.last_card, story.table.led
    if act is not story.chain[-1] or not isinstance(act.event, CardPlayed) or latest is None or led is None:
        return False
    if latest not in sights or sights[latest].lies:
        return False
    return story.state.led is not None or (led in sights and sights[led].lies)


def shows_pair(story: Story, sights: Mapping[int, Sight]) -> bool:
    """Whether king and queen of a marriage lie there: which of them is led shows when the other goes.

    It does not show yet where a hand hides the one that may have stayed.
    """
    table = story.table
    pair = table.pair or (table.led, table.kept)
    shown = [sights.get(track) if track is not None else None for track in pair]
    phases = [sight.phase for sight in shown if sight is not None]
    if len(phases) < 2 or phases == [Phase.GONE, Phase.GONE]:
        return False
    return set(phases) != {Phase.GONE, Phase.STILL}


def may_be_exchanged(state: HandState, event: Event) -> bool:
    """Whether a card that seems to be led may be on its way under the stock."""
    if not isinstance(event, CardPlayed) or event.card is None or state.trump is None:
        return False
    lowest = Card(state.rules.lowest_trump, state.trump)
    return event.card == lowest and Exchanged(event.player) in legal_events(state)
