"""Make the pictures of the README and the docs from the real demo in a real browser.

    python docs/pictures.py [--chromium /usr/bin/chromium]

Plays the shipped recording through `companion demo`, opens the page at 390x844 and writes
`phone-hand.png` with a trick, a marriage and the end of the hand, `phone-correct.png` with a card that is
corrected, `phone-sheet.png` with some hands of Bauernschnapsen written on a score sheet, and
`table-and-phone.png`: the table as the camera sees it, with what was recognised drawn in, beside the phone.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Page, sync_playwright

from companion.config import asset
from companion.vision.detector import CardDetector
from companion.vision.drawing import drawn

DOCS = Path(__file__).resolve().parent
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")

LYING_S = 0.4
"""So long after it came to rest a card lies there alone, no hand over it."""


def frame_at(video: Path, seconds: float) -> NDArray[np.uint8]:
    """The frame of a recording at a time, (H, W, 3) uint8."""
    capture = cv2.VideoCapture(str(video))
    capture.set(cv2.CAP_PROP_POS_MSEC, seconds * 1000)
    done, bgr = capture.read()
    if not done:
        raise ValueError(f"{video}: no frame at {seconds} s")
    return np.asarray(bgr, np.uint8)


def shots(page: Page, address: str) -> tuple[bytes, float]:
    """Follow the demo; returns the picture of a trick and when it was taken, seconds into the recording."""
    page.goto(address)
    page.wait_for_selector("#players article")
    started = time.monotonic()
    trick: bytes | None = None
    at = 0.0
    marriage: bytes | None = None
    while page.locator("#result:not([hidden])").count() == 0:
        snapshot = page.evaluate("() => fetch('/api/snapshot').then((answer) => answer.json())")
        entries = (snapshot.get("hand") or {}).get("events", [])
        events = [entry["event"]["type"] for entry in entries]
        if trick is None and events.count("play") == 2:
            # as the table looked when the second card lay there, however late this was noticed
            second = [entry["time"] for entry in entries if entry["event"]["type"] == "play"][-1]
            trick, at = page.screenshot(), second + LYING_S
        if marriage is None and "marriage" in events:
            marriage = page.screenshot()
        if time.monotonic() - started > 240:
            raise TimeoutError("the demo did not come to its end")
        page.wait_for_timeout(200)
    page.wait_for_timeout(600)
    if trick is None or marriage is None:
        raise ValueError("no trick was seen, or no marriage")
    write_beside(DOCS / "phone-hand.png", [decoded(each) for each in (trick, marriage, page.screenshot())])
    return trick, at


def decoded(png: bytes) -> NDArray[np.uint8]:
    """The picture in a PNG file, (H, W, 3) uint8, BGR."""
    return np.asarray(cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def of_height(bgr: NDArray[np.uint8], height: int) -> NDArray[np.uint8]:
    """A picture made smaller to a height in pixels."""
    width = round(height * bgr.shape[1] / bgr.shape[0])
    return np.asarray(cv2.resize(bgr, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def write_beside(path: Path, pictures: Sequence[NDArray[np.uint8]]) -> None:
    """Write pictures of one height side by side into one."""
    first, *others = pictures
    gap = np.full((first.shape[0], 24, 3), 255, np.uint8)
    cv2.imwrite(str(path), np.hstack([first, *(part for each in others for part in (gap, each))]))


EVENING = (
    ("game", 0, "won-2"),
    ("gang", 1, "won-9"),
    ("game", 2, "lost-1"),
    ("schnapser", 3, "lost-6"),
    ("farbenringerl", 0, "won-18"),
    ("game", 1, "won-3"),
    ("bettler", 2, "won-4"),
)
"""Contract, player and result of the hands in the picture of a score sheet."""


def write_sheet(page: Page) -> None:
    """Write an evening of Bauernschnapsen, touch by touch, on the phone that is open at the table."""
    page.click("#open-menu")
    page.click("#menu-sheets")
    page.click("#new-sheet")
    page.click("[data-game=bauern]")
    for seat, name in enumerate(("Anna", "Bert", "Clara", "Dora")):
        page.fill(f"#name-{seat}", name)
    page.click("#start-sheet")
    for number, (contract, player, result) in enumerate(EVENING):
        page.click(f"[data-contract={contract}]")
        page.click(f"#entry [data-player='{player}']")
        page.click(f"[data-result={result}]")
        page.locator("[data-line]").nth(number).wait_for()
    page.wait_for_timeout(600)
    (DOCS / "phone-sheet.png").write_bytes(page.screenshot())


def correct(page: Page) -> None:
    """Look at a card of the hand that was played, and at what another one would come to."""
    page.locator(".strip button.north").nth(3).click()
    page.locator(".still").evaluate("image => image.decode()")
    sides = [page.screenshot()]
    page.locator(".likely button").first.click()
    page.wait_for_selector("#correct-yes:enabled")
    sides.append(page.screenshot())
    write_beside(DOCS / "phone-correct.png", [decoded(each) for each in sides])
    page.reload()


def main() -> int:
    """Make all of them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    args = parser.parse_args()
    command = [sys.executable, "-m", "companion", "demo", "--host", "127.0.0.1", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run, sync_playwright() as play:
        found = None
        while run.stdout is not None and found is None and (line := run.stdout.readline()):
            found = re.search(r"http://\S+", line)
        if found is None:
            raise ValueError("the demo printed no address")
        browser = play.chromium.launch(executable_path=args.chromium, args=list(QUIET))
        context = browser.new_context(
            viewport={"width": 390, "height": 844},
            color_scheme="dark",
            device_scale_factor=1.5,
            locale="de-AT",
        )
        try:
            page = context.new_page()
            trick, at = shots(page, found.group())
            correct(page)
            write_sheet(page)
        finally:
            browser.close()
            run.terminate()
    bgr = frame_at(asset("demo") / "table.mp4", at)
    pictures = (drawn(bgr, CardDetector(asset("models")).detect(bgr)), decoded(trick))
    write_beside(DOCS / "table-and-phone.png", [of_height(each, 700) for each in pictures])
    return 0


if __name__ == "__main__":
    sys.exit(main())
