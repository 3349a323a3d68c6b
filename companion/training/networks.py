"""The networks: one finds cards, or indices, others mend outlines, name cards, read buttons. All small."""

from __future__ import annotations

from collections import OrderedDict

import torch
from torch import Tensor, nn

__all__ = ["ButtonReader", "Classifier", "GlyphReader", "Locator", "Refiner"]


_INDEX_ALONE = 0.15
"""Share of training crops that are named by their index alone."""


def _conv(inputs: int, outputs: int, *, size: int = 3, stride: int = 1, groups: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, stride, size // 2, groups=groups, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class _Block(nn.Module):
    """An inverted residual: widen, look around, narrow."""

    def __init__(self, channels: int, *, widen: int = 2, size: int = 3) -> None:
        super().__init__()
        wide = channels * widen
        self.body = nn.Sequential(
            _conv(channels, wide, size=1),
            _conv(wide, wide, size=size, groups=wide),
            nn.Conv2d(wide, channels, 1, bias=False),
            nn.BatchNorm2d(channels),
        )

    def forward(self, x: Tensor) -> Tensor:
        return x + self.body(x)


class Locator(nn.Module):
    """Picture to a grid of card candidates, stride 8.

    Input (N, 3, H, W) float32, 0 to 1, blue green red, H and W multiples of 32. Output
    (N, 9, H/8, W/8): a heat logit at the middle of the visible part of each card, or, where it is
    trained for that, at each index that shows; the way
    from the cell's middle to the card's centre (x, y, in cells); and the half axes: log of
    length over 32 pixels, cosine and sine of the doubled angle, for the long one and the
    short one. The doubled angle makes a card equal to itself turned by 180 degrees.

    Args:
        deep: Whether it has half as many blocks again, at every stride from 8 on.
    """

    def __init__(self, *, deep: bool = False) -> None:
        super().__init__()
        more = int(deep)
        self.stem = nn.Sequential(_conv(3, 16, stride=2), _conv(16, 32, stride=2), _Block(32))
        self.s8 = nn.Sequential(_conv(32, 64, stride=2), *(_Block(64) for _ in range(3 + more)))
        self.s16 = nn.Sequential(
            _conv(64, 112, stride=2),
            _Block(112, size=5),
            _Block(112, size=5),
            _Block(112, size=5),
            _Block(112),
            *(_Block(112, size=5) for _ in range(2 * more)),
        )
        self.s32 = nn.Sequential(
            _conv(112, 160, stride=2), *(_Block(160, size=5) for _ in range(3 + 2 * more))
        )
        self.up32 = _conv(160, 112, size=1)
        # the names tell what two depths share; the order is the way of a picture
        further = [("2", _Block(112, size=5))] if deep else []
        self.mix16 = nn.Sequential(OrderedDict([("0", _Block(112)), *further, ("1", _conv(112, 64, size=1))]))
        self.mix8 = nn.Sequential(_Block(64), *(_Block(64, size=5) for _ in range(1 + more)))
        last = nn.Conv2d(64, 9, 1)
        # rare peaks: begin by expecting none, or the first steps are spent on unlearning them
        nn.init.constant_(last.bias[:1], -4.0)
        self.head = nn.Sequential(_conv(64, 64), last)

    def forward(self, x: Tensor) -> Tensor:  # noqa: D102
        s8 = self.s8(self.stem(x))
        s16 = self.s16(s8)
        s32 = self.up32(self.s32(s16))
        grow = nn.functional.interpolate
        s16 = self.mix16(s16 + grow(s32, scale_factor=2.0, mode="nearest"))
        return torch.as_tensor(self.head(self.mix8(s8 + grow(s16, scale_factor=2.0, mode="nearest"))))


class Refiner(nn.Module):
    """A card cut out by a loose outline, and what lies around it, to where its corners are.

    Input (N, 3, 128, 96) float32, 0 to 1, blue green red, cut as `rectify.AROUND`. Output: corner
    shifts (N, 8), x and y of the four corners, in shares of the crop's width and height. In training
    also the log (N, 4) of how far off each corner may be, the same shares: what cannot be seen cannot
    be known, and must not outweigh what can.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 16, stride=2),
            _conv(16, 32, stride=2),
            _Block(32),
            _conv(32, 64, stride=2),
            _Block(64, size=5),
            _Block(64, size=5),
            _Block(64, size=5),
            _conv(64, 96, stride=2),
            _Block(96, size=5),
            _Block(96, size=5),
            _conv(96, 32, size=1),
            nn.Flatten(),
        )
        self.corner = nn.Sequential(nn.Linear(32 * 8 * 6, 160), nn.ReLU(inplace=True), nn.Linear(160, 12))

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:  # noqa: D102
        answer = self.corner(self.body(x))
        shifts = 0.1 * answer[:, :8]
        return (shifts, answer[:, 8:].clamp(-4, 4) - 3.0) if self.training else (shifts,)


class _Index(nn.Module):
    """Reads the index of a card where it stands: in its top left corner, and turned in the other.

    It sees nothing of the card but these corners, so it cannot learn a pack's courts by heart.
    Input (N, 3, 144, 96); output (N, 192), the larger and the sum of what both corners say.
    """

    HEIGHT, WIDTH = 64, 40
    """Of the corner it sees, pixels of the crop: the index and what a bad outline shifts it by."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 32, stride=2),
            _Block(32),
            _Block(32),
            _conv(32, 64, stride=2),
            _Block(64),
            _Block(64),
            _Block(64),
            _Block(64),
            _conv(64, 96, stride=2),
            _Block(96),
            nn.Flatten(),
            nn.Linear(96 * (self.HEIGHT // 8) * (self.WIDTH // 8), 96),
            nn.ReLU(inplace=True),
        )

    def forward(self, x: Tensor) -> Tensor:
        one = self.body(x[:, :, : self.HEIGHT, : self.WIDTH])
        two = self.body(x[:, :, -self.HEIGHT :, -self.WIDTH :].flip(2, 3))
        return torch.cat([torch.maximum(one, two), one + two], dim=1)


class ButtonReader(nn.Module):
    """A disc cut out, turned as it may be, to what is printed on it.

    Input (N, 3, 48, 48) float32, 0 to 1, blue green red, cut as `button.cut`. Output: logits (N, 3): 20, 40,
    neither.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 24, stride=2),
            _conv(24, 40),
            _conv(40, 56, stride=2),
            _Block(56, size=5),
            _Block(56, size=5),
            _conv(56, 80, stride=2),
            _Block(80, size=5),
            nn.Flatten(),
            nn.Dropout(0.1),
            nn.Linear(80 * 36, 96),
            nn.ReLU(inplace=True),
            nn.Linear(96, 3),
        )

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:  # noqa: D102
        return (self.body(x),)


class GlyphReader(nn.Module):
    """The corner of a card to its name.

    Input (N, 3, 72, 48) float32, 0 to 1, blue green red, cut as `glyph.GLYPH`. Output: logits (N, 26) in the
    order of `CLASSES`.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 24, stride=2),
            _conv(24, 40),
            _Block(40),
            _conv(40, 64, stride=2),
            _Block(64, size=5),
            _Block(64, size=5),
            _conv(64, 96, stride=2),
            _Block(96, size=5),
            _Block(96, size=5),
            _conv(96, 32, size=1),
            nn.Flatten(),
            nn.Dropout(0.1),
            nn.Linear(32 * 9 * 6, 128),
            nn.ReLU(inplace=True),
            nn.Linear(128, 26),
        )

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:  # noqa: D102
        return (self.body(x),)


