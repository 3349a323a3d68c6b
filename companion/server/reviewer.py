"""Reviews worked out beside the live table: one after the other, in a process that gives way to others."""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import signal
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Self

from companion.history.kept import KeptAnalyses
from companion.rules.record import Record

__all__ = ["Analysis", "Reviewer"]

KEPT = 64
"""Reviews that are remembered."""
WAITING = 8
"""Reviews that wait to be begun, at most; of more the oldest is forgotten until it is asked for again."""
_NICE = 5
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Analysis:
    """What the solver has said of a hand so far.

    Attributes:
        decisions: Those judged, in order; see `companion.review.form`.
        review: What there is to say of the hand; `None` until all is judged.
        total: Decisions that there are; 0 while that is not known.
        failed: It was broken off, and will not go on.
    """

    decisions: list[dict[str, Any]] = field(default_factory=list)
    review: dict[str, Any] | None = None
    total: int = 0
    failed: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return what a page shows."""
        return {
            "decisions": list(self.decisions),
            "total": self.total,
            "review": self.review,
            "failed": self.failed,
        }


class Reviewer:
    """Works reviews out and remembers them; may be asked from any thread.

    As a context manager it ends what is going on at the end of the block.
    """

    def __init__(self, kept: KeptAnalyses | None = None) -> None:
        """Begin; `kept` remembers for longer than this runs."""
        self._kept = kept
        self._known: OrderedDict[Record, Analysis] = OrderedDict()
        self._waiting: list[Record] = []
        self._changed = threading.Condition()
        self._closed = False
        self._process: multiprocessing.process.BaseProcess | None = None
        self._thread = threading.Thread(target=self._work, name="reviewer", daemon=True)
        self._thread.start()

    def analysis(self, record: Record) -> dict[str, Any]:
        """Return what is known of a hand by now, and have the rest worked out. Does not wait."""
        with self._changed:
            known = self._known.get(record)
            if known is None:
                known = self._known[record] = self._remembered(record) or Analysis()
                if known.review is None:
                    self._waiting.append(record)
                    self._changed.notify()
                self._forget()
            self._known.move_to_end(record)
            return known.to_json()

    def decisions(self, record: Record) -> list[dict[str, Any]] | None:
        """Return the judged decisions of a hand; `None` where they have not all been worked out."""
        with self._changed:
            known = self._known.get(record)
        if known is None or known.review is None:
            known = self._remembered(record)
        return None if known is None else list(known.decisions)

    def failed(self, record: Record) -> bool:
        """Whether working a hand out was broken off, and is not tried again."""
        with self._changed:
            known = self._known.get(record)
        return known is not None and known.failed

    def _remembered(self, record: Record) -> Analysis | None:
        found = None if self._kept is None else self._kept.find(record)
        return None if found is None else Analysis(found[0], found[1], len(found[0]))

    def _forget(self) -> None:
        while len(self._waiting) > WAITING:
            self._known.pop(self._waiting.pop(0), None)
        while len(self._known) > KEPT:
            oldest = next(iter(self._known))
            del self._known[oldest]
            self._waiting = [record for record in self._waiting if record != oldest]

    def close(self) -> None:
        """End what is going on."""
        with self._changed:
            self._closed = True
            if self._process is not None:
                self._process.terminate()
            self._changed.notify()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _work(self) -> None:
        while (order := self._next()) is not None:
            record, analysis = order
            try:
                self._work_out(record, analysis)
            except Exception:  # no memory for one more process, say; the next may have it
                _log.exception("a review could not be worked out")
            with self._changed:
                analysis.failed = analysis.review is None

    def _next(self) -> tuple[Record, Analysis] | None:
        """Wait for a record to be worked out; `None` once that has ended."""
        with self._changed:
            while not self._waiting and not self._closed:
                self._changed.wait()
            if self._closed:
                return None
            record = self._waiting.pop()  # whoever asked last is looking at it
            return record, self._known.get(record) or Analysis()

    def _work_out(self, record: Record, analysis: Analysis) -> None:
        context = multiprocessing.get_context("spawn")  # threads run in this process: no fork
        ours, theirs = context.Pipe(duplex=False)
        with contextlib.closing(ours):
            with contextlib.closing(theirs):
                process = context.Process(target=_judge, args=(record.to_json(), theirs), daemon=True)
                with self._changed:
                    if self._closed:
                        return
                    process.start()
                    self._process = process
            self._take(ours, analysis)
        process.join()
        if analysis.review is not None and self._kept is not None:
            self._kept.keep(record, (analysis.decisions, analysis.review))
        elif analysis.review is None and not self._closed:
            _log.warning("a review was broken off")

    def _take(self, parts: Connection, analysis: Analysis) -> None:
        """Take in the parts of a review as they come."""
        with contextlib.suppress(EOFError, OSError):
            while True:
                data, total = parts.recv()
                with self._changed:
                    analysis.total = total
                    if data["type"] == "decision":
                        analysis.decisions.append(data)
                    elif data["type"] == "review":
                        analysis.review = data


def _judge(record: dict[str, Any], parts: Connection) -> None:
    """Work a review out, in a process of its own."""
    from companion.review.report import report

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all; whoever started this ends it
    with contextlib.suppress(OSError):
        os.nice(_NICE)
    with contextlib.suppress(BrokenPipeError):
        for part in report(Record.from_json(record)):
            if part.data["type"] != "hand":
                parts.send((part.data, part.total))
