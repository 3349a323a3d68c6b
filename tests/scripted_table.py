"""A table whose camera sees a script: whole random hands, without pictures.

`ScriptedDecoder` settles what a script says as its times pass, and takes words as they come.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from companion.live.act import Act
from companion.live.alternatives import alternatives
from companion.live.command import Correct, Edit, NewMatch
from companion.live.correction import revised
from companion.live.deed import act_of
from companion.live.fold import fold
from companion.live.snapshot import Snapshot
from companion.live.standing import Standing
from companion.live.table import LiveTable
from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, Claimed, Closed, Dealt, Event, Exchanged, MarriageDeclared
from companion.rules.hand import apply, deal, legal_events
from companion.rules.ruleset import RuleSet, preset
from companion.rules.scoring import ENOUGH, count
from companion.rules.shuffle import shuffled
from companion.store.coding import decode, encode
from companion.store.item import Item, MatchStarted
from companion.store.log import LogReader
from companion.table.entry import Asked, Entry, Retracted, Settled, Unseen
from companion.table.observation import TableView

Script = Sequence[tuple[float, Event | Asked | Unseen]]


def random_hand(
    seed: int, dealer: Player = Player.SOUTH, rules: RuleSet | None = None, *, claimed: bool = True
) -> tuple[Event, ...]:
    """A hand played at random, as the table shows it: deal, words and plays, a claim once somebody has 66.

    Unless `claimed` is false: then it is played to the last trick.
    """
    rng = random.Random(seed)
    rules = rules or RuleSet()
    hands, stock = shuffled(rules, rng)
    state = deal(rules, dealer, stock[-1], hands, stock)
    events: list[Event] = [Dealt(dealer, stock[-1])]
    while not state.over:
        options = legal_events(state)
        claims = [each for each in options if isinstance(each, Claimed)]
        gifts = [each for each in options if isinstance(each, Exchanged | MarriageDeclared)]
        if claimed and claims and count(state, claims[0].player).total.low >= ENOUGH:
            event: Event = claims[0]
        elif gifts:
            event = rng.choice(gifts)
        else:
            event = rng.choice([each for each in options if isinstance(each, CardPlayed)])
        events.append(event)
        state = apply(state, event)
    return tuple(events)


def hand_with(*kinds: type, seeds: range = range(400), dealer: Player = Player.SOUTH) -> tuple[Event, ...]:
    """The first random hand in which an event of every kind of `kinds` happens."""
    for seed in seeds:
        events = random_hand(seed, dealer)
        if all(any(isinstance(event, kind) for event in events) for kind in kinds):
            return events
    raise LookupError(f"no hand with {kinds} among seeds {seeds}")


HAND = hand_with(Exchanged, MarriageDeclared, Claimed)
"""A hand with an exchange and a marriage that ends with a claim."""
PLAYED = tuple(event for event in HAND if not isinstance(event, Claimed))
"""The same without its claim: what a camera sees of it."""


def dealt_and(turned_up: str, *plays: str, close: bool = False) -> list[Event]:
    """A deal by south and plays from north's lead on, each named by its card; `close`: north closes first."""
    events: list[Event] = [Dealt(Player.SOUTH, Card.parse(turned_up))]
    if close:
        events.append(Closed(Player.NORTH))
    leader = Player.NORTH
    for place in range(0, len(plays), 2):
        trick = [Card.parse(name) for name in plays[place : place + 2]]
        events += [
            CardPlayed(player, card) for player, card in zip((leader, leader.other), trick, strict=False)
        ]
        if len(trick) == 2 and trick[1].beats(trick[0], events[0].turned_up.suit):
            leader = leader.other
    return events


REVOKED = ("AH", "JS", "AC", "KH")
"""South gives a spade to the ace of hearts and shows the king of hearts a trick later."""


def tied() -> tuple[Event, ...]:
    """A hand without claims in which south and north end with 65 each, the last trick's 10 included."""
    rules = preset("schnapsen+last_trick_10+tie_carry")
    for seed in range(4000):
        events = [event for event in random_hand(seed, Player.SOUTH, rules) if not hasattr(event, "suit")]
        match = fold(
            [
                MatchStarted("", rules),
                *(Settled(n, float(n), event, 1.0) for n, event in enumerate(events, 1)),
            ]
        ).match
        if match.carry:
            return tuple(events)
    raise LookupError("no tie")


START = MatchStarted("2026-11-21T20:00:00+01:00", RuleSet())


def written(*hands: Sequence[Event], started: MatchStarted = START) -> list[Item]:
    """A log of hands as the camera saw them, each event one second after the other."""
    events = [event for hand in hands for event in hand]
    return [started, *(Settled(seq, float(seq), event, 0.95) for seq, event in enumerate(events, 1))]


def after(log: Sequence[Item], edit: Edit, source: str = "phone:referee") -> list[Item]:
    """The log with a change made, read back from its text."""
    last = max((getattr(item, "seq", 0) for item in log), default=0)
    revision = revised(
        fold(log), edit, now=float(last + 1), today="2026-11-21T21:00:00", next_seq=last + 1, source=source
    )
    return [*log, *(decode(*encode(item)) for item in revision.items)]


def agreed(items: list[Item], command: NewMatch) -> tuple[Act, Standing, list[Item]]:
    """What `command` comes to, where the new match stands, and what is left in the log of the old one."""
    last = max((getattr(item, "seq", 0) for item in items), default=0)
    act = act_of(command, fold(items), now=99.0, today="2026-11-26T21:00:00+01:00", next_seq=last + 1)
    at = next(place for place, item in enumerate(act.items) if isinstance(item, MatchStarted))
    return act, fold(list(act.items[at:])), [*items, *act.items[:at]]


