"""Runs the phone's server: cheroot inside this process, with threads for every phone."""

from __future__ import annotations

import contextlib
import errno
import logging
import socket
import sys
import threading
import time
from types import TracebackType

from cheroot.server import HTTPConnection, HTTPRequest
from cheroot.wsgi import Server as CherootServer
from flask import Flask

__all__ = ["THREADS", "Serving", "ServingError", "check_free", "serve"]

THREADS = 96
_SEND_TIMEOUT_S = 10
"""A phone that takes nothing for so long is dropped; it comes back by itself."""

_GONE_AFTER_S = 20
"""A phone that acknowledges nothing for so long has left without a word: its network is off. Streams are
never silent for long, so it is noticed; left to the system it would be here for a quarter of an hour."""

READ_S = 10.0
"""A request that has not come whole within so long is dropped, however steadily its bytes drip in."""
READING_EACH = 12
"""Requests of one address that may come in at a time: a browser sends six, and each within moments. More
than that together would hold all threads."""
_SAID_EVERY_S = 10.0
"""What goes wrong with every connection is said so often at most."""

_NO_ROOM_S = 0.2
"""Where no connection can be taken it is tried again after so long."""
_WAITING = 64
"""Connections that may wait to be accepted; those beyond it come again only after seconds."""

_HEAD_BYTES = 32 * 1024
"""Of a request's first line and headers; a device that is not let in could else fill the memory with them."""
_BODY_BYTES = 1024 * 1024
"""Of what follows; of what the application refuses unread, all that was announced would be read at once."""
_SEND_BYTES = 64 * 1024
"""What is kept for a phone that does not take it; left to the system that would be megabytes a phone."""

_log = logging.getLogger(__name__)


class ServingError(RuntimeError):
    """The server cannot listen where it should; the message names the address and why."""


class Serving:
    """A running server; the listening socket is open when the constructor returns.

    As a context manager it stops at the end of the block.
    """

    def __init__(self, app: Flask, host: str, port: int) -> None:
        """Listen on `host` and `port` (0: the system chooses) and answer in threads.

        Raises:
            ServingError: The address is taken or not this machine's.
        """
        self._server = _LoggingServer(
            (host, port),
            app,
            numthreads=THREADS,
            timeout=_SEND_TIMEOUT_S,
            shutdown_timeout=2,
            request_queue_size=_WAITING,
            server_name="companion",
        )
        self._server.max_request_header_size = _HEAD_BYTES
        self._server.max_request_body_size = _BODY_BYTES
        self._server.readings = self._readings = _Readings()
        try:
            self._server.prepare()
        except OSError as error:
            raise ServingError(f"{host}:{port}: {_why(error)}") from error
        self._readings.start()
        self._thread = threading.Thread(target=self._server.serve, name="server", daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        """The TCP port that is listened on."""
        return int(self._server.bind_addr[1])

    def stop(self) -> None:
        """Stop listening and let running answers end. Close the table's feed before, or wait for it."""
        self._server.stop()
        self._thread.join()
        self._readings.stop()

    def __enter__(self) -> Serving:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def check_free(host: str, port: int) -> None:
    """Make sure that a server could listen there now.

    Raises:
        ServingError: The address is taken or not this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        raise ServingError(f"{host}:{port}: {_why(error)}") from error


def serve(app: Flask, host: str, port: int) -> Serving:
    """Start the server for `app` and return it running; see `Serving`."""
    return Serving(app, host, port)


class _Readings:
    """The requests that are coming in: how many of each address, and since when; slow ones are cut off.

    One that is whole, whose answer is worked on, is none of them.
    """

    def __init__(self) -> None:
        self._since: dict[_Request, float] = {}
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="slow requests", daemon=True)

    def start(self) -> None:
        """Begin to cut off what is slow."""
        self._thread.start()

    def stop(self) -> None:
        """End that."""
        self._ended.set()
        self._thread.join()

    def begin(self, request: _Request) -> bool:
        """Note a request that begins; false, and nothing noted, where its address has too many under way."""
        address = request.conn.remote_addr
        with self._lock:
            if (
                sum(each.conn.remote_addr == address for each in self._since if not each.whole)
                >= READING_EACH
            ):
                return False
            self._since[request] = time.monotonic()
            return True

    def end(self, request: _Request) -> None:
        """Note that nothing of a request is read any more."""
        with self._lock:
            self._since.pop(request, None)

    def _watch(self) -> None:
        while not self._ended.wait(1.0):
            now = time.monotonic()
            with self._lock:
                slow = [
                    each for each, since in self._since.items() if now - since > READ_S and not each.whole
                ]
            for request in slow:
                with contextlib.suppress(OSError):  # it is gone
                    request.conn.socket.shutdown(socket.SHUT_RDWR)


class _Request(HTTPRequest):
    """A request whose coming in is watched, until all of it has been read."""

    @property
    def whole(self) -> bool:
        """Whether all of it has come: its head, and the body that it announced."""
        return bool(self.ready) and not self.chunked_read and getattr(self.rfile, "remaining", 1) == 0

    def parse_request(self) -> None:
        try:
            if self.server.readings.begin(self):
                super().parse_request()
            else:
                self.simple_response("429 Too Many Requests", "Too many requests of one address at once.")
        finally:
            if not self.ready:
                self.server.readings.end(self)

    def respond(self) -> None:
        try:
            super().respond()
        finally:
            self.server.readings.end(self)

    def send_headers(self) -> None:
        super().send_headers()  # reads what is left of a body that nobody wanted
        self.server.readings.end(self)


class _Connection(HTTPConnection):
    """A connection whose requests are watched."""

    RequestHandlerClass = _Request


class _LoggingServer(CherootServer):
    """Writes what goes wrong with a connection into the log instead of on stderr, the same not every time."""

    ConnectionClass = _Connection
    readings: _Readings
    _said: tuple[str, float] = ("", 0.0)

    def error_log(self, msg: str = "", level: int = logging.INFO, traceback: bool = False) -> None:
        error, now = sys.exception(), time.monotonic()
        if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
            time.sleep(_NO_ROOM_S)  # whoever accepts connections would try again at once, and for nothing
            msg, traceback = "no more connections can be taken: too many files are open", False
        before, when = self._said
        if msg == before and now - when < _SAID_EVERY_S:
            return
        self._said = msg, now
        _log.log(level, "%s", msg, exc_info=traceback)

    @staticmethod
    def bind_socket(socket_: socket.socket, bind_addr: tuple[str, int]) -> socket.socket:
        """Bind, and leave no socket open where that fails."""
        # connections inherit both
        socket_.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BYTES)
        if sys.platform == "linux":  # others do not know it under this name, or at all
            socket_.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _GONE_AFTER_S * 1000)
        try:
            socket_.bind(bind_addr)
        except OSError:
            socket_.close()
            raise
        return socket_


def _why(error: OSError) -> str:
    text = str(error)
    if error.errno == errno.EADDRINUSE or "in use" in text:
        return "this address is in use; is a companion running already? (--port chooses another)"
    if error.errno == errno.EACCES:
        return "not allowed to listen there; choose a port from 1024 (--port)"
    return text
