"""Learn a pack of cards from pictures of it, list the packs learnt, or forget one.

`deck enrol NAME SOURCE`: SOURCE is a folder of photos named by card (KH.jpg; several: KH_2.jpg), a
video, or a camera's index or URL. In a video, and before a camera, the cards are laid down one after
another, each alone or on the one before, in this order: hearts, diamonds (bells), clubs (acorns),
spades (leaves), of each ace, ten, king, queen (Ober), jack (Unter). Before a camera each is asked for.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from os.path import isdir
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.arguments import add_threads
from companion.commands.records import add_data
from companion.commands.terminal import Progress, print_json, say_lost
from companion.config import asset, data_folder
from companion.rules.cards import PACK_24
from companion.table.detection import CLASSES
from companion.vision.fault import DeckError, SourceError

if TYPE_CHECKING:
    from companion.table.detection import Detection
    from companion.vision.deck import Deck
    from companion.vision.detector import CardDetector
    from companion.vision.enrolment import EnrolledClassifier
    from companion.vision.showing import Showing

NAME = "deck"
HELP = "learn a pack of cards, list the packs learnt, forget one"

_FILE = re.compile(r"([ATKQJ9][HDCS])(?:[_-].*)?", re.IGNORECASE)
_SUITS = {"H": "hearts", "D": "diamonds/bells", "C": "clubs/acorns", "S": "spades/leaves"}
_RANKS = {"A": "ace", "T": "ten", "K": "king", "Q": "queen/Ober", "J": "jack/Unter", "9": "nine"}
_SURE = 0.95
_NAMED = 3
"""So many of the photos that are left out are named."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Say which arguments there are."""
    todo = parser.add_subparsers(dest="todo", required=True, metavar="enrol | list | forget")
    enrol = todo.add_parser("enrol", help="learn a pack from photos, a video, or the camera")
    enrol.add_argument("name", metavar="NAME", help="of the deck: letters, digits, - and _")
    enrol.add_argument("source", metavar="SOURCE", help="folder of photos, video, camera index, or URL")
    enrol.add_argument("--nines", action="store_true", help="a pack of twenty-four: the nines are shown too")
    add_threads(enrol, 1)
    every = [enrol, todo.add_parser("list", help="name the packs learnt")]
    forget = todo.add_parser("forget", help="remove a pack that was learnt")
    forget.add_argument("name", metavar="NAME")
    for each in (*every, forget):
        each.add_argument("--json", action="store_true", help="JSON Lines, one a deck")
        add_data(each, "folder that keeps the decks", data_folder())


def add_deck(parser: argparse.ArgumentParser) -> None:
    """Let a command that reads cards be told which pack lies on the table."""
    parser.add_argument("--deck", metavar="NAME", help="the pack, where it was enrolled (companion deck)")


def chosen_deck(name: str | None, data: Path | None) -> Deck | None:
    """The deck that a command was told of, from its data folder or the usual one; `None`: any pack.

    Raises:
        DeckError: There is none of that name, or it cannot be read.
    """
    if name is None:
        return None
    from companion.vision.deck import DECKS, read_deck

    return read_deck((data or data_folder()) / DECKS, name)


def run(options: argparse.Namespace) -> int:
    """Do what was asked."""
    from companion.vision.deck import DECKS, remove_deck

    folder = options.data / DECKS
    if options.todo == "enrol":
        _enrol(options, folder)
    elif options.todo == "forget":
        remove_deck(folder, options.name)
        _print({"deck": options.name, "forgotten": True}, f"{options.name}: forgotten", options)
    else:
        return _list(options, folder)
    return 0


def _list(options: argparse.Namespace, folder: Path) -> int:
    """Name the packs learnt; one that cannot be read hides none of the others."""
    from companion.vision.deck import deck_names, read_deck

    faults, names = 0, deck_names(folder)
    if not names:
        print(f"companion: no pack is learnt in {folder}", file=sys.stderr)
    for name in names:
        try:
            deck = read_deck(folder, name)
        except DeckError as error:
            print(f"companion: {error}", file=sys.stderr)
            faults += 1
        else:
            _print({"deck": name, "cards": list(deck.cards)}, f"{name}: {len(deck.cards)} cards", options)
    return 2 if faults else 0


