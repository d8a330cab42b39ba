"""Hosts that are let through and cannot be resolved are told."""

import socket
import threading

from wimble.engine.boot.allowed_hosts import unknown_hosts


def look_up(host):
    if host.endswith(".invalid"):
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")


def test_hosts_that_cannot_be_resolved_are_named_in_their_order():
    found = unknown_hosts(("b.invalid:443", "api.example", "a.invalid", "[::1]:8080"), look_up)
    assert [one.partition(": ")[0] for one in found] == ["--allow-host b.invalid:443", "--allow-host a.invalid"]
    assert "b.invalid cannot be resolved here (Name or service not known)" in found[0]


def test_the_option_that_names_a_host_is_told():
    assert unknown_hosts(("a.invalid",), look_up, option="--harvest")[0].startswith("--harvest a.invalid: ")


def test_nothing_is_looked_up_without_hosts():
    assert unknown_hosts((), lambda host: 1 / 0) == ()


def test_addresses_are_looked_up_without_brackets_and_ports():
    seen = []
    unknown_hosts(("[2001:db8::1]:443", "10.0.0.1:80"), seen.append)
    assert sorted(seen) == ["10.0.0.1", "2001:db8::1"]


def test_a_look_up_without_an_end_is_not_waited_for():
    forever = threading.Event()
    try:
        assert unknown_hosts(("slow.example",), lambda host: forever.wait()) == ()
    finally:
        forever.set()
