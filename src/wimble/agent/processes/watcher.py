"""A process that outlives the core, and ends the trees that the core has left when it was killed.

The core can be ended in ways that it cannot notice (SIGKILL, out of memory). The end of its process closes the pipe to
the watcher, which then ends the trees that the core has started and not stopped. The agents notice the end, too
(protocol/README.md); the watcher also ends processes without an agent, and those whose event loop is blocked.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from wimble.agent.processes.tree_members import TreeMarks
from wimble.agent.transport import remove_socket

STOP_WAIT_S: Final = 3.0
"""Time that a tree has to end by itself after SIGTERM."""

LEAVE_WAIT_S: Final = 1.0
"""Time that the core waits at its end for the watcher, which has nothing to do then."""


class Started(msgspec.Struct, frozen=True, tag="started"):
    """The core has started a tree."""

    marks: TreeMarks


class Stopped(msgspec.Struct, frozen=True, tag="stopped"):
    """The core has stopped a tree."""

    pid: int


class Made(msgspec.Struct, frozen=True, tag="made"):
    """The core has made a temporary folder, which it removes when it ends by itself."""

    folder: str


Line = Started | Stopped | Made


class Watcher:
    """The core's side: the running watcher, which is told which trees there are."""

    def __init__(self) -> None:
        """Starts the watcher. Without one (the system refuses another process), a killed core leaves its trees."""
        self._process: subprocess.Popen[bytes] | None = None
        paths = os.pathsep.join(str(Path(path).absolute()) for path in sys.path if path)
        with contextlib.suppress(OSError):
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",  # `-m` puts the working folder first on the path of modules
                env={**os.environ, "PYTHONPATH": paths},
                start_new_session=True,  # signals of a terminal go to the core only
            )
            atexit.register(self.close)

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    def note_started(self, marks: TreeMarks) -> None:
        self._tell(Started(marks))

    def note_stopped(self, pid: int) -> None:
        self._tell(Stopped(pid))

    def note_made(self, folder: Path) -> None:
        self._tell(Made(str(folder)))

    def _tell(self, line: Line) -> None:
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(OSError, ValueError):  # it was killed, or the core is at its end
                self._process.stdin.write(msgspec.json.encode(line) + b"\n")
                self._process.stdin.flush()

    def close(self) -> None:
        """Lets the watcher end. Idempotent."""
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(LEAVE_WAIT_S)


def watcher() -> Watcher:
    """Returns the watcher of this process, which is started with the first tree."""
    return _watcher_of(os.getpid())


@cache
def _watcher_of(_pid: int) -> Watcher:
    return Watcher()


def watch(lines: Iterable[bytes]) -> None:
    """Follows what the core tells; when it tells no more, ends the trees and removes the folders that are left."""
    trees: dict[int, TreeMarks] = {}
    sockets: dict[str, None] = {}
    folders: list[str] = []
    for text in lines:
        line = msgspec.json.decode(text, type=Line)
        if isinstance(line, Started):
            trees[line.marks.pid] = line.marks
            sockets[line.marks.socket_path] = None
        elif isinstance(line, Stopped):
            trees.pop(line.pid, None)
        else:
            folders.append(line.folder)
    for marks in trees.values():
        marks.end((), STOP_WAIT_S)
    for path in sockets:
        if path:
            remove_socket(Path(path))
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


def main(source: BinaryIO) -> None:
    """Runs the watcher until `source` ends. Only the end of the core ends it."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    watch(source)


if __name__ == "__main__":
    main(sys.stdin.buffer)
