"""Checks whether a database server accepts connections, to distinguish an outage from an error of the SUT."""

from __future__ import annotations

import socket
import stat
from pathlib import Path
from typing import Final

TIMEOUT_S: Final = 1.0


def takes_connections(host: str, port: int, *, if_unknown: bool = True) -> bool:
    """Returns whether the server accepts connections; True also if that cannot be determined.

    host: a name, an address, the path of a socket, or the folder of PostgreSQL's sockets. if_unknown: what is returned
    for a name that this process cannot resolve.
    """
    if not host:
        return True
    if host.startswith("/"):
        return _socket_takes_them(Path(host), port)
    if not 0 < port < 65_536:
        return True
    try:
        socket.create_connection((host, port), TIMEOUT_S).close()
    except socket.gaierror:
        return if_unknown  # the name may be known where the SUT runs
    except OSError:
        return False
    return True


def _socket_takes_them(path: Path, port: int) -> bool:
    try:
        if path.is_dir():
            path /= f".s.PGSQL.{port}"
        if not stat.S_ISSOCK(path.stat().st_mode):
            return True
        with socket.socket(socket.AF_UNIX) as one:
            one.settimeout(TIMEOUT_S)
            one.connect(str(path))
    except OSError:
        return False
    return True
