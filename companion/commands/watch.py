"""Watch a recording or a camera without a server, and print what happened as soon as it is settled.

SOURCE is a video file (read as fast as it can be processed, on its own clock), a folder of
pictures, a camera's index, a URL, or a sitting that was kept. A source that ends before its end
gives the events it could, and exit status 2.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.arguments import add_threads
from companion.commands.deck import add_deck, chosen_deck
from companion.commands.fault import Fault
from companion.commands.keeping import add_keep, keeping
from companion.commands.records import add_data
from companion.commands.signals import ended_by_signal
from companion.commands.terminal import Progress, print_json, say_lost
from companion.config import Options, asset, data_folder
from companion.rules.cards import Player
from companion.rules.ruleset import RuleSet, preset
from companion.vision.fault import SourceError
from companion.watch.taps import Tap, read_taps

if TYPE_CHECKING:
    from companion.bundle.recorder import Recorder
    from companion.live.decoder import DecoderFactory
    from companion.rules.record import Record
    from companion.store.log import LogError
    from companion.table.entry import Entry
    from companion.vision.deck import Deck
    from companion.vision.reader import Reader
    from companion.vision.source import FrameSource
    from companion.watch.journal import Journal
    from companion.watch.watcher import Watcher

NAME = "watch"
HELP = "a recording or a camera -> what was played"

SEATS = {"south": Player.SOUTH, "north": Player.NORTH}


def configure(parser: argparse.ArgumentParser) -> None:
    """Say which arguments there are."""
    parser.add_argument(
        "source", metavar="SOURCE", help="video file, folder of pictures, camera index, URL, or kept sitting"
    )
    parser.add_argument("--json", action="store_true", help="JSON Lines, one an event, and a summary")
    parser.add_argument(
        "--explain", action="store_true", help="say on stderr why each event was written, or asked about"
    )
    parser.add_argument("--taps", type=Path, metavar="FILE", help="what was pressed on the phone, JSON Lines")
    parser.add_argument("--dealer", choices=sorted(SEATS), help="who dealt first (default: who leads tells)")
    parser.add_argument("--rules", metavar="PRESET", help="rules (default: schnapsen)")
    add_data(parser, "keep the events in the log of this folder")
    add_keep(parser)
    add_deck(parser)
    parser.add_argument(
        "--anew", action="store_true", help="a kept sitting: read its pictures again, with today's networks"
    )
    add_threads(parser, 1)


def run(options: argparse.Namespace) -> int:
    """Watch to the end; 2 where the source ended before its end, 130 where somebody stopped a recording."""
    rules = preset("schnapsen" if options.rules is None else options.rules)
    taps = read_taps(options.taps) if options.taps else ()
    deck = chosen_deck(options.deck, options.data)
    from companion.bundle.archive import is_bundle

    if is_bundle(Path(options.source)):
        return _tell_again(options, deck)
    from companion.vision.cameras import camera_shown
    from companion.vision.source import open_source

    called = camera_shown(options.source)

    def lost(why: str) -> None:
        progress.done()
        say_lost(why)

    with (
        open_source(options.source, lost) as source,
        _journal(options.data, rules, called, SEATS.get(options.dealer)) as journal,
        keeping(options.keep, options.data or data_folder(), called) as recorder,
    ):
        watcher = _watcher(options, rules, taps, deck, journal, recorder)
        progress = Progress("frames", source.frames)
        started = time.monotonic()
        fault, stopped = _watched(watcher, source, progress, as_json=options.json)
        elapsed = time.monotonic() - started
        progress.done()
    _sum_up(watcher.records, watcher.frames, elapsed, watcher.unseen, as_json=options.json)
    if fault is not None:
        raise fault
    if stopped and source.frames is not None:
        print(
            f"companion: {options.source}: stopped after {watcher.frames} of {source.frames} frames",
            file=sys.stderr,
        )
        return 130
    return 0


def _watcher(
    options: argparse.Namespace,
    rules: RuleSet,
    taps: Sequence[Tap],
    deck: Deck | None,
    journal: Journal | None,
    recorder: Recorder | None,
) -> Watcher:
    """Make what watches, and has journal and recorder keep what it tells."""
    from companion.live.pipeline import FrameReader
    from companion.watch.watcher import Watcher

    def keep(entries: Sequence[Entry]) -> None:
        if journal is not None:
            journal.keep(entries)
        if recorder is not None:
            recorder.wrote(entries)

    make_reader: Callable[[], FrameReader] = functools.partial(_reader, options.threads, deck)
    make_decoder = _decoders(options.explain)
    if recorder is not None:
        make_reader, make_decoder = recorder.reader(make_reader), recorder.decoders(make_decoder)
    return Watcher(
        make_reader(),
        rules,
        dealer=SEATS.get(options.dealer),
        taps=taps,
        first_seq=journal.first_seq if journal else 1,
        keep=keep,
        make_decoder=make_decoder,
    )


def _watched(
    watcher: Watcher, source: FrameSource, progress: Progress, *, as_json: bool
) -> tuple[SourceError | LogError | None, bool]:
    """Print what `watcher` tells of all frames; say why it ended early, and whether somebody stopped it."""
    from companion.store.log import LogError
    from companion.vision.size import one_size

    fault: SourceError | LogError | None = None
    stopped = True
    try:
        with ended_by_signal() as ending:  # how one stops watching a camera
            try:
                for frame in one_size(source):
                    with ending.whole():  # what is told is in the log, and the other way round
                        _show(watcher.see(frame), as_json, progress)
                    progress.at(watcher.frames)
            except SourceError as error:
                fault = error
            stopped = False
        _show(watcher.finish(), as_json, progress)
    except LogError as error:  # what has been told so far is summed up all the same
        fault = error
    return fault, stopped


def _tell_again(options: argparse.Namespace, deck: Deck | None) -> int:
    """Play a kept sitting again; its taps, dealer and rules are those of then."""
    from companion.bundle.archive import BundleReader
    from companion.bundle.fault import BundleError
    from companion.watch.retelling import Retelling

    if (
        options.taps
        or options.dealer
        or options.rules is not None
        or options.data
        or options.keep is not None
    ):
        raise Fault(
            f"{options.source}: a kept sitting has its own taps, dealer and rules, and is not kept again"
        )
    if options.deck and not options.anew:
        raise Fault(f"{options.source}: a kept sitting has been read; another --deck reads it with --anew")
    anew = functools.partial(_reader, options.threads, deck) if options.anew else None
    with BundleReader(Path(options.source)) as bundle:
        telling = Retelling(bundle, anew=anew, make_decoder=_decoders(options.explain))
        progress = Progress("frames")
        started = time.monotonic()
        fault: BundleError | None = None
        try:
            for lines in telling:
                _show(lines, options.json, progress)
                progress.at(telling.frames)
        except BundleError as error:
            fault = error
        progress.done()
        elapsed = time.monotonic() - started
        same = telling.differs is None
        whole = fault is None and not bundle.fault
        _sum_up(
            telling.records,
            telling.frames,
            elapsed,
            telling.unseen,
            as_json=options.json,
            same=same if whole or not same else None,  # of what is cut off nobody knows
        )
        if fault is not None:
            raise fault
        if bundle.fault:
            raise BundleError(f"{bundle.path}: {bundle.fault}")
        if not bundle.closed:
            print(f"companion: {bundle.path}: was not ended; it is whole up to there", file=sys.stderr)
    return 0


def _decoders(explain: bool) -> DecoderFactory:
    """What makes decoders: ones that say why on stderr, or silent ones."""
    from companion.decoding.decoder import Decoder
    from companion.decoding.reasons import Explained, Why

    def say(reasons: Why) -> None:
        for line in reasons.lines():
            print(line, file=sys.stderr, flush=True)

    return functools.partial(Explained, say=say) if explain else Decoder


def _reader(threads: int, deck: Deck | None) -> Reader:
    from companion.vision.reader import Reader

    return Reader.of(asset("models"), threads=threads, deck=deck)


def _sum_up(
    records: Sequence[Record],
    frames: int,
    elapsed: float,
    unseen: Sequence[tuple[float | None, float]],
    *,
    as_json: bool,
    same: bool | None = None,
) -> None:
    """Print the summary.

    Args:
        records: The hands.
        frames: That were read.
        elapsed: Seconds it took.
        unseen: From when until when nobody saw the table in mid-hand; `None`: nobody had looked before.
        as_json: As a line of JSON.
        same: Whether a kept sitting gave the log of then.
    """
    hands = [record.to_json() for record in records]
    if as_json:
        summary = {"type": "summary", "hands": hands, "frames": frames, "elapsed_s": round(elapsed, 2)}
        if unseen:
            summary["unseen"] = [list(gap) for gap in unseen]
        print_json(summary if same is None else {**summary, "same": same})
        return
    for since, until in unseen:
        print(
            f"the cards lay dealt as the table was seen first,{_clock(until)}"
            if since is None
            else f"in mid-hand nobody saw the table from{_clock(since)} to{_clock(until)}"
        )
    print(f"{len(hands)} hand{'s' if len(hands) != 1 else ''}, {frames} frames in {elapsed:.1f} s")
    if same is not None:
        print("the log is the one of then" if same else "the log is another one than then")


@contextlib.contextmanager
def _journal(
    folder: Path | None, rules: RuleSet, source: str, dealer: Player | None
) -> Iterator[Journal | None]:
    """The log of `folder`, where events are to be kept."""
    if folder is None:
        yield None
        return
    from companion.store.album import Album
    from companion.store.log import EventLog, LogError
    from companion.watch.journal import Journal

    places = Options(data=folder)
    try:
        with EventLog(places.log) as log:
            if not log.last and places.stills.exists():
                Album(places.stills, anew=True).close()
            yield Journal(log, rules, source=source, dealer=dealer, at=datetime.now(UTC))
    except LogError as error:
        raise Fault(str(error)) from error


def _show(lines: tuple[dict[str, Any], ...], as_json: bool, progress: Progress) -> None:
    for line in lines:
        if as_json:
            print_json(line)
        else:
            progress.done()
            print(described(line), flush=True)


def described(line: dict[str, Any]) -> str:
    """A line of `watch --json` for people to read."""
    return f"{_clock(line['t'])}  {_words(line)}"


def _clock(seconds: float) -> str:
    return f"{int(seconds // 60):3d}:{seconds % 60:04.1f}"


def _words(line: dict[str, Any]) -> str:
    who = Player(line["player"]).name.lower() if line.get("player") is not None else ""
    match line["type"]:
        case "deal":
            return (
                f"{Player(line['dealer']).name.lower()} deals, {line['turned_up'] or 'a card'} is turned up"
            )
        case "exchange":
            return f"{who} exchanges"
        case "marriage":
            return f"{who} declares the marriage in {line['suit']}"
        case "close":
            return f"{who} closes the stock"
        case "play":
            return f"{who} plays {line['card'] or 'a card that nobody could read'}"
        case "claim":
            return f"{who} claims 66"
        case "knock":
            return f"{who} knocks"
        case "revoke":
            return f"{who} calls a revoke"
        case "show":
            return f"{who} lays {', '.join(line['cards'])} open"
        case "concede":
            return f"{who} has closed and gives up"
        case "given_up":
            return "the hand is given up"
        case "agreed":
            won = "nobody" if line["winner"] is None else Player(line["winner"]).name.lower()
            return f"entered: {won} scores {line['game_points']}"
        case "retract":
            return f"withdrawn: line {line['seq']}"
        case "question":
            options = " or ".join(_words(option) for option in line["options"])
            return f"question: {line['text'].replace('_', ' ')}? {options}"
        case "result":
            points = " : ".join(str(each) for each in line["card_points"])
            won = "nobody" if line["winner"] is None else Player(line["winner"]).name.lower()
            reason = line["reason"].replace("_", " ")
            return f"result: {won} scores {line['game_points']} ({reason}, card points {points})"
        case other:
            return str(other)
