"""What an MQTT broker is told of the table."""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from mqtt_broker import Broker
from patience import WAIT_S, until
from raw_wire import CARD, MODES
from scripted_table import HAND, PLAYED, newest, timed, view_at

from companion.cli import main
from companion.commands.serve import MQTT_PASSWORD
from companion.live.command import Claim, NewMatch
from companion.live.health import Sight
from companion.live.snapshot import Role
from companion.live.table import LiveTable
from companion.server.home_assistant import Topics
from companion.server.mqtt import Publisher, parse_broker
from companion.table.entry import Asked

ROOT = Path(__file__).resolve().parent.parent.parent
SECRET = "ge:heim/7#&"
ESCAPED = "ge%3Aheim%2F7%23%26"
NEEDED = {"p", "name", "unique_id", "value_template"}
"""What Home Assistant asks of each entity of a device that has a common state topic."""
STATUS = "homeassistant/status"


@pytest.fixture
def table(open_table) -> LiveTable:
    """A table whose camera will see a hand without its claim."""
    return open_table(timed(PLAYED), names=("Anna", ""), source="script")


def teller(url: str) -> Publisher:
    """Whoever tells the broker at `url` of the table at `test`."""
    return Publisher(parse_broker(url), "test")


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What was said of brokers on stderr."""
    said = (each for each in caplog.records if each.name == "companion.server.mqtt")
    return [each.getMessage() for each in said if each.levelno >= logging.WARNING]


def test_home_assistant_is_told_of_a_whole_device(table: LiveTable, broker: Broker) -> None:
    """One message names the device, who announces it, and entities that find their value in the state."""
    table.see(view_at(3.0))
    with broker.heard() as heard, teller(broker.url).telling(table.feed):
        config = heard.wait("config")
        state = heard.wait("state")
        assert heard.wait("available") == "online"
    topics = {topic for topic, _ in heard.raw}
    assert topics == {
        "homeassistant/device/schnapsen-test/config",
        config["state_topic"],
        config["availability_topic"],
    }
    assert config["dev"]["ids"] == ["schnapsen-test"]
    assert config["o"]["name"]
    entities = config["cmps"]
    assert {name for name, each in entities.items() if each["p"] == "binary_sensor"} == {"camera", "question"}
    assert len({each["unique_id"] for each in entities.values()}) == len(entities)
    for each in entities.values():
        assert set(each) >= NEEDED
        (key,) = re.fullmatch(r"\{\{ value_json\.(\w+) \}\}", each["value_template"]).groups()
        assert key in state
        value = state[key]
        assert value is None or value in each.get("options", [value])
        assert (each["p"] == "binary_sensor") is isinstance(value, bool) or value is None
    assert set(state) == set(entities)
    names = {each["name"] for each in entities.values()}
    assert {"Anna Bummerl", "North Bummerl"} <= names
    assert "Anna" not in json.dumps([each["unique_id"] for each in entities.values()])
    assert "command" not in json.dumps(config)


def test_tables_of_one_machine_do_not_talk_over_each_other() -> None:
    """By their names; such as differ in letters that a topic cannot hold stay two."""
    tables = [
        Topics.of("pi.lan", name)
        for name in ("", "Tisch 1", "Tisch 2", "Tisch-1", "Tisch_1", "Stüberl", "Stöberl")
    ]
    for told in ("config", "state", "available", "device", "entity", "name"):
        assert len({getattr(topics, told) for topics in tables}) == len(tables), told
    assert tables[1].state == "schnapsen/pi-Tisch-1/state"
    assert all(re.fullmatch("[a-z0-9_]+", topics.entity) for topics in tables)
    assert all(re.fullmatch("[A-Za-z0-9_-]+", topics.device) for topics in tables)


def test_new_names_are_announced(table: LiveTable, broker: Broker) -> None:
    """Entities are called by the players of the match, and stay the same entities."""
    with broker.heard() as heard, teller(broker.url).telling(table.feed):
        before = heard.wait("config")["cmps"]
        table.submit(NewMatch(names=("Zita", "Ödön")))
        after = heard.wait("config", lambda config: "Zita" in config["cmps"]["south_points"]["name"])["cmps"]
    assert after["north_points"]["name"] == "Ödön points"
    assert [each["unique_id"] for each in after.values()] == [each["unique_id"] for each in before.values()]


def test_the_state_follows_the_hand_and_is_told_once(table: LiveTable, broker: Broker) -> None:
    """Trump, stock, points and result as the table has them; what has not changed is not told again."""
    with broker.heard() as heard, teller(broker.url).telling(table.feed):
        assert heard.wait("state")["table"] == "waiting"
        for step in range(1, len(PLAYED) + 1):
            table.see(view_at(float(step)))
            table.see(view_at(step + 0.5))
        seen = newest(table).hand
        full = [side.total.low for side in seen.sides]
        state = heard.wait("state", lambda state: [state["south_points"], state["north_points"]] == full)
        assert (state["table"], state["trump"]) == ("playing", seen.trump.name.lower())
        table.submit(Claim(HAND[-1].player))
        state = heard.wait("state", lambda state: state["table"] == "over")
    match = newest(table).match
    assert (state["south_game_points"], state["north_game_points"]) == match.points != (7, 7)
    states = heard.all("state")
    assert all(one != other for one, other in pairwise(states))
    stocks = [each["stock"] for each in states if isinstance(each["stock"], int)]
    assert stocks == sorted(stocks, reverse=True)
    assert len(stocks) > 1
    assert len(heard.all("config")) == len([each for each in heard.all("available") if each == "online"]) == 1


def test_a_question_and_a_lost_camera_are_told(open_table, broker: Broker) -> None:
    """What is open and what sees nothing is on; where there is nothing to know, nothing is said."""
    asked = Asked(0, 3.5, "which_card", 3, (PLAYED[2], PLAYED[1]))
    table = open_table([*timed(PLAYED[:3]), (3.5, asked)], source="script")
    with broker.heard() as heard, teller(broker.url).telling(table.feed):
        assert heard.wait("state", lambda state: state["camera"] is False)["question"] is None
        table.see(view_at(3.0))
        heard.wait("state", lambda state: (state["camera"], state["question"]) == (True, False))
        table.see(view_at(4.0))
        heard.wait("state", lambda state: (state["camera"], state["question"]) == (True, True))
        table.report(Sight.LOST, "gone")
        heard.wait("state", lambda state: (state["camera"], state["question"]) == (False, True))
    assert b"gone" not in b"".join(payload for _, payload in heard.raw)


def on_board(hand: dict[str, Any] | None) -> tuple[object, ...]:
    """Trump, stock and both totals as a snapshot's hand shows them."""
    if hand is None:
        return (None,) * 4
    totals = (side["total"] and side["total"][0] for side in hand["sides"])
    return (hand["trump"], hand["stock_left"] if hand["stock"] == "open" else hand["stock"], *totals)


