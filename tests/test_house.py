"""The house: a set-up that names what is missing, documents that agree with the code, one version."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

import companion

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ("sh", "cat", "cksum", "rm", "dirname", "id", "pwd", "touch", "env", "sed")


@pytest.fixture
def bare_machine(tmp_path: Path) -> Path:
    """The set-up on a machine that has a shell and hardly anything else; `bin` holds all its commands."""
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    commands = tmp_path / "bin"
    commands.mkdir()
    for name in TOOLS:
        if found := shutil.which(name):
            (commands / name).symlink_to(found)
    return tmp_path


def install(machine: Path, name: str, script: str) -> None:
    """Put a command on the machine."""
    path = machine / "bin" / name
    path.unlink(missing_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def set_up(machine: Path, goal: str = "demo") -> tuple[int, list[str]]:
    """Exit status of the set-up, and what it said."""
    done = subprocess.run(
        ["sh", ".ci/setup", goal],
        cwd=machine,
        env={"PATH": str(machine / "bin"), "HOME": str(machine)},
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stderr.splitlines()


def python(version: str, *, venv: bool, calls: Path) -> str:
    """A Python that knows its version, may or may not make a .venv, and notes what is installed with it."""
    return f"""
case "$*" in
    *version_info*) case {version} in 3.1[123]) exit 0 ;; *) exit 1 ;; esac ;;
    *ensurepip*) exit {0 if venv else 1} ;;
    "-m venv .venv") /bin/mkdir -p .venv/bin; /bin/cp "$0" .venv/bin/python ;;
    *"pip install"*) echo "$*" >> {calls} ;;
    *) echo "unexpected: $*" >&2; exit 9 ;;
esac
"""


def test_a_machine_without_a_fitting_python_is_told_so(bare_machine: Path) -> None:
    """Only an old Python: one line that names the versions and the package, nothing half made."""
    install(bare_machine, "python3", python("3.9", venv=True, calls=bare_machine / "calls"))

    status, said = set_up(bare_machine)

    assert status != 0
    assert any("Python 3.11, 3.12 or 3.13" in line and "apt-get install python3" in line for line in said)
    assert not (bare_machine / ".venv" / "bin").exists()


def test_a_python_without_venv_is_told_so(bare_machine: Path) -> None:
    """Debian's bare python3: one line that names the package python3-venv."""
    install(bare_machine, "python3", python("3.11", venv=False, calls=bare_machine / "calls"))

    status, said = set_up(bare_machine)

    assert status != 0
    assert any("python3-venv" in line for line in said)


def test_a_later_python_is_found_behind_an_old_one(bare_machine: Path) -> None:
    """`python3` may be old and `python3.12` be there all the same."""
    install(bare_machine, "python3", python("3.9", venv=True, calls=bare_machine / "calls"))
    install(bare_machine, "python3.12", python("3.12", venv=True, calls=bare_machine / "calls"))

    status, _ = set_up(bare_machine)

    assert status == 0
    assert "-e ." in (bare_machine / "calls").read_text()


def test_the_set_up_is_done_once(bare_machine: Path) -> None:
    """Nothing is installed again while nothing has changed, and `test` serves `demo` too."""
    calls = bare_machine / "calls"
    install(bare_machine, "python3", python("3.11", venv=True, calls=calls))
    install(bare_machine, "chromium", "exit 0")

    for goal in ("test", "test", "demo"):
        assert set_up(bare_machine, goal)[0] == 0

    assert len(calls.read_text().splitlines()) == 1
    assert "-e .[test]" in calls.read_text()


@pytest.mark.parametrize("change", ["dependencies", "place", "halfway"])
def test_a_stale_environment_is_noticed(bare_machine: Path, change: str) -> None:
    """New dependencies, a folder that has moved, a set-up that was broken off: installed again."""
    calls = bare_machine / "calls"
    install(bare_machine, "python3", python("3.11", venv=True, calls=calls))
    set_up(bare_machine)
    if change == "dependencies":
        with (bare_machine / "pyproject.toml").open("a") as file:
            file.write("# another dependency\n")
    elif change == "place":
        (bare_machine / ".venv" / "place").write_text("/somewhere/else\n")
        (bare_machine / ".venv" / "ready-demo").write_text("/somewhere/else\n")
    else:
        (bare_machine / ".venv" / "ready-demo").unlink()

    status, _ = set_up(bare_machine)

    assert status == 0
    assert len(calls.read_text().splitlines()) == 2


def test_a_missing_browser_is_named_and_stops_nothing(bare_machine: Path) -> None:
    """Without a Chromium, and no right to install one: one line, and the tests can run."""
    install(bare_machine, "python3", python("3.11", venv=True, calls=bare_machine / "calls"))

    status, said = set_up(bare_machine, "test")

    assert status == 0
    assert any("apt-get install chromium" in line for line in said)


def test_links_in_the_documents_lead_somewhere() -> None:
    """Every relative link of every document names a file that is there."""
    missing = [
        f"{path.name}: {target}"
        for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"))
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", path.read_text())
        if not (path.parent / target).exists()
    ]

    assert missing == []


def test_every_target_named_in_the_documents_exists() -> None:
    """Whoever types a `make` line from the documents finds that target."""
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {
        target
        for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md")
        for target in re.findall(r"(?:`|^)make ([a-z]+)", path.read_text(), re.MULTILINE)
    }

    assert named <= targets
    assert {"demo", "test"} <= named


def test_each_package_has_its_place_in_the_map() -> None:
    """The architecture names every package that there is."""
    page = (ROOT / "docs" / "architecture.md").read_text()
    packages = {path.parent.name for path in (ROOT / "companion").glob("*/__init__.py")}

    assert {name for name in packages if not re.search(rf"\b{name}\b", page)} == set()


def test_the_supported_pythons_agree() -> None:
    """pyproject.toml, the set-up and the README speak of the same versions of Python."""
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]

    assert wanted == ">=3.11,<3.14"
    assert "(3, 11) <= sys.version_info[:2] <= (3, 13)" in (ROOT / ".ci" / "setup").read_text()
    assert "Python 3.11 to 3.13" in (ROOT / "README.md").read_text()


def test_the_licence_is_whole() -> None:
    """The file that wheels carry is the Apache licence with all its parts."""
    text = (ROOT / "LICENSE").read_text()

    assert "Apache License" in text
    assert "Version 2.0, January 2004" in text
    assert "END OF TERMS AND CONDITIONS" in text


def test_the_version_is_one_that_pip_understands() -> None:
    """`companion.__version__` is what the wheel is named after."""
    assert re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc|\.dev)\d+)?", companion.__version__)


def test_the_set_up_needs_no_bash() -> None:
    """Debian's /bin/sh reads it."""
    subprocess.run(["sh", "-n", str(ROOT / ".ci" / "setup")], check=True)
    subprocess.run(["sh", "-n", str(ROOT / ".ci" / "run")], check=True)
