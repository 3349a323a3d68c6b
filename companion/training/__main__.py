"""Make the models again: art, training, export, figures.

    python -m companion.training [--minutes 150] [--art art] [--runs runs] [--out models] [--fresh]

Training goes on from the files in `models`, so that what has been learnt in hours is kept, whatever is
added: a pack of cards, a table top. What was interrupted goes on when started again; once all is done, the
next start trains on from the files that ship by then. With `--fresh` it begins from nothing. With drawing
art and taking figures the whole is meant for three hours of two cores. `--minutes 2` goes through every
step in a few minutes and shows that it works; its models are no better, with `--fresh` they are no good.
The figures of French packs, of German ones and of these enrolled, with confusion matrix and reliability
curve, are written into `runs/figures`. Each step is also a command of its own: `companion.training.art`,
`.train`, `.export`, `.thaw`, `.evaluate`, `.drawn_photos`.
"""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import torch

from companion.arguments import Parser, amount
from companion.training.checkpoint import read_checkpoint
from companion.training.fault import in_one_line
from companion.training.run import CHECKPOINT, Run, checksum
from companion.training.train import KINDS

__all__ = ["main", "steps"]

_SHIPPED = Path("models")
_RATE_ON = {"cpu": 2e-4, "cuda": 7e-4}
"""Learning rate at which a network that knows much goes on: as low as what ships was last trained with, so
that what was learnt from large batches is not lost to small ones. On a card they are ten times as large."""
_FIGURES = (("french", 300, 0), ("german", 150, 0), ("german", 150, 3))
"""Packs that are measured, on how many scenes, enrolled from how many photos a card: as in docs/models.md."""
_LEAST_MINUTES = 0.01
"""No network is trained for less."""
_SCENES_A_MINUTE, _FEWEST_SCENES = 10, 20
"""After a short training fewer scenes will do."""


@in_one_line("")
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the steps one after another; the first that fails ends it."""
    parser = Parser(prog="python -m companion.training", description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--minutes",
        type=amount("number of minutes"),
        default=150,
        help="of training, shared among the networks",
    )
    parser.add_argument("--art", type=Path, default=Path("art"))
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    parser.add_argument("--out", type=Path, default=_SHIPPED)
    parser.add_argument("--fresh", action="store_true", help="begin from nothing, not from the shipped files")
    args = parser.parse_args(arguments)
    for step in steps(args.art, args.runs, args.out, args.minutes, fresh=args.fresh):
        print("training:", *step, file=sys.stderr)
        done = subprocess.run([sys.executable, "-m", f"companion.training.{step[0]}", *step[1:]], check=False)
        if done.returncode:
            return done.returncode
    return 0


def steps(art: Path, runs: Path, out: Path, minutes: float, *, fresh: bool) -> Iterator[list[str]]:
    """The commands, one after another; a run that is there goes on until its time is used."""
    from_art = ["--art", str(art)]
    if not art.is_dir():
        yield ["art", "--out", str(art)]
    budgets = {
        network: max(_LEAST_MINUTES, round(kind.share * minutes, 2)) for network, kind in KINDS.items()
    }
    left = _left(runs, budgets, fresh=fresh)
    for network in KINDS:
        if network in left:
            continue
        run = runs / network
        begun = (run / CHECKPOINT).exists()
        if not begun and not fresh:
            yield ["thaw", network, *from_art, "--models", str(_SHIPPED), "--out", str(run)]
        elif not begun and network == "index":
            # what the locator has learnt of cards is half of what finding an index takes
            yield ["thaw", network, *from_art, "--of", "locator", "--models", str(out), "--out", str(run)]
        train = ["train", network, *from_art, "--out", str(run), "--minutes", str(budgets[network])]
        rate = _RATE_ON["cuda" if torch.cuda.is_available() else "cpu"]
        yield train if fresh else [*train, "--rate", str(rate)]
        yield ["export", network, *from_art, "--run", str(run), "--out", str(out)]
    for suits, most, photos in _FIGURES:
        scenes = min(most, max(_FEWEST_SCENES, round(_SCENES_A_MINUTE * minutes)))
        yield [
            *("evaluate", *from_art, "--models", str(out), "--out", str(runs / "figures")),
            *("--packs", suits, "--photos", str(photos), "--scenes", str(scenes)),
        ]


def _left(runs: Path, budgets: Mapping[str, float], *, fresh: bool) -> set[str]:
    """The networks whose runs stay as they are; what does not go on is set aside. Both are said.

    A run that was begun from another file than the one that ships now is never exported over it. A finished
    run waits for the others, and once all are finished they begin anew, from the shipped files, which may be
    what was made of them. Fresh runs do not: they would begin from nothing again.
    """
    finished = "is finished"
    foreign = f"was not begun from {'nothing' if fresh else 'the file that ships now'}"
    why = {}
    for network, minutes in budgets.items():
        run = runs / network
        if not (run / CHECKPOINT).exists():
            continue
        if _is_foreign(network, run, fresh=fresh):
            why[network] = foreign
        elif _is_finished(run, minutes):
            why[network] = finished
    all_over = len(why) == len(KINDS)
    left = {each for each, reason in why.items() if fresh or (reason == finished and not all_over)}
    for network, reason in why.items():
        run = runs / network
        if network not in left:
            then = f"it is kept as {_set_aside(run)}, and training goes on from the shipped file"
        elif fresh:
            then = "it stays as it is; to begin anew, move it away or name another folder by --runs"
        else:
            then = "it stays as it is until the other runs are finished, too"
        print(f"training: {run} {reason}: {then}", file=sys.stderr)
    return left


def _is_foreign(network: str, folder: Path, *, fresh: bool) -> bool:
    """Whether a run goes on from something else than would be begun from now."""
    run = Run.read(folder)
    if fresh:
        return run.file is not None and network != "index"
    return checksum(_SHIPPED / f"card-{network}.onnx") not in (run.file, run.exported)


def _is_finished(folder: Path, minutes: float) -> bool:
    """Whether a run's time is used and its file made."""
    saved = read_checkpoint(folder)
    return bool(saved["used"] >= 60 * minutes and Run.read(folder).exported_step == saved["step"])


def _set_aside(folder: Path) -> Path:
    """Give a run's folder the first name that is free."""
    names = (folder.with_name(f"{folder.name}.{number}") for number in itertools.count(1))
    return folder.rename(next(name for name in names if not name.exists()))


if __name__ == "__main__":
    sys.exit(main())
