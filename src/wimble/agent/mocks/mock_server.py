"""The mock server of a run: the process that answers in the place of the services that the SUT calls.

The core listens on the mock server's port itself, and starts the process when the SUT connects for the first time, or
connects after the process has ended. So a SUT that calls nobody costs nothing, and no connection is lost.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from select import select
from threading import Lock, Thread
from typing import TYPE_CHECKING, Final

from wimble.agent.processes.left_files import mocks_prefix
from wimble.agent.processes.watcher import watcher
from wimble.agent.protocol import mock_messages
from wimble.agent.protocol.mock_messages import MockMessage, UnmockedConnection
from wimble.agent.protocol.told_by_agents import ToldByAgents
from wimble.agent.shared_number import SharedNumber
from wimble.errors import TargetError
from wimble.model.external import ExternalOutcome, PlannedAnswer

if TYPE_CHECKING:
    from wimble.agent.mocks.certificates import Authority  # imported when it is needed, since that takes 0.1 s

BACKLOG: Final = 4096
"""Connections that wait until the process has started."""
MAX_STARTS: Final = 20
"""Starts of the process in a run. If it ended each time, another one would not help."""
GIVEN_UP: Final = (
    f"the mock server has ended {MAX_STARTS} times and is not started again: from now on, connections to services are "
    "refused, and tests that need their answers fail; if you did not end it yourself, memory may be short"
)
END_WAIT_S: Final = 5.0
"""How long `close` waits for the thread, which may be starting the process."""
CLOSE_WAIT_S: Final = 2.0
"""How long `plan` waits for the process to close connections."""
COLLECT_S: Final = 0.2
"""How often the thread reads what the process has to say. The process waits while its socket is full."""
RECEIVE_BYTES: Final = 1 << 18
AUTHORITY_FILE: Final = "authority.pem"
PLAN_FILE: Final = "plan"
"""Holds the `seq` of the last plan, by which the process knows whether there is one to read before it answers."""
MOCKS_VARIABLE: Final = "WIMBLE_MOCKS"
"""Environment variable that describes the mock server to agents (protocol/mocks.md)."""
CLOCK_STEP_NS: Final = 20_000_000
"""Coarsest step of the times that file systems of Linux and macOS give to changes of a folder."""
_LENGTH = struct.Struct("<I")


class MockServer:
    """The mock server, which is shared by all starts of a SUT. It serves until `close`."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        unset: Sequence[str] = (),
        allowed: Sequence[str] = (),
        included: Sequence[str] = (),
    ) -> None:
        """command: starts the process; descriptors and a folder are appended. unset: variables that it does not get.

        allowed: hosts with or without a port that the SUT reaches as without mocks. included: those of this machine
        that are mocked.
        """
        self._command = tuple(command)
        self._unset = tuple(unset)
        self._listener = _listen(BACKLOG)
        self._folder = Path(tempfile.mkdtemp(prefix=mocks_prefix()))
        watcher().note_made(self._folder)
        self._folder_descriptor = os.open(self._folder, os.O_RDONLY)
        self._last_plan = SharedNumber(self._folder / PLAN_FILE)
        self._closed = socket.socket()
        self._closed.bind(("127.0.0.1", 0))  # never listens, so connections to it are refused
        self._allowed = tuple(allowed)
        self._included = tuple(included)
        self._lock = Lock()
        self._plan = mock_messages.Plan(0)
        self._requests: _Frames | None = None
        self._left: list[MockMessage] = []
        self._process: subprocess.Popen[bytes] | None = None
        self._told = ToldByAgents(self._folder)
        self._read_ns = 0
        self._wake, self._woken = socket.socketpair()
        self._is_open = True
        self.n_starts = 0
        """Number of starts of the process: 0 as long as the SUT has called nobody."""
        self._notes: list[str] = []
        self._thread = Thread(target=self._serve, name="mock server", daemon=True)
        self._thread.start()

    def environment(self) -> dict[str, str]:
        """Returns the variables with which agents find the mock server."""
        described = {
            "port": self._listener.getsockname()[1],
            "closed_port": self._closed.getsockname()[1],
            "folder": str(self._folder),
            "allowed": self._allowed,
            "included": self._included,
        }
        return {MOCKS_VARIABLE: json.dumps(described)}

    @property
    def pid(self) -> int | None:
        """The process id; None if the process does not run."""
        return None if self._process is None else self._process.pid

    # ---- for evaluations --------------------------------------------------------------------------------------------

    def plan(self, seq: int, answers: Sequence[PlannedAnswer], down: Sequence[ExternalOutcome] = ()) -> None:
        """Replaces all planned answers. They hold for every request that the SUT begins after this.

        The process reads its socket before it answers, so there is nothing to wait for, unless open connections to
        hosts that are down have to be closed first: clients that keep connections would not notice otherwise. A process
        that starts later gets the last plan.
        """
        with self._lock:
            self._plan = mock_messages.Plan(seq, answers, down)
            if self._requests is not None:
                self._send_plan(self._requests)
                if down:
                    self._left += self._requests.take_until_closed(seq)

    def _send_plan(self, requests: _Frames) -> None:
        """The file comes last, so what it names is in the socket."""
        requests.send(mock_messages.encode_for_mock(self._plan))
        self._last_plan.set(self._plan.seq)

    def take(self) -> Sequence[MockMessage]:
        """Returns what has arrived since the last call, in order. It never waits."""
        told = self._newly_told()
        if self.n_starts == 0:
            return told
        with self._lock:
            messages, self._left = self._left, []
            # What was refused again comes after why it was refused.
            return [*messages, *(() if self._requests is None else self._requests.take()), *told]

    def take_notes(self) -> list[str]:
        """Returns texts for the user, since the last call."""
        notes, self._notes = self._notes, []
        return notes

    def collect(self) -> None:
        """Keeps what has arrived for the next `take`. Called while an answer of the SUT takes long.

        A SUT that sends many or large requests fills the socket, and the process waits for room before it answers.
        """
        if self.n_starts:
            with self._lock:
                self._left += () if self._requests is None else self._requests.take()

    @property
    def collected(self) -> Sequence[MockMessage]:
        """The messages that `collect` keeps for the next `take`."""
        return self._left

    def _newly_told(self) -> list[UnmockedConnection]:
        """Returns what agents have named since the last call: a file in the folder each."""
        # After each call: a descriptor is much faster than a path.
        changed_ns = os.fstat(self._folder_descriptor).st_mtime_ns if self._is_open else self._read_ns
        if changed_ns == self._read_ns:
            return []
        if time.time_ns() - changed_ns > CLOCK_STEP_NS:  # else a later change may have the same time
            self._read_ns = changed_ns
        return self._told.new()

    # ---- life -------------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Ends the process and removes the folder. Idempotent."""
        if not self._is_open:
            return
        self._is_open = False
        with contextlib.suppress(OSError):
            self._wake.send(b".")
        self._thread.join(END_WAIT_S)
        for one in (self._wake, self._woken, self._listener, self._closed):
            one.close()
        os.close(self._folder_descriptor)
        self._last_plan.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _serve(self) -> None:
        """Runs in a thread of its own: starts the process when it is needed, and issues certificates."""
        authority: Authority | None = None
        with contextlib.suppress(OSError):  # the sockets are closed with the server
            while self._is_open and self.n_starts < MAX_STARTS:
                ready, _, _ = select([self._listener, self._woken], [], [])
                if self._woken in ready:
                    return
                if authority is None:
                    authority = import_module("wimble.agent.mocks.certificates").Authority()
                    _write_whole(self._folder / AUTHORITY_FILE, authority.certificate)
                self._serve_once(authority)
            if self._is_open:
                self._notes.append(GIVEN_UP)
                self._listener.shutdown(socket.SHUT_RDWR)  # else what connects waits for ever

    def _serve_once(self, authority: Authority) -> None:
        """Starts the process, and serves it until it or this server ends."""
        requests, for_requests = (_Frames(one) for one in socket.socketpair())
        certificates, for_certificates = (_Frames(one) for one in socket.socketpair())
        process = self._started(for_requests, for_certificates)
        with self._lock:
            self._requests = requests
            self._send_plan(requests)
        self._process = process
        self.n_starts += 1
        try:
            self._issue(certificates, authority)
        finally:
            self._process = None
            process.kill()
            process.wait()
            with self._lock:
                self._left += requests.take()
                self._requests = None
            requests.close()
            certificates.close()

    def _started(self, requests: _Frames, certificates: _Frames) -> subprocess.Popen[bytes]:
        """Starts the process with its ends of the sockets, which are closed here."""
        descriptors = (self._listener.fileno(), requests.fileno(), certificates.fileno())
        try:
            return subprocess.Popen(
                [*self._command, *map(str, descriptors), str(self._folder)],
                pass_fds=descriptors,
                env={name: value for name, value in os.environ.items() if name not in self._unset},
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # signals of a terminal go to the core only
            )
        finally:
            requests.close()
            certificates.close()

    def _issue(self, certificates: _Frames, authority: Authority) -> None:
        """Answers requests for certificates until the process or this server ends."""
        while True:
            ready, _, _ = select([certificates.fileno(), self._woken.fileno()], [], [], COLLECT_S)
            if not ready:
                self.collect()  # nobody else does while the SUT starts, when it may call many services
            if self._woken.fileno() in ready or not certificates.is_open:
                return
            for payload in certificates.arrived():
                asked = mock_messages.decode_certificate_request(payload)
                issued = authority.issue(asked.host, asked.fault)
                answer = mock_messages.Certificate(asked.host, authority.leaf_key, issued, asked.fault)
                certificates.send(mock_messages.encode_for_mock(answer))


