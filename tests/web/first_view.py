"""How much the table page weighs, and when it shows the table on a slow phone: a line of JSON each.

    PYTHONPATH=.:tests python tests/web/first_view.py [RUNS]

The phone is a Chromium whose processor is slowed down four times, without anything kept from before, on a
network of 20 Mbit/s with 10 ms there and back. The view counts as there when both players' names, the card
turned up and the points have been painted. How fast this machine is just now is told by a page with one word
on it, opened in the same way before each view. The sheets come after the view and are counted by themselves.
Chromium's slowed network now and then delivers nothing at all, with the server idle; such a view is counted.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from pathlib import Path

from browsing import FLAGS, PHONE, House, chromium_path
from paired import cookie_of
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from playwright.sync_api import TimeoutError as TooLateError
from scripted_table import PLAYED, timed

Sizes = dict[str, tuple[int, int]]
"""Of each file its bytes as sent, and unpacked."""

SLOWER = 4
NETWORK = {"offline": False, "latency": 10, "downloadThroughput": 2_500_000, "uploadThroughput": 1_250_000}
SEEN = """
window.seen = new Promise((tell) => {
  const there = () => document.querySelectorAll('#players .total strong').length === 2
    && document.querySelector('#talon svg');
  const look = () => {
    if (there()) setTimeout(() => tell(performance.now())); // after this frame is painted
    else requestAnimationFrame(look);
  };
  look();
});
"""
WORD = "data:text/html,<p>Schnapsen"
WORD_SEEN = """
window.seen = new Promise((tell) => requestAnimationFrame(() => setTimeout(() => tell(performance.now()))));
"""
FILES = """(last) => performance.getEntries()
  .filter((each) => ['navigation', 'resource'].includes(each.entryType))
  .filter((each) => !each.name.includes('/api/') && each.startTime <= last)
  .map((each) => [each.name, [each.encodedBodySize, each.decodedBodySize]])"""


def slow_phone(browser: Browser, script: str, house: House | None = None) -> tuple[BrowserContext, Page]:
    """A phone that has kept nothing, paired with `house`; `script` runs before the page's own."""
    context = browser.new_context(viewport=PHONE)
    if house is not None:
        name, _, value = cookie_of(house.pairing).partition("=")
        context.add_cookies([{"name": name, "value": value, "url": house.address}])
    context.add_init_script(script)
    page = context.new_page()
    wire = context.new_cdp_session(page)
    wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    wire.send("Network.enable")
    wire.send("Network.emulateNetworkConditions", NETWORK)
    return context, page


def one_word(browser: Browser) -> float:
    """Milliseconds until a page with one word on it is seen."""
    context, page = slow_phone(browser, WORD_SEEN)
    page.goto(WORD)
    shown = float(page.evaluate("window.seen"))
    context.close()
    return shown


def first_view(browser: Browser, house: House) -> tuple[float, list[Sizes]]:
    """Milliseconds from the request until the table is seen, what was loaded for it, what until 2 s later."""
    context, page = slow_phone(browser, SEEN, house)
    page.goto(f"{house.address}/")
    shown = float(page.evaluate("window.seen"))
    page.wait_for_timeout(2000)
    loaded = [dict(page.evaluate(FILES, last)) for last in (shown, shown + 2000)]
    context.close()
    return shown, loaded


def weight(name: str, loaded: Sizes) -> list[tuple[str, float, str]]:
    """How many files these are, and how much."""
    return [
        (f"{name}, files", len(loaded), ""),
        (f"{name}, as sent", sum(sent for sent, _ in loaded.values()) / 1000, "kB"),
        (f"{name}, unpacked", sum(whole for _, whole in loaded.values()) / 1000, "kB"),
    ]


def main(runs: int) -> None:
    """Measure so often, each time with a phone that has nothing."""
    house = House(Path(tempfile.mkdtemp()), timed(PLAYED))
    house.see(8.0)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium_path(), args=list(FLAGS))
        first_view(browser, house)  # the first one pays for starting the browser's processes
        words, views, lost = [], [], 0
        while len(views) < runs and lost < runs:
            words.append(one_word(browser))
            try:
                views.append(first_view(browser, house))
            except TooLateError:
                lost += 1
        browser.close()
    house.close()
    times = [shown for shown, _ in views]
    figures = (
        ("one word, median", statistics.median(words), "ms"),
        *weight("first view", views[-1][1][0]),
        *weight("with the sheets", views[-1][1][1]),
        ("first view, median", statistics.median(times), "ms"),
        ("first view, slowest", max(times), "ms"),
        ("views that never came", lost, ""),
    )
    for name, value, unit in figures:
        print(json.dumps({"name": name, "value": round(value, 1), "unit": unit}))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
