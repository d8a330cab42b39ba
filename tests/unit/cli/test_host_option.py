"""Hosts on the command line: what is accepted, and what the errors say."""

import click
import pytest

from wimble.cli.option_types import HostAndPort


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ("api.example", "api.example"),
        ("API.example:8443", "api.example:8443"),
        ("[2001:db8::1]:443", "[2001:db8::1]:443"),
        ("bücher.example", "xn--bcher-kva.example"),
    ],
)
def test_hosts_with_and_without_a_port_are_taken(given, taken):
    assert HostAndPort().convert(given, None, None) == taken


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("https://api.example/v1", "nearest: api.example"),
        ("api.example/v1", "not a host name"),
        ("", "not a host name"),
        ("api.example:70000", "expected 1 to 65535"),
        ("api.example:http", "not a host name"),
    ],
)
def test_others_are_refused_with_what_is_expected(given, message):
    with pytest.raises(click.BadParameter, match=message):
        HostAndPort().convert(given, None, None)


def test_a_mocked_service_needs_a_port():
    with pytest.raises(click.BadParameter, match="localhost:4000"):
        HostAndPort(needs_port=True).convert("localhost", None, None)
