"""The wheel: built, installed into an empty environment, and started from another folder."""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CLEAN = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that this checkout builds."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), "."]
    subprocess.run(command, cwd=ROOT, env=CLEAN, check=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment that holds the wheel and what it asks for, nothing else."""
    folder = tmp_path_factory.mktemp("empty") / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(folder)], env=CLEAN, check=True)
    install = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", str(wheel)]
    subprocess.run(install, cwd=folder, env=CLEAN, check=True)
    return folder / "bin"


@pytest.fixture
def demo(installed: Path, tmp_path: Path) -> Iterator[str]:
    """The address at which the installed demo, started from an empty folder, is served."""
    command = [str(installed / "companion"), "demo", "--host", "127.0.0.1", "--port", "0"]
    with subprocess.Popen(command, cwd=tmp_path, env=CLEAN, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        address = ""
        for line in run.stdout:
            if found := re.search(r"http://\S+", line):
                address = found.group()
                break
        try:
            yield address
        finally:
            run.terminate()
            run.stdout.read()


def fetched(address: str, path: str, cookie: str = "", form: str = "") -> tuple[int, str, str]:
    """Status, cookie and text of one answer; with `form` it is posted as the page does."""
    host = address.split("/")[2]
    connection = http.client.HTTPConnection(host, timeout=30)
    headers = {"Cookie": cookie} if cookie else {}
    if form:
        headers |= {"Origin": f"http://{host}", "Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST" if form else "GET", path, form or None, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, (answer.getheader("Set-Cookie") or "").partition(";")[0], text


@pytest.mark.slow
def test_the_wheel_carries_what_the_companion_needs(wheel: Path) -> None:
    """Page, networks with their model cards, recording, schema and licence are inside."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())

    for folder, suffixes in {
        "web": {".html", ".js", ".css"},
        "models": {".onnx", ".toml"},
        "demo": {".mp4", ".json"},
    }.items():
        inside = {Path(name).suffix for name in names if name.startswith(f"companion/_assets/{folder}/")}
        assert suffixes <= inside, folder
    assert "companion/py.typed" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not any(name.startswith(("tests/", "fixtures/")) for name in names)


@pytest.mark.slow
def test_the_wheel_needs_neither_the_checkout_nor_torch(installed: Path, tmp_path: Path) -> None:
    """Imported from another folder, everything comes from the environment; PyTorch is not part of it."""
    program = (
        "import companion.cli, companion.server.app, companion.vision.reader, companion.config as c, sys;"
        "print(companion.__file__, *map(c.asset, ('web', 'models', 'demo')), 'torch' in sys.modules)"
    )
    done = subprocess.run(
        [str(installed / "python"), "-c", program],
        cwd=tmp_path,
        env=CLEAN,
        capture_output=True,
        text=True,
        check=True,
    )
    *paths, torch = done.stdout.split()

    assert torch == "False"
    assert all(Path(path).is_relative_to(installed.parent) for path in paths)


@pytest.mark.slow
def test_the_installed_solver_needs_no_compiler_and_writes_nothing(installed: Path, tmp_path: Path) -> None:
    """It compiles itself where only its own folder of programs is on the path, and leaves no file behind."""
    position = {
        "trump": "D",
        "to_lead": 1,
        "hands": [["KH", "TS"], ["QS", "AD"]],
        "stock": [],
        "card_points": [20, 53],
        "tricks_won": [2, 6],
    }
    (tmp_path / "position.jsonl").write_text(json.dumps(position))
    package = next(installed.parent.glob("lib/python*/site-packages/companion/solver"))
    before = {path for path in package.rglob("*") if path.suffix != ".pyc"}
    done = subprocess.run(
        [str(installed / "companion"), "solve", "position.jsonl", "--json"],
        cwd=tmp_path,
        env={"PATH": str(installed), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert json.loads(done.stdout) == {"index": 0, "value": -2, "actions": {"play:QS": -1, "play:AD": -2}}
    assert {path for path in package.rglob("*") if path.suffix != ".pyc"} == before
    assert [path.name for path in tmp_path.iterdir()] == ["position.jsonl"]


@pytest.mark.slow
def test_the_installed_demo_serves_its_page(demo: str) -> None:
    """The printed address lets a phone in, and the page and its parts are there; without it, nothing is."""
    path, _, form = demo.partition("//")[2].partition("/")[2].partition("?")
    assert fetched(demo, f"/{path}?{form}")[:2] == (200, "")
    status, cookie, _ = fetched(demo, f"/{path}", form=form)

    assert status == 303
    assert fetched(demo, "/")[0] == 401
    status, _, page = fetched(demo, "/", cookie)
    assert status == 200
    assert "<html" in page.lower()
    parts = re.findall(r"(?:src|href)=\"([\w./-]+\.(?:js|css))\"", page)
    assert parts
    assert [fetched(demo, f"/{part.lstrip('/')}", cookie)[0] for part in parts] == [200] * len(parts)
    assert fetched(demo, "/api/snapshot", cookie)[0] == 200
