"""The hands that the table has kept: listed, found again, counted up, handed on.

Without more, one line a hand, the newest last. --find, --kind, --since and --until choose among them.
--matches tells one line a match instead: who won it, how high, and what stands after it. --figures counts
hands and matches up by player, with --judge after working out what every decision lost (a few seconds a
hand, once). --export writes them to a file whose ending says how: `.jsonl` and `.hand` can be read by
`replay` and `review`, `.csv` by a spreadsheet; `.html` is one hand (--hand) as a page for itself, with its
pictures. Matches are written as `.jsonl` and `.csv`. Of several tables (`--data hall/*`) each line tells
which, by the name of its folder.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.commands.fault import Fault
from companion.commands.records import add_tables
from companion.commands.terminal import Progress, print_json
from companion.commands.whole_file import write_whole
from companion.config import Options, data_folder
from companion.rules.cards import Player
from companion.rules.hand import ImpossibleEvent

if TYPE_CHECKING:
    from companion.history.hands import PlayedHand
    from companion.history.kept import KeptAnalyses
    from companion.history.matches import PlayedMatch

NAME = "history"
HELP = "the hands that were played: list, find, count up, hand on"


def configure(parser: argparse.ArgumentParser) -> None:
    """Say which arguments there are."""
    add_tables(parser)
    parser.add_argument("--find", default="", metavar="NAME", help="hands of a player, or of part of a name")
    parser.add_argument("--kind", default="", metavar="KIND", help="hands in which this happened: `marriage`")
    parser.add_argument("--since", type=_day, metavar="DAY", help="hands from this day on: 2026-11-22")
    parser.add_argument("--until", type=_day, metavar="DAY", help="hands up to this day")
    parser.add_argument("--hand", type=int, metavar="N", help="the hand with this number alone")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--matches", action="store_true", help="the matches in which they were played")
    what.add_argument("--figures", action="store_true", help="count them up by player")
    parser.add_argument("--judge", action="store_true", help="first work out what is not worked out yet")
    parser.add_argument("--export", type=Path, metavar="FILE", help="write them: .jsonl, .hand, .csv, .html")
    parser.add_argument("--lang", choices=("de", "en"), default="de", help="language of the page")
    parser.add_argument("--json", action="store_true", help="JSON Lines, one a hand, match or player")


def run(options: argparse.Namespace) -> int:
    """Do what is asked for, in the order of the options."""
    from companion.history.kept import KeptAnalyses

    tables = _tables(options.data or [data_folder()])
    played = [hand for table, places in tables.items() for hand in _played(table, places)]
    hands = _wanted(played, options)
    if options.matches:
        return _matches(played, hands, options)
    if not hands:
        _say_none("hand", options)
    if not (options.judge or options.figures or options.export):
        for hand in hands:
            print_json(_line(hand)) if options.json else print(_described(hand))
        return 0
    with ExitStack() as open_until_end:
        kept = {
            table: open_until_end.enter_context(KeptAnalyses(places.analyses))
            for table, places in tables.items()
        }
        if options.judge:
            _judge(hands, kept)
        if options.export is not None:
            _export(hands, options, tables, kept)
        else:
            _figures(hands, kept, options.json)
    return 0


def _tables(folders: Sequence[Path]) -> dict[str, Options]:
    """Return where the records of each table lie, by the name of its folder; one alone needs none."""
    each = list({folder.resolve(): folder for folder in folders}.values())
    if len(each) == 1:
        return {"": Options(data=each[0])}
    names = [folder.resolve().name for folder in each]
    return {
        name if names.count(name) == 1 else str(folder): Options(data=folder)
        for name, folder in zip(names, each, strict=True)
    }


def _played(table: str, places: Options) -> list[PlayedHand]:
    from companion.history.archive import Archive

    with Archive(places.log) as archive:
        return [replace(hand, table=table) for hand in archive.hands()]


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r:.80} is no day, as 2026-11-22 is") from None


def _wanted(hands: Sequence[PlayedHand], options: argparse.Namespace) -> list[PlayedHand]:
    from companion.history.search import KINDS, Wanted

    if options.kind and options.kind not in KINDS:
        raise Fault(f"--kind {options.kind!r:.80} is none of {', '.join(KINDS)}")
    found = Wanted(options.find, options.kind, options.since, options.until).among(hands)
    if options.hand is None:
        return found
    if any(hand.table for hand in hands):
        raise Fault(f"--hand {options.hand}: each table counts its own hands; name one with --data")
    one = [hand for hand in found if hand.number == options.hand]
    if not one:
        raise Fault(f"--hand {options.hand}: there is no such hand among {len(found)}")
    return one


def _judge(hands: Sequence[PlayedHand], kept: Mapping[str, KeptAnalyses]) -> None:
    """Work out the decisions of every hand that nobody has judged yet."""
    from companion.review.report import report

    progress = Progress("hands", len(hands))
    for number, hand in enumerate(hands, 1):
        if hand.fold.award is not None and kept[hand.table].find(hand.analysed) is None:
            try:
                _, *decisions, review = (part.data for part in report(hand.analysed))
            except ImpossibleEvent:
                continue  # it is told as it was written down, and nothing can be worked out of it
            kept[hand.table].keep(hand.analysed, (decisions, review))
        progress.at(number)
    progress.done()


def _matches(played: Sequence[PlayedHand], wanted: Sequence[PlayedHand], options: argparse.Namespace) -> int:
    """Tell the matches in which any of the wanted hands was played."""
    from companion.history.export import MATCH_EXPORTS
    from companion.history.matches import matches_of

    chosen = {(hand.table, hand.number) for hand in wanted}
    matches = [
        each for each in matches_of(played) if any((hand.table, hand.number) in chosen for hand in each.hands)
    ]
    if not matches:
        _say_none("match", options)
    if options.export is None:
        for match in matches:
            print_json(match.to_json()) if options.json else print(_told(match))
        return 0
    path: Path = options.export
    written = MATCH_EXPORTS.get(path.suffix.removeprefix(".").lower())
    if written is None:
        raise Fault(f"{path}: matches are written as .{' or .'.join(MATCH_EXPORTS)}")
    _write(path, written(matches))
    _say_written(options, len(matches), "matches", "match")
    return 0


def _say_none(what: str, options: argparse.Namespace) -> None:
    """Say that nothing was found; a file of before is not replaced by an empty one."""
    if options.export is not None:
        raise Fault(f"{options.export}: there is no such {what}, nothing is written")
    print(f"companion: there is no such {what}", file=sys.stderr)


def _told(played: PlayedMatch) -> str:
    match, names = played.match, _named(played.names)
    south, north = match.shown_points
    outcome = "not decided" if match.winner is None else f"{names[match.winner]} wins"
    owed = ", ".join(f"{names[player]} {match.bummerl_marks[player]}" for player in Player)
    day = "" if played.began is None else played.began.strftime("%Y-%m-%d %H:%M")
    hands = f"{len(played.hands)} hand{'s' if len(played.hands) != 1 else ''}"
    place = f"{_at(played)}match {match.number:>3}  {day:<16}  {' - '.join(names)}"
    return f"{place}: {outcome}, {south} : {north} after {hands}; Bummerl {owed}"


def _at(played: PlayedHand | PlayedMatch) -> str:
    return f"{played.table}  " if played.table else ""


def _named(names: Sequence[str]) -> list[str]:
    return [names[player] or player.name.lower() for player in Player]


def _line(hand: PlayedHand) -> dict[str, Any]:
    from companion.history.form import listed
    from companion.history.search import kinds_of

    return {**listed(hand), "kinds": sorted(kinds_of(hand)), "record": hand.record.to_json()}


def _described(hand: PlayedHand) -> str:
    from companion.rules.record import result_of

    result = result_of(hand.fold.state)
    day = "" if hand.began is None else hand.began.strftime("%Y-%m-%d %H:%M")
    names = _named(hand.names)
    outcome = "not decided" if result.reason == "open" else "nobody scores"
    if result.winner is not None:
        outcome = f"{names[result.winner]} wins {result.game_points}"
    south, north = result.card_points
    why = result.reason.replace("_", " ")
    place = f"{_at(hand)}{hand.number:>4}  {day:<16}  match {hand.match}, hand {hand.hand}"
    counted = "" if hand.fold.noted else f", {south} : {north}"
    return f"{place}: {outcome} ({why}){counted}"


def _figures(hands: Sequence[PlayedHand], kept: Mapping[str, KeptAnalyses], as_json: bool) -> None:
    from companion.history.figures import people_of

    def judged(hand: PlayedHand) -> list[dict[str, Any]] | None:
        found = kept[hand.table].find(hand.analysed)
        return None if found is None else found[0]

    for person in people_of(hands, judged):
        if as_json:
            print_json(person.to_json())
            continue
        seconds, lost = person.seconds_a_play, person.lost_a_decision
        print(
            f"{person.name or person.seat.name.lower()}: {person.won} of {person.hands} hands won,"
            f" {person.game_points} game points;"
            f" {person.matches_won} of {person.matches} matches won, {person.marks} Bummerl\n"
            f"   claims {person.claims} right, {person.wrong_claims} wrong;"
            f" closed {person.closings}, won {person.closings_won};"
            f" marriages {person.marriages}, exchanges {person.exchanges}, revokes {person.revokes}\n"
            f"   a play takes {'-' if seconds is None else f'{seconds:.1f} s'};"
            f" a decision loses {'-' if lost is None else f'{lost:.3f}'} game points"
            f" ({person.decisions} judged)"
        )


def _export(
    hands: Sequence[PlayedHand],
    options: argparse.Namespace,
    tables: Mapping[str, Options],
    kept: Mapping[str, KeptAnalyses],
) -> None:
    from companion.history.export import EXPORTS
    from companion.history.sheet import sheet_of
    from companion.store.album import Album

    path: Path = options.export
    ending = path.suffix.removeprefix(".").lower()
    if ending in EXPORTS:
        text = EXPORTS[ending][0](hands)
    elif ending == "html":
        if len(hands) != 1:
            raise Fault(f"{path}: a page holds one hand, not {len(hands)}; --hand chooses it")
        found = kept[hands[0].table].find(hands[0].analysed)
        with Album(tables[hands[0].table].stills) as album:
            review = None if found is None else found[1]
            try:
                text = sheet_of(hands[0], options.lang, review=review, picture=album.picture)
            except ImpossibleEvent as error:
                raise Fault(f"--hand {hands[0].number}: it cannot be told: {error}") from error
    else:
        raise Fault(f"{path}: hands are written as .{', .'.join(EXPORTS)} or .html")
    _write(path, text)
    _say_written(options, len(hands), "hands", "hand")


def _say_written(options: argparse.Namespace, count: int, things: str, one: str) -> None:
    if options.json:
        print_json({"file": str(options.export), things: count})
    else:
        print(f"{count} {one if count == 1 else things} in {options.export}")


def _write(path: Path, text: str) -> None:
    try:
        write_whole(path, text.encode())
    except OSError as error:
        raise Fault(f"{path}: {error.strerror or error}") from error
