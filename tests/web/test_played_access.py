"""The pages of played hands for everybody: nothing serious is found, all can be read and touched."""

from __future__ import annotations

import pytest
from browsing import faults, serious
from played_log import HAND, Told
from scripted_table import timed

pytestmark = pytest.mark.browser


class Judged(Told):
    """Reviews in which every player has decided once."""

    def decisions(self, record) -> list[dict]:
        """One each."""
        return [{"player": 0, "loss": 0.5}, {"player": 1, "loss": 0.0}]

    def failed(self, record) -> bool:
        """Nothing is broken off."""
        return False


@pytest.mark.parametrize(("theme", "width", "language"), [("dark", 390, "de"), ("light", 320, "en")])
def test_nothing_serious_is_found(open_house, open_phone, theme: str, width: int, language: str) -> None:
    """List, review, puzzle and its answer, a position, figures: in both themes, on a narrow phone too."""
    house = open_house(timed([*HAND, *HAND]), reviews=Judged())
    house.see(2 * len(HAND) + 1.0)
    size = {"width": width, "height": 844}
    phone = open_phone(
        house, color_scheme=theme, choices={"theme": theme, "language": language}, viewport=size
    )
    page, found = phone.page, []

    def check(address: str, wait: str, touch: str = "") -> None:
        if address:
            page.goto(f"{house.address}/{address}")
        if touch:
            page.locator(touch).first.click()
        page.locator(wait).first.wait_for()
        where = f"{address or touch} at {width}"
        found.extend([*serious(page, where), *faults(page, where)])

    check("review.html", ".finding", "#find summary")
    check("", ".taking a", ".taking summary")
    check("review.html#1", "#board .side")
    check("", "#course li", "#course summary")
    check("practice.html#1.6", "#board button.play")
    check("", "#answer .actions", "#board button.play")
    check("practice.html#set", "#setting .cards")
    page.locator("[name=closed]").select_option("0")
    check("", "[name=then]", "[data-card=AH]")
    check("figures.html", "#won svg")
    assert found == []
