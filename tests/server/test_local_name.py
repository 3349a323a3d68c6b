"""The name in the local network."""

from __future__ import annotations

import contextlib
import socket
from concurrent.futures import ThreadPoolExecutor

import pytest

from companion.server import local_name
from companion.server.address import NetworkNames, lan_address
from companion.server.local_name import LOCAL_NAME, announced, local_names

OTHER = socket.inet_aton("192.0.2.7")
LOWEST = socket.inet_aton("1.0.0.1")


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


def test_two_tables_of_a_network_have_two_names() -> None:
    """The second does not answer for the first: whoever follows its link would be at the other table."""
    pytest.importorskip("zeroconf")
    with ThreadPoolExecutor(1) as thread:  # of a browser's tests a loop may run in this one
        second, answers = thread.submit(_beside_another_table).result()
    if second is None:
        pytest.skip("this network takes no multicast")
    assert second.startswith("schnapsen-")
    assert f"{second}:8666" in NetworkNames("0.0.0.0", *local_names())
    assert answers == [OTHER]


def _beside_another_table() -> tuple[str | None, list[bytes]]:
    """The name of a second table in a network, and who answers there for that of the first."""
    import zeroconf

    address, service = lan_address(), "_http._tcp.local."
    name = f"Schnapsen on another.{service}"
    first = zeroconf.Zeroconf(interfaces=[address])
    try:
        first.register_service(
            zeroconf.ServiceInfo(service, name, addresses=[OTHER], port=8666, server=f"{LOCAL_NAME}.")
        )
        with announced(address, 8666) as second:
            found = zeroconf.AddressResolver(f"{LOCAL_NAME}.")
            found.request(first, 3000)
            return second, found.addresses
    finally:
        first.close()


@pytest.mark.parametrize("table", ["", "Tisch 7"])
def test_of_tables_started_at_the_same_moment_one_keeps_the_name(
    monkeypatch: pytest.MonkeyPatch, table: str
) -> None:
    """After a power cut in the hall each asks before any has told: a link led to whichever answered first."""
    zeroconf = pytest.importorskip("zeroconf")
    address, service = lan_address(), "_http._tcp.local."
    wanted, spare = local_names(table)
    info = zeroconf.ServiceInfo(
        service, f"Schnapsen on another.{service}", addresses=[LOWEST], port=8666, server=f"{wanted}."
    )
    with ThreadPoolExecutor(1) as other, contextlib.closing(zeroconf.Zeroconf(interfaces=[address])) as told:

        def unheard(_: object, host: str, __: bytes) -> bool:
            if host == f"{wanted}.":
                other.submit(told.register_service, info)
            return True

        monkeypatch.setattr(local_name, "_is_free", unheard)
        with announced(address, 8666, table) as name:
            pass
    if name is None:
        pytest.skip("this network takes no multicast")
    assert name == spare


def test_a_table_among_others_has_a_name_of_its_own() -> None:
    """What stands on the table is what is typed, also where another machine takes over in mid-match."""
    zeroconf = pytest.importorskip("zeroconf")
    address = lan_address()
    with announced(address, 8666, "Tisch 7") as name:
        if name is None:
            pytest.skip("this network takes no multicast")
        with contextlib.closing(zeroconf.Zeroconf(interfaces=[address])) as asking:
            found = zeroconf.AddressResolver(f"{name}.")
            assert found.request(asking, 3000)
    assert name == "schnapsen-tisch-7.local"
    assert f"{name}:8666" in NetworkNames("0.0.0.0", *local_names("Tisch 7"))


@pytest.mark.parametrize("table", ["七", "!!", ""])
def test_a_table_whose_name_has_no_letter_for_a_network_has_the_usual_one(table: str) -> None:
    """Only letters without accents and digits can stand in it."""
    assert local_names(table)[0] == LOCAL_NAME


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
