"""Turn a training run into the files that ship: ONNX and model card.

    python -m companion.training.export locator --run runs/locator --out models --art art
    python -m companion.training.export refiner --run runs/refiner --out models --art art
    python -m companion.training.export classifier --run runs/classifier --out models --art art

The averaged weights are exported, of several runs that come of one another the mean of theirs (Wortsman
et al., "Model soups", 2022), batch normalisation folded into the convolutions, and the network
computes in 8 bits; with `--bits 16` the weights alone are kept in fewer bits, and widened again when
the file is read. What is measured is the file, not the network it was made from: on crops of packs
held out of training the classifier's temperature is fitted (Guo et al., "On Calibration of Modern
Neural Networks", 2017) and the refiner's corners are compared.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from numpy.typing import NDArray
from onnxruntime.quantization import CalibrationDataReader, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process
from torch import nn

from companion.arguments import Parser, share, whole
from companion.table.detection import CLASSES
from companion.training.checkpoint import read_checkpoint
from companion.training.fault import in_one_line
from companion.training.letters import FOLDER as LETTERS_FOLDER
from companion.training.letters import Letters
from companion.training.run import Run, checksum, make_folder
from companion.training.tables import HELD_OUT_PACKS, load_packs
from companion.training.train import KINDS
from companion.vision.button import BUTTON, PRINTS
from companion.vision.glyph import GLYPH
from companion.vision.rectify import AROUND, CARD

__all__ = ["averaged", "fit_temperature", "main"]


_FEW = 256
"""Weights of fewer values stay as they are."""
_FAR = {8: 0.3, 16: 2e-2}
"""Farthest an answer to noise may be from the network's, by bits; ranges of 8 are not made for noise."""
_SEEN = 320
"""Pictures by which the range of every value in the network is found, in batches of `_BATCH`."""
_BATCH = 8


@dataclass(frozen=True, slots=True)
class _Interface:
    """What a network takes and gives, as its ONNX file and its card say it."""

    example: tuple[int, ...]
    outputs: tuple[str, ...]
    axes: Mapping[str, Mapping[int, str]]
    lines: tuple[str, ...]


_GRID = _Interface(
    (1, 3, 384, 640),
    ("grid",),
    {"picture": {0: "n", 2: "height", 3: "width"}, "grid": {0: "n", 2: "rows", 3: "columns"}},
    (
        'input = "picture: (n, 3, height, width) float32, 0 to 1, blue green red; sides multiples of 32"',
        'preprocessing = "long side to 640 pixels, padded right and below with grey 114"',
        'output = "grid: (n, 9, height/8, width/8); see companion.training.networks.Locator"',
    ),
)
_INTERFACES = {
    "button": _Interface(
        (2, 3, BUTTON, BUTTON),
        ("logits",),
        {"picture": {0: "n"}, "logits": {0: "n"}},
        (
            f"classes = {json.dumps(list(PRINTS))}",
            f'input = "picture: (n, 3, {BUTTON}, {BUTTON}) float32, 0 to 1, blue green red"',
            'preprocessing = "companion.vision.button.cut"',
            'output = "logits (n, 3)"',
        ),
    ),
    "glyph": _Interface(
        (2, 3, GLYPH.height, GLYPH.width),
        ("logits",),
        {"picture": {0: "n"}, "logits": {0: "n"}},
        (
            f"classes = {json.dumps(list(CLASSES))}",
            f'input = "picture: (n, 3, {GLYPH.height}, {GLYPH.width}) float32, 0 to 1, blue green red"',
            'preprocessing = "companion.vision.rectify.rectify, GLYPH, of glyph.glyph_area"',
            'output = "logits (n, 26)"',
        ),
    ),
    "locator": _GRID,
    "index": _GRID,
    "refiner": _Interface(
        (2, 3, AROUND.height, AROUND.width),
        ("shifts",),
        {"picture": {0: "n"}, "shifts": {0: "n"}},
        (
            f'input = "picture: (n, 3, {AROUND.height}, {AROUND.width}) float32, 0 to 1, blue green red"',
            'preprocessing = "companion.vision.rectify.rectify, AROUND"',
            'output = "shifts (n, 8)"',
        ),
    ),
    "classifier": _Interface(
        (2, 3, CARD.height, CARD.width),
        ("logits", "embedding"),
        {"picture": {0: "n"}, "logits": {0: "n"}, "embedding": {0: "n"}},
        (
            f"classes = {json.dumps(list(CLASSES))}",
            f'input = "picture: (n, 3, {CARD.height}, {CARD.width}) float32, 0 to 1, blue green red"',
            'preprocessing = "companion.vision.rectify.rectify, CARD"',
            'output = "logits (n, 26); embedding (n, 512)"',
        ),
    ),
}