def events_of(standing: Standing) -> list[Event]:
    """All events that stand."""
    return [entry.event for hand in standing.hands for entry in hand.events]


def timed(events: Sequence[Event], start: float = 1.0, step: float = 1.0) -> list[tuple[float, Event]]:
    """`events` one after the other, `step` seconds apart."""
    return [(start + step * place, event) for place, event in enumerate(events)]


def view_at(time: float) -> TableView:
    """A view without cards; only its time matters to a `ScriptedDecoder`."""
    return TableView(time, (1280, 720), (), False, False, True)


class ScriptedDecoder:
    """A decoder that is told by a script what the camera sees."""

    def __init__(self, script: Script, first_seq: int, sure: float = 0.97) -> None:
        self._script, self._sure = list(script), sure
        self._seq = first_seq
        self._standing: list[Settled] = []
        self._seen = float("-inf")

    def update(self, view: TableView) -> tuple[Entry, ...]:
        """Settle what the script has until now."""
        due = [(time, what) for time, what in self._script if self._seen < time <= view.time]
        self._seen = max(self._seen, view.time)
        entries: list[Entry] = []
        for time, what in due:
            if isinstance(what, Unseen):
                entries.append(Unseen(self._next(), time, what.since))
            elif isinstance(what, Asked):
                entries.append(Asked(self._next(), time, what.text, what.about, what.options, what.shows))
            else:
                entries.append(self._settle(what, time, self._sure, "camera"))
        return tuple(entries)

    def tell(self, event: Event, time: float, source: str) -> tuple[Entry, ...]:
        """Settle `event`; a deal without its card is awaited, and a named card replaces the player's last."""
        if isinstance(event, Dealt) and event.turned_up is None:
            return ()
        if isinstance(event, CardPlayed):
            return self._rename(event, time, source)
        return (self._settle(event, time, 1.0, source),)

    def is_swept(self, time: float) -> bool:
        """It sees no table."""
        return False

    def may_say(self, time: float) -> frozenset[Event]:
        """Whoever may by what is settled; it thinks nothing besides."""
        return frozenset()

    def retract_last(self, time: float, source: str) -> tuple[Entry, ...]:
        """Withdraw the last event that stands."""
        if not self._standing:
            return ()
        return (Retracted(self._next(), time, self._standing.pop().seq, source),)

    def finish(self, time: float) -> tuple[Entry, ...]:
        """Settle the rest of the script."""
        return self.update(view_at(float("inf")))

    def resume(self, entries: Sequence[Entry], since: float | None = None, seen: float | None = None) -> None:
        """Go on after the last thing that the camera saw."""
        withdrawn = {entry.withdraws for entry in entries if isinstance(entry, Retracted)}
        self._standing = [e for e in entries if isinstance(e, Settled) and e.seq not in withdrawn]
        self._seq = max((entry.seq + 1 for entry in entries), default=self._seq)
        seen = [entry.time for entry in entries if getattr(entry, "source", "camera") == "camera"]
        self._seen = max(seen, default=self._seen)

    def leave(self, turn_up: Card | None, since: float) -> None:
        """Nothing lies on a table that it sees."""

    def revise(self, hand: Sequence[Settled], next_seq: int) -> bool:
        """It knows nothing of the cards on the table that another would not know."""
        return False

    def _rename(self, event: CardPlayed, time: float, source: str) -> tuple[Entry, ...]:
        """Withdraw everything from the player's last play on, and settle it anew with another card."""
        at = max(
            place
            for place, entry in enumerate(self._standing)
            if isinstance(entry.event, CardPlayed) and entry.event.player is event.player
        )
        old = self._standing[at:]
        del self._standing[at:]
        withdrawn = [Retracted(self._next(), time, entry.seq, source) for entry in reversed(old)]
        first = self._settle(event, old[0].time, 1.0, source)
        rest = [self._settle(each.event, each.time, each.confidence, each.source) for each in old[1:]]
        return (*withdrawn, first, *rest)

    def _settle(self, event: Event, time: float, confidence: float, source: str) -> Settled:
        entry = Settled(self._next(), time, event, confidence, source)
        self._standing.append(entry)
        return entry

    def _next(self) -> int:
        self._seq += 1
        return self._seq - 1


class ScriptedDecoders:
    """Makes decoders that all follow one script; a `DecoderFactory`."""

    def __init__(self, script: Script = (), sure: float = 0.97) -> None:
        self.script, self.sure = script, sure

    def __call__(self, rules: RuleSet, *, dealer: Player | None, first_seq: int) -> ScriptedDecoder:
        """Return a decoder that follows the script from its beginning."""
        return ScriptedDecoder(self.script, first_seq, self.sure)


def newest(table: LiveTable) -> Snapshot:
    """What a phone that comes now is shown."""
    snapshot = table.feed.wait("", 0.0)
    if snapshot is None:
        raise LookupError("nothing has been published")
    return snapshot


def other_sum(table: LiveTable) -> Correct:
    """A play of the last hand, named anew so that its claim stands and has another sum."""
    standing = table.standing()
    for entry in standing.hand.events:
        for each in alternatives(standing, entry.seq) if isinstance(entry.event, CardPlayed) else ():
            if each.fits and isinstance(each.edit, Correct):
                verdict = table.propose(each.edit).after.hand.verdict
                if verdict is not None and verdict.working != standing.hand.verdict.working:
                    return each.edit
    raise LookupError("whatever is played, the sum is the same")


def play_on(table: LiveTable, until: float) -> None:
    """Let the camera look at the script until `until`, twice a second."""
    for step in range(int(until * 2) + 1):
        table.see(view_at(step / 2))


def items(tmp_path: Path) -> list:
    """What the log holds."""
    with LogReader(tmp_path / "table.sqlite") as reader:
        return [logged.item for logged in reader.read()]
