"""Phones in a real browser on a real server: what tests of the pages share."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from paired import pairing_in
from scripted_table import Script, ScriptedDecoders, view_at

from companion.history.archive import Archive
from companion.live.eyes import Eyes, Optics
from companion.live.setting import read_setting
from companion.live.sheet_book import SheetBook
from companion.live.snapshot import Role
from companion.live.table import LiveTable
from companion.rules.cards import Card, Player
from companion.rules.ruleset import RuleSet
from companion.server import create_app, serve
from companion.server.address import link_to
from companion.server.played import played_routes
from companion.store.album import Album
from companion.store.log import EventLog
from companion.store.sheets import SheetLog

PHONE = {"width": 390, "height": 844}
WAIT_MS = 20_000
SPEECH = """
window.spoken = [];
const said = { speak: (each) => window.spoken.push(each.text), cancel: () => {} };
Object.defineProperty(window, 'speechSynthesis', { value: said });
navigator.vibrate = (pattern) => { window.shaken = pattern; return true; };
"""
"""Script for a page that remembers what is said aloud and how it shook."""

HASTY = """
AbortSignal.timeout = (after_ms) => {
    const ending = new AbortController();
    setTimeout(() => ending.abort(new DOMException("too late", "TimeoutError")), after_ms);
    return ending.signal;
};
"""
"""Script for a page whose time is moved on: its patience with a request runs out by that time, too."""


FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def chromium_path() -> str | None:
    """The Chromium of this machine, or the one that `COMPANION_CHROMIUM` names; `None` without one."""
    names = (os.environ.get("COMPANION_CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome")
    return next((path for path in map(shutil.which, filter(None, names)) if path), None)


def free_port() -> int:
    """A port on which nobody listens now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class House:
    """A table with its server, that can be closed and opened again on the same port."""

    def __init__(
        self,
        folder: Path,
        script: Script = (),
        *,
        sure: float = 0.97,
        rules: RuleSet | None = None,
        reviews: Any = None,
        optics: Optics | None = None,
        port: int = 0,
        called: str = "",
    ) -> None:
        """Open it; `optics`: of a camera to be set up; `port` 0: any that is free; `called`: its name."""
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.script, self.sure, self.rules = folder, script, sure, rules or RuleSet()
        self.reviews, self.optics, self.sitting_kept = reviews, optics, True
        self.port, self.called = port or free_port(), called
        self.address = f"http://127.0.0.1:{self.port}"
        self.open()

    def open(self) -> None:
        """Open table, sheets, pictures and server."""
        self.table = LiveTable(
            EventLog(self.folder / "table.sqlite"),
            ScriptedDecoders(self.script, self.sure),
            rules=self.rules,
            names=("Anna", "Bert"),
            source="script",
            is_kept=lambda: self.sitting_kept,
            called=self.called,
        )
        self.album = Album(self.folder / "stills.sqlite", spare_bytes=0)
        self.book = SheetBook(SheetLog(self.folder / "sheets.sqlite"), self.table.announce_sheets)
        self.pairing = pairing_in(self.folder)
        self.archive = Archive(self.folder / "table.sqlite")
        kept = self.folder / "setup.json"
        self.eyes = None if self.optics is None else Eyes(self.table, self.optics, kept, read_setting(kept))
        app = create_app(
            self.table,
            self.pairing,
            sheets=self.book,
            pictures=self.album,
            eyes=self.eyes,
            listens="127.0.0.1",
        )
        if self.reviews is not None:
            for routes in played_routes(self.table.feed, self.archive, self.reviews, self.album):
                app.register_blueprint(routes)
        self.serving = serve(app, "127.0.0.1", self.port)

    def link(self, role: Role = Role.TABLE, *, owner: bool = False, to: str = "") -> str:
        """What a QR code says that lets in one more device."""
        token = self.pairing.invite(role, owner=owner).token
        return link_to(f"127.0.0.1:{self.port}", token, to)

    def close(self) -> None:
        """Close all, with phones still connected."""
        self.table.feed.close()
        self.serving.stop()
        if self.eyes is not None:
            self.eyes.close()
        self.book.close()
        self.table.close()
        self.archive.close()
        self.album.close()

    def keep_picture(self, time: float, looks: Mapping[Card, float] | None = None) -> None:
        """Keep a grey picture, 60 pixels wide, of `time`; `looks`: what the card looked like."""
        _, picture = cv2.imencode(".jpg", np.full((40, 60, 3), 90, np.uint8))
        self.album.keep(time, picture.tobytes(), looks or {})

    def see(self, until: float) -> None:
        """Let the camera see the script until `until`."""
        self.table.see(view_at(until))


