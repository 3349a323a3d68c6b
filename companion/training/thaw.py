"""Turn a file that ships back into a run, so that training goes on where it ended.

    python -m companion.training.thaw locator --art art --out runs/locator

Runs are large and stay on the machine that made them; the shipped files have the same weights in 8 bits,
with the batch normalisation folded into them. Here it is unfolded again, by the mean and spread that each
layer has on training pictures, so that the run answers as the file does. Heads that only training has
begin anew.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from companion.arguments import Parser
from companion.training.checkpoint import write_checkpoint
from companion.training.fault import TrainingError, in_one_line
from companion.training.letters import FOLDER as LETTERS_FOLDER
from companion.training.letters import Letters
from companion.training.run import CHECKPOINT, Run, checksum, make_folder, starts_of
from companion.training.tables import load_packs
from companion.training.train import KINDS, Settings
from companion.vision.fault import why_unreadable

__all__ = ["begin_with", "main", "thaw"]

_SEEN = 160
"""Training pictures by which each layer's mean and spread are found."""
_BATCH = 8


def _weights(model: onnx.ModelProto) -> dict[str, NDArray[np.float32]]:
    """The weights of a file by the names by which its nodes take them, wide again."""
    kept = {each.name: onnx.numpy_helper.to_array(each) for each in model.graph.initializer}
    wide = {name: values for name, values in kept.items() if values.dtype == np.float32}
    for node in model.graph.node:
        if node.op_type not in ("DequantizeLinear", "Cast") or node.input[0] not in kept:
            continue
        values = kept[node.input[0]].astype(np.float32)
        if node.op_type == "DequantizeLinear":
            scale = kept[node.input[1]]
            values = values * scale.reshape(-1, *[1] * (values.ndim - 1)) if scale.ndim else values * scale
        wide[node.output[0]] = values
    return wide


def _number(name: str) -> int | None:
    """What stands in the name of a weight that was folded, in the order in which a picture meets it."""
    found = re.search(r"Conv_(\d+)(_DequantizeLinear_Output)?$", name)
    return int(found[1]) if found else None


def _normalised(network: nn.Module) -> list[tuple[nn.Conv2d, nn.BatchNorm2d]]:
    """Each convolution and what normalises it, in the order in which a picture goes through them."""
    return [
        (one, two)
        for one, two in pairwise(network.modules())
        if isinstance(one, nn.Conv2d) and isinstance(two, nn.BatchNorm2d)
    ]


def thaw(network: nn.Module, path: Path, pictures: list[Tensor]) -> None:
    """Give `network` the weights of the file at `path`.

    Args:
        network: One of `companion.training.networks`.
        path: An ONNX file that `companion.training.export` made of the same kind.
        pictures: Batches of training pictures, (N, 3, H, W) float32, 0 to 1, blue green red.

    Raises:
        TrainingError: The file cannot be read, or is of another network.
    """
    try:
        model = onnx.load(str(path))
        wide = _weights(model)
    except OSError as error:
        raise TrainingError(f"{path}: {why_unreadable(error)}") from error
    except Exception as error:  # what damage raises is onnx's and its parser's own business
        raise TrainingError(f"{path}: is damaged, or no ONNX file") from error
    named = dict(network.named_parameters())
    with torch.no_grad():
        for taken, values in wide.items():
            name = taken.removesuffix("_DequantizeLinear_Output")
            if name not in named:
                continue
            if tuple(named[name].shape) != values.shape:
                own = tuple(named[name].shape)
                raise TrainingError(f"{path}: of another network: {name} is {values.shape}, not {own}")
            named[name].copy_(torch.from_numpy(values))
        # What was folded has lost its name but not its place; what a picture passes twice stands there twice.
        folded = {
            number: (node.input[1], node.input[2])
            for node in reversed(model.graph.node)
            if node.op_type == "Conv"
            and len(node.input) == 3
            and (number := _number(node.input[1])) is not None
        }
        pairs = [folded[number] for number in sorted(folded)]
        layers = _normalised(network)
        unlike = [
            (conv, weight)
            for (conv, _), (weight, _) in zip(layers, pairs, strict=False)
            if weight not in wide or tuple(conv.weight.shape) != wide[weight].shape
        ]
        if len(pairs) != len(layers) or unlike:
            fit = f"{len(pairs)} folded layers do not fit the network's {len(layers)}"
            raise TrainingError(f"{path}: of another network: {fit}")
        for (conv, norm), (weight, bias) in zip(layers, pairs, strict=True):
            values = torch.from_numpy(wide[weight])
            # as large as at the beginning of a training: the rate was chosen for that
            usual = (3 * values[0].numel()) ** -0.5
            grow = usual / values.flatten(1).norm(dim=1).div(values[0].numel() ** 0.5).clamp(min=1e-6)
            conv.weight.copy_(values * grow.view(-1, 1, 1, 1))
            norm.weight.copy_(1 / grow)
            norm.bias.copy_(torch.from_numpy(wide[bias]))
            norm.running_mean = torch.zeros_like(norm.bias)
            norm.running_var = torch.full_like(norm.bias, 1 - norm.eps)
        _spread(network, [norm for _, norm in layers], pictures)


