"""Recordings of whole hands watched, and compared with what was played.

A folder holds one folder a recording, each with `video.mp4` and `truth.json`:
`{"hand": {"dealer", "turned_up", "events", "result"}, "timeline": [{"t", "type", ...}]}`, with `hands`
besides where several hands follow each other. The words of the timeline that nobody can see, a claim above
all, are what was pressed on the phone.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self
from zlib import crc32

from companion.live.pipeline import FrameReader
from companion.rules.record import Record
from companion.rules.ruleset import RuleSet, rules_from_json
from companion.synth.trouble import troubled
from companion.vision.source import VideoSource
from companion.watch.taps import Tap
from companion.watch.watcher import Watcher

__all__ = [
    "Outcome",
    "Played",
    "Truth",
    "TruthError",
    "difference",
    "hand_folders",
    "read_truth",
    "watched",
    "withdrawn",
]

COMPARED = ("exchange", "marriage", "close", "play")
"""Events that are compared, in their order; the claim shows in the result."""
PRESSED = ("claim", "knock", "revoke")
"""Words that leave nothing on the table to be seen."""


class TruthError(ValueError):
    """A folder that is no recorded hand; the message names the file and what is wrong."""


@dataclass(frozen=True, slots=True)
class Played:
    """One hand as it was played.

    Attributes:
        dealer: 0 or 1.
        turned_up: Card, as in `QH`.
        events: As in a record, those of `COMPARED` only.
        winner: 0, 1 or `None`.
        game_points: What the hand paid.
        card_points: Of south and north, where the truth gives them.
    """

    dealer: int
    turned_up: str
    events: tuple[dict[str, Any], ...]
    winner: int | None
    game_points: int
    card_points: tuple[int, int] | None

    @classmethod
    def from_json(cls, hand: dict[str, Any]) -> Self:
        """Read a hand of `truth.json`."""
        result = hand["result"]
        points = result.get("card_points")
        for event in hand["events"]:
            event["player"]  # without one it could not be compared
        return cls(
            dealer=int(hand["dealer"]),
            turned_up=str(hand["turned_up"]),
            events=tuple(event for event in hand["events"] if event["type"] in COMPARED),
            winner=result["winner"],
            game_points=int(result["game_points"]),
            card_points=None if points is None else (int(points[0]), int(points[1])),
        )


@dataclass(frozen=True, slots=True)
class Truth:
    """What was played in a recording: hands in order, what was pressed, the house rules."""

    hands: tuple[Played, ...]
    taps: tuple[Tap, ...]
    rules: RuleSet


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one recording was read.

    Attributes:
        name: Folder of the recording.
        difference: The first thing that was read otherwise; `None`: everything is right.
        frames: How many were looked at.
        seconds: How long that took.
        withdrawn: Events that were settled first and withdrawn later.
        questions: Questions that were asked.
    """

    name: str
    difference: str | None
    frames: int
    seconds: float
    withdrawn: int
    questions: int

    @property
    def exact(self) -> bool:
        """Whether everything is right."""
        return self.difference is None


def hand_folders(folder: Path) -> tuple[Path, ...]:
    """The recorded hands in `folder`, which may be one itself.

    Raises:
        TruthError: There is none.
    """
    if (folder / "truth.json").is_file():
        return (folder,)
    found = tuple(sorted(path.parent for path in folder.glob("*/truth.json")))
    if not found:
        raise TruthError(f"{folder}: no hand in it (looked for */truth.json)")
    return found


