"""An MQTT broker in a process of its own, and somebody who reads along whatever it passes on."""

from __future__ import annotations

import contextlib
import json
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from browsing import free_port
from patience import WAIT_S, until


class Broker:
    """A broker that can be started, killed and started again; it forgets everything when it ends."""

    def __init__(
        self, folder: Path, user: str = "", password: str = "", certificate: tuple[Path, Path] | None = None
    ) -> None:
        """Prepare it; with `user` it lets in nobody else, with a certificate and key it speaks TLS, too."""
        folder.mkdir(parents=True, exist_ok=True)
        self.port, tls_port = free_port(), free_port()
        self.url = f"mqtt://127.0.0.1:{self.port}"
        self.tls_url = f"mqtts://127.0.0.1:{tls_port}"
        self._ports = [self.port] if certificate is None else [self.port, tls_port]
        self._process: subprocess.Popen[bytes] | None = None
        self._login = (user, password)
        plugins: dict[str, Any] = {"amqtt.plugins.authentication.AnonymousAuthPlugin": {}}
        if user:
            plugins = {"amqtt.plugins.authentication.FileAuthPlugin": {"password_file": self._users(folder)}}
        listeners: dict[str, Any] = {"default": {"type": "tcp", "bind": f"127.0.0.1:{self.port}"}}
        if certificate is not None:
            files = dict(zip(("certfile", "keyfile"), map(str, certificate), strict=True))
            listeners["tls"] = {"type": "tcp", "bind": f"127.0.0.1:{tls_port}", "ssl": True, **files}
        self._settings = folder / "broker.yaml"
        self._settings.write_text(json.dumps({"listeners": listeners, "plugins": plugins}))

    def _users(self, folder: Path) -> str:
        from pwdlib import PasswordHash

        user, password = self._login
        path = folder / "users"
        path.write_text(f"{user}:{PasswordHash.recommended().hash(password)}\n")
        return str(path)

    def start(self) -> None:
        """Start it, and return when it is listening."""
        command = [sys.executable, "-W", "ignore", "-m", "amqtt.scripts.broker_script", "-c"]
        self._process = subprocess.Popen(
            [*command, str(self._settings)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        until(self._listens)

    def _listens(self) -> bool:
        try:
            for port in self._ports:
                socket.create_connection(("127.0.0.1", port), 1.0).close()
        except OSError:
            return False
        return True

    def kill(self) -> None:
        """Kill it at once."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    @contextlib.contextmanager
    def asleep(self) -> Iterator[None]:
        """Stop it, as a machine does that hangs, until the block ends."""
        if self._process is None:
            raise LookupError("the broker is not there")
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    @contextlib.contextmanager
    def heard(self) -> Iterator[Heard]:
        """Read along everything, until the block ends."""
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion

        heard = Heard(Client(CallbackAPIVersion.VERSION2))
        client = heard.client
        if self._login[0]:
            client.username_pw_set(*self._login)
        listening = threading.Event()
        client.on_connect = lambda *_: client.subscribe("#")
        client.on_subscribe = lambda *_: listening.set()
        client.on_message = lambda _, __, message: heard.take(message.topic, message.payload)
        client.connect("127.0.0.1", self.port)
        client.loop_start()
        try:
            until(listening.is_set)
            yield heard
        finally:
            client.disconnect()
            client.loop_stop()


class Heard:
    """All messages, in their order."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.raw: list[tuple[str, bytes]] = []
        self._more = threading.Condition()

    def take(self, topic: str, payload: bytes) -> None:
        """Note one more message."""
        with self._more:
            self.raw.append((topic, payload))
            self._more.notify_all()

    def all(self, ending: str) -> list[Any]:
        """What was said on the topic that ends so; read as JSON where it is any."""
        return [_read(payload) for topic, payload in list(self.raw) if topic.endswith(f"/{ending}")]

    def wait(self, ending: str, holds: Callable[[Any], bool] = lambda said: True) -> Any:
        """Return the newest that was said on the topic that ends so, once it is as it should be."""
        with self._more:

            def there() -> bool:
                said = self.all(ending)
                return bool(said) and holds(said[-1])

            if not self._more.wait_for(there, WAIT_S):
                raise LookupError(f"not heard on {ending}; last {self.all(ending)[-1:]}")
            return self.all(ending)[-1]

    def wait_for_more(self, ending: str, than: int) -> None:
        """Return once more has been said on the topic that ends so."""
        with self._more:
            if not self._more.wait_for(lambda: len(self.all(ending)) > than, WAIT_S):
                raise LookupError(f"nothing more on {ending}")


def _read(payload: bytes) -> Any:
    try:
        return json.loads(payload)
    except ValueError:
        return payload.decode(errors="replace")
