"""Train one of the networks.

    python -m companion.training.train locator --art art --out runs/locator --minutes 60
    python -m companion.training.train classifier --art art --out runs/classifier --minutes 60

A two-minute run (`--minutes 2`) shows that everything works; it is no good for playing. The
learning rate falls with the time used, so a run of any length ends well. A run goes on from
its last checkpoint when started again with the same folder; the settings of every start stand in
`run.json`.

On a graphics card, which learns faster than processors draw, every core but one draws, batches are
larger, and each sample is shown several times (`companion.training.store`).
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, IterableDataset

from companion.arguments import Parser, add_threads, amount, whole
from companion.training.buttons import ButtonSet
from companion.training.checkpoint import read_checkpoint, write_checkpoint
from companion.training.dataset import CropSet, IndexSet, OutlineSet, TableSet
from companion.training.fault import TrainingError, in_one_line
from companion.training.glyphs import GlyphSet
from companion.training.letters import FOLDER as LETTERS_FOLDER
from companion.training.letters import Letters
from companion.training.networks import ButtonReader, Classifier, GlyphReader, Locator, Refiner
from companion.training.run import CHECKPOINT, Run, make_folder
from companion.training.store import Vary, crops, lit, mirrored, outlines, shown_again, tables
from companion.training.tables import load_packs

__all__ = [
    "KINDS",
    "Kind",
    "Settings",
    "classifier_loss",
    "locator_loss",
    "main",
    "refiner_loss",
    "train",
]


_CARD_BATCH, _CARD_TIMES = 10, 8
"""On a graphics card: how many batches are one, and how often a sample is shown."""
_KEPT = 0.35
"""Share of a graphics card's free memory in which samples are kept to be shown again."""
_KEPT_BYTES = 2e9
"""The same without one, in bytes."""
_MOST_WORKERS = 256
_MOST_SEED = 2**64 - 1
"""What torch can begin with."""
_STALLED_S = 600
"""A batch that takes a process longer is not waited for: the run ends, and goes on with others."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What decides a run.

    Attributes:
        times: How often a sample is shown at most; more than once, it is varied.
    """

    network: str
    minutes: float
    seed: int = 1
    batch: int = 16
    rate: float = 2e-3
    decay: float = 0.02
    workers: int = 1
    threads: int = 1
    times: int = 1


def locator_loss(answer: Tensor, target: Tensor) -> Tensor:
    """Penalty-reduced focal loss of the heat, and the distance of the geometry.

    Args:
        answer: (N, 9, h, w) of `Locator`.
        target: (N, 10, h, w) of `locator_target`.

    The heat's loss is that of Zhou et al., "Objects as Points" (2019), section 3.
    """
    heat, weight = target[:, 0], target[:, 9]
    logit = answer[:, 0].float()
    p = torch.sigmoid(logit).clamp(1e-5, 1 - 1e-5)
    peak = heat > 0.999
    loss = torch.where(peak, -torch.log(p) * (1 - p) ** 2, -torch.log(1 - p) * p**2 * (1 - heat) ** 4)
    loss = loss * (weight >= 0)
    count = peak.sum().clamp(min=1)
    geometry_weight = weight.clamp(min=0)
    distance = (answer[:, 1:9].float() - target[:, 1:9]).abs()
    scale = distance.new_tensor([0.3, 0.3, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5]).view(1, 8, 1, 1)
    geometry = (distance * scale).sum(1) * geometry_weight
    return loss.sum() / count + geometry.sum() / geometry_weight.sum().clamp(min=1)


def classifier_loss(answer: tuple[Tensor, ...], label: Tensor) -> Tensor:
    """Cross-entropy of the name, also by the index alone."""
    name = nn.functional.cross_entropy(answer[0].float(), label, label_smoothing=0.02)
    return name + 0.4 * nn.functional.cross_entropy(answer[2].float(), label, label_smoothing=0.02)


