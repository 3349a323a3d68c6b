"""Recall, precision and exact pictures, overall and by condition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.training.calibration import calibration_error, reliability

__all__ = ["Tally", "Verdict", "table", "tallied"]

_ENOUGH = 100
"""Names from which on their calibration error says something."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found in one picture, against what is in it; cards are compared by name only.

    Attributes:
        picture: Its name.
        labelled: The cards that a person sees, each as often as it is there.
        found: The cards that were read.
        groups: The conditions that the picture counts for.
        sure: How sure each card was that was read, in their order; empty where nobody says.
    """

    picture: str
    labelled: tuple[str, ...]
    found: tuple[str, ...]
    groups: tuple[str, ...] = ()
    sure: tuple[float, ...] = ()

    @property
    def judged(self) -> tuple[tuple[float, bool], ...]:
        """How sure each card was that was read, and whether it is there; of two of a name the surer one is.

        >>> Verdict("a.jpg", ("KH",), ("KH", "KH"), sure=(0.6, 0.9)).judged
        ((0.9, True), (0.6, False))
        """
        left = Counter(self.labelled)
        out = []
        for sure, name in sorted(zip(self.sure, self.found, strict=bool(self.sure)), reverse=True):
            out.append((sure, left[name] > 0))
            left[name] -= 1
        return tuple(out)

    @property
    def right(self) -> int:
        """Cards found that are there; a card found twice is right once.

        >>> Verdict("a.jpg", ("KH", "QS"), ("KH", "KH", "AS")).right
        1
        """
        return sum((Counter(self.labelled) & Counter(self.found)).values())

    @property
    def missed(self) -> tuple[str, ...]:
        """Cards that are there and were not found."""
        return tuple(sorted((Counter(self.labelled) - Counter(self.found)).elements()))

    @property
    def invented(self) -> tuple[str, ...]:
        """Cards that were found and are not there."""
        return tuple(sorted((Counter(self.found) - Counter(self.labelled)).elements()))

    @property
    def exact(self) -> bool:
        """Whether just the cards that are there were found."""
        return not self.missed and not self.invented


@dataclass(frozen=True, slots=True)
class Tally:
    """Sums over pictures.

    Attributes:
        name: What the pictures have in common.
        pictures: How many there are.
        labelled: Cards that are in them.
        found: Cards that were read.
        right: Cards that were read and are there.
        exact: Pictures in which just the right cards were read.
        calibration_error: Of the cards that were read, 0 to 1; `None` where nobody says how surely, or of so
            few that it says nothing.
    """

    name: str
    pictures: int
    labelled: int
    found: int
    right: int
    exact: int
    calibration_error: float | None = None

    @classmethod
    def of(cls, name: str, verdicts: Sequence[Verdict]) -> Tally:
        """Sum up `verdicts`."""
        told = [pair for each in verdicts for pair in each.judged]
        return cls(
            name,
            len(verdicts),
            sum(len(each.labelled) for each in verdicts),
            sum(len(each.found) for each in verdicts),
            sum(each.right for each in verdicts),
            sum(each.exact for each in verdicts),
            calibration_error(reliability(told)) if len(told) >= _ENOUGH else None,
        )

    @property
    def recall(self) -> float | None:
        """Share of the cards there that were read; `None` where there are none."""
        return self.right / self.labelled if self.labelled else None

    @property
    def precision(self) -> float | None:
        """Share of the cards read that are there; `None` where none was read."""
        return self.right / self.found if self.found else None

    @property
    def exact_rate(self) -> float | None:
        """Share of the pictures that were read exactly; `None` without pictures."""
        return self.exact / self.pictures if self.pictures else None


def tallied(verdicts: Sequence[Verdict]) -> tuple[Tally, ...]:
    """Sum up all pictures, then those of each group, groups in the order of their names."""
    groups = sorted({group for each in verdicts for group in each.groups})
    return (
        Tally.of("all", verdicts),
        *(Tally.of(group, [each for each in verdicts if group in each.groups]) for group in groups),
    )


def table(tallies: Iterable[Tally]) -> str:
    """Tallies as a table for people to read."""
    lines = [
        f"{'':36} {'pictures':>8} {'cards':>6} {'recall':>7} {'precision':>9} {'exact':>6} {'calibr.':>7}"
    ]
    for each in tallies:
        rates = (each.recall, each.precision, each.exact_rate, each.calibration_error)
        recall, precision, exact, error = ("-" if rate is None else f"{rate:.3f}" for rate in rates)
        lines.append(
            f"{each.name[:36]:36} {each.pictures:8} {each.labelled:6} {recall:>7} {precision:>9} {exact:>6} "
            f"{error:>7}"
        )
    return "\n".join(lines)
