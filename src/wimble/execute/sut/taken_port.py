"""A SUT whose port another process has: who that is, and another port, if the SUT lets it be chosen."""

from __future__ import annotations

import contextlib
import re
import socket
from collections.abc import Mapping, Sequence
from typing import Final

import psutil

from wimble.agent.processes.tree_members import SOCKET_VARIABLE

N_TRIED: Final = 100
"""Number of ports above the taken one that are tried."""
LAST_PORT: Final = 65_535
PORT_VARIABLE: Final = "PORT"
"""The environment variable from which most programs take their port."""


def taken_port(output: str, unbound: Sequence[int] = ()) -> int | None:
    """Returns the port that a SUT could not get; 0 if it is not known which, None if it got its port.

    output: what it printed. unbound: one of these may be the port that a server has not got, as the agent saw: since
    Express 5, the callback of `listen` is called with the error, and most programs then say that they listen.
    """
    in_vain = next((port for port in unbound if not _is_free(port)), None)
    if "EADDRINUSE" not in output:
        return in_vain
    match = re.search(r"EADDRINUSE[^\n]*?:(\d+)\b", output) or re.search(r"\bport: (\d+)", output)
    return int(match.group(1)) if match else in_vain or 0


def holder_of(port: int) -> str:
    """Returns which process listens on a port, as far as the system tells; otherwise an empty string."""
    with contextlib.suppress(psutil.Error, OSError):
        for connection in psutil.net_connections("tcp"):
            if connection.status == psutil.CONN_LISTEN and connection.laddr and connection.laddr.port == port:
                return "" if connection.pid is None else _told(connection.pid)
    return ""


def _told(pid: int) -> str:
    process = psutil.Process(pid)
    command = f"{' '.join(process.cmdline()[:3])} (pid {pid})"
    with contextlib.suppress(psutil.Error):
        if SOCKET_VARIABLE in process.environ():
            return f"{command}, which another run of wimble has started"
    return command


def other_port_environment(taken: int, environment: Mapping[str, str]) -> dict[str, str]:
    """Returns the variables that tell a SUT to take another port: PORT, and others that name the taken one.

    Empty if no port is free.
    """
    start = taken or 3000
    for port in range(start + 1, min(start + N_TRIED, LAST_PORT) + 1):
        if _is_free(port):
            named = [
                name for name, value in environment.items() if name.endswith(PORT_VARIABLE) and value == str(taken)
            ]
            return dict.fromkeys([PORT_VARIABLE, *named], str(port))
    return {}


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("", port))
        except OSError:
            return False
    return True
