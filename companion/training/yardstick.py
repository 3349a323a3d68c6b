"""Make the network that ours are compared with: as large as YOLOv8n, with weights that mean nothing.

    python -m companion.training.yardstick models/yardstick.onnx

Three million parameters, 640x640 input, strides 8, 16 and 32, laid out as Ultralytics describes its
smallest detector (backbone, pyramid, two branches a scale). Time does not depend on what weights say, so
the file holds none: they are made, all alike, when it is read.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from torch import Tensor, nn

from companion.arguments import Parser
from companion.training.fault import in_one_line
from companion.training.run import make_folder

__all__ = ["Yardstick", "main"]


def _conv(inputs: int, outputs: int, size: int = 1, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(inputs, outputs, size, stride, size // 2), nn.SiLU())


class _Split(nn.Module):
    """Half of the channels goes through bottlenecks, and every step of it is kept."""

    def __init__(self, inputs: int, outputs: int, count: int, *, add: bool) -> None:
        super().__init__()
        half = outputs // 2
        self.add = add
        self.first = _conv(inputs, outputs)
        self.steps = nn.ModuleList(
            nn.Sequential(_conv(half, half, 3), _conv(half, half, 3)) for _ in range(count)
        )
        self.last = _conv(half * (2 + count), outputs)

    def forward(self, x: Tensor) -> Tensor:
        parts = list(self.first(x).chunk(2, 1))
        for step in self.steps:
            parts.append(parts[-1] + step(parts[-1]) if self.add else step(parts[-1]))
        return torch.as_tensor(self.last(torch.cat(parts, 1)))


class _Pools(nn.Module):
    """Spatial pyramid pooling by three maxima one after another."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = _conv(channels, channels // 2)
        self.pool = nn.MaxPool2d(5, 1, 2)
        self.last = _conv(channels * 2, channels)

    def forward(self, x: Tensor) -> Tensor:
        parts = [self.first(x)]
        for _ in range(3):
            parts.append(self.pool(parts[-1]))
        return torch.as_tensor(self.last(torch.cat(parts, 1)))


class Yardstick(nn.Module):
    """(N, 3, 640, 640) to (N, 144, 8400), as a detector of 80 classes answers."""

    def __init__(self) -> None:
        super().__init__()
        self.to8 = nn.Sequential(
            _conv(3, 16, 3, 2), _conv(16, 32, 3, 2), _Split(32, 32, 1, add=True),
            _conv(32, 64, 3, 2), _Split(64, 64, 2, add=True),
        )  # fmt: skip
        self.to16 = nn.Sequential(_conv(64, 128, 3, 2), _Split(128, 128, 2, add=True))
        self.to32 = nn.Sequential(_conv(128, 256, 3, 2), _Split(256, 256, 1, add=True), _Pools(256))
        self.up16 = _Split(384, 128, 1, add=False)
        self.up8 = _Split(192, 64, 1, add=False)
        self.down16 = _conv(64, 64, 3, 2)
        self.mix16 = _Split(192, 128, 1, add=False)
        self.down32 = _conv(128, 128, 3, 2)
        self.mix32 = _Split(384, 256, 1, add=False)
        self.heads = nn.ModuleList(
            nn.ModuleList(
                nn.Sequential(_conv(channels, wide, 3), _conv(wide, wide, 3), nn.Conv2d(wide, outputs, 1))
                for wide, outputs in ((64, 64), (80, 80))
            )
            for channels in (64, 128, 256)
        )

    def forward(self, x: Tensor) -> Tensor:  # noqa: D102
        grow = nn.functional.interpolate
        s8 = self.to8(x)
        s16 = self.to16(s8)
        s32 = self.to32(s16)
        n16 = self.up16(torch.cat([grow(s32, scale_factor=2.0), s16], 1))
        n8 = self.up8(torch.cat([grow(n16, scale_factor=2.0), s8], 1))
        n16 = self.mix16(torch.cat([self.down16(n8), n16], 1))
        n32 = self.mix32(torch.cat([self.down32(n16), s32], 1))
        answers = [
            torch.cat([branch(level) for branch in branches], 1).flatten(2)
            for level, branches in zip((n8, n16, n32), self.heads, strict=True)
        ]
        return torch.cat(answers, 2)


def _without_weights(model: onnx.ModelProto) -> onnx.ModelProto:
    """Replace each weight by a node that makes one of the same shape, its values 1 over the fan-in."""
    graph = model.graph
    made, kept = [], []
    for weight in graph.initializer:
        values = onnx.numpy_helper.to_array(weight)
        if values.dtype != np.float32 or values.size < 8:
            kept.append(weight)
            continue
        shape = onnx.numpy_helper.from_array(np.array(values.shape, np.int64), f"{weight.name}_shape")
        fan_in = values[0].size if values.ndim > 1 else 100
        value = onnx.helper.make_tensor("value", onnx.TensorProto.FLOAT, [1], [1.0 / fan_in])
        made.append(onnx.helper.make_node("ConstantOfShape", [shape.name], [weight.name], value=value))
        kept.append(shape)
    nodes = [*made, *graph.node]
    del graph.node[:], graph.initializer[:]
    graph.node.extend(nodes)
    graph.initializer.extend(kept)
    onnx.checker.check_model(model)
    return model


@in_one_line("yardstick")
def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments and write the file."""
    parser = Parser(
        prog="python -m companion.training.yardstick", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("out", type=Path, nargs="?", default=Path("models/yardstick.onnx"))
    args = parser.parse_args(arguments)
    make_folder(parser, "out", args.out.parent)
    args.out.open("ab").close()  # what cannot be written is said before anything is made
    network = Yardstick().eval()
    count = sum(each.numel() for each in network.parameters())
    torch.onnx.export(
        network,
        (torch.rand(1, 3, 640, 640),),
        str(args.out),
        input_names=["picture"],
        output_names=["answer"],
        opset_version=17,
        dynamo=False,
    )
    onnx.save(_without_weights(onnx.load(str(args.out))), str(args.out))
    print(f"{args.out}: {count} parameters, {args.out.stat().st_size} bytes", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
