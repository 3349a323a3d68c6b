"""Numbers that are typed after commands: what is read, and what is refused in one line."""

from __future__ import annotations

import argparse

import pytest

from companion.arguments import Parser, amount, share, whole


@pytest.mark.parametrize("text", ["0", "65", "-1", "1.5", "", "nan", "9" * 5000, " 3", "²"])
def test_what_is_no_whole_number_of_a_span_is_refused(text: str) -> None:
    """And named, but never at length."""
    with pytest.raises(argparse.ArgumentTypeError, match="is no number from 1 to 64") as fault:
        whole(1, 64)(text)
    assert len(str(fault.value)) < 60


@pytest.mark.parametrize("text", ["0", "-1", "nan", "inf", "", "much"])
def test_an_amount_is_above_0_and_has_an_end(text: str) -> None:
    """What is counted is named."""
    with pytest.raises(argparse.ArgumentTypeError, match="is no number of minutes above 0"):
        amount("number of minutes")(text)


@pytest.mark.parametrize("text", ["-0.1", "1.1", "nan", "half"])
def test_a_share_is_from_0_to_1(text: str) -> None:
    """Its ends are shares, too."""
    with pytest.raises(argparse.ArgumentTypeError, match="is no number from 0 to 1"):
        share(text)
    assert (share("0"), share("1")) == (0, 1)


def test_an_argument_is_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """With exit status 2, the command as it is called, and where to look."""
    parser = Parser(prog="python -m companion.part")
    parser.add_argument("--many", type=whole(1))
    with pytest.raises(SystemExit, match="2"):
        parser.parse_args(["--many", "0"])
    wanted = (
        "companion.part: argument --many: '0' is no number from 1 on (see python -m companion.part --help)\n"
    )
    assert capsys.readouterr().err == wanted
