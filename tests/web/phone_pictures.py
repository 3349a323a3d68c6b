"""Make the pictures of set-up, learning, devices, board and overlay for the docs, in a real browser.

    PYTHONPATH=.:tests python tests/web/phone_pictures.py docs

The camera of the set-up shows a frame of the shipped recording, and the shipped networks read it. Writes
`phone-setup.png` (the picture as it is set up, a pack that is learnt), `phone-devices.png` (the devices, a
code for another), `screen-board.png` and `screen-overlay.png` (its ground is transparent: here, squares).
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from browsing import FLAGS, House, Phone, chromium_path
from playwright.sync_api import Browser, Page, sync_playwright
from scripted_table import PLAYED, timed
from staged_optics import StagedCamera

from companion.commands.optics import TableOptics
from companion.config import asset
from companion.live.pipeline import FrameReader
from companion.live.setting import Setting
from companion.live.snapshot import Role
from companion.vision.turning import Turned

AT_MS = 9000
"""The frame of the recording that is shown."""
SEEN_AT = 8.0
STRIP = 160
"""Pixels of the overlay that are shown, from below."""


class FilmedTable(TableOptics):
    """The real stages before a camera that shows one frame."""

    def __init__(self, data: Path, bgr: np.ndarray) -> None:
        super().__init__(data, 1, None)
        self._bgr = bgr

    def opened(self, setting: Setting) -> Turned:
        """Open the camera."""
        return Turned(StagedCamera(self._bgr), setting.turn)

    def reader(self, setting: Setting, then: object, found: Callable[[bool], None]) -> FrameReader:
        """Make a reader for the table; there is no witness."""
        return self.trial_reader(setting)

    def cameras(self) -> tuple[tuple[str, str], ...]:
        """One."""
        return (("0", "HD Webcam"),)


def frame() -> np.ndarray:
    """The table of the recording on a floor, as a camera sees it that stands a little askew."""
    recording = cv2.VideoCapture(str(asset("demo") / "table.mp4"))
    recording.set(cv2.CAP_PROP_POS_MSEC, AT_MS)
    _, table = recording.read()
    height, width = table.shape[:2]
    floor = (
        np.random.default_rng(1).normal([74, 92, 118], 5, (height, width, 3)).clip(0, 255).astype(np.uint8)
    )
    corners = np.float32([[0, 0], [width, 0], [width, height], [0, height]])
    seen = np.float32([[190, 40], [1110, 60], [1230, 690], [60, 670]])
    matrix = cv2.getPerspectiveTransform(corners, seen)
    cv2.warpPerspective(table, matrix, (width, height), floor, borderMode=cv2.BORDER_TRANSPARENT)
    return floor


def side_by_side(first: bytes, second: bytes, to: Path) -> None:
    """Two screens in one picture."""
    one, two = (cv2.imdecode(np.frombuffer(each, np.uint8), cv2.IMREAD_COLOR) for each in (first, second))
    cv2.imwrite(str(to), np.hstack([one, np.full((one.shape[0], 24, 3), 255, np.uint8), two]))


def of_the_set_up(browser: Browser, house: House, folder: Path) -> None:
    """Picture and choices, then the first card of a pack that is learnt."""
    phone = Phone(browser, house, owner=True, ready=".view .seen", color_scheme="dark")
    page = phone.page
    page.wait_for_timeout(1500)
    first = page.screenshot()
    page.click("[data-pick=deck-learn]")
    page.fill("#learn-name", "grandma")
    page.click("#learn-start")
    page.wait_for_selector(".asked")
    page.wait_for_selector(".view img")
    side_by_side(first, page.screenshot(), folder / "phone-setup.png")
    page.click("#learn-stop")
    phone.context.close()


def look_again(house: House, page: Page) -> None:
    """Let the camera see the table as it lies, so that no phone calls it blind."""
    house.see(SEEN_AT)
    page.wait_for_selector("#banner", state="hidden")


def of_the_devices(browser: Browser, house: House, folder: Path) -> None:
    """The list of devices, then a code."""
    phone = Phone(browser, house, owner=True, color_scheme="dark")
    others = [Phone(browser, house, role=role) for role in (Role.SOUTH, Role.NORTH, Role.BOARD)]
    page = phone.page
    page.click("#open-menu")
    page.click("#menu-devices")
    page.wait_for_selector("#invite")
    look_again(house, page)
    first = page.screenshot()
    page.click("#invite")
    page.click("#sheet [data-role=spectator]")
    page.wait_for_selector("#qr")
    look_again(house, page)
    side_by_side(first, page.screenshot(), folder / "phone-devices.png")
    for each in (*others, phone):
        each.context.close()


def of_the_screens(browser: Browser, house: House, folder: Path) -> None:
    """Board and overlay in the middle of a hand."""
    board = Phone(browser, house, role=Role.BOARD, viewport={"width": 1280, "height": 720})
    look_again(house, board.page)
    board.page.screenshot(path=folder / "screen-board.png")
    board.page.goto(f"{house.address}/overlay")
    board.page.wait_for_selector("#south h2")
    strip = board.page.screenshot(omit_background=True)
    over = cv2.imdecode(np.frombuffer(strip, np.uint8), cv2.IMREAD_UNCHANGED)[-STRIP:].astype(np.float32)
    rows, columns = np.indices(over.shape[:2]) // 16
    squares = np.where((rows + columns) % 2, 204.0, 153.0)[..., None]
    share = over[..., 3:] / 255
    laid = over[..., :3] * share + squares * (1 - share)
    cv2.imwrite(str(folder / "screen-overlay.png"), laid.astype(np.uint8))
    board.context.close()


def main(folder: Path) -> None:
    """Make all of them."""
    data = Path(tempfile.mkdtemp())
    played = House(data / "played", timed(PLAYED))
    played.see(SEEN_AT)
    unset = House(data / "unset", optics=FilmedTable(data / "unset", frame()))
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium_path(), args=list(FLAGS))
        of_the_set_up(browser, unset, folder)
        of_the_devices(browser, played, folder)
        of_the_screens(browser, played, folder)
        browser.close()
    unset.close()
    played.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
