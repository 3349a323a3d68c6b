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


def test_a_name_that_cannot_be_taken_back_holds_up_no_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """The network is gone, or the machine too busy, as the server ends: nobody reads a traceback for it."""
    zeroconf = pytest.importorskip("zeroconf")

    def blocked(told: object) -> None:
        open_still.append(told)
        raise zeroconf.EventLoopBlocked

    open_still: list = []
    with monkeypatch.context() as busy, announced(lan_address(), 8666) as name:
        if name is None:
            pytest.skip("this network takes no multicast")
        busy.setattr(zeroconf.Zeroconf, "unregister_all_services", blocked)
    assert open_still
    for told in open_still:
        told.close()


@pytest.mark.parametrize("address", ["::1", "not an address"])
def test_where_no_name_can_be_told_there_is_none(address: str) -> None:
    """An address of another kind: the server goes on without a name."""
    with announced(address, 8666) as name:
        assert name is None
