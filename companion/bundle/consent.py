"""Whether an evening is kept, and where: never unless somebody asked for it."""

from __future__ import annotations

import os
from pathlib import Path

from companion.bundle.fault import BundleError

__all__ = ["VARIABLE", "asked_for", "shelf"]

VARIABLE = "COMPANION_KEEP"
"""Set to 1 in the environment, every sitting is kept; to a folder, it is kept there."""
FOLDER = "sessions"
_NO = ("", "0", "no", "off", "false")
_YES = ("1", "yes", "on", "true")


def shelf(data: Path) -> Path:
    """Where bundles lie unless told otherwise, inside the data folder."""
    return data / FOLDER


def asked_for(option: str | None, data: Path) -> Path | None:
    """Say where a sitting is to be kept.

    Args:
        option: The folder named with `--keep`, empty where it named none; `None`: it was not given.
        data: The data folder.

    Returns:
        The folder; `None`: nothing is kept.

    >>> asked_for("", Path("records"))
    PosixPath('records/sessions')
    """
    chosen = option if option is not None else os.environ.get(VARIABLE, "").strip()
    if option is None and chosen.lower() in _NO:
        return None
    if chosen == "" or (option is None and chosen.lower() in _YES):
        return shelf(data)
    try:
        return Path(chosen).expanduser()
    except RuntimeError as error:
        raise BundleError(f"{chosen}: there is no such home folder") from error
