"""A sitting kept and told again: the same lines and the same log, byte for byte."""

from __future__ import annotations

import contextlib
import itertools
import json
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.bundle.archive import BundleReader, BundleWriter
from companion.bundle.fault import BundleError
from companion.bundle.recorder import Recorder
from companion.bundle.replay import replayed
from companion.decoding.decoder import Decoder
from companion.live.command import Claim, Correct, NewMatch, Undo
from companion.live.pipeline import run
from companion.live.table import LiveTable
from companion.rules.cards import Player
from companion.rules.events import CardPlayed
from companion.rules.ruleset import RuleSet, preset
from companion.store.coding import encode
from companion.store.item import MatchStarted, SittingOpened
from companion.store.log import EventLog, LogReader
from companion.table.detection import Frame, Reading
from companion.tracking.tracker import Tracker
from companion.watch.retelling import Retelling
from companion.watch.taps import Tap
from companion.watch.watcher import Watcher
from tests.decoding.puppets import Noise, Show, readings, stage

RULES = RuleSet()
NOISE = Noise(misses=0.1, misreads=0.03)
SMALL = np.zeros((8, 8, 3), np.uint8)


class ReadingsOf:
    """A reader that has read everything beforehand."""

    def __init__(self, show: Show, shift: float = 0.0) -> None:
        self.shift = shift
        self._readings = {round(reading.time, 6): reading for reading in readings(show, noise=NOISE)}

    def frames(self, until: float = float("inf")) -> Iterator[Frame]:
        """A black frame for each reading."""
        for index, time in enumerate(self._readings):
            if time < until:
                yield Frame(SMALL, time, index)

    def read(self, frame: Frame) -> Reading:
        """The reading at that time of the show."""
        found = self._readings[round(frame.time - self.shift, 6)]
        seen = tuple(replace(each, time=each.time + self.shift) for each in found.detections)
        return Reading(frame.time, found.size, seen, found.motion)


@pytest.fixture(scope="module")
def show() -> Show:
    """Two hands, played by puppets before a bad detector."""
    return stage(RULES, 5, hands=2, dealer=Player.SOUTH)


def watched(show: Show, path: Path) -> list[str]:
    """Lines of a watcher whose sitting is kept."""
    bundle = BundleWriter(path, {})
    recorder = Recorder(bundle)
    reader = ReadingsOf(show)
    watcher = Watcher(
        recorder.reader(lambda: reader)(),
        RULES,
        taps=[Tap(time, event.player, event) for time, event in show.taps],
        keep=recorder.wrote,
        make_decoder=recorder.decoders(Decoder),
    )
    lines = list(itertools.chain(*(watcher.see(frame) for frame in reader.frames()), watcher.finish()))
    bundle.close()
    return [json.dumps(line) for line in (*lines, *(each.to_json() for each in watcher.records))]


def told_again(path: Path) -> tuple[list[str], Retelling]:
    """Lines that the bundle gives."""
    with BundleReader(path) as bundle:
        telling = Retelling(bundle)
        lines = [json.dumps(line) for lines in telling for line in lines]
        return lines + [json.dumps(each.to_json()) for each in telling.records], telling


def test_a_watched_recording_told_again_gives_the_same_lines(show: Show, tmp_path: Path) -> None:
    """Every line and every record, byte for byte, and all frames."""
    then = watched(show, tmp_path / "a.tar")
    again, telling = told_again(tmp_path / "a.tar")
    assert len(then) > 20
    assert again == then
    assert telling.differs is None
    assert telling.frames == len(list(ReadingsOf(show).frames()))


class Clock:
    """A clock that goes on with every look at it, as a real one does."""

    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        """Return the time."""
        self.now += 0.0137
        return self.now


