"""The set-up from a phone: camera, table, pack, names and rules, and a pack that is learnt."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from browsing import House, Phone, expect, faults, serious
from patience import until
from staged_optics import StagedCamera, StagedOptics, detection, table_picture

from companion.live.command import InsertHand
from companion.live.setting import Setting
from companion.rules.cards import PACK_24, Player
from companion.rules.events import Agreed
from companion.table.detection import Frame
from companion.vision.deck import Deck, read_deck, write_deck
from companion.vision.rectify import CARD

pytestmark = pytest.mark.browser

TABLE = ((0.2, 0.1), (0.8, 0.15), (0.95, 0.9), (0.05, 0.85))
ROUND = tuple((0.5 + 0.3 * np.cos(a), 0.5 + 0.45 * np.sin(a)) for a in np.linspace(0, 2 * np.pi, 40))
NARROW = {"width": 375, "height": 812}
COUNTED = """() => {
  window.said = 0;
  const count = new MutationObserver(() => { window.said += 1; });
  count.observe(document.querySelector('.said'), { childList: true, subtree: true });
}"""
ORDER = [str(card) for card in PACK_24 if card.rank.letter != "9"]


@pytest.fixture
def optics(tmp_path: Path) -> StagedOptics:
    """Two cameras: one before a table with two cards, one before a round table."""
    pictures = {
        "0": table_picture(TABLE),
        "2": table_picture(ROUND),
        "http://10.0.0.9/video": table_picture(TABLE),
    }
    cards = detection("KH", 300, 180), detection("AS", 380, 200, 0.6)
    return StagedOptics(tmp_path / "house0", pictures, *cards)


@pytest.fixture
def house(open_house, optics: StagedOptics) -> House:
    """A table whose camera has not been set up."""
    return open_house(optics=optics)


@pytest.fixture
def owner(open_phone) -> Phone:
    """The owner's phone; it is led to the set-up."""
    return open_phone(owner=True, ready=".view img", viewport=NARROW)


@pytest.mark.parametrize("language", ["de", "en"])
def test_large_type_leaves_room_for_an_address_and_sticks_out_nowhere(
    open_phone, house: House, language: str
) -> None:
    """On the narrowest phone, also while a pack is learnt: its longest names break where they must."""
    small = {"width": 320, "height": 640}
    choices = {"size": "large", "language": language, "faces": "german"}
    phone = open_phone(owner=True, ready=".tools", viewport=small, choices=choices)
    page = phone.page
    ems = page.locator("#camera-address").evaluate(
        "it => it.clientWidth / parseFloat(getComputedStyle(it).fontSize)"
    )
    assert ems > 10
    wide = "all => all.filter((it) => it.scrollWidth > it.clientWidth).map((it) => it.textContent)"
    assert page.locator(".tools, .tools button, .pick, #keep").evaluate_all(wide) == []
    learn_oma(phone)
    page.wait_for_selector("[data-asked]")
    page.locator(".asked h2").evaluate("it => { it.textContent = 'Schellen Unter'; }")
    assert page.locator(".asked, .asked h2").evaluate_all(wide) == []


def test_the_owner_is_led_through_the_set_up_to_the_table(owner: Phone, house: House) -> None:
    """Picture with cards and table in it, keep, names, begin: the table is watched as it was found."""
    page = owner.page
    assert page.url == f"{house.address}/setup.html"
    owner.shows(".said", "2 Karten erkannt")
    owner.shows(".said", "Tisch gefunden")
    assert page.locator(".view text").all_text_contents() == ["Herz König", "Pik Ass"]
    assert page.locator(".view .seen.unsure").count() == 1
    owner.shows(".seat.south", "Anna")
    page.click("#keep")
    page.fill("#name-0", "Eva")
    page.click("#choose-rules")
    page.click("[data-preset=schnapsen_casual]")
    page.click("#rules-done")
    page.click("#start-match")
    page.wait_for_url(f"{house.address}/")
    owner.shows("#players article h2", "Eva")
    owner.shows("#camera", "Kamera")
    assert house.eyes.setting.camera == "0"
    assert np.allclose(house.eyes.setting.table, TABLE, atol=0.02)
    assert house.table.standing().rules.preset == "schnapsen_casual"
    again = house.link(owner=True)
    page.goto(again)
    page.wait_for_selector("#players article")
    page.click("#open-menu")
    page.click("#menu-setup")
    owner.shows(".said", "Tisch wie eingestellt")
    house.table.submit(InsertHand(0, Agreed(Player.NORTH, 2)))
    page.reload()
    owner.shows(".said", "Tisch wie eingestellt")
    page.click("#keep")
    page.wait_for_url(f"{house.address}/")  # the match goes on: nothing is agreed on anew
    assert house.table.standing().match.won_points == (0, 2)


