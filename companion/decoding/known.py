"""What is known of each card that has come to lie still."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.decoding.likelihood import CLEAR as CLEAR_FRAMES
from companion.decoding.likelihood import Sight
from companion.table.detection import BACK, UNKNOWN
from companion.table.observation import Observation, Phase, TableView
from companion.table.quad import covered

__all__ = ["Known"]

CONFIRM_S = 0.3
"""What is read clearly is told after it has lain still for so long: a hand that hesitates rests for less."""
UNCLEAR_S = 1.0
"""A card that is not read clearly yet is looked at for this long before it is told."""
CLEAR = -0.35
"""Log-probability of its best answer from which on a card is read clearly."""
BRIEF_S = 0.15
"""A card that lay at least this long before something hid it was a card."""
LAY_BEFORE_S = 0.5
"""What was there this long before the turn-up lay still was hardly played in the hand."""
HIDDEN_BELOW = 0.8
"""A card of which this share lies under another is not seen any more."""
SURELY_UNKNOWN = -2.5
"""Log-probability of every card of the pack below which what is read as none of them surely is none."""


class Known:
    """The sights of all tracks that have lain still, and which of them have been told.

    Attributes:
        sights: By track; shared with the stories, which look a card's likelihood up there.
        since: When each came to lie still, seconds.
        told: What evidence has been made of.
    """

    def __init__(self) -> None:
        self.sights: dict[int, Sight] = {}
        self.since: dict[int, float] = {}
        self.told: set[int] = set()
        self._gone: set[int] = set()
        self._swept: set[int] = set()
        """What had gone when the table was swept after a hand."""
        self._laid_anew: dict[int, float] = {}
        """When those of them were laid that lie there again, seconds."""
        self._upon: dict[int, tuple[int, ...]] = {}

    def sweep(self) -> None:
        """After a hand the table is bare: whatever comes to lie there has been laid anew."""
        self._swept |= self._gone

    def anew(self, view: TableView) -> TableView:
        """Take a view; where the tracker goes on with a card that was swept, another has been laid.

        The tracker takes what lies just where a card lay a moment ago, and looks like it, for that card.
        """
        self._gone.update(card.track for card in view.cards if card.phase is Phase.GONE)
        cards: list[Observation] = []
        for card in view.cards:
            if card.phase is not Phase.GONE and card.track in self._swept:
                self.since.pop(card.track, None)
                for tracks in (self.told, self._gone, self._swept):
                    tracks.discard(card.track)
                self._laid_anew[card.track] = view.time
            since = self._laid_anew.get(card.track)
            if since is not None:
                card = replace(card, first_seen=max(card.first_seen, since), since=max(card.since, since))
            cards.append(card)
        return replace(view, cards=tuple(cards))

    def see(self, view: TableView, dealt_at: float) -> list[Observation]:
        """Take a view; return what has come to lie and is not gone.

        Args:
            view: As the tracker gives it.
            dealt_at: When the deal of this hand came to rest: what lay there before is hardly a card of it.
        """
        lying: list[Observation] = []
        for card in view.cards:
            if card.track not in self.since:
                if card.phase is Phase.MOVING:
                    continue
                self.since[card.track] = card.since
                self._upon[card.track] = _laid_upon(card, view.cards)
            sight = Sight.of(card, self.since[card.track], self._upon[card.track])
            before = card.first_seen < dealt_at - LAY_BEFORE_S
            self.sights[card.track] = replace(sight, came=False) if before else sight
            if card.phase is not Phase.GONE:
                lying.append(card)
        return lying

    def forget(self, before: float) -> None:
        """Drop tracks last explained before a hand that is done."""
        for track in [t for t, sight in self.sights.items() if sight.still_since + sight.lay_s < before]:
            for known in (self.sights, self.since, self._upon, self._laid_anew):
                known.pop(track, None)
            for tracks in (self.told, self._gone, self._swept):
                tracks.discard(track)

    def tell_again(self, since: float, but: int | None = None) -> frozenset[int]:
        """Count what faces lie there, laid after `since`, as not told, `but` one; return their tracks."""
        tracks = frozenset(
            track
            for track in self.told
            if track != but
            and self.since[track] > since
            and self.sights[track].lies
            and not self.sights[track].is_back
        )
        self.told -= tracks
        return tracks

    def ready(self, card: Observation, time: float) -> bool:
        """Whether a card has lain long enough to be told."""
        if card.phase is Phase.STILL:
            clear = max(self.sights[card.track].log_p) >= CLEAR
            return time - self.since[card.track] >= (CONFIRM_S if clear else UNCLEAR_S)
        return self.sights[card.track].lay_s >= BRIEF_S

    def is_back(self, card: Observation) -> bool:
        """Whether it lies face down."""
        return self.sights[card.track].is_back

    def is_face(self, card: Observation) -> bool:
        """Whether it reads as a face; a sheet that may be a card does not."""
        return self.sights[card.track].best < BACK

    def is_doubtful(self, card: Observation) -> bool:
        """Whether no face is read clearly, by all frames together or by most of them."""
        sight = self.sights[card.track]
        return min(sight.clarity, sight.surest_face) < CLEAR_FRAMES

    def is_unknown(self, card: Observation) -> bool:
        """Whether it is surely no card of the pack."""
        sight = self.sights[card.track]
        return sight.best == UNKNOWN and max(sight.log_p[:UNKNOWN]) < SURELY_UNKNOWN


def _laid_upon(card: Observation, others: Sequence[Observation]) -> tuple[int, ...]:
    """Which cards lie wholly, or nearly so, under one that has just come to rest."""
    return tuple(
        below.track
        for below in others
        if below.first_seen < card.first_seen and covered(below.corners, card.corners) >= HIDDEN_BELOW
    )
