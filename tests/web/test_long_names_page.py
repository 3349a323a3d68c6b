"""Names as long as they may be: what stands beside them can still be read, on phones and on the wall."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from browsing import House, Phone, expect, fits
from scripted_table import HAND, timed
from test_review_page import AtHand

from companion.live.command import NewMatch
from companion.live.snapshot import Role

pytestmark = pytest.mark.browser

LONG = ("Wolfgang-Maximilian Öttl", "Großmutter Kreszentia Ü.")
BLIND = "it => { it.hidden = false; it.textContent = 'Die Kamera sieht den Tisch nicht.'; }"
OUT = "all => all.filter((it) => it.scrollWidth > it.clientWidth + 1).map((it) => it.textContent)"
LINES = """all => all.map((it) => {
  const words = document.createRange();
  words.selectNodeContents(it);
  return new Set([...words.getClientRects()].map((each) => each.top)).size;
})"""


@pytest.fixture
def house(open_house) -> House:
    """A table at which two with long names have played a hand but for its claim."""
    opened = open_house(timed(HAND), reviews=AtHand())
    opened.table.submit(NewMatch(names=LONG))
    opened.see(len(HAND) - 0.5)
    return opened


@pytest.mark.parametrize("width", [320, 390])
def test_reviews_and_figures_can_be_read_on_a_phone(open_phone, house: House, width: int) -> None:
    """No name sticks out, the step tells its card, and what is counted stands in words, not in syllables."""
    house.see(len(HAND) + 1.0)
    page = open_phone(viewport={"width": width, "height": 740}, choices={"faces": "german"}).page
    page.goto(f"{house.address}/review.html#1.1")
    page.wait_for_selector("#board .side")
    for _ in range(3):  # a marriage, and the first trick
        page.click("#later")
    expect(page.locator(".taker")).to_contain_text("sticht")
    assert page.locator("#caption, .middle, .taker").evaluate_all(OUT) == []
    page.goto(f"{house.address}/figures.html")
    page.wait_for_selector(".figures tbody th")
    assert max(page.locator(".figures tbody th").evaluate_all(LINES)) <= 2
    assert fits(page)


@pytest.mark.parametrize("width", [320, 360, 390])
def test_the_figures_of_two_stand_side_by_side(open_phone, house: House, width: int) -> None:
    """The last digit of the second player was cut off, and nothing said that it could be scrolled to."""
    house.table.submit(NewMatch(names=("Huber Sepp", "Huber Franz"), clear_marks=True))
    house.see(2 * len(HAND))
    phone: Phone = open_phone(viewport={"width": width, "height": 740})
    phone.page.goto(f"{house.address}/figures.html?find=huber")
    phone.shows(".figures thead th", "Huber")
    assert phone.page.locator(".scroll").evaluate_all(OUT) == []


@pytest.mark.parametrize("width", [320, 360, 390])
def test_of_the_third_line_of_a_name_nothing_is_seen(open_phone, house: House, width: int) -> None:
    """The dots of its first letter stood below the second, as if they were of nothing."""
    page = open_phone(viewport={"width": width, "height": 740}).page
    name = page.locator("#players h2").first
    expect(name).to_have_text(LONG[0])
    shot = cv2.imdecode(np.frombuffer(name.screenshot(), np.uint8), cv2.IMREAD_GRAYSCALE)
    assert np.ptp(shot[-3:]) < 10


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (1080, 1920)])
@pytest.mark.parametrize("blind", [False, True])
def test_all_of_a_hand_stands_on_the_wall(open_phone, house: House, size: tuple, blind: bool) -> None:
    """Nobody scrolls there: cards make room for long names, and stay cards where a warning stands above."""
    board: Phone = open_phone(role=Role.BOARD, viewport={"width": size[0], "height": size[1]})
    page = board.page
    if blind:
        page.locator("#banner").evaluate(BLIND)
    page.wait_for_timeout(50)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert page.locator(".slot .card").first.bounding_box()["height"] > size[1] / 10
    expect(page.locator(".pile")).to_be_visible()
