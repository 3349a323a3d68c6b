"""Why a story won: where it differs from the likeliest that tells it otherwise, in nats."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from companion.decoding.decoder import Decoder, DecoderOptions
from companion.decoding.likelihood import LOG_BREACH, LOG_UNREAD, Sight, reading
from companion.decoding.story import Story
from companion.rules.cards import Player
from companion.rules.event_form import event_to_json
from companion.rules.events import Event
from companion.rules.ruleset import RuleSet
from companion.table.detection import CLASSES
from companion.table.entry import Asked, Entry, Settled
from companion.table.observation import TableView

__all__ = ["Explained", "Reason", "Why", "parts", "why"]

NEGLIGIBLE = 0.1
"""Differences below this are not worth a word, nats."""
MOST_REASONS = 6

Part = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Reason:
    """One difference between two stories.

    Attributes:
        what: In words.
        nats: How much it speaks for the better story; negative: against it.
    """

    what: str
    nats: float


@dataclass(frozen=True, slots=True)
class Why:
    """Why an entry was written, or a question asked.

    Attributes:
        entry: What was written.
        tells: What the best story tells at the place where the two part; `None`: nothing more.
        rival_tells: What the likeliest other story tells there.
        ahead: How much likelier the best story is than the other, nats; `None`: there is no other.
        reasons: What adds up to that, the weightiest first, trifles left out.
    """

    entry: Settled | Asked
    tells: Event | None
    rival_tells: Event | None
    ahead: float | None
    reasons: tuple[Reason, ...]

    def lines(self) -> Iterator[str]:
        """Yield this for people to read, a line each."""
        event = self.entry.text if isinstance(self.entry, Asked) else _words(self.entry.event)
        verb = "asked" if isinstance(self.entry, Asked) else "written"
        if self.ahead is None:
            yield f"{self.entry.time:8.2f}  {verb}: {event}; every other story has been dropped"
            return
        parts_ = f"[{_words(self.tells)}] before [{_words(self.rival_tells)}] by {self.ahead:.1f} nats"
        yield f"{self.entry.time:8.2f}  {verb}: {event}; {parts_}"
        for reason in self.reasons:
            yield f"            {reason.nats:+6.1f}  {reason.what}"


def parts(story: Story, sights: Mapping[int, Sight]) -> dict[Part, tuple[str, float]]:
    """Return what a story's log-probability is made of: by part, in words and in nats.

    The nats add up to `Story.log_p`.
    """
    told: dict[Part, tuple[str, float]] = {
        ("extra", ""): ("places, times, and what was not seen", story.extra),
        ("piles", ""): ("on whose side a pile grew", story.piled),
        ("draws", ""): ("who reached for the stock", story.drawn),
        ("dealer", ""): ("who dealt", story.dealt.prior),
    }
    if story.state.breaches:
        broken = len(story.state.breaches)
        told["rules", ""] = (f"rules broken: {broken}", LOG_BREACH * broken)
    for act in story.acts:
        words = _words(act.event)
        at = ("prior", words)
        told[at] = (f"how usual it is: {words}", told.get(at, ("", 0.0))[1] + act.prior)
        side = ("side", words)
        told[side] = (
            f"from which side it came: {words}",
            told.get(side, ("", 0.0))[1] + act.log_p - act.prior,
        )
    for track, index in story.readings.items():
        card = "some card" if index < 0 else str(CLASSES[index])
        nats = reading(sights[track], index) if track in sights else LOG_UNREAD if index < 0 else 0.0
        told["track", str(track)] = (f"card {track} looks like {card}", nats)
    for track in story.noise:
        if track in sights:
            told["track", str(track)] = (f"card {track} looks like no card of the hand", sights[track].noise)
    return told


def why(entry: Settled | Asked, weighed: tuple[tuple[float, Story], ...], sights: Mapping[int, Sight]) -> Why:
    """Compare the best story with the likeliest that parts from it.

    Args:
        entry: What was written; for a play of the hand the other story tells something else there.
        weighed: Stories with their log-probabilities, likeliest first; not empty.
        sights: What is known of each track.
    """
    best_log_p, best = weighed[0]
    for log_p, rival in weighed[1:]:
        at = _parting(best, rival)
        if at is None or (isinstance(entry, Settled) and _tells(rival, entry.event)):
            continue
        one, other = parts(best, sights), parts(rival, sights)
        reasons = [
            Reason(_both(one.get(key), other.get(key)), _nats(one, key) - _nats(other, key))
            for key in {**one, **other}
        ]
        weighty = sorted(
            (each for each in reasons if abs(each.nats) >= NEGLIGIBLE), key=lambda one: -abs(one.nats)
        )
        return Why(
            entry, _event(best, at), _event(rival, at), best_log_p - log_p, tuple(weighty[:MOST_REASONS])
        )
    return Why(entry, None, None, None, ())


class Explained(Decoder):
    """A decoder that also says why it wrote what it wrote.

    Args:
        rules: As for `Decoder`, like the next three.
        dealer: See there.
        first_seq: See there.
        options: See there.
        say: Is given the reasons of each entry that the camera is the source of, and of each question.
    """

    def __init__(
        self,
        rules: RuleSet,
        *,
        dealer: Player | None = None,
        first_seq: int = 1,
        options: DecoderOptions | None = None,
        say: Callable[[Why], None],
    ) -> None:
        super().__init__(rules, dealer=dealer, first_seq=first_seq, options=options)
        self._say = say

    def update(self, view: TableView) -> tuple[Entry, ...]:
        """As in `Decoder`."""
        return self._explained(super().update(view))

    def finish(self, time: float) -> tuple[Entry, ...]:
        """As in `Decoder`."""
        return self._explained(super().finish(time))

    def _explained(self, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
        weighed = self.weighed
        for entry in entries:
            if weighed and isinstance(entry, Settled | Asked):
                self._say(why(entry, weighed, self.sights))
        return entries


def _parting(best: Story, rival: Story) -> int | None:
    """Position at which two stories begin to tell different things; `None`: they never do."""
    shared = min(len(best.chain), len(rival.chain))
    for at in range(shared):
        if best.chain[at].event != rival.chain[at].event:
            return at
    return None if len(best.chain) == len(rival.chain) else shared


def _tells(story: Story, event: Event) -> bool:
    return any(act.event == event for act in story.chain)


def _event(story: Story, at: int) -> Event | None:
    return story.chain[at].event if at < len(story.chain) else None


def _nats(told: Mapping[Part, tuple[str, float]], key: Part) -> float:
    return told[key][1] if key in told else 0.0


def _both(one: tuple[str, float] | None, other: tuple[str, float] | None) -> str:
    if one is None or other is None:
        return one[0] if one is not None else f"not: {other[0]}" if other is not None else ""
    return one[0] if one[0] == other[0] else f"{one[0]}, not: {other[0]}"


def _words(event: Event | None) -> str:
    """An event in a few words."""
    if event is None:
        return "nothing yet"
    told = event_to_json(event)
    who = [Player(told[key]).name.lower() for key in ("player", "dealer") if told.get(key) is not None]
    what = [str(value) for key, value in told.items() if key not in ("type", "player", "dealer") and value]
    return " ".join((*who, str(told["type"]), *what))
