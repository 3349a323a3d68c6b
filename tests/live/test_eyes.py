"""The camera as it is set up: tried out without the table being told, kept, and changed for another."""

from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from patience import until
from scripted_table import newest
from staged_optics import StagedCamera, StagedOptics, StagedReader, detection, table_picture

from companion.live.command import InvalidCommandError
from companion.live.eyes import Eyes
from companion.live.health import Sight
from companion.live.pipeline import FrameReader
from companion.live.setting import (
    Setting,
    SettingError,
    kept_for,
    picture_beside,
    read_setting,
    write_setting,
)
from companion.table.detection import Frame
from companion.vision.deck import DeckError
from companion.vision.picture import read_picture
from companion.vision.still import jpeg

WHOLE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
TABLE = ((0.2, 0.1), (0.8, 0.15), (0.95, 0.9), (0.05, 0.85))


@pytest.fixture
def optics(tmp_path: Path) -> StagedOptics:
    """Two cameras, before one of which two cards lie."""
    pictures = {"0": table_picture(TABLE), "1": table_picture(WHOLE)}
    return StagedOptics(tmp_path, pictures, detection("KH", 320, 180))


@pytest.fixture
def eyes(open_table, optics: StagedOptics, tmp_path: Path) -> Iterator[Eyes]:
    """The eyes of a table that has not been set up."""
    with Eyes(open_table(), optics, tmp_path / "setup.json", None) as opened:
        opened.table = opened._table
        yield opened


def test_a_trial_shows_a_picture_and_tells_the_table_nothing(eyes: Eyes) -> None:
    """Picture, cards and the table in it, as shares of the picture; the table has no camera meanwhile."""
    eyes.try_out(Setting("0"))
    until(lambda: eyes.now.look)
    look = eyes.now.look.to_json()
    assert look["picture"].startswith("data:image/jpeg;base64,")
    (card,) = look["cards"]
    assert card["card"] == "KH"
    assert np.allclose(np.mean(card["corners"], axis=0), [0.5, 0.5], atol=0.01)
    assert np.allclose(look["table"], TABLE, atol=0.02)
    assert newest(eyes.table).health.sight is Sight.NONE
    assert eyes.setting is None


@pytest.mark.parametrize("tries", [True, False])
def test_whoever_looks_is_told_of_a_camera_that_gives_no_picture_any_more(
    eyes: Eyes, optics: StagedOptics, monkeypatch: pytest.MonkeyPatch, tries: bool
) -> None:
    """Its last picture would else pass for what lies there now; with the next one all is well again."""
    monkeypatch.setattr("companion.live.eyes.SILENT_S", 0.2)
    halted = threading.Event()
    staged = StagedCamera.__iter__

    def halting(camera: StagedCamera) -> Iterator[Frame]:
        for frame in staged(camera):
            if not halted.is_set():
                yield frame

    monkeypatch.setattr(StagedCamera, "__iter__", halting)
    (eyes.try_out if tries else eyes.keep)(Setting("0"))
    until(lambda: eyes.now.look)
    assert eyes.glance().failed == ""
    halted.set()
    until(lambda: eyes.glance().failed)
    assert eyes.now.why == "stopped"
    halted.clear()
    until(lambda: not eyes.glance().failed)


def test_what_is_kept_is_watched_and_found_again(eyes: Eyes, tmp_path: Path) -> None:
    """The table sees as soon as the setting is kept, and the file brings it back."""
    setting = Setting("1", 2, TABLE)
    eyes.keep(setting)
    until(lambda: newest(eyes.table).health.sight is Sight.WATCHING)
    assert eyes.setting == setting == read_setting(tmp_path / "setup.json")
    eyes.try_out(Setting("0"))
    assert newest(eyes.table).health.sight is not Sight.WATCHING
    eyes.watch()
    until(lambda: newest(eyes.table).health.sight is Sight.WATCHING)


