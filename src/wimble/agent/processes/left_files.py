"""Removes what processes of wimble and of its suites have left among temporary files because they were killed.

Locks, folders of mocked services, and files with a port are meant: their names, or the text of a lock, say whose they
are. Suites do the same when they start.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
import tempfile
import time
from pathlib import Path
from typing import Final

import psutil

OF_PROCESS: Final = re.compile(r"wimble-(?:mocks|port)-(\d+)-")
LOCK_WITH_OWNER: Final = "wimble-lock-"
HELD_LOCK: Final = re.compile(r"wimble-[0-9a-f]{16}\.lock")
MIN_AGE_S: Final = 60.0
"""Age of a lock that may be removed: one that was just made anew has another owner than the one that was read."""


def mocks_prefix() -> str:
    """Returns how the names of folders of mocked services begin that this process makes."""
    return f"wimble-mocks-{os.getpid()}-"


def remove_left_files(folder: Path | None = None) -> None:
    """folder: where temporary files are."""
    for path in (folder or Path(tempfile.gettempdir())).glob("wimble-*"):
        with contextlib.suppress(OSError, ValueError):  # another user's, or removed already
            if HELD_LOCK.fullmatch(path.name):
                _remove_unheld(path)
            elif (owner := _owner_of(path)) and not psutil.pid_exists(owner):
                shutil.rmtree(path) if path.is_dir() else path.unlink()


def _owner_of(path: Path) -> int:
    """Returns the process that has made a file; 0 if it is not known."""
    made = OF_PROCESS.match(path.name)
    if made is not None:
        return int(made[1])
    is_lock = path.name.startswith(LOCK_WITH_OWNER) and _is_old(path)
    return int(path.read_text(encoding="ascii")) if is_lock else 0


def _remove_unheld(lock: Path) -> None:
    """Who waits for it then sees that it is gone, and makes another one."""
    if not _is_old(lock):
        return
    descriptor = os.open(lock, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        lock.unlink()
    finally:
        os.close(descriptor)


def _is_old(path: Path) -> bool:
    return time.time() - path.stat().st_mtime >= MIN_AGE_S
