"""What a track gathers, frame by frame, about which card it is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.rules.cards import PACK_24, Card, Rank, Suit
from companion.table.detection import CLASSES

__all__ = ["Identity"]

Log = NDArray[np.float64]

CLASS_COUNT = len(CLASSES)
MISREAD = 0.03
"""Share of frames in which the classifier's answer says nothing; it bounds what one frame can claim."""
INDEPENDENT_S = 0.15
"""Frames closer together than this show the same noise and count in proportion to their distance."""
MOST_WEIGHT = 4.0
"""Worth of a still card's frames together, in independent frames: a lasting misreading is one misreading."""
LASTING_MISREAD = 0.005
"""Share of cards that are read wrong for as long as they lie; it bounds what a track can claim."""
LASTING_MISREAD_COURT = 0.02
"""The same for kings, queens and jacks, which every pack draws in its own way."""
LOOKS_ALIKE = 0.8
"""Share of lasting misreadings that take a card for one that looks like it."""
CONTRADICTION = 2.0
"""Nats by which a frame must prefer another card to count as a contradiction."""
SETTLED_WEIGHT = 1.9
"""Worth of frames from which on a card has a look that can be contradicted."""
ESTABLISHED = 4.0
"""Nats by which that look must lead the card that contradicts it; before, the two are weighed together."""
LITTLE_TRUST = 0.5
"""Frames of a card that is half covered add nothing once it has a look."""
CHANGED_S = 0.2
"""What contradicting frames that agree on another card must span: a fast camera sees a blur often."""
MOST_AGREE = 2 / 3
"""Share of the contradicting frames that must name one card to be that card; the rest are misread."""
UNDECIDED_RUN, UNDECIDED_S = 6, 0.5
"""Contradicting frames in a row that need not agree on one card, and what they must span."""
LONGEST_RUN, LONGEST_S = 8, 0.7
"""Contradicting frames that wait at most before they count, if they span so long."""
ROUNDING_S = 1e-6
"""What sums of times in tenths of a second may be short of."""

_COURTS = (Rank.KING, Rank.QUEEN, Rank.JACK)
_COLOURS = ({Suit.HEARTS, Suit.DIAMONDS}, {Suit.CLUBS, Suit.SPADES})


def _alike(one: Card, two: Card) -> bool:
    """Whether a card is easily taken for another: a court of its suit, or its rank in its colour."""
    if one.suit is two.suit:
        return one.rank in _COURTS and two.rank in _COURTS
    return one.rank is two.rank and {one.suit, two.suit} in _COLOURS


def _truth_of_looks() -> Log:
    """(26, 26): for each lasting look, the probabilities of what the card is; rows sum to 1."""
    truth = np.full((CLASS_COUNT, CLASS_COUNT), LASTING_MISREAD / CLASS_COUNT)
    for row, look in enumerate(PACK_24):
        misread = LASTING_MISREAD_COURT if look.rank in _COURTS else LASTING_MISREAD
        alike = [at for at, card in enumerate(PACK_24) if card != look and _alike(look, card)]
        truth[row] = misread * (1.0 - LOOKS_ALIKE) / CLASS_COUNT
        truth[row, alike] += misread * LOOKS_ALIKE / len(alike)
    truth[np.diag_indices(CLASS_COUNT)] += 1.0 - truth.sum(axis=1)
    return truth


_TRUTH = _truth_of_looks()


Look = tuple[float, Log, float]
"""What one frame tells: its time, log-probabilities, and what they are worth."""


def _span(looks: list[Look]) -> float:
    """Return what looks span, seconds; what is lost in counting time in tenths does not matter."""
    return looks[-1][0] - looks[0][0] + ROUNDING_S


