"""Hosts that the user lets through or harvests, and that do not exist here: nothing could be reached by them."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Sequence
from typing import Any, Final

WAIT_S: Final = 2.0
"""How long the start waits for all hosts: a host that is looked up for longer may exist."""


def unknown_hosts(
    entries: Sequence[str], look_up: Callable[[str], Any] | None = None, *, option: str = "--allow-host"
) -> tuple[str, ...]:
    """Returns the warnings about those of an option that cannot be resolved. look_up: raises OSError if not."""
    found: dict[str, str] = {}

    def check(entry: str) -> None:
        host = entry.rpartition("]")[0].strip("[") if entry.startswith("[") else entry.partition(":")[0]
        try:
            (look_up or _look_up)(host)
        except OSError as error:
            found[entry] = f"{option} {entry}: {host} cannot be resolved here ({error.strerror or error})"

    threads = [threading.Thread(target=check, args=(entry,), daemon=True) for entry in entries]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT_S / len(threads))
    return tuple(found[entry] for entry in entries if entry in found)


def _look_up(host: str) -> object:
    return socket.getaddrinfo(host, None)
