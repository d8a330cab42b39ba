"""A number in a file, which another process reads to learn whether a message waits for it.

Reading a socket in vain takes an agent as long as a call of a small program; reading this file does not. So the number
is written once the message is in the socket.
"""

from __future__ import annotations

import os
import struct
from pathlib import Path

_NUMBER = struct.Struct("<I")


class SharedNumber:
    """The number, as 4 bytes, unsigned and little-endian; 0 at first."""

    def __init__(self, path: Path) -> None:
        self._descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
        self.set(0)  # now: later, the disk may be full

    def set(self, number: int) -> None:
        """Writes the number; of a larger one its last 32 bits."""
        os.pwrite(self._descriptor, _NUMBER.pack(number & 0xFFFFFFFF), 0)

    def close(self) -> None:
        """Closes the file, which stays."""
        os.close(self._descriptor)
