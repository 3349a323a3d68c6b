"""Commands that run until somebody ends them."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType

__all__ = ["Ending", "ended_by_signal", "ends_with_its_command", "no_more_signals"]

ENDING = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)  # SIGHUP: the terminal was closed; Windows has none

_ends = False
"""Whether this process ends with its command."""


class Ending:
    """The end that a signal asks for."""

    def __init__(self) -> None:
        self._whole = False
        self.asked = False
        """Whether a signal has asked for it."""

    def ask(self) -> None:
        """End the block, at once or as soon as what is done whole is done."""
        self.asked = True
        if not self._whole:
            raise KeyboardInterrupt

    @contextlib.contextmanager
    def whole(self) -> Iterator[None]:
        """Do what is in this block whole: a signal that comes meanwhile ends what is around it afterwards."""
        self._whole = True
        try:
            yield
        finally:
            self._whole = False
        if self.asked:
            raise KeyboardInterrupt


@contextlib.contextmanager
def ended_by_signal() -> Iterator[Ending]:
    """End the block quietly on Ctrl-C, SIGTERM and SIGHUP, so that everything in it is closed properly.

    One of them is enough: a second would break off the closing. What is ignored already, as with `nohup`,
    stays so. A process that `ends_with_its_command` hears none of them any more once it has been ended so.
    """
    before = {each: was for each in ENDING if (was := signal.getsignal(each)) is not signal.SIG_IGN}

    ending = Ending()

    def end(number: int, frame: FrameType | None) -> None:
        for each in before:
            signal.signal(each, signal.SIG_IGN)
        ending.ask()

    for each in before:
        signal.signal(each, end)
    try:
        yield ending
    except KeyboardInterrupt:
        pass
    finally:
        for each, handler in before.items():
            signal.signal(each, signal.SIG_IGN if _ends and ending.asked else handler)


def ends_with_its_command() -> None:
    """Say that this process runs one command and ends with it: the end is asked for once."""
    global _ends
    _ends = True


def no_more_signals() -> None:
    """Ignore from now on what asks for the end of this process: it ends, and its exit status is known."""
    for each in ENDING:
        signal.signal(each, signal.SIG_IGN)
