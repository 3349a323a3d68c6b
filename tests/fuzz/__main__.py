"""Fuzz the readers of hands with atheris (https://pypi.org/project/atheris).

    pip install atheris
    python -m tests.fuzz -max_total_time=600 -timeout=10 runs/fuzz tests/fuzz/corpus

Options and folders are those of libFuzzer. What it finds it writes to `crash-...`; the mended reader
keeps it as a file of tests/fuzz/corpus.
"""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["companion"]):
    from tests.fuzz.records import check


def main() -> None:
    """Run until time is up or something is found."""
    atheris.Setup(sys.argv, check)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
