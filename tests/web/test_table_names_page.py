"""Tables that are called something: of which one a page is, where several are open beside each other."""

from __future__ import annotations

from pathlib import Path

import pytest
from browsing import fits
from scripted_table import HAND, timed
from staged_optics import StagedOptics
from test_review_page import AtHand

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("name", ["sheet", "setup", "review", "figures"])
def test_the_pages_beside_a_table_say_which_it_is(open_house, open_phone, tmp_path: Path, name: str) -> None:
    """A referee has the pages of several tables open, and all had one title; a long name has room."""
    called = "Stüberl hinten am Balkon"
    house = open_house(timed(HAND), called=called, reviews=AtHand(), optics=StagedOptics(tmp_path, {}))
    phone = open_phone(house, owner=True, ready="#title", viewport={"width": 320, "height": 568})
    phone.page.goto(f"{house.address}/{name}.html")
    phone.shows("#title", f"^{called} · .")
    assert phone.page.title() == phone.page.locator("#title").inner_text()
    assert fits(phone.page)
