"""Tells an MQTT broker what a screen beside the table shows, for Home Assistant and whoever else listens.

It only tells: nothing that comes from the broker changes anything. Needs the library paho-mqtt (the extra
`mqtt`). A broker that is away is tried again for as long as the table is open, and the table does not notice.
"""

from __future__ import annotations

import contextlib
import logging
import socket
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from companion.live.audience import snapshot_for
from companion.live.snapshot import Role
from companion.server.home_assistant import OFFLINE, ONLINE, STATUS, Topics, messages
from companion.server.stream import Feed

if TYPE_CHECKING:
    from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage, MQTTMessageInfo
    from paho.mqtt.properties import Properties
    from paho.mqtt.reasoncodes import ReasonCode

__all__ = ["Broker", "MqttError", "Publisher", "parse_broker"]

_EXPECTED = "mqtt://[user[:password]@]host[:port], or mqtts:// for TLS"
_PORTS = {"mqtt": 1883, "mqtts": 8883}
_MOST_BYTES = 0xFFFF  # of a text in MQTT
_KEEPALIVE_S = 30
_RETRY_S = (1, 60)  # after the first failure, and at most
_LOOK_S = 1.0  # how long a new connection may wait for its first message
_FAREWELL_S = 2.0
_log = logging.getLogger(__name__)


class MqttError(ValueError):
    """The broker's address makes no sense, or the library is missing; never says a password."""


@dataclass(frozen=True, slots=True)
class Broker:
    """Where a broker is, and as whom it is asked."""

    host: str
    port: int
    tls: bool
    user: str | None
    password: str | None = field(repr=False)

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