class Classifier(nn.Module):
    """Rectified crop to its name and its embedding.

    Input (N, 3, 144, 96) float32, 0 to 1, blue green red, cut as `rectify.CARD`. Output: logits
    (N, 26) in the order of `CLASSES`; embedding (N, 512), all that was seen of the crop, by which a
    pack that was enrolled is read. In training also the logits (N, 26) of what the indices alone
    say: a court known by heart would otherwise leave the reading of letters nothing to learn from.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 24, stride=2),
            _conv(24, 48, stride=2),
            _Block(48),
            _Block(48),
            _Block(48, size=5),
            _Block(48, size=5),
            _conv(48, 96, stride=2),
            _Block(96),
            _Block(96),
            _Block(96),
            _Block(96, size=5),
            _Block(96, size=5),
            _conv(96, 160, stride=2),
            _Block(160),
            _Block(160),
            _Block(160),
            _Block(160, size=5),
            _Block(160, size=5),
        )
        self.index = _Index()
        self.index_name = nn.Linear(192, 26)
        self.embed = nn.Sequential(nn.Linear(320 + 192, 128), nn.ReLU(inplace=True))
        self.drop = nn.Dropout(0.1)
        self.name = nn.Linear(128, 26)

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:  # noqa: D102
        features = self.body(x)
        pooled = torch.cat([features.mean(dim=(2, 3)), features.amax(dim=(2, 3))], dim=1)
        index = self.index(x)
        if self.training:
            # now and then the index must do alone
            pooled = pooled * (torch.rand(len(x), 1, device=x.device) > _INDEX_ALONE)
        embedding = torch.cat([pooled, index], dim=1)
        answer = (self.name(self.drop(self.embed(embedding))), embedding)
        return (*answer, self.index_name(index)) if self.training else answer