def test_the_picture_in_which_the_table_was_set_is_kept_with_it(eyes: Eyes, tmp_path: Path) -> None:
    """The next evening begins with it; a setting without a table needs none, and leaves none of another."""
    picture = picture_beside(tmp_path / "setup.json")
    eyes.try_out(Setting("1", 2))
    until(lambda: eyes.now.look)
    shown = eyes.now.look.frame.bgr
    eyes.keep(Setting("1", 2, TABLE))
    assert np.abs(read_picture(picture).astype(int) - shown).mean() < 4
    until(lambda: newest(eyes.table).health.sight is Sight.WATCHING)
    assert newest(eyes.table).health.table
    eyes.keep(Setting("1", 2))
    assert not picture.exists()


def test_corners_that_stay_keep_their_picture(eyes: Eyes, tmp_path: Path) -> None:
    """Another pack is chosen while the camera stands elsewhere: the old picture alone leads to the table."""
    eyes.try_out(Setting("1", 2))
    until(lambda: eyes.now.look)
    eyes.keep(Setting("1", 2, TABLE))
    picture = picture_beside(tmp_path / "setup.json")
    yesterday = jpeg(table_picture(WHOLE), 640)
    picture.write_bytes(yesterday)
    eyes.keep(Setting("1", 2, TABLE, "oma"))
    assert picture.read_bytes() == yesterday
    assert read_setting(tmp_path / "setup.json").deck == "oma"


def test_corners_that_lead_nowhere_keep_their_picture_for_want_of_another(eyes: Eyes, tmp_path: Path) -> None:
    """A damaged picture is not thrown away for none: the camera may be back at its place in a minute."""
    setting = Setting("1", 2, TABLE)
    eyes.try_out(Setting("1", 2))
    until(lambda: eyes.now.look)
    eyes.keep(setting)
    picture = picture_beside(tmp_path / "setup.json")
    picture.write_bytes(b"yesterday")
    eyes.watch()
    until(lambda: not newest(eyes.table).health.table)
    eyes.try_out(Setting("0"))  # what is seen there is not the table
    eyes.keep(replace(setting, deck="oma"))
    assert picture.read_bytes() == b"yesterday"


def test_corners_that_are_confirmed_where_the_picture_leads_nowhere_get_a_new_one(
    eyes: Eyes, optics: StagedOptics, tmp_path: Path
) -> None:
    """Another cloth lies on the same table: whoever says that it is still there is not asked again."""
    eyes.try_out(Setting("1", 2))
    until(lambda: eyes.now.look)
    eyes.keep(Setting("1", 2, TABLE))
    picture = picture_beside(tmp_path / "setup.json")
    picture.write_bytes(b"yesterday")
    found = []
    optics.reader = lambda setting, then, told: found.append(told) or StagedReader(())
    eyes.watch()
    until(lambda: found)
    found[0](False)
    assert not newest(eyes.table).health.table
    eyes.try_out(Setting("1", 2, TABLE))
    until(lambda: eyes.now.look)
    eyes.keep(Setting("1", 2, TABLE))
    assert picture.read_bytes() != b"yesterday"


def test_only_its_owner_may_look_at_the_picture_of_the_room(tmp_path: Path) -> None:
    """And a picture that cannot be written leaves the setting as it was."""
    path = tmp_path / "setup.json"
    write_setting(path, Setting("1", 2, TABLE), b"picture")
    assert picture_beside(path).stat().st_mode & 0o077 == 0
    (tmp_path / "setup.jpg.part").mkdir()
    with pytest.raises(SettingError, match=r"setup\.jpg\.part"):
        write_setting(path, Setting("0"), b"other")
    assert read_setting(path) == Setting("1", 2, TABLE)
    assert picture_beside(path).read_bytes() == b"picture"


def test_a_trial_that_is_given_up_ends_no_other(eyes: Eyes) -> None:
    """Somebody tries another camera at the moment in which nobody has looked at the first for long."""
    eyes.try_out(Setting("0"))
    first = eyes.now
    eyes.try_out(Setting("1"))
    second = eyes.now
    eyes.watch(first)
    assert eyes.now is second
    eyes.watch(second)
    assert eyes.now is None


