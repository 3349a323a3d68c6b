"""Where things lie, and what only this machine knows."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import config
from companion.config import AssetError, HomeError, Options, asset, data_folder


def test_a_checkout_keeps_its_assets_beside_the_package() -> None:
    """Run from a checkout, the page is the one in the checkout."""
    assert (asset("web") / "index.html").is_file()
    assert asset("web").parent == Path(config.__file__).resolve().parents[1]


def test_an_installed_package_keeps_its_assets_inside(tmp_path: Path, monkeypatch) -> None:
    """Without a checkout around it, the package's own folder is taken."""
    package = tmp_path / "site-packages" / "companion"
    (package / "_assets" / "web").mkdir(parents=True)
    monkeypatch.setattr(config, "_PACKAGE", package)
    assert asset("web") == package / "_assets" / "web"


def test_a_missing_asset_names_where_it_was_looked_for(tmp_path: Path, monkeypatch) -> None:
    """Neither place has it: the message names both; an unknown name is told apart."""
    monkeypatch.setattr(config, "_PACKAGE", tmp_path / "companion")
    with pytest.raises(AssetError, match=r"models.*_assets"):
        asset("models")
    with pytest.raises(AssetError, match="no asset is called 'sounds'"):
        asset("sounds")


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"COMPANION_DATA": "/data/a"}, "/data/a"),
        ({"XDG_DATA_HOME": "/data/b"}, "/data/b/schnapsen-companion"),
        ({"XDG_DATA_HOME": "relative", "HOME": "/home/c"}, "/home/c/.local/share/schnapsen-companion"),
        ({"HOME": "/home/c"}, "/home/c/.local/share/schnapsen-companion"),
    ],
)
def test_records_go_where_the_user_keeps_data(environment: dict[str, str], folder: str, monkeypatch) -> None:
    """The XDG rules hold: a relative XDG_DATA_HOME is ignored."""
    for name in ("COMPANION_DATA", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert data_folder() == Path(folder)


def test_a_user_without_a_home_folder_is_told_what_to_set(monkeypatch) -> None:
    """As in a container, where nobody has one."""

    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("COMPANION_DATA", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    with pytest.raises(HomeError, match="no home folder; set COMPANION_DATA"):
        data_folder()


@pytest.mark.parametrize("port", [-1, 65536])
def test_a_port_that_cannot_be_is_refused(port: int) -> None:
    """Ports go from 0 to 65535."""
    with pytest.raises(ValueError, match=str(port)):
        Options(port=port)


def test_to_listen_nowhere_is_refused() -> None:
    """As where the variable that should hold the address is empty."""
    with pytest.raises(ValueError, match=r"host must be an address .* got ''"):
        Options(host="")


@pytest.mark.parametrize("name", ["x" * 25, "Tisch\n7"])
def test_a_table_is_called_by_what_fits_a_heading(name: str) -> None:
    """At most 24 characters that can be shown."""
    assert Options(table="Tisch 7").table == "Tisch 7"
    with pytest.raises(ValueError, match="the table is called"):
        Options(table=name)