def read_truth(folder: Path) -> Truth:
    """Read `truth.json`.

    Raises:
        TruthError: Missing, no JSON, or not of the form that the module's text gives.
    """
    path = folder / "truth.json"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        hand = data["hand"]
        rules = hand.get("rules", hand.get("variant", "schnapsen"))
        return Truth(
            hands=tuple(Played.from_json(each) for each in data.get("hands", [hand])),
            taps=tuple(Tap.from_json(each) for each in data["timeline"] if each["type"] in PRESSED),
            rules=rules_from_json(rules if isinstance(rules, dict) else {"preset": rules}),
        )
    except OSError as error:
        raise TruthError(f"{path}: {error.strerror or error}") from error
    except KeyError as error:
        raise TruthError(f"{path}: {error} is missing") from error
    except RecursionError as error:
        raise TruthError(f"{path}: it is nested too deeply") from error
    except (ValueError, TypeError, AttributeError) as error:
        raise TruthError(f"{path}: {type(error).__name__}: {error}") from error


def watched(
    folder: Path, reader: FrameReader, troubles: Sequence[str] = (), *, pressed: bool = True
) -> Outcome:
    """Watch one recording to its end and compare.

    Args:
        folder: Of the recording.
        reader: Has read nothing yet.
        troubles: What befalls the film (`companion.synth.trouble`); it counts as time, too.
        pressed: Whether the phone hears what was pressed; else a claim was but said aloud.

    Raises:
        TruthError: The folder is no recording.
        SourceError: The recording cannot be used.
        TroubleError: A trouble is unknown.
    """
    truth = read_truth(folder)
    started = time.perf_counter()
    watcher = Watcher(reader, truth.rules, taps=truth.taps if pressed else ())
    lines: list[dict[str, Any]] = []
    with VideoSource(folder / "video.mp4") as source:
        for frame in troubled(source, troubles, seed=crc32(folder.name.encode())):
            lines.extend(watcher.see(frame))
    lines.extend(watcher.finish())
    return Outcome(
        folder.name,
        difference(truth, watcher.records),
        watcher.frames,
        time.perf_counter() - started,
        withdrawn(lines),
        sum(line["type"] == "question" for line in lines),
    )


def withdrawn(lines: Sequence[dict[str, Any]]) -> int:
    """How many events were withdrawn, of the lines of `watch --json`.

    A result that is told anew is none: whoever claims with the last trick won by that, not by the trick.
    """
    results = {line["seq"] for line in lines if line["type"] == "result"}
    return sum(line["type"] == "retract" and line["seq"] not in results for line in lines)


def difference(truth: Truth, records: tuple[Record, ...]) -> str | None:
    """The first thing in `records` that was not so; `None`: every hand is read exactly."""
    if len(records) != len(truth.hands):
        return f"{len(records)} hands were read, not {len(truth.hands)}"
    for number, (played, record) in enumerate(zip(truth.hands, records, strict=True), start=1):
        found = _hand_difference(played, record)
        if found is not None:
            return found if len(records) == 1 else f"hand {number}: {found}"
    return None


def _hand_difference(played: Played, record: Record) -> str | None:
    read = record.to_json()
    for name, right in (("dealer", played.dealer), ("turned_up", played.turned_up)):
        if read[name] != right:
            return f"{name}: read {read[name]}, was {right}"
    events = [event for event in read["events"] if event["type"] in COMPARED]
    for number, event in enumerate(played.events):
        if number >= len(events):
            return f"event {number}: nothing more was read, was {_words(event)}"
        if _words(events[number]) != _words(event):
            return f"event {number}: read {_words(events[number])}, was {_words(event)}"
    if len(events) > len(played.events):
        return f"event {len(played.events)}: read {_words(events[len(played.events)])}, was the end"
    return _result_difference(played, read["result"])


def _result_difference(played: Played, result: dict[str, Any]) -> str | None:
    for name, right in (("winner", played.winner), ("game_points", played.game_points)):
        if result[name] != right:
            return f"{name}: read {result[name]}, was {right} (reason read: {result['reason']})"
    if played.card_points is not None and tuple(result["card_points"]) != played.card_points:
        return f"card points: read {result['card_points']}, was {list(played.card_points)}"
    return None


def _words(event: dict[str, Any]) -> str:
    parts = [str(event["type"]), str(event["player"])]
    parts += [str(event[name]) for name in ("card", "suit", "before_draw") if event.get(name) is not None]
    return " ".join(parts)
