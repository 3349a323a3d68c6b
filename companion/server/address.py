"""Where phones find the server: its address in the local network, and that as a QR code."""

from __future__ import annotations

import io
import ipaddress
import socket
import threading
from collections.abc import Iterator
from urllib.parse import quote

import ifaddr
import segno

__all__ = [
    "EVERYWHERE",
    "LOOPBACK",
    "NetworkNames",
    "lan_address",
    "link_to",
    "moved",
    "pairing_link",
    "qr_picture",
    "qr_text",
    "without_port",
]

EVERYWHERE = ("0.0.0.0", "::")
"""What a server listens on that is reached under every address of its machine."""
LOOPBACK = "127.0.0.1"
"""Where a machine without a network reaches itself."""

_DOCUMENTATION_HOST = "192.0.2.1"
"""An address that nobody has (RFC 5737): asking for the way there sends nothing."""
_INSIDE = ("docker", "veth", "br-", "virbr", "vmnet", "vboxnet")
"""How networks are called that lead to no other machine."""


def lan_address() -> str:
    """Return this machine's address in its network; `LOOPBACK` where it has none.

    The system is asked which of its addresses it would use on the way out. No packet is sent. Where there is
    no way out, as where this machine is the access point itself, it is the likeliest of its own.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((_DOCUMENTATION_HOST, 9))
            return str(probe.getsockname()[0])
        except OSError:
            return min(_own_addresses(), default=(0, 0, LOOPBACK))[2]


def _own_addresses() -> Iterator[tuple[bool, bool, str]]:
    """Yield this machine's IPv4 addresses; before each whether it is a makeshift, or leads nowhere."""
    for adapter in ifaddr.get_adapters():
        for each in adapter.ips:
            if each.is_IPv4 and not (address := ipaddress.IPv4Address(each.ip)).is_loopback:
                yield address.is_link_local, adapter.name.startswith(_INSIDE), str(address)


def moved(where: str, ended: threading.Event, every_s: float = 5.0) -> Iterator[str]:
    """Yield the address of this machine whenever it has another than before, first `where`, until `ended`.

    While the system cannot tell it, as where too many files are open, it counts as that of before.
    """
    while not ended.wait(every_s):
        try:
            now = lan_address()
        except OSError:
            continue
        if now not in (where, LOOPBACK):
            where = now
            yield now


def pairing_link(host: str, port: int, token: str) -> str:
    """Return the address that a phone opens once to be let in.

    Args:
        host: What the server listens on; for one of `EVERYWHERE` the address in the network is taken.
        port: TCP port.
        token: What the phone shows; see `companion.server.pairing`.

    >>> pairing_link("192.168.1.20", 8666, "abc")
    'http://192.168.1.20:8666/pair?token=abc'
    """
    shown = lan_address() if host in EVERYWHERE else host
    if ":" in shown:
        shown = f"[{shown}]"
    return link_to(f"{shown}:{port}", token)


def link_to(host: str, token: str, to: str = "") -> str:
    """Return the same for a host with its port as a browser writes it; `to` names the page to go to.

    >>> link_to("192.168.1.20:8666", "abc", "overlay")
    'http://192.168.1.20:8666/pair?token=abc&to=overlay'
    """
    more = f"&to={quote(to, safe='')}" if to else ""
    return f"http://{host}/pair?token={quote(token, safe='')}{more}"


def qr_text(link: str) -> str:
    """Return `link` as a QR code of half blocks, for a terminal."""
    text = io.StringIO()
    segno.make(link, error="m", micro=False).terminal(out=text, compact=True, border=2)
    return text.getvalue()


def qr_picture(link: str) -> str:
    """Return `link` as a QR code for a page: an SVG picture as a `data:` address."""
    return segno.make(link, error="m", micro=False).svg_data_uri(scale=8, border=4, dark="#000", light="#fff")


class NetworkNames:
    """The names under which a request may ask for this server.

    A page from elsewhere can make its own name point here (DNS rebinding); it cannot do so
    with a bare address. So addresses are welcome, and of names only the machine's own.
    """

    def __init__(self, *more: str) -> None:
        own = socket.gethostname().lower().rstrip(".")
        self._names = {"localhost", own, f"{own.split('.')[0]}.local", *(name.lower() for name in more)}

    def __contains__(self, host: str) -> bool:
        """Say whether `host`, the value of a Host header with or without a port, is this server."""
        name = without_port(host).lower().rstrip(".")
        if name in self._names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


def without_port(host: str) -> str:
    """Return the name or address in a Host header, without brackets."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdigit() else host
