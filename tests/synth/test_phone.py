"""A phone beside the cards: its page follows the game, a moment later, and no card lies on it."""

from dataclasses import replace

import numpy as np

from companion.rules.events import Claimed, Exchanged
from companion.synth.choreography import choreograph
from companion.synth.drawn import drawn_pack
from companion.synth.film import play
from companion.synth.phone import Page, pages
from companion.synth.players import random_record
from companion.synth.setting import Setting, random_setting, view_of
from companion.synth.style import Style

SIZE = (640, 360)


def _with_a_phone() -> tuple[int, Style, Setting]:
    pack = drawn_pack(100, height_px=120)
    for seed in range(20):
        style = Style.random(np.random.default_rng([seed, 0x57]))
        setting = random_setting(pack, style, seed=seed, size=SIZE)
        if setting.phone is not None:
            return seed, style, setting
    raise LookupError("no phone lies on any table")


def test_the_page_shows_what_happened_a_second_later():
    """The turn-up, the trick, the jack in the place of what was exchanged; nothing after the sweep."""
    record = next(
        one for one in map(random_record, range(200)) if any(isinstance(e, Exchanged) for e in one.events)
    )
    script = choreograph([record], seed=1)
    shown = pages(script.timeline)
    assert shown[0] == (0.0, Page())
    happened = {entry["type"]: entry["t"] for entry in script.timeline}
    by_time = dict(shown)
    assert by_time[happened["deal"] + 1.0] == Page(str(record.turned_up), stock=True)
    assert by_time[happened["exchange"] + 1.0].turn_up == f"J{str(record.turned_up)[1:]}"
    assert by_time[happened["cleared"] + 1.0] == Page()
    plays = [entry for entry in script.timeline if entry["type"] == "play"]
    for entry in plays:
        assert by_time[entry["t"] + 1.0].cards[entry["player"]] == entry["card"]


def test_a_phone_shows_another_page_and_everything_else_stays():
    """From a second after the first play, where it lies, and nowhere else."""
    seed, style, setting = _with_a_phone()
    setting = replace(setting, noise=0.0, flicker=0.0, quality=100)
    record = next(one for one in map(random_record, range(99)) if isinstance(one.events[-1], Claimed))
    script = choreograph([record], seed=seed, style=style, view=view_of(setting.scene.camera))
    quiet = next(
        since
        for since, page in pages(script.timeline)
        if page.turn_up and all(script.at(since + step).quiet for step in (-0.4, 0.0, 0.4))
    )
    (before, _), (after, _) = (
        next(iter(play(script, setting, seed=seed, fps=1000, seconds=(at, at))))
        for at in (quiet - 0.1, quiet + 0.1)
    )
    changed = np.abs(before.bgr.astype(int) - after.bgr).max(axis=2) > 12
    lies = setting.phone.showing(Page())
    ys, xs = np.nonzero(changed)
    assert len(ys) > 50
    (x, y), (h, w) = lies.origin, lies.picture.shape[:2]
    assert x <= xs.min() <= xs.max() < x + w
    assert y <= ys.min() <= ys.max() < y + h
