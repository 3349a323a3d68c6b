"""Commands that are ended by a signal."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from companion.commands.signals import ENDING, ended_by_signal


@pytest.fixture(autouse=True)
def heard() -> Iterator[None]:
    """Hear signals as in a terminal: whoever runs the tests in the background is deaf to some."""
    before = {each: signal.signal(each, signal.default_int_handler) for each in ENDING}
    yield
    for each, handler in before.items():
        signal.signal(each, handler)


def send(how: signal.Signals) -> None:
    """Send this process a signal."""
    os.kill(os.getpid(), how)


@pytest.mark.parametrize("how", ENDING)
def test_what_is_done_whole_is_done_before_the_end(how: signal.Signals) -> None:
    """An event that is told and not written down would be lost for good."""
    done = []
    with ended_by_signal() as ending:
        for number in range(5):
            with ending.whole():
                done.append((number, "begun"))
                if number == 2:
                    send(how)
                done.append((number, "done"))
    assert done == [(number, what) for number in range(3) for what in ("begun", "done")]


@pytest.mark.parametrize("how", ENDING)
def test_a_second_signal_does_not_break_off_the_closing(how: signal.Signals) -> None:
    """What is closed is closed whole; afterwards signals do what they did before."""
    before = [signal.getsignal(each) for each in ENDING]
    closed = []
    with ended_by_signal():
        try:
            send(how)
        finally:
            for each in ENDING:
                send(each)
            closed.append(True)
    assert closed == [True]
    assert [signal.getsignal(each) for each in ENDING] == before


def test_what_is_ignored_stays_ignored() -> None:
    """A command that was started with `nohup` outlives its terminal."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with ended_by_signal():
            send(signal.SIGHUP)
            lives = True
        assert lives
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
