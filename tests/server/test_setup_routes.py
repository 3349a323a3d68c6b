"""The routes of the set-up: owners only, nothing by GET, each field checked, no picture in a fair hand."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from paired import ORIGIN, pair
from scripted_table import PLAYED, ScriptedDecoders, timed, view_at
from staged_optics import StagedOptics, detection, table_picture

from companion.live.command import NewMatch
from companion.live.eyes import Eyes, Looking
from companion.live.setting import Setting, SettingError, read_setting
from companion.live.snapshot import Role
from companion.live.table import LiveTable
from companion.rules.fair_play import FairPlay
from companion.rules.ruleset import RuleSet
from companion.server import create_app
from companion.server.pairing import Pairing
from companion.store.log import EventLog

TABLE = ((0.2, 0.1), (0.8, 0.15), (0.95, 0.9), (0.05, 0.85))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    """A table whose camera will see a hand."""
    with LiveTable(
        EventLog(tmp_path / "t.sqlite"), ScriptedDecoders(timed(PLAYED)), rules=RuleSet()
    ) as table:
        yield table


@pytest.fixture
def eyes(table: LiveTable, tmp_path: Path) -> Iterator[Eyes]:
    """Its camera, before a card."""
    optics = StagedOptics(tmp_path, {"0": table_picture(TABLE)}, detection("KH", 320, 180))
    with Eyes(table, optics, tmp_path / "setup.json", None) as eyes:
        yield eyes


@pytest.fixture
def stranger(table: LiveTable, pairing: Pairing, eyes: Eyes) -> FlaskClient:
    """A device that has not been paired."""
    return create_app(table, pairing, eyes=eyes).test_client()


@pytest.fixture
def owner(stranger: FlaskClient, pairing: Pairing) -> FlaskClient:
    """The owner's phone, which lies in the middle of the table."""
    return pair(stranger.application.test_client(), pairing, owner=True)


def look(client: FlaskClient):
    """What a look at the picture gives, once there is one."""
    for _ in range(500):
        answer = client.get("/api/setup/look")
        if answer.status_code != 200 or answer.get_json()["picture"]:
            return answer
        time.sleep(0.01)
    raise TimeoutError("no picture came")


def test_only_an_owner_sets_up(stranger: FlaskClient, pairing: Pairing, eyes: Eyes) -> None:
    """A referee's phone is refused, a stranger is not let in, and nothing is looked at."""
    posted = {"json": {"type": "try", "setting": {"camera": "0"}}, "headers": ORIGIN}
    for status in (401, 403):
        for path in ("/api/setup", "/api/setup/look"):
            assert stranger.get(path).status_code == status
        assert stranger.post("/api/setup", **posted).status_code == status
        pair(stranger, pairing, Role.REFEREE) if status == 401 else None
    assert eyes.now is None


def test_a_get_changes_nothing(owner: FlaskClient, eyes: Eyes) -> None:
    """Looking at the set-up begins no trial, whatever the address says."""
    assert owner.get("/api/setup?type=keep&camera=0").status_code == 200
    assert (eyes.now, eyes.setting) == (None, None)


def test_a_setting_is_tried_and_kept(owner: FlaskClient, eyes: Eyes) -> None:
    """The picture comes with what is recognised; keeping it ends the trial."""
    tried = owner.post("/api/setup", json={"type": "try", "setting": {"camera": "0"}}, headers=ORIGIN)
    assert (tried.status_code, tried.get_json()["trying"]["camera"]) == (201, "0")
    seen = look(owner).get_json()
    assert [card["card"] for card in seen["cards"]] == ["KH"]
    assert eyes.now.trial
    kept = owner.post(
        "/api/setup", json={"type": "keep", "setting": {"camera": "0", "table": TABLE}}, headers=ORIGIN
    )
    assert (kept.status_code, kept.get_json()["trying"]) == (201, None)
    assert eyes.setting == Setting("0", 0, TABLE)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ([], "object"),
        ({"type": "look"}, "type"),
        ({"type": "try"}, "setting"),
        ({"type": "try", "setting": {"camera": "/etc/passwd"}}, "camera"),
        ({"type": "try", "setting": {"camera": "0", "zoom": 2}}, "zoom"),
        ({"type": "keep", "setting": {"deck": "nobodys"}}, "deck"),
        ({"type": "keep", "setting": {}, "more": 1}, "more"),
        ({"type": "enrol", "setting": {}, "name": "oma", "nines": False}, "camera"),
        ({"type": "enrol", "setting": {"camera": "0"}, "name": "../oma", "nines": False}, "oma"),
        ({"type": "enrol", "setting": {"camera": "0"}, "name": 7, "nines": False}, "name"),
        ({"type": "enrol", "setting": {"camera": "0"}, "name": "oma", "nines": 1}, "nines"),
    ],
)
def test_what_cannot_have_been_meant_is_a_400_that_names_the_field(
    owner: FlaskClient, eyes: Eyes, asked: object, says: str
) -> None:
    """The boundary is strict, and nothing is begun."""
    answer = owner.post("/api/setup", json=asked, headers=ORIGIN)
    assert answer.status_code == 400
    assert says in answer.get_json()["error"]
    assert eyes.now is None


def test_no_last_card_without_a_pack_that_is_learnt(owner: FlaskClient) -> None:
    """What cannot be done now is 409."""
    assert owner.post("/api/setup", json={"type": "enrol_back"}, headers=ORIGIN).status_code == 409


def test_a_pack_that_is_left_as_a_card_is_asked_for_again_is_no_failure(
    owner: FlaskClient, eyes: Eyes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another owner ends it in between: what was asked of it is done, and the answer says that it is over."""
    learning = Looking(Setting("0"), trial=True, enrolling=eyes._optics.enrolling("pack", False))
    now = [learning]
    monkeypatch.setattr(Eyes, "now", property(lambda self: now.pop() if now else None))
    answer = owner.post("/api/setup", json={"type": "enrol_back"}, headers=ORIGIN)
    assert answer.status_code == 201
    assert answer.get_json()["enrolling"] is None


def test_the_picture_is_not_shown_while_a_fair_hand_is_played(
    owner: FlaskClient, stranger: FlaskClient, pairing: Pairing, table: LiveTable, eyes: Eyes
) -> None:
    """It may show a player's hand: in a tournament only a referee's device looks on meanwhile."""
    referee = pair(stranger, pairing, Role.REFEREE, owner=True)
    eyes.try_out(Setting("0"))
    assert look(owner).status_code == 200
    table.submit(NewMatch(fair=FairPlay("tournament")))
    table.see(view_at(3.0))
    assert look(owner).status_code == 403
    assert look(referee).status_code == 200
    table.submit(NewMatch(fair=FairPlay("training")))
    assert look(owner).status_code == 200


def test_a_set_up_that_is_nested_too_deeply_is_named(tmp_path: Path) -> None:
    """The file, and how to begin anew."""
    kept = tmp_path / "setup.json"
    kept.write_text("[" * 100_000)
    with pytest.raises(SettingError, match=r"setup\.json: .*--setup begins anew"):
        read_setting(kept)
