"""A start of the SUT ahead of its use: its processes load everything, and wait before they listen or connect.

So the next fresh start takes as long as that does. The processes wait at a gate (protocol/README.md), with a
socket of their own, so that their messages do not mix with those of the processes that are in use.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from wimble.agent.processes.launch import ProcessTree
from wimble.agent.processes.left_processes import announce_run
from wimble.agent.processes.sut_log import SutLog
from wimble.agent.processes.tree_members import SOCKET_VARIABLE
from wimble.agent.transport import GATE_SUFFIX, Transport

N_BYTES: Final = 4096
"""Number of bytes that open the gate: one for each process that waits. POSIX lets a pipe hold so many at least."""


class Gate:
    """A FIFO at which processes wait until it is opened. If the core ends before, they end as well."""

    def __init__(self, socket_path: str) -> None:
        self._path = socket_path + GATE_SUFFIX
        os.mkfifo(self._path, 0o600)
        # Open in both directions, since opening it for writing alone would wait for a reader.
        self._file = os.open(self._path, os.O_RDWR | os.O_NONBLOCK)

    def open(self) -> None:
        """Lets the waiting processes listen, and those that come later."""
        os.write(self._file, bytes(N_BYTES))
        self.close()

    def close(self) -> None:
        """Removes the FIFO. Processes that wait end, unless it was opened."""
        with contextlib.suppress(OSError):
            Path(self._path).unlink()
        os.close(self._file)


class Standby:
    """A process tree that waits at a gate, and the transport to its agents."""

    def __init__(
        self, command: tuple[str, ...], working_dir: Path, environment: Mapping[str, str], log: SutLog
    ) -> None:
        """Starts the command. environment: its socket is replaced by one of its own."""
        self.transport = Transport()
        announce_run(self.transport.path, working_dir)
        self._gate = Gate(self.transport.path)
        self._is_gate_open = False
        self.tree = ProcessTree(command, working_dir, {**environment, SOCKET_VARIABLE: self.transport.path}, log)

    @property
    def is_alive(self) -> bool:
        return self.tree.exit_status is None

    def let_listen(self) -> None:
        """Opens the gate. The transport and the tree then belong to the caller."""
        self._is_gate_open = True
        self.tree.leave_out_output()
        self._gate.open()

    def discard(self) -> None:
        """Ends the processes at once: they have served nobody. Idempotent; does nothing once the gate is open."""
        if not self._is_gate_open:
            self._is_gate_open = True
            self.tree.stop(wait_s=0.0)
            self._gate.close()
            self.transport.close()
