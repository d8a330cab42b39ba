"""Moves frames between the core and the agents: a Unix socket in a private folder, many connections, one thread.

A frame is a length of 4 bytes (unsigned, little-endian), then that many bytes. This module does not decode frames.
"""

from __future__ import annotations

import contextlib
import selectors
import shutil
import socket
import struct
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from wimble.agent.processes.spinning import Spinning
from wimble.agent.shared_number import SharedNumber
from wimble.errors import ProtocolError

MAX_FRAME_BYTES: Final = 64 << 20
RECEIVE_BYTES: Final = 1 << 18
MAX_RECEIVES_PER_POLL: Final = 16
"""Limits the frames per poll, so that an agent that sends very many (tracing) does not block the others."""

GATE_SUFFIX: Final = ".gate"
"""A standby's FIFO has the path of its socket with this suffix."""
MARK_SUFFIX: Final = ".mark"
"""The file with the mark has the path of the socket with this suffix."""
RUN_SUFFIX: Final = ".run"
"""The file that says which run listens on a socket (left_processes.py) has the path of the socket with this suffix."""

FOLDER_PREFIX: Final = "wimble-"
"""The names of the private folders that sockets are in, within the folder for temporary files, begin with it."""
SOCKET_NAME: Final = "s"
SHORT_FOLDER: Final = "/tmp"
"""Where that folder is if the path of the folder for temporary files is too long."""

MAX_SOCKET_PATH_BYTES: Final = 100
"""`sun_path` has 108 bytes on Linux and 104 on macOS, including the final zero."""

_LENGTH = struct.Struct("<I")


class AgentConnection:
    """The connection of one agent. A closed connection stays closed, and sending to it does nothing."""

    def __init__(self, connection: socket.socket, transport: Transport) -> None:
        self._socket = connection
        self._transport = transport
        self._incoming = bytearray()
        self._outgoing = bytearray()
        self.is_open = True

    def send(self, *payloads: bytes) -> None:
        """Queues frames, and sends what the socket accepts now. Polling sends the rest. Never blocks."""
        if not self.is_open:
            return
        data = b"".join([part for payload in payloads for part in (_LENGTH.pack(len(payload)), payload)])
        if self._outgoing:
            self._outgoing += data
            return
        try:
            n_sent = self._socket.send(data)
        except BlockingIOError:
            n_sent = 0
        except OSError:
            # The agent has closed the connection. Frames that it sent before are still unread, so polling will reach
            # its end.
            return
        if n_sent < len(data):
            self._outgoing += data[n_sent:]
            self._transport.watch(self, wants_write=True)

    @property
    def is_flushed(self) -> bool:
        """Whether the socket holds all that was sent."""
        return not self._outgoing

    def flush(self) -> None:
        """Sends more of the queue. The transport calls it when the socket accepts data again."""
        try:
            n_sent = self._socket.send(self._outgoing)
        except BlockingIOError:
            return
        except OSError:
            self._outgoing.clear()
        else:
            del self._outgoing[:n_sent]
        if not self._outgoing:
            self._transport.watch(self, wants_write=False)

    def receive(self) -> Iterator[bytes]:
        """Yields the complete frames that have arrived. Sets `is_open` to False at the end of the stream."""
        for _ in range(MAX_RECEIVES_PER_POLL):
            try:
                data = self._socket.recv(RECEIVE_BYTES)
            except BlockingIOError:
                break
            except OSError:
                data = b""
            if not data:
                self.close()
                break
            self._incoming += data
            yield from self._complete_frames()
            if len(data) < RECEIVE_BYTES:
                break

    def _complete_frames(self) -> Iterator[bytes]:
        buffer, start = self._incoming, 0
        while len(buffer) - start >= 4:
            (length,) = _LENGTH.unpack_from(buffer, start)
            if length > MAX_FRAME_BYTES:
                self.close()
                raise ProtocolError("bad-frame", f"an agent announced a frame of {length} bytes")
            end = start + 4 + length
            if len(buffer) < end:
                break
            payload = bytes(buffer[start + 4 : end])  # no view, because a bytearray with a view cannot grow
            start = end
            yield payload
        del buffer[:start]

    def close(self) -> None:
        """Closes the connection. Idempotent."""
        if self.is_open:
            self.is_open = False
            self._transport.forget(self)
            self._socket.close()

    def fileno(self) -> int:
        return self._socket.fileno()


