"""Make the models again: art, training, export, figures.

    python -m companion.training [--minutes 150] [--art art] [--runs runs] [--out models] [--fresh]

Training goes on from the files in `models`, so that what has been learnt in hours is kept, whatever is
added: a pack of cards, a table top. With `--fresh` it begins from nothing. With drawing art and taking
figures the whole is meant for three hours of two cores. `--minutes 2` goes through every step in a few
minutes and shows that it works; its models are no better, with `--fresh` they are no good. Each step is
also a command of its own: `companion.training.art`, `.train`, `.export`, `.thaw`, `.evaluate`,
`.drawn_photos`.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from companion.training.run import CHECKPOINT
from companion.training.train import KINDS

__all__ = ["main", "steps"]

_SHIPPED = Path("models")
_RATE_ON = 7e-4
"""Learning rate at which a network that knows much goes on: a third of that from nothing."""


def main() -> int:
    """Run the steps one after another; the first that fails ends it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=150, help="of training, shared among the networks")
    parser.add_argument("--art", type=Path, default=Path("art"))
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    parser.add_argument("--out", type=Path, default=_SHIPPED)
    parser.add_argument("--fresh", action="store_true", help="begin from nothing, not from the shipped files")
    args = parser.parse_args()
    for step in steps(args.art, args.runs, args.out, args.minutes, fresh=args.fresh):
        print("training:", *step, file=sys.stderr)
        done = subprocess.run([sys.executable, "-m", f"companion.training.{step[0]}", *step[1:]], check=False)
        if done.returncode:
            return done.returncode
    return 0


def steps(art: Path, runs: Path, out: Path, minutes: float, *, fresh: bool) -> Iterator[list[str]]:
    """The commands, one after another; a run that is there goes on."""
    from_art = ["--art", str(art)]
    if not art.is_dir():
        yield ["art", "--out", str(art)]
    for network, kind in KINDS.items():
        run = runs / network
        begun = (run / CHECKPOINT).exists()
        if not begun and not fresh:
            yield ["thaw", network, *from_art, "--models", str(_SHIPPED), "--out", str(run)]
        elif not begun and network == "index":
            # what the locator has learnt of cards is half of what finding an index takes
            yield ["thaw", network, *from_art, "--of", "locator", "--models", str(out), "--out", str(run)]
        train = ["train", network, *from_art, "--out", str(run), "--minutes", f"{kind.share * minutes:.2f}"]
        yield train if fresh else [*train, "--rate", str(_RATE_ON)]
        yield ["export", network, *from_art, "--run", str(run), "--out", str(out)]
    yield ["evaluate", *from_art, "--models", str(out)]


if __name__ == "__main__":
    sys.exit(main())