class Identity:
    """Tempered sum of log-probabilities over the frames in which a card lay still.

    Frames of one card are not independent: close frames count less, and the sum stops
    growing at `MOST_WEIGHT`, where new frames push out old ones. Frames that contradict the
    sum wait until others follow: a run of them that agrees may be another card in this place.
    """

    def __init__(self) -> None:
        self._sum: Log = np.zeros(CLASS_COUNT)
        self._weight = 0.0
        self._clear = 0.0
        self._last: float | None = None
        self._waiting: list[Look] = []
        self.agreed = 0.0
        """Time of the last frame that agreed with the sum, seconds."""

    def add(self, probs: NDArray[np.float32], time: float, trust: float = 1.0) -> None:
        """Take one frame's answer.

        Args:
            probs: (26,), sums to 1.
            time: Seconds.
            trust: 0 to 1, less for a card that is partly covered.
        """
        log_p = np.log((1.0 - MISREAD) * probs.astype(np.float64) + MISREAD / CLASS_COUNT)
        frame = (time, log_p, trust)
        if self._contradicts(log_p) or (self._waiting and not self._agrees(log_p)):
            self._waiting.append(frame)
            if len(self._waiting) >= LONGEST_RUN and _span(self._waiting) >= LONGEST_S:
                self.accept()
            return
        self.accept()
        self._gather(frame)
        self.agreed = time

    def _contradicts(self, log_p: Log) -> bool:
        """Whether a frame shows clearly another card than one that has been clear so far."""
        best, answer = self.best, int(log_p.argmax())
        if answer == best or not self.settled:
            return False
        # one that hardly prefers the other card takes the side of those that wait for it
        joins = bool(self._waiting) and int(self._waiting[-1][1].argmax()) == answer
        clear = joins or float(log_p[answer] - log_p[best]) > CONTRADICTION
        return clear and float(self._sum[best] - self._sum[answer]) >= ESTABLISHED

    def _agrees(self, log_p: Log) -> bool:
        """Whether a frame clearly shows the card that was clear so far, and not what those say that wait.

        In dim light a picture is a mixture with those before it: what was taken away fades.
        """
        other = self.contradicting()
        return other is None or float(log_p[self.best] - log_p[other]) > CONTRADICTION

    def accept(self) -> None:
        """Take waiting frames into the sum after all: they were misreadings of this card, or it was."""
        for frame in self._waiting:
            self._gather(frame)
        self._waiting = []

    def _gather(self, frame: Look) -> None:
        time, log_p, trust = frame
        if trust < LITTLE_TRUST and self.settled:
            return  # what shows beside the stock does not push out what the whole card showed before
        since = INDEPENDENT_S if self._last is None else time - self._last
        weight = trust * min(1.0, max(0.0, since / INDEPENDENT_S))
        self._last = time
        self._sum = self._sum + weight * log_p
        self._clear += weight * float(log_p.max())
        self._weight += weight
        if self._weight > MOST_WEIGHT:
            self._sum = self._sum * (MOST_WEIGHT / self._weight)
            self._clear *= MOST_WEIGHT / self._weight
            self._weight = MOST_WEIGHT

    def log_probs(self) -> Log:
        """(26,) normalised log-probabilities; no class ever falls to nothing."""
        top = self._sum - self._sum.max()
        probs = np.exp(top)
        probs /= probs.sum()
        return np.asarray(np.log(probs @ _TRUTH))

    @property
    def clarity(self) -> float:
        """Mean log-probability of what each frame took it for, nats: how clear a frame of it is.

        Many doubtful frames that agree name a card, yet a thing that looks a little like one gives such, too.
        """
        return self._clear / self._weight if self._weight > 0.0 else 0.0

    @property
    def settled(self) -> bool:
        """Whether it has a look that can be contradicted."""
        return self._weight >= SETTLED_WEIGHT

    @property
    def best(self) -> int:
        """Index into `CLASSES` of the likeliest answer so far."""
        return int(self._sum.argmax())

    @property
    def contradicted_since(self) -> float | None:
        """Time of the first contradicting frame that waits, seconds."""
        return self._waiting[0][0] if self._waiting else None

    def contradicted(self) -> float:
        """How sure the contradicting frames that wait are, the mean of their best probabilities, 0 to 1."""
        return (
            float(np.mean([np.exp(log_p.max()) for _, log_p, _ in self._waiting])) if self._waiting else 0.0
        )

    def contradicting(self) -> int | None:
        """Index into `CLASSES` of what most of the contradicting frames that wait say."""
        answers = self._answers()
        return max(set(answers), key=lambda one: (answers.count(one), -one), default=None)

    def _answers(self) -> list[int]:
        return [int(log_p.argmax()) for _, log_p, _ in self._waiting]

    def changed(self, run: int) -> tuple[Identity, float] | None:
        """Return another card's identity and first time, if `run` contradicting frames agree on one.

        A card that was exchanged in place looks like this; single misreadings do not. A longer run
        need not agree: it is another card, which is not read well.
        """
        answers, answer = self._answers(), self.contradicting()
        if answer is None:
            return None
        if answers.count(answer) >= max(run, MOST_AGREE * len(answers)):
            last = [frame for frame, one in zip(self._waiting, answers, strict=True) if one == answer]
        elif len(answers) >= UNDECIDED_RUN and _span(self._waiting) >= UNDECIDED_S:
            last = self._waiting
        else:
            return None
        if _span(last) < CHANGED_S:
            return None
        other = Identity()
        for frame in last:
            other._gather(frame)
            other.agreed = frame[0]
        return other, last[0][0]
