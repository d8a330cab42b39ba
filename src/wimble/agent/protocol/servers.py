"""The TCP servers of a SUT."""

from __future__ import annotations

import msgspec


class Server(msgspec.Struct, frozen=True):
    """A TCP server of the SUT. `address` is what the agent reports (`::`, `127.0.0.1`, ...)."""

    port: int
    address: str
    protocol: str
    pid: int


def add_server(servers: list[Server], server: Server) -> None:
    """Adds a server, once per port.

    The primary of a cluster listens as `tcp` on the port on which its workers speak `http`; the worker's report
    replaces the primary's.
    """
    for index, known in enumerate(servers):
        if known.port == server.port:
            if known.protocol == "tcp":
                servers[index] = server
            return
    servers.append(server)
