"""Starts the SUT's command with an agent in every process of its tree that can load one, and stops the whole tree.

This module handles processes and environment variables, but neither messages nor HTTP.
"""

from __future__ import annotations

import contextlib
import difflib
import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import psutil

from wimble.agent.processes.last_lines import last_with_error
from wimble.agent.processes.sut_log import SutLog
from wimble.agent.processes.tree_members import ROOT_VARIABLE, SOCKET_VARIABLE, TreeMarks
from wimble.agent.processes.watcher import STOP_WAIT_S, watcher
from wimble.errors import UsageError
from wimble.runtimes.runtime import Runtime

STUBBORN_WAIT_S: Final = 0.3
"""The same for a tree that did not end by itself last time, since a run has dozens of starts."""

MAX_TAIL_BYTES: Final = 64 << 10


def check_command(command: tuple[str, ...], working_dir: Path, runtimes: Iterable[Runtime]) -> None:
    """Raises UsageError if the command cannot be started, or if its interpreter is too old."""
    runtimes = tuple(runtimes)
    example = " or ".join(f"wimble run -- {runtime.interpreter.example}" for runtime in runtimes)
    if not command:
        raise UsageError("no-command", "no command given", hint=example)
    if not working_dir.is_dir():
        raise UsageError("no-such-folder", "the working folder does not exist", where=str(working_dir))
    program = _find_program(command[0], working_dir)
    if program is None:
        details = (f"nearest: {', '.join(near)}",) if (near := _nearest_programs(command[0], working_dir)) else ()
        raise UsageError(
            "command-not-found",
            f"command not found: {command[0]}",
            details=details,
            hint=f"the command is what starts your API, such as: {example}",
        )
    for runtime in runtimes:
        runtime.interpreter.check_command(program)


def _find_program(name: str, working_dir: Path) -> str | None:
    if "/" in name:
        path = working_dir / name
        return str(path) if path.is_file() and os.access(path, os.X_OK) else None
    return shutil.which(name)


def _nearest_programs(name: str, working_dir: Path) -> list[str]:
    """Returns up to three programs or files with names similar to `name`."""
    candidates: list[str] = []
    if "/" not in name:
        for folder in os.environ.get("PATH", "").split(os.pathsep):
            with contextlib.suppress(OSError):
                candidates += [entry.name for entry in Path(folder or ".").iterdir()]
    near = difflib.get_close_matches(Path(name).name, sorted(set(candidates)), n=2, cutoff=0.75)
    path = working_dir / name
    with contextlib.suppress(OSError):
        folder_files = sorted(entry.name for entry in path.parent.iterdir() if entry.is_file())
        if path.is_file():
            return [*near, f"{name} (a file, but not executable)"]
        near += [str(Path(name).parent / file) for file in difflib.get_close_matches(path.name, folder_files, n=1)]
    return near