class Phone:
    """A paired device that shows the page; it remembers what its console said, and counts its touches.

    Attributes:
        complaints: Errors and warnings of the console.
        elsewhere: Addresses outside the house that were asked.
    """

    def __init__(
        self,
        browser,
        house: House,
        *,
        role: Role = Role.TABLE,
        owner: bool = False,
        link: str = "",
        choices: dict[str, str] | None = None,
        script: str = "",
        ready: str = "#players article",
        hasty: bool = False,
        **more,
    ) -> None:
        """Pair a device of `browser` by `link` or with `role`; wait for `ready`; `more`: of its context.

        The time of its pages goes as it does; where the device is `hasty`, `later` moves it on besides.
        """
        self.house, self.touches = house, 0
        self.context = browser.new_context(**{"viewport": PHONE, "locale": "de-AT", **more})
        chosen = json.dumps(json.dumps(choices or {}))
        first = f"localStorage.getItem('choices') ?? localStorage.setItem('choices', {chosen});"
        self.context.add_init_script(first + script + (HASTY if hasty else ""))
        if hasty:
            self.context.clock.install()
        self.complaints: list[str] = []
        self.elsewhere: list[str] = []
        self.page = self.tab()
        self.page.goto(link or house.link(role, owner=owner))
        self.page.wait_for_selector(ready)

    def tab(self):
        """A new tab of this device, empty."""
        page = self.context.new_page()
        page.set_default_timeout(WAIT_MS)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._said)
        page.on("request", self._asked)
        return page

    def _said(self, message) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _asked(self, request) -> None:
        if f"127.0.0.1:{self.house.port}" not in request.url and not request.url.startswith("data:"):
            self.elsewhere.append(request.url)

    def resized(self, width: int, height: int) -> None:
        """Give the screen another size, as if the page had been opened on another phone, pixels."""
        self.page.set_viewport_size({"width": width, "height": height})

    def later(self, seconds: int) -> None:
        """Move the time of a hasty device on, second by second: what is due in each of them is done."""
        for _ in range(seconds):
            self.page.clock.run_for(1000)

    def touch(self, selector: str, place: int = 0) -> None:
        """Touch something, once."""
        self.page.locator(selector).nth(place).click()
        self.touches += 1

    def shows(self, selector: str, text: str) -> None:
        """Wait until `selector` shows `text`, a pattern."""
        self.page.locator(selector).filter(has_text=re.compile(text)).first.wait_for()

    def tells(self, count: int) -> None:
        """Wait until the story has `count` events."""
        expect(self.page.locator("#story li")).to_have_count(count)

    def total(self, player: Player) -> str:
        """The big number of a player's count."""
        return self.page.locator("#players article").nth(int(player)).locator(".total strong").inner_text()


def invite(owner: Phone, role: Role) -> str:
    """Show the code for one more device on the owner's page, and leave it there; return its link."""
    owner.page.click("#open-menu")
    owner.page.click("#menu-devices")
    owner.page.click("#invite")
    owner.page.click(f"#sheet [data-role={role.value}]")
    expect(owner.page.locator("#qr")).to_be_visible()
    return str(owner.page.locator("#invite-link").inner_text())


def row(phone: Phone, what: str, player: int | None = None) -> list[str]:
    """What a row of a correction's preview says, before and after; nothing where there is no such row."""
    which = f"[data-what={what}]" + ("" if player is None else f"[data-player='{int(player)}']")
    return phone.page.locator(f".rows {which} td").all_inner_texts()


def nothing_twice(phones: list[Phone]) -> None:
    """No event stands twice, and none was read out twice; of pages with `SPEECH` that read events out."""
    for phone in phones:
        told = phone.page.locator("#story li").all_inner_texts()
        assert len(set(told)) == len(told)
        said = [each for text in phone.page.evaluate("window.spoken") for each in text.split(". ")]
        cards = [each for each in said if ": " in each]
        assert len(set(cards)) == len(cards) > 1


def expect(what):
    """Playwright's assertions on `what`, which wait."""
    from playwright.sync_api import expect as playwright_expect

    playwright_expect.set_options(timeout=WAIT_MS)
    return playwright_expect(what)


def fits(page) -> bool:
    """Whether a page is no wider than the screen."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def faults(page, where: str = "", within: str = "html") -> list[str]:
    """What cannot be read or touched on a page, or sticks out at its side."""
    wide = "node => document.querySelector(node)?.scrollWidth > innerWidth ? [`${node} is too wide`] : []"
    found = [*page.evaluate(SMALL), *page.evaluate(PALE), *page.evaluate(wide, within)]
    found += page.evaluate(wide, "#sheet")
    return [f"{where}: {each}" for each in found]


def serious(page, where: str = "") -> list[str]:
    """What axe-core takes for serious or critical on this page, with where."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{where}: {each['id']}: {node['html'][:160]}"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


SMALL = """() => [...document.querySelectorAll('button, a, summary, input[type=text], label.check')]
  .filter((node) => node.checkVisibility())
  .map((node) => [node.id || node.textContent, node.getBoundingClientRect()])
  .filter(([, box]) => box.width < 44 || box.height < 44)
  .map(([name, box]) => `${name}: ${box.width} x ${box.height}`)"""

PALE = """() => {
  const light = (colour) => {
    const [r, g, b] = colour.map((each) => each / 255)
      .map((each) => (each <= 0.03928 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const ground = (node) => {
    for (let each = node; each; each = each.parentElement) {
      const colour = parse(getComputedStyle(each).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour.slice(0, 3);
    }
    return [255, 255, 255];
  };
  const found = [];
  const texts = 'h1, h2, p, span, strong, b, dt, dd, button, summary, legend, em, i, small, a';
  for (const node of document.querySelectorAll(texts)) {
    const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
    if (!own || !node.checkVisibility() || node.closest('.unseen, svg')) continue;
    const one = light(parse(getComputedStyle(node).color).slice(0, 3));
    const two = light(ground(node));
    const contrast = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
    if (contrast < 4.5) found.push(`${node.textContent}: ${contrast.toFixed(2)}`);
  }
  return found;
}"""
