"""A network namespace for each run, if the system allows it.

In its own network, the ports of a run do not collide with others, and the run does not reach the Internet. This works
on Linux only, with `unshare --net` as root or in a user namespace. The loopback device of a new namespace is down, so
the run brings it up.
"""

from __future__ import annotations

import shutil
import socket
import struct
import subprocess
import sys
from functools import cache

SIOCGIFFLAGS = 0x8913
SIOCSIFFLAGS = 0x8914
IFF_UP = 0x1
IFREQ = "16sH14x"
"""Name and flags of a device, as in Linux's <net/if.h>."""
_PREFIXES = (("unshare", "--net", "--"), ("unshare", "--net", "--map-root-user", "--"))
_PROBE_LIMIT_S = 30.0


@cache
def own_network() -> tuple[tuple[str, ...], str]:
    """Returns (the prefix that runs a command in its own network, ""), or (an empty prefix, why there is none)."""
    if not sys.platform.startswith("linux") or shutil.which("unshare") is None:
        return (), "this system has no `unshare`"
    reason = ""
    for prefix in _PREFIXES:
        probe = [*prefix, sys.executable, "-m", "wimble.agent.processes.own_network"]
        try:
            done = subprocess.run(probe, capture_output=True, text=True, timeout=_PROBE_LIMIT_S, check=False)
        except (OSError, subprocess.SubprocessError) as error:
            reason = str(error)
            continue
        if done.returncode == 0:
            return prefix, ""
        reason = (done.stderr.strip().splitlines() or ["it failed"])[-1]
    return (), reason


def raise_loopback() -> None:
    """Brings the loopback device of the process's network up. Raises: OSError."""
    import fcntl  # not on every system that can import this module

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as device:
        flags = struct.unpack(IFREQ, fcntl.ioctl(device, SIOCGIFFLAGS, struct.pack(IFREQ, b"lo", 0)))[1]
        fcntl.ioctl(device, SIOCSIFFLAGS, struct.pack(IFREQ, b"lo", flags | IFF_UP))


def _main() -> None:
    """Checks that the loopback device can be brought up, and that a connection over it succeeds."""
    raise_loopback()
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname(), timeout=2).close()


if __name__ == "__main__":
    _main()
