"""Stills of what happened: of the right card, at the right time, wherever the camera was."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from scripted_table import ScriptedDecoders, view_at

from companion.live.witness import NEXT_TO_S, SeenReader, Witness
from companion.rules.cards import PACK_24, Card, Player
from companion.rules.events import CardPlayed, Claimed, Dealt
from companion.store.album import Album
from companion.table.detection import CLASSES, Frame, Motion, Reading
from companion.table.observation import Observation, Phase, TableView
from companion.vision.still import STILL_SIZE, still

SIZE = (1280, 720)
KING, ACE = Card.parse("KH"), Card.parse("AS")
SHIFT = np.array([[1.0, 0.0, 200.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])


def corners(x: float, y: float) -> np.ndarray:
    """A card of 100 by 150 pixels."""
    return np.array([[x, y], [x + 100, y], [x + 100, y + 150], [x, y + 150]], np.float32)


def lying(track: int, card: Card, since: float, x: float, y: float) -> Observation:
    """A card that lies there since a time."""
    log_p = np.full(len(CLASSES), -8.0, np.float32)
    log_p[PACK_24.index(card)] = -0.05
    log_p[PACK_24.index(Card.parse("QH"))] = -3.0
    return Observation(track, corners(x, y), log_p, Phase.STILL, since, since, since + 1.0)


def picture(*patches: tuple[float, float, tuple[int, int, int]]) -> np.ndarray:
    """A green table with coloured cards."""
    bgr = np.full((SIZE[1], SIZE[0], 3), (40, 90, 40), np.uint8)
    for x, y, colour in patches:
        cv2.rectangle(bgr, (int(x), int(y)), (int(x) + 100, int(y) + 150), colour, -1)
    return bgr


def middle(jpeg: bytes) -> np.ndarray:
    """The colour in the middle of a still."""
    bgr = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert bgr.shape == (STILL_SIZE[1], STILL_SIZE[0], 3)
    h, w = bgr.shape[:2]
    return bgr[h // 2 - 10 : h // 2 + 10, w // 2 - 10 : w // 2 + 10].reshape(-1, 3).mean(axis=0)


def view(time: float, *cards: Observation) -> TableView:
    """What lies there, with nothing moving."""
    return TableView(time, SIZE, cards, False, False, True)


@pytest.fixture
def album(tmp_path):
    """An empty album."""
    with Album(tmp_path / "stills.sqlite", spare_bytes=0) as opened:
        yield opened


def test_the_still_of_a_play_shows_its_card_and_what_it_looked_like(album: Album) -> None:
    """Of two cards on the table each event gets its own, by when it came to rest."""
    witness = Witness(album)
    bgr = picture((300, 300, (0, 0, 220)), (700, 300, (220, 0, 0)))
    king, ace = lying(1, KING, 1.0, 300, 300), lying(2, ACE, 2.0, 700, 300)
    for time, cards in ((1.2, (king,)), (2.2, (king, ace)), (2.4, (king, ace))):
        witness.frame(Frame(bgr, time, 0))
        witness.saw(view(time, *cards))
    witness.keep(1.0, CardPlayed(Player.SOUTH, KING))
    witness.keep(2.0, CardPlayed(Player.NORTH, ACE))
    assert middle(album.picture(1.0))[2] > 180
    assert middle(album.picture(2.0))[0] > 180
    assert max(album.looks(1.0), key=album.looks(1.0).get) == KING
    assert Card.parse("QH") in album.looks(1.0)


def test_a_card_is_cut_out_where_it_is_in_the_picture_after_the_camera_moved(album: Album) -> None:
    """Places are the table's; the picture of a camera that was pushed shows the card elsewhere."""
    witness = Witness(album)
    bgr = picture((300, 300, (0, 0, 220)))

    class Moved:
        def read(self, frame: Frame) -> Reading:
            motion = Motion(np.zeros((45, 80), bool), 0.0, 0.0)
            return Reading(frame.time, SIZE, (), motion, to_table=SHIFT)

    reader = SeenReader(Moved(), witness)
    for time in (1.2, 1.4):
        reader.read(Frame(bgr, time, 0))
        witness.saw(view(time, lying(1, KING, 1.0, 500, 300)))
    witness.keep(1.0, CardPlayed(Player.SOUTH, KING))
    assert middle(album.picture(1.0))[2] > 180