def averaged(kind: str, runs: Sequence[Path]) -> tuple[nn.Module, int, float]:
    """The mean of the runs' networks, and steps and seconds of the last run.

    Raises:
        TrainingError: A run has no checkpoint, or one that is damaged or of another network.
    """
    network = KINDS[kind].network()
    saved = [read_checkpoint(run, of=network, parts="average") for run in runs]
    last = saved[-1]
    mean = {
        # what is counted, not measured, has no mean
        name: torch.stack([each["average"][name] for each in saved]).mean(0)
        if value.is_floating_point()
        else value
        for name, value in last["average"].items()
    }
    network.load_state_dict(mean)
    return network.eval(), int(last["step"]), float(last["used"])


def _answers(path: Path, kind: str, art: Path, crops: int) -> tuple[torch.Tensor, torch.Tensor]:
    """What a file answers first to crops of the held-out packs, and what it should have answered."""
    drawn = iter(KINDS[kind].data(load_packs(art, held_out=True), seed=99))
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    told, wanted = [], []
    for _ in range(0, crops, 50):
        batch = [next(drawn) for _ in range(50)]
        pictures = torch.stack([each[0] for each in batch]).numpy().astype(np.float32) / 255
        told.append(torch.from_numpy(session.run(None, {"picture": pictures})[0]))
        wanted.append(torch.stack([each[1] for each in batch]))
    return torch.cat(told), torch.cat(wanted)


def fit_temperature(logits: torch.Tensor, labels: torch.Tensor) -> float:
    """The divisor of the logits that makes the labels likeliest, by search over a grid."""
    grid = np.exp(np.linspace(np.log(0.3), np.log(4), 60))
    losses = [float(nn.functional.cross_entropy(logits / t, labels)) for t in grid]
    return float(grid[int(np.argmin(losses))])


def _write(network: nn.Module, interface: _Interface, path: Path) -> None:
    """Write a network in 32 bits."""
    torch.onnx.export(
        network,
        (torch.rand(interface.example),),
        str(path),
        input_names=["picture"],
        output_names=list(interface.outputs),
        dynamic_axes={name: dict(axes) for name, axes in interface.axes.items()},
        opset_version=17,
        dynamo=False,
    )


def _compare(network: nn.Module, interface: _Interface, path: Path, most: float) -> None:
    """Raise an error where the file answers noise farther from the network than `most`, a share."""
    example = torch.rand(interface.example)
    with torch.no_grad():
        want = network(example)
    want = want if isinstance(want, tuple) else (want,)
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    told = session.run(None, {"picture": example.numpy()})
    for name, one, two in zip(interface.outputs, want, told, strict=True):
        far = float(np.abs(one.numpy() - two).max() / max(1.0, np.abs(two).max()))
        if far > most:
            raise RuntimeError(f"{path}: {name} differs from the network by {far}")


