"""Many phones: what is told where there was nothing to wait for."""

from __future__ import annotations

import pytest

from companion.bench import crowd


@pytest.fixture(autouse=True)
def short_evening(monkeypatch: pytest.MonkeyPatch) -> None:
    """Caches and pools are full at once."""
    monkeypatch.setattr(crowd, "_EVENING", 1)


@pytest.mark.alone
@pytest.mark.parametrize(("every_s", "events"), [(0.2, 2), (60.0, 0)])
def test_delays_are_told_of_events_alone(every_s: float, events: int) -> None:
    """Two phones for half a second: where no event falls into it there is no delay, and the rest is told."""
    figures = {figure.name: figure.value for figure in crowd.crowd_figures(2, 0.5, every_s)}

    assert (figures["crowd.phones"], figures["crowd.events"]) == (2, events)
    assert ("crowd.delay.median" in figures) == bool(events)
    assert figures["crowd.memory.last"] > 0
