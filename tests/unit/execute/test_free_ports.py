"""A machine that runs out of ports is waited for, and is no fault of the API."""

import errno
import socket

import pytest

from wimble.agent.mocks.mock_server import MockServer
from wimble.errors import TargetError
from wimble.execute.http import free_ports
from wimble.execute.http.free_ports import PORT_WAIT_S, RETRY_S, connected


class Machine:
    """Has a port after so many attempts; its time passes in sleeps alone."""

    def __init__(self, monkeypatch, n_failures, code=errno.EADDRNOTAVAIL):
        self.n_attempts, self._n_failures, self._code, self._now_s = 0, n_failures, code, 0.0
        monkeypatch.setattr(free_ports.socket, "create_connection", self._connect)
        monkeypatch.setattr(free_ports.time, "sleep", self._sleep)
        monkeypatch.setattr(free_ports.time, "monotonic", lambda: self._now_s)

    def _connect(self, address, timeout):
        self.n_attempts += 1
        if self.n_attempts <= self._n_failures:
            raise OSError(self._code, "no")
        return address

    def _sleep(self, seconds):
        self._now_s += seconds


def test_a_connection_waits_until_a_port_is_free(monkeypatch):
    machine = Machine(monkeypatch, 3)
    assert connected("127.0.0.1", 80, 1.0) == ("127.0.0.1", 80)
    assert machine.n_attempts == 4


def test_without_a_port_for_long_the_run_ends_with_a_message(monkeypatch):
    machine = Machine(monkeypatch, 10**6)
    with pytest.raises(TargetError) as caught:
        connected("127.0.0.1", 80, 1.0)
    assert caught.value.slug == "no-free-port" and "ip_local_port_range" in caught.value.hint
    assert machine.n_attempts <= PORT_WAIT_S / RETRY_S + 2


def test_other_failures_are_those_of_the_api(monkeypatch):
    machine = Machine(monkeypatch, 1, errno.ECONNREFUSED)
    with pytest.raises(OSError, match="no"):
        connected("127.0.0.1", 80, 1.0)
    assert machine.n_attempts == 1


def test_mocked_services_need_a_port(monkeypatch):
    def bind(_, address):
        raise OSError(errno.EADDRINUSE, "Address already in use")

    monkeypatch.setattr(socket.socket, "bind", bind)
    with pytest.raises(TargetError, match="no free port for mocked services"):
        MockServer(["true"])
