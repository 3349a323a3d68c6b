"""docs/score-sheets.md is complete and true: games, options, values, kinds of entries."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest
from table_talk import Pencil

from companion.sheets.agreement import GAMES, Agreement, usual
from companion.sheets.form import export
from companion.sheets.text import sheet_text

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "score-sheets.md").read_text(encoding="utf-8")
CLAUSES = dict(re.findall(r"^### (\d+\.\d+) .*\n((?:(?!^##).*\n?)*)", TEXT, re.MULTILINE))


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_line(game: str) -> None:
    """Clause 1.1 says of each game how many play, to how many points, counted which way."""
    (line,) = re.findall(rf"^\| `{game}` \|.*$", CLAUSES["1.1"], re.MULTILINE)
    seats, target, count = [cell.strip() for cell in line.strip("|").split("|")][-3:]
    agreed = usual(game)
    assert (int(seats), int(target), count) == (agreed.seats, agreed.target, agreed.count)


@pytest.mark.parametrize("contract", usual("bauern").contracts, ids=lambda each: each.name)
def test_every_contract_has_its_values(contract) -> None:
    """Clause 2.1 names each contract and what it is worth."""
    (cell,) = re.findall(rf"^\| `{contract.name}`.*? \| (.*) \|$", CLAUSES["2.1"], re.MULTILINE)
    assert tuple(map(int, re.findall(r"\d+", cell))) == contract.values


@pytest.mark.parametrize("option", [each.name for each in fields(Agreement)])
def test_every_option_is_named_where_agreements_are(option: str) -> None:
    """Clause 6.1 lists what can be agreed."""
    assert f"`{option}`" in CLAUSES["6.1"]


def test_the_files_are_as_written() -> None:
    """Clauses 6.2 and 6.3: types of entries, format, and the line of the text are those of the program."""
    pencil = Pencil("bauern")
    pencil.contract("gang", 1, doubling=2)
    assert CLAUSES["6.3"].split("```")[1].strip() in sheet_text(1, pencil.sheet)
    form = (ROOT / "companion" / "sheets" / "form.py").read_text()
    kinds = re.findall(r'^    "(\w+)": \(', form.split("_ENTRIES")[1].split("}")[0], re.MULTILINE)
    assert len(kinds) == 8
    assert all(f"`{kind}`" in CLAUSES["6.2"] for kind in kinds)
    written = json.dumps(export(pencil.entries))
    assert written.startswith(
        '{"format": "score-sheet", "version": 2, "entries": [{"type": "opened", "seq": 1'
    )


def test_clauses_named_in_the_code_exist() -> None:
    """Every clause that docstrings and tests name is in the document."""
    code = "\n".join(path.read_text() for path in (ROOT / "companion" / "sheets").glob("*.py"))
    named = set()
    for group in re.findall(r"clauses? ((?:\d\.\d(?:, | and | to )?)+)", code):
        named |= set(re.findall(r"\d\.\d", group))
    tests = (ROOT / "tests" / "sheets" / "test_sheet_clauses.py").read_text()
    named |= {found.replace("_", ".") for found in re.findall(r"def test_(\d_\d)_", tests)}
    assert len(named) > 15
    assert named <= set(CLAUSES)