class _Frames:
    """Messages over a socket: a length of 4 bytes (unsigned, little-endian), then that many bytes."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._incoming = bytearray()
        self.is_open = True
        """False once the other end has closed."""

    def fileno(self) -> int:
        return self._socket.fileno()

    def close(self) -> None:
        self._socket.close()

    def send(self, payload: bytes) -> None:
        """Does nothing if the process has ended: its successor gets what it needs."""
        with contextlib.suppress(OSError):
            self._socket.sendall(_LENGTH.pack(len(payload)) + payload)

    def arrived(self) -> list[bytes]:
        """Returns the messages that have arrived by now. Sets `is_open`."""
        while self.is_open:
            try:
                data = self._socket.recv(RECEIVE_BYTES, socket.MSG_DONTWAIT)
            except BlockingIOError:
                break
            except OSError:
                data = b""
            self.is_open = bool(data)
            self._incoming += data
            if len(data) < RECEIVE_BYTES:
                break
        return list(self._complete())

    def take(self) -> list[MockMessage]:
        """Returns the requests and reports among the messages that have arrived."""
        return [mock_messages.decode_mock_message(payload) for payload in self.arrived()]

    def take_until_closed(self, seq: int) -> list[MockMessage]:
        """Waits until the connections of that plan are closed, and returns what else has arrived."""
        found: list[MockMessage] = []
        deadline = time.monotonic() + CLOSE_WAIT_S
        while self.is_open and (left := deadline - time.monotonic()) > 0:
            select([self._socket], [], [], left)
            messages = self.take()
            found += (one for one in messages if not isinstance(one, mock_messages.ConnectionsClosed))
            if any(isinstance(one, mock_messages.ConnectionsClosed) and one.seq == seq for one in messages):
                break
        return found

    def _complete(self) -> Iterator[bytes]:
        while len(self._incoming) >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._incoming)
            end = _LENGTH.size + length
            if len(self._incoming) < end:
                return
            payload = bytes(self._incoming[_LENGTH.size : end])
            del self._incoming[:end]
            yield payload


def _listen(backlog: int) -> socket.socket:
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", 0))
    except OSError as error:
        listener.close()
        raise TargetError("no-free-port", f"this machine has no free port for mocked services: {error}") from error
    listener.listen(backlog)
    listener.setblocking(False)
    return listener


def _write_whole(path: Path, text: str) -> None:
    """Writes a file so that nobody sees a part of it."""
    unfinished = path.with_suffix(".new")
    unfinished.write_text(text)
    unfinished.replace(path)
