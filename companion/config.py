"""Where things lie and what was chosen: assets, data folder, options.

Stages take their own options as arguments; this module builds what the commands hand to
them, and no stage imports it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from companion.rules.fair_play import Mode

__all__ = ["AssetError", "HomeError", "Options", "asset", "data_folder"]

LONGEST_NAME = 24
"""Characters of a table's name."""

_PACKAGE = Path(__file__).resolve().parent
_IN_CHECKOUT = {"web": "web", "models": "models", "demo": "fixtures/demo"}


class AssetError(RuntimeError):
    """A folder that ships with the companion is not there; the message names both places searched."""


class HomeError(RuntimeError):
    """Where this user's files lie is not known; the message says what to set."""


def asset(name: str) -> Path:
    """Return the folder of a shipped asset: `web`, `models` or `demo`.

    A checkout keeps them beside the package, a wheel inside it.

    Raises:
        AssetError: No such asset, or it lies in neither place.
    """
    if name not in _IN_CHECKOUT:
        raise AssetError(f"no asset is called {name!r}; there are {', '.join(_IN_CHECKOUT)}")
    root = _PACKAGE.parent
    in_checkout = root / _IN_CHECKOUT[name]
    in_wheel = _PACKAGE / "_assets" / name
    if (root / "pyproject.toml").is_file() and in_checkout.is_dir():
        return in_checkout
    if in_wheel.is_dir():
        return in_wheel
    raise AssetError(f"the folder {name!r} is missing: looked for {in_checkout} and {in_wheel}")


def data_folder() -> Path:
    """Return where records are kept unless told otherwise: the XDG data folder of this user.

    `COMPANION_DATA` overrides it; the folder is not made here.

    Raises:
        HomeError: It would lie in a home folder that is not there.
    """
    chosen, xdg = os.environ.get("COMPANION_DATA"), os.environ.get("XDG_DATA_HOME", "")
    try:
        if chosen:
            return Path(chosen).expanduser()
        base = Path(xdg) if xdg and Path(xdg).is_absolute() else Path.home() / ".local" / "share"
    except RuntimeError as error:
        what = f"COMPANION_DATA={chosen}: there is no such home" if chosen else "this user has no home"
        raise HomeError(f"{what} folder; set COMPANION_DATA to the folder of the records") from error
    return base / "schnapsen-companion"


@dataclass(frozen=True, slots=True)
class Options:
    """What `companion serve` and `companion demo` were asked for.

    Attributes:
        camera: Device index, `rpicam`, URL or file; `None`: no camera, the phones tell everything.
        host: Address to listen on; `0.0.0.0` is every network of the machine, and so is `::`.
        port: TCP port, 0 to 65535; 0 lets the system choose.
        rules: Name of the rules preset for a new match.
        data: Folder of the records.
        table: What this table is called among others, as in `Tisch 7`; empty: it is the only one.
        fair: Who sees what in a first match; later ones begin as the one before.
    """

    camera: str | None = None
    host: str = "0.0.0.0"
    port: int = 8666
    rules: str = "schnapsen"
    data: Path = field(default_factory=data_folder)
    table: str = ""
    fair: Mode = "training"

    def __post_init__(self) -> None:
        if not self.host:
            raise ValueError("host must be an address to listen on, got ''; 0.0.0.0 is every network")
        if not 0 <= self.port <= 65535:
            raise ValueError(f"port must be 0 to 65535, got {self.port}")
        if len(self.table) > LONGEST_NAME or not self.table.isprintable():
            raise ValueError(
                f"the table is called {self.table!r:.80}, not by at most {LONGEST_NAME} printable characters"
            )

    @property
    def log(self) -> Path:
        """The event log inside the data folder."""
        return self.data / "table.sqlite"

    @property
    def stills(self) -> Path:
        """The pictures of what happened inside the data folder."""
        return self.data / "stills.sqlite"

    @property
    def analyses(self) -> Path:
        """The analyses of played hands inside the data folder."""
        return self.data / "analyses.sqlite"

    @property
    def devices(self) -> Path:
        """The paired devices inside the data folder."""
        return self.data / "devices.sqlite"

    @property
    def setup(self) -> Path:
        """How the camera is set up, inside the data folder."""
        return self.data / "setup.json"

    @property
    def sheets(self) -> Path:
        """The score sheets' log inside the data folder."""
        return self.data / "sheets.sqlite"
