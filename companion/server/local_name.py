"""A name in the local network, beside the address: `schnapsen.local`, told by multicast DNS.

Where another table of the network has that name already, this one is `schnapsen-MACHINE.local`.

Needs the library zeroconf (the extra `local`); without it, or where the network does not take it, the
address alone has to do.
"""

from __future__ import annotations

import contextlib
import ipaddress
import logging
import socket
from collections.abc import Iterator

__all__ = ["LOCAL_NAME", "announced", "local_names"]

LOCAL_NAME = "schnapsen.local"
_SERVICE = "_http._tcp.local."
_ASK_MS = 1800
"""Whoever has a name answers sooner, if need be when it is asked once more after a second (RFC 6762, 5.2)."""
_log = logging.getLogger(__name__)


def local_names() -> tuple[str, str]:
    """Return the names that this machine may have, `LOCAL_NAME` first."""
    machine = socket.gethostname().split(".")[0]
    return LOCAL_NAME, f"schnapsen-{machine}"[:60].lower() + ".local"


@contextlib.contextmanager
def announced(address: str, port: int) -> Iterator[str | None]:
    """Tell the network a name of `address`, until the block ends.

    Args:
        address: This machine's IPv4 address in its network.
        port: TCP port of the server.

    Returns:
        The name: `LOCAL_NAME`, or one with the machine's name where another machine has that; `None` where it
        could not be told, or both are taken.
    """
    try:
        from zeroconf import AddressResolver, Error, ServiceInfo, Zeroconf  # type: ignore[attr-defined]
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
    instance = f"Schnapsen on {socket.gethostname().split('.')[0]}"[:60]

    def is_free(name: str) -> bool:
        found = AddressResolver(f"{name}.")
        return not found.request(told, _ASK_MS) or set(found.addresses) <= {packed}

    name: str | None = None
    try:
        name = next(filter(is_free, local_names()), None)
        if name is not None:
            host = f"{name}."
            info = ServiceInfo(_SERVICE, f"{instance}.{_SERVICE}", addresses=[packed], port=port, server=host)
            told.register_service(info, allow_name_change=True)
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
