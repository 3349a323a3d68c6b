"""Anything is pressed at any moment: nothing fails, previews are kept, the log tells what the table told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.live.odd_evening import faults_of


@pytest.mark.parametrize("seed", [100, 101])
def test_whatever_is_pressed_nothing_fails(tmp_path: Path, seed: int) -> None:
    """Corrections, results, matches begun, starts of program and camera, in two hands that puppets play."""
    assert faults_of(seed, tmp_path) == []
