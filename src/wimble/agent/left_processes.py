"""Processes of other runs on the same project: those whose core has ended are ended, others are told.

Processes whose core has ended carry the path of a socket on which nobody listens. Usually the watcher ends them; it
may have been killed, too.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import psutil

from wimble.agent.transport import remove_socket
from wimble.agent.tree_members import ROOT_VARIABLE, SOCKET_VARIABLE, end_by_themselves, kill
from wimble.agent.watcher import STOP_WAIT_S

SHOWN = 3


def end_left_processes(root: Path) -> list[str]:
    """Ends them, and returns a message for the user if there were any.

    root: the folder of the project.
    """
    left = [process for process, path in _processes(root) if _is_dead(path)]
    if not left:
        return []
    names = [f"{_command_of(process)} (pid {process.pid})" for process in left]
    sockets = {_environment_of(process).get(SOCKET_VARIABLE, "") for process in left} - {""}
    kill(end_by_themselves(left, STOP_WAIT_S))
    for path in sockets:
        remove_socket(Path(path))
    shown = ", ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")
    return [f"an earlier run was killed and left processes of the SUT, which were ended: {shown}"]


def notes_on_other_runs(root: Path) -> list[str]:
    """Returns a message for the user if another run works on the project. Called before the first start of this run."""
    others = {path: process for process, path in _processes(root) if not _is_dead(path)}
    if not others:
        return []
    names = ", ".join(f"{_command_of(process)} (pid {process.pid})" for process in list(others.values())[:SHOWN])
    note = (
        f"another run of wimble works on this project ({names}): what both write, such as a database or files, "
        "each sees of the other, so tests may differ from run to run; give them a database and a folder of their own"
    )
    return [note]


def _processes(root: Path) -> Iterator[tuple[psutil.Process, str]]:
    """Yields the processes that runs have started on the project, each with the path of its socket."""
    folder = str(root.resolve())
    for process in psutil.process_iter():
        environment = _environment_of(process)
        path = environment.get(SOCKET_VARIABLE)
        if path and environment.get(ROOT_VARIABLE) == folder and _shares_our_files(process.pid):
            yield process, path


def _environment_of(process: psutil.Process) -> dict[str, str]:
    """Returns the environment of a process; empty for those of other users and of the system."""
    with contextlib.suppress(psutil.Error, OSError):
        if process.pid != os.getpid() and process.uids().real == os.getuid():
            return process.environ()
    return {}


def _shares_our_files(pid: int) -> bool:
    """Whether a path means the same for the process as for this one; in a container, it does not."""
    try:
        return Path(f"/proc/{pid}/ns/mnt").readlink() == Path("/proc/self/ns/mnt").readlink()
    except FileNotFoundError:
        return not Path("/proc/self/ns").exists()
    except OSError:
        return False


def _is_dead(path: str) -> bool:
    """Whether no core listens on a socket."""
    probe = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    with contextlib.closing(probe):
        try:
            probe.setblocking(False)
            probe.connect(path)
        except (FileNotFoundError, ConnectionRefusedError, NotADirectoryError):
            return True
        except OSError:
            return False
    return False


def _command_of(process: psutil.Process) -> str:
    with contextlib.suppress(psutil.Error):
        return " ".join(process.cmdline()[:3])
    return "a process"
