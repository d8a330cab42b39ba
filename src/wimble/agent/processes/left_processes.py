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
from typing import Literal

import msgspec
import psutil

from wimble.agent.processes.tree_members import ROOT_VARIABLE, SOCKET_VARIABLE, end_by_themselves, kill
from wimble.agent.processes.watcher import STOP_WAIT_S
from wimble.agent.transport import RUN_SUFFIX, iter_sockets, remove_socket

SHOWN = 3


class _Run(msgspec.Struct, frozen=True):
    """The content of the file beside a socket."""

    pid: int
    """The process id of the core."""
    root: str
    """The folder of the project."""
    mounts: str | None
    """What `_mounts` returned for the core: in a container, a path is another file."""


def end_left_processes(root: Path) -> list[str]:
    """Ends them, and returns a message for the user if there were any.

    root: the folder of the project.
    """
    left = [process for process, path in _processes(root) if _is_dead(path)]
    if not left:
        return []
    names = [f"{_command_of(process.pid)} (pid {process.pid})" for process in left]
    sockets = {_environment_of(process).get(SOCKET_VARIABLE, "") for process in left} - {""}
    kill(end_by_themselves(left, STOP_WAIT_S))
    for path in sockets:
        remove_socket(Path(path))
    shown = ", ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")
    return [f"an earlier run was killed and left processes of the SUT, which were ended: {shown}"]


def announce_run(socket_path: str, root: Path) -> None:
    """Leaves a file beside a socket that says which run listens there. It goes with the socket.

    Other runs cannot tell it by the processes of the SUT alone, since there are none while it starts again.
    """
    run = _Run(pid=os.getpid(), root=str(root.resolve()), mounts=_mounts("self"))
    # Complete when it appears: others may read it at any time.
    unfinished = Path(f"{socket_path}{RUN_SUFFIX}.new")
    unfinished.write_bytes(msgspec.json.encode(run))
    unfinished.replace(f"{socket_path}{RUN_SUFFIX}")


def notes_on_other_runs(root: Path) -> list[str]:
    """Returns a message for the user if another run works on the project.

    This run has to be announced before, so that of two runs that start at once, at least one knows of the other.
    """
    others = {run.pid: None for path in iter_sockets() if (run := _run_at(path, root)) and not _is_dead(str(path))}
    others.pop(os.getpid(), None)
    if not others:
        return []
    names = ", ".join(f"{_command_of(pid)} (pid {pid})" for pid in list(others)[:SHOWN])
    note = (
        f"another run of wimble works on this project ({names}): what both write, such as a database or files, "
        "each sees of the other, so tests may differ from run to run; give them a database and a folder of their own"
    )
    return [note]


def _run_at(path: Path, root: Path) -> _Run | None:
    """Returns the run that listens, or listened, on a socket; None if it works on another project."""
    with contextlib.suppress(OSError, msgspec.DecodeError):
        run = msgspec.json.decode(Path(f"{path}{RUN_SUFFIX}").read_bytes(), type=_Run)
        if run.root == str(root.resolve()) and run.mounts == _mounts("self"):
            return run
    return None


def _processes(root: Path) -> Iterator[tuple[psutil.Process, str]]:
    """Yields the processes that runs have started on the project, each with the path of its socket."""
    folder = str(root.resolve())
    for process in psutil.process_iter():
        environment = _environment_of(process)
        path = environment.get(SOCKET_VARIABLE)
        if path and environment.get(ROOT_VARIABLE) == folder and _mounts(process.pid) == _mounts("self"):
            yield process, path


def _environment_of(process: psutil.Process) -> dict[str, str]:
    """Returns the environment of a process; empty for those of other users and of the system."""
    with contextlib.suppress(psutil.Error, OSError):
        if process.pid != os.getpid() and process.uids().real == os.getuid():
            return process.environ()
    return {}


def _mounts(pid: int | Literal["self"]) -> str | None:
    """Returns the name of a process's mounts; two processes with the same one mean the same by a path.

    Empty if the system has no such names (macOS), None if it does not tell this one.
    """
    try:
        return str(Path(f"/proc/{pid}/ns/mnt").readlink())
    except FileNotFoundError:
        return None if Path("/proc/self/ns").exists() else ""
    except OSError:
        return None


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


def _command_of(pid: int) -> str:
    with contextlib.suppress(psutil.Error):
        return " ".join(psutil.Process(pid).cmdline()[:3])
    return "a process"