def _halve(path: Path) -> None:
    """Keep the weights as float16; the casts are folded away when a session is made."""
    model = onnx.load(str(path))
    graph = model.graph
    casts = []
    for weight in graph.initializer:
        values = onnx.numpy_helper.to_array(weight)
        if values.dtype != np.float32 or values.size < _FEW:
            continue
        name = weight.name
        weight.CopyFrom(onnx.numpy_helper.from_array(values.astype(np.float16), f"{name}_half"))
        casts.append(onnx.helper.make_node("Cast", [weight.name], [name], to=onnx.TensorProto.FLOAT))
    nodes = [*casts, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


class _Pictures(CalibrationDataReader):
    """Batches of training pictures, by which the ranges are found."""

    def __init__(self, kind: str, art: Path) -> None:
        packs, letters = load_packs(art), Letters(art / LETTERS_FOLDER)
        self._drawn: Iterator[tuple[torch.Tensor, ...]] = iter(
            KINDS[kind].data(packs, seed=5, letters=letters)
        )
        self._left = _SEEN // _BATCH

    def get_next(self) -> dict[str, NDArray[np.float32]] | None:
        """The next batch; `None` after the last."""
        if self._left == 0:
            return None
        self._left -= 1
        pictures = torch.stack([next(self._drawn)[0] for _ in range(_BATCH)]).numpy()
        return {"picture": pictures.astype(np.float32) / 255}


def _quantise(path: Path, kind: str, art: Path) -> None:
    """Make the network compute in 8 bits.

    Weights take 7 of them: without the newest instructions a processor adds products of 8 bits in 16, and
    more would overflow unnoticed.
    """
    prepared = path.with_suffix(".prepared")
    try:
        quant_pre_process(str(path), str(prepared), skip_symbolic_shape=True)
        quantize_static(
            str(prepared),
            str(path),
            _Pictures(kind, art),
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
        )
    finally:
        prepared.unlink(missing_ok=True)


def _commit() -> str:
    done = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or "unknown"


def _export(args: argparse.Namespace, folder: Path) -> tuple[Path, Path, int]:
    """Write network and model card into a folder; returns their paths, and the run's step."""
    network, step, used = averaged(args.network, args.run)
    run = Run.read(args.run[-1])
    name = f"card-{args.network}"
    path = folder / f"{name}.onnx"
    interface = _INTERFACES[args.network]
    _write(network, interface, path)
    _compare(network, interface, path, 1e-4)
    if args.bits == 8:
        _quantise(path, args.network, args.art)
    else:
        _halve(path)
    _compare(network, interface, path, _FAR[args.bits])
    lines, figures = [f'name = "{name}"'], []
    if interface is _GRID:
        lines += [f"threshold = {args.threshold}"]
    elif args.network == "refiner":
        shifts, true = _answers(path, args.network, args.art, args.crops)
        far = (shifts - true).view(-1, 4, 2) * torch.tensor([AROUND.width, AROUND.height])
        # of the card's long side, as it stands in the crop
        off = far.norm(dim=2).mean(dim=1) * (1 + 2 * AROUND.margin) / AROUND.height
        figures = [
            f"held_out_corner_error_median = {float(off.median()):.4f}",
            f"held_out_crops = {len(shifts)}",
        ]
    else:
        logits, labels = _answers(path, args.network, args.art, args.crops)
        lines += [f"temperature = {fit_temperature(logits, labels):.4f}"]
        accuracy = float((logits.argmax(1) == labels).float().mean())
        figures = [f"held_out_crop_accuracy = {accuracy:.4f}", f"held_out_crops = {len(labels)}"]
    began: list[str] = []
    if run.file is not None:
        began = [
            f'began_with = "{run.file}"',
            f"steps_before = {run.steps_before}",
            f"minutes_before = {run.minutes_before:.1f}",
        ]
    data = KINDS[args.network].data.__module__
    lines += interface.lines
    lines += [
        f"bits = {args.bits}",
        f'sha256 = "{checksum(path)}"',
        f'commit = "{_commit()}"',
        "",
        "[training]",
        f"steps = {step}",
        f"minutes = {run.minutes_before + used / 60:.1f}",
        *began,
        f"runs = {len(args.run)}",
        f"settings = {json.dumps(json.dumps(run.starts))}",
        f'data = "{data}, drawn without end from card art installed on the machine"',
        f"held_out_packs = {json.dumps(list(HELD_OUT_PACKS))}",
    ]
    if figures:
        lines += ["", "[figures]", *figures]
    card = path.with_suffix(".toml")
    card.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{args.out / path.name}: {path.stat().st_size} bytes, {step} steps", file=sys.stderr)
    return path, card, step


@in_one_line("export")
def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments and export; what lies in the folder is replaced once all is done."""
    parser = Parser(prog="python -m companion.training.export", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("network", choices=sorted(_INTERFACES))
    parser.add_argument("--run", type=Path, nargs="+", required=True, help="one, or several to be averaged")
    parser.add_argument("--out", type=Path, default=Path("models"))
    parser.add_argument("--art", type=Path, default=Path("art"))
    parser.add_argument("--threshold", type=share, default=0.3, help="least heat of a peak")
    parser.add_argument("--crops", type=whole(1), default=1500, help="held-out crops to measure on")
    parser.add_argument(
        "--bits", type=int, choices=[8, 16], default=8, help="in which it computes, or is kept"
    )
    args = parser.parse_args(arguments)
    torch.set_num_threads(1)
    torch.manual_seed(0)
    make_folder(parser, "--out", args.out)
    with tempfile.TemporaryDirectory(prefix=".export-", dir=args.out) as folder:
        path, card, step = _export(args, Path(folder))
        exported = checksum(path)
        for made in (path, card):
            made.replace(args.out / made.name)
    last = args.run[-1]
    replace(Run.read(last), exported=exported, exported_step=step).write(last)
    return 0


if __name__ == "__main__":
    sys.exit(main())