def agent_environment(
    socket_path: str,
    runtimes: Iterable[Runtime],
    root: Path,
    *,
    include: Iterable[str] = (),
    base: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Returns the SUT's environment: the user's, with variables that make processes of each runtime load its agent.

    All runtimes are included, because a command (`npm start`, `sh run.sh`) does not show what it finally starts.
    Raises UsageError if an agent is not installed.
    """
    environment = dict(os.environ if base is None else base)
    for runtime in runtimes:
        environment |= runtime.loading.variables(runtime.loading.folder(), environment)
    environment[SOCKET_VARIABLE] = socket_path
    environment["WIMBLE_CACHE"] = str(cache_dir())
    environment[ROOT_VARIABLE] = str(root.resolve())
    environment["WIMBLE_INCLUDE"] = json.dumps(list(include))
    return environment


def cache_dir() -> Path:
    """Returns the folder in which agents keep instrumented text over runs."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base and Path(base).is_absolute() else Path.home() / ".cache") / "wimble"


class ProcessTree:
    """A started command and all processes that it started. Its output is appended to `log`."""

    def __init__(self, command: tuple[str, ...], working_dir: Path, environment: dict[str, str], log: SutLog) -> None:
        """Starts the command. Raises UsageError if it cannot be executed."""
        self.log = log
        started_s = time.time()
        self._is_stopped = False
        self._log_start = log.size
        with log.open() as output:
            try:
                self._process = subprocess.Popen(
                    command,
                    cwd=working_dir,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            except OSError as error:
                raise UsageError(
                    "command-not-started", f"cannot start {command[0]}: {error.strerror or error}"
                ) from error
        self.pid = self._process.pid
        self._marks = TreeMarks(self.pid, environment.get(SOCKET_VARIABLE, ""), started_s)
        watcher().note_started(self._marks)

    @property
    def is_stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._is_stopped

    @property
    def exit_status(self) -> int | None:
        """Exit status of the command itself; negative for a signal, None while it runs."""
        return self._process.poll()

    def wait_exit(self, timeout_s: float) -> int | None:
        """Waits up to `timeout_s` for the end of the command, and returns `exit_status`."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout_s)
        return self._process.poll()

    def leave_out_output(self) -> None:
        """Leaves out what is in the log by now from later results of `output`."""
        self._log_start = self.log.size

    def output(self, since: int | None = None) -> str:
        """Returns the end of the SUT's output, from its start or from `since`, an earlier `log.size`."""
        return self.log.read(self._log_start if since is None else since, MAX_TAIL_BYTES)

    def last_lines(self, n_lines: int, since: int | None = None) -> tuple[str, ...]:
        """Returns the last lines of `output(since)` that are not blank, with the error whose stack they are."""
        lines = [line.rstrip() for line in self.output(since).splitlines() if line.strip()]
        return last_with_error(lines, n_lines)

    def listens(self) -> list[int]:
        """Returns the TCP ports on which processes of the tree listen, as far as the system reports them."""
        ports: set[int] = set()
        for process in self._marks.members():
            with contextlib.suppress(psutil.Error):
                for connection in process.net_connections(kind="tcp"):
                    if connection.status == psutil.CONN_LISTEN and connection.laddr:
                        ports.add(connection.laddr.port)
        return sorted(ports)

    def unix_sockets(self) -> list[str]:
        """Returns the paths of Unix sockets on which the tree listens, as far as the system reports them."""
        paths: set[str] = set()
        for process in self._marks.members():
            with contextlib.suppress(psutil.Error):
                connections = process.net_connections(kind="unix")
                paths.update(str(connection.laddr) for connection in connections if connection.laddr)
        return sorted(paths - {self._marks.socket_path})

    @property
    def has_processes(self) -> bool:
        """Whether a process of the tree still runs."""
        return bool(self._marks.members())

    def has_left(self, pid: int) -> bool:
        """Whether a process that the command started has detached itself, as a daemon does."""
        try:
            return os.getsid(pid) != self.pid
        except OSError:
            return False

    def resident_bytes(self) -> int:
        """Returns the memory that the processes of the tree hold, as far as the system reports it."""
        n_bytes = 0
        for process in self._marks.members():
            with contextlib.suppress(psutil.Error):
                n_bytes += process.memory_info().rss
        return n_bytes

    def processor_s(self) -> float:
        """Returns how much of the processor's time the processes of the tree have had, as far as the system tells."""
        taken_s = 0.0
        for process in self._marks.members():
            with contextlib.suppress(psutil.Error):
                times = process.cpu_times()
                taken_s += times.user + times.system
        return taken_s

    def stop(self, pids: Iterable[int] = (), wait_s: float = STOP_WAIT_S) -> bool:
        """Ends the tree: SIGTERM, and SIGKILL after `wait_s`. Idempotent; safe in a signal handler.

        pids: processes that are known to belong to the tree because they sent a `hello`.
        Returns whether the whole tree ended by itself.
        """
        if self._is_stopped:
            return True
        self._is_stopped = True
        has_ended = self._marks.end(pids, wait_s)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        watcher().note_stopped(self.pid)
        return has_ended
