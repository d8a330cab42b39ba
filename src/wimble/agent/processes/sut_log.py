"""The file with the SUT's own output, bounded: of long output its beginning and its end are kept.

The SUT writes into the file itself, so that printing costs it nothing more and works when wimble is busy. The core cuts
the middle out when the file has become too long.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import tempfile
from pathlib import Path
from typing import BinaryIO, Final

from wimble.errors import TargetError

PART_BYTES: Final = 1 << 20
"""Size of the beginning and of the end that are kept."""
MIN_PART_BYTES: Final = 4 << 10
FREE_SHARE: Final = 16
"""On a small disk, a part is at most this fraction of the free space."""
CUT_AT_PARTS: Final = 4
"""The file is cut when it is that many parts long, so that cutting is rare."""
PROBE_BYTES: Final = 16 << 10


class SutLog:
    """The log of all starts of one SUT. Positions in it count all bytes that were written, also those cut out."""

    def __init__(self, path: Path) -> None:
        """Raises: OSError, if the folder cannot be created."""
        self.path = path
        self._name = str(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(path.parent).free
        self._part = max(MIN_PART_BYTES, min(PART_BYTES, free // FREE_SHARE))
        self._n_cut = 0
        """Bytes that were cut out."""
        self._shift = 0
        """Difference between a position and that in the file, for what comes after the cut."""
        self._head_end = 0
        """Size of the beginning, once it was cut off from the end; 0 before."""
        self._marker_end = 0

    def open(self) -> BinaryIO:
        """Opens the file for a process that writes to its end. Raises: OSError."""
        return self.path.open("ab")

    @property
    def size(self) -> int:
        """The position of the end; 0 if the file cannot be read."""
        try:
            # For each test case; `Path.stat` costs several times as much.
            return os.stat(self._name).st_size + self._shift  # noqa: PTH116
        except OSError:
            return 0

    def read(self, start: int, max_bytes: int) -> str:
        """Returns the output from a position on, at most its last `max_bytes`."""
        with contextlib.suppress(OSError), self.path.open("rb") as log:
            size = log.seek(0, os.SEEK_END)
            log.seek(max(start - self._shift, self._marker_end, size - max_bytes))
            return log.read(max_bytes).decode("utf-8", "replace")
        return ""

    def bound(self) -> int:
        """Cuts the middle out if the file is too long, and returns the position of the end.

        What the SUT writes at that moment may be cut out, too.
        """
        size = self.size
        if size - self._shift > CUT_AT_PARTS * self._part:
            with contextlib.suppress(OSError):
                self._cut()
            return self.size
        return size

    def _cut(self) -> None:
        with self.path.open("r+b") as log:
            size = log.seek(0, os.SEEK_END)
            if self._head_end == 0:
                log.seek(0)
                head = log.read(self._part)
                self._head_end = self._marker_end = head.rfind(b"\n") + 1 or len(head)
            log.seek(size - self._part)
            tail = log.read(self._part)
            tail = tail[tail.find(b"\n") + 1 :]
            self._n_cut += size - self._marker_end - len(tail)
            marker = f"[wimble has left out {self._n_cut:,} bytes here]\n".encode()
            log.truncate(self._head_end)
        with self.open() as log:
            log.write(marker + tail)
        self._marker_end = self._head_end + len(marker)
        self._shift += size - self._marker_end - len(tail)


def check_disk(folder: Path) -> None:
    """Raises: TargetError, if the disk of the output folder is full, since the SUT fails when it prints."""
    if is_disk_full(folder):
        raise TargetError(
            "disk-full",
            f"the disk is full: nothing can be written in {folder}",
            hint="Make room there, or name another output folder with --out DIR.",
        )


def is_disk_full(folder: Path) -> bool:
    """Whether nothing more can be written there, since the disk or the user's share of it is full."""
    try:
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(bytes(PROBE_BYTES))
    except OSError as error:
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    return False
