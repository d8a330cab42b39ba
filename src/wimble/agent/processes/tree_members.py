"""Finds the processes of a tree by what they have in common, and ends them.

A tree is known by its root, its process group, and the socket in its environment. So processes are found whose parents
have ended, and processes that have a group of their own.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec
import psutil

SOCKET_VARIABLE: Final = "WIMBLE_SOCKET"
"""Environment variable with the path of the socket to which agents connect."""

ROOT_VARIABLE: Final = "WIMBLE_ROOT"
"""Environment variable with the folder of the SUT's project."""

KILLED_WAIT_S: Final = 10.0
"""Time that the system has to end killed processes. On a busy machine, one with much memory takes seconds, and keeps
its port until then.
"""


class TreeMarks(msgspec.Struct, frozen=True):
    """Marks by which the processes of a tree are recognised."""

    pid: int
    """The process id of the root, which is also the number of its process group."""
    socket_path: str
    """The value of SOCKET_VARIABLE in the tree's environment; empty if it has none."""
    started_s: float
    """`time.time()` when the root was started."""

    def members(self, pids: Iterable[int] = ()) -> list[psutil.Process]:
        """Returns the running processes of the tree.

        These are the root and its descendants, its process group, processes with its socket in their environment, and
        `pids`.
        """
        found: dict[int, psutil.Process] = {}
        known = set(pids)
        with contextlib.suppress(psutil.Error):
            root = psutil.Process(self.pid)
            if not self._is_older(root):
                found[root.pid] = root
                found.update((child.pid, child) for child in root.children(recursive=True))
        for process in psutil.process_iter():
            if process.pid in found or process.pid == os.getpid():
                continue
            with contextlib.suppress(psutil.Error, OSError):
                if self._is_older(process):
                    continue
                if process.pid in known or os.getpgid(process.pid) == self.pid or self._carries_socket(process):
                    found[process.pid] = process
        return [process for process in found.values() if _is_running(process)]

    def _is_older(self, process: psutil.Process) -> bool:
        """Whether a process is older than the tree: it cannot belong to it, although its number may match."""
        return process.create_time() < self.started_s - 2

    def _carries_socket(self, process: psutil.Process) -> bool:
        return bool(self.socket_path) and process.environ().get(SOCKET_VARIABLE) == self.socket_path

    def end(self, pids: Iterable[int], wait_s: float) -> bool:
        """Ends all members: SIGTERM, and SIGKILL after `wait_s`. Returns whether the whole tree ended by itself."""
        known = tuple(pids)
        alive = end_by_themselves(self.members(known), wait_s)
        has_ended = not alive
        # Catches processes that the tree started while it was ending.
        alive = list({process.pid: process for process in [*alive, *self.members(known)]}.values())
        kill(alive)
        return has_ended


def end_by_themselves(processes: Sequence[psutil.Process], wait_s: float) -> list[psutil.Process]:
    """Sends SIGTERM, and returns the processes that still run after `wait_s`."""
    for process in processes:
        _send_signal(process, signal.SIGTERM)
    return _wait_gone(processes, time.monotonic() + wait_s)


def kill(processes: Sequence[psutil.Process]) -> None:
    """Sends SIGKILL, and waits until the processes have ended."""
    for process in processes:
        _send_signal(process, signal.SIGKILL)
    _wait_gone(processes, time.monotonic() + KILLED_WAIT_S)


def _is_running(process: psutil.Process) -> bool:
    """Whether a process has not ended; while any of its threads runs, its ports are taken."""
    try:
        if not process.is_running():
            return False
        return process.status() != psutil.STATUS_ZOMBIE or process.num_threads() > 1
    except psutil.Error:
        return False


def _send_signal(process: psutil.Process, number: signal.Signals) -> None:
    with contextlib.suppress(psutil.Error, ProcessLookupError):
        process.send_signal(number)


def _wait_gone(processes: Sequence[psutil.Process], deadline_s: float) -> list[psutil.Process]:
    """Waits until the processes have ended, and returns those that still run at the deadline (`time.monotonic()`)."""
    alive = [process for process in processes if _is_running(process)]
    while alive and time.monotonic() < deadline_s:
        time.sleep(0.01)
        alive = [process for process in alive if _is_running(process)]
    return alive
