"""Where bundles lie: begun, listed and deleted."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from companion import __version__
from companion.bundle.archive import BundleReader, BundleWriter, is_being_written, is_bundle
from companion.bundle.fault import BundleError

__all__ = ["Kept", "begin", "delete", "is_ours", "kept"]

SUFFIX = ".tar"
_DECIDE = ("numpy", "opencv-python-headless", "onnxruntime")
"""Packages whose version may change what is read."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A bundle on the shelf.

    Attributes:
        path: The file.
        at: When it was begun, ISO 8601; empty where it cannot be read.
        source: What was looked at.
        size: Bytes.
        fault: Why it cannot be read; empty where it can.
    """

    path: Path
    at: str
    source: str
    size: int
    fault: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return this as a JSON object."""
        found = {"name": self.path.name, "at": self.at, "source": self.source, "bytes": self.size}
        return {**found, "fault": self.fault} if self.fault else found


def begin(folder: Path, *, source: str, at: datetime, models: Path | None = None) -> BundleWriter:
    """Begin a bundle named by date and time.

    Args:
        folder: The shelf.
        source: What is looked at.
        at: Now, with a zone.
        models: Folder of the networks; their checksums are noted.

    Raises:
        BundleError: It cannot be made.
    """
    header = {
        "at": at.isoformat(timespec="seconds"),
        "source": source,
        "versions": {"companion": __version__, "python": platform.python_version(), **_versions()},
        "models": {} if models is None else _models(models),
    }
    name = f"{at:%Y-%m-%d-%H%M%S}"
    for number in range(100):
        path = folder / f"{name}{f'-{number + 1}' if number else ''}{SUFFIX}"
        if not path.exists():
            return BundleWriter(path, header)
    raise BundleError(f"{folder}: too many bundles begun at {name}")


def kept(folder: Path) -> tuple[Kept, ...]:
    """The bundles on a shelf, oldest first; none where there is no such folder.

    Raises:
        BundleError: The folder cannot be read.
    """
    try:
        paths = sorted(path for path in folder.iterdir() if path.name.endswith(SUFFIX))
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise BundleError(f"{folder}: {error.strerror or error}") from error
    return tuple(_looked_at(path) for path in paths)


def is_ours(path: Path) -> bool:
    """Say whether a file on a shelf is a bundle, or what was left of one that could not be begun."""
    return is_bundle(path) or (path.is_file() and path.stat().st_size == 0)


def delete(folder: Path, name: str) -> Path:
    """Delete the bundle called `name` and return its path.

    Raises:
        BundleError: There is none of this name, it is somebody else's file or still being written, or it
            cannot be deleted.
    """
    path = folder / name
    if path not in {each.path for each in kept(folder)}:
        raise BundleError(f"{path}: no such bundle")
    if not is_ours(path):
        raise BundleError(f"{path}: not a bundle, so it is not deleted")
    if is_being_written(path):
        raise BundleError(f"{path}: is being written, so it is not deleted")
    try:
        path.unlink()
    except OSError as error:
        raise BundleError(f"{path}: {error.strerror or error}") from error
    return path


def _looked_at(path: Path) -> Kept:
    size = 0
    try:
        size = path.stat().st_size
        with BundleReader(path) as bundle:
            return Kept(path, str(bundle.header.get("at", "")), str(bundle.header.get("source", "")), size)
    except BundleError as error:
        return Kept(path, "", "", size, str(error))
    except OSError as error:  # gone meanwhile, or a link to nothing
        return Kept(path, "", "", size, f"{path}: {error.strerror or error}")


def _versions() -> dict[str, str]:
    found = {}
    for name in _DECIDE:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _models(folder: Path) -> dict[str, str]:
    """SHA-256 of each network, as its card says it."""
    import tomllib

    found = {}
    for card in sorted(folder.glob("*.toml")):
        try:
            found[card.stem] = str(tomllib.loads(card.read_text(encoding="utf-8")).get("sha256", ""))
        except (OSError, ValueError):
            found[card.stem] = ""
    return found
