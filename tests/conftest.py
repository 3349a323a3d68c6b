"""What tests share: tables on one log with a clock that stands still, devices, a Chromium and phones in it.

The only such file under `tests`; it also makes the modules beside it importable.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browsing import FLAGS, House, Phone, chromium_path
from flask.testing import FlaskClient
from mqtt_broker import Broker
from paired import pairing_in
from raw_wire import MODES, Wire
from scripted_table import PLAYED, Script, ScriptedDecoders, timed

from companion.live.table import LiveTable
from companion.rules.fair_play import FairPlay
from companion.rules.ruleset import RuleSet
from companion.server import create_app
from companion.server.pairing import Pairing
from companion.store.log import EventLog

EXPECTED = re.compile(
    r"\b(401|403|409)\b|net::ERR_(CONNECTION|EMPTY_RESPONSE|INCOMPLETE|INTERNET_DISCONNECTED|NETWORK)"
)
"""What a console says of a server that is away, or refuses: pages tell that in their own words."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where nothing is asked for but what runs alone, files that do not name that mark are not imported."""
    if config.getoption("markexpr") != "alone" or collection_path.suffix != ".py":
        return None
    return "mark.alone" not in collection_path.read_text(encoding="utf-8") or None


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let whoever has time ask for further tables that show the same."""
    parser.addoption("--further", action="store_true", help="run the cases marked `further`, too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what nobody asked for, and order the files.

    Those that wait for a browser are spread among those that compute: side by side they fill all cores.
    """
    if not config.getoption("further"):
        left_out = [item for item in items if item.get_closest_marker("further")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("further")]
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    groups: dict[bool, list[list[pytest.Item]]] = {False: [], True: []}
    for file in files.values():
        groups[any(item.get_closest_marker("browser") for item in file)].append(file)
    placed = [(place / len(group), file) for group in groups.values() for place, file in enumerate(group)]
    items[:] = [item for _, file in sorted(placed, key=lambda each: each[0]) for item in file]


@pytest.fixture(scope="session")
def chromium() -> Iterator:
    """A headless Chromium of this machine."""
    playwright = pytest.importorskip("playwright.sync_api")
    found = chromium_path()
    if found is None:
        pytest.skip("no Chromium on this machine (apt-get install chromium)")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=list(FLAGS))
        yield browser
        browser.close()


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    """A clock that stands still."""
    return Clock()


@pytest.fixture
def open_table(tmp_path: Path, clock: Clock) -> Iterator:
    """Opens tables on one log, one after the other, and closes the last."""
    opened: list[LiveTable] = []

    def open_(script: Script = (), **more) -> LiveTable:
        if opened:
            opened[-1].close()
        decoders = more.pop("decoders", None) or ScriptedDecoders(script)
        log = EventLog(tmp_path / "table.sqlite")
        rules = more.pop("rules", RuleSet())
        opened.append(LiveTable(log, decoders, rules=rules, clock=clock, **more))
        return opened[-1]

    yield open_
    if opened:
        opened[-1].close()


@pytest.fixture
def pairing(tmp_path: Path) -> Pairing:
    """The devices of this table."""
    return pairing_in(tmp_path)


@pytest.fixture
def stranger(table: LiveTable, pairing: Pairing) -> FlaskClient:
    """A device at the test's table that has not been paired."""
    return create_app(table, pairing).test_client()


@pytest.fixture
def open_wire(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Wire]]:
    """Opens tables with streams that beat as soon as there is nothing to say, and closes them."""
    monkeypatch.setattr("companion.server.stream.HEARTBEAT_S", 0.0)
    opened: list[Wire] = []

    def open_(mode: str, script=None, **more) -> Wire:
        folder = tmp_path / str(len(opened))
        folder.mkdir()
        fair = mode if isinstance(mode, FairPlay) else MODES[mode]
        opened.append(Wire(folder, fair, timed(PLAYED) if script is None else script, **more))
        return opened[-1]

    yield open_
    for each in opened:
        each.close()


@pytest.fixture
def new_broker(tmp_path: Path) -> Iterator[Callable[..., Broker]]:
    """Makes MQTT brokers that are still to be started, and ends them."""
    pytest.importorskip("amqtt")
    made: list[Broker] = []

    def make(**more) -> Broker:
        made.append(Broker(tmp_path / f"broker{len(made)}", **more))
        return made[-1]

    yield make
    for each in made:
        each.kill()


@pytest.fixture
def broker(new_broker: Callable[..., Broker]) -> Broker:
    """An MQTT broker that runs."""
    made = new_broker()
    made.start()
    return made


@pytest.fixture
def open_house(tmp_path: Path) -> Iterator[Callable[..., House]]:
    """Opens tables with their servers, and closes them at the end."""
    opened: list[House] = []

    def open_(script: Script = (), **more) -> House:
        opened.append(House(tmp_path / f"house{len(opened)}", script, **more))
        return opened[-1]

    yield open_
    for house in opened:
        house.close()


@pytest.fixture
def house(open_house: Callable[..., House]) -> House:
    """A table whose camera will see a hand without its claim."""
    return open_house(timed(PLAYED))


@pytest.fixture
def open_phone(chromium, open_house, request: pytest.FixtureRequest) -> Iterator[Callable[..., Phone]]:
    """Opens phones at a table, without another at `house`.

    At the end no console has complained of more than a server that was away or sent the device away, and
    no phone has asked anybody else.
    """
    opened: list[Phone] = []

    def open_(at: House | None = None, **more) -> Phone:
        opened.append(Phone(chromium, at or request.getfixturevalue("house"), **more))
        return opened[-1]

    yield open_
    for phone in opened:
        phone.context.close()
    assert [said for phone in opened for said in phone.complaints if not EXPECTED.search(said)] == []
    assert [url for phone in opened for url in phone.elsewhere] == []


@pytest.fixture
def phone(open_phone: Callable[..., Phone]) -> Phone:
    """A phone at that table, for both players."""
    return open_phone()
