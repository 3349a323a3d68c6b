"""A bundle played again: the same readings and words, on their own clock, into a decoder of today."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import inf
from typing import Any

import cv2
import numpy as np

from companion.bundle.archive import BundleReader
from companion.bundle.fault import BundleError
from companion.bundle.reading_form import FormError, reading_from_json
from companion.decoding.decoder import Decoder
from companion.live.decoder import DecoderFactory, TableDecoder
from companion.live.pipeline import FrameReader
from companion.rules.cards import Card
from companion.rules.event_form import RecordError, read_list, read_player
from companion.rules.ruleset import RuleSet, RuleSetError, rules_from_json
from companion.store.coding import CodingError, decode, encode, logged_event
from companion.store.item import Item
from companion.table.detection import Frame, Reading
from companion.table.entry import Entry, Settled
from companion.table.observation import TableView
from companion.tracking.tracker import Tracker

__all__ = ["Batch", "replayed"]

_log = logging.getLogger(__name__)

TELLS_LOOKED = 4
"""First format that says of a decoder with nothing to take up whether the table was in sight before it."""


@dataclass(frozen=True, slots=True)
class Batch:
    """What is written into the log at once.

    Attributes:
        items: As it comes out now.
        then: As it was written then, kind and JSON text of each.
        frames: How many frames have been gone through so far.
        rules: What the decoder goes by; `None` before there is one.
        earlier: Whether it stood in the log before the bundle was begun.
    """

    items: tuple[Item, ...]
    then: tuple[tuple[str, str], ...]
    frames: int
    rules: RuleSet | None = None
    earlier: bool = False

    @property
    def same(self) -> bool:
        """Whether both are the same, byte for byte."""
        return tuple(encode(item) for item in self.items) == self.then


def replayed(
    bundle: BundleReader,
    *,
    anew: Callable[[], FrameReader] | None = None,
    make_decoder: DecoderFactory = Decoder,
) -> Iterator[Batch]:
    """Play a bundle again.

    The decoder's own words are worked out anew; what the phones made is taken from the bundle. What
    is worked out and was never written down is given at the end, as a batch of its own, mostly empty.

    Args:
        bundle: Open, at its beginning.
        anew: Makes readers that read the kept pictures again; else the readings of then hold.
        make_decoder: Makes the decoder.

    Raises:
        BundleError: A line of the bundle is damaged.
    """
    play = _Play(anew, bundle, make_decoder)
    for number, line in enumerate(bundle, 1):
        try:
            batch = play.take(line)
        except (FormError, RecordError, RuleSetError, CodingError, KeyError, TypeError, ValueError) as error:
            raise BundleError(f"{bundle.path}: line {number} of the bundle is damaged: {error}") from error
        if batch is not None:
            yield batch
    yield Batch(play.rest(), (), play.frames, play.rules)


class _Play:
    def __init__(
        self,
        anew: Callable[[], FrameReader] | None,
        bundle: BundleReader,
        make_decoder: DecoderFactory,
    ) -> None:
        self._anew = anew
        self._make_decoder = make_decoder
        self._bundle = bundle
        self._reader: FrameReader | None = None
        self._tracker = Tracker()
        self._decoder: TableDecoder | None = None
        self._reading: Reading | None = None
        self._now: Reading | None = None
        self._view: TableView | None = None
        self._told: list[Entry] = []
        self.frames = 0
        self.rules: RuleSet | None = None

    def rest(self) -> tuple[Item, ...]:
        """What has been worked out and not been written down."""
        rest, self._told = tuple(self._told), []
        return rest

    def take(self, line: dict[str, Any]) -> Batch | None:
        """Take the next line."""
        match line["is"]:
            case "source":
                self._tracker = Tracker()
                self._reading = self._now = self._view = None
                self._reader = self._anew() if self._anew is not None else None
            case "reading":
                self._see(line)
            case "decoder":
                dealer = None if line["dealer"] is None else read_player(line["dealer"], "dealer")
                self.rules = rules_from_json(line["rules"])
                self._decoder = self._make_decoder(
                    self.rules, dealer=dealer, first_seq=int(line["first_seq"])
                )
                if self._view is not None and self._bundle.header["format"] < TELLS_LOOKED:
                    self._decoder.resume((), None)  # it looks at what was in sight before
            case "before":
                items = tuple(decode(kind, text) for kind, text in _texts(line))
                return Batch(items, _texts(line), self.frames, earlier=True)
            case "log":
                return self._written(line)
            case _:
                self._call(line)
        return None

    def _see(self, line: dict[str, Any]) -> None:
        self._reading = reading_from_json(line, self._reading)
        self.frames += 1
        self._view = None
        if self._reader is None:
            self._now = self._reading
        elif "picture" in line:
            self._now = self._read_again(self._reader, line["picture"], self._reading)
        elif not self._reading.fresh and self._now is not None:
            self._now = replace(self._now, time=self._reading.time, motion=self._reading.motion, fresh=False)
        else:
            return  # it was looked at then, and no picture of it was kept
        if self._now is not None:
            self._view = self._tracker.update(self._now)

    def _read_again(self, reader: FrameReader, name: str, then: Reading) -> Reading | None:
        data = self._bundle.picture(name)
        bgr = None if not data else cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        if bgr is None:
            return self._now
        return reader.read(Frame(np.asarray(bgr, np.uint8), then.time, self.frames))

    def _call(self, line: dict[str, Any]) -> None:
        decoder = self._decoder
        if decoder is None:
            raise ValueError("nobody decodes yet")
        match line["is"]:
            case "update":
                if self._view is None and self._reader is not None:
                    return  # no picture was kept
                if self._view is None:
                    raise ValueError("a view without its reading")
                view = self._view
                self._hear(lambda: decoder.update(view))
            case "tell":
                event, time, source = logged_event(line["event"]), float(line["time"]), str(line["source"])
                self._hear(lambda: decoder.tell(event, time, source))
            case "retract":
                time, source = float(line["time"]), str(line["source"])
                self._hear(lambda: decoder.retract_last(time, source))
            case "finish":
                time = float(line["time"])
                self._hear(lambda: decoder.finish(time))
            case "resume":
                # older bundles do not say
                since, seen = -inf if line.get("never") else line.get("since"), line.get("seen")
                entries = _entries(line["entries"])
                decoder.resume(
                    entries, None if since is None else float(since), None if seen is None else float(seen)
                )
            case "leave":
                card = line["turned_up"]
                decoder.leave(None if card is None else Card.parse(str(card)), float(line["since"]))
            case "revise":
                hand = [entry for entry in _entries(line["hand"]) if isinstance(entry, Settled)]
                decoder.revise(hand, int(line["next_seq"]))
            case other:
                raise ValueError(f"{other!r:.40} is no kind of line")

    def _hear(self, ask: Callable[[], tuple[Entry, ...]]) -> None:
        """Take what a decoder says; one that failed then fails now, and the table went on, too."""
        try:
            self._told.extend(ask())
        except Exception:
            _log.exception("the decoder failed")

    def _written(self, line: dict[str, Any]) -> Batch:
        """Put the decoder's words of today where those of then stood."""
        then = _texts(line)
        own = {int(at) for at in line["own"]}
        items: list[Item] = []
        waiting = list(self._told)
        for at, (kind, text) in enumerate(then):
            if at not in own:
                items.append(decode(kind, text))
            elif waiting:
                items.append(waiting.pop(0))
        self._told = []
        return Batch((*items, *waiting), then, self.frames, self.rules)


def _texts(line: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple((str(kind), str(text)) for kind, text in read_list(line["items"], "items"))


def _entries(items: object) -> list[Entry]:
    found = [decode(str(kind), str(text)) for kind, text in read_list(items, "entries")]
    return [item for item in found if isinstance(item, Entry)]
