"""The name in the local network."""

from __future__ import annotations

import socket

import pytest

from companion.server.address import lan_address
from companion.server.local_name import LOCAL_NAME, announced


def test_another_machine_finds_the_server_by_its_name() -> None:
    """Whoever asks the network for the name is given the address; after the end nobody answers for it."""
    zeroconf = pytest.importorskip("zeroconf")
    address = lan_address()
    with announced(address, 8666) as name:
        if name is None:
            pytest.skip("this network takes no multicast")
        asking = zeroconf.Zeroconf(interfaces=[address])
        found = zeroconf.AddressResolver(f"{name}.")
        resolved = found.request(asking, 3000)
        asking.close()
    assert name == LOCAL_NAME
    assert resolved
    assert socket.inet_aton(address) in found.addresses


@pytest.mark.parametrize("address", ["::1", "not an address"])
def test_where_no_name_can_be_told_there_is_none(address: str) -> None:
    """An address of another kind: the server goes on without a name."""
    with announced(address, 8666) as name:
        assert name is None
