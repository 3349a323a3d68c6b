"""Photographed scripts: the truth agrees with the picture, and the seed decides everything."""

import json
import resource
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.evaluate.hands import read_truth
from companion.rules.events import Claimed
from companion.rules.record import Record
from companion.synth.__main__ import main
from companion.synth.arm import ArmLook
from companion.synth.camera import Camera
from companion.synth.choreography import choreograph
from companion.synth.film import FilmError, play, write_truth, write_video
from companion.synth.pack import Pack, rounded
from companion.synth.players import random_record
from companion.synth.scene import Light, Placed, Scene
from companion.synth.script import Script
from companion.synth.setting import Setting, view_of
from companion.synth.style import Style
from companion.synth.surface import surface
from companion.watch.taps import read_taps

SIZE = (400, 224)
BACK = (40, 40, 200)


def colour_of(name: str) -> tuple[int, int, int]:
    """A colour of its own for each card, no two alike and none like the table."""
    number = ["ATKQJ".index(name[0]), "HDCS".index(name[1])]
    return 250 - 30 * number[1], 250 - 45 * number[0], 120 - 20 * number[1]


@pytest.fixture(scope="module")
def setting() -> Setting:
    """A perfect camera over a grey table, with a pack of plain colours."""

    def plain(colour: tuple[int, int, int]):
        return rounded(np.full((91, 59, 3), colour, np.uint8), 0.05)

    faces = {rank + suit: plain(colour_of(rank + suit)) for rank in "ATKQJ" for suit in "HDCS"}
    camera = Camera.above(SIZE, distance_mm=1000, tilt=0.4, width_mm=680)
    scene = Scene(camera, np.full((64, 64, 3), 70, np.uint8), Light(shadow_strength=0.0))
    return Setting(
        scene, Pack("plain", faces, plain(BACK)), (ArmLook(), ArmLook()), (), 0.0, 0.0, 100, 1.0, 0.04, 2, 0.0
    )


@pytest.fixture(scope="module")
def script(setting: Setting) -> Script:
    """A hand that ends with a claim."""
    seed = next(s for s in range(99) if isinstance(random_record(s).events[-1], Claimed))
    style = Style(pace=0.8, think_s=(0.4, 0.8), overlap_mm=(30.0, 40.0))
    return choreograph([random_record(seed)], seed=seed, style=style, view=view_of(setting.scene.camera))


def test_cards_are_where_the_truth_says(setting: Setting, script: Script) -> None:
    """Inside the outline of a card that is wholly seen is its colour, and around it is not."""
    checked = 0
    for frame, truth in play(script, setting, seed=1, fps=2, seconds=(0, 25)):
        for card in truth.cards:
            if not card.still or card.visible < 0.97:
                continue
            centre = card.corners.mean(axis=0)
            right = np.array(BACK if card.name == "back" else colour_of(card.name))
            for share in (0.0, 0.85):
                for x, y in centre + (card.corners - centre) * share:
                    seen = frame.bgr[min(int(y), SIZE[1] - 1), min(int(x), SIZE[0] - 1)]
                    assert np.abs(seen.astype(int) - right).max() <= 6, (card.name, frame.time)
                    checked += 1
    assert checked > 100


def test_the_truth_names_each_card_that_shows(setting: Setting, script: Script) -> None:
    """The share that is seen is the share of the outline that has the card's colour."""
    compared = set()
    for frame, truth in play(script, setting, seed=1, fps=1, seconds=(0, 25)):
        for card in truth.cards if truth.quiet else ():
            if card.name == "back":
                continue
            mask = np.zeros((SIZE[1], SIZE[0]), np.uint8)
            cv2.fillConvexPoly(mask, card.corners.round().astype(np.int32), 1)
            own = np.abs(frame.bgr.astype(int) - colour_of(card.name)).max(axis=2) <= 6
            assert (own & (mask > 0)).sum() / mask.sum() == pytest.approx(card.visible, abs=0.12), card.name
            compared.add(card.visible < 0.9)
    assert compared == {True, False}


def test_a_still_table_is_the_same_picture(setting: Setting, script: Script) -> None:
    """With a perfect camera two frames of a quiet table are equal."""
    frames = list(play(script, setting, seed=1, fps=10, seconds=(0, 12)))
    pairs = [
        (a, b) for (a, p), (b, q) in pairwise(frames) if p.quiet and q.quiet and len(p.cards) == len(q.cards)
    ]
    assert len(pairs) > 20
    same = [np.array_equal(a.bgr, b.bgr) for a, b in pairs]
    assert np.mean(same) > 0.9


