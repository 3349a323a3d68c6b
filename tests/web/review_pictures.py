"""Make the pictures of reviews, practice and figures for the docs, in a real browser.

    companion serve --camera fixtures/demo/table.mp4 --data DATA       # until the recording has ended
    PYTHONPATH=.:tests:tests/web python tests/web/review_pictures.py docs DATA

Writes `review-phone.png` (390x844) and `review-desk.png` (1280x800) of a hand with a bad closing,
`practice-phone.png` of the same moment as a puzzle, `figures-desk.png` of the hands of `tests/review`, and of
the recording `review-still.png` (a step with the camera's picture) and `hand-page.png` (its hand as a page).
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urljoin

from browsing import House, Phone
from conftest import FLAGS
from playwright.sync_api import Page, sync_playwright
from scripted_table import timed
from test_review_page import SIZES, AtHand, planted, recorded

from companion.commands.sitting import sit_down
from companion.config import Options


def judged(page: Page) -> None:
    """Wait until the analysis of the hand that is shown is complete."""
    page.wait_for_selector("#told progress", state="detached", timeout=120_000)


def bad_closing(page: Page, address: str) -> None:
    """The moment of the mistake, with what each action promised."""
    judged(page)
    page.locator("#told li button").first.click()
    page.wait_for_selector("#choice li")


def practice(page: Page, address: str) -> None:
    """The same moment as a puzzle, answered."""
    bad_closing(page, address)
    page.locator("#choice a").click()
    page.locator("#board button.play").last.click()
    page.wait_for_selector("#answer .actions")


def figures(page: Page, address: str) -> None:
    """Figures of all hands, with both plots."""
    page.goto(f"{address}/figures.html")
    page.wait_for_selector(".figures")
    if page.locator("#go").is_visible():
        page.locator("#go").click()
    page.locator("#judge").wait_for(state="hidden", timeout=300_000)
    page.evaluate("scrollTo(0, 0)")


SHOTS: dict[str, Callable[[Page, str], None]] = {
    "review-phone": bad_closing,
    "review-desk": bad_closing,
    "practice-phone": practice,
    "figures-desk": figures,
}


def of_many(chromium, folder: Path) -> None:
    """Pictures of a table with the hands of `tests/review`, the bad closing the last."""
    hands = [*(event for hand in recorded("perfect.hand") for event in hand)]
    hands += [event for hand in recorded("planted.hand") for event in hand]
    hands += planted(6)
    house = House(Path(tempfile.mkdtemp()), timed(hands, step=2.0), reviews=AtHand())
    house.see(2 * len(hands) + 1.0)
    house.reviews.go.set()
    for name, shot in SHOTS.items():
        phone = Phone(chromium, house, viewport=SIZES[name.rpartition("-")[2]])
        phone.page.goto(f"{house.address}/review.html")
        phone.page.locator(".book a").first.click()
        phone.page.wait_for_selector("#board .side")
        shot(phone.page, house.address)
        phone.page.screenshot(path=folder / f"{name}.png")
        phone.context.close()
    house.close()


def of_the_recording(chromium, folder: Path, data: Path) -> None:
    """Pictures of the recording that a data folder holds."""
    with sit_down(Options(host="127.0.0.1", port=0, data=data)) as sitting:
        context = chromium.new_context(viewport=SIZES["phone"], locale="de")
        page = context.new_page()
        page.goto(sitting.link)
        page.wait_for_selector("#players article")
        page.goto(urljoin(sitting.link, "/review.html#1"))
        page.wait_for_selector("#seen img")
        judged(page)
        for _ in range(5):
            page.locator("#later").click()
        page.wait_for_timeout(500)
        page.screenshot(path=folder / "review-still.png")
        page.goto(urljoin(sitting.link, "/api/history/1.html?lang=de"))
        page.set_viewport_size({"width": 720, "height": 800})
        page.screenshot(path=folder / "hand-page.png", full_page=True)
        context.close()


def main(folder: Path, data: Path) -> None:
    """Write all of them."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=browser, args=list(FLAGS))
        of_many(chromium, folder)
        of_the_recording(chromium, folder, data)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
