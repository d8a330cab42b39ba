"""Waits for conditions, where neither an event nor an end of a process tells that they hold."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import time
from collections.abc import Callable
from typing import TypeVar

import psutil
import pytest

T = TypeVar("T")
POLL_S = 0.01


def wait_until(condition: Callable[[], T], timeout_s: float = 20.0) -> T:
    """The first true value of `condition`, which is asked every few milliseconds.

    Raises: AssertionError, when there has been none for `timeout_s`.
    """
    deadline_s = time.monotonic() + timeout_s
    while not (found := condition()):
        assert time.monotonic() < deadline_s, f"waited {timeout_s} s in vain"
        time.sleep(POLL_S)
    return found


def let_run(process: subprocess.Popen[str], duration_s: float) -> None:
    """Lets a process run for so long before the test disturbs it: the moment is what the test is about."""
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(duration_s)


def is_running(pid: int) -> bool:
    """Whether the process has not ended. Some containers have no process that reaps orphans, so zombies have."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def is_listening(port: int) -> bool:
    with contextlib.closing(socket.socket()) as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def is_connected(port: int) -> bool:
    """Whether this process has a TCP connection from or to that port that neither side has closed."""
    return any(
        connection.status == psutil.CONN_ESTABLISHED
        and port in (address.port for address in (connection.laddr, connection.raddr) if address)
        for connection in psutil.Process().net_connections("tcp")
    )
