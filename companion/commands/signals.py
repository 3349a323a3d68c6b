"""Commands that run until somebody ends them."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType

__all__ = ["Ending", "ended_by_signal", "no_more_signals"]

ENDING = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)  # SIGHUP: the terminal was closed; Windows has none


class Ending:
    """The end that a signal asks for."""

    def __init__(self) -> None:
        self._whole = False
        self._asked = False

    def ask(self) -> None:
        """End the block, at once or as soon as what is done whole is done."""
        self._asked = True
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
        if self._asked:
            raise KeyboardInterrupt


@contextlib.contextmanager
def ended_by_signal() -> Iterator[Ending]:
    """End the block quietly on Ctrl-C, SIGTERM and SIGHUP, so that everything in it is closed properly.

    One of them is enough: a second would break off the closing. What is ignored already, as with `nohup`,
    stays so.
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
            signal.signal(each, handler)


def no_more_signals() -> None:
    """Ignore from now on what asks for the end of this process: it ends, and its exit status is known."""
    for each in ENDING:
        signal.signal(each, signal.SIG_IGN)
