"""Progress on stderr: only after two seconds; stdout: takes whatever a name is made of."""

from __future__ import annotations

import io
import json

import pytest

from companion.commands.terminal import Output, Progress, print_json


class Screen(io.StringIO):
    """A stream that says whether it is a terminal."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        """Whether somebody looks at it."""
        return self.terminal


class Clock:
    """Seconds that stand still until they are set."""

    time = 50.0

    def __call__(self) -> float:
        """Now."""
        return self.time


def report(terminal: bool, *moments: float) -> list[str]:
    """What each of the reports at these times wrote."""
    screen, clock = Screen(terminal), Clock()
    progress = Progress("frames", 400, stream=screen, now=clock)
    written = []
    for moment in moments:
        before = len(screen.getvalue())
        clock.time = 50.0 + moment
        progress.at(round(10 * moment))
        written.append(screen.getvalue()[before:])
    return written


def test_a_quick_command_says_nothing() -> None:
    """Within the first two seconds nothing is written."""
    assert report(True, 0.1, 1.0, 1.9) == ["", "", ""]


def test_a_slow_command_says_how_far_it_is() -> None:
    """After two seconds: how many of how many, and how fast."""
    first, *_ = report(False, 2.5)

    assert first == "25 of 400 frames, 10.0 a second\n"


def test_a_terminal_is_written_over_and_a_file_seldom() -> None:
    """On a terminal every report within a fraction of a second; elsewhere one in ten seconds."""
    assert [bool(text) for text in report(True, 2.1, 2.4, 2.7)] == [True, True, True]
    assert [bool(text) for text in report(False, 2.1, 2.4, 8.0, 12.2)] == [True, False, False, True]


def test_the_line_is_cleared_for_what_comes_next() -> None:
    """`done` leaves an empty line on a terminal, and nothing where nothing was written."""
    screen, clock = Screen(True), Clock()
    progress = Progress("frames", stream=screen, now=clock)
    progress.done()
    assert screen.getvalue() == ""
    clock.time += 3
    progress.at(5)
    progress.done()

    assert screen.getvalue().endswith("\r\x1b[K")


def test_json_goes_out_whatever_a_name_is_made_of(monkeypatch: pytest.MonkeyPatch):
    """Umlauts as they are where the terminal takes UTF-8; what is no text is escaped. The line is UTF-8."""
    names = (("utf-8", "Herz-König"), ("utf-8", "b\udcfc.jpg"), ("ascii", "Herz-König"), ("latin-1", "König"))
    for encoding, name in names:
        out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
        monkeypatch.setattr("sys.stdout", out)
        print_json({"image": name})
        written = out.buffer.getvalue()
        assert json.loads(written.decode())["image"] == name
        assert ("König".encode() in written) == ((encoding, name) == ("utf-8", "Herz-König"))


def test_words_go_out_whatever_a_name_is_made_of() -> None:
    """What the terminal has not, and what is no text, is escaped; the rest stays as it is."""
    for encoding, written in (("utf-8", "König b\\udcfc\n"), ("latin-1", "König b\\udcfc\n")):
        stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
        print("König b\udcfc", file=Output(stream), flush=True)
        assert stream.buffer.getvalue().decode(encoding) == written
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    print("König", file=Output(stream), flush=True)
    assert stream.buffer.getvalue() == b"K\\xf6nig\n"