def parse_broker(url: str, password: str | None = None) -> Broker:
    """Read a broker's address; `password` is the one where the address has none.

    Raises:
        MqttError: It is no address of a broker. Parts of it are not repeated: each may be a password's.

    >>> parse_broker("mqtts://anna:s%26cret@broker.lan")
    Broker(host='broker.lan', port=8883, tls=True, user='anna')
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
        (host or "").encode("idna")
    except ValueError:
        host = port = None
    else:
        if parts.scheme not in _PORTS or parts.path not in ("", "/") or parts.query or parts.fragment:
            host = None
    if not host or port == 0:
        raise MqttError(f"the broker's address is not {_EXPECTED}; %-escape signs in a password")
    user = None if parts.username is None else unquote(parts.username)
    password = password if parts.password is None else unquote(parts.password)
    if password and not user:
        raise MqttError("a password for the broker needs a user in its address")
    if not all(_is_text(each) for each in (user, password) if each):
        raise MqttError(f"user and password of the broker: expected texts of at most {_MOST_BYTES} bytes")
    return Broker(host, port or _PORTS[parts.scheme], parts.scheme == "mqtts", user or None, password or None)


def _is_text(value: str) -> bool:
    try:
        return len(value.encode()) <= _MOST_BYTES
    except UnicodeEncodeError:
        return False


class Publisher:
    """Tells a broker how the table stands, each time that differs, in a thread of its own.

    Whatever waits to be told is replaced by what is newer. A new connection, and a Home Assistant that has
    just started, are told everything; a broker that loses this one says itself that the table is gone, and
    is contradicted where the table has been started again by then.
    Nothing asks to be acknowledged: the library would tell it again on the next connection, after newer.
    """

    def __init__(self, broker: Broker, machine: str = "", table: str = "") -> None:
        """Prepare to tell `broker` of the table called `table` at `machine`, by default this one.

        Raises:
            MqttError: The library is not installed.
        """
        try:
            from paho.mqtt.client import Client
            from paho.mqtt.enums import CallbackAPIVersion
        except ImportError as error:
            raise MqttError(
                "telling an MQTT broker needs paho-mqtt: pip install 'schnapsen-companion[mqtt]'"
            ) from error
        self._broker = broker
        self._topics = Topics.of(machine or socket.gethostname(), table)
        self._due: dict[str, str] = {}
        self._told: dict[str, str] | None = None  # on this connection; `None` without one
        self._under_way: MQTTMessageInfo | None = None
        self._ended = threading.Event()
        self._complained = False
        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.username_pw_set(broker.user, broker.password)
        if broker.tls:
            self._client.tls_set()
        self._client.reconnect_delay_set(*_RETRY_S)
        self._client.will_set(self._topics.available, OFFLINE, retain=True)
        self._client.on_connect = self._on_connect
        self._client.on_connect_fail = self._on_connect_fail
        self._client.on_disconnect = self._on_disconnect
        self._client.on_message = self._on_message

    @contextlib.contextmanager
    def telling(self, feed: Feed) -> Iterator[None]:
        """Tell what `feed` brings until the block ends, and then that the table is gone."""
        self._client.connect_async(self._broker.host, self._broker.port, _KEEPALIVE_S)
        self._client.loop_start()
        thread = threading.Thread(target=self._follow, args=(feed,), name="mqtt", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._ended.set()
            thread.join()
            self._leave()

    def _follow(self, feed: Feed) -> None:
        known = ""
        while not (self._ended.is_set() or feed.closed):
            snapshot = feed.wait(known, _LOOK_S, late=not Role.BOARD.presses)
            if snapshot is not None:
                known = snapshot.revision
                self._due = messages(snapshot_for(snapshot, Role.BOARD), self._topics)
            self._tell()

    def _tell(self) -> None:
        """Tell what this connection has not been told; what is not through yet is waited for a while."""
        for topic, text in self._due.items():
            told = self._told
            if told is None or not self._is_through(_LOOK_S):
                return
            if told.get(topic) != text:
                self._under_way = self._client.publish(topic, text, retain=True)
                told[topic] = text

    def _is_through(self, timeout_s: float) -> bool:
        """Whether the last message has left this machine, or is lost with its connection."""
        if self._under_way is None:
            return True
        with contextlib.suppress(RuntimeError, ValueError):  # lost
            self._under_way.wait_for_publish(timeout_s)
            return self._under_way.is_published()
        return True

    def _leave(self) -> None:
        if self._told is None or not self._is_through(_FAREWELL_S):
            self._client.disconnect()  # its thread ends by itself, or with the program
            return
        self._under_way = self._client.publish(self._topics.available, OFFLINE, retain=True)
        through = self._is_through(_FAREWELL_S)
        self._client.disconnect()
        if through:
            self._client.loop_stop()

    def _on_connect(
        self, client: Client, _: object, flags: ConnectFlags, why: ReasonCode, more: Properties | None
    ) -> None:
        if why.is_failure:
            self._complain(f"it refuses: {why}")
        elif self._ended.is_set():
            client.disconnect()
        else:
            self._complained = False
            client.subscribe([(STATUS, 0), (self._topics.available, 0)])
            self._told = {}

    def _on_message(self, client: Client, _: object, message: MQTTMessage) -> None:
        told = self._told
        if told is None or message.retain:
            return
        if message.topic == STATUS and message.payload == ONLINE.encode():
            self._told = {}
        elif message.topic == self._topics.available and message.payload == OFFLINE.encode():
            # the will of a run before this one, whose end the broker noticed late
            told.pop(message.topic, None)

    def _on_connect_fail(self, client: Client, _: object) -> None:
        self._complain(str(sys.exception() or "no connection"))

    def _on_disconnect(
        self, client: Client, _: object, flags: DisconnectFlags, why: ReasonCode, more: Properties | None
    ) -> None:
        self._told = None
        if why.is_failure and not self._ended.is_set():
            self._complain("the connection was lost")

    def _complain(self, why: str) -> None:
        """Say once that the broker is away; it is said again when it was back in between."""
        if not self._complained:
            self._complained = True
            _log.warning("MQTT broker %s: %s; tried again from time to time", self._broker, why)
