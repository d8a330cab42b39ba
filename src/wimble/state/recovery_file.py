"""The initial rows of a database in a file, so that they survive this process.

The file is written before anything changes and removed when everything is restored. A run that finds the file of an
earlier, killed run restores these rows first.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TypeVar

import msgspec

FOLDER = "databases"

T = TypeVar("T")


class RecoveryFile:
    """The recovery file of one database, in the output folder."""

    def __init__(self, output_dir: Path, database: str) -> None:
        digest = hashlib.sha256(database.encode()).hexdigest()[:16]
        self.path = output_dir / FOLDER / f"{digest}.json"

    def read(self, kind: type[T]) -> T | None:
        """Returns the content of the file; None if there is no file, or it cannot be read.

        An unreadable file needs no recovery: the file is complete before anything changes.
        """
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=kind)
        except (OSError, msgspec.MsgspecError):
            return None

    def write(self, saved: msgspec.Struct) -> None:
        """Writes the file so that only this user can read it. Raises: OSError."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        part = self.path.with_suffix(".part")
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(msgspec.json.encode(saved))
                file.flush()
                os.fsync(file.fileno())
            part.replace(self.path)
        except OSError:
            part.unlink(missing_ok=True)
            raise

    def remove(self) -> None:
        """Removes the file, and its folder if it is then empty."""
        self.path.unlink(missing_ok=True)
        if self.path.parent.is_dir() and not any(self.path.parent.iterdir()):
            self.path.parent.rmdir()
