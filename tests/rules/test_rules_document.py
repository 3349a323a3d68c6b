"""docs/rules.md is complete: every option, value and breach has its clause."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.rules.breach import Breach
from companion.rules.presets import DIFFERENCES, MODIFIERS
from companion.rules.ruleset import PRESETS, RuleSet, choices

TEXT = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
NINES = ("deck", "hand_size", "exchange_rank")
SECTIONS = dict(re.findall(r"^### (\d+\.\d+) .*\n((?:(?!^##).*\n?)*)", TEXT, re.MULTILINE))


@pytest.mark.parametrize("breach", Breach)
def test_every_breach_has_its_clause(breach: Breach) -> None:
    """The value of a breach is the number of a clause that exists, and no two share one."""
    assert breach.value in SECTIONS
    assert sum(other.value == breach.value for other in Breach) == 1


@pytest.mark.parametrize("option", choices())
def test_every_option_has_its_clause_with_the_default_in_bold(option: str) -> None:
    """One clause introduces the option, says its default in bold and names its other values."""
    written = [text for text in SECTIONS.values() if re.search(rf"`{option}`\s*:", text)]
    assert written, f"no clause introduces {option}"
    default = str(getattr(RuleSet(), option))

    assert re.search(
        rf"`{option}`\s*:(?:(?!\n\n).)*?\*\*{default}\*\*", written[0], re.DOTALL | re.IGNORECASE
    )
    if not isinstance(getattr(RuleSet(), option), bool):
        for value in choices()[option]:
            assert any(str(value) in text for text in written)


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_has_its_line_with_its_differences(name: str) -> None:
    """The table of presets names each, and every option by which it differs from the default."""
    (line,) = re.findall(rf"^\| `{name}` \|(.*)$", SECTIONS["11.1"], re.MULTILINE)
    spelled_out = re.sub(r"the same", "", line) == line
    for option, value in DIFFERENCES[name].items():
        if spelled_out and value != getattr(RuleSet(), option) and option not in NINES:
            assert f"`{option}" in line


@pytest.mark.parametrize("name", MODIFIERS)
def test_every_modifier_is_explained(name: str) -> None:
    """With the option that it sets."""
    ((option, value),) = MODIFIERS[name].items()

    assert re.search(rf"`{name}`\s\(`{option}: {str(value).lower()}`\)", SECTIONS["11.2"])


def test_clauses_named_in_the_code_exist() -> None:
    """Every clause number in the docstrings and awards of the rules is one of the document."""
    folder = Path(__file__).parents[2] / "companion" / "rules"
    code = "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    named = set(re.findall(r"[Cc]lauses? (\d+\.\d+)", code)) | set(re.findall(r'"(\d\.\d)"', code))

    assert len(named) > 20
    assert named <= set(SECTIONS)