def test_two_owners_keep_one_after_the_other(
    eyes: Eyes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Together they would write into one half file, and the file tell of another setting than is watched."""

    def slowly(*given: object) -> None:
        busy.append(1)
        time.sleep(0.05)
        together.append(len(busy))
        write_setting(*given)
        busy.pop()

    busy, together = [], []
    monkeypatch.setattr("companion.live.eyes.write_setting", slowly)
    with ThreadPoolExecutor(2) as owners:
        list(owners.map(eyes.keep, (Setting("0"), Setting("1"))))
    assert together == [1, 1]
    assert read_setting(tmp_path / "setup.json") == eyes.setting


def test_only_its_owner_may_read_what_lets_in_to_a_camera(tmp_path: Path) -> None:
    """Its address may have a password; a half file that anybody may read is not written on, either."""
    path = tmp_path / "setup.json"
    for left in ("setup.part", "setup.jpg.part"):
        (tmp_path / left).touch(0o644)
    write_setting(path, Setting("rtsp://anna:secret@192.168.1.7/live", 0, TABLE), b"picture")
    for kept in (path, picture_beside(path)):
        assert kept.stat().st_mode & 0o077 == 0


def test_a_setting_that_does_not_fit_leaves_no_half_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was kept before stands, and of what could not be kept nothing lies beside it."""
    synced = []

    def fill(handle: int) -> None:
        synced.append(handle)
        if len(synced) > 1:  # the setting fits, and its picture does not
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path = tmp_path / "setup.json"
    write_setting(path, Setting("1", 2, TABLE), b"picture")
    monkeypatch.setattr("companion.live.setting.os.fsync", fill)
    with pytest.raises(SettingError, match="No space left"):
        write_setting(path, Setting("0"), b"other")
    assert read_setting(path) == Setting("1", 2, TABLE)
    assert sorted(left.name for left in tmp_path.iterdir()) == ["setup.jpg", "setup.json"]


def test_phones_are_told_that_the_table_is_elsewhere(eyes: Eyes) -> None:
    """As long as it is so: the next start of the camera looks for it again."""
    eyes.table.report_place(False)
    assert not newest(eyes.table).health.table
    eyes.keep(Setting())
    assert newest(eyes.table).health.table
    eyes.table.report_place(False)
    eyes.try_out(Setting("1", 2))
    until(lambda: eyes.now.look)
    eyes.keep(Setting("1", 2, TABLE))
    until(lambda: newest(eyes.table).health.sight is Sight.WATCHING)
    assert newest(eyes.table).health.table


@pytest.mark.parametrize("kept", [None, b"half a pic"])
def test_corners_without_their_picture_are_asked_for_again(
    eyes: Eyes, optics: StagedOptics, tmp_path: Path, kept: bytes | None
) -> None:
    """Nobody can tell whether the camera still stands so: until then the whole picture is table."""
    write_setting(tmp_path / "setup.json", Setting("1", 2, TABLE), kept)
    again = Eyes(eyes.table, optics, tmp_path / "setup.json", Setting("1", 2, TABLE))
    made = []
    optics.reader = lambda setting, then, found: made.append((setting, then)) or StagedReader(())
    with again:
        again.watch()
        until(lambda: newest(eyes.table).health.sight is Sight.WATCHING)
        assert made == [(Setting("1", 2), None)]
        assert not newest(eyes.table).health.table
        again.try_out(Setting("1", 2, TABLE))
        until(lambda: again.now.look)
        again.keep(Setting("1", 2, TABLE))
        until(lambda: newest(eyes.table).health.sight is Sight.WATCHING)
        assert newest(eyes.table).health.table
        (setting, then) = made[-1]
    assert (setting, then is None) == (Setting("1", 2, TABLE), False)


def test_a_picture_is_turned_clockwise_by_quarters(eyes: Eyes) -> None:
    """What was at the left edge is at the top after one quarter, and the picture stands upright."""
    eyes.try_out(Setting("0", 1))
    until(lambda: eyes.now.look)
    look = eyes.now.look.to_json()
    assert (look["width"], look["height"]) == (360, 640)
    turned = [(1 - y, x) for x, y in TABLE]
    assert np.allclose(look["table"], [turned[-1], *turned[:-1]], atol=0.02)


def test_a_camera_that_is_not_there_says_so(eyes: Eyes) -> None:
    """The trial fails with the reason; the next one works."""
    eyes.try_out(Setting("7"))
    until(lambda: eyes.now.failed)
    assert "no camera answers" in eyes.now.failed
    eyes.try_out(Setting("0"))
    until(lambda: eyes.now.look)
    assert eyes.now.failed == ""


@pytest.mark.parametrize("camera", ["1", "7"])
def test_a_trial_that_is_forgotten_ends_by_itself(eyes: Eyes, monkeypatch, camera: str) -> None:
    """Whether its camera gave a picture or not: the table is watched again as it was set up."""
    eyes.keep(Setting("0"))
    monkeypatch.setattr("companion.live.eyes.PATIENCE_S", 0.2)
    eyes.try_out(Setting(camera))
    until(lambda: not eyes.now.trial)
    until(lambda: newest(eyes.table).health.sight is Sight.WATCHING)
    assert eyes.now.setting == Setting("0")


def test_a_pack_that_is_learnt_waits_a_moment_for_a_page_that_was_left(
    eyes: Eyes, optics: StagedOptics, monkeypatch
) -> None:
    """Who looks at it again, or still does, goes on with the same cards; else the table is watched."""
    eyes.keep(Setting("0"))
    monkeypatch.setattr("companion.live.eyes.LEFT_S", 1.0)
    eyes.enrol(Setting("0"), "oma", nines=False)
    optics.laid.put("AH")
    until(lambda: eyes.now.enrolling.progress.shown)
    eyes.leave()
    for _ in range(8):
        time.sleep(0.2)
        assert eyes.glance().enrolling.progress.shown == 1
    eyes.leave()
    until(lambda: not eyes.now.trial)
    assert eyes.now.setting == Setting("0")


def test_a_camera_that_is_not_free_yet_is_tried_again(eyes: Eyes, optics: StagedOptics, monkeypatch) -> None:
    """Whoever looked through it before lets go of it a moment later."""
    monkeypatch.setattr("companion.live.eyes.RETRY_S", 0.05)
    free = optics.pictures.pop("1")
    eyes.try_out(Setting("1"))
    until(lambda: eyes.now.failed)
    optics.pictures["1"] = free
    until(lambda: eyes.now.look)
    assert eyes.now.failed == ""
    assert eyes.now.trial


def test_a_trial_whose_camera_falls_silent_is_forgotten_all_the_same(
    eyes: Eyes, optics: StagedOptics, monkeypatch
) -> None:
    """It gives no picture at which anybody could notice that nobody looks."""
    eyes.keep(Setting("0"))
    monkeypatch.setattr("companion.live.eyes.PATIENCE_S", 0.3)
    monkeypatch.setattr(StagedCamera, "__iter__", silent)
    eyes.try_out(Setting("1"))
    assert eyes.now.trial
    until(lambda: not eyes.now.trial)
    assert eyes.now.setting == Setting("0")


def silent(camera: StagedCamera) -> Iterator[Frame]:
    """A camera that opens, and then gives no picture until it is closed."""
    camera.closed.wait(20.0)
    yield from ()


def test_a_pack_that_is_gone_is_named_where_it_is_chosen(eyes: Eyes, optics, monkeypatch) -> None:
    """The table is not watched without it, and whoever sets it up reads why."""

    def gone(setting: Setting, *_: object) -> FrameReader:
        raise DeckError("no deck is called oma")

    monkeypatch.setattr(optics, "reader", gone)
    eyes.keep(Setting("0", deck="oma"))
    until(lambda: eyes.now.failed)
    assert ("oma" in eyes.now.failed, eyes.now.why) == (True, "deck")


def test_without_a_camera_the_phones_tell_everything(eyes: Eyes) -> None:
    """A set-up without a camera is one, and ends the camera there was."""
    eyes.keep(Setting("0"))
    until(lambda: newest(eyes.table).health.sight is Sight.WATCHING)
    eyes.keep(Setting())
    assert eyes.now is None
    assert newest(eyes.table).health.sight is Sight.NONE
    assert eyes.setting == Setting()


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ([], "object"),
        ({"cam": "0"}, "cam"),
        ({"camera": 0}, "camera"),
        ({"camera": "/etc/passwd"}, "camera"),
        ({"camera": "file:///etc/passwd"}, "camera"),
        ({"camera": "http://a b"}, "camera"),
        ({"turn": 4}, "turn"),
        ({"turn": True}, "turn"),
        ({"deck": "../x"}, "deck"),
        ({"deck": ""}, "deck"),
        ({"deck": ["x"]}, "deck"),
        ({"table": [[0, 0], [1, 0], [1, 1]]}, "table"),
        ({"table": [[0, 0], [1, 0], [1, 1], [0, "1"]]}, "table"),
        ({"table": [[0, 0], [1, 0], [1, 1], [0, 1.01]]}, "table"),
        ({"table": [[0, 0], [1, 0], [1, 1], [0, float("nan")]]}, "table"),
        ({"table": [[0, 0], [0, 1], [1, 1], [1, 0]]}, "clockwise"),
        ({"table": [[0, 0], [1, 1], [1, 0], [0, 1]]}, "clockwise"),
        ({"table": [[0, 0], [0.1, 0], [0.1, 0.1], [0, 0.1]]}, "table"),
    ],
)
def test_what_is_no_setting_is_refused(value: object, says: str) -> None:
    """Unknown cameras, files, corners that cross or lie outside: the message names the field."""
    with pytest.raises(InvalidCommandError, match=says):
        Setting.from_json(value)