def print_loss(answer: tuple[Tensor, ...], label: Tensor) -> Tensor:
    """Cross-entropy of what is printed on a disc, or in the corner of a card."""
    return nn.functional.cross_entropy(answer[0].float(), label, label_smoothing=0.01)


def refiner_loss(answer: tuple[Tensor, ...], shifts: Tensor) -> Tensor:
    """How unlikely the true corners are, if the error of each is Laplace-distributed as wide as it says.

    A corner that is covered may be said to be anywhere; one in plain sight may not.
    """
    told, log_far = answer[0].float(), answer[1].float()
    far = (told - shifts).abs().view(-1, 4, 2).sum(dim=2)
    return (far / log_far.exp() + 2 * log_far).mean()


@dataclass(frozen=True, slots=True)
class Kind:
    """What is particular to one of the networks: itself, its data, its loss, its batch.

    Attributes:
        vary: What is done to a sample that is shown again.
        share: Of the time in which all are trained, about as the shipped ones were.
    """

    network: Callable[[], nn.Module]
    data: Callable[..., IterableDataset[tuple[Tensor, ...]]]
    loss: Callable[..., Tensor]
    vary: Vary
    batch: int
    share: float


KINDS = {
    "button": Kind(ButtonReader, ButtonSet, print_loss, lit, 96, 0.03),
    "glyph": Kind(GlyphReader, GlyphSet, print_loss, lit, 128, 0.08),
    "locator": Kind(partial(Locator, deep=True), TableSet, locator_loss, mirrored, 16, 0.25),
    "index": Kind(Locator, IndexSet, locator_loss, tables, 16, 0.07),
    "refiner": Kind(Refiner, OutlineSet, refiner_loss, outlines, 64, 0.12),
    "classifier": Kind(Classifier, CropSet, classifier_loss, crops, 48, 0.45),
}


def _batches(
    drawn: Iterable[list[Tensor]], settings: Settings, vary: Vary, device: torch.device
) -> Iterator[list[Tensor]]:
    """Batches on the device, pictures float32 from 0 to 1."""
    if settings.times == 1:
        for picture, *target in drawn:
            yield [picture.to(device).float() / 255, *(part.to(device) for part in target)]
        return
    room = _KEPT * torch.cuda.mem_get_info()[0] if device.type == "cuda" else _KEPT_BYTES
    for picture, *target in shown_again(drawn, settings.times, settings.batch, room, device):
        yield vary([picture.float() / 255, *target])


