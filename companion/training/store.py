"""Samples that are shown more than once, each time a little otherwise.

Where a graphics card trains, drawing is what is waited for: it learns from some thousand crops a second, and
a processor core draws some hundred. So every sample is kept on the card and drawn from again, turned, pushed
and lit anew there, until newer ones take its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import Condition, Thread

import torch
from torch import Tensor, nn

__all__ = ["Store", "Vary", "crops", "lit", "mirrored", "outlines", "shown_again", "tables"]

Vary = Callable[[list[Tensor]], list[Tensor]]
"""A batch, pictures (N, 3, H, W) float32 from 0 to 1 first, to the batch as it is shown."""

_LIGHT, _TINT, _GAMMA, _NOISE = 0.08, 0.04, 0.1, 0.01
"""Spread of brightness and of each colour (logarithms), of gamma, and of noise."""
_PUSH, _STRETCH, _TURN = 0.012, 0.015, 0.015
"""Spread by which crops are pushed (shares of their half side), stretched, and turned (radians)."""


class Store:
    """The newest samples, as many as `capacity`.

    Args:
        capacity: Samples.
        device: Where they are kept, as they were drawn.
    """

    def __init__(self, capacity: int, device: torch.device) -> None:
        self._capacity, self._device = capacity, device
        self._kept: list[Tensor] = []
        self._next = 0
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, batch: Sequence[Tensor]) -> None:
        """Keep a batch, for the oldest samples."""
        if not self._kept:
            self._kept = [
                torch.empty((self._capacity, *part.shape[1:]), dtype=part.dtype, device=self._device)
                for part in batch
            ]
        count = len(batch[0])
        at = (torch.arange(count) + self._next).remainder(self._capacity).to(self._device)
        for kept, part in zip(self._kept, batch, strict=True):
            kept[at] = part.to(self._device, non_blocking=True)
        self._next = (self._next + count) % self._capacity
        self._count = min(self._capacity, self._count + count)

    def draw(self, count: int) -> list[Tensor]:
        """Any `count` of what is kept; one may come twice."""
        at = torch.randint(self._count, (count,), device=self._device)
        return [kept[at] for kept in self._kept]


class _Supply(Thread):
    """Takes up what is drawn while others learn from it."""

    def __init__(self, drawn: Iterable[Sequence[Tensor]], room: float, device: torch.device) -> None:
        super().__init__(daemon=True)
        self.changed = Condition()
        self.store: Store | None = None
        self.taken = 0
        self.error: Exception | None = None
        self.has_ended = False
        self._drawn, self._room, self._device = drawn, room, device

    def draw(self, count: int, least: int) -> list[Tensor] | None:
        """Wait until `least` samples were taken up, then draw; None where so many will never be.

        Raises:
            Exception: What drawing raised.
        """
        with self.changed:
            self.changed.wait_for(lambda: self.has_ended or self.taken >= least)
            if self.error is not None:
                raise self.error
            return None if self.store is None or self.taken < least else self.store.draw(count)

    def run(self) -> None:
        try:
            for batch in self._drawn:
                with self.changed:
                    if self.store is None:
                        self.store = Store(
                            int(self._room / sum(part[0].nbytes for part in batch)), self._device
                        )
                    self.store.add(batch)
                    self.taken += len(batch[0])
                    self.changed.notify()
        except Exception as error:  # raised again where it is heard of
            self.error = error
        finally:
            with self.changed:
                self.has_ended = True
                self.changed.notify()


def shown_again(
    drawn: Iterable[Sequence[Tensor]], times: int, count: int, room: float, device: torch.device
) -> Iterator[list[Tensor]]:
    """Batches of samples that are shown again and again, until nothing more is drawn.

    Drawing goes on meanwhile. What learns faster waits, what learns slower sees each less often.

    Args:
        drawn: Batches as they are drawn.
        times: How often a sample is shown at most, on the average.
        count: Samples of a batch that is shown.
        room: For what is kept, bytes.
        device: Where it is kept.

    Raises:
        Exception: What drawing raised.
    """
    supply = _Supply(drawn, room, device)
    supply.start()
    shown = count
    while (batch := supply.draw(count, -(-shown // times))) is not None:
        yield batch
        shown += count


def lit(batch: list[Tensor]) -> list[Tensor]:
    """In another light: brightness, tint, gamma, noise; what a picture shows stays the same."""
    x, *rest = batch
    n = len(x)
    light = torch.randn(n, 1, 1, 1, device=x.device) * _LIGHT
    tint = torch.randn(n, 3, 1, 1, device=x.device) * _TINT
    gamma = (torch.randn(n, 1, 1, 1, device=x.device) * _GAMMA).exp()
    noise = torch.randn(n, 1, 1, 1, device=x.device) * _NOISE
    x = x.clamp(min=1e-4).pow(gamma) * (light + tint).exp() + noise * torch.randn_like(x)
    return [x.clamp(0, 1), *rest]


def tables(batch: list[Tensor]) -> list[Tensor]:
    """Square pictures of tables and their grids (N, 10, H/8, W/8): a quarter turned by each right angle.

    N is a multiple of four, or the angles' shares differ.
    """
    pictures, targets = lit(batch)
    turned = [
        (torch.rot90(x, quarter, (2, 3)), _rotated(target, quarter))
        for quarter, (x, target) in enumerate(
            zip(pictures.tensor_split(4), targets.tensor_split(4), strict=True)
        )
    ]
    return [torch.cat([x for x, _ in turned]), torch.cat([target for _, target in turned])]


def mirrored(batch: list[Tensor]) -> list[Tensor]:
    """As `tables`, half of them in a mirror: no card looks so, but its outline lies so."""
    pictures, targets = tables(batch)
    flip = (torch.rand(len(pictures), device=pictures.device) < 0.5).view(-1, 1, 1, 1)
    # of what lies the other way round x and the doubled angles' sines change their signs
    sign = targets.new_ones(10)
    sign[[1, 5, 8]] = -1
    other = targets.flip(3) * sign.view(1, -1, 1, 1)
    return [torch.where(flip, pictures.flip(3), pictures), torch.where(flip, other, targets)]


def _rotated(target: Tensor, quarters: int) -> Tensor:
    """What the locator should answer of a picture that was turned counterclockwise by right angles."""
    target = torch.rot90(target, quarters, (2, 3))
    for _ in range(quarters):
        heat, x, y, *axes, weight = target.unbind(1)
        long, long_cos, long_sin, short, short_cos, short_sin = axes
        # a right angle is half a turn of the doubled angle
        axes = [long, -long_cos, -long_sin, short, -short_cos, -short_sin]
        target = torch.stack([heat, y, -x, *axes, weight], dim=1)
    return target


def outlines(batch: list[Tensor]) -> list[Tensor]:
    """Crops for the refiner and their corner shifts: half of them from the card's other end."""
    x, shifts = lit(batch)
    other = torch.rand(len(x), device=x.device) < 0.5
    x = torch.where(other.view(-1, 1, 1, 1), x.flip(2, 3), x)
    return [x, torch.where(other.view(-1, 1), -shifts.roll(4, dims=1), shifts)]


def crops(batch: list[Tensor]) -> list[Tensor]:
    """Crops for the classifier: half of them from the card's other end, all pushed a little."""
    x, label = lit(batch)
    n = len(x)
    other = torch.rand(n, device=x.device) < 0.5
    x = torch.where(other.view(-1, 1, 1, 1), x.flip(2, 3), x)
    turn = torch.randn(n, device=x.device) * _TURN
    # the axes are shares of half a side each: a turn is skewed by how much taller a crop is than wide
    tall = x.shape[2] / x.shape[3]
    stretch = 1 + torch.randn(n, 2, device=x.device) * _STRETCH
    push = torch.randn(n, 2, device=x.device) * _PUSH
    matrix = torch.stack(
        [
            torch.stack([stretch[:, 0], -turn * tall, push[:, 0]], dim=1),
            torch.stack([turn / tall, stretch[:, 1], push[:, 1]], dim=1),
        ],
        dim=1,
    )
    grid = nn.functional.affine_grid(matrix, list(x.shape), align_corners=False)
    x = nn.functional.grid_sample(x, grid, padding_mode="border", align_corners=False)
    return [x, label]