@pytest.mark.parametrize(
    "setting",
    [Setting(), Setting("0", 3, TABLE, "grandma-1"), Setting("rtsp://cam/1"), Setting("/dev/video2")],
)
def test_a_setting_is_kept_as_it_is(setting: Setting, tmp_path: Path) -> None:
    """Written and read again it is the same."""
    write_setting(tmp_path / "new" / "setup.json", setting)
    assert read_setting(tmp_path / "new" / "setup.json") == setting


@pytest.mark.parametrize(
    ("camera", "kept_of", "same"),
    [("0", "/dev/video0", True), ("/dev/video1", "1", True), ("1", "0", False), ("0", "http://a/", False)],
)
def test_a_camera_is_the_same_by_any_of_its_names(camera: str, kept_of: str, same: bool) -> None:
    """Turn and table are of the camera; the pack lies on the table before any."""
    kept = Setting(kept_of, 2, TABLE, "tell")
    now = Setting(camera, 2, TABLE, "tell") if same else Setting(camera, deck="tell")
    assert kept_for(camera, kept) == now
    assert kept_for(camera, None) == Setting(camera)


def test_a_camera_is_set_up_by_the_name_that_it_has_wherever_it_is_plugged_in() -> None:
    """Linux names cameras by what they are; the page may keep those."""
    for camera in ("/dev/v4l/by-id/usb-046d_C920-index0", "rtsps://10.0.0.7/live", "tcp://10.0.0.7:8888"):
        assert Setting.from_json(Setting(camera).to_json()).camera == camera
    for camera in ("/dev/v4l/by-id/../../etc/passwd", "/etc/passwd", "file:///etc/passwd"):
        with pytest.raises(InvalidCommandError):
            Setting.from_json({**Setting("0").to_json(), "camera": camera})


def test_a_file_that_is_no_setting_is_named(tmp_path: Path) -> None:
    """Damaged or unreadable: the message names the file; where there is none, nothing was set up."""
    path = tmp_path / "setup.json"
    assert read_setting(path) is None
    for text in ("{", '{"turn": 9}', "[]"):
        path.write_text(text)
        with pytest.raises(SettingError, match=r"setup\.json"):
            read_setting(path)
