"""Whether what is turned up, or lies there, is of the hand in progress or of one that was dealt after it."""

from __future__ import annotations

from math import exp

from companion.decoding.belief import Belief
from companion.decoding.dealing import SHUFFLED_S
from companion.decoding.ending import Ending
from companion.decoding.evidence import Dark, Laid, TurnedUp, Unturned
from companion.decoding.ledger import Ledger
from companion.decoding.watcher import Watcher
from companion.rules.cards import PACK_24, Card
from companion.rules.ruleset import RuleSet
from companion.table.entry import AT_ONCE_S

__all__ = ["NextDeal"]

CLEARLY = 0.9
"""Least sureness of two turn-ups that cannot be one misread."""
DEALT_UNSEEN_S = 10.0
"""A turn-up that comes in sight so soon after nobody looked may have been dealt meanwhile."""


class NextDeal:
    """Tells the next deal from the hand in progress, seen again.

    Args:
        rules: The house rules.
        ledger: What is written of the hand.
        watcher: What lies on the table.
        belief: What is thought of the hand.
        ending: Whether it is over.
        resume_s: So long after a log was taken up what lies there may have lain there before, seconds.
    """

    def __init__(
        self,
        rules: RuleSet,
        ledger: Ledger,
        watcher: Watcher,
        belief: Belief,
        ending: Ending,
        resume_s: float,
    ) -> None:
        self._rules = rules
        self._ledger = ledger
        self._watcher = watcher
        self._belief = belief
        self._ending = ending
        self._resume_s = resume_s
        self.resumed_at: float | None = None
        """When the table was seen first after a log was taken up, seconds; `None`: that has not been."""

    def look_for_stock(self, gap: Dark) -> None:
        """Look for a deal after a time in which the pack may have been dealt, where all of it had been drawn.

        A stock that lies there then upon its turn-up has been laid since: the last tricks of the hand before
        were missed. What comes later beside a pile of won tricks is led.
        """
        if not self._belief or gap[1] - gap[0] < SHUFFLED_S:
            return
        state = self._belief.best.state
        if not state.over and state.exhausted:
            self._watcher.await_deal(gap[0], over=False, lay_by=gap[1] + AT_ONCE_S)

    def is_next(self, seen: TurnedUp | Unturned) -> bool:
        """Whether what is turned up, or lies there unturned, was dealt after the hand that is known."""
        if isinstance(seen, Unturned):
            return not self._belief or self._belief.best.state.over or self._ending.swept_at is not None
        if seen.deal:
            return seen.instead or not self._goes_on(seen)
        return bool(self._belief) and self._dealt_unseen(seen)

    def lay_before(self, seen: Laid) -> bool:
        """Whether a card found at a resumption has been played before, or is the turn-up being drawn."""
        if not self.resuming(seen.time) or not self._belief:
            return False
        best, state = self._watcher.sights[seen.track].best, self._belief.best.state
        if best >= len(PACK_24):
            return False
        drawing = state.led is None and 2 * len(state.tricks) <= self._rules.stock_size
        under_stock = PACK_24[best] == state.bottom and (state.stock_left > 0 or drawing)
        return PACK_24[best] in state.seen or under_stock

    def resuming(self, time: float) -> bool:
        """Whether the decoder has only begun to look again at a hand that the log began."""
        return self.resumed_at is not None and time <= self.resumed_at + self._resume_s

    def _goes_on(self, seen: TurnedUp) -> bool:
        """Whether a turn-up beside a stock is that of the hand in progress, seen again."""
        if not self._belief:
            return False
        state = self._belief.best.state
        if self._ending.swept_at is None and not state.over:
            return not self._dealt_unseen(seen)
        sight = self._watcher.sights[seen.track]
        # the same card may be turned up again
        anew = sight.came and (self._ending.took_up_tricks() or self._ending.was_dealt_since(seen.time))
        if anew or state.over or not state.stock_open or state.bottom is None:
            return False
        best = sight.best
        lowest = Card(self._rules.lowest_trump, state.bottom.suit)
        exchangeable = state.exchanged_by is None and lowest not in state.seen
        if exchangeable and self.resuming(seen.time) and best == lowest.index:
            return True
        return best == state.bottom.index

    def _dealt_unseen(self, seen: TurnedUp) -> bool:
        """Whether a turn-up can only be of a hand that was dealt while nobody looked.

        Under the stock of the hand in progress lies what was turned up, or the lowest trump for which that
        was exchanged. Both readings must be clear: a misread turn-up is no new deal.
        """
        state = self._belief.best.state
        dark = self._watcher.dark(seen.time)
        unwatched = self.resuming(seen.time) or (dark is not None and dark[1] >= seen.time - DEALT_UNSEEN_S)
        sight = self._watcher.sights[seen.track]
        if not (unwatched and state.dealt_up is not None and sight.best < len(PACK_24)):
            return False
        lowest = Card(self._rules.lowest_trump, state.dealt_up.suit)
        same = {card.index for card in (state.dealt_up, lowest)}
        clear = min(self._turn_up_read(state.dealt_up), exp(sight.log_p[sight.best]))
        return not state.over and sight.best not in same and clear >= CLEARLY

    def _turn_up_read(self, card: Card) -> float:
        """Probability that this was turned up in the hand in progress, whoever dealt it."""
        told = [entry.confidence for entry in self._ledger.current[:1]]
        track = self._belief.best.dealt.track
        if track is not None and track in self._watcher.sights:
            told.append(exp(self._watcher.sights[track].log_p[card.index]))
        return max(told, default=0.0)