def test_still_frames_differ_by_noise_alone(setting: Setting, script: Script) -> None:
    """The noise is new in every frame, small, and without a bias."""
    noisy = replace(setting, noise=3.0)
    dealt = script.timeline[0]["t"] + 0.2
    quiet = [
        frame.bgr.astype(int)
        for frame, truth in play(script, noisy, seed=1, fps=20, seconds=(dealt, dealt + 0.3))
        if truth.quiet
    ]
    for a, b in pairwise(quiet):
        difference = b - a
        assert 2 < difference.std() < 8
        assert abs(difference.mean()) < 0.5
    assert len(quiet) >= 3


def test_motion_blurs_what_moves_and_nothing_else(setting: Setting, script: Script) -> None:
    """A longer exposure changes frames in which something moves, and only those."""
    sharp = list(play(script, replace(setting, shutter_s=0.0), seed=1, fps=5, seconds=(0, 12)))
    slow = list(play(script, replace(setting, shutter_s=0.08), seed=1, fps=5, seconds=(0, 12)))
    changed = [not np.array_equal(a.bgr, b.bgr) for (a, _), (b, _) in zip(sharp, slow, strict=True)]
    busy = [
        not (script.at(frame.time).quiet and script.at(max(0, frame.time - 0.08)).quiet) for frame, _ in sharp
    ]
    assert sum(changed) > 5
    assert not any(blurred and not moved for blurred, moved in zip(changed, busy, strict=True))


def test_the_seed_decides_the_film(setting: Setting, script: Script) -> None:
    """The same seed gives the same frames, also of a part; another seed other noise."""
    noisy = replace(setting, noise=3.0, flicker=0.01)
    first = [frame for frame, _ in play(script, noisy, seed=1, fps=4, seconds=(0, 6))]
    again = [frame for frame, _ in play(script, noisy, seed=1, fps=4, seconds=(0, 6))]
    part = [frame for frame, _ in play(script, noisy, seed=1, fps=4, seconds=(3, 6))]
    other = [frame for frame, _ in play(script, noisy, seed=2, fps=4, seconds=(0, 1))]
    assert all(np.array_equal(a.bgr, b.bgr) for a, b in zip(first, again, strict=True))
    assert all(np.array_equal(a.bgr, b.bgr) for a, b in zip(first[-len(part) :], part, strict=True))
    assert [frame.index for frame in part] == list(range(12, 25))
    assert not any(np.array_equal(a.bgr, b.bgr) for a, b in zip(first, other, strict=False))


def test_a_film_is_written_with_its_truth(setting: Setting, script: Script, tmp_path: Path) -> None:
    """The files are those that evaluation and `--taps` read, and the hand in them is the record."""
    frames = [frame.bgr for frame, _ in play(script, setting, seed=1, fps=5, seconds=(0, 2))]
    assert write_video(tmp_path / "video.mp4", frames, fps=5) == len(frames)
    write_truth(tmp_path, script, setting, fps=5, seed=1)

    video = cv2.VideoCapture(str(tmp_path / "video.mp4"))
    assert int(video.get(cv2.CAP_PROP_FRAME_COUNT)) == len(frames)
    assert video.get(cv2.CAP_PROP_FPS) == 5
    read, picture = video.read()
    video.release()
    assert read
    assert picture.shape == (SIZE[1], SIZE[0], 3)

    truth = json.loads((tmp_path / "truth.json").read_text(encoding="utf-8"))
    assert Record.from_json(truth["hand"]) == script.records[0]
    taps = read_taps(tmp_path / "taps.jsonl")
    assert read_truth(tmp_path).taps == taps
    assert [tap.event for tap in taps] == [script.records[0].events[-1]]


def test_an_empty_film_is_refused(tmp_path: Path) -> None:
    """No frames, no file: the error names it."""
    with pytest.raises(FilmError, match=r"none\.mp4"):
        write_video(tmp_path / "none.mp4", [], fps=5)


