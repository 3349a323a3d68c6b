"""The stories alive and how likely each is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import compress
from math import exp
from typing import TypeVar

from companion.decoding.beam import advance, ranked, reweighed, sharpened, weights
from companion.decoding.evidence import Evidence, Laid, TurnedUp
from companion.decoding.likelihood import Sight
from companion.decoding.options import DecoderOptions
from companion.decoding.revision import unplayed
from companion.decoding.story import Story
from companion.rules.altered import altered
from companion.rules.cards import PACK_24, Card
from companion.rules.events import CardPlayed, Event
from companion.rules.hand import legal_events

__all__ = ["Belief"]

T = TypeVar("T")

LOOKS = 0.3
"""How much the looks of a card that was misread still tell: it is taken for one like it, mostly."""


class Belief:
    """A beam that follows the evidence.

    Args:
        options: Width of the beam and what is dropped.
        sights: What is known of each track; the owner keeps it up to date.
    """

    def __init__(self, options: DecoderOptions, sights: Mapping[int, Sight]) -> None:
        self._options = options
        self.sights = sights
        self._beam: list[tuple[float, Story]] = []
        self._weighed_beam: list[tuple[float, Story]] = []
        self._weights: list[float] = []
        """How much each story of that beam counts; the settler asks many times before anything changes."""
        self._looks: dict[int, int] = {}
        self._before: tuple[int, tuple[Story, ...]] | None = None
        """The card laid last, and the stories before it, where nobody has said anything since."""

    def __bool__(self) -> bool:
        return bool(self._beam)

    @property
    def stories(self) -> tuple[Story, ...]:
        """Stories alive, likeliest first."""
        return tuple(story for _, story in self._beam)

    @property
    def weighed(self) -> tuple[tuple[float, Story], ...]:
        """The same with their log-probabilities, up to a constant that all share."""
        return tuple(self._beam)

    @property
    def best(self) -> Story:
        """The likeliest story.

        Raises:
            IndexError: There is none.
        """
        return self._beam[0][1]

    @property
    def rivals(self) -> list[Story]:
        """Stories too close to the best to be ruled out, the best among them."""
        return self.close_to(self.best)

    def close_to(self, story: Story) -> list[Story]:
        """Stories that `story` is not clearly likelier than, itself among them."""
        own = next((log_p for log_p, one in self._beam if one is story), float("inf"))
        return [one for log_p, one in self._beam if log_p >= own - self._options.margin]

    def within(self, nats: float) -> list[Story]:
        """Stories at most so far behind the best; one card misread for good costs a story 5.3."""
        return [story for log_p, story in self._beam if log_p >= self._beam[0][0] - nats]

    def lead_over(self, others: Iterable[Story]) -> float:
        """How far the best of `others` lies behind the best story, nats; infinite without any."""
        wanted = {id(story) for story in others}
        return min(
            (self._beam[0][0] - log_p for log_p, story in self._beam if id(story) in wanted),
            default=float("inf"),
        )

    def weight_of(self, event: Event) -> float:
        """Share of the belief in stories that tell `event`, 0 to 1."""
        return self._share([any(act.event == event for act in story.chain) for _, story in self._beam])

    def weight(self, stories: Iterable[Story]) -> float:
        """Share of the belief in these stories, 0 to 1."""
        meant = {id(story) for story in stories}
        return self._share([id(story) in meant for _, story in self._beam])

    def shares(self, places: Sequence[T]) -> dict[T, float]:
        """Share of the belief, 0 to 1, by what is said of each of `stories`, in their order."""
        shares = dict.fromkeys(places, 0.0)
        for place, weight in zip(places, self._weighed, strict=True):
            shares[place] += weight
        whole = sum(self._weighed)
        return {place: share / whole for place, share in shares.items()}

    def _share(self, those: Sequence[bool]) -> float:
        """Share of the belief in those of all stories, 0 to 1."""
        return sum(compress(self._weighed, those)) / sum(self._weighed)

    @property
    def _weighed(self) -> Sequence[float]:
        """How much each story counts, worked out once for a beam."""
        if self._weighed_beam is not self._beam:
            self._weighed_beam, self._weights = self._beam, weights(self._beam)
        return self._weights

    def told_at(self, at: int, stories: Iterable[Story]) -> list[Event]:
        """What `stories` tell at a position, by their share of the belief, the likeliest first.

        A story that has a card there which it takes for misread counts for each card that it may have been.
        """
        shares: dict[Event, float] = {}
        for story in stories:
            if at < len(story.chain):
                weight = self.weight((story,))
                for event, share in _what_it_was(story, at, self.sights):
                    shares[event] = shares.get(event, 0.0) + share * weight
        return sorted(shares, key=lambda event: -shares[event])

    def likely(self, track: int | None, most: int) -> tuple[Card, ...]:
        """Cards that a track may be and that the best story has not seen, likeliest first."""
        seen = self.best.state.seen
        sight = self.sights.get(track) if track is not None else None
        pack = self.best.state.rules.pack
        order = pack if sight is None else sight.cards(len(PACK_24), 99.0)
        return tuple(card for card in order if card not in seen and card in pack)[:most]

    def start(self, stories: Iterable[Story]) -> None:
        """Follow these stories and no others."""
        self._beam = [(0.0, story) for story in stories]
        self._looks, self._before = {}, None
        self.rank()

    def keep(self, stories: Iterable[Story]) -> None:
        """Go on with these stories, if there are any."""
        kept = [(0.0, story) for story in stories]
        if kept:
            self._beam = kept
            self.rank()

    def rank(self) -> None:
        """Weigh all stories anew with what is known now."""
        if self._beam:
            self._beam = ranked(
                self.stories, self.sights, width=self._options.width, within=self._options.within
            )

    def take(self, seen: Evidence) -> None:
        """Let every story explain one more piece of evidence."""
        if isinstance(seen, Laid | TurnedUp):
            self._before = seen.track, self.stories
        self._beam = advance(
            self._beam, seen, self.sights, width=self._options.width, within=self._options.within
        )

    def spoken(self) -> None:
        """Somebody has said something: the stories of before do not know it."""
        self._before = None

    def unlay(self, track: int) -> None:
        """Go on as if a card had not been laid in this hand: it belongs to the next."""
        if self._before is not None and self._before[0] == track:
            self.keep(self._before[1])
        else:
            stories = [unplayed(story, track) for story in self.stories]
            self.keep(story for story in stories if story is not None)

    def pass_over(self, track: int) -> None:
        """Let a track mean nothing in any story."""
        self.keep([altered(story, passed=story.passed | {track}) for story in self.stories])

    def look_again(self) -> None:
        """Offer the stories what a track has come to look like since it was explained."""
        readings = self.best.readings
        for track in sorted(readings):
            sight = self.sights.get(track)
            if sight is None:
                continue
            look = sight.best
            if self._looks.get(track, readings[track]) != look:
                self._beam = sharpened(
                    self._beam, track, self.sights, width=self._options.width, within=self._options.within
                )
            self._looks[track] = look
        self._beam = reweighed(
            self.stories, self.sights, width=self._options.width, within=self._options.within
        )


def _what_it_was(story: Story, at: int, sights: Mapping[int, Sight]) -> list[tuple[Event, float]]:
    """What a story tells at a position; for a card that nobody could read, what is left, legal if any is."""
    act = story.chain[at]
    if not isinstance(act.event, CardPlayed) or act.event.card is not None:
        return [(act.event, 1.0)]
    player, before = act.event.player, story.states[at - 1]
    left = [card for card in before.candidates(player) if card not in story.state.seen]
    legal = {event.card for event in legal_events(before) if isinstance(event, CardPlayed)}
    cards = [card for card in left if card in legal] or left
    sight = sights.get(act.track) if act.track is not None else None
    looks = [exp(LOOKS * sight.log_p[card.index]) if sight else 1.0 for card in cards]
    return [(CardPlayed(player, card), look / sum(looks)) for card, look in zip(cards, looks, strict=True)]
