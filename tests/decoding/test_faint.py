"""Cards that the detector loses for a second or two though nobody touches them: nothing happened."""

from __future__ import annotations

import pytest
from further import further
from trial import played


@pytest.mark.parametrize("seed", [1007, 1028, 1129, *further(1055, 1149, 1164, 1173)])
def test_faint_cards_change_nothing(seed: int) -> None:
    """A lead lost while it is answered, a turn-up that nobody turns down, a card of a marriage."""
    outcome, _ = played(seed, "faint")

    assert (outcome.kind, outcome.questions) == ("exact", 0)
