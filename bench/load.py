"""Load on a server through one pipelined connection, so that the server is what limits, not this client."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable

WINDOW = 16
"""Requests under way at a time: enough to keep the server's queue filled."""

REQUESTS = (
    b"GET /hello?name=Ann HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b'POST /double HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"n": 21}',
)
ANSWER_START = b"HTTP/1.1 200 "


class Load:
    """A connection to a server that asks for its routes in turn; each answers 200 with a JSON object."""

    def __init__(self, port: int, requests: tuple[bytes, ...] = REQUESTS) -> None:
        self._requests = requests
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.local_port: int = self._socket.getsockname()[1]

    def close(self) -> None:
        self._socket.close()

    def run(self, seconds: float, each_round: Callable[[], None] | None = None, rounds_between: int = 50) -> float:
        """Requests answered per second. `each_round` runs after each `rounds_between` windows."""
        batch = b"".join(self._requests[index % len(self._requests)] for index in range(WINDOW))
        n_answered = 0
        n_rounds = 0
        start_s = time.perf_counter()
        while (elapsed_s := time.perf_counter() - start_s) < seconds:
            self._send_window(batch)
            n_answered += WINDOW
            n_rounds += 1
            if each_round is not None and n_rounds % rounds_between == 0:
                each_round()
        return n_answered / elapsed_s

    def _send_window(self, batch: bytes) -> None:
        self._socket.sendall(batch)
        received = bytearray()
        while received.count(ANSWER_START) < WINDOW or not self._is_complete(received):
            chunk = self._socket.recv(65536)
            if not chunk:
                raise ConnectionError("the server closed the connection under load")
            received += chunk

    @staticmethod
    def _is_complete(received: bytearray) -> bool:
        """Whether the last answer's body is here."""
        return received.endswith(b"}")