def _enrol(options: argparse.Namespace, folder: Path) -> None:
    from companion.vision.classify import Classifier
    from companion.vision.deck import Deck, check_place, deck_name, write_deck
    from companion.vision.detector import PHOTO_SIDES, CardDetector
    from companion.vision.enrolment import EnrolledClassifier

    deck_name(options.name)  # before twenty cards have been laid down for nothing
    check_place(folder)
    detector = CardDetector(asset("models"), threads=options.threads, sides=PHOTO_SIDES)
    photos = isdir(options.source)  # as a path an empty text would be the folder one is in
    taken = _photos(detector, Path(options.source)) if photos else _shown(detector, options)
    crops: dict[str, list[Any]] = {}
    for card, found in taken:
        crops.setdefault(card, []).extend(found)
    deck = Deck(options.name, {card: tuple(each) for card, each in crops.items()})
    if missing := deck.missing(options.nines):
        raise DeckError(f"deck {deck.name}: not shown: {' '.join(missing)}")
    known = EnrolledClassifier(Classifier(asset("models"), threads=options.threads), deck)
    write_deck(folder, deck)
    told = {
        "deck": deck.name,
        "cards": list(deck.cards),
        "pictures": sum(len(each) for each in deck.crops.values()),
        "known_already": round(known.trust, 3),
        "alike": [list(pair) for pair in known.alike],
    }
    _print(told, _described(deck, known), options)


def _described(deck: Deck, known: EnrolledClassifier) -> str:
    lines = [f"{deck.name}: {len(deck.cards)} cards learnt; use it with --deck {deck.name}"]
    if known.alike:
        pairs = ", ".join(f"{one} and {two}" for one, two in known.alike)
        lines.append(f"hard to tell apart: {pairs}; show these again in better light, larger in the picture")
    return "\n".join(lines)


def _photos(detector: CardDetector, folder: Path) -> Iterator[tuple[str, list[Any]]]:
    from companion.vision.picture import pictures_in, read_picture
    from companion.vision.rectify import rectify
    from companion.vision.showing import the_card

    there = pictures_in(folder)
    paths = [path for path in there if _FILE.fullmatch(path.stem)]
    if not paths:
        raise DeckError(f"{folder}: no photo in it is named by a card, as KH.jpg or KH_2.jpg")
    if others := [path.name for path in there if path not in paths]:
        more = f" and {len(others) - _NAMED} more" if len(others) > _NAMED else ""
        left = f"left out, not named by a card as KH.jpg or KH_2.jpg: {', '.join(others[:_NAMED])}{more}"
        print(f"companion: {folder}: {left}", file=sys.stderr)
    progress = Progress("photos", len(paths))
    for number, path in enumerate(paths, 1):
        named = _FILE.fullmatch(path.stem)
        try:
            bgr = read_picture(path)
            card = the_card(detector, bgr)
        except (DeckError, SourceError) as error:
            raise DeckError(f"{path}: {error}" if isinstance(error, DeckError) else str(error)) from error
        if named is None or card is None:
            raise DeckError(f"{path}: no card is to be seen")
        wanted = named[1].upper()
        _warn(wanted, card, str(path))
        yield wanted, [rectify(bgr, card.corners)]
        progress.at(number)
    progress.done()


def _shown(detector: CardDetector, options: argparse.Namespace) -> Iterator[tuple[str, list[Any]]]:
    """The cards of a video or a camera, in the order in which they are asked for."""
    from companion.vision.showing import showings
    from companion.vision.source import is_live, open_source

    order = [str(card) for card in PACK_24 if options.nines or card.rank.letter != "9"]
    live = is_live(options.source)
    found: list[Showing] = []
    with open_source(options.source, say_lost) as source:
        _ask(order, 0, live)
        for showing in showings(detector, source):
            if len(found) < len(order):
                _warn(order[len(found)], showing.seen, f"{options.source}, {showing.time:.1f} s")
            found.append(showing)
            _ask(order, len(found), live)
            if live and len(found) == len(order):
                break
    if len(found) != len(order):
        times = " ".join(f"{each.time:.1f}" for each in found)
        raise DeckError(
            f"{options.source}: {len(found)} cards were laid down, {len(order)} are wanted"
            + (f"; seen at {times} s" if found else "")
        )
    for card, showing in zip(order, found, strict=True):
        yield card, list(showing.crops)


def _ask(order: list[str], number: int, live: bool) -> None:
    if live and number < len(order):
        card = order[number]
        print(
            f"{number + 1}/{len(order)}: lay down the {_RANKS[card[0]]} of {_SUITS[card[1]]} ({card})",
            file=sys.stderr,
            flush=True,
        )


def _warn(wanted: str, seen: Detection, where: str) -> None:
    best = CLASSES[seen.best]
    if best not in (wanted, "unknown") and seen.confidence >= _SURE:
        print(f"companion: {where}: is that the {wanted}? it looks like {best}", file=sys.stderr)


def _print(line: dict[str, Any], text: str, options: argparse.Namespace) -> None:
    print_json(line) if options.json else print(text, flush=True)
