"""The live table: owns the log, the decoder and the fold, in one thread of its own.

Everything that changes the game goes through here: views of the table from the camera and
commands from the phones, one after the other. What comes out is frozen: snapshots, published
to a feed. An event is shown only after it is in the log.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Protocol

from companion.live.answering import edit_by
from companion.live.command import (
    Answer,
    Command,
    CountAgain,
    Deed,
    Edit,
    NewMatch,
    Receipt,
    RefusedCommandError,
)
from companion.live.correction import Proposal, revised
from companion.live.decoder import DecoderFactory, TableDecoder
from companion.live.deed import REFEREE, act_of, undone
from companion.live.feed import Feed
from companion.live.fold import entries_of, fold
from companion.live.health import Record, Sight
from companion.live.last_look import LastLook
from companion.live.lookout import Lookout
from companion.live.match_log import MatchLog
from companion.live.recount import Recount, counted_again, kept
from companion.live.standing import Standing
from companion.live.view import snapshot_of
from companion.live.worker import Worker
from companion.rules.cards import Player
from companion.rules.events import CardPlayed, Event
from companion.rules.fair_play import TRAINING, FairPlay
from companion.rules.ruleset import RuleSet
from companion.store.item import Item, Pressed
from companion.store.log import EventLog, LogError
from companion.table.entry import Asked, Entry, Retracted, Settled
from companion.table.observation import TableView

__all__ = ["LiveTable", "TableWitness"]

REST_S = (1.0, 30.0)
"""First and longest rest after the decoder failed, seconds; the first also before the log is tried anew."""
ANSWER_WITHIN_S = 10.0
"""A command that has not been begun by then is taken back, and the phone is told."""
MANY_HANDS = 60
"""Of matches that follow from one another; with every entry all of them are worked out anew."""

_REMEMBERED_KEYS = 256

_log = logging.getLogger(__name__)


class TableWitness(Protocol):
    """What the table tells of what it sees; `companion.live.witness.Witness` is one."""

    def begin(self) -> None:
        """Begin anew with another source."""

    def saw(self, view: TableView) -> None:
        """Take what was made of the last picture."""

    def keep(self, time: float, event: Event) -> None:
        """Keep a still of `event`."""


class LiveTable:
    """One table, from when it is opened until it is closed.

    The public methods may be called from any thread; the work is done by the table's own, which alone
    touches log, decoder, standing and lookout: they need no lock. The feed has one of its own.
    As a context manager the table closes at the end of the block.
    """

    def __init__(
        self,
        log: EventLog,
        make_decoder: DecoderFactory,
        *,
        rules: RuleSet,
        names: tuple[str, str] = ("", ""),
        dealer: Player | None = None,
        fair: FairPlay = TRAINING,
        source: str = "none",
        clock: Callable[[], float] = time.monotonic,
        today: Callable[[], datetime] = lambda: datetime.now(UTC),
        witness: TableWitness | None = None,
        is_kept: Callable[[], bool] = lambda: True,
        called: str = "",
    ) -> None:
        """Take up the match that the log holds, or begin one.

        Args:
            log: The log; closed together with the table.
            make_decoder: Makes a decoder, for each match and after a failure.
            rules: House rules, where a match is begun; the log's own hold for one that goes on.
            names: South's and north's name for a match that is begun.
            dealer: Who deals first in a match that is begun; `None`: as the cards show.
            fair: Who sees what in a match that is begun.
            source: What it looks at, for the record; `none`: there is no camera.
            clock: Seconds that rise.
            today: Date and time of the wall clock.
            witness: Keeps pictures of what happens.
            is_kept: Whether the sitting still is, where somebody keeps it as a file; asked now and then.
            called: What the table is called among others.

        Raises:
            LogError: The log cannot be read or written.
        """
        self.feed = Feed(clock)
        self._match_log = MatchLog(log, clock=clock, today=today)
        self._lookout = Lookout(clock, self._publish, camera=source != "none", is_kept=is_kept)
        self._make_decoder = make_decoder
        self._clock = clock
        self._witness = witness
        self._done: OrderedDict[str, Receipt] = OrderedDict()
        self._boot = secrets.token_hex(4)
        self._changes = 0
        self._rest_until = 0.0
        self._rest_s = REST_S[0]
        self._unwritten: list[Entry] = []
        """What the decoder has settled, and the log had no room for."""
        self._write_again = 0.0
        self._untold = False
        """Whether the decoder was made anew, and has not been told what was pressed and is not settled."""
        self._last_look = LastLook()
        self._sheets = 0
        self._called = called
        self._recount: Recount | None = None
        self._match_log.open(source, rules=rules, names=names, dealer=dealer, fair=fair)
        self._standing = fold(self._match_log.items)
        self._begin_anew()
        self._tell_pending()
        self._append()
        self._publish()
        for key, position in self._match_log.keys(_REMEMBERED_KEYS).items():
            self._done[key] = Receipt(position, self._revision())
        self._worker = Worker("table", self._look_after_itself)
        self._part_evenings()

    # From any thread

    def see(self, view: TableView) -> None:
        """Take in a view; returns when what it settled is in the log and published.

        Times of views rise; see `shift`.

        Raises:
            TableClosedError: The table has been closed.
        """
        self._worker.ask(lambda: self._see(view))

    def begin(self, *, again: bool = False) -> None:
        """Say that a source of pictures starts, `again` where it has failed before; see `shift`."""

        def start() -> None:
            if self._witness is not None:
                self._witness.begin()
            self._last_look.look_away(self._standing.hand)
            self._renew(self._unwritten)  # what it knew of lay there under other numbers
            self._lookout.begin(again=again)

        self._worker.ask(start)

    def shift(self) -> float:
        """Return what is to be added to the times of a source whose first picture has come, seconds.

        Asked then, and not as the source starts: while a camera opens phones go on telling, and what they
        have told would be later than what is seen after it.
        """
        return self._worker.ask(lambda: self._match_log.now() if self._match_log.time > 0 else 0.0)

    def report(self, sight: Sight, why: str = "") -> None:
        """Say how the camera is; shown on every phone."""
        self._worker.ask(lambda: self._lookout.report(sight, why))

    def report_place(self, known: bool) -> None:
        """Say whether it is known where in the picture the table lies."""
        self._worker.ask(lambda: self._lookout.place(known))

    def finish(self) -> None:
        """Say that the source has ended for good: what is open is decided."""

        def end() -> None:
            self._unwritten += self._decoder.finish(self._match_log.now())
            self._is_written()
            self._lookout.report(Sight.ENDED)

        self._worker.ask(end)

    def submit(self, command: Command, *, key: str = "", source: str = REFEREE) -> Receipt:
        """Do what a phone asks; returns when it is in the log.

        Args:
            command: What is asked.
            key: Marks repetitions of one press: the same key is done once, and answered alike, also where the
                program was ended and started anew meanwhile.
            source: Who asks, as entries name it.

        Raises:
            RefusedCommandError: It cannot be done now; nothing has changed.
            TableClosedError: The table has been closed, or does not answer.
        """
        return self._worker.ask(lambda: self._perform(command, key, source), ANSWER_WITHIN_S)

    def done(self, key: str) -> Receipt | None:
        """Return what a press was answered that has been done; `None` where it has not, or long ago."""
        return self._done.get(key)

    def propose(self, edit: Edit | Answer) -> Proposal:
        """Say what `edit`, or the edit that an answer is, would come to; nothing is changed.

        Raises:
            RefusedCommandError: It cannot be done.
            TableClosedError: The table has been closed, or does not answer.
        """

        def tried() -> Proposal:
            change = edit_by(self._standing, edit.seq, edit.option) if isinstance(edit, Answer) else edit
            if change is None:
                return Proposal(self._standing, self._standing, None, 0)
            revision = revised(
                self._standing,
                change,
                now=self._match_log.now(),
                today=self._match_log.today(),
                next_seq=self._match_log.last_seq + 1,
                source=REFEREE,
            )
            after = self._as_seen(fold([*self._match_log.items, *revision.items]))
            return Proposal(self._standing, after, revision.seq, revision.turned)

        return self._worker.ask(tried, ANSWER_WITHIN_S)

    def announce_sheets(self, entries: int) -> None:
        """Tell every phone that there are `entries` on the score sheets now.

        Raises:
            TableClosedError: The table has been closed.
        """

        def announce() -> None:
            if entries > self._sheets:
                self._sheets = entries
                self._publish()

        self._worker.ask(announce)

    def standing(self) -> Standing:
        """Return where the match stands."""
        return self._worker.ask(lambda: self._standing)

    def close(self) -> None:
        """End the feed, finish what was asked before, write down what waits for that, close the log."""
        if self._worker.close():
            self.feed.close()
            self._write_last()
            self._match_log.close()

    def __enter__(self) -> LiveTable:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # In the table's thread

    def _see(self, view: TableView) -> None:
        self._match_log.saw(view.time)
        self._lookout.came()
        if self._clock() < self._rest_until:
            return
        self._testify(lambda witness: witness.saw(view))
        try:
            self._tell_pending()
            self._unwritten += self._decoder.update(view)
            if self._is_written():
                if not view.blind:
                    self._last_look.look(view.time, self._standing.hand)
                self._weigh_claims(view.time)
        except Exception as error:
            _log.exception("a view could not be taken in; the decoder starts anew from the log")
            self._rest(error)
            return
        self._rest_s = REST_S[0]
        self._lookout.saw(view)

    def _perform(self, command: Command, key: str, source: str) -> Receipt:
        if key and key in self._done:
            return self._done[key]
        if isinstance(command, CountAgain):
            self._recount = counted_again(self._recount, command, self._standing)
            self._publish()
        else:
            self._do(command, source, key)
        receipt = Receipt(self._match_log.position, self._revision())
        if key:
            self._done[key] = receipt
            if len(self._done) > _REMEMBERED_KEYS:
                self._done.popitem(last=False)
        return receipt

    def _weigh_claims(self, now: float) -> None:
        """Let whoever claims do so where the decoder takes more to have happened than is written."""
        before = self._standing.hand
        decoder = self._decoder
        self._standing = self._standing.as_seen(decoder.may_say(now), swept=decoder.is_swept(now))
        hand = self._standing.hand
        if before is None or hand is None or before is hand:
            return
        if before.words != hand.words or before.award != hand.award:
            self._publish()

    def _do(self, command: Deed, source: str, key: str) -> None:
        try:
            self._tell_pending()
            self._append()
            now, today, before = self._match_log.now(), self._match_log.today(), self._standing.hand
            self._weigh_claims(now)
            next_seq = self._match_log.last_seq + 1
            act = act_of(command, self._standing, now=now, today=today, next_seq=next_seq, source=source)
            pressed = [Pressed(now, event, act.source) for event in act.told]
            said = [entry for event in act.told for entry in self._decoder.tell(event, now, act.source)]
            withdrawn = () if act.withdraws is None else self._decoder.retract_last(now, act.source)
            unknown = None if withdrawn else act.withdraws
            if unknown is not None:
                withdrawn = (Retracted(self._match_log.last_seq + 1, now, unknown, act.source),)
            told = undone(self._standing, withdrawn, now=now, today=today, source=act.source)
            self._append([*act.items, *pressed, *said, *told, *withdrawn], key)
        except RefusedCommandError:
            raise
        except Exception as error:
            if isinstance(error, LogError):
                self._unrecorded()
                if not self._unwritten:
                    self._renew()  # the decoder knows now of what is not written down
            else:
                _log.exception("a command could not be done; the decoder starts anew from the log")
                self._rest(error)
            raise RefusedCommandError("not_recorded", f"not recorded: {error}") from error
        if act.renew or unknown is not None or (act.revises and not self._decoder_revised()):
            self._renew()
            played = before is not None and len(before.events) > 1
            if before is not None and played and before.state.stock_open and self._standing.hand is None:
                # it was of the match before
                self._decoder.leave(before.state.bottom, before.events[-1].time)

    def _decoder_revised(self) -> bool:
        """Hand over what was corrected; what the decoder knows of the table it keeps where it can."""
        hand = self._standing.hand if self._standing.called is None else None
        try:
            return self._decoder.revise(() if hand is None else hand.events, self._match_log.last_seq + 1)
        except Exception:
            _log.exception("a correction could not be taken in; the decoder starts anew from the log")
            return False

    def _renew(self, waiting: Sequence[Entry] = ()) -> None:
        """Begin anew from the log, what waits for it, and what was pressed and has not settled yet."""
        self._begin_anew(waiting)
        try:
            self._tell_pending()
        except Exception as error:
            _log.exception("what was pressed could not be taken up; the decoder starts anew from the log")
            self._rest(error)

    def _tell_pending(self) -> None:
        """Tell a new decoder, once, what was pressed and has not settled yet."""
        if self._untold:
            items = [*self._match_log.items, *self._unwritten]
            for press in (fold(items) if self._unwritten else self._standing).pending:
                self._unwritten += self._decoder.tell(press.event, press.time, press.source)
            self._untold = False

    def _is_written(self) -> bool:
        """Whether all that was settled is written down; what is not is tried now and then, in its order."""
        if self._unwritten and self._clock() >= self._write_again:
            try:
                self._append()
            except LogError:
                self._unrecorded()
        return not self._unwritten

    def _unrecorded(self) -> None:
        """Say that the log takes nothing now, within the handling of its error."""
        if self._lookout.health.record is Record.KEPT:
            _log.exception("what happens cannot be written down; it waits until it can")
        self._write_again = self._clock() + REST_S[0]
        self._lookout.unrecorded()

    def _look_after_itself(self) -> None:
        self._lookout.look()
        self._is_written()

    def _write_last(self) -> None:
        """Write down what waits, or name it: nobody comes back to it. The table's thread has ended."""
        try:
            self._match_log.append(self._unwritten)
        except Exception:
            _log.critical("lost, as it could not be written down: %s", self._unwritten, exc_info=True)

    def _append(self, items: Sequence[Item] = (), key: str = "") -> None:
        """Write down, after what waits for it, fold, publish; nothing is shown that is not in the log.

        Raises:
            LogError: Nothing was written; what waits goes on waiting.
            Exception: Something in it cannot be written at all; what waits is given up with it.
        """
        items = [*self._unwritten, *items]
        if not items:
            return
        try:
            self._match_log.append(items, key=key)
        except LogError:
            raise
        except Exception:
            self._unwritten = []
            raise
        self._unwritten = []
        before, standing = self._standing, fold(self._match_log.items)
        self._standing = self._as_seen(standing)
        self._recount = kept(self._recount, before, self._standing)
        self._lookout.recorded()
        self._publish()
        self._testify(lambda witness: _keep_stills(witness, items))

    def _as_seen(self, standing: Standing) -> Standing:
        """Return a new fold with what the decoder thought of the last one, nothing of a hand that begins."""
        last, hand = self._standing.hand, standing.hand
        if last is None or hand is None or last.events[0] != hand.events[0]:
            return standing.as_seen(frozenset(), swept=False)
        return standing.as_seen(last.sayable, swept=last.swept)

    def _testify(self, told: Callable[[TableWitness], None]) -> None:
        """Let the witness know; a picture that is lost is nothing to the game."""
        if self._witness is None:
            return
        try:
            told(self._witness)
        except Exception:
            _log.exception("no picture was kept")

    def _part_evenings(self) -> None:
        """Go on in a match of its own where those before, which all follow from one another, are many."""
        standing = self._standing
        rests = standing.called is None and (standing.hand is None or standing.hand.state.over)
        if rests and standing.match.winner is not None and len(standing.hands) > MANY_HANDS:
            with contextlib.suppress(RefusedCommandError):  # something is still open
                self.submit(NewMatch())

    def _begin_anew(self, waiting: Sequence[Entry] = ()) -> None:
        """Have a decoder that knows what is written down, what is `waiting` for that, and nothing else."""
        self._unwritten = list(waiting)
        self._decoder, self._untold = self._new_decoder(), True

    def _new_decoder(self) -> TableDecoder:
        started = self._standing.started
        last_seq = max((entry.seq for entry in self._unwritten), default=self._match_log.last_seq)
        decoder = self._make_decoder(started.rules, dealer=started.dealer, first_seq=last_seq + 1)
        entries = entries_of([*self._match_log.items, *self._unwritten])
        if entries or self._last_look.is_known:
            decoder.resume(entries, *self._last_look.gap)
        return decoder

    def _rest(self, error: Exception) -> None:
        """Begin anew from the log and what waits for it after a failure; leave pictures alone for a while."""
        self._last_look.look_away(self._standing.hand)
        self._begin_anew(self._unwritten)
        self._rest_until = self._clock() + self._rest_s
        self._rest_s = min(2 * self._rest_s, REST_S[1])
        self._lookout.failed(str(error))

    def _publish(self) -> None:
        self._changes += 1
        snapshot = snapshot_of(self._standing, self._lookout.health, self._revision(), self._recount)
        self.feed.publish(replace(snapshot, sheets=self._sheets, table=self._called))

    def _revision(self) -> str:
        return f"{self._match_log.position}-{self._boot}-{self._changes}"


def _keep_stills(witness: TableWitness, items: Sequence[Item]) -> None:
    for item in items:
        if isinstance(item, Settled):
            witness.keep(item.time, item.event)
        elif isinstance(item, Asked) and item.shows is not None:
            witness.keep(item.shows, _unread(item.options[0]))


def _unread(event: Event) -> Event:
    """An event as a question shows it: the place is known, the card is not."""
    return replace(event, card=None) if isinstance(event, CardPlayed) else event