def begin_with(network: nn.Module, other: nn.Module) -> None:
    """Give `network` the weights of another that has all of its layers, and may have more.

    Raises:
        TrainingError: It lacks some.
    """
    there = other.state_dict()
    lacking = [
        name
        for name, own in network.state_dict().items()
        if name not in there or there[name].shape != own.shape
    ]
    if lacking:
        raise TrainingError(f"{type(other).__name__} has no {lacking[0]} of {type(network).__name__}")
    network.load_state_dict({name: there[name] for name in network.state_dict()})


def _spread(network: nn.Module, norms: list[nn.BatchNorm2d], pictures: list[Tensor]) -> None:
    """Give each normalisation the mean and variance of what it sees; what it answers stays the same."""
    seen: dict[nn.Module, list[tuple[Tensor, Tensor]]] = {norm: [] for norm in norms}

    def note(norm: nn.Module, given: tuple[Tensor, ...]) -> None:
        (x,) = given
        seen[norm].append((x.mean((0, 2, 3)), x.square().mean((0, 2, 3))))

    hooks = [norm.register_forward_pre_hook(note) for norm in norms]
    network.eval()
    for batch in pictures:
        network(batch)
    for hook in hooks:
        hook.remove()
    for norm in norms:
        mean = torch.stack([one for one, _ in seen[norm]]).mean(0)
        spread = (torch.stack([two for _, two in seen[norm]]).mean(0) - mean.square()).clamp(min=1e-8)
        norm.bias += mean * norm.weight
        norm.weight *= (spread + norm.eps).sqrt()
        norm.running_mean, norm.running_var = mean, spread


def _card(path: Path) -> tuple[tuple[Mapping[str, Any], ...], int, float]:
    """What a file's model card tells of its training: the starts, steps, minutes."""
    card = path.with_suffix(".toml")
    try:
        told = tomllib.loads(card.read_text(encoding="utf-8"))["training"]
        return starts_of(json.loads(told["settings"])), int(told["steps"]), float(told["minutes"])
    except OSError as error:
        raise TrainingError(f"{card}: {why_unreadable(error)}") from error
    except (KeyError, TypeError, ValueError) as error:
        raise TrainingError(f"{card}: not a model card that tells of a training: {error}") from error


@in_one_line("thaw")
def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments and write a run."""
    parser = Parser(prog="python -m companion.training.thaw", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("network", choices=sorted(KINDS))
    parser.add_argument(
        "--of", choices=sorted(KINDS), help="begin from another file, of the same make or deeper"
    )
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--art", type=Path, default=Path("art"))
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args(arguments)
    checkpoint = args.out / CHECKPOINT
    if checkpoint.exists():
        raise TrainingError(f"{checkpoint}: is there already")
    path = args.models / f"card-{args.of or args.network}.onnx"
    starts, steps, minutes = _card(path)
    make_folder(parser, "--out", args.out)
    torch.manual_seed(0)
    kind = KINDS[args.network]
    network = kind.network()
    source = KINDS[args.of or args.network].network()
    drawn = iter(kind.data(load_packs(args.art), seed=7, letters=Letters(args.art / LETTERS_FOLDER)))
    pictures = [
        torch.stack([next(drawn)[0] for _ in range(_BATCH)]).float() / 255 for _ in range(_SEEN // _BATCH)
    ]
    thaw(source, path, pictures)
    begin_with(network, source)
    settings = Settings(args.network, 0, batch=kind.batch)
    optimiser = torch.optim.AdamW(network.parameters(), weight_decay=settings.decay)
    Run(starts, checksum(path), steps, minutes).write(args.out)
    weights = network.state_dict()
    write_checkpoint(
        args.out,
        {
            "network": weights,
            "average": weights,
            "optimiser": optimiser.state_dict(),
            "step": steps,
            "used": 0.0,
        },
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
