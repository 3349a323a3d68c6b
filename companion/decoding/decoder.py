"""From what lies on the table to what happened: views in, settled entries out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import exp, inf

from companion.decoding.beam import alike
from companion.decoding.belief import Belief
from companion.decoding.deals import deals
from companion.decoding.evidence import Bare, Evidence, Glimpsed, Gone, Laid, Piled, TurnedUp, Unturned
from companion.decoding.ledger import Ledger
from companion.decoding.likelihood import LOG_CLAIM_UNHEARD, Sight
from companion.decoding.options import DecoderOptions
from companion.decoding.revision import change_of, corrected, revised, taught
from companion.decoding.settler import Moment, Settler
from companion.decoding.shown import last_shown
from companion.decoding.story import Act, Story
from companion.decoding.sweep import Sweep, claimed_unheard, may_be_thrown_in
from companion.decoding.unseen import answered_unseen
from companion.decoding.watcher import Watcher
from companion.decoding.words import Words, forgotten
from companion.rules.cards import PACK_24, Card, Player
from companion.rules.events import CardPlayed, Claimed, Conceded, Dealt, Event, GivenUp
from companion.rules.hand import HandState
from companion.rules.match import next_dealer
from companion.rules.record import Record
from companion.rules.ruleset import RuleSet
from companion.table.entry import CAMERA, Asked, Entry, Settled
from companion.table.observation import TableView

__all__ = ["Decoder", "DecoderOptions"]

LOG_OTHER_DEALER = -6.0
"""The deal going to the wrong player: the dealer of a hand follows from the hand before."""
GIVEN_UP_CONFIDENCE = 0.5
CLEARLY = 0.9
"""Least sureness of two turn-ups that cannot be one misread."""
DEALT_UNSEEN_S = 10.0
"""A turn-up that comes in sight so soon after nobody looked may have been dealt meanwhile."""
MISDEALT_S = 20.0
"""Cards that were dealt wrong are taken up so soon; later a hand was played, and nobody saw it."""


class Decoder:
    """Weighs stories of the hand against what the tracker sees. Deterministic.

    What is settled stays settled; if another story wins later by a clear margin, everything from
    there on is withdrawn openly and told anew.

    Args:
        rules: The house rules.
        dealer: Who dealt the first hand; without it, worked out from who leads first.
        first_seq: Number of the first entry.
        options: See `DecoderOptions`.
    """

    def __init__(
        self,
        rules: RuleSet,
        *,
        dealer: Player | None = None,
        first_seq: int = 1,
        options: DecoderOptions | None = None,
    ) -> None:
        self._rules = rules
        self._options = options or DecoderOptions()
        self._dealer = dealer
        self._dealer_sure = dealer is not None
        self._ledger = Ledger(rules, first_seq)
        self._settler = Settler(self._options, self._ledger)
        self._watcher = Watcher()
        self._belief = Belief(self._options, self._watcher.sights)
        self._words = Words(self._options)
        self._awaited_after = 0
        """Number of the last entry of the hand after which a deal is awaited."""
        self._sweep = Sweep()
        self._unheard = False
        """Whether a claim that nobody pressed has been told in this hand; it is told once."""
        self._pressed = False
        """Whether claims are pressed at this table, as far as is known."""
        self._before: tuple[int, tuple[Story, ...]] | None = None
        """The card laid last, and the stories before it, where nobody has said anything since."""
        self._time = 0.0
        self._resumes = False
        self._resumed_at: float | None = None
        self._arms = False
        self._stirred = -inf
        """When something moved on the table last."""

    @property
    def state(self) -> HandState | None:
        """The current hand as settled so far; `None` before the first deal."""
        return self._ledger.state

    @property
    def records(self) -> tuple[Record, ...]:
        """Finished hands, oldest first."""
        return self._ledger.records

    @property
    def stories(self) -> tuple[Story, ...]:
        """The stories alive, likeliest first."""
        return self._belief.stories

    @property
    def weighed(self) -> tuple[tuple[float, Story], ...]:
        """The stories alive with their log-probabilities, likeliest first."""
        return self._belief.weighed

    @property
    def sights(self) -> Mapping[int, Sight]:
        """What is known of each track."""
        return self._watcher.sights

    def update(self, view: TableView) -> tuple[Entry, ...]:
        """Take one view of the table and return what settled with it, in order."""
        self._time = view.time
        if self._resumes:
            self._resumes, self._resumed_at = False, view.time
        self._arms = view.south_arm or view.north_arm
        self._stirred = self._stirred if view.quiet else view.time
        entries: list[Entry] = []
        for seen in self._watcher.update(view):
            entries.extend(self._take(seen))
        if not self._belief:
            return tuple(entries)
        self._belief.look_again()
        self._hear(self._time)
        entries.extend(self._settle())
        swept = self._sweep.ends(self._belief.best, self._time, self._options.swept_s)
        if swept is not None:
            entries.extend(self._claim_unheard(swept))
        self._await_next()
        return tuple(entries)

    def tell(self, event: Event, time: float, source: str) -> tuple[Entry, ...]:
        """Take what a player said: a word of the game, or a correction.

        `CardPlayed` names the card of the play that was asked about, else of the player's last
        play. A word that is not yet possible waits a moment for the cards that it belongs to.

        Args:
            event: What was said.
            time: On the source's clock, seconds.
            source: As in `Settled`.
        """
        self._time, self._before = max(self._time, time), None
        self._pressed |= isinstance(event, Claimed)
        if isinstance(event, Dealt):
            return tuple(self._deal_told(event, time, source))
        if not self._belief:
            return ()
        if isinstance(event, CardPlayed):
            at = self._meant(event)
            if at is None:
                return ()
            stories = [corrected(story, at, event, source) for story in self._belief.stories]
            self._belief.keep(story for story in stories if story is not None)
            self._settler.open.discard(at)
        else:
            self._words.say(event, time, source)
            self._hear(self._time)
        return tuple(self._settle())

    def may_say(self, time: float) -> frozenset[Event]:
        """Return which claims and calls may be made at `time` by any story not far behind the best."""
        return self._words.sayable(self._belief, time, self._watcher.dark(time))

    def is_swept(self, time: float) -> bool:
        """Return whether the last trick of all has been taken up for so long that nobody claims any more."""
        best = self._belief.best if self._belief else None
        return best is not None and self._sweep.is_over(best, time, self._options.swept_s)

    def retract_last(self, time: float, source: str) -> tuple[Entry, ...]:
        """Withdraw the last settled event of the hand, whatever the camera thinks of it."""
        written = self._ledger.current
        if not written:
            return ()
        at, event, over = len(written) - 1, written[-1].event, self._is_over()
        out = self._settler.withdraw_from(at, time, source)
        self._before = None
        if at == 0:
            self._belief.start(())
            self._watcher.await_deal(time)
            return tuple(out)
        stories = [forgotten(story, at, event) for story in self._belief.stories]
        self._belief.keep(story for story in stories if story is not None)
        if over and not self._is_over():
            self._go_on(written[-1].time)
        return tuple(out)

    def finish(self, time: float) -> tuple[Entry, ...]:
        """The source has ended: decide what is still open."""
        self._time = max(self._time, time)
        return tuple(self._conclude(self._time, dealt_anew=False))

    def resume(self, entries: Sequence[Entry]) -> None:
        """Go on after a restart where the log ends.

        Raises:
            ImpossibleEvent: The log is not the log of a table.
        """
        self._ledger.resume(entries)
        written = self._ledger.current
        if not written:
            return
        story: Story | None = Story.begin(self._rules, Act(written[0].event, written[0].time))
        for at, entry in enumerate(written[1:], start=1):
            if story is not None:
                story = story.then(Act(entry.event, entry.time, source=entry.source))
            if isinstance(entry.event, CardPlayed) and entry.event.card is None:
                self._settler.take_up(at)
        if story is not None:
            self._belief.start((story,))
            self._time = written[-1].time
            self._watcher.await_deal(-1.0, over=story.state.over)
            if story.state.over and story.state.stock_open:
                self.leave(story.state.bottom, self._time)
            self._sweep = Sweep(self._time if story.state.over else None)
            self._unheard = any(_tells_unheard(entry) for entry in entries if entry.time >= written[0].time)
            self._resumes = True
            self._watcher.resume(self._time)
            if not story.state.over and not story.state.stock_open:
                self._watcher.dealt_before()

    def leave(self, turn_up: Card | None, since: float) -> None:
        """Take what lies there for what is left of a hand, if its turn-up lies there.

        Args:
            turn_up: The card that lay face up under its stock; `None`: not known.
            since: When the hand was over, seconds.
        """
        if turn_up is not None:
            self._watcher.leave(PACK_24.index(turn_up), since)

    def revise(self, hand: Sequence[Settled], next_seq: int) -> bool:
        """Take over what somebody corrected, and go on with what is known of the cards on the table.

        What a person said is no reading: no later evidence changes it.

        Args:
            hand: The entries of the current hand as they stand now.
            next_seq: Number of the next entry.

        Returns:
            Whether a story was left; else a new decoder has to `resume` the log.
        """
        before, self._before = self._ledger.current, None
        if not before:
            self._ledger.revise((), next_seq)
            return True
        change = change_of(before, hand)
        if change is None:
            return False
        stories = [story for story in self._belief.stories if self._settler.tells(story)]
        others = [story for story in self._belief.stories if story not in stories]
        if change.new or change.old:
            stories = [story for old in stories if (story := revised(old, change)) is not None]
            others = [story for old in others if (story := taught(old, change)) is not None]
        if not stories:
            return False
        best = self._belief.best
        if best.dealt.prior and stories[0].state.dealer is not best.state.dealer:
            self._watcher.turn_round()  # who was expected did deal: it was the sides that were wrong
        over = self._is_over()
        self._ledger.revise(hand, next_seq)
        self._settler.revise(change.start, change.old, change.grows)
        self._belief.keep((*stories, *others))  # what was said may have spoken for one of the others
        if over and not self._is_over():
            self._go_on(before[-1].time)
        return True

    def _is_over(self) -> bool:
        """Whether the hand is over, as it is written."""
        return self._ledger.state is not None and self._ledger.state.over

    def _go_on(self, ended: float) -> None:
        """The hand is not over after all: what has been laid since it seemed to end is part of it."""
        if self._sweep.last is None or self._sweep.last < ended:
            self._watcher.dealt()
        tracks = self._watcher.tell_again(ended)
        self._belief.keep(
            story
            if story.state.over
            else replace(story, passed=story.passed - tracks, shown=story.shown - tracks)
            for story in self._belief.stories
        )

    # Evidence

    def _take(self, seen: Evidence) -> list[Entry]:
        if (
            isinstance(seen, Laid | TurnedUp | Glimpsed | Gone | Piled)
            and seen.track not in self._watcher.sights
        ):
            return []  # a card of the hand before; the deal told in the same view has dropped it
        if isinstance(seen, TurnedUp | Unturned) and self._is_next_deal(seen):
            return self._deal_after(seen)
        if isinstance(seen, Unturned):
            self._watcher.dealt()
            return []
        if isinstance(seen, TurnedUp) and seen.deal:
            self._watcher.dealt()
            seen = replace(seen, deal=False)
        if isinstance(seen, Laid) and self._lay_before(seen):
            self._belief.pass_over(seen.track)
            return []
        self._sweep.see(seen)
        if isinstance(seen, Bare):
            over = not self._belief or self._belief.best.state.over
            self._watcher.await_deal(seen.time - 0.1, over=over)
        if self._belief:
            if isinstance(seen, Laid | TurnedUp):
                self._before = seen.track, self._belief.stories
            self._belief.take(seen)
        return []

    def _is_next_deal(self, seen: TurnedUp | Unturned) -> bool:
        """Whether what is turned up, or lies there unturned, was dealt after the hand that is known."""
        if isinstance(seen, Unturned):
            return not self._belief or self._belief.best.state.over or self._sweep.last is not None
        if seen.deal:
            return not self._goes_on(seen)
        return bool(self._belief) and self._dealt_unseen(seen)

    def _lay_before(self, seen: Laid) -> bool:
        """Whether a card found at a resumption has been played before, or is the turn-up being drawn."""
        if not self._resuming(seen.time) or not self._belief:
            return False
        best, state = self._watcher.sights[seen.track].best, self._belief.best.state
        if best >= len(PACK_24):
            return False
        drawing = state.led is None and 2 * len(state.tricks) <= self._rules.stock_size
        under_stock = PACK_24[best] == state.bottom and (state.stock_left > 0 or drawing)
        return PACK_24[best] in state.seen or under_stock

    def _resuming(self, time: float) -> bool:
        """Whether the decoder has only begun to look again at a hand that the log began."""
        return self._resumed_at is not None and time <= self._resumed_at + self._options.resume_s

    def _goes_on(self, seen: TurnedUp) -> bool:
        """Whether a turn-up beside a stock is that of the hand in progress, seen again."""
        if not self._belief:
            return False
        state = self._belief.best.state
        if self._sweep.last is None and not state.over:
            return not self._dealt_unseen(seen)
        if state.over or not state.stock_open or state.bottom is None:
            return False
        best = self._watcher.sights[seen.track].best
        lowest = Card(self._rules.lowest_trump, state.bottom.suit)
        exchangeable = state.exchanged_by is None and lowest not in state.seen
        if exchangeable and self._resuming(seen.time) and best == PACK_24.index(lowest):
            return True
        return best == PACK_24.index(state.bottom)

    def _dealt_unseen(self, seen: TurnedUp) -> bool:
        """Whether a turn-up can only be of a hand that was dealt while nobody looked.

        Under the stock of the hand that is written lies what was turned up, or the lowest trump for which
        that was exchanged. Both readings must be clear: a misread turn-up is no new deal.
        """
        state, written = self._belief.best.state, self._ledger.current
        dark = self._watcher.dark(seen.time)
        unwatched = self._resuming(seen.time) or (dark is not None and dark[1] >= seen.time - DEALT_UNSEEN_S)
        sight = self._watcher.sights[seen.track]
        if not (unwatched and written and state.dealt_up is not None and sight.best < len(PACK_24)):
            return False
        lowest = Card(self._rules.lowest_trump, state.dealt_up.suit)
        same = {PACK_24.index(card) for card in (state.dealt_up, lowest)}
        clear = min(written[0].confidence, exp(sight.log_p[sight.best]))
        return not state.over and sight.best not in same and clear >= CLEARLY

    def _deal_after(self, seen: TurnedUp | Unturned) -> list[Entry]:
        """A next hand has been dealt: decide how this one ended, without its turn-up."""
        if self._before is not None and isinstance(seen, TurnedUp) and self._before[0] == seen.track:
            self._belief.keep(self._before[1])
        elif isinstance(seen, TurnedUp):
            stories = [_unplayed(story, seen.track) for story in self._belief.stories]
            self._belief.keep(story for story in stories if story is not None)
        out = self._conclude(seen.time)
        self._begin_hand(seen)
        return out

    def _begin_hand(self, seen: TurnedUp | Unturned) -> None:
        self._ledger.close_hand()
        self._settler.begin_hand()
        self._words.forget()
        self._sweep, self._before, self._unheard = Sweep(), None, False
        self._watcher.dealt(anew=True)
        self._watcher.forget(seen.time - 1.0)
        dealers = {
            dealer: 0.0 if self._dealer in (None, dealer) else LOG_OTHER_DEALER
            for dealer in Player
            if self._dealer in (None, dealer) or not self._dealer_sure
        }
        self._belief.start(deals(self._rules, dealers, seen, self._watcher.sights))

    def _settle(self) -> list[Entry]:
        now = Moment(self._time, self._arms, self._watcher.turn_up_in_view)
        return self._settler.settle(self._belief, now)

    # Words

    def _hear(self, time: float) -> None:
        """Put what was said into the stories, as far as it need not wait any longer at `time`."""
        if self._words:
            self._before = None
        self._words.hear(self._belief, self._settler, time, self._watcher.dark(self._time), self._stirred)

    def _meant(self, event: CardPlayed) -> int | None:
        """Position of the play that is meant: the one asked about, an open one, else the player's last."""
        chain = self._belief.best.chain
        asked = self._settler.asked_at(event)
        if asked is not None and asked < len(chain):
            return asked
        for at in sorted(self._settler.open):
            if at < len(chain) and alike(self._ledger.current[at].event, event):
                return at
        plays = [
            at
            for at, act in enumerate(chain)
            if isinstance(act.event, CardPlayed) and act.event.player is event.player
        ]
        return plays[-1] if plays else None

    def _deal_told(self, event: Dealt, time: float, source: str) -> list[Entry]:
        """A player says that a hand begins and who dealt it; one that is seen and not written yet is that."""
        if event.turned_up is None and self._only_seen:
            return self._dealt_by(event.dealer)
        entries = self._conclude(time)
        # what has come since the hand before was over may be dealt already
        since = self._ledger.current[-1].time if self._is_over() else time
        self._ledger.close_hand()
        self._settler.begin_hand()
        self._belief.start(())
        self._dealer, self._dealer_sure = event.dealer, True
        if event.turned_up is not None:
            self._belief.start((Story.begin(self._rules, Act(event, time, source=source)),))
            entries.extend(self._settle())
        else:
            self._watcher.await_deal(since)
        return entries

    def _dealt_by(self, dealer: Player) -> list[Entry]:
        """The hand that lies there has this dealer, whoever was expected."""
        self._dealer, self._dealer_sure = dealer, True
        stories = [story for story in self._belief.stories if story.state.dealer is dealer]
        if not stories:
            best = self._belief.best
            told = replace(best.dealt, event=Dealt(dealer, best.state.turned_up), prior=0.0)
            stories = [story for story in (best.refolded((), told),) if story is not None]
        self._belief.keep(stories)
        return list(self._settle())

    @property
    def _only_seen(self) -> bool:
        """Whether a hand has begun of which nothing but its deal was seen, and that is not written."""
        return bool(self._belief) and not (self._belief.best.acts or self._ledger.current)

    # The end of a hand

    def _claim_unheard(self, time: float) -> list[Entry]:
        """The table was swept in mid-hand at `time`: whoever could prove 66 has said so.

        A card that nobody answered was laid open with it. So has whoever has 66 with the last trick, where
        that pays otherwise: nothing but what is likely tells it, so it is asked.
        """
        written = self._ledger.state
        if self._words or self._unheard or (written is not None and written.ended):
            return []
        best = self._belief.best
        if may_be_thrown_in(best) and not self._pressed:
            return self._ask_of_last_cards()
        opened = next((one for one in last_shown(best) if claimed_unheard(one.state)), best)
        claimant = opened.state.claimant
        if claimant is None or not claimed_unheard(opened.state):
            return []
        if opened is not best:
            self._belief.start((opened,))
        out = self._settler.through(self._belief, self._time)
        grown = self._belief.best.then(Act(Claimed(claimant), time, prior=LOG_CLAIM_UNHEARD))
        if grown is None or not grown.state.ended:
            return out
        self._belief.start((grown,))
        self._unheard, self._before = True, None
        claim = self._ledger.settle(Claimed(claimant), time, self._options.heard_confidence, CAMERA)
        out.append(claim)
        if opened.state.played_out:
            out.append(self._ledger.ask("how_ended", self._time, claim.seq, (claim.event,)))
        return out

    def _ask_of_last_cards(self) -> list[Entry]:
        """Ask whether the last trick was one: where nobody presses, 66 may have been said before it."""
        out = self._settler.through(self._belief, self._time)
        state = self._ledger.state
        if state is None or not state.played_out:
            return out
        self._unheard = True
        lead = [entry for entry in self._ledger.current if isinstance(entry.event, CardPlayed)][-2]
        claim = Claimed(state.tricks[-1].leader)
        asked = self._ledger.ask("last_cards", self._time, lead.seq, (claim, lead.event), lead.time)
        return [*out, asked]

    def _conclude(self, time: float, *, dealt_anew: bool = True) -> list[Entry]:
        """Decide what is open in the current hand, and how it ended, at `time` at the latest."""
        if not self._belief:
            return []
        self._hear(inf)
        if dealt_anew and self._was_no_hand(time):
            return self._deal_taken_up()
        out = self._settler.through(self._belief, self._time)
        ended_at = self._sweep.ended_at(self._belief.best, min(time, self._time))
        if not self._belief.best.state.ended:
            out.extend(self._claim_unheard(ended_at))
        if self._belief.best.state.over:
            self._expect_dealer()
            return out
        state = self._ledger.state
        if state is not None and state.over:
            self._expect_dealer()
            return out  # ended by a claim, whatever its verdict will be once the open cards are named
        if self._ledger.current and isinstance(self._ledger.current[-1].event, Claimed):
            self._dealer, self._dealer_sure = None, False
            return out  # out of turn as it is written: a card before it was misread, and is asked about
        caught_up = answered_unseen(
            self._belief.best,
            self._watcher.sights,
            self._time,
            self._watcher.dark(self._time),
            in_dark_only=True,
        )
        if caught_up is not None:
            self._belief.start((caught_up,))
            out.extend(self._settler.through(self._belief, self._time))
            state = self._ledger.state
        begun = dealt_anew or not self._was_no_hand(time)
        if begun:
            out.append(self._ledger.ask("how_ended", self._time, None, (*_ends(state), GivenUp())))
        ended = self._belief.best.then(Act(GivenUp(), ended_at))
        if ended is not None:
            self._belief.start((ended,))
            out.append(self._ledger.settle(GivenUp(), ended_at, GIVEN_UP_CONFIDENCE, CAMERA))
            # it may have been won, and then another deals
            self._dealer, self._dealer_sure = None if begun else ended.state.dealer, False
        return out

    def _was_no_hand(self, before: float) -> bool:
        """Whether nobody had a trick when the cards were swept, or dealt anew, soon after the deal."""
        told = [self._belief.best.state, *([self._ledger.state] if self._ledger.state else [])]
        if any(state.over or state.tricks or state.marriages for state in told):
            return False
        best = self._belief.best
        return self._sweep.ended_at(best, min(before, self._time)) - best.dealt.time <= MISDEALT_S

    def _deal_taken_up(self) -> list[Entry]:
        """Withdraw what was no hand: cards dealt wrong, or cut for the deal; the same player deals."""
        if self._dealer is not None:
            self._dealer = self._belief.best.state.dealer
        return self._settler.withdraw_from(0, self._time)

    def _await_next(self) -> None:
        """Once the hand is over, look for the next deal and know who should deal it."""
        if self._expect_dealer():
            self._watcher.await_deal(self._ledger.current[-1].time)

    def _expect_dealer(self) -> bool:
        """Work out once who deals after a hand that is over; whether that is new."""
        state = self._ledger.state
        if state is None or not state.over or self._ledger.current[-1].seq == self._awaited_after:
            return False
        self._awaited_after = self._ledger.current[-1].seq
        self._dealer, self._dealer_sure = next_dealer(state), False
        return True


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


def _unplayed(story: Story, track: int) -> Story | None:
    """Return the story in which a track was no card played; `None` where there is no such story."""
    at = next((at for at, act in enumerate(story.chain) if at and act.track == track), None)
    return story if at is None else forgotten(story, at, story.chain[at].event)