def sat(show: Show, folder: Path, name: str, acts: Sequence[tuple[float, Any]], until: float) -> None:
    """A live table before the show until a time, kept, with what the phones asked at theirs."""
    bundle = BundleWriter(folder / name, {})
    recorder = Recorder(bundle)
    pending = list(acts)
    reader = ReadingsOf(show)

    def frames(table: LiveTable) -> Iterator[Frame]:
        for frame in reader.frames(until):
            while pending and pending[0][0] <= frame.time:
                command = pending.pop(0)[1]
                table.submit(command(table) if callable(command) else command)
            yield frame

    with LiveTable(
        recorder.log(folder / "table.sqlite"),
        recorder.decoders(Decoder),
        rules=RULES,
        source="puppets",
        clock=Clock(),
    ) as table:
        shift = table.shift

        def noted() -> float:
            reader.shift = shift()
            return reader.shift

        table.shift = noted  # type: ignore[method-assign]

        @contextlib.contextmanager
        def opened() -> Iterator[Iterable[Frame]]:
            yield frames(table)

        stop = threading.Event()
        run(opened, recorder.reader(lambda: reader), Tracker, table, stop=stop, retry=False)
    bundle.close()


def log_of(folder: Path) -> list[tuple[str, str]]:
    """The whole log of a folder, as it stands in the file."""
    with LogReader(folder / "table.sqlite") as log:
        return [encode(logged.item) for logged in log.read()]


def log_again(path: Path) -> tuple[list[tuple[str, str]], bool]:
    """The log that a bundle gives, without what stood there before it; and whether it is that of then."""
    with BundleReader(path) as bundle:
        batches = [batch for batch in replayed(bundle) if not batch.earlier]
    return [encode(item) for batch in batches for item in batch.items], all(each.same for each in batches)


def last_play(table: LiveTable) -> Correct:
    """Correct the last play to a card of its suit that was not played."""
    hand = table.standing().hand
    assert hand is not None
    plays = [entry for entry in hand.events if isinstance(entry.event, CardPlayed) and entry.event.card]
    play = plays[-1].event
    assert isinstance(play, CardPlayed)
    assert play.card is not None
    played = {entry.event.card for entry in plays if isinstance(entry.event, CardPlayed)}
    other = next(card for card in RULES.pack if card.suit is play.card.suit and card not in played)
    return Correct(plays[-1].seq, CardPlayed(play.player, other))


def undone(table: LiveTable) -> Undo:
    """Withdraw the last event."""
    last = table.standing().last_event
    assert last is not None
    return Undo(last.seq)


def test_a_sitting_with_phones_told_again_gives_the_same_log(show: Show, tmp_path: Path) -> None:
    """Claims, a correction, an undo, a new match in the middle: every item, byte for byte."""
    acts: list[tuple[float, Any]] = [(time, Claim(event.player)) for time, event in show.taps]
    start = show.events[0][0][0]
    acts += [(start + 14.0, last_play), (start + 20.0, undone)]
    sat(show, tmp_path, "a.tar", sorted(acts, key=lambda act: act[0]), until=float("inf"))
    again, same = log_again(tmp_path / "a.tar")
    assert len(again) > 20
    assert same
    assert again == log_of(tmp_path)


