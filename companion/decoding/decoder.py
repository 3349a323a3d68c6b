"""From what lies on the table to what happened: views in, settled entries out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.decoding.beam import advance, agreed, alike, ranked, sharpened, weight_of
from companion.decoding.evidence import Bare, Evidence, Gone, TurnedUp, Watcher
from companion.decoding.ledger import Ledger
from companion.decoding.likelihood import LOG_CLAIM_UNHEARD
from companion.decoding.story import CAMERA, Act, Story, Table
from companion.rules.cards import PACK_24, Card, Player, Rank
from companion.rules.events import (
    CardPlayed,
    Claimed,
    Closed,
    Dealt,
    Event,
    Exchanged,
    GivenUp,
    MarriageDeclared,
)
from companion.rules.hand import HandState, ImpossibleEvent, check
from companion.rules.record import Record
from companion.rules.ruleset import RuleSet
from companion.rules.scoring import ENOUGH, count
from companion.table.entry import Asked, Entry, Settled
from companion.table.observation import TableView

__all__ = ["Decoder", "DecoderOptions"]

Beam = list[tuple[float, Story]]


@dataclass(frozen=True, slots=True)
class DecoderOptions:
    """How many stories are followed and when they are believed; times in seconds, odds in nats.

    Attributes:
        width: Stories kept. Too few and a late repair finds its story gone.
        within: Stories this far below the best are dropped.
        margin: Every story within this distance of the best must agree before an act settles.
        retract_margin: How much better another story must be to withdraw what was settled.
        settle_s: How long a card must have lain before it settles.
        hold_lead_s: How long a lead waits for what may still come before it: a closing, a marriage.
        ask_s: How long an act stays contested before the table is asked.
        move_on: How many acts may follow a contested card before it is written without its name.
        swept_s: How long the table stays bare before the hand counts as ended by a claim.
        wait_told_s: How long a player's word waits for the cards that it belongs to.
        sure: Share of the belief from which on a card counts as known when time is up.
        heard_confidence: Confidence of a claim that only the swept table tells of.
    """

    width: int = 48
    within: float = 16.0
    margin: float = 4.0
    retract_margin: float = 6.0
    settle_s: float = 0.5
    hold_lead_s: float = 2.0
    ask_s: float = 3.0
    move_on: int = 3
    swept_s: float = 2.0
    wait_told_s: float = 2.5
    sure: float = 0.9
    heard_confidence: float = 0.8


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
        self._watcher = Watcher()
        self._beam: Beam = []
        self._waiting: list[Act] = []
        self._asked: set[int] = set()
        self._open: set[int] = set()
        self._bare_since: float | None = None
        self._looks: dict[int, int] = {}
        self._time = 0.0
        self._arms = False

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
        return tuple(story for _, story in self._beam)

    def update(self, view: TableView) -> tuple[Entry, ...]:
        """Take one view of the table and return what settled with it, in order."""
        self._time = view.time
        self._arms = view.south_arm or view.north_arm
        entries: list[Entry] = []
        for seen in self._watcher.update(view):
            entries.extend(self._take(seen))
        if not self._beam:
            return tuple(entries)
        self._look_again()
        self._hear()
        self._rank()
        entries.extend(self._settle())
        if self._swept():
            entries.extend(self._claim_unheard())
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
        self._time = max(self._time, time)
        if isinstance(event, Dealt):
            return self._deal_told(event, time, source)
        if not self._beam:
            return ()
        if isinstance(event, CardPlayed):
            self._correct(event, source)
        else:
            self._waiting.append(Act(event, time, source=source))
            self._hear()
        self._rank()
        return tuple(self._settle())

    def retract_last(self, time: float, source: str) -> tuple[Entry, ...]:
        """Withdraw the last settled event of the hand, whatever the camera thinks of it."""
        if not self._ledger.current:
            return ()
        at = len(self._ledger.current) - 1
        event = self._ledger.current[at].event
        entry = self._ledger.withdraw(time, source)
        self._open.discard(at)
        if at == 0:
            self._beam = []
            self._watcher.await_deal(time)
            return (entry,)
        kept: list[Story] = []
        for _, story in self._beam:
            if at < len(story.chain) and alike(story.chain[at].event, event):
                acts = (*story.acts[: at - 1], *story.acts[at:])
                shorter = story.refolded(acts)
                if shorter is None:
                    shorter = story.refolded(story.acts[: at - 1])
                if shorter is not None:
                    kept.append(_forgotten(shorter, story))
        self._beam = [(0.0, story) for story in kept] or self._beam
        self._rank()
        return (entry,)

    def finish(self, time: float) -> tuple[Entry, ...]:
        """The source has ended: decide what is still open."""
        self._time = max(self._time, time)
        return tuple(self._conclude()) if self._beam else ()

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
                self._open.add(at)
        if story is not None:
            self._beam = [(0.0, story)]
            self._time = written[-1].time
            if not story.state.over:
                self._watcher.dealt()

    # Evidence

    def _take(self, seen: Evidence) -> list[Entry]:
        out: list[Entry] = []
        if isinstance(seen, TurnedUp) and seen.deal:
            if not self._goes_on(seen):
                out.extend(self._conclude())
                self._ledger.close_hand()
                self._begin_hand(seen)
                return out
            self._watcher.dealt()
            seen = replace(seen, deal=False)
        if isinstance(seen, Bare):
            self._bare_since = seen.time
            self._watcher.await_deal(seen.time - 0.1, over=self._over())
        elif not isinstance(seen, Gone):
            self._bare_since = None
        if self._beam:
            self._beam = advance(
                self._beam,
                seen,
                self._watcher.sights,
                width=self._options.width,
                within=self._options.within,
            )
        return out

    def _goes_on(self, seen: TurnedUp) -> bool:
        """Whether a turn-up beside a stock is that of the hand in progress, seen again."""
        if not self._beam:
            return False
        state = self._beam[0][1].state
        if state.over or not state.stock_open or state.bottom is None:
            return False
        sight = self._watcher.sights[seen.track]
        return sight.best == PACK_24.index(state.bottom)

    def _over(self) -> bool:
        return not self._beam or self._beam[0][1].state.over

    def _begin_hand(self, seen: TurnedUp) -> None:
        sight = self._watcher.sights[seen.track]
        stories: list[Story] = []
        for card in sight.cards(4, 6.0):
            if card not in self._rules.pack:
                continue
            for dealer in Player:
                if self._dealer is None:
                    prior = 0.0
                elif dealer is self._dealer:
                    prior = 0.0
                elif self._dealer_sure:
                    continue
                else:
                    prior = -6.0
                act = Act(Dealt(dealer, card), seen.time, seen.track, prior=prior)
                stories.append(Story.begin(self._rules, act))
        self._beam = [(0.0, story) for story in stories]
        self._waiting, self._asked, self._open = [], set(), set()
        self._bare_since = None
        self._looks = {}
        self._watcher.dealt()
        self._watcher.forget(seen.time - 1.0)
        self._rank()

    def _look_again(self) -> None:
        """Offer the stories what a track has come to look like since it was explained."""
        if not self._beam:
            return
        best = self._beam[0][1]
        for track in sorted(best.readings):
            sight = self._watcher.sights.get(track)
            if sight is None:
                continue
            look = sight.best
            if self._looks.get(track, best.readings[track]) != look:
                self._beam = sharpened(
                    self._beam,
                    track,
                    self._watcher.sights,
                    width=self._options.width,
                    within=self._options.within,
                )
            self._looks[track] = look

    def _rank(self) -> None:
        self._beam = ranked(
            [story for _, story in self._beam],
            self._watcher.sights,
            width=self._options.width,
            within=self._options.within,
        )

    # Words

    def _hear(self) -> None:
        """Put waiting words into the stories in which they are allowed; late ones into any."""
        still: list[Act] = []
        for act in self._waiting:
            late = self._time - act.time >= self._options.wait_told_s
            near = [s for log_p, s in self._beam if log_p >= self._beam[0][0] - self._options.margin]
            if not late and not any(_allowed(story, act.event) for story in near):
                still.append(act)
                continue
            heard: list[Story] = []
            for _, story in self._beam:
                if _said_already(story, act):
                    heard.append(story)
                elif late or _allowed(story, act.event):
                    grown = story.then(act)
                    if grown is not None:
                        heard.append(grown)
            if heard:
                self._beam = [(0.0, story) for story in heard]
                self._rank()
        self._waiting = still

    def _correct(self, event: CardPlayed, source: str) -> None:
        best = self._beam[0][1]
        at = next(
            (
                at
                for at in sorted(self._open)
                if at < len(best.chain) and alike(best.chain[at].event, event)
            ),
            None,
        )
        if at is None:
            plays = [
                at
                for at, act in enumerate(best.chain)
                if isinstance(act.event, CardPlayed) and act.event.player is event.player
            ]
            if not plays:
                return
            at = plays[-1]
        corrected: list[Story] = []
        for _, story in self._beam:
            if at >= len(story.chain) or not isinstance(story.chain[at].event, CardPlayed):
                continue
            old = story.chain[at]
            new = replace(old, event=event, source=source, prior=0.0)
            changed = story.refolded([*story.acts[: at - 1], new, *story.acts[at:]])
            if changed is not None:
                readings = dict(changed.readings)
                if old.track is not None:
                    readings.pop(old.track, None)
                passed = changed.passed | ({old.track} if old.track is not None else frozenset())
                corrected.append(replace(changed, readings=readings, passed=passed))
        if corrected:
            self._open.discard(at)
            self._beam = [(0.0, story) for story in corrected]

    def _deal_told(self, event: Dealt, time: float, source: str) -> tuple[Entry, ...]:
        """A player says that a new hand begins and who dealt it."""
        entries = self._conclude() if self._beam else []
        self._ledger.close_hand()
        self._beam = []
        self._dealer, self._dealer_sure = event.dealer, True
        if event.turned_up is not None:
            story = Story.begin(self._rules, Act(event, time, source=source))
            self._beam = [(0.0, story)]
            entries.extend(self._settle())
        else:
            self._watcher.await_deal(time)
        return tuple(entries)

    # Settling

    def _settle(self) -> list[Entry]:
        best_p, best = self._beam[0]
        rivals = [story for log_p, story in self._beam if log_p >= best_p - self._options.margin]
        common = agreed(best, rivals, frozenset(self._open))
        entries: list[Entry] = []
        written = self._ledger.current
        clash = self._clash(best, common)
        if clash is not None:
            faithful = [p for p, story in self._beam if self._agrees(story)]
            if faithful and best_p - faithful[0] < self._options.retract_margin:
                return entries
            while len(written) > clash:
                self._open.discard(len(written) - 1)
                entries.append(self._ledger.withdraw(self._time, CAMERA))
        while len(written) < len(best.chain):
            at = len(written)
            act = best.chain[at]
            if not self._ripe(best, at):
                break
            if at < common:
                entries.append(self._write(act))
                continue
            entries.extend(self._contested(at, act, best, rivals))
            if len(written) == at:
                break
        return entries

    def _clash(self, best: Story, common: int) -> int | None:
        """Position from which the settled entries and the best story differ."""
        for at, entry in enumerate(self._ledger.current):
            if at >= len(best.chain):
                return at
            event = best.chain[at].event
            if entry.event == event:
                continue
            if at in self._open and alike(entry.event, event):
                if isinstance(event, CardPlayed) and event.card is not None and at < common and self._known(at):
                    return at
                continue
            return at
        return None

    def _known(self, at: int) -> bool:
        doubt = 1.0 - weight_of(self._beam, self._beam[0][1].chain[at].event)
        return doubt <= (1.0 - self._options.sure) / 4.0

    def _agrees(self, story: Story) -> bool:
        chain = story.chain
        return len(chain) >= len(self._ledger.current) and all(
            alike(entry.event, chain[at].event) for at, entry in enumerate(self._ledger.current)
        )

    def _ripe(self, best: Story, at: int) -> bool:
        """Whether an act has lain long enough, and nothing is likely to come in before it."""
        act = best.chain[at]
        if act.told or any(later.told for later in best.chain[at:]):
            return True
        age = self._time - act.time
        if age < self._options.settle_s:
            return False
        if not isinstance(act.event, CardPlayed) or age >= self._options.hold_lead_s:
            return True
        before = best.states[at - 1]
        if before.led is not None:
            return True
        if before.turned_up is not None and best.table.turn_up is not None:
            sight = self._watcher.sights.get(best.table.turn_up)
            if sight is not None and not self._watcher.turn_up_in_view:
                return False
        card = act.event.card
        if card is None or before.declared is not None or not self._arms:
            return True
        return card.rank not in (Rank.KING, Rank.QUEEN) or _partner(card) in before.seen

    def _write(self, act: Act) -> Settled:
        confidence = 1.0 if act.told else min(0.999, weight_of(self._beam, act.event))
        return self._ledger.settle(act.event, act.time, confidence, act.source)

    def _contested(self, at: int, act: Act, best: Story, rivals: list[Story]) -> list[Entry]:
        """Ask about an act on which close stories differ; write it openly once time moves on."""
        out: list[Entry] = []
        moved_on = len(best.chain) - at > self._options.move_on
        if self._time - act.time < self._options.ask_s or (at == 0 and not moved_on):
            return out
        if at not in self._asked:
            self._asked.add(at)
            out.append(self._ask(at, act, rivals))
        if moved_on:
            out.append(self._write_open(at, act))
        return out

    def _ask(self, at: int, act: Act, rivals: Sequence[Story]) -> Asked:
        options: list[Event] = []
        for story in rivals:
            if at < len(story.chain) and story.chain[at].event not in options:
                options.append(story.chain[at].event)
        named = [one for one in options if not (isinstance(one, CardPlayed) and one.card is None)]
        text = "which_card" if isinstance(act.event, CardPlayed) else "what_happened"
        if isinstance(act.event, Dealt):
            text = "who_dealt"
        about = self._ledger.current[at].seq if at < len(self._ledger.current) else None
        return self._ledger.ask(text, self._time, about, tuple((named or options)[:3]))

    def _write_open(self, at: int, act: Act) -> Settled:
        """Write an act down of which not everything is known."""
        if isinstance(act.event, CardPlayed) and weight_of(self._beam, act.event) < self._options.sure:
            self._open.add(at)
            return self._ledger.settle(CardPlayed(act.event.player, None), act.time, 0.5, act.source)
        return self._write(act)

    # The end of a hand

    def _swept(self) -> bool:
        state = self._beam[0][1].state
        if self._bare_since is None or state.over or self._time - self._bare_since < self._options.swept_s:
            return False
        return state.stock_left > 0

    def _claim_unheard(self) -> list[Entry]:
        """The table was swept in mid-hand: whoever could prove 66 has said so."""
        best = self._beam[0][1]
        claimant = _provable(best.state)
        if claimant is None or self._waiting:
            return []
        out = self._through(len(best.chain))
        best = self._beam[0][1]
        if _provable(best.state) is not claimant:
            return out
        time = self._bare_since if self._bare_since is not None else self._time
        grown = best.then(Act(Claimed(claimant), time, prior=LOG_CLAIM_UNHEARD))
        if grown is None or not grown.state.over:
            return out
        self._beam = [(grown.log_p(self._watcher.sights), grown)]
        out.append(self._ledger.settle(Claimed(claimant), time, self._options.heard_confidence, CAMERA))
        return out

    def _through(self, length: int) -> list[Entry]:
        """Settle the best story up to `length` acts, leaving open what is not sure."""
        out: list[Entry] = []
        best = self._beam[0][1]
        clash = self._clash(best, len(best.chain))
        if clash is not None:
            while len(self._ledger.current) > clash:
                self._open.discard(len(self._ledger.current) - 1)
                out.append(self._ledger.withdraw(self._time, CAMERA))
        rivals = [story for _, story in self._beam]
        while len(self._ledger.current) < length:
            at = len(self._ledger.current)
            act = best.chain[at]
            sure = act.told or weight_of(self._beam, act.event) >= self._options.sure
            if not sure and at not in self._asked:
                self._asked.add(at)
                out.append(self._ask(at, act, rivals))
            out.append(self._write(act) if sure else self._write_open(at, act))
        return out

    def _conclude(self) -> list[Entry]:
        """Decide what is open in the current hand, and how it ended."""
        if not self._beam:
            return []
        for act in self._waiting:
            self._waiting = [replace(act, time=self._time - self._options.wait_told_s)]
            self._hear()
        self._waiting = []
        out = self._through(len(self._beam[0][1].chain))
        best = self._beam[0][1]
        if best.state.over:
            return out
        self._bare_since = self._bare_since if self._bare_since is not None else self._time
        out.extend(self._claim_unheard())
        if self._beam[0][1].state.over:
            return out
        state = self._ledger.state
        first = state.claimant if state is not None else None
        claims = [Claimed(player) for player in (Player if first is None else (first, first.other))]
        out.append(self._ledger.ask("how_ended", self._time, None, (*claims, GivenUp())))
        ended = best.then(Act(GivenUp(), self._time))
        if ended is not None:
            self._beam = [(0.0, ended)]
            out.append(self._ledger.settle(GivenUp(), self._time, 0.5, CAMERA))
        return out

    def _await_next(self) -> None:
        """Once the hand is over, look for the next deal and know who should deal it."""
        state = self._ledger.state
        if state is None or not state.over:
            return
        following = state.dealer.other
        if self._rules.dealer == "winner_deals" and state.award is not None and state.award.winner is not None:
            following = state.award.winner
        if self._dealer is not following or self._dealer_sure:
            self._dealer, self._dealer_sure = following, False
            self._watcher.await_deal(self._ledger.current[-1].time)


def _allowed(story: Story, event: Event) -> bool:
    try:
        return check(story.state, event) is None
    except ImpossibleEvent:
        return False


def _said_already(story: Story, act: Act) -> bool:
    """Whether the camera saw what a player says, a moment ago."""
    return any(
        old.event == act.event and isinstance(act.event, Closed | MarriageDeclared | Exchanged)
        for old in story.acts[-3:]
    )


def _provable(state: HandState) -> Player | None:
    """Who may claim now and provably has enough."""
    player = state.claimant
    if player is None or count(state, player).total.low < ENOUGH:
        return None
    return player


def _partner(card: Card) -> Card:
    return Card(Rank.QUEEN if card.rank is Rank.KING else Rank.KING, card.suit)


def _forgotten(shorter: Story, story: Story) -> Story:
    """Return `shorter` with the tracks of acts that it lacks passed over."""
    left = {act.track for act in story.chain} - {act.track for act in shorter.chain}
    tracks = frozenset(track for track in left if track is not None)
    readings = {track: index for track, index in shorter.readings.items() if track not in tracks}
    table = shorter.table
    if shorter.state.led is None:
        table = Table(turn_up=table.turn_up)
    elif table.led in tracks or table.answer in tracks:
        last = next((act.track for act in reversed(shorter.acts) if isinstance(act.event, CardPlayed)), None)
        table = Table(turn_up=table.turn_up, led=last)
    return replace(shorter, readings=readings, passed=shorter.passed | tracks, table=table)
