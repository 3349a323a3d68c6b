"""The fuzzer's corpus, and every text a few bytes away from it, replayed."""

from __future__ import annotations

import json
import random
from copy import deepcopy
from pathlib import Path

import pytest

from tests.fuzz.records import check

CORPUS = sorted((Path(__file__).parent / "corpus").iterdir())
PIECES = (
    *(bytes([byte]) for byte in b'\x00\n "{}[]:,.#?-|=_09AKHS\xff'),
    b'"', b"null", b"1e999", b"NaN", b"-1", b"99999999999999999999", b"\\ud800", b"\xe2\x80\xa8",
    b"\xef\xbb\xbf",
    b"undo ", b"hand ", b"match ", b"rules ", b"end ", b"S:", b"claim ", b"\n.hand 2\n",
)  # fmt: skip


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name)
def test_a_text_of_the_corpus_is_read_or_refused_by_its_place(path: Path) -> None:
    """Examples of every form, and whatever once broke a reader."""
    check(path.read_bytes())


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name)
def test_a_damaged_text_is_read_or_refused_by_its_place(path: Path) -> None:
    """Cut, doubled, moved or overwritten in a few places: no reader fails in a way of its own."""
    rng = random.Random(path.name)
    whole = path.read_bytes()
    for _ in range(60):
        data = bytearray(whole)
        for _ in range(rng.randint(1, 4)):
            at, to = sorted(rng.randrange(len(data) + 1) for _ in range(2))
            match rng.randrange(4):
                case 0:
                    del data[at : min(to, at + 40)]
                case 1:
                    data[at:at] = data[at : min(to, at + 200)]
                case 2:
                    data[at:at] = rng.choice(PIECES)
                case _:
                    data[at : at + 1] = rng.choice(PIECES)
        check(bytes(data))


VALUES: tuple[object, ...] = (
    None, True, 0, -1, 2, 1.5, 1e308, 10**30, "", "KH", "9S", "H", "claim", "unfinished", "x" * 3000,
    "\ud800",
    [], [[]], ["KH"], [0, 0], [3, 2], {}, {"type": "play"}, {"preset": []}, [None] * 300,
)  # fmt: skip


def places(value: object) -> list[tuple[object, object]]:
    """Every container in a JSON value with each of its keys or indices."""
    found: list[tuple[object, object]] = []
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            found += [(value, key), *places(value[key])]
    return found


@pytest.mark.parametrize(
    "path", [path for path in CORPUS if path.suffix == ".json"], ids=lambda path: path.name
)
def test_any_value_may_stand_in_any_place(path: Path) -> None:
    """Fields of the wrong kind, left out or of other records: refused by their place, or read as they are."""
    rng = random.Random(path.name)
    for _ in range(150):
        whole = json.loads(path.read_text())
        for _ in range(rng.randint(1, 2)):
            container, key = rng.choice(places(whole) or [({}, None)])
            if key is None:
                break
            if rng.random() < 0.2:
                del container[key]
            elif rng.random() < 0.2 and isinstance(container, dict):
                container[rng.choice(("version", "rules", "player", "extra"))] = deepcopy(rng.choice(VALUES))
            else:
                container[key] = deepcopy(rng.choice(VALUES))
        check(json.dumps(whole).encode())


def test_the_check_notices_an_error_without_a_place() -> None:
    """A reader that says only that something is wrong would be found."""
    from tests.fuzz.records import PLACE, _told

    with pytest.raises(ValueError, match="does not name its place"):
        _told(ValueError("something is wrong"), PLACE)