def test_what_no_card_brought_about_is_shown_by_the_whole_table(album: Album) -> None:
    """A claim has the table as it was then; without any picture nothing is kept."""
    witness = Witness(album)
    witness.keep(0.5, Claimed(Player.SOUTH))
    assert album.picture(0.5) is None
    for time in (1.0, 2.5, 4.0):
        witness.frame(Frame(picture((640, 360, (0, 0, 60 * int(time)))), time, 0))
        witness.saw(view(time))
    witness.keep(3.9, Claimed(Player.SOUTH))
    assert album.picture(3.9) is not None
    assert album.looks(3.9) is None


def test_a_claim_while_the_camera_is_away_has_no_picture(album: Album) -> None:
    """The last one shows the table of long ago, of another hand perhaps, and counted as what happened."""
    witness = Witness(album)
    witness.frame(Frame(picture(), 4.0, 0))
    witness.saw(view(4.0))
    witness.keep(4.0 + NEXT_TO_S - 0.1, Claimed(Player.SOUTH))
    witness.keep(604.0, Claimed(Player.SOUTH))
    assert album.has(4.0 + NEXT_TO_S - 0.1)
    assert not album.has(604.0)


@pytest.mark.parametrize(("later_s", "shown"), [(3.0, True), (90.0, False)])
def test_a_card_that_was_taken_up_is_shown_as_it_lay_only_a_moment_before(
    album: Album, later_s: float, shown: bool
) -> None:
    """As the king that lay beside its queen; the card of minutes ago was played in another hand."""
    witness = Witness(album)
    for time in (1.2, 1.4):
        witness.frame(Frame(picture((300, 300, (0, 0, 220))), time, 0))
        witness.saw(view(time, lying(1, KING, 1.0, 300, 300)))
    witness.frame(Frame(picture(), 1.0 + later_s, 0))
    witness.saw(view(1.0 + later_s))
    witness.keep(1.0 + later_s, CardPlayed(Player.SOUTH, KING))
    assert (album.looks(1.0 + later_s) is not None) == shown
    assert (middle(album.picture(1.0 + later_s))[2] > 180) == shown


def test_the_table_asks_its_witness_to_keep_what_it_writes_down(open_table, album: Album) -> None:
    """Every event that is settled from the camera has its picture; a witness that fails disturbs nothing."""
    script = [(1.0, Dealt(Player.SOUTH, KING)), (2.0, CardPlayed(Player.NORTH, ACE))]

    class Failing(Witness):
        def saw(self, view: TableView) -> None:
            super().saw(view)
            raise ValueError("no picture")

    witness = Failing(album)
    table = open_table(decoders=ScriptedDecoders(script), witness=witness)
    for time in (1.2, 2.2):
        witness.frame(Frame(picture(), time, 0))
        table.see(view_at(time))
    assert [entry.event for entry in table.standing().hand.events] == [event for _, event in script]
    assert album.has(1.0)
    assert album.has(2.0)


def test_a_still_of_a_card_at_the_edge_stays_within_the_picture() -> None:
    """However near the edge, turned or large a card is, the still has its size and shows the card."""
    bgr = picture((0, 0, (0, 0, 220)))
    assert len(still(bgr, corners(0, 0))) < 40_000
    turned = np.roll(corners(0, 0), 1, axis=0)
    for each in (corners(0, 0), turned, corners(1180, 570), corners(-40, -60)):
        shown = cv2.imdecode(np.frombuffer(still(bgr, each), np.uint8), cv2.IMREAD_COLOR)
        assert shown.shape == (STILL_SIZE[1], STILL_SIZE[0], 3)
