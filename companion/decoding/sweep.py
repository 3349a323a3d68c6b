"""The table swept bare: most hands of which nobody says that they are over end so."""

from __future__ import annotations

from math import inf

from companion.decoding.evidence import (
    AtStock,
    Bare,
    Evidence,
    Glimpsed,
    Gone,
    Laid,
    Lingered,
    Rested,
    TurnedUp,
)
from companion.decoding.story import Story
from companion.rules.cards import Player
from companion.rules.events import CardPlayed
from companion.rules.hand import HandState
from companion.rules.scoring import award_of_claim, award_of_last_trick, claims_awaited, players_out

__all__ = ["Sweep", "claimed_unheard", "may_be_thrown_in"]


class Sweep:
    """When the table was bare in a hand, and of what.

    Attributes:
        last: When it was swept last, seconds; `None`: not in this hand.
    """

    def __init__(self, last: float | None = None) -> None:
        self.last = last
        self._since: float | None = None
        self._piles_gone = False
        self._was_all_gone = False
        self._empty: tuple[float, float] | None = None
        """From when till when nothing at all lay there, and nothing has been played since; `None`: not."""

    def see(self, seen: Evidence) -> None:
        """Take what a view has added; whatever comes to lie there ends it."""
        if isinstance(seen, Bare):
            self._since = self.last = seen.time
            self._piles_gone |= not seen.piles
            self._was_all_gone |= not seen.piles
            if not seen.piles:
                self._empty = seen.time, inf
        elif not isinstance(seen, Gone | Glimpsed | Lingered | AtStock | Rested):
            self._since, self._piles_gone = None, False
            if isinstance(seen, Laid):
                self._empty = None
            elif isinstance(seen, TurnedUp) and self._empty is not None:
                self._empty = self._empty[0], min(self._empty[1], seen.time)

    def ends(self, story: Story, time: float, lasts_s: float) -> float | None:
        """Return since when the table has been bare, where that lasts and ends the hand of a story.

        Without a stock it is bare after each trick, but for the won ones, and nobody takes those up before.
        """
        state = story.state
        if self._since is None or state.ended or time - self._since < lasts_s:
            return None
        taken_up = self._piles_gone and bool(story.piles)
        return self._since if state.played_out or state.stock_left > 0 or taken_up else None

    def took_up_tricks(self, story: Story) -> bool:
        """Return whether nothing at all lay there at a time in this hand, and won tricks had lain there.

        Whatever lies there since, nobody takes up the won tricks before a hand has ended.
        """
        return self._was_all_gone and bool(story.piles)

    def was_empty(self, until: float, for_s: float) -> bool:
        """Return whether nothing at all lay there for so long until a time, neither stock nor turn-up."""
        return self._empty is not None and min(self._empty[1], until) - self._empty[0] >= for_s

    def is_over(self, story: Story, time: float, lasts_s: float) -> bool:
        """Whether all cards were played and taken up so long ago, whatever lies there since."""
        last = self.last
        return last is not None and story.state.played_out and story.chain[-1].time <= last <= time - lasts_s

    def ended_at(self, story: Story, before: float) -> float:
        """When a hand ended of whose end nobody spoke: with the table swept, else as late as it can."""
        last = story.chain[-1].time
        # while the next hand is dealt it may seem bare again
        empty = None if self._empty is None else self._empty[0]
        return next((at for at in (empty, self.last) if at is not None and at >= last), max(last, before))


def claimed_unheard(state: HandState) -> tuple[Player, ...]:
    """Return who may claim, has 66 for certain, and would hardly have kept silent.

    After the last trick of all only those whose claim pays otherwise.
    """
    return claims_awaited(state) if state.played_out else players_out(state)


def may_be_thrown_in(story: Story) -> bool:
    """Whether whoever led to the last trick was out before, and lost it: a claim would have won the hand.

    Most who have 66 say so, and then the last cards are thrown in as they would be played.
    """
    last = story.acts[-2:]
    if not story.state.played_out or not all(isinstance(act.event, CardPlayed) for act in last):
        return False
    if last[0].told:
        return False  # somebody has said that it was led
    before, trick = story.states[-3], story.state.tricks[-1]
    if trick.leader not in players_out(before) or trick.winner is trick.leader:
        return False
    claimed, played = award_of_claim(before, trick.leader), award_of_last_trick(story.state)
    return claimed is not None and (played is None or played.winner is not claimed.winner)
