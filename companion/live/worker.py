"""One thread that does one thing after another for whoever asks."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from typing import Any, TypeVar

__all__ = ["TableClosedError", "Worker"]

IDLE_S = 1.0
"""Time without work after which the thread looks after itself."""

T = TypeVar("T")
_log = logging.getLogger(__name__)


class TableClosedError(RuntimeError):
    """The table does not take anything (any more); try again when the companion runs."""


class Worker:
    """The thread of a table.

    Args:
        name: Of the thread.
        after: Done in the thread after each job, and every second without one.
    """

    def __init__(self, name: str, after: Callable[[], None]) -> None:
        self._after = after
        self._inbox: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = queue.SimpleQueue()
        self._closing = threading.Lock()
        """Guards `_closed` together with what is put into the inbox: no job comes after the end."""
        self._closed = False
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def ask(self, job: Callable[[], T], within_s: float | None = None) -> T:
        """Have `job` done and return what it returns; its errors are raised here.

        Args:
            job: Runs in the thread.
            within_s: A job that has not been begun by then, in seconds, is taken back.

        Raises:
            TableClosedError: The worker is closed, or did not begin in time.
        """
        future: Future[T] = Future()
        with self._closing:
            if self._closed:
                raise TableClosedError("the table has been closed")
            self._inbox.put((job, future))
        try:
            return future.result(within_s)
        except FutureTimeout:
            if future.cancel():
                raise TableClosedError("the table does not answer") from None
            return future.result()

    def close(self) -> bool:
        """Finish what was asked before and end; `False` where that was done already."""
        with self._closing:
            if self._closed:
                return False
            self._closed = True
            self._inbox.put(None)
        self._thread.join()
        return True

    def _work(self) -> None:
        while True:
            try:
                order = self._inbox.get(timeout=IDLE_S)
            except queue.Empty:
                self._look_after_itself()
                continue
            if order is None:
                return
            job, future = order
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(job())
                except Exception as error:
                    future.set_exception(error)
            self._look_after_itself()

    def _look_after_itself(self) -> None:
        try:
            self._after()
        except Exception:
            _log.exception("the %s could not look after itself", self._thread.name)
