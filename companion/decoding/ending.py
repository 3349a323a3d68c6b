"""How a hand ends of which nobody says that it is over: the table is swept, or cards are dealt anew."""

from __future__ import annotations

from collections.abc import Iterable

from companion.decoding.belief import Belief
from companion.decoding.dealer import Dealer
from companion.decoding.dealing import SHUFFLED_S
from companion.decoding.evidence import Dark, Evidence
from companion.decoding.ledger import Ledger
from companion.decoding.likelihood import LOG_CLAIM_UNHEARD
from companion.decoding.options import DecoderOptions
from companion.decoding.settler import Settler
from companion.decoding.shown import last_shown
from companion.decoding.story import Act
from companion.decoding.sweep import Sweep, claimed_unheard, may_be_thrown_in
from companion.decoding.unseen import answered_unseen
from companion.rules.cards import Player
from companion.rules.events import CardPlayed, Claimed, Conceded, Event, GivenUp
from companion.rules.hand import HandState
from companion.rules.scoring import players_out
from companion.table.entry import CAMERA, Asked, Entry, Settled

__all__ = ["Ending"]

GIVEN_UP_CONFIDENCE = 0.5
MISDEALT_S = 20.0
"""Cards that were dealt wrong are taken up so soon; later a hand was played, and nobody saw it."""
TALKED_OVER_S = 45.0
"""Where nothing at all lay there but what was dealt, and the camera saw the table all the while, they may be
taken up so late, once it has been talked over."""


