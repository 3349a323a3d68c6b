"""Measure the project's own figures on this machine, one `{"name", "value", "unit"}` a line.

Locating, classifying and the whole pipeline a frame, and a photo as `recognize` reads it, on one
thread and on two; frames a second and peak memory of `watch`, peak memory of `recognize`; the time
from a card at rest to the event on the page; hands a second of `replay`; hands a second played at
random, beside the engine of the PyPI package `schnapsen` where that is installed; milliseconds a
position of the solver. Takes a few minutes; whatever else runs on the machine shows in the figures.
"""

from __future__ import annotations

import argparse

from companion.commands.terminal import print_json

NAME = "bench"
HELP = "the project's own figures, measured here"


def configure(parser: argparse.ArgumentParser) -> None:
    """Say which arguments there are."""
    parser.add_argument("--json", action="store_true", help="JSON Lines, one a figure")


def run(options: argparse.Namespace) -> int:
    """Measure everything, printing each figure when it stands."""
    from companion.bench.suite import figures

    for figure in figures():
        if options.json:
            print_json(figure.to_json())
        else:
            print(f"{figure.name:36} {figure.value:14.3f} {figure.unit}", flush=True)
    return 0
