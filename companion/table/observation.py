"""What lies on the table over time: tracked cards."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from companion.rules.cards import Player

__all__ = ["LyingButton", "Observation", "Phase", "TableView"]


class Phase(Enum):
    """The life of a tracked card."""

    MOVING = "moving"
    STILL = "still"
    HIDDEN = "hidden"
    """Was still and is not seen now: something (a hand, another card) covers it, or nothing moved there."""
    GONE = "gone"
    """Was still; its place is in clear view without it. Found again there soon after, it is STILL again."""


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """A card followed over frames.

    Attributes:
        track: Number of the track; never used again within one recording.
        corners: (4, 2) float32, as `Detection.corners`, smoothed while still.
        log_probs: (26,) float32, normalised log-probabilities over `CLASSES`, gathered from
            all frames in which the card lay still. Frames of one still card are not
            independent, so the gathering is tempered.
        phase: See `Phase`.
        since: Time at which the phase began, seconds.
        first_seen: Time of the first detection, seconds.
        last_seen: Time of the last detection, seconds.
        from_south: Probability that the hand that brought it came from the south, 0 to 1
            (0.5: nothing seen).
        covers: Tracks that this card was laid upon and covers in part.
        came: Whether something moved where it appeared; a card is brought, a thing has always
            lain there.
        disturbed: Last time at which something moved at its place, seconds; `None`: not known.
        unmoved: Whether nothing has moved at its place since it was last read there: out of sight, it is
            the detector that lost it.
        clarity: Mean over the frames of the log-probability of what each took it for, nats; 0: quite clear.
    """

    track: int
    corners: NDArray[np.float32]
    log_probs: NDArray[np.float32]
    phase: Phase
    since: float
    first_seen: float
    last_seen: float
    from_south: float = 0.5
    covers: tuple[int, ...] = ()
    came: bool = True
    disturbed: float | None = None
    unmoved: bool = False
    clarity: float = 0.0

    @property
    def best(self) -> int:
        """Index into `CLASSES` of the likeliest answer."""
        return int(self.log_probs.argmax())

    @property
    def centre(self) -> NDArray[np.float32]:
        """(2,) float32, mean of the corners, pixels."""
        centre: NDArray[np.float32] = np.add.reduce(self.corners, axis=0) / len(self.corners)
        return centre

    def is_at_edge(self, height: int, share: float) -> bool:
        """Whether its middle lies in this share of a picture's height from the bottom or the top, pixels."""
        return not share * height <= float(self.centre[1]) <= (1.0 - share) * height


@dataclass(frozen=True, slots=True)
class LyingButton:
    """An announcement button followed over frames.

    Attributes:
        number: Of the button; never used again within one recording.
        x, y: Its middle, pixels.
        twenty, forty: Probabilities that it says so, gathered from all frames; the rest: it is none.
        since: Time at which it came to lie there, seconds.
    """

    number: int
    x: float
    y: float
    twenty: float
    forty: float
    since: float


@dataclass(frozen=True, slots=True)
class TableView:
    """All tracked cards at one moment, plus where arms reach in.

    Attributes:
        time: Seconds since the first frame of the source.
        size: Width and height of the frame in pixels.
        cards: Live tracks, and those that went GONE with this view (once each).
        south_arm: Whether something reaches in over the bottom edge.
        north_arm: The same for the top edge.
        beside_arm: The same for the edges at which nobody plays.
        quiet: Nothing moves.
        blind: Nothing of the table can be seen now; what lay there is HIDDEN.
        buttons: Announcement buttons that were brought and lie still.
    """

    time: float
    size: tuple[int, int]
    cards: tuple[Observation, ...]
    south_arm: bool
    north_arm: bool
    quiet: bool
    blind: bool = False
    buttons: tuple[LyingButton, ...] = ()
    beside_arm: bool = False

    @property
    def clear(self) -> bool:
        """Whether no arm reaches in."""
        return not (self.south_arm or self.north_arm or self.beside_arm)

    @property
    def hands(self) -> frozenset[Player]:
        """Whose hands reach in, each over the edge before which its player sits."""
        there = zip(Player, (self.south_arm, self.north_arm), strict=True)
        return frozenset(player for player, reaches in there if reaches)
