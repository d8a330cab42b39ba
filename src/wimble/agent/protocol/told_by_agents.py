"""Reports of agents by files in the mock server's folder: programs, Unix sockets and native code that the SUT uses.

None of them leads to the mock server by itself, so the user is told of them by name.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from wimble.agent.protocol.mock_messages import UnmockedConnection

PREFIX: Final = "told-"
OTHER_PROGRAM: Final = (
    "a program that the API starts: unless it is Node, only requests that heed proxy variables are mocked"
)
UNIX_SOCKET: Final = "a Unix socket: what the API sends there arrives, and no answer of it is mocked"
NATIVE_CODE: Final = "native code that can look up names: the connections that it opens itself are not mocked"
REFUSED_AGAIN: Final = "refused, as no mock has been able to serve it"
MAX_NATIVE_BYTES: Final = 512 << 20

_LOOKS_UP_NAMES: Final = re.compile(
    rb"\0_?getaddrinfo\0"
    rb"|\0lib(?:curl|rdkafka|zmq|grpc|pulsar|rabbitmq|mosquitto|nats|ssh2?)[\w.+-]*\.(?:so|dylib)[\d.]*\0"
)
"""In the tables of ELF and Mach-O files: the function of the system, or a library that calls it."""


class ToldByAgents:
    """Reads the files of a folder as they appear, and removes them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._native: dict[str, bool] = {}
        """Files of native code -> whether they look up names."""

    def new(self) -> list[UnmockedConnection]:
        """Returns what has been told since the last call."""
        names = sorted(file.name for file in self._folder.glob(PREFIX + "*"))
        return [one for name in names if (one := self._told_by(name)) is not None]

    def _told_by(self, name: str) -> UnmockedConnection | None:
        kind, _, rest = name.removeprefix(PREFIX).partition("-")
        text = rest if kind == "program" else str((self._folder / name).readlink())
        (self._folder / name).unlink()
        if kind == "program":
            return UnmockedConnection(host=text, port=0, reason=OTHER_PROGRAM, kind="program")
        if kind == "unix":
            return UnmockedConnection(host=f"unix:{text}", port=0, reason=UNIX_SOCKET, kind="reached")
        if kind == "native":
            is_reported = self._native.get(text)
            if is_reported is None:
                is_reported = self._native[text] = looks_up_names(Path(text))
            one = UnmockedConnection(host=_owner(Path(text)), port=0, reason=NATIVE_CODE, kind="native")
            return one if is_reported else None
        host, _, port = text.rpartition(" ")
        return UnmockedConnection(host=host, port=int(port), reason=REFUSED_AGAIN)


def looks_up_names(file: Path) -> bool:
    """Whether a file of native code names the function that looks up hosts, without which nobody calls services."""
    try:
        if file.stat().st_size > MAX_NATIVE_BYTES:
            return True
        return _LOOKS_UP_NAMES.search(file.read_bytes()) is not None
    except OSError:
        return False


def _owner(file: Path) -> str:
    """Returns the package of a file, or the file's name if it is the project's own."""
    _, found, rest = file.as_posix().rpartition("/node_modules/")
    parts = rest.split("/")
    return "/".join(parts[: 1 + parts[0].startswith("@")]) if found else file.name
