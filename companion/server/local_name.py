"""A name in the local network, beside the address: `schnapsen.local`, told by multicast DNS.

Needs the library zeroconf (the extra `local`); without it, or where the network does not take it, the
address alone has to do.
"""

from __future__ import annotations

import contextlib
import ipaddress
import logging
import socket
from collections.abc import Iterator

__all__ = ["LOCAL_NAME", "announced"]

LOCAL_NAME = "schnapsen.local"
_SERVICE = "_http._tcp.local."
_log = logging.getLogger(__name__)


@contextlib.contextmanager
def announced(address: str, port: int) -> Iterator[str | None]:
    """Tell the network that `LOCAL_NAME` is `address`, until the block ends.

    Args:
        address: This machine's IPv4 address in its network.
        port: TCP port of the server.

    Returns:
        The name; `None` where it could not be told, or another machine has it.
    """
    try:
        from zeroconf import Error, ServiceInfo, Zeroconf
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
    info = ServiceInfo(
        _SERVICE, f"{instance}.{_SERVICE}", addresses=[packed], port=port, server=f"{LOCAL_NAME}."
    )
    name: str | None = LOCAL_NAME
    try:
        told.register_service(info, allow_name_change=True)
    except (Error, OSError) as error:
        _log.info("no name in the network: %s", error)
        name = None
    try:
        yield name
    finally:
        try:
            told.close()  # takes the name back first
        except (Error, OSError) as error:  # the network is gone, say, and with it the name
            _log.info("the name in the network was not taken back: %s", error)
