"""Cases that show again, at another table, what one beside them shows: run where `--further` is given."""

from __future__ import annotations

from typing import Any

import pytest

__all__ = ["further"]


def further(*cases: Any) -> list[Any]:
    """Mark cases of a parametrization, each a value or the tuple of several."""
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.further)
        for case in cases
    ]
