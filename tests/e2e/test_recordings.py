"""Whole recordings through the shipped networks, as `companion watch` reads them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.config import asset
from companion.evaluate.hands import difference, read_truth
from companion.rules.record import Record
from companion.table.detection import Frame, Reading
from companion.vision.reader import Reader
from tests.vision.test_source import cut, index_first

ROOT = Path(__file__).resolve().parent.parent.parent
SHARED = Path(os.environ.get("COMPANION_SHARED", ROOT.parent / "shared"))
RECORDING = SHARED / "videos" / "table-1"


def watched(
    capsys: pytest.CaptureFixture[str], video: Path, taps: Path | None
) -> tuple[int, list[dict[str, Any]], list[str]]:
    """Exit status, lines and words of `companion watch --json`."""
    status = main(["watch", str(video), "--json", *(() if taps is None else ("--taps", str(taps)))])
    printed = capsys.readouterr()
    return status, [json.loads(line) for line in printed.out.splitlines()], printed.err.splitlines()


def taps_of(folder: Path, into: Path) -> Path:
    """A tap file of what the truth of a recording says was pressed."""
    path = into / "taps.jsonl"
    taps = [{"t": tap.time, "type": "claim", "player": int(tap.player)} for tap in read_truth(folder).taps]
    path.write_text("".join(json.dumps(tap) + "\n" for tap in taps))
    return path


def found(lines: list[dict[str, Any]], folder: Path) -> str | None:
    """The first difference between a run's summary and the truth."""
    records = tuple(Record.from_json(hand) for hand in lines[-1]["hands"])
    return difference(read_truth(folder), records)


@pytest.fixture(scope="module")
def seen() -> dict[int, Reading]:
    """What the networks have said of each frame of the shipped recording."""
    return {}


@pytest.fixture
def read_once(seen: dict[int, Reading], monkeypatch: pytest.MonkeyPatch) -> None:
    """No frame of the shipped recording is read a second time, whatever is pressed beside it."""
    read = Reader.read

    def remembered(reader: Reader, frame: Frame) -> Reading:
        if frame.index not in seen:
            seen[frame.index] = read(reader, frame)
        return seen[frame.index]

    monkeypatch.setattr(Reader, "read", remembered)


@pytest.mark.slow
@pytest.mark.usefixtures("read_once")
@pytest.mark.parametrize("pressed", [True, False])
def test_the_shipped_recording_is_read_exactly(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, pressed: bool
) -> None:
    """Plays in order with their players, exchange, marriage, closing and result; 66 pressed, or only said."""
    taps = taps_of(asset("demo"), tmp_path) if pressed else None
    status, lines, _ = watched(capsys, asset("demo") / "table.mp4", taps)

    assert status == 0
    assert found(lines, asset("demo")) is None
    assert lines[-1]["type"] == "summary"


@pytest.mark.slow
@pytest.mark.usefixtures("read_once")
def test_a_recording_cut_off_gives_the_events_it_could(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A cut in the middle: the first plays, a summary, status 2, and one line that says what is wrong."""
    video = tmp_path / "cut.mp4"
    video.write_bytes((asset("demo") / "table.mp4").read_bytes())
    cut(index_first(video), 0.4)

    status, lines, err = watched(capsys, video, taps_of(asset("demo"), tmp_path))

    truth = read_truth(asset("demo"))
    plays = [(event["player"], event["card"]) for event in truth.hands[0].events if event["type"] == "play"]
    told = [(line["player"], line["card"]) for line in lines if line["type"] == "play"]
    withdrawn = {line["seq"] for line in lines if line["type"] == "retract"}
    standing = [
        (line["player"], line["card"])
        for line in lines
        if line["type"] == "play" and line["seq"] not in withdrawn
    ]
    assert status == 2
    assert len(told) >= 2
    assert standing == plays[: len(standing)]
    assert lines[-1]["type"] == "summary"
    assert f"{video}: the video is cut off" in err[-1]
    assert not any("Traceback" in line for line in err)


@pytest.mark.slow
@pytest.mark.shared
@pytest.mark.skipif(not RECORDING.is_dir(), reason=f"needs the recording in {RECORDING} (COMPANION_SHARED)")
def test_the_path_traced_recording_is_read_exactly(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A recording that no part of the companion made: read exactly."""
    status, lines, _ = watched(capsys, RECORDING / "video.mp4", taps_of(RECORDING, tmp_path))

    assert status == 0
    assert found(lines, RECORDING) is None
