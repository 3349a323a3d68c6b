"""Make the models from nothing: art, training, export, figures.

    python -m companion.training [--minutes 150] [--art art] [--runs runs] [--out models]

With drawing art and taking figures the whole is meant for three hours of two cores. `--minutes 2` goes
through every step in a few minutes and shows that it works; its models are no good. Each step is also a
command of its own: `companion.training.art`, `.train`, `.export`, `.thaw`, `.evaluate`, `.drawn_photos`.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from companion.training.train import KINDS


def main() -> int:
    """Run the steps one after another; the first that fails ends it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=150, help="of training, shared among the networks")
    parser.add_argument("--art", type=Path, default=Path("art"))
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    parser.add_argument("--out", type=Path, default=Path("models"))
    args = parser.parse_args()
    art, out = str(args.art), str(args.out)
    steps: list[list[str]] = []
    if not args.art.is_dir():
        steps.append(["art", "--out", art])
    for network, kind in KINDS.items():
        run = str(args.runs / network)
        if network == "index" and not (args.runs / network).exists():
            # what the locator has learnt of cards is half of what finding an index takes
            steps.append(["thaw", network, "--of", "locator", "--models", out, "--art", art, "--out", run])
        minutes = f"{kind.share * args.minutes:.2f}"
        steps.append(["train", network, "--art", art, "--out", run, "--minutes", minutes])
        steps.append(["export", network, "--run", run, "--out", out, "--art", art])
    steps.append(["evaluate", "--art", art, "--models", out])
    for step in steps:
        print("training:", *step, file=sys.stderr)
        done = subprocess.run([sys.executable, "-m", f"companion.training.{step[0]}", *step[1:]], check=False)
        if done.returncode:
            return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
