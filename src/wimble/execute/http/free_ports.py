"""Connections while this machine runs out of ports for them.

Each connection has a port of its own, which stays taken for a minute after the connection was closed. An API that opens
many in each call can use up all of them. This is no failure of the API to answer.
"""

from __future__ import annotations

import errno
import socket
import time
from typing import Final

from wimble.errors import TargetError

PORT_WAIT_S: Final = 65.0
"""How long to wait for a port: longer than systems keep one after its connection was closed (60 s on Linux)."""
RETRY_S: Final = 0.2


def connected(host: str, port: int, timeout_s: float) -> socket.socket:
    """Returns a connection. Waits while no port is free for it.

    Raises: OSError; TargetError if no port becomes free.
    """
    deadline_s = time.monotonic() + PORT_WAIT_S
    while True:
        try:
            return socket.create_connection((host, port), timeout=timeout_s)
        except OSError as error:
            if error.errno != errno.EADDRNOTAVAIL:
                raise
            if time.monotonic() >= deadline_s:
                raise TargetError(
                    "no-free-port",
                    f"this machine has had no free port for a connection to the API for {PORT_WAIT_S:.0f} s",
                    hint="programs that keep many connections open use them up: `ss -s` counts them; on Linux, "
                    "net.ipv4.ip_local_port_range is the range of ports",
                ) from error
        time.sleep(RETRY_S)
