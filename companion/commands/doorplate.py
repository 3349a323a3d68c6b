"""Where the first phone finds the table: a code on the terminal, shown anew where the machine has moved."""

from __future__ import annotations

import contextlib
import logging
import sys
import threading
from types import TracebackType
from typing import Self

from companion.commands.terminal import OutputError
from companion.server.address import EVERYWHERE, LOOPBACK, lan_address, link_to, moved, pairing_link, qr_text
from companion.server.local_name import announced

__all__ = ["Doorplate"]

_log = logging.getLogger(__name__)


class Doorplate:
    """Shows the code that lets a phone in, with the address that this machine has; a context manager.

    A machine that listens everywhere may be started before its network is there, or get another address in
    the middle of an evening: the code that is shown holds on, and is shown again with where it leads now.
    """

    def __init__(self, host: str, port: int, table: str = "") -> None:
        """Show nothing yet.

        Args:
            host: What the server listens on.
            port: TCP port.
            table: What the table is called among others; empty: it is the only one.
        """
        self._host, self._port, self._table = host, port, table
        self._token: str | None = None
        self._name: str | None = None
        self._told = contextlib.ExitStack()
        self._lock = threading.Lock()
        """Guards that a code is shown with the name and address of one moment."""
        self._ended = threading.Event()
        self._follower: threading.Thread | None = None

    def __enter__(self) -> Self:
        if self._host in EVERYWHERE:
            here = lan_address()
            self._announce(here)
            self._follower = threading.Thread(
                target=self._follow, args=(here,), name="doorplate", daemon=True
            )
            self._follower.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        if self._follower is not None:
            self._follower.join()
        self._told.close()

    def show(self, token: str) -> str:
        """Show the code of `token`, and return its link."""
        with self._lock:
            self._token = token
            return self._shown(token)

    def _shown(self, token: str) -> str:
        link = pairing_link(self._host, self._port, token)
        named = "" if self._name is None else f"\n{link_to(f'{self._name}:{self._port}', token)}"
        print(f"{qr_text(link)}\n{link}{named}", flush=True)
        return link

    def _announce(self, address: str) -> None:
        """Tell the network this machine's name at `address`; a machine that has only itself tells nobody."""
        self._told.close()
        self._name = None
        if address != LOOPBACK:
            self._name = self._told.enter_context(announced(address, self._port, self._table))

    def _follow(self, here: str) -> None:
        for address in moved(here, self._ended):
            with self._lock:
                self._announce(address)
                try:
                    print(f"companion: this computer is {address} in its network now", file=sys.stderr)
                    if self._token is not None:
                        self._shown(self._token)
                except (OSError, OutputError) as error:  # the terminal is gone
                    _log.warning("where this computer is now could not be shown: %s", error)
