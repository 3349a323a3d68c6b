"""The fuzzer's corpus, and every text a few bytes away from it, replayed."""

from __future__ import annotations

import random
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


def test_the_check_notices_an_error_without_a_place() -> None:
    """A reader that says only that something is wrong would be found."""
    from tests.fuzz.records import PLACE, _told

    with pytest.raises(ValueError, match="does not name its place"):
        _told(ValueError("something is wrong"), PLACE)
