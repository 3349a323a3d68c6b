"""How much the table page weighs, and when it shows the table on a slow phone: a line of JSON each.

    PYTHONPATH=.:tests python tests/web/first_view.py [RUNS]

The phone is a Chromium whose processor is slowed down four times, without anything kept from before, on a
network of 20 Mbit/s with 10 ms there and back. The view counts as there when both players' names, the card
turned up and the points can be seen.
"""

from __future__ import annotations

import gzip
import json
import statistics
import sys
import tempfile
from pathlib import Path

from browsing import FLAGS, PHONE, House, chromium_path
from paired import cookie_of
from playwright.sync_api import Browser, sync_playwright
from scripted_table import PLAYED, timed

SLOWER = 4
NETWORK = {"offline": False, "latency": 10, "downloadThroughput": 2_500_000, "uploadThroughput": 1_250_000}
SEEN = """
window.seen = new Promise((tell) => {
  const there = () => document.querySelectorAll('#players .total strong').length === 2
    && document.querySelector('#talon svg');
  const look = () => {
    if (there()) requestAnimationFrame(() => setTimeout(() => tell(performance.now())));
    else requestAnimationFrame(look);
  };
  look();
});
"""
FILES = """performance.getEntriesByType('resource').filter((each) => !each.name.includes('/api/'))
  .map((each) => each.name)"""


def first_view(browser: Browser, house: House) -> tuple[float, list[bytes]]:
    """Milliseconds from the request until the table is seen, and what was loaded for it."""
    context = browser.new_context(viewport=PHONE)
    name, _, value = cookie_of(house.pairing).partition("=")
    context.add_cookies([{"name": name, "value": value, "url": house.address}])
    context.add_init_script(SEEN)
    page = context.new_page()
    wire = context.new_cdp_session(page)
    wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    wire.send("Network.enable")
    wire.send("Network.emulateNetworkConditions", NETWORK)
    page.goto(f"{house.address}/")
    shown = float(page.evaluate("window.seen"))
    files = {f"{house.address}/", *page.evaluate(FILES)}
    bodies = [context.request.get(file).body() for file in files]
    context.close()
    return shown, bodies


def main(runs: int) -> None:
    """Measure so often, each time with a phone that has nothing."""
    house = House(Path(tempfile.mkdtemp()), timed(PLAYED))
    house.see(8.0)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium_path(), args=list(FLAGS))
        first_view(browser, house)  # the first one pays for starting the browser's processes
        views = [first_view(browser, house) for _ in range(runs)]
        browser.close()
    house.close()
    times = [shown for shown, _ in views]
    bodies = views[-1][1]
    figures = (
        ("page, files", len(bodies), ""),
        ("page, as sent", sum(map(len, bodies)) / 1000, "kB"),
        ("page, compressed", sum(len(gzip.compress(body)) for body in bodies) / 1000, "kB"),
        ("first view, median", statistics.median(times), "ms"),
        ("first view, slowest", max(times), "ms"),
    )
    for name, value, unit in figures:
        print(json.dumps({"name": name, "value": round(value, 1), "unit": unit}))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
