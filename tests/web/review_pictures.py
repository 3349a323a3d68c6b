"""Make the pictures of the review page for the docs, from a hand with a bad closing, in a real browser.

    PYTHONPATH=.:tests:tests/web python tests/web/review_pictures.py docs

Writes `review-phone.png` (390x844) and `review-desk.png` (1280x800).
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from browsing import House, Phone
from conftest import FLAGS
from playwright.sync_api import sync_playwright
from scripted_table import timed
from test_review_page import SIZES, AtHand, planted, to_review


def main(folder: Path) -> None:
    """Write both pictures."""
    hand = planted(6)
    house = House(Path(tempfile.mkdtemp()), timed(hand), reviews=AtHand())
    house.see(len(hand) + 1.0)
    house.reviews.go.set()
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=browser, args=list(FLAGS))
        for size in SIZES:
            device = Phone(chromium, house, viewport=SIZES[size])
            to_review(device)
            device.page.wait_for_selector("#told progress", state="detached")
            device.page.locator("#told li button").first.click()
            device.page.wait_for_selector("#choice li")
            device.page.screenshot(path=folder / f"review-{size}.png")
            device.context.close()
    house.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