def test_a_sitting_that_goes_on_from_a_log_is_told_from_there(show: Show, tmp_path: Path) -> None:
    """Two sittings of one evening, broken off in mid-hand: two bundles, together the whole log."""
    middle = show.events[0][len(show.events[0]) // 2][0]
    sat(show, tmp_path, "a.tar", [], until=middle)
    rules = preset("schnapsen")
    sat(show, tmp_path, "b.tar", [(30.0, NewMatch(rules=rules))], until=60.0)
    first, second = log_again(tmp_path / "a.tar"), log_again(tmp_path / "b.tar")
    assert first[1]
    assert second[1]
    assert first[0] + second[0] == log_of(tmp_path)
    lines, telling = told_again(tmp_path / "b.tar")
    assert telling.differs is None
    assert lines


@pytest.mark.parametrize("older", [False, True])
def test_rules_agreed_on_as_the_cards_lie_dealt_hide_nothing(show: Show, tmp_path: Path, older: bool) -> None:
    """Whoever decodes then begins anew; older bundles do not say that the table was in sight before."""
    dealt = show.events[0][0][0]
    sat(show, tmp_path, "a.tar", [(dealt + 0.3, NewMatch(rules=preset("schnapsen")))], until=30.0)
    path = tmp_path / "a.tar"
    if older:
        path = tmp_path / "b.tar"
        writer = BundleWriter(path, {"format": 3})
        with BundleReader(tmp_path / "a.tar") as bundle:
            for line in bundle:
                if line["is"] != "resume" or line["entries"]:
                    writer.line(line)
        writer.close()
    again, same = log_again(path)

    assert same
    assert again == log_of(tmp_path)
    assert {"match", "settled"} <= {kind for kind, _ in again}
    assert "unseen" not in {kind for kind, _ in again}


def test_a_hand_that_goes_on_in_a_new_match_is_told_in_it(show: Show, tmp_path: Path) -> None:
    """Names agreed on in mid-hand: withdrawn in the old match, told anew in the next, ended once."""
    middle = show.events[0][len(show.events[0]) // 2][0]
    claims = [(time, Claim(event.player)) for time, event in show.taps]
    acts = sorted([*claims, (middle, NewMatch(names=("Eva", "Max")))], key=lambda act: act[0])
    sat(show, tmp_path, "a.tar", acts, until=float("inf"))
    again, same = log_again(tmp_path / "a.tar")
    assert same
    assert again == log_of(tmp_path)
    lines, telling = told_again(tmp_path / "a.tar")
    told = [json.loads(line) for line in lines]
    withdrawn = {line["seq"] for line in told if line.get("type") == "retract"}
    (first, second) = [line for line in told if line.get("type") == "deal"][:2]
    assert first["seq"] in withdrawn
    assert second["seq"] not in withdrawn
    assert first | {"seq": 0} == second | {"seq": 0}
    assert len(telling.records) == len(show.events)


def test_a_sitting_cut_off_gives_the_beginning_of_the_log(show: Show, tmp_path: Path) -> None:
    """A damaged end costs the end, and nothing else."""
    sat(show, tmp_path, "a.tar", [], until=40.0)
    data = (tmp_path / "a.tar").read_bytes()
    (tmp_path / "b.tar").write_bytes(data[: len(data) * 2 // 3])
    again, _ = log_again(tmp_path / "b.tar")
    whole = log_of(tmp_path)
    assert 2 < len(again) < len(whole)
    assert again == whole[: len(again)]


def test_a_log_that_comes_out_otherwise_is_noticed(show: Show, tmp_path: Path) -> None:
    """As when a later decoder decides better; here the log of then is another."""
    watched(show, tmp_path / "a.tar")
    bundle = BundleWriter(tmp_path / "b.tar", {})
    with BundleReader(tmp_path / "a.tar") as old:
        for line in old:
            if line["is"] == "log":
                kind, text = line["items"][0]
                line["items"][0] = [kind, text.replace('"confidence":0.9', '"confidence":0.8')]
            bundle.line(line)
    bundle.close()
    _, telling = told_again(tmp_path / "b.tar")
    assert telling.differs is not None


@pytest.mark.parametrize(
    "line",
    [
        {"is": "update"},
        {"is": "tell", "event": {"type": "play"}, "time": 1, "source": "phone:south"},
        {"is": "music"},
        {"t": 1},
        {"is": "log", "items": [["settled", "{}"]], "own": []},
        {"is": "decoder", "rules": {"preset": "poker"}, "dealer": 0, "first_seq": 1},
    ],
)
def test_a_line_that_cannot_be_is_named(line: dict[str, Any], tmp_path: Path) -> None:
    """File and number of the line; no trace."""
    bundle = BundleWriter(tmp_path / "a.tar", {})
    bundle.line(line)
    bundle.close()
    with BundleReader(tmp_path / "a.tar") as again, pytest.raises(BundleError, match=r"a\.tar: line 1 "):
        list(replayed(again))


def test_what_a_recorder_cannot_keep_disturbs_nobody(tmp_path: Path) -> None:
    """A reading that has no form ends the bundle, which is no whole one then; the watcher goes on."""

    class Odd:
        """Gives readings with a time that no file can hold."""

        def read(self, frame: Frame) -> Reading:
            """Read."""
            good = next(iter(readings(stage(RULES, 3))))
            return Reading(float("nan"), good.size, good.detections, good.motion)

    bundle = BundleWriter(tmp_path / "a.tar", {})
    recorder = Recorder(bundle)
    reader = recorder.reader(Odd)()
    assert recorder.goes_on()
    assert np.isnan(reader.read(Frame(SMALL, 0.0, 0)).time)
    assert not recorder.goes_on()
    assert np.isnan(reader.read(Frame(SMALL, 1.0, 1)).time)
    bundle.close()
    with BundleReader(tmp_path / "a.tar") as again:
        assert [line["is"] for line in again] == ["source"]
        assert not again.closed
    assert "something could not be kept" in bundle.failed


def test_a_recorder_knows_that_its_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bundle ends by itself then, and nothing fails that the recorder would hear of."""
    with contextlib.closing(BundleWriter(tmp_path / "a.tar", {})) as bundle:
        recorder = Recorder(bundle)
        recorder.note({"is": "update"}, flush=True)
        assert recorder.goes_on()
        monkeypatch.setattr("companion.bundle.archive.SPARE_BYTES", 1 << 62)
        recorder.note({"is": "update"}, flush=True)
        assert not recorder.goes_on()


def test_a_text_that_no_file_can_hold_ends_the_bundle_and_nothing_else(tmp_path: Path) -> None:
    """It is found only when lines are written; those before are read, and are no whole sitting."""
    bundle = BundleWriter(tmp_path / "a.tar", {})
    recorder = Recorder(bundle)
    recorder.note({"is": "source"}, flush=True)
    recorder.note({"is": "tell", "source": "half a character: \ud800"}, flush=True)
    recorder.note({"is": "source"}, flush=True)
    bundle.close()

    assert "something could not be kept" in bundle.failed
    with BundleReader(tmp_path / "a.tar") as again:
        assert [line["is"] for line in again] == ["source"]
        assert not again.closed


def test_the_log_before_a_sitting_is_only_that_of_its_match(show: Show, tmp_path: Path) -> None:
    """What was played on other evenings is nobody's business."""
    sat(show, tmp_path, "a.tar", [(20.0, NewMatch())], until=25.0)
    sat(show, tmp_path, "b.tar", [], until=1.0)
    with BundleReader(tmp_path / "b.tar") as bundle:
        before = next(batch for batch in replayed(bundle) if batch.earlier)
    kinds = [type(item).__name__ for item in before.items]
    assert kinds.count("MatchStarted") == 1
    assert kinds[0] == "MatchStarted"


def test_what_lets_in_to_a_camera_is_in_no_bundle(tmp_path: Path) -> None:
    """Earlier versions wrote its whole address into the log."""
    with EventLog(tmp_path / "table.sqlite") as log:
        opened = SittingOpened("", "rtsp://anna:secret@10.0.0.7/live", "0.1")
        log.append([MatchStarted("", RuleSet()), opened])
    bundle = BundleWriter(tmp_path / "a.tar", {})
    Recorder(bundle).log(tmp_path / "table.sqlite").close()
    bundle.close()
    with BundleReader(tmp_path / "a.tar") as kept:
        (before,) = (line for line in kept if line["is"] == "before")
    assert "secret" not in str(before)
    assert "rtsp://10.0.0.7/live" in str(before)