def test_packs_that_are_not_there_end_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A missing pack is one line on stderr and exit status 2."""
    arguments = [
        "hands",
        "--out",
        str(tmp_path / "o"),
        "--packs",
        "nobody",
        "--seeds",
        "1",
        "--art",
        str(tmp_path),
    ]
    assert main(arguments) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert "nobody" in lines[0]


@pytest.mark.parametrize(
    ("option", "value", "why"),
    [
        ("--fps", "0", "'0' is no number of frames"),
        ("--fps", "-5", "no number of frames"),
        ("--fps", "nan", "no number of frames"),
        ("--fps", "inf", "no number of frames"),
        ("--fps", "many", "no number of frames"),
        ("--size", "0x0", "less than 16 pixels"),
        ("--size", "640x-480", "less than 16 pixels"),
        ("--size", "640", "is not WIDTHxHEIGHT"),
        ("--size", "100000x100000", "more than 4096 pixels"),
        ("--size", "64x640", "more than 3 times as long"),
        ("--fps", "1e9", "no number of frames"),
        ("--deals", "999999999", "no number from 1 to 100"),
        ("--deals", "0", "no number from 1 to 100"),
        ("--seeds", "9" * 30, "is no number from 0 on"),
        ("--tables", "moon", "'moon' is none of"),
        ("--packs", ",", "no name given"),
        ("--seeds", "5-3", "'5-3': the last seed comes before the first"),
        ("--seeds", "3,x", "'x' is no number from 0 on"),
        ("--seeds", "-1", "'' is no number from 0 on"),
    ],
)
def test_numbers_of_which_no_film_can_be_made_are_refused(
    option: str, value: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the option and the value, before anything is drawn."""
    with pytest.raises(SystemExit) as ended:
        main(["hands", "--out", str(tmp_path), f"{option}={value}"])

    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert f"argument {option}: " in told
    assert why in told
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "why"), [(b"\xff\xfe{}", "the file holds no text"), (b"{", "not JSON")], ids=["text", "JSON"]
)
def test_a_file_that_holds_no_record_is_named(
    content: bytes, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line, with what is wrong."""
    record = tmp_path / "hand.json"
    record.write_bytes(content)

    assert main(["record", str(record), "--out", str(tmp_path / "o")]) == 2
    told = capsys.readouterr().err
    assert f"{record}: {why}" in told
    assert told.count("\n") == 1


def test_a_folder_that_is_no_record_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In the place of the record, without a number of the operating system."""
    assert main(["record", str(tmp_path), "--out", str(tmp_path / "o")]) == 2
    assert capsys.readouterr().err == f"companion.synth: {tmp_path}: is a folder, expected a file\n"


def test_a_negative_seed_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No number is drawn by it."""
    with pytest.raises(SystemExit):
        main(["record", "hand.json", "--out", str(tmp_path), "--seed=-1"])

    assert "argument --seed: '-1' is no number from 0 on" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("habit", "why"),
    [
        ("juggles=1", "'juggles' is none of fidget"),
        ("slides=2", "no number from 0 to 1"),
        ("slides", "no number"),
    ],
)
def test_a_habit_that_nobody_has_is_refused(
    habit: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is drawn."""
    with pytest.raises(SystemExit) as ended:
        main(["hands", "--out", str(tmp_path), "--habit", habit])

    assert ended.value.code == 2
    assert why in capsys.readouterr().err


@pytest.mark.parametrize("pack", ["nobody", "drawn:", "tarot:3", f"drawn:{'9' * 30}"])
def test_every_pack_is_looked_for_before_anything_is_drawn(
    pack: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also the one of a film that is drawn last."""
    out = tmp_path / "o"
    arguments = ["--packs", f"drawn:7,{pack}", "--seeds", "0-1", "--art", str(tmp_path)]
    assert main(["hands", "--out", str(out), *arguments]) == 2
    told = capsys.readouterr().err
    assert f"pack {pack[:30]}" in told
    assert told.count("\n") == 1
    assert not out.exists()


@pytest.mark.parametrize("command", ["hands", "demo"])
def test_a_file_where_films_should_be_written_is_named(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is drawn."""
    out = tmp_path / "o"
    out.write_text("")
    options = ["--packs", "drawn:7", "--seeds", "0"] if command == "hands" else []
    assert main([command, "--out", str(out), *options]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"companion.synth: {out}")
    assert told.count("\n") == 1


def test_a_long_range_of_seeds_is_not_written_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of a billion of them the first is drawn at once: here its pack is missing, which is said."""
    arguments = ["--packs", "nobody", "--seeds", "0-999999999999", "--art", str(tmp_path)]
    assert main(["hands", "--out", str(tmp_path / "o"), *arguments]) == 2
    assert "pack nobody" in capsys.readouterr().err


def test_a_film_that_does_not_fit_on_the_disk_is_named(tmp_path: Path) -> None:
    """Whoever writes the film is not told; what stands there is looked at afterwards."""
    rng = np.random.default_rng(1)
    noise = [rng.integers(0, 256, (240, 320, 3), dtype=np.uint8) for _ in range(8)]
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, usual[1]))
    try:
        with pytest.raises(FilmError, match=r"a\.mp4: .*the disk may be full"):
            write_video(tmp_path / "a.mp4", noise, fps=5)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)


def test_a_card_on_its_edge_can_be_laid() -> None:
    """It is turned over as the picture is taken, and nothing of its face is seen."""
    card = np.full((360, 240, 4), 255, np.uint8)
    rng = np.random.default_rng(1)
    camera = Camera.above((64, 64), distance_mm=600, tilt=0.2, yaw=0.0, width_mm=600)
    scene = Scene(camera, surface("felt", rng), Light.random(rng), 300.0, 0.0)
    scene.render([Placed("KH", card, 0.0, 0.0, 0.0, (0.01, 91.0))])
