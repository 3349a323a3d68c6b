"""Watch a recording or a camera without a server, and print what happened as soon as it is settled.

SOURCE is a video file (read as fast as it can be processed, on its own clock), a folder of
pictures, a camera's index, or a URL. A source that ends before its end gives the events it
could, and exit status 2.
"""

from __future__ import annotations

import argparse
import contextlib
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.commands.fault import Fault
from companion.commands.terminal import Progress, print_json
from companion.config import Options, asset
from companion.rules.cards import Player
from companion.rules.ruleset import RuleSet, preset
from companion.vision.fault import SourceError
from companion.watch.taps import read_taps

if TYPE_CHECKING:
    from companion.watch.journal import Journal

NAME = "watch"
HELP = "a recording or a camera -> what was played"

SEATS = {"south": Player.SOUTH, "north": Player.NORTH}


def configure(parser: argparse.ArgumentParser) -> None:
    """Say which arguments there are."""
    parser.add_argument(
        "source", metavar="SOURCE", help="video file, folder of pictures, camera index, or URL"
    )
    parser.add_argument("--json", action="store_true", help="JSON Lines, one an event, and a summary")
    parser.add_argument("--taps", type=Path, metavar="FILE", help="what was pressed on the phone, JSON Lines")
    parser.add_argument("--dealer", choices=sorted(SEATS), help="who dealt first (default: who leads tells)")
    parser.add_argument("--rules", default="schnapsen", metavar="PRESET", help="rules (default: schnapsen)")
    parser.add_argument("--data", type=Path, metavar="DIR", help="keep the events in the log of this folder")
    parser.add_argument("--threads", type=int, default=1, help="threads of the networks (default: 1)")


def run(options: argparse.Namespace) -> int:
    """Watch to the end; 2 where the source ended before its end."""
    rules = preset(options.rules)
    taps = read_taps(options.taps) if options.taps else ()
    from companion.vision.detector import CardDetector
    from companion.vision.reader import Reader
    from companion.vision.source import open_source
    from companion.watch.watcher import Watcher

    fault: SourceError | None = None
    dealer = SEATS.get(options.dealer)
    with (
        open_source(options.source) as source,
        _journal(options.data, rules, options.source, dealer) as journal,
    ):
        watcher = Watcher(
            Reader(CardDetector(asset("models"), threads=options.threads)),
            rules,
            dealer=dealer,
            taps=taps,
            first_seq=journal.first_seq if journal else 1,
            keep=journal.keep if journal else lambda entries: None,
        )
        progress = Progress("frames", source.frames)
        started = time.monotonic()
        try:
            for frame in source:
                _show(watcher.see(frame), options.json, progress)
                progress.at(watcher.frames)
        except SourceError as error:
            fault = error
        except KeyboardInterrupt:
            pass  # how one stops watching a camera
        _show(watcher.finish(), options.json, progress)
        elapsed = time.monotonic() - started
        progress.done()
    hands = [record.to_json() for record in watcher.records]
    if options.json:
        summary = {
            "type": "summary",
            "hands": hands,
            "frames": watcher.frames,
            "elapsed_s": round(elapsed, 2),
        }
        print_json(summary)
    else:
        print(
            f"{len(hands)} hand{'s' if len(hands) != 1 else ''}, {watcher.frames} frames in {elapsed:.1f} s"
        )
    if fault is not None:
        raise fault
    return 0


@contextlib.contextmanager
def _journal(
    folder: Path | None, rules: RuleSet, source: str, dealer: Player | None
) -> Iterator[Journal | None]:
    """The log of `folder`, where events are to be kept."""
    if folder is None:
        yield None
        return
    from companion.store.log import EventLog, LogError
    from companion.watch.journal import Journal

    try:
        with EventLog(Options(data=folder).log) as log:
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
        case "given_up":
            return "the hand is given up"
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