def on_broker(state: dict[str, Any]) -> tuple[object, ...]:
    """The same as an MQTT broker has been told."""
    trump = state["trump"] and state["trump"][0].upper()
    return (trump, state["stock"], state["south_points"], state["north_points"])


@pytest.mark.parametrize("mode", MODES)
def test_a_broker_is_told_what_the_board_is_shown(open_wire, broker: Broker, mode: str) -> None:
    """Whoever reads along there knows no more than the board's raw stream had by then, and never a card."""
    wire = open_wire(mode)
    shown = [(None,) * 4]
    with broker.heard() as heard, teller(broker.url).telling(wire.table.feed):
        for step in range(1, len(PLAYED) + 1):
            wire.table.see(view_at(float(step)))
            shown.append(on_board(wire.read(Role.BOARD)["hand"]))
            heard.wait("state", lambda state: on_broker(state) == shown[-1])
            assert {on_broker(state) for state in heard.all("state")} <= set(shown)
        before = heard.all("state")
        claimant = int(HAND[-1].player)
        wire.post(Role.TABLE, type="claim", player=claimant)
        heard.wait("state", lambda state: state["table"] == "over" and None not in on_broker(state))
        over = wire.read(Role.BOARD)["hand"]
        assert on_broker(heard.all("state")[-1]) == on_board(over)
    assert [CARD.findall(payload) for _, payload in heard.raw] == [[]] * len(heard.raw)
    counted = any(state["south_points"] is not None for state in before)
    assert counted is (mode in ("training", "broadcast"))
    assert any(state["stock"] is not None for state in before) is (mode != "tournament")
    assert all((state["question"] is None) is (state["south_points"] is None) for state in before)


def test_a_broker_that_is_away_is_said_once_and_told_when_it_comes(
    table: LiveTable, new_broker: Callable[..., Broker], caplog: pytest.LogCaptureFixture
) -> None:
    """Neither the start nor the table waits for it; after several tries it gets what holds then."""
    broker = new_broker()
    with socket.create_server(("127.0.0.1", broker.port)) as nobody, teller(broker.url).telling(table.feed):
        for _ in range(2):
            nobody.accept()[0].close()
        table.see(view_at(3.0))
        nobody.close()
        broker.start()
        with broker.heard() as heard:
            assert heard.wait("state")["table"] == "playing"
    assert len(warnings(caplog)) == 1
    assert f"127.0.0.1:{broker.port}" in warnings(caplog)[0]