class Ending:
    """Decides how the hand in progress ended.

    Args:
        options: How long a swept table has to stay so, and how sure what is heard is.
        ledger: Takes what is decided.
        settler: Settles what is open before.
        belief: The stories of the hand.
        dealer: Is told what follows for the next deal.
    """

    def __init__(
        self, options: DecoderOptions, ledger: Ledger, settler: Settler, belief: Belief, dealer: Dealer
    ) -> None:
        self._options = options
        self._ledger = ledger
        self._settler = settler
        self._belief = belief
        self._dealer = dealer
        self._sweep = Sweep()
        self._told = False
        """Whether a claim that nobody pressed has been told in this hand; it is told once."""
        self._pressed = False
        """Whether claims are pressed at this table, as far as is known."""

    @property
    def swept_at(self) -> float | None:
        """When the table was swept last in this hand, seconds; `None`: it was not."""
        return self._sweep.last

    def begin_hand(self) -> None:
        """Another hand has begun."""
        self._sweep, self._told = Sweep(), False

    def resume(self, entries: Iterable[Entry], swept_at: float | None) -> None:
        """Go on with a hand that the log began; `entries`: what was written in it and asked about it."""
        self._sweep = Sweep(swept_at)
        self._told = any(_tells_unheard(entry) for entry in entries)

    def pressed(self) -> None:
        """Somebody has pressed a claim."""
        self._pressed = True

    def see(self, seen: Evidence) -> None:
        """Take what a view has added."""
        self._sweep.see(seen)

    def is_swept(self, time: float) -> bool:
        """Return whether the last trick of all has been taken up for so long that nobody claims any more."""
        best = self._belief.best if self._belief else None
        return best is not None and self._sweep.is_over(best, time, self._options.swept_s)

    def took_up_tricks(self) -> bool:
        """Return whether the won tricks have been taken up with all else that lay there, in this hand."""
        return bool(self._belief) and self._sweep.took_up_tricks(self._belief.best)

    def was_dealt_since(self, turned_up: float) -> bool:
        """Return whether what was turned up at a time came after the table had been empty for a deal."""
        return self._sweep.was_empty(turned_up, SHUFFLED_S)

    def update(self, now: float, *, waits: bool) -> list[Entry]:
        """Tell of a claim that nobody pressed, once the table has been swept in mid-hand.

        Args:
            now: Time of the view, seconds.
            waits: Whether a word waits for its cards; then that is what ended the hand.
        """
        swept = self._sweep.ends(self._belief.best, now, self._options.swept_s)
        return [] if swept is None else self._claim_unheard(swept, now, waits=waits)

    def conclude(self, time: float, now: float, dark: Dark | None, *, dealt_anew: bool) -> list[Entry]:
        """Decide what is open in the current hand, and how it ended.

        Args:
            time: When it ended at the latest, seconds.
            now: Time of the view, seconds.
            dark: The last time for which nobody saw the table.
            dealt_anew: Whether the next hand has been dealt; else nobody looks any more.
        """
        in_sight = dark is None or dark[1] < self._belief.best.dealt.time
        talked_over = in_sight and not (self._belief.best.acts or self._ledger.current[1:])
        if dealt_anew and self._was_no_hand(time, now, TALKED_OVER_S if talked_over else MISDEALT_S):
            self._dealer.deals_again(self._belief.best.state.dealer)
            return self._settler.withdraw_from(0, now)
        out = self._play_out(time, now)
        if self._is_over():
            self._dealer.expect_next()
            return out
        if self._ledger.current and isinstance(self._ledger.current[-1].event, Claimed):
            self._dealer.expect(None)
            return out  # out of turn as it is written: a card before it was misread, and is asked about
        caught_up = answered_unseen(self._belief.best, self._belief.sights, now, dark, in_dark_only=True)
        if caught_up is not None:
            self._belief.start((caught_up,))
            out.extend(self._play_out(time, now))
            if self._is_over():  # with the last card of all: how it ended could not be answered any more
                self._dealer.expect_next()
                return out
        begun = dealt_anew or not self._was_no_hand(time, now)
        if begun:
            out.append(self._ledger.ask("how_ended", now, None, (*_ends(self._ledger.state), GivenUp())))
        ended_at = self._ended_at(time, now)
        ended = self._belief.best.then(Act(GivenUp(), ended_at))
        if ended is not None:
            self._belief.start((ended,))
            out.append(self._ledger.settle(GivenUp(), ended_at, GIVEN_UP_CONFIDENCE, CAMERA))
            # it may have been won, and then another deals
            self._dealer.expect(None if begun else ended.state.dealer)
        return out

    def _play_out(self, before: float, now: float) -> list[Entry]:
        """Decide what is open, and who has said 66 when the cards were taken up."""
        out = self._settler.through(self._belief, now)
        return [*out, *self._claim_unheard(self._ended_at(before, now), now, waits=False)]

    def _ended_at(self, before: float, now: float) -> float:
        """When the cards were taken up, `before` at the latest, seconds."""
        return self._sweep.ended_at(self._belief.best, min(before, now))

    def _is_over(self) -> bool:
        """Whether the hand is over as it is told or written.

        Where it is only written: by a claim, whatever its verdict will be once the open cards are named.
        """
        written = self._ledger.state
        return self._belief.best.state.over or (written is not None and written.over)

    def _claim_unheard(self, time: float, now: float, *, waits: bool) -> list[Entry]:
        """The table was swept in mid-hand at `time`: whoever could prove 66 has said so.

        A card that nobody answered was laid open with it. So has whoever has 66 with the last trick, where
        that pays otherwise: nothing but what is likely tells it, so it is asked. Where both are out (by
        `any_player_between_tricks`) it is asked which of them spoke.
        """
        written, best = self._ledger.state, self._belief.best
        if waits or self._told or best.state.ended or (written is not None and written.ended):
            return []
        if may_be_thrown_in(best) and not self._pressed:
            return self._ask_of_last_cards(now)
        opened = next((one for one in last_shown(best) if claimed_unheard(one.state)), best)
        claimants = claimed_unheard(opened.state)
        if not claimants:
            return []
        first = Claimed(claimants[0])
        said = (first, *(Claimed(each) for each in players_out(opened.state) if each is not first.player))
        if opened is not best:
            self._belief.start((opened,))
        out = self._settler.through(self._belief, now)
        grown = self._belief.best.then(Act(first, time, prior=LOG_CLAIM_UNHEARD))
        if grown is None or not grown.state.ended:
            return out
        self._belief.start((grown,))
        self._told = True
        claim = self._ledger.settle(first, time, self._options.heard_confidence, CAMERA)
        out.append(claim)
        if opened.state.played_out or len(said) > 1:
            out.append(self._ledger.ask("how_ended", now, claim.seq, said))
        return out

    def _ask_of_last_cards(self, now: float) -> list[Entry]:
        """Ask whether the last trick was one: where nobody presses, 66 may have been said before it."""
        out = self._settler.through(self._belief, now)
        state = self._ledger.state
        if state is None or not state.played_out:
            return out
        self._told = True
        lead = [entry for entry in self._ledger.current if isinstance(entry.event, CardPlayed)][-2]
        claim = Claimed(state.tricks[-1].leader)
        asked = self._ledger.ask("last_cards", now, lead.seq, (claim, lead.event), lead.time)
        return [*out, asked]

    def may_be_no_hand(self, time: float) -> bool:
        """Return whether what was dealt may turn out to have been no hand yet, if it ended at `time`."""
        return self._was_no_hand(time, time)

    def _was_no_hand(self, before: float, now: float, within_s: float = MISDEALT_S) -> bool:
        """Whether nobody had a trick when the cards were swept, or dealt anew, soon after the deal.

        Cards were dealt wrong then, or cut for the deal.
        """
        told = [self._belief.best.state, *([self._ledger.state] if self._ledger.state else [])]
        if any(state.over or state.tricks or state.marriages for state in told):
            return False
        return self._ended_at(before, now) - self._belief.best.dealt.time <= within_s


def _tells_unheard(entry: Entry) -> bool:
    """Whether an entry tells of a claim that nobody pressed, or asks whether there was one."""
    match entry:
        case Settled(event=Claimed(), source=source):
            return source == CAMERA
        case Asked(about=int(), options=options):
            return any(isinstance(option, Claimed) for option in options)
        case _:
            return False


def _ends(state: HandState | None) -> tuple[Event, ...]:
    """Return how a hand may have ended of which nobody heard the end, likeliest first."""
    first = None if state is None else state.claimant
    if state is None or state.closed_by is None:
        return tuple(Claimed(player) for player in (Player if first is None else (first, first.other)))
    closer = state.closed_by
    said: tuple[Event, ...] = Claimed(closer), Conceded(closer)
    said = said if first is closer else said[::-1]
    # where both pay the same, one answer will do for a concession and the other's claim
    return said if state.rules.beaten_closer_award == "same" else (*said, Claimed(closer.other))
