"""When a belief becomes an entry, when a question, and when an entry is withdrawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp

from companion.decoding.asking import may_replace, offered, wording
from companion.decoding.beam import agreed, alike
from companion.decoding.belief import Belief
from companion.decoding.deals import is_misread
from companion.decoding.ledger import Ledger
from companion.decoding.options import DecoderOptions
from companion.decoding.story import Act, Story
from companion.decoding.waiting import (
    awaits_answer,
    is_out_of_turn,
    is_taken_back,
    may_be_exchanged,
    shows_pair,
)
from companion.rules.cards import PACK_24, Card
from companion.rules.events import CardPlayed, Closed, Dealt, Event, Exchanged, MarriageDeclared
from companion.table.detection import BACK
from companion.table.entry import CAMERA, OPEN_CONFIDENCE, Asked, Entry, Retracted, Settled

__all__ = ["Moment", "Settler"]


@dataclass(frozen=True, slots=True)
class Moment:
    """What settling must know of the table now.

    Attributes:
        time: Seconds.
        arms: Whether an arm reaches in.
        turn_up_in_view: Whether the turn-up is where it was.
    """

    time: float
    arms: bool
    turn_up_in_view: bool


class Settler:
    """Writes into the ledger what all close stories agree on, and withdraws what was wrong.

    What close stories tell differently is asked once, and written without the card's name when
    the game has moved on.
    """

    def __init__(self, options: DecoderOptions, ledger: Ledger) -> None:
        self._options = options
        self.ledger = ledger
        self.open: set[int] = set()
        """Positions of plays whose card nobody has named."""
        self._offered: dict[Event, int] = {}
        """What the questions of this hand offer, with the position that each is about."""
        self._asked: set[int] = set()
        self._ahead: dict[int, int] = {}
        """Numbers of the questions that were asked before anything was written at the position."""
        self.asked_before: int | None = None
        """Position of what had been asked about, and not written, when this went on with a log."""
        self._doubts: dict[int, float] = {}
        """Positions of the entries in doubt, and since when."""
        self._unheard: set[int] = set()
        """Positions of the leads that were written though close stories tell a marriage before them."""
        self._contest: tuple[int, float] | None = None
        """Position of the act on which close stories differ, and since when."""
        self._places: dict[Story, int | None] = {}
        """Where each story parts from `_places_of`, what was written and open at the last look."""
        self._places_of: tuple[tuple[Settled, ...], frozenset[int]] = ((), frozenset())

    def begin_hand(self) -> None:
        """Forget the questions of the hand before."""
        self.open, self._offered, self._asked, self._ahead = set(), {}, set(), {}
        self._doubts, self._unheard, self._contest, self.asked_before = {}, set(), None, None

    def take_up(self, entries: Sequence[Entry]) -> None:
        """Go on with what a log has written of the hand and asked about it.

        What was asked about what comes next is still open: nobody knows which that is.
        """
        written, start = self.ledger.current, self.ledger.current[0].seq
        dropped = {entry.withdraws for entry in entries if isinstance(entry, Retracted)}
        asked = [
            one for one in entries if isinstance(one, Asked) and one.seq > start and one.seq not in dropped
        ]
        for at, entry in enumerate(written):
            if _is_open(entry.event):
                self.open.add(at)
                # one that looked like a card that is asked about elsewhere waits for the answer to that
                if entry.source != CAMERA or any(_may_be_about(one, entry) for one in asked):
                    self._asked.add(at)
        for ahead in asked:
            if ahead.about is None and ahead.seq > written[-1].seq:
                self.asked_before = at = len(written)
                self._asked.add(at)
                self._ahead[at] = ahead.seq
                self._offered.update(dict.fromkeys(ahead.options, at))

    def revise(self, start: int, old: int, grows: int) -> None:
        """Move what is remembered of positions: `old` entries from `start` on have been corrected."""

        def moved(at: int) -> int | None:
            if at < start:
                return at
            return None if at < start + old else at + grows

        asked = {now for at in self._asked if (now := moved(at)) is not None}
        # a card without a name that was not asked about still waits for the answer to something else
        unasked: set[int] = set() if grows else self.open - self._asked
        self._asked = asked | (set(range(start, start + old + grows)) - unasked)
        self._ahead, self.asked_before = {}, None
        self._offered = {event: now for event, at in self._offered.items() if (now := moved(at)) is not None}
        self._unheard = {now for at in self._unheard if (now := moved(at)) is not None}
        self._doubts = {}
        written = enumerate(self.ledger.current)
        self.open = {at for at, entry in written if _is_open(entry.event)}

    def has_offered(self, event: Event) -> bool:
        """Whether any question of this hand offers `event`, decided since or not."""
        return event in self._offered

    def asked_at(self, event: Event) -> int | None:
        """Position that a question is about which nothing has decided yet and which offers `event`."""
        at = self._offered.get(event)
        return at if at is not None and (at >= len(self.ledger.current) or at in self.open) else None

    def ask_anew(self, at: int) -> None:
        """Let what is written at a position be asked about once more: the answer was about what followed."""
        self._asked.discard(at)
        self._ahead.pop(at, None)
        self._offered = {event: place for event, place in self._offered.items() if place != at}

    def settle(self, belief: Belief, now: Moment) -> list[Entry]:
        """Settle what is ripe and agreed; withdraw what another story contradicts clearly."""
        written = self.ledger.current
        clash = self._clash(belief, agreed(belief.best, belief.rivals, frozenset(self.open)))
        best, entries = self._followed(belief, clash, now.time, self._options.retract_margin)
        entries.extend(self._doubted(belief, now.time, self._options.ask_s, self._options.alone_s))
        rivals = belief.close_to(best)
        while len(written) < len(best.chain):
            # what is written was asked where it was in doubt; only stories that tell it decide what follows
            faithful = [story for story in rivals if self.tells(story)]
            common = agreed(best, faithful, frozenset(self.open))
            at = len(written)
            act = best.chain[at]
            if not self._ripe(best, at, now):
                break
            if best is not belief.best and self._unlikely(belief, best, at):
                break  # the likeliest story contradicts what is written: that is asked about, or withdrawn
            if at < common:
                entries.extend(self._write_asking(belief, at, act, now.time))
                continue
            entries.extend(self._contested(belief, best, faithful, now))
            if len(written) == at:
                break
        entries.extend(self._unnamed(belief, best, now.time))
        return entries

    def through(self, belief: Belief, time: float) -> list[Entry]:
        """Settle the whole best story now, leaving open what is not sure."""
        clash = self._clash(belief, len(belief.best.chain))
        best, out = self._followed(belief, clash, time, self._options.margin)
        out.extend(self._doubted(belief, time, 0.0, 0.0))  # there is no later moment to ask
        if best is not belief.best:
            belief.keep(story for story in belief.stories if self.tells(story))
        while len(self.ledger.current) < len(best.chain):
            at = len(self.ledger.current)
            act = best.chain[at]
            if act.told or belief.weight_of(act.event) >= self._options.sure:
                out.extend(self._write_asking(belief, at, act, time))
            else:
                out.extend(self._write_open(belief, at, act, time, asks=at not in self._asked))
        out.extend(self._unnamed(belief, best, time))
        return out

    def withdraw_from(self, at: int, time: float, source: str = CAMERA) -> list[Entry]:
        """Withdraw the entries from position `at` on, the last one first."""
        out: list[Entry] = []
        while len(self.ledger.current) > at:
            self.open.discard(len(self.ledger.current) - 1)
            out.append(self.ledger.withdraw(time, source))
        self._asked = {position for position in self._asked if position < at}
        self._unheard = {position for position in self._unheard if position < at}
        # what was asked of that course is asked anew if it is still in doubt
        gone = sorted(position for position in self._ahead if position >= at)
        out.extend(self.ledger.drop(self._ahead.pop(position), time) for position in gone)
        return out

    def _followed(
        self, belief: Belief, clash: int | None, time: float, margin: float
    ) -> tuple[Story, list[Entry]]:
        """Return the story to go on with, and what is withdrawn to do so.

        Where the best story contradicts what is written but does not lie `margin` before those
        that agree with it, the best of them is followed.
        """
        best = belief.best
        if clash is None:
            return best, []
        faithful = [story for story in belief.stories if self.tells(story)]
        if self.tells(best) or belief.lead_over(faithful) >= margin:
            return best, self.withdraw_from(clash, time)
        return faithful[0], []

    def _clash(self, belief: Belief, common: int) -> int | None:
        """Position from which the settled entries and the best story differ."""
        chain = belief.best.chain
        for at, entry in enumerate(self.ledger.current):
            if at >= len(chain):
                return at
            event = chain[at].event
            if entry.event == event:
                continue
            if at not in self.open or not alike(entry.event, event):
                return at
            named = isinstance(event, CardPlayed) and event.card is not None
            doubt = 1.0 - belief.weight_of(event)
            if named and at < common and doubt <= (1.0 - self._options.sure) / 4.0:
                return at
        return None

    def tells(self, story: Story) -> bool:
        """Whether a story tells what is written."""
        chain = story.chain
        return len(chain) >= len(self.ledger.current) and all(
            self._fits(at, chain[at].event) for at in range(len(self.ledger.current))
        )

    def _fits(self, at: int, event: Event) -> bool:
        """Whether `event` is what is written at a position, any card where that is open."""
        written = self.ledger.current[at].event
        return written == event or (at in self.open and alike(written, event))

    def _ripe(self, best: Story, at: int, now: Moment) -> bool:
        """Whether an act has lain long enough, and nothing is likely to come in before it."""
        act = best.chain[at]
        if any(later.told for later in best.chain[at:]):
            return True
        age = now.time - act.time
        if age < self._options.settle_s:
            return False
        if now.arms and age < self._options.alone_s and may_be_exchanged(best.states[at - 1], act.event):
            return False
        if act is best.chain[-1] and age < self._options.alone_s and is_out_of_turn(best):
            return False
        if not isinstance(act.event, CardPlayed | MarriageDeclared) or age >= self._options.hold_lead_s:
            return True
        before = best.states[at - 1]
        if before.led is not None:
            return True
        if before.turned_up is not None and best.table.turn_up is not None and not now.turn_up_in_view:
            return False
        card = act.event.card if isinstance(act.event, CardPlayed) else None
        if card is None or before.declared is not None or not now.arms:
            return True
        return card.partner is None or card.partner in before.seen

    def _unlikely(self, belief: Belief, best: Story, at: int) -> bool:
        """Whether most of the belief does not tell an act, and it need not be written yet."""
        moved_on = len(best.chain) - at > self._options.move_on
        return not moved_on and belief.weight_of(best.chain[at].event) < self._options.sure / 2.0

    def _write_asking(self, belief: Belief, at: int, act: Act, time: float) -> list[Entry]:
        """Write an act down; ask about a card that all take for misread, and about a dealer out of turn."""
        entry = self._write(belief, act)
        if isinstance(act.event, Dealt) and act.prior and not act.told:
            dealers = [act.event, replace(act.event, dealer=act.event.dealer.other)]
            return [entry, self._ask(belief, at, act, (), time, about=entry.seq, others=dealers)]
        if isinstance(act.event, Dealt) and is_misread(belief.best):
            return [entry, self._ask(belief, at, act, belief.stories, time, about=entry.seq)]
        if not isinstance(act.event, CardPlayed) or act.event.card is not None:
            return [entry]
        self.open.add(at)
        elsewhere = {one.event for one in belief.best.chain}
        answered = any(place == at and event in elsewhere for event, place in self._offered.items())
        if act.told or (at in self._asked and not answered) or self._looks_asked_about(belief, at, act):
            return [entry]
        earlier = self._ahead.pop(at, None)
        anew = [] if earlier is None else [self.ledger.drop(earlier, time)]
        return [entry, *anew, self._ask_card(belief, at, act, time)]

    def _ask_card(self, belief: Belief, at: int, act: Act, time: float) -> Asked:
        """Ask which card a play was that is written without it."""
        # stories that were dropped for what is written may be right after all, if that is wrong
        told = [
            one for one in belief.stories if at < len(one.chain) and alike(one.chain[at].event, act.event)
        ]
        seq = self.ledger.current[at].seq
        return self._ask(belief, at, act, told, time, about=seq, others=self._else(belief, act))

    def _unnamed(self, belief: Belief, best: Story, time: float) -> list[Entry]:
        """Ask about the cards that nobody has named and that no other question decides any more."""
        return [
            self._ask_card(belief, at, best.chain[at], time)
            for at in sorted(self.open - self._asked)
            if at < len(self.ledger.current) <= len(best.chain)
            and self.ledger.current[at].source == CAMERA
            and not self._looks_asked_about(belief, at, best.chain[at])
        ]

    def _write(self, belief: Belief, act: Act) -> Settled:
        confidence = 1.0 if act.told else min(0.999, self._sureness(belief, act.event))
        return self.ledger.settle(act.event, act.time, confidence, act.source)

    def _sureness(self, belief: Belief, event: Event) -> float:
        """How sure it is what comes next: which card, and, where a word was offered, that none was missed."""
        at = len(self.ledger.current)
        offers = [one for one, place in self._offered.items() if place == at]
        if all(isinstance(one, CardPlayed | Dealt) for one in (event, *offers)):
            return belief.weight_of(event)
        faithful = [story for story in belief.stories if self.tells(story) and at < len(story.chain)]
        here = [story for story in faithful if story.chain[at].event == event]
        return belief.weight(here) / belief.weight(faithful) if here else belief.weight_of(event)

    def _doubted(self, belief: Belief, time: float, ask_s: float, alone_s: float) -> list[Entry]:
        """Ask once about each entry that enough of the belief has told differently for a while.

        Where the likeliest story tells what is written, what follows mostly decides: that waits `alone_s`. So
        does what only a card makes doubtful that was laid out of turn, if what is written is right.
        """
        parts = self._parted(belief.stories)
        likeliest = next((story for story, place in parts if place is None), None)
        if awaits_answer(belief.best, likeliest) and time - belief.best.chain[-1].time < alone_s:
            ask_s = alone_s
        shares = belief.shares([place for _, place in parts])
        doubts = {
            at: self._doubts.get(at, time)
            for at in sorted(at for at in shares if at is not None)
            if shares[at] >= self._enough(at)
        }
        self._doubts = doubts
        out: list[Entry] = []
        for at, since in doubts.items():
            patience = ask_s if at == parts[0][1] else alone_s
            if at in self._asked or time - since < patience or self._echoed(at):
                continue
            written = self.ledger.current[at]
            stories = [
                story
                for story, place in parts
                if place in (None, at)
                and at < len(story.chain)
                and may_replace(story.chain[at].event, written.event)
            ]
            if stories:
                act = stories[0].chain[at]
                others = [written.event, *self._else(belief, act)]
                if self._is_word_in_doubt(belief, stories, at):
                    near = belief.rivals
                    stories, others = [story for story in stories if story in near], [written.event]
                out.append(self._ask(belief, at, act, stories, time, about=written.seq, others=others))
        return out

    def _is_word_in_doubt(self, belief: Belief, stories: Sequence[Story], at: int) -> bool:
        """Whether it is in doubt what was said before a card that is written, and hardly which card it was.

        Another card is not offered then: until somebody answers, it would count as one that nobody has named.
        """
        written = self.ledger.current[at].event
        if not isinstance(written, CardPlayed):
            return False
        told = [(story, story.chain[at].event) for story in stories]
        cards = [story for story, event in told if isinstance(event, CardPlayed) and event != written]
        said = any(not isinstance(event, CardPlayed) for _, event in told)
        return said and belief.weight(cards) <= 1.0 - self._options.sure

    def _enough(self, at: int) -> float:
        """From which share of the belief on an entry is in doubt."""
        if at in self._unheard:
            return exp(-self._options.margin)
        deal = isinstance(self.ledger.current[at].event, Dealt)
        return self._options.doubtful_deal if deal else self._options.doubtful

    def _echoed(self, at: int) -> bool:
        """Whether an open question about another play offers the card that is written here.

        One of the two was misread, and the answer to that question tells which.
        """
        match self.ledger.current[at].event:
            case CardPlayed(_, card) | Dealt(_, card) if card is not None:
                return self._asked_elsewhere(at, card)
            case _:
                return False

    def _looks_asked_about(self, belief: Belief, at: int, act: Act) -> bool:
        """Whether a card that nobody can name looks like one that is asked about at another play."""
        sight = belief.sights.get(act.track) if act.track is not None else None
        return sight is not None and sight.best < BACK and self._asked_elsewhere(at, PACK_24[sight.best])

    def _asked_elsewhere(self, at: int, card: Card) -> bool:
        return any(
            place != at and isinstance(one, CardPlayed) and one.card == card and self._is_undecided(place)
            for one, place in self._offered.items()
        )

    def _is_undecided(self, at: int) -> bool:
        """Whether nobody has said yet what was asked about a position."""
        if at not in self._asked:  # what was asked of a course that was withdrawn is asked no more
            return False
        written = self.ledger.current
        return at >= len(written) or at in self.open or written[at].source == CAMERA

    def _parted(self, stories: Sequence[Story]) -> list[tuple[Story, int | None]]:
        """Where each story parts from what is written; asked with every view, kept while both stay."""
        written = tuple(self.ledger.current), frozenset(self.open)
        known = self._places if written == self._places_of else {}
        places = {story: known[story] if story in known else self._parts(story) for story in stories}
        self._places, self._places_of = places, written
        return list(places.items())

    def _parts(self, story: Story) -> int | None:
        """Position of the first entry of the camera that a story tells differently.

        Also of what a person said, where the story tells that something came right before it.
        """
        chain = story.chain
        for at, entry in enumerate(self.ledger.current):
            if at >= len(chain):
                return None
            if not self._fits(at, chain[at].event):
                follows = at + 1 < len(chain) and chain[at + 1].event == entry.event
                return at if entry.source == CAMERA or follows else None
        return None

    @staticmethod
    def _else(belief: Belief, act: Act) -> list[Event]:
        """Return what else a play may have been, though no story tells it."""
        if not isinstance(act.event, CardPlayed):
            return []
        return [CardPlayed(act.event.player, card) for card in belief.likely(act.track, 3)]

    def _contested(self, belief: Belief, best: Story, rivals: Sequence[Story], now: Moment) -> list[Entry]:
        """Ask about an act on which close stories differ; write it openly once time moves on."""
        out: list[Entry] = []
        at, chain = len(self.ledger.current), best.chain
        act = chain[at]
        said = [story for story in rivals if _said_before(story, at, act)]
        plain = [story for story in rivals if at < len(story.chain) and story.chain[at].event == act.event]
        if len(said) + len(plain) == len(rivals) and belief.weight(said) >= self._options.doubtful:
            self._unheard.add(at)  # whether that was said is asked once this is written
            return [self._write(belief, act)]
        told = {story.chain[at].event for story in rivals if at < len(story.chain)}
        closing = any(isinstance(event, Closed) for event in told)
        # a close is no card that waits to be named; the longer the turn-up is gone, the surer it is
        moved_on = len(chain) - at > self._options.move_on + closing
        if self._contest is None or self._contest[0] != at:
            self._contest = (at, now.time)
        lasts = now.time - self._contest[1] >= self._options.contest_s  # what is written anew is no news
        # the jack is laid down before the turn-up is taken
        exchanging = now.arms and any(isinstance(event, Exchanged) for event in told)
        # it may be no card at all, and then there is nothing to be asked
        idle = belief.weight(story for story in rivals if len(story.chain) <= at) >= self._options.doubtful
        # a trick is gathered soon, and of a marriage one card goes back
        showing = any(shows_pair(story, belief.sights) for story in rivals)
        # who lays what may not be played mostly notices, and takes it back
        wrong = at > 0 and len(best.states[at].breaches) > len(best.states[at - 1].breaches)
        soon = moved_on or (len(told) > 1 and not (exchanging or closing or idle or showing or wrong))
        patience = self._options.ask_s if soon else self._options.alone_s
        if not lasts or now.time - act.time < patience or (at == 0 and not moved_on):
            return out
        if not moved_on and is_taken_back(best, act, belief.sights):
            return out  # another may be put in its place
        if told == {act.event} and belief.weight_of(act.event) >= self._options.sure:
            return [self._write(belief, act)]  # the others tell nothing yet, and nothing could be chosen from
        asks = at not in self._asked and not self._looks_asked_about(belief, at, act)
        if moved_on:
            return self._write_open(belief, at, act, now.time, asks=asks)
        if asks:
            # a story that tells what is written differently may be right: then this is what it tells
            asked = self._ask(belief, at, act, belief.stories, now.time, others=self._else(belief, act))
            self._ahead[at] = asked.seq
            out.append(asked)
        return out

    def _ask(
        self,
        belief: Belief,
        at: int,
        act: Act,
        stories: Sequence[Story],
        time: float,
        about: int | None = None,
        others: Sequence[Event] = (),
    ) -> Asked:
        """Ask what happened at a position: what the stories tell, then what else it may have been."""
        self._asked.add(at)
        options = offered(act.event, belief.told_at(at, stories), others)
        self._offered.update(dict.fromkeys(options, at))
        text = wording(act.event, options)
        return self.ledger.ask(text, time, about, options, None if act.unseen else act.time)

    def _write_open(self, belief: Belief, at: int, act: Act, time: float, *, asks: bool) -> list[Entry]:
        """Write an act down of which not everything is known, and ask about it then.

        A question that came before its deal would be one of the hand before.
        """
        doubtful = _is_open(act.event) or belief.weight_of(act.event) < self._options.sure
        if isinstance(act.event, CardPlayed) and doubtful:
            self.open.add(at)
            event = CardPlayed(act.event.player, None)
            entry = self.ledger.settle(event, act.time, OPEN_CONFIDENCE, act.source)
        else:
            entry = self._write(belief, act)
        if not asks:
            return [entry]
        others = self._else(belief, act)
        return [entry, self._ask(belief, at, act, belief.stories, time, about=entry.seq, others=others)]


def _said_before(story: Story, at: int, act: Act) -> bool:
    """Whether a story tells what `act` does, but right after a marriage, at a position, that nobody saw."""
    here = story.chain[at : at + 2]
    said = len(here) > 1 and here[0].track is None and isinstance(here[0].event, MarriageDeclared)
    return said and here[1].event == act.event


def _may_be_about(question: Asked, entry: Settled) -> bool:
    """Whether a question may be about an entry; one that nobody saw is known by its place only."""
    unseen = question.about is None and question.shows is None and question.seq < entry.seq
    return question.about == entry.seq or question.is_of(entry) or unseen


def _is_open(event: Event) -> bool:
    return isinstance(event, CardPlayed) and event.card is None