def test_a_broker_that_dies_and_comes_back_has_the_right_state(
    table: LiveTable, broker: Broker, caplog: pytest.LogCaptureFixture
) -> None:
    """It has forgotten everything, the hand has gone on: it is told anew, and only what holds now."""
    with teller(broker.url).telling(table.feed):
        with broker.heard() as heard:
            heard.wait("state")
        broker.kill()
        for step in range(1, len(PLAYED) + 1):
            table.see(view_at(float(step)))
        broker.start()
        with broker.heard() as heard:
            state = heard.wait("state")
            assert heard.wait("available") == "online"
            assert heard.wait("config")["cmps"]
        assert state["south_points"] == newest(table).hand.sides[0].total.low
    assert len(warnings(caplog)) == 1


def test_a_broker_that_hangs_gets_the_newest_when_it_goes_on(table: LiveTable, broker: Broker) -> None:
    """The table plays on meanwhile."""
    with broker.heard() as heard, teller(broker.url).telling(table.feed):
        heard.wait("available")
        with broker.asleep():
            table.see(view_at(float(len(PLAYED))))
            table.submit(Claim(HAND[-1].player))
        assert heard.wait("state", lambda state: state["table"] == "over")


def test_whoever_never_answers_holds_up_nobody(table: LiveTable) -> None:
    """Something that takes the connection and is silent: the table plays on, and leaving needs no answer."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        publisher = teller(f"mqtt://127.0.0.1:{silent.getsockname()[1]}")
        play_on, played, left = threading.Event(), threading.Event(), threading.Event()

        def tell() -> None:
            with publisher.telling(table.feed):
                play_on.wait(WAIT_S)
                table.see(view_at(3.0))
                played.set()
            left.set()

        threading.Thread(target=tell, daemon=True).start()
        taken, _ = silent.accept()
        with taken:  # open to the end: nothing but the teller itself ends this
            play_on.set()
            assert played.wait(WAIT_S)
            assert len(newest(table).hand.events) == 3
            assert left.wait(WAIT_S)


def test_a_home_assistant_that_starts_is_told_everything(table: LiveTable, broker: Broker) -> None:
    """Whatever else is said there is not listened to, and nothing changes at the table."""
    with broker.heard() as heard, teller(broker.url).telling(table.feed):
        heard.wait("available")
        before = newest(table)
        for topic, payload in (
            (STATUS, b"offline"),
            (STATUS, b"\xff\x00"),
            ("schnapsen/test/set", b'{"type":"new_match"}'),
            ("schnapsen/test/state/set", b"x"),
        ):
            heard.client.publish(topic, payload)
        assert len(heard.all("config")) == 1
        heard.client.publish(STATUS, b"online")
        heard.wait_for_more("config", 1)
        heard.wait_for_more("state", 1)
        heard.wait_for_more("available", 1)
        assert heard.all("config")[0] == heard.all("config")[1]
        assert newest(table) == before


def test_the_late_will_of_a_run_before_is_contradicted(table: LiveTable, broker: Broker) -> None:
    """A laptop that lost its power is back before the broker has noticed; it says once more that it is."""
    with broker.heard() as heard, teller(broker.url).telling(table.feed):
        heard.wait("available")
        heard.client.publish("schnapsen/test/available", b"offline", retain=True)
        heard.wait_for_more("available", 2)
        assert heard.all("available") == ["online", "offline", "online"]
        heard.client.publish("schnapsen/other/available", b"offline", retain=True)
        table.see(view_at(3.0))
        heard.wait("state", lambda state: state["table"] == "playing")
    heard_last = heard.all("available")
    assert (heard_last[-1], heard_last.count("online"), len(heard.all("config"))) == ("offline", 2, 1)


def test_the_command_tells_and_says_good_bye(tmp_path: Path, new_broker: Callable[..., Broker]) -> None:
    """Killed, its will says so; started again it is there; ended, it says so; the password stays unsaid."""
    broker = new_broker(user="anna", password=SECRET)
    broker.start()
    command = [sys.executable, "-m", "companion", "serve", "--host", "127.0.0.1", "--port", "0"]
    command += ["--data", str(tmp_path / "data"), "--mqtt", f"mqtt://anna@127.0.0.1:{broker.port}"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), MQTT_PASSWORD: SECRET}

    def serving() -> subprocess.Popen[str]:
        piped = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        return subprocess.Popen(command, cwd=ROOT, env=environment, **piped)

    said = ""
    with broker.heard() as heard:
        for how, status in ((signal.SIGKILL, -signal.SIGKILL), (signal.SIGTERM, 0)):
            with serving() as run:
                heard.wait("available", lambda available: available == "online")
                run.send_signal(how)
                said += "".join(run.communicate())
            assert run.returncode == status
            heard.wait("available", lambda available: available == "offline")
    assert heard.all("available") == ["online", "offline"] * 2
    assert SECRET not in said
    with broker.heard() as late:
        assert late.wait("available") == "offline"


def test_a_password_is_never_said(
    table: LiveTable, new_broker: Callable[..., Broker], caplog: pytest.LogCaptureFixture
) -> None:
    """A broker that refuses is said once, without the password, and nothing is told to it."""
    caplog.set_level(logging.DEBUG)
    broker = new_broker(user="anna", password="another")
    broker.start()
    asked = parse_broker(broker.url.replace("//", f"//anna:{ESCAPED}@"))
    assert asked.password == SECRET
    with broker.heard() as heard, Publisher(asked, "test").telling(table.feed):
        until(lambda: bool(warnings(caplog)))
    assert heard.raw == []
    assert "refuses" in warnings(caplog)[0]
    for text in (*(each.getMessage() for each in caplog.records), repr(asked), str(asked)):
        assert SECRET not in text
        assert ESCAPED not in text


@pytest.mark.filterwarnings("ignore:unclosed <ssl.SSLSocket:ResourceWarning")  # paho, after it was refused
@pytest.mark.parametrize("trusted", [False, True])
def test_over_tls_only_a_broker_that_is_trusted_is_told(
    table: LiveTable,
    tmp_path: Path,
    new_broker: Callable[..., Broker],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    trusted: bool,
) -> None:
    """A certificate that nobody vouches for is said, and the password stays here."""
    openssl = shutil.which("openssl") or pytest.skip("no openssl on this machine")
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    make = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=broker"]
    make += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(make, check=True, capture_output=True)
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    broker = new_broker(certificate=(certificate, key))
    broker.start()
    with broker.heard() as heard, teller(broker.tls_url).telling(table.feed):
        if trusted:
            heard.wait("available")
        else:
            until(lambda: bool(warnings(caplog)))
    assert bool(heard.raw) is trusted
    assert ["certificate" in each for each in warnings(caplog)] == [True] * (not trusted)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "broker",
        "broker:1883",
        "http://broker",
        "mqtt://",
        "mqtt://:1883",
        "mqtt://broker:0",
        "mqtt://broker:65536",
        "mqtt://broker:port",
        "mqtt://broker/topic",
        "mqtt://broker?x=1",
        "mqtt://broker#x",
        "mqtt://a..b",
        "mqtt://[::1",
        f"mqtt://anna:{SECRET}@broker",
        f"mqtt://:{ESCAPED}@broker",
        f"anna:{ESCAPED}@broker",
        f"mqtt://anna:{ESCAPED * 6000}@broker",
    ],
)
def test_an_address_that_is_none_ends_the_command(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line, status 2, before anything is opened; nothing of a password in it."""
    assert main(["serve", "--mqtt", url, "--data", str(tmp_path / "data")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("companion: --mqtt: ")
    assert "heim" not in line
    assert not (tmp_path / "data").exists()


def test_without_the_library_the_command_says_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line, status 2."""
    for name in ("paho", "paho.mqtt", "paho.mqtt.client", "paho.mqtt.enums"):
        monkeypatch.setitem(sys.modules, name, None)
    assert main(["serve", "--mqtt", "mqtt://broker", "--data", str(tmp_path / "data")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "schnapsen-companion[mqtt]" in line


@pytest.mark.parametrize(
    ("url", "host", "port", "tls"),
    [
        ("mqtt://broker.lan", "broker.lan", 1883, False),
        ("mqtts://broker.lan/", "broker.lan", 8883, True),
        ("mqtt://[::1]:2883", "::1", 2883, False),
    ],
)
def test_an_address_is_read(url: str, host: str, port: int, tls: bool) -> None:
    """Host, port and whether it is encrypted; without a user nobody is named."""
    broker = parse_broker(url)
    assert (broker.host, broker.port, broker.tls, broker.user) == (host, port, tls, None)
