"""A name in the local network, beside the address: `schnapsen.local`, told by multicast DNS.

A table that is called something has a name of its own: `schnapsen-tisch-7.local`. Where another table of the
network has the name already, this one is `schnapsen-MACHINE.local`.

Needs the library zeroconf (the extra `local`); without it, or where the network does not take it, the
address alone has to do.
"""

from __future__ import annotations

import contextlib
import ipaddress
import logging
import re
import socket
import time
import unicodedata
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zeroconf import Zeroconf

__all__ = ["LOCAL_NAME", "announced", "local_names"]

LOCAL_NAME = "schnapsen.local"
_SERVICE = "_http._tcp.local."
_ASK_MS = 1800
"""Whoever has a name answers sooner, if need be when it is asked once more after a second (RFC 6762, 5.2)."""
_SETTLE_S = 1.0
"""Of tables that are started at the same moment, as after a power cut, none hears of another while it asks;
so long after it has told its name each has heard of all."""
_log = logging.getLogger(__name__)


def local_names(table: str = "") -> tuple[str, str]:
    """Return the names that this machine may have, the one that is tried first before the other.

    Args:
        table: What the table is called among others; empty: it is the only one.

    >>> local_names("Tisch 7")[0], local_names("Stüberl")[0], local_names()[0]
    ('schnapsen-tisch-7.local', 'schnapsen-stuberl.local', 'schnapsen.local')
    """
    plain = unicodedata.normalize("NFKD", table).encode("ascii", "ignore").decode().lower()
    called = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    machine = socket.gethostname().split(".")[0]
    own = f"schnapsen-{called}.local" if called else LOCAL_NAME
    return own, f"schnapsen-{machine}"[:60].lower() + ".local"


@contextlib.contextmanager
def announced(address: str, port: int, table: str = "") -> Iterator[str | None]:
    """Tell the network a name of `address`, until the block ends.

    Args:
        address: This machine's IPv4 address in its network.
        port: TCP port of the server.
        table: What the table is called among others; empty: it is the only one.

    Returns:
        The first of `local_names`, or the other one where another machine has that; `None` where it could not
        be told, or both are taken.
    """
    try:
        from zeroconf import Error, Zeroconf
    except ImportError:
        yield None
        return
    try:
        packed = ipaddress.IPv4Address(address).packed
        told = Zeroconf(interfaces=[address])
    except (ValueError, OSError) as error:
        _log.info("no name in the network: %s", error)
        yield None
        return
    name: str | None = None
    try:
        name = next((each for each in local_names(table) if _is_ours(told, each, packed, port)), None)
    except (Error, OSError, RuntimeError) as error:  # RuntimeError: this thread runs a loop of its own
        _log.info("no name in the network: %s", error)
        name = None
    try:
        yield name
    finally:
        try:
            told.close()  # takes the name back first
        except (Error, OSError) as error:  # the network is gone, say, and with it the name
            _log.info("the name in the network was not taken back: %s", error)


def _is_ours(told: Zeroconf, name: str, packed: bytes, port: int) -> bool:
    """Tell the network `name`, and say whether it stays with this machine; otherwise it is taken back."""
    from zeroconf import AddressResolver, ServiceInfo  # type: ignore[attr-defined]

    host = f"{name}."
    if not _is_free(told, host, packed):
        return False
    instance = f"Schnapsen on {socket.gethostname().split('.')[0]}"[:60]
    info = ServiceInfo(_SERVICE, f"{instance}.{_SERVICE}", addresses=[packed], port=port, server=host)
    heard = AddressResolver(host)
    told.add_listener(heard, None)
    told.register_service(info, allow_name_change=True)
    time.sleep(_SETTLE_S)
    told.remove_listener(heard)
    if min(heard.addresses, default=packed) < packed:  # of several the one with the lowest address keeps it
        told.unregister_service(info)
        return False
    return True


def _is_free(told: Zeroconf, host: str, packed: bytes) -> bool:
    from zeroconf import AddressResolver  # type: ignore[attr-defined]

    found = AddressResolver(host)
    return not found.request(told, _ASK_MS) or set(found.addresses) <= {packed}
