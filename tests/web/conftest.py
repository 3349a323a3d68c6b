"""A Chromium to look at the page with; without one these tests are skipped, and say so."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


@pytest.fixture(scope="session")
def chromium() -> Iterator:
    """A headless Chromium of this machine."""
    playwright = pytest.importorskip("playwright.sync_api")
    names = (os.environ.get("COMPANION_CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome")
    found = next((path for path in map(shutil.which, filter(None, names)) if path), None)
    if found is None:
        pytest.skip("no Chromium on this machine (apt-get install chromium)")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=list(FLAGS))
        yield browser
        browser.close()