def test_corners_are_dragged_where_the_table_was_not_found(owner: Phone, house: House) -> None:
    """By finger and by arrow keys; what was told stays while new pictures come."""
    page = owner.page
    page.click("[data-pick=camera-2]")
    owner.shows(".said .lost", "Tisch nicht gefunden")
    view = page.locator(".view").bounding_box()
    corner = page.locator("[data-corner='0']").bounding_box()
    page.mouse.move(corner["x"] + 24, corner["y"] + 24)
    page.mouse.down()
    page.mouse.move(view["x"] + 0.3 * view["width"], view["y"] + 0.2 * view["height"], steps=4)
    page.mouse.up()
    owner.shows(".said", "Tisch wie eingestellt")
    page.locator("[data-corner='2']").focus()
    for key in ("ArrowLeft", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
    page.wait_for_timeout(1500)
    page.click("#keep")
    page.wait_for_selector("#sheet h2")
    first, _, third, _ = house.eyes.setting.table
    assert np.allclose(first, (0.3, 0.2), atol=0.01)
    assert np.allclose(third, (0.98, 0.99), atol=0.001)


def test_of_a_table_that_was_only_found_nobody_is_told_that_it_was_set(
    open_phone, owner: Phone, house: House
) -> None:
    """Not the other owner who joins the trial of a pack, nor whoever loads the page anew."""
    owner.shows(".said", "Tisch gefunden")
    with owner.page.expect_response("**/api/setup"):
        owner.page.click("[data-pick=deck-any]")
    other = open_phone(house, owner=True, ready=".said", viewport=NARROW)
    other.shows(".said", "Tisch gefunden")
    owner.page.reload()
    owner.shows(".said", "Tisch gefunden")
    owner.page.click("#whole")
    owner.shows(".said", "Das ganze Bild ist Tisch")


def test_a_new_picture_takes_no_button_from_the_keyboard_and_says_nothing_twice(owner: Phone) -> None:
    """Pictures come all the time; turning one, whose button goes until the next is there, too."""
    page = owner.page
    owner.shows(".said", "Tisch gefunden")
    page.evaluate(COUNTED)
    with page.expect_response("**/api/setup/look"):
        pass
    page.wait_for_timeout(1500)
    assert page.evaluate("window.said") == 0
    page.locator("#turn").focus()
    page.keyboard.press("Enter")
    owner.shows("#picture .blank", "Bild kommt gleich")
    page.wait_for_selector(".view img")
    assert page.evaluate("document.activeElement.id") == "turn"


def test_a_network_camera_that_was_named_at_the_start_is_looked_through(
    open_phone, house: House, optics: StagedOptics
) -> None:
    """Its address stands in its field: nobody types it again on a phone."""
    address = "http://10.0.0.9/video"
    optics.pictures = {address: table_picture(TABLE), **optics.pictures}
    owner = open_phone(owner=True, ready=".view img", viewport=NARROW)
    expect(owner.page.locator("#camera-address")).to_have_value(address)
    owner.shows(".said", "Tisch gefunden")
    assert house.eyes.now.setting.camera == address


def test_a_raspberry_pi_s_camera_is_one_to_choose(open_phone, house: House, optics: StagedOptics) -> None:
    """By what it is called, not by a number that it does not have."""
    optics.pictures["rpicam:1"] = table_picture(TABLE)
    owner = open_phone(owner=True, ready=".view img", viewport=NARROW)
    owner.shows("[data-pick='camera-rpicam:1'] strong", "Raspberry-Pi-Kamera 2")
    owner.page.click("[data-pick='camera-rpicam:1']")
    expect(owner.page.locator("[data-pick='camera-rpicam:1']")).to_have_attribute("aria-pressed", "true")
    owner.shows(".said", "Tisch gefunden")
    assert house.eyes.now.setting.camera == "rpicam:1"


def test_a_picture_is_turned_and_another_camera_is_looked_through(
    owner: Phone, house: House, optics: StagedOptics
) -> None:
    """One that is not there says so; the one in the network is kept by its address."""
    page = owner.page
    page.click("#turn")
    expect(page.locator(".view img")).to_have_attribute("width", "360")
    page.fill("#camera-address", "http://10.0.0.7/none")
    page.click("#camera-look")
    owner.shows("#picture", "antwortet keine Kamera")
    page.fill("#camera-address", "http://10.0.0.9/video")
    page.press("#camera-address", "Enter")  # as the key of a phone's keyboard does
    page.wait_for_selector(".view img")
    page.click("#whole")
    page.click("#keep")
    page.wait_for_selector("#sheet h2")
    assert house.eyes.setting == Setting("http://10.0.0.9/video", 1)
    page.keyboard.press("Escape")
    page.fill("#camera-address", "file:///etc/passwd")
    page.click("#camera-look")
    owner.shows("#toast", "Adresse")
    assert all("passwd" not in (setting.camera or "") for setting in optics.opens)


def test_a_table_without_a_camera_is_a_choice(owner: Phone, house: House) -> None:
    """The picture goes, the button says so, and the next start does not ask again."""
    owner.page.click("[data-pick=camera-none]")
    expect(owner.page.locator("#picture")).to_be_hidden()
    owner.shows("#keep", "Ohne Kamera")
    owner.page.click("#keep")
    owner.page.wait_for_selector("#sheet h2")
    assert house.eyes.setting == Setting()


def test_a_camera_without_a_picture_is_kept_by_those_alone_who_know(owner: Phone, house: House) -> None:
    """One sentence says so; another camera can be chosen, or this one is taken all the same."""
    page = owner.page
    page.fill("#camera-address", "http://10.0.0.7/none")
    page.click("#camera-look")
    expect(page.locator("#picture .blank")).to_have_text(
        "Unter dieser Adresse antwortet keine Kamera. Stimmt sie, und ist die Kamera eingeschaltet?"
    )
    page.click("#keep")
    owner.shows("#sheet h2", "Von dieser Kamera kommt noch kein Bild")
    page.click("#choose-other")
    expect(page.locator("#sheet")).to_be_hidden()
    assert house.eyes.setting is None
    page.click("#keep")
    page.click("#keep-blind")
    owner.shows("#sheet h2", "Neue Partie")
    assert house.eyes.setting == Setting("http://10.0.0.7/none")


@pytest.mark.parametrize(
    ("refused", "said"),
    [
        ({"error": "deck: 'oma' is not enrolled"}, "Dieses Blatt ist nicht gelernt."),
        ({"error": "setup.json: No space left on device", "reason": "not_kept"}, "nicht gespeichert werden"),
        ({"error": "the companion failed; its log says why"}, "steht im Protokoll am Rechner"),
    ],
)
def test_what_is_refused_is_said_in_the_language_of_the_page(owner: Phone, refused: dict, said: str) -> None:
    """Whatever it is: no English on a German page."""
    owner.page.route("**/api/setup", lambda route: route.fulfill(status=409, json=refused))
    owner.page.click("#keep")
    owner.shows("#toast", said)
    expect(owner.page.locator("#toast")).not_to_contain_text(refused["error"])
    owner.page.unroute("**/api/setup")


def test_leaving_the_page_watches_the_table_as_before(owner: Phone, house: House) -> None:
    """A trial ends with its page."""
    house.eyes.keep(Setting("0"))
    owner.page.click("[data-pick=camera-2]")
    owner.shows(".said .lost", "Tisch nicht gefunden")
    owner.page.click("#back")
    owner.shows("#camera", "Kamera$")
    assert not house.eyes.now.trial


def learn_oma(owner: Phone) -> None:
    """Begin to learn a pack, from the list of packs on."""
    page = owner.page
    page.click("[data-pick=deck-learn]")
    page.fill("#learn-name", "oma")
    page.click("#learn-start")


def test_a_pack_is_learnt_card_by_card(owner: Phone, house: House, optics: StagedOptics) -> None:
    """Each card is asked for by its face; a wrong one is said and asked for again; what is alike is told."""
    page = owner.page
    page.click("[data-pick=deck-learn]")
    page.fill("#learn-name", "../oma")
    page.click("#learn-start")
    owner.shows("#toast", "Name des Blatts")
    page.fill("#learn-name", "oma")
    page.click("#learn-start")
    page.wait_for_selector(f"[data-asked={ORDER[0]}]")
    optics.laid.put(ORDER[0])
    page.wait_for_selector(f"[data-asked={ORDER[1]}]")
    optics.laid.put("KD")
    owner.shows(".odd", "Karo König")
    page.click("#learn-back")
    page.wait_for_selector(f"[data-asked={ORDER[1]}]")
    for card in (*ORDER[1:-1], "AH"):
        optics.laid.put(card)
    owner.shows("#learning h2", "oma ist gelernt")
    owner.shows("#learning .unlike", "Pik Bub sah nach Herz Ass aus")
    owner.shows("#learning li", "Herz König – Karo König")
    page.click("#learn-use")
    expect(page.locator("[data-pick=deck-oma]")).to_have_attribute("aria-pressed", "true")
    page.wait_for_selector(".view img")
    page.click("#keep")
    page.wait_for_selector("#sheet h2")
    assert house.eyes.setting.deck == "oma"
    assert read_deck(house.folder / "decks", "oma").cards == tuple(ORDER)


def test_a_name_that_is_taken_is_said_before_its_pack_is_replaced(owner: Phone, house: House) -> None:
    """As it is typed; the key of the phone's keyboard begins."""
    write_deck(house.folder / "decks", Deck("oma", dict.fromkeys(ORDER, (np.zeros(CARD.shape, np.uint8),))))
    page = owner.page
    page.reload()
    page.click("[data-pick=deck-learn]")
    page.fill("#learn-name", "om")
    expect(page.locator("#sheet .taken")).to_have_text("")
    page.fill("#learn-name", "oma")
    owner.shows("#sheet .taken", "oma gibt es schon und wird ersetzt")
    page.press("#learn-name", "Enter")
    page.wait_for_selector(f"[data-asked={ORDER[0]}]")


def test_a_pack_that_is_learnt_waits_for_its_camera(
    owner: Phone, house: House, optics: StagedOptics, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is asked for stays, why nothing is seen is said once, and the cards shown so far are kept."""
    monkeypatch.setattr("companion.live.eyes.SILENT_S", 0.5)
    away, frames = threading.Event(), StagedCamera.__iter__

    def halting(camera: StagedCamera) -> Iterator[Frame]:
        for frame in frames(camera):
            while away.is_set() and not camera.closed.wait(0.02):
                pass
            yield frame

    monkeypatch.setattr(StagedCamera, "__iter__", halting)
    page = owner.page
    learn_oma(owner)
    optics.laid.put(ORDER[0])
    page.wait_for_selector(f"[data-asked={ORDER[1]}]")
    away.set()
    owner.shows("#picture .blank", "schickt kein Bild mehr")
    owner.shows(f"[data-asked={ORDER[1]}] .odd", "geht es hier weiter")
    away.clear()
    page.wait_for_selector(".view img")
    expect(page.locator(f"[data-asked={ORDER[1]}] .odd")).to_have_count(0)
    optics.laid.put(ORDER[1])
    page.wait_for_selector(f"[data-asked={ORDER[2]}]")


def test_a_pack_is_learnt_on_where_a_page_is_loaded_anew_or_another_phone_leaves(
    owner: Phone, house: House, optics: StagedOptics, open_phone
) -> None:
    """Cards that were shown are not shown again."""
    page = owner.page
    learn_oma(owner)
    page.wait_for_selector(f"[data-asked={ORDER[0]}]")
    optics.laid.put(ORDER[0])
    other = open_phone(owner=True, ready=f"[data-asked={ORDER[1]}]")
    with other.page.expect_response("**/api/setup/look"):
        pass
    other.page.click("#back")
    other.page.wait_for_selector("#players article")
    page.reload()
    page.wait_for_selector(f"[data-asked={ORDER[1]}]")
    optics.laid.put(ORDER[1])
    page.wait_for_selector(f"[data-asked={ORDER[2]}]")
    page.click("#back")
    page.wait_for_selector("#players article")
    until(lambda: house.eyes.now is None or not house.eyes.now.trial)


def test_a_pack_that_a_new_start_of_the_companion_broke_off_is_said_to_be(
    owner: Phone, house: House, optics: StagedOptics
) -> None:
    """The page says so while the server is away, comes back by itself, and leads to a new beginning."""
    page = owner.page
    learn_oma(owner)
    page.wait_for_selector(f"[data-asked={ORDER[0]}]")
    house.close()
    owner.shows("#banner", "Keine Verbindung")
    house.open()
    owner.shows("#sheet h2", "oma wird nicht mehr gelernt")
    expect(page.locator("#banner")).to_be_hidden()
    page.click("#learn-anew")
    page.fill("#learn-name", "oma")
    page.click("#learn-start")
    page.wait_for_selector(f"[data-asked={ORDER[0]}]")
    expect(page.locator("#sheet")).to_be_hidden()
    owner.complaints.clear()  # a console tells that the line was cut


def test_a_guest_sets_nothing_up(open_phone, house: House) -> None:
    """Another phone's menu does not lead there; who comes all the same is told who can and sees nothing."""
    guest = open_phone()
    with guest.page.expect_response("**/api/me"):
        guest.page.click("#open-menu")
    expect(guest.page.locator("#menu-played")).to_be_visible()
    expect(guest.page.locator("#menu-setup")).to_have_count(0)
    guest.page.goto(f"{house.address}/setup.html")
    guest.shows("#banner", "wer den Code am Rechner gescannt hat")
    assert guest.page.locator("img, main button, footer button").count() == 0


@pytest.mark.parametrize(
    ("language", "theme", "width"), [("de", "dark", 375), ("en", "light", 320), ("en", "dark", 768)]
)
def test_everything_can_be_read_and_touched(
    open_phone, house: House, optics: StagedOptics, language: str, theme: str, width: int
) -> None:
    """Set-up and learning: 44 px, contrast, names, nothing wider than the phone, no word missing."""
    phone = open_phone(
        owner=True,
        ready=".view img",
        viewport={"width": width, "height": 812},
        choices={"language": language, "theme": theme},
    )
    page, found = phone.page, []

    def look(where: str) -> None:
        page.wait_for_timeout(50)
        found.extend([*faults(page, where), *serious(page, where)])
        text = page.inner_text("body")
        found.extend(word for word in ("null", "undefined", "{") if word in text)

    look("set-up")
    page.click("[data-pick=deck-learn]")
    look("name")
    page.fill("#learn-name", "oma")
    page.click("#learn-start")
    for card in ORDER[:1]:
        optics.laid.put(card)
    page.wait_for_selector(f"[data-asked={ORDER[1]}]")
    look("learning")
    for card in ORDER[1:]:
        optics.laid.put(card)
    page.wait_for_selector("#learn-use")
    look("learnt")
    page.click("#learn-use")
    page.fill("#camera-address", "http://10.0.0.7/none")
    page.click("#camera-look")
    page.click("#keep")
    page.wait_for_selector("#keep-blind")
    look("no picture")
    assert found == []