def train(settings: Settings, art: Path, out: Path) -> None:
    """Run, or go on, until the time is used.

    Raises:
        ArtError: There is no art.
        TrainingError: What stands in `out` is damaged or of another network, or cannot be written.
    """
    kind = KINDS[settings.network]
    torch.set_num_threads(settings.threads)
    torch.manual_seed(settings.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    card = device.type == "cuda"
    torch.backends.cudnn.benchmark = torch.backends.cudnn.allow_tf32 = card
    out.mkdir(parents=True, exist_ok=True)
    network = kind.network()
    network = network.to(device, memory_format=torch.channels_last)
    average = deepcopy(network)
    optimiser = torch.optim.AdamW(network.parameters(), lr=settings.rate, weight_decay=settings.decay)
    step, used = 0, 0.0
    checkpoint = out / CHECKPOINT
    if checkpoint.exists():
        saved = read_checkpoint(out, device, of=network, parts="network average")
        network.load_state_dict(saved["network"])
        average.load_state_dict(saved["average"])
        try:
            optimiser.load_state_dict(saved["optimiser"])
        except (KeyError, TypeError, ValueError) as error:
            raise TrainingError(
                f"{checkpoint}: what the optimiser had come to does not fit: {error}"
            ) from error
        step, used = saved["step"], saved["used"]
        if used >= settings.minutes * 60:
            print(
                f"training.train: the {settings.minutes:g} minutes of {out} are used: nothing is trained; "
                "more --minutes go on, another --out begins anew",
                file=sys.stderr,
            )
            return
    packs = load_packs(art)
    data = kind.data(packs, settings.seed + step, letters=Letters(art / LETTERS_FOLDER))
    run = Run.read(out)
    replace(run, starts=(*run.starts, {"from_step": step, **asdict(settings)})).write(out)
    loader: DataLoader[tuple[Tensor, ...]] = DataLoader(
        data,
        batch_size=settings.batch,
        num_workers=settings.workers,
        prefetch_factor=4 if settings.workers else None,
        timeout=_STALLED_S if settings.workers else 0,
    )
    total = settings.minutes * 60
    last, smooth = time.monotonic(), float("nan")
    saved_at, begun = used, step
    for picture, *target in _batches(loader, settings, kind.vary, device):
        share = min(1.0, used / total)
        warm = min(1.0, (step - begun + 1) / 100)
        rate = settings.rate * warm * (0.5 + 0.5 * float(np.cos(np.pi * share))) + 1e-6
        for group in optimiser.param_groups:
            group["lr"] = rate
        x = picture.contiguous(memory_format=torch.channels_last)
        # a card is no faster by it: what takes it longest are filters of one channel each
        with torch.autocast(device.type, torch.bfloat16, enabled=not card):
            answer = network(x)
        loss = kind.loss(answer, *target)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        step += 1
        _lean(average, network, 1 - min(0.998, step / (step + 10)))
        if step % 10 == 0:
            # each reading waits for the device
            value = float(loss.detach())
            smooth = value if np.isnan(smooth) else 0.8 * smooth + 0.2 * value
        now_s = time.monotonic()
        used, last = used + now_s - last, now_s
        if step % 50 == 0:
            print(
                f"step {step}  {used / 60:.1f} min  loss {smooth:.4f}  rate {rate:.2e}",
                file=sys.stderr,
                flush=True,
            )
        if used - saved_at > 120 or used >= total:
            saved_at = used
            state = {
                "network": network.state_dict(),
                "average": average.state_dict(),
                "optimiser": optimiser.state_dict(),
                "step": step,
                "used": used,
            }
            write_checkpoint(out, state)
        if used >= total:
            break


def _lean(average: nn.Module, network: nn.Module, share: float) -> None:
    """Move the averaged weights by a share of the way to the network's."""
    pairs = list(zip(average.state_dict().values(), network.state_dict().values(), strict=True))
    measured = [pair for pair in pairs if pair[0].dtype.is_floating_point]
    with torch.no_grad():
        # all at once: on a graphics card each call costs more than its sum
        torch._foreach_lerp_([mean for mean, _ in measured], [now for _, now in measured], share)
        for count, now in pairs:
            if not count.dtype.is_floating_point:
                count.copy_(now)


@in_one_line("train")
def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments and train."""
    parser = Parser(prog="python -m companion.training.train", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("network", choices=sorted(KINDS))
    parser.add_argument("--art", type=Path, default=Path("art"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=amount("number of minutes"), default=60)
    parser.add_argument("--seed", type=whole(0, _MOST_SEED), default=1)
    parser.add_argument("--batch", type=whole(1))
    parser.add_argument("--rate", type=amount("rate"), default=2e-3, help="learning rate at the start")
    card = torch.cuda.is_available()
    workers = max(1, (os.cpu_count() or 2) - 1) if card else 1
    parser.add_argument("--workers", type=whole(0, _MOST_WORKERS), default=workers)
    add_threads(parser, 1)
    parser.add_argument(
        "--times",
        type=whole(1),
        default=_CARD_TIMES if card else 1,
        help="show every sample so often, varied",
    )
    args = parser.parse_args(arguments)
    batch = args.batch or KINDS[args.network].batch * (_CARD_BATCH if card else 1)
    settings = Settings(
        args.network,
        args.minutes,
        args.seed,
        batch,
        args.rate,
        workers=args.workers,
        threads=args.threads,
        times=args.times,
    )
    make_folder(parser, "--out", args.out)
    train(settings, args.art, args.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
