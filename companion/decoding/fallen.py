"""A card that nobody has led: it falls from a hand, or is laid out of turn, and is taken back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from companion.decoding.evidence import Gone, Laid
from companion.decoding.likelihood import (
    LOG_FALLEN,
    LOG_NOT_SHOWN,
    LOG_OTHER_HAND,
    LOG_STUCK_TOGETHER,
    LOG_TRICK_BACK,
    Sight,
    side,
)
from companion.decoding.marriages import unseen_partner
from companion.decoding.reaches import hand_price, reached
from companion.decoding.story import SAME_MOMENT_S, Story, Table
from companion.rules.altered import altered
from companion.rules.cards import PACK_24, Player
from companion.rules.events import CardPlayed
from companion.rules.scoring import players_out
from companion.table.detection import BACK
from companion.table.observation import Phase

__all__ = ["fallen", "mistaken", "stuck_together", "taken_up", "trick_taken_back"]

Sights = Mapping[int, Sight]

FALLEN_S = 6.0
"""Whoever has dropped a card takes it up so soon."""
LOG_NOT_GONE = -2.0
"""The trick before is out of sight, and not known to have gone."""
TAKEN_S = 0.8
"""A hand that takes a card was seen at most so long before or after the card was seen last."""


def fallen(story: Story, seen: Gone, sights: Sights) -> Iterator[Story]:
    """Yield the story in which what seemed to be led fell from a hand, of whichever player.

    That player's hand took it back, and the other had no reason to reach in.
    """
    act, table, sight = story.acts[-1] if story.acts else None, story.table, sights[seen.track]
    if act is None or act.told or not isinstance(act.event, CardPlayed) or story.state.led is None:
        return
    if not act.track == table.led == seen.track or table.kept is not None or sight.lay_s > FALLEN_S:
        return
    without = story.refolded(story.acts[:-1])
    if without is None:
        return
    owner = Player.SOUTH if sight.from_south > 0.5 else Player.NORTH
    taken = sight.last_seen
    price = LOG_FALLEN + hand_price(seen.reaches, owner, taken - TAKEN_S, taken + TAKEN_S)
    if reached(seen.reaches, owner.other, sight.still_since + TAKEN_S, taken + TAKEN_S):
        price += LOG_OTHER_HAND  # as whoever answers does
    yield altered(without, table=Table(turn_up=table.turn_up), extra=without.extra + price)


def mistaken(story: Story, seen: Laid, sight: Sight, sights: Sights) -> Iterator[Story]:
    """Yield the story in which whoever lost the last trick leads by mistake, or drops a card."""
    state = story.state
    player = state.to_play
    if player is None or state.led is not None or not state.tricks or story.table.pair is not None:
        return
    card = PACK_24[sight.best] if sight.best < BACK else None
    if card is None or card in state.seen or (card == state.dealt_up and state.stock_left):
        return
    table = story.table
    trick = [sights[one] for one in (table.led, table.answer) if one is not None and one in sights]
    if any(one.lies for one in trick):
        return
    price = LOG_FALLEN + side(sight.from_south, player.other)
    price += LOG_NOT_GONE if any(one.phase is not Phase.GONE for one in trick) else 0.0
    table = replace(table, mistaken=seen.track)
    yield altered(story, passed=story.passed | {seen.track}, table=table, extra=story.extra + price)


def stuck_together(story: Story, seen: Laid, sight: Sight, sights: Sights) -> Iterator[Story]:
    """Yield the story in which this came along with the lead, in the same hand, and is taken back.

    The other way round, too: only the one that stays was led.
    """
    act, table = story.acts[-1] if story.acts else None, story.table
    if act is None or act.told or not isinstance(act.event, CardPlayed) or story.state.led is None:
        return
    if act.track is None or act.track != table.led or table.kept is not None or table.mistaken is not None:
        return
    if act.track not in sights or abs(seen.time - act.time) > SAME_MOMENT_S or sight.best >= BACK:
        return
    if seen.dark is not None and act.time - seen.dark[1] < SAME_MOMENT_S:
        return  # whatever was laid meanwhile seems to have come at once
    card, player = PACK_24[sight.best], act.event.player
    led_as = PACK_24[sights[act.track].best] if sights[act.track].best < BACK else None
    if led_as is None or act.event.card != led_as:
        return
    if card in story.state.seen or card in (led_as, led_as.partner):
        return  # whoever lays king and queen shows them
    if player in players_out(story.states[-2]):
        return  # whoever has 66 lays the hand open
    if reached(seen.reaches, player.other, act.time - TAKEN_S, seen.time):
        return  # it may have brought this one
    shown = unseen_partner(story.states[-2], led_as) is not None
    price = LOG_STUCK_TOGETHER + LOG_NOT_SHOWN * shown + side(sight.from_south, player)
    stays = replace(table, mistaken=seen.track)
    yield altered(story, passed=story.passed | {seen.track}, table=stays, extra=story.extra + price)
    without = story.refolded(story.acts[:-1])
    other = replace(act, event=CardPlayed(player, card), track=seen.track)
    led = None if without is None else without.then(other, index=sight.best)
    if led is not None:
        readings = {track: index for track, index in led.readings.items() if track != act.track}
        table = Table(turn_up=table.turn_up, led=seen.track, mistaken=act.track)
        passed = led.passed | {act.track}
        price = LOG_STUCK_TOGETHER + side(sights[act.track].from_south, player)
        yield altered(led, readings=readings, passed=passed, table=table, extra=story.extra + price)


def trick_taken_back(story: Story, seen: Gone, sights: Sights) -> Iterator[Story]:
    """Yield the story in which both cards of the last trick went back to who had played them."""
    table, acts = story.table, story.acts[-2:]
    if story.state.led is not None or len(acts) < 2 or table.kept is not None:
        return
    players = [act.event.player for act in acts if not act.told and isinstance(act.event, CardPlayed)]
    if len(players) < len(acts):
        return
    trick = table.led, table.answer
    if (acts[0].track, acts[1].track) != trick or seen.track not in trick:
        return
    both = [sights[act.track] for act in acts if act.track is not None and act.track in sights]
    if len(both) < 2 or any(one.lies for one in both) or both[1].lay_s > FALLEN_S:
        return
    without = story.refolded(story.acts[:-2])
    if without is None:
        return
    if not all(
        reached(seen.reaches, player, one.last_seen - TAKEN_S, one.last_seen + TAKEN_S)
        for player, one in zip(players, both, strict=True)
    ):
        return
    back = altered(without, table=Table(turn_up=table.turn_up), alone=None)
    yield altered(back, extra=without.extra + LOG_TRICK_BACK)


def taken_up(story: Story, seen: Gone, sights: Sights) -> Story:
    """Return the story in which its player takes up what was laid out of turn."""
    sight, table = sights[seen.track], replace(story.table, mistaken=None)
    owner = Player.SOUTH if sight.from_south > 0.5 else Player.NORTH
    price = hand_price(seen.reaches, owner, sight.last_seen - TAKEN_S, sight.last_seen + TAKEN_S)
    return altered(story, table=table, extra=story.extra + price)
