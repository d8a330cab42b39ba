"""Which port a SUT could not get, and which one it may have instead."""

from __future__ import annotations

import os
import socket

import pytest

from wimble.execute.sut.taken_port import holder_of, other_port_environment, taken_port


@pytest.mark.parametrize(
    ("output", "port"),
    [
        ("Error: listen EADDRINUSE: address already in use :::3000\n    at Server", 3000),
        ("Error: listen EADDRINUSE: address already in use 127.0.0.1:8080", 8080),
        ("{ code: 'EADDRINUSE',\n  syscall: 'listen',\n  port: 4000 }", 4000),
        ("startup failed (EADDRINUSE)", 0),
        ("listening on port: 3000", None),
    ],
)
def test_the_port_is_read_from_the_output(output: str, port: int | None) -> None:
    assert taken_port(output) == port


def test_a_port_that_a_server_has_asked_for_in_vain_is_taken_if_it_still_is() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, socket.create_server(("127.0.0.1", 0)) as closed:
        port, closed_port = taken.getsockname()[1], closed.getsockname()[1]
        closed.close()
        assert taken_port("listening", [closed_port, port]) == port
        assert taken_port("startup failed (EADDRINUSE)", [port]) == port
        assert taken_port("listening", [closed_port]) is None


def test_the_holder_of_a_port_is_named_with_its_pid() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert f"(pid {os.getpid()})" in holder_of(taken.getsockname()[1])


def test_another_port_is_free_and_told_under_each_name_that_the_taken_one_has() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        told = other_port_environment(port, {"API_PORT": str(port), "DB_PORT": "5432", "PORTS": str(port)})
    assert set(told) == {"PORT", "API_PORT"}
    assert told["PORT"] == told["API_PORT"] != str(port)
    with socket.create_server(("127.0.0.1", int(told["PORT"]))):
        pass
