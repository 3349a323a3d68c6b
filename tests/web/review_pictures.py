"""Make the pictures of the review page for the docs, from a hand with a bad closing, in a real browser.

    PYTHONPATH=.:tests:tests/web python tests/web/review_pictures.py docs

Writes `review-phone.png` (390x844) and `review-desk.png` (1280x800).
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from conftest import FLAGS
from playwright.sync_api import sync_playwright
from test_review_page import SIZES, House, Page, planted


def main(folder: Path) -> None:
    """Write both pictures."""
    house = House(Path(tempfile.mkdtemp()), planted(6))
    house.reviews.go.set()
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=browser, args=list(FLAGS))
        for size in SIZES:
            device = Page(chromium, house, size)
            device.to_review()
            device.page.wait_for_selector("#told progress", state="detached")
            device.page.locator("#told li button").first.click()
            device.page.wait_for_selector("#choice li")
            device.page.screenshot(path=folder / f"review-{size}.png")
            device.context.close()
    house.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
