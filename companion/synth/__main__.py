"""Write recordings of rendered hands.

    python -m companion.synth hands --out DIR --art PACKS
    python -m companion.synth record HAND.json --out DIR --pack drawn:7
    python -m companion.synth demo --out fixtures/demo

Each hand becomes a folder with `video.mp4`, `truth.json` and `taps.jsonl`. Packs are folders
below --art (made by `python -m companion.training.art`) or drawn
here: `drawn:SEED` (French suits), `german:SEED`. Without further options `hands` writes the twenty
hands of the evaluation: packs, table tops and lights that training never draws.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.arguments import Parser, amount, share, whole
from companion.rules.record import Record, RecordError
from companion.rules.ruleset import RuleSet, RuleSetError, preset
from companion.synth.choreography import ScriptError, choreograph
from companion.synth.drawn import drawn_pack
from companion.synth.film import FilmError, play, write_truth, write_video
from companion.synth.german import german_pack
from companion.synth.pack import ArtError, Pack, load_art_pack
from companion.synth.players import random_evening, random_record
from companion.synth.setting import HELD_OUT_LIGHTS, LIGHTS, random_setting, view_of
from companion.synth.style import HABITS, Style
from companion.synth.surface import ALIKE, HELD_OUT, KINDS
from companion.synth.traced import photographed, trace, write_moments
from companion.vision.fault import why_unreadable

ART_VARIABLE = "COMPANION_ART"
"""Environment variable that names the folder of packs."""
EVALUATION_PACKS = ("lattmann", "anglo_poker", "rheinland")
"""Packs that training never draws; those that `drawn:` gives have the courts of those that it does."""
EVALUATION_LIGHTS = (*HELD_OUT_LIGHTS, *HELD_OUT_LIGHTS, "dim")
"""Taken in turn; seven, so that each pack meets each light."""
FACE_PX = 360
"""Faces are shrunk to this height: about twice what a table's camera shows."""
_LEAST_SIDE, _MOST_SIDE = 16, 4096
"""Pixels of a film's width and height."""
_LONGEST = 3
"""So many times as long as the other a side may be: with a longer one the camera sees past the table."""
_MOST_RATE = 1000.0
"""Frames a second of a film."""
_MOST_DEALS = 100
_MOST_DIGITS = 18
"""Of a seed."""
_DRAWN: Mapping[str, Callable[..., Pack]] = {"drawn": drawn_pack, "german": german_pack}


