"""The same frames and taps give the same log, byte for byte, in any process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
LOG = """
import sys
from companion.decoding.decoder import Decoder
from companion.rules.ruleset import preset
from companion.store.coding import encode
from tests.decoding.puppets import Noise, readings, stage
from tests.decoding.spectator import Spectator

rules = preset("schnapsen")
show = stage(rules, 1054)
noise = Noise(misses=0.20, misreads=0.05, phantoms=0.02, dropped=0.10)
for entry in Spectator(show, Decoder(rules)).watch(readings(show, noise=noise, seed=1054)):
    print(*encode(entry))
"""


def log(hash_seed: int) -> bytes:
    """What one process writes; sets of names have another order with each hash seed."""
    environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": str(ROOT)}
    run = subprocess.run(
        [sys.executable, "-c", LOG], cwd=ROOT, env=environment, capture_output=True, check=True
    )
    return run.stdout


def test_the_same_frames_and_taps_give_the_same_log() -> None:
    """Two processes whose sets and dictionaries of names differ in order write the same bytes."""
    one, other = log(1), log(2)

    assert one == other
    assert one.count(b"\n") > 6
