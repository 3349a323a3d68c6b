"""Where things lie and what was chosen: assets, data folder, secrets, options.

Stages take their own options as arguments; this module builds what the commands hand to
them, and no stage imports it.
"""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["AssetError", "DataFolderError", "Options", "Secrets", "asset", "data_folder", "load_secrets"]

_PACKAGE = Path(__file__).resolve().parent
_IN_CHECKOUT = {"web": "web", "models": "models", "demo": "fixtures/demo"}
_SECRETS_FILE = "secrets"


class AssetError(RuntimeError):
    """A folder that ships with the companion is not there; the message names both places searched."""


class DataFolderError(RuntimeError):
    """The data folder cannot be made, read or written; the message names it and why."""


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
    """
    if chosen := os.environ.get("COMPANION_DATA"):
        return Path(chosen).expanduser()
    xdg = os.environ.get("XDG_DATA_HOME", "")
    base = Path(xdg) if xdg and Path(xdg).is_absolute() else Path.home() / ".local" / "share"
    return base / "schnapsen-companion"


@dataclass(frozen=True, slots=True)
class Secrets:
    """What only this machine knows.

    Attributes:
        token: What the QR code carries; a phone exchanges it for a cookie. URL-safe text.
        key: 32 bytes that sign device cookies.
    """

    token: str = field(repr=False)
    key: bytes = field(repr=False)


def load_secrets(folder: Path) -> Secrets:
    """Read the secrets kept in the data folder `folder`, or make them on first use.

    They stay the same over restarts, so that paired phones stay paired. The file is
    readable by its owner only; delete it to send every phone away.

    Raises:
        DataFolderError: The folder or the file cannot be used.
    """
    path = folder / _SECRETS_FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            _write_secrets(path)
        token, key = path.read_text("ascii").split()
        return Secrets(token, bytes.fromhex(key))
    except OSError as error:
        raise DataFolderError(f"{error.filename or folder}: {error.strerror or error}") from error
    except ValueError as error:
        raise DataFolderError(f"{path}: damaged; delete it to pair the phones anew") from error


def _write_secrets(path: Path) -> None:
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(f"{secrets.token_urlsafe(18)} {secrets.token_hex(32)}\n")
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


@dataclass(frozen=True, slots=True)
class Options:
    """What `companion serve` and `companion demo` were asked for.

    Attributes:
        camera: Device index, URL or file; `None`: no camera, the phones tell everything.
        host: Address to listen on; `0.0.0.0` is every network of the machine.
        port: TCP port, 0 to 65535; 0 lets the system choose.
        rules: Name of the rules preset for a new match.
        data: Folder of the records.
    """

    camera: str | None = None
    host: str = "0.0.0.0"
    port: int = 8666
    rules: str = "schnapsen"
    data: Path = field(default_factory=data_folder)

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise ValueError(f"port must be 0 to 65535, got {self.port}")

    @property
    def log(self) -> Path:
        """The event log inside the data folder."""
        return self.data / "table.sqlite"

    @property
    def sheets(self) -> Path:
        """The score sheets' log inside the data folder."""
        return self.data / "sheets.sqlite"