_DEMO_SEED = 623
"""A hand with an exchange, a marriage and a claim, in about a minute."""
_DEMO_TABLE_SEED = 19
"""A green table with a coin."""
_DEMO_PACK = 100
_DEMO_FPS = 8.0
_DEMO_STYLE = Style(pace=0.8, think_s=(0.5, 1.3), stock_side=-1, stock_angle=0.12, pile_inset_mm=42.0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    options = _parser().parse_args(arguments)
    try:
        if options.command == "hands":
            packs = [_pack(name, options.art) for name in options.packs]
            for seed in options.seeds:
                pack = packs[seed % len(packs)]()
                table = options.tables[seed % len(options.tables)]
                light = options.lights[seed % len(options.lights)]
                folder = _made(options.out / f"{seed:04d}-{pack.name}")
                records = random_evening(seed, options.deals, options.rules)
                _render(
                    records,
                    pack,
                    folder,
                    seed,
                    options.fps,
                    options.size,
                    table,
                    light,
                    dict(options.habit),
                    options.tracer,
                )
        elif options.command == "demo":
            _render_demo(_made(options.out), options.fps)
        else:
            record = _record(options.record)
            pack = _pack(options.pack, options.art)()
            _render(
                [record],
                pack,
                _made(options.out),
                options.seed,
                options.fps,
                options.size,
                options.table,
                options.light,
            )
    except (ArtError, FilmError, RecordError, ScriptError) as error:
        return _said(str(error))
    except OSError as error:
        return _said(str(error) if error.filename is None else f"{error.filename}: {why_unreadable(error)}")
    return 0


def _made(folder: Path) -> Path:
    """Make a folder, before anything is drawn for it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        there = "is a file, expected a folder" if isinstance(error, FileExistsError) else error.strerror
        raise FilmError(f"{folder}: {there or error}") from error
    return folder


def _said(message: str) -> int:
    print(f"companion.synth: {message}", file=sys.stderr)
    return 2


def _render(
    records: Sequence[Record],
    pack: Pack,
    folder: Path,
    seed: int,
    fps: float,
    size: tuple[int, int],
    table: str | None,
    light: str | None,
    habits: Mapping[str, float] = MappingProxyType({}),
    tracer: str | None = None,
) -> None:
    missing = [str(card) for card in records[0].rules.pack if str(card) not in pack.faces]
    if missing:
        raise ArtError(f"pack {pack.name}: no picture of {', '.join(missing)}")
    changed: dict[str, Any] = dict(habits)
    style = replace(Style.random(np.random.default_rng([seed, 0x57])), **changed)
    setting = random_setting(pack, style, seed=seed, size=size, table=table, light=light)
    script = choreograph(records, seed=seed, style=style, view=view_of(setting.scene.camera))
    print(f"{folder}: {script.duration:.0f} s", file=sys.stderr)
    if tracer is None:
        frames: Iterable[NDArray[np.uint8]] = (
            frame.bgr for frame, _ in play(script, setting, seed=seed, fps=fps)
        )
    else:
        write_moments(folder, script, setting, fps=fps, seed=seed)
        trace(folder, tracer)
        frames = photographed(folder, setting, seed=seed)
    write_video(folder / "video.mp4", frames, fps=fps)
    write_truth(folder, script, setting, fps=fps, seed=seed)


def _render_demo(folder: Path, fps: float) -> None:
    pack = drawn_pack(_DEMO_PACK, indices="AKDB", height_px=FACE_PX)
    setting = random_setting(pack, _DEMO_STYLE, seed=_DEMO_TABLE_SEED, table="felt", light="warm_lamp")
    # a quiet camera: what it adds costs bytes in every clone
    setting = replace(setting, blur=0.8, noise=0.6, quality=100, flicker=0.0, shutter_s=0.05, phone=None)
    view = view_of(setting.scene.camera)
    script = choreograph([random_record(_DEMO_SEED)], seed=_DEMO_SEED, style=_DEMO_STYLE, view=view)
    print(f"{folder}: {script.duration:.0f} s", file=sys.stderr)
    frames = (frame.bgr for frame, _ in play(script, setting, seed=_DEMO_SEED, fps=fps))
    write_video(folder / "table.mp4", frames, fps=fps)
    write_truth(folder, script, setting, fps=fps, seed=_DEMO_SEED)


def _record(path: Path) -> Record:
    try:
        return Record.parse(path.read_text(encoding="utf-8"))
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from error
    except UnicodeDecodeError as error:
        raise RecordError(f"{path}: the file holds no text") from error


def _pack(name: str, art: Path | None) -> Callable[[], Pack]:
    """Return what makes a pack; that there is none is known before films of others are drawn."""
    kind, colon, seed = name.partition(":")
    if colon:
        if kind not in _DRAWN or not seed.isdecimal() or len(seed) > _MOST_DIGITS:
            raise ArtError(f"pack {name[:40]}: neither a folder's name nor drawn:SEED or german:SEED")
        return partial(_DRAWN[kind], int(seed), height_px=FACE_PX)
    if art is None:
        raise ArtError(f"pack {name}: no folder of packs; give --art or set {ART_VARIABLE}")
    if not (art / name).is_dir():
        raise ArtError(f"pack {name}: no such folder in {art}")
    return partial(load_art_pack, art / name, height_px=FACE_PX)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="python -m companion.synth", description=(__doc__ or "").split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    hands = commands.add_parser("hands", help="films of random hands, one a seed")
    hands.add_argument(
        "--deals", type=whole(1, _MOST_DEALS), default=1, help="hands in each, one after another"
    )
    hands.add_argument("--packs", type=_names, default=EVALUATION_PACKS, help="taken in turn by seed")
    hands.add_argument("--seeds", type=_seeds, default=range(20), help="as in 0-19 or 3,5,8")
    hands.add_argument("--tables", type=_among(KINDS + ALIKE + HELD_OUT), default=HELD_OUT, help="by seed")
    hands.add_argument("--lights", type=_among(LIGHTS), default=EVALUATION_LIGHTS, help="by seed")
    hands.add_argument("--rules", type=_rules, default=preset("schnapsen"), help="as in sixty_six")
    hands.add_argument(
        "--habit",
        type=_habit,
        action="append",
        default=[],
        metavar="NAME=SHARE",
        help=f"how often players do something, from 0 to 1, once for each of: {', '.join(HABITS)}",
    )
    hands.add_argument(
        "--tracer",
        metavar="PYTHON",
        help="path-trace the pictures by a Python that has Blender (bpy), on table tops of its own",
    )
    one = commands.add_parser("record", help="a hand from a record")
    one.add_argument("record", type=Path, help="file with one hand record as JSON")
    one.add_argument("--pack", default="drawn:7")
    one.add_argument("--seed", type=whole(0), default=0)
    one.add_argument("--table", choices=KINDS + ALIKE + HELD_OUT)
    one.add_argument("--light", choices=LIGHTS)
    demo = commands.add_parser("demo", help="the recording that ships with the program (`table.mp4`)")
    for command in (hands, one, demo):
        command.add_argument("--out", type=Path, required=True, help="folder to write to")
        command.add_argument(
            "--fps",
            type=amount("number of frames a second", _MOST_RATE),
            default=_DEMO_FPS if command is demo else 5.0,
        )
    for command in (hands, one):
        command.add_argument("--size", type=_size, default=(1280, 720), help="as in 1280x720")
        usual = os.environ.get(ART_VARIABLE)
        command.add_argument(
            "--art", type=Path, default=Path(usual) if usual else None, help="folder of packs"
        )
    return parser


def _names(text: str) -> list[str]:
    names = [name for name in text.split(",") if name]
    if not names:
        raise argparse.ArgumentTypeError("no name given")
    return names


def _among(known: Sequence[str]) -> Callable[[str], list[str]]:
    def read(text: str) -> list[str]:
        names = _names(text)
        for name in names:
            if name not in known:
                raise argparse.ArgumentTypeError(f"{name!r:.40} is none of {', '.join(known)}")
        return names

    return read


def _habit(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    if name not in HABITS:
        raise argparse.ArgumentTypeError(f"{name!r:.40} is none of {', '.join(HABITS)}")
    try:
        return name, share(value)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(f"{text!r:.60}: the share is no number from 0 to 1") from None


def _rules(text: str) -> RuleSet:
    try:
        return preset(text)
    except RuleSetError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _seeds(text: str) -> Sequence[int]:
    first, dash, last = text.partition("-")
    seed = whole(0)
    if not dash:
        return [seed(part) for part in text.split(",")]
    seeds = range(seed(first), seed(last) + 1)
    if not seeds:
        raise argparse.ArgumentTypeError(f"{text!r}: the last seed comes before the first")
    return seeds


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    try:
        size = int(width), int(height)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r:.40} is not WIDTHxHEIGHT") from None
    if min(size) < _LEAST_SIDE:
        raise argparse.ArgumentTypeError(f"{text!r:.40}: a side has less than {_LEAST_SIDE} pixels")
    if max(size) > _MOST_SIDE:
        raise argparse.ArgumentTypeError(f"{text!r:.40}: a side has more than {_MOST_SIDE} pixels")
    if max(size) > _LONGEST * min(size):
        raise argparse.ArgumentTypeError(f"{text!r}: a side is more than {_LONGEST} times as long as another")
    return size


if __name__ == "__main__":
    sys.exit(main())