class Transport:
    """The listening socket and all connections. Agents find `path` in `WIMBLE_SOCKET`."""

    def __init__(self) -> None:
        self._folder = _private_folder()
        self.path = str(self._folder / SOCKET_NAME)
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(self.path)
        self._listener.listen(128)
        self._listener.setblocking(False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ, None)
        self._connections: list[AgentConnection] = []
        self._spinning = Spinning()
        self._mark_file = SharedNumber(Path(self.path + MARK_SUFFIX))
        self.mark = 0
        self.is_open = True

    def set_mark(self, mark: int) -> None:
        """Sets the number by which agents know that there is a message to read (shared_number.py)."""
        self.mark = mark
        self._mark_file.set(mark)

    def poll(self, timeout_s: float) -> Iterator[tuple[AgentConnection, bytes | None]]:
        """Yields (connection, frame) for frames that arrive within `timeout_s` (0: now).

        The frame None says that the agent has closed the connection. Waits for the first event only. A new connection
        appears with its first frame. The iterator has to be exhausted.
        """
        if not self.is_open:
            return
        for key, events in self._ready(timeout_s):
            agent: AgentConnection | None = key.data
            if agent is None:
                agent = self._accept()  # often, its first frame has already arrived
                events = selectors.EVENT_READ
            if agent is None:
                continue
            if events & selectors.EVENT_WRITE and agent.is_open:
                agent.flush()
            if events & selectors.EVENT_READ and agent.is_open:
                for payload in agent.receive():
                    yield agent, payload
                if not agent.is_open:
                    yield agent, None

    def _ready(self, timeout_s: float) -> list[tuple[selectors.SelectorKey, int]]:
        """Does what the selector's `select` does, but polls before it sleeps where that pays."""
        ready = self._selector.select(0)
        if ready or timeout_s <= 0:
            return ready
        start_s = time.perf_counter()
        end_s = start_s + min(self._spinning.window_s, timeout_s)
        while not ready and time.perf_counter() < end_s:
            ready = self._selector.select(0)
        ready = ready or self._selector.select(timeout_s)
        self._spinning.note(time.perf_counter() - start_s)
        return ready

    def _accept(self) -> AgentConnection | None:
        try:
            connection, _ = self._listener.accept()
        except OSError:
            return None
        connection.setblocking(False)
        agent = AgentConnection(connection, self)
        self._connections.append(agent)
        self._selector.register(connection, selectors.EVENT_READ, agent)
        return agent

    def watch(self, agent: AgentConnection, *, wants_write: bool) -> None:
        """Sets whether polling also waits until the agent's socket accepts data."""
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if wants_write else 0)
        self._selector.modify(agent, events, agent)

    def forget(self, agent: AgentConnection) -> None:
        """Stops polling a connection. Does nothing if it is not polled."""
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(agent)
        if agent in self._connections:
            self._connections.remove(agent)

    def close_connections(self) -> None:
        """Closes all connections, and keeps listening."""
        for agent in tuple(self._connections):
            agent.close()
        for _ in range(128):  # connections of killed processes that were never accepted
            try:
                connection, _ = self._listener.accept()
            except OSError:
                break
            connection.close()

    def close(self) -> None:
        """Closes everything and removes the folder. Idempotent."""
        if self.is_open:
            self.close_connections()
            self.is_open = False
            self._selector.close()
            self._listener.close()
            self._mark_file.close()
            shutil.rmtree(self._folder, ignore_errors=True)


def _private_folder() -> Path:
    """Returns a new folder that only this user can enter, with a path short enough for a socket in it."""
    folder = Path(tempfile.mkdtemp(prefix=FOLDER_PREFIX))
    if len(str(folder / SOCKET_NAME).encode()) > MAX_SOCKET_PATH_BYTES:
        folder.rmdir()
        folder = Path(tempfile.mkdtemp(prefix=FOLDER_PREFIX, dir=SHORT_FOLDER))
    return folder


def iter_sockets() -> Iterator[Path]:
    """Yields the paths of the sockets of all cores on this machine that may be reached, those that ended included."""
    for parent in dict.fromkeys((tempfile.gettempdir(), SHORT_FOLDER)):
        for folder in sorted(Path(parent).glob(f"{FOLDER_PREFIX}*")):
            yield folder / SOCKET_NAME


def remove_socket(path: Path) -> None:
    """Removes the socket of a core that has ended, what belongs to it, and the folder if it is then empty."""
    with contextlib.suppress(OSError):
        for suffix in ("", GATE_SUFFIX, MARK_SUFFIX, RUN_SUFFIX):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        path.parent.rmdir()


def remaining_s(deadline_s: float) -> float:
    """Returns the seconds until a `time.monotonic()` deadline; never negative."""
    return max(0.0, deadline_s - time.monotonic())
