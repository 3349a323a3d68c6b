"""From what lies on the table to what happened: views in, settled entries out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf

from companion.decoding.beam import alike
from companion.decoding.belief import Belief
from companion.decoding.dealer import Dealer
from companion.decoding.deals import deals
from companion.decoding.ending import Ending
from companion.decoding.evidence import (
    Bare,
    Evidence,
    Glimpsed,
    Gone,
    Laid,
    Lingered,
    Piled,
    TurnedUp,
    Unturned,
)
from companion.decoding.gaps import Gaps
from companion.decoding.ledger import Ledger
from companion.decoding.likelihood import Sight
from companion.decoding.next_deal import NextDeal
from companion.decoding.options import DecoderOptions
from companion.decoding.revision import change_of, forgotten, named, revised, taught
from companion.decoding.settler import Moment, Settler
from companion.decoding.story import Act, Story
from companion.decoding.watcher import Watcher
from companion.decoding.words import Words
from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, Claimed, Dealt, Event
from companion.rules.hand import HandState
from companion.rules.record import Record
from companion.rules.ruleset import RuleSet
from companion.table.entry import AT_ONCE_S, ONE_TRACK_S, Entry, Settled
from companion.table.observation import TableView

__all__ = ["Decoder", "DecoderOptions"]

LAY_S = 3.0
"""A face that lay there for longer when a claim was pressed is a card of the hand that it ends."""


class Decoder:
    """Weighs stories of the hand against what the tracker sees. Deterministic.

    What is settled stays settled; if another story wins later by a clear margin, everything from
    there on is withdrawn openly and told anew.

    Args:
        rules: The house rules.
        dealer: Who should deal the first hand, unless the cards show otherwise; without it, worked out from
            who leads first.
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
        self._ledger = Ledger(rules, first_seq)
        self._dealer = Dealer(self._ledger, dealer)
        self._settler = Settler(self._options, self._ledger)
        self._watcher = Watcher()
        self._belief = Belief(self._options, self._watcher.sights)
        self._words = Words(self._options)
        self._ending = Ending(self._options, self._ledger, self._settler, self._belief, self._dealer)
        self._next_deal = NextDeal(
            rules, self._ledger, self._watcher, self._belief, self._ending, self._options.resume_s
        )
        self._gaps = Gaps(self._watcher)
        self._time = 0.0
        self._resumes = False
        self._sides_asked = False
        """Whether somebody has said who dealt this hand, which seemed to be dealt out of turn."""
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
            self._resumes, self._next_deal.resumed_at = False, view.time
        self._arms = bool(view.hands)
        self._stirred = self._stirred if view.quiet else view.time
        self._watcher.doubt_deal(bool(self._belief) and self._ending.may_be_no_hand(view.time))
        evidence = self._watcher.update(view)
        entries: list[Entry] = []
        gap = self._gaps.ended(view)
        if gap is not None and self._ledger.current:
            if not self._is_over() or self._ledger.current[-1].time > gap[0]:
                entries.append(self._ledger.note_unseen(*gap))
                self._gaps.told(gap)
            self._next_deal.look_for_stock(gap)
        for seen in evidence:
            entries.extend(self._take(seen))
        if not self._belief:
            return tuple(entries)
        self._belief.look_again()
        self._hear(self._time)
        entries.extend(self._settle())
        entries.extend(self._ending.update(self._time, waits=bool(self._words)))
        entries.extend(self._dealt_in_dark(entries))
        self._await_next()
        return tuple(entries)

    def tell(self, event: Event, time: float, source: str) -> tuple[Entry, ...]:
        """Take what a player said: a word of the game, or a correction.

        `CardPlayed` names the card of the play that was asked about, else of the player's last
        play; one that was asked about and is not told any more has been played all the same. A word
        that is not yet possible waits a moment for the cards that it belongs to.

        Args:
            event: What was said.
            time: On the source's clock, seconds.
            source: As in `Settled`.
        """
        self._time = max(self._time, time)
        self._belief.spoken()
        if isinstance(event, Claimed):
            self._ending.pressed()
        if isinstance(event, Dealt):
            return tuple(self._deal_told(event, time, source))
        if not self._belief:
            return ()
        if isinstance(event, CardPlayed):
            at = self._meant(event)
            if at is None:
                return ()
            told = Act(event, time, source=source)
            since = self._laid_since(at)
            stories = [named(story, at, told, since) for story in self._belief.stories]
            self._belief.keep(story for story in stories if story is not None)
            self._settler.open.discard(at)
        elif not self._keep_claimed(event):
            self._words.say(event, time, source)
            self._hear(self._time)
        entries = self._settle()
        return (*entries, *self._dealt_in_dark(entries))

    def may_say(self, time: float) -> frozenset[Event]:
        """Return which claims and calls may be made at `time` by any story not far behind the best."""
        return self._words.sayable(self._belief, time, self._watcher.dark(time))

    def is_swept(self, time: float) -> bool:
        """Return whether the last trick of all has been taken up for so long that nobody claims any more."""
        return self._ending.is_swept(time)

    def retract_last(self, time: float, source: str) -> tuple[Entry, ...]:
        """Withdraw the last settled event of the hand, whatever the camera thinks of it."""
        written = self._ledger.current
        if not written:
            return ()
        at, event, over = len(written) - 1, written[-1].event, self._is_over()
        out = self._settler.withdraw_from(at, time, source)
        self._belief.spoken()
        self._words.unsay(event)
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
        entries = self._conclude(self._time, dealt_anew=False)
        return (*entries, *self._dealt_in_dark(entries))

    def resume(self, entries: Sequence[Entry], since: float | None = None, seen: float | None = None) -> None:
        """Go on where the log ends.

        Args:
            entries: What was written before.
            since: When the table was seen last, seconds, where nobody looked at it for a while; -inf: nobody
                ever had; `None`: it was looked at all the time.
            seen: When it was seen first after that; `None`: it has not been yet.

        Raises:
            ImpossibleEvent: The log is not the log of a table.
        """
        self._ledger.resume(entries)
        self._gaps.resume(since, seen)
        written = self._ledger.current
        if not written:
            return
        story: Story | None = Story.begin(self._rules, Act(written[0].event, written[0].time))
        for entry in written[1:]:
            if story is not None:
                story = story.then(Act(entry.event, entry.time, source=entry.source))
        self._settler.take_up(entries)
        if story is not None:
            self._belief.start((story,))
            self._time = written[-1].time
            self._watcher.await_deal(-1.0, over=story.state.over)
            if story.state.over and story.state.stock_open:
                self.leave(story.state.bottom, self._time)
            of_hand = [entry for entry in entries if entry.time >= written[0].time]
            self._ending.resume(of_hand, self._time if story.state.over else None)
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
            self._watcher.leave(turn_up.index, since)

    def revise(self, hand: Sequence[Settled], next_seq: int) -> bool:
        """Take over what somebody corrected, and go on with what is known of the cards on the table.

        What a person said is no reading: no later evidence changes it.

        Args:
            hand: The entries of the current hand as they stand now.
            next_seq: Number of the next entry.

        Returns:
            Whether a story was left; else a new decoder has to `resume` the log.
        """
        before = self._ledger.current
        self._belief.spoken()
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
        if stories[0].state.dealer is not best.state.dealer:
            self._sides_asked = self._sides_asked or bool(best.dealt.prior)
            if self._sides_asked:
                # who was expected did deal, and the sides were wrong; or that was no true answer
                self._watcher.turn_round()
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
        if self._ending.swept_at is None or self._ending.swept_at < ended:
            self._watcher.dealt()
        tracks = self._watcher.tell_again(ended)
        self._belief.keep(
            story
            if story.state.over
            else replace(story, passed=story.passed - tracks, shown=story.shown - tracks)
            for story in self._belief.stories
        )

    # Evidence

    def _dealt_in_dark(self, entries: Sequence[Entry]) -> Iterator[Entry]:
        """Tell for how long nobody saw the table, where the cards lay dealt when it came in sight again."""
        for entry in entries:
            if isinstance(entry, Settled) and isinstance(entry.event, Dealt):
                gap = self._gaps.of_deal(entry.time, self._time)
                if gap is not None:
                    yield self._ledger.note_unseen(*gap)

    def _take(self, seen: Evidence) -> list[Entry]:
        if (
            isinstance(seen, Laid | TurnedUp | Glimpsed | Lingered | Gone | Piled)
            and seen.track not in self._watcher.sights
        ):
            return []  # a card of the hand before; the deal told in the same view has dropped it
        if isinstance(seen, TurnedUp) and seen.deal and self._words.waits_to_claim(seen.time + LAY_S):
            self._watcher.dealt()
            return []  # it lay there in this hand; what has come beside it was thrown in
        if isinstance(seen, TurnedUp | Unturned) and self._next_deal.is_next(seen):
            return self._deal_after(seen)
        if isinstance(seen, Unturned):
            self._watcher.dealt()
            return []
        if isinstance(seen, TurnedUp) and seen.deal:
            self._watcher.dealt()
            seen = replace(seen, deal=False)
        if isinstance(seen, Laid) and self._next_deal.lay_before(seen):
            self._belief.pass_over(seen.track)
            return []
        self._ending.see(seen)
        if isinstance(seen, TurnedUp) and self._ending.was_dealt_since(seen.time):
            return []  # it says nothing of a hand of which all had been taken up
        if isinstance(seen, Lingered) and not any(
            seen.track == one.table.led for one in self._belief.stories
        ):
            return []  # nothing is held back with an answer
        if isinstance(seen, Bare):
            over = not self._belief or self._belief.best.state.over
            self._watcher.await_deal(seen.time - 0.1, over=over)
        if self._belief:
            self._belief.take(seen)
        return []

    def _deal_after(self, seen: TurnedUp | Unturned) -> list[Entry]:
        """A next hand has been dealt: decide how this one ended, without what has been laid since."""
        if isinstance(seen, TurnedUp):
            since, dark = seen.time, self._watcher.dark(self._time)
            if dark is not None and dark[1] > seen.time - AT_ONCE_S:
                since = min(since, dark[1] - ONE_TRACK_S)
            laid = self._watcher.tell_again(since, but=seen.track)
            # the card told last goes first: what was thought before it is known
            for track in (*sorted(laid, reverse=True), seen.track):
                self._belief.unlay(track)
        out = self._conclude(seen.time)
        self._begin_hand(seen)
        return out

    def _begin_hand(self, seen: TurnedUp | Unturned) -> None:
        self._ledger.close_hand()
        self._gaps.begin_hand(seen.missed if isinstance(seen, Unturned) else None)
        self._settler.begin_hand()
        self._words.forget()
        self._sides_asked = False
        self._ending.begin_hand()
        self._watcher.dealt(anew=True)
        self._watcher.forget(seen.time - 1.0)
        self._belief.start(deals(self._rules, self._dealer.log_p, seen, self._watcher.sights))

    def _settle(self) -> list[Entry]:
        now = Moment(self._time, self._arms, self._watcher.turn_up_in_view)
        return self._settler.settle(self._belief, now)

    # Words

    def _hear(self, time: float) -> None:
        """Put what was said into the stories, as far as it need not wait any longer at `time`."""
        if self._words:
            self._belief.spoken()
        self._words.hear(self._belief, self._settler, time, self._watcher.dark(self._time), self._stirred)

    def _meant(self, event: CardPlayed) -> int | None:
        """Position of the play that is meant: the one asked about, an open one, else the player's last."""
        chain = self._belief.best.chain
        asked = self._settler.asked_at(event)
        if asked is not None:
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

    def _laid_since(self, at: int) -> float:
        """From when on a card at a position cannot be the one that was asked about there, seconds."""
        began = self._next_deal.resumed_at if at == self._settler.asked_before else None
        return inf if began is None else began + self._options.resume_s

    def _keep_claimed(self, event: Event) -> bool:
        """Keep the stories in which a claim that is asked about came there, and no card that was seen.

        Whoever says so does not speak of a card that nobody saw: whether there was one the likeliest tells.
        Returns whether there are any.
        """
        at = self._settler.asked_at(event) if isinstance(event, Claimed) else None
        if at is None:
            return False

        def claims(story: Story) -> bool:
            shown = (act.event for act in story.chain[at:] if act.told or not act.unseen)
            return next(shown, None) == event

        claimed = [story for story in self._belief.stories if claims(story)]
        if not claimed:
            return False
        unseen = claimed[0].chain[at].unseen
        if unseen:
            self._settler.ask_anew(at)
        self._belief.keep(story for story in claimed if story.chain[at].unseen == unseen)
        return True

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
        self._dealer.told(event.dealer)
        if event.turned_up is not None:
            self._belief.start((Story.begin(self._rules, Act(event, time, source=source)),))
            entries.extend(self._settle())
        else:
            self._watcher.await_deal(since)
        return entries

    def _dealt_by(self, dealer: Player) -> list[Entry]:
        """The hand that lies there has this dealer, whoever was expected."""
        self._dealer.told(dealer)
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

    def _conclude(self, time: float, *, dealt_anew: bool = True) -> list[Entry]:
        """Decide what is open in the current hand, and how it ended, at `time` at the latest."""
        if not self._belief:
            return []
        self._hear(inf)
        dark = self._watcher.dark(self._time)
        return self._ending.conclude(time, self._time, dark, dealt_anew=dealt_anew)

    def _await_next(self) -> None:
        """Once the hand is over, look for the next deal and know who should deal it."""
        if self._dealer.expect_next():
            self._watcher.await_deal(self._ledger.current[-1].time)
