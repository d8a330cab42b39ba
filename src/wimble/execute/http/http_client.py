"""A blocking HTTP/1.1 client over one kept-alive connection, without redirects, cookies, proxies and pool.

It is optimised for the search: one `sendall` and usually one `recv` per call, with a parser in C (llhttp). It never
sends a request twice by itself; see `CallFailed.may_be_unseen`.
"""

from __future__ import annotations

import select
import socket
import ssl
import time
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

import httptools

from wimble.agent.processes.spinning import Spinning
from wimble.execute.http.answer_parsing import AnswerParts, ParserEvents, response_of
from wimble.execute.http.free_ports import connected
from wimble.http.http_messages import CallFailure, HttpRequest, HttpResponse

MAX_HEADER_BYTES: Final = 1 << 20
"""If the headers of an answer do not end within this, the answer counts as malformed."""

RECEIVE_BYTES: Final = 1 << 16

IDLE_MARGIN_S: Final = 1.0
"""How long before the end of the server's announced `Keep-Alive: timeout` a connection is no longer used, as in
undici.
"""

HOST: Final = "host"
"""A header that every request has: its own one, or that of the client."""

WAIT_MS: Final = 5
"""Time between two calls of `on_wait`."""

STREAM_WAIT_S: Final = 0.25
"""A stream does not end: what arrives within this time after its headers is its body."""

STREAM_TYPES: Final = ("text/event-stream", "multipart/x-mixed-replace")

ALIVE_SHARE: Final = 0.5
"""An answer of which a part arrived in this last share of its time is a stream, too; else the call hangs."""
STEADY_SHARE: Final = 0.25
"""If the length of an answer is announced, its parts have to have arrived over this share of the time, too: one that
lacks what it has announced is not on its way.
"""


def _lines_of(headers: Mapping[str, str]) -> str:
    return "".join(f"{name}: {value}\r\n" for name, value in headers.items())


class CallFailed(Exception):
    """Raised when a call got no answer.

    `may_be_unseen`: a connection that had served requests before was closed without a byte of an answer. Perhaps the
    server had just closed it as idle, and never received the request. The request may be sent again only if it is known
    that it was not received (the agent saw no call begin), or if receiving it twice does no harm. `is_unsent`: there
    was no server to send it to.
    """

    def __init__(
        self, failure: CallFailure, message: str, *, may_be_unseen: bool = False, is_unsent: bool = False
    ) -> None:
        super().__init__(message)
        self.failure: CallFailure = failure
        self.message = message
        self.may_be_unseen = may_be_unseen
        self.is_unsent = is_unsent


class HttpClient:
    """Talks to one server. It must not be used by several threads at once.

    `headers` are sent with each request. `on_connect` is called with the local port after each new connection, before
    anything is sent over it. `sign` adds the credentials of the user that a request names, and signs tokens in it.
    `on_wait` is called repeatedly while an answer takes long.
    """

    def __init__(
        self,
        host: str,
        port: int,
        *,
        is_https: bool = False,
        headers: tuple[tuple[str, str], ...] = (),
        on_connect: Callable[[int], None] | None = None,
        sign: Callable[[HttpRequest], HttpRequest] | None = None,
        on_wait: Callable[[], None] | None = None,
    ) -> None:
        self.host = host
        self.port = port
        self.is_https = is_https
        self.local_port = 0
        """The local port of the open connection; 0 if there is none."""
        self._headers = headers
        self._on_connect = on_connect
        self._sign = sign
        self._on_wait = on_wait
        self._socket: socket.socket | None = None
        self._events = ParserEvents()
        self._n_served = 0
        self._leave_at_s = float("inf")
        self._keeps = True
        self._poll = select.poll()
        self._spinning = Spinning()
        shown_host = f"[{host}]" if ":" in host else host
        all_headers = {"Host": f"{shown_host}:{port}"} | dict(headers)
        self._first_lines = f" HTTP/1.1\r\n{_lines_of(all_headers)}"
        del all_headers["Host"]
        self._lines_without_host = f" HTTP/1.1\r\n{_lines_of(all_headers)}"

    def another(self) -> HttpClient:
        """Returns a client for a further connection to the same server."""
        return HttpClient(
            self.host,
            self.port,
            is_https=self.is_https,
            headers=self._headers,
            on_connect=self._on_connect,
            sign=self._sign,
        )

    def wait_with(self, on_wait: Callable[[], None]) -> None:
        """Calls `on_wait` from now on while an answer takes long, in place of what was called before."""
        self._on_wait = on_wait

    def keep_no_connections(self) -> None:
        """Sends each request over a connection of its own from now on.

        A server may close a connection some time after its answer (Express does, if an error is passed on then), and so
        lose the request that has come after.
        """
        self._keeps = False

    # ---- connection -------------------------------------------------------------------------------------------------

    def connect(self, timeout_s: float) -> None:
        """Opens a connection if there is none that can be used.

        Raises: CallFailed; TargetError if this machine has no port for it.
        """
        if self._socket is not None:
            if time.monotonic() < self._leave_at_s and self._is_open():
                return
            self.close()
        try:
            plain = connected(self.host, self.port, timeout_s)
        except TimeoutError as error:
            raise CallFailed("timeout", f"no connection within {timeout_s:g} s") from error
        except OSError as error:
            raise CallFailed("connection-lost", f"cannot connect: {error}", is_unsent=True) from error
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.local_port = plain.getsockname()[1]
        self._socket = plain
        self._poll = select.poll()
        self._poll.register(plain, select.POLLIN)
        self._events = ParserEvents()
        self._n_served = 0
        self._leave_at_s = float("inf")
        if self._on_connect is not None:
            self._on_connect(self.local_port)
        if self.is_https:
            self._start_tls(plain)

    def _start_tls(self, plain: socket.socket) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE  # certificates of development servers are self-signed
        try:
            self._socket = context.wrap_socket(plain, server_hostname=self.host)
        except TimeoutError as error:
            self.close()
            raise CallFailed("timeout", "no TLS handshake in time") from error
        except OSError as error:
            self.close()
            raise CallFailed("connection-lost", f"TLS handshake failed: {error}") from error

    def _is_open(self) -> bool:
        """Whether the server has not closed the connection.

        Between calls nothing may arrive, so a readable socket was closed by the server, or has surplus data.
        """
        connection = self._socket
        if isinstance(connection, ssl.SSLSocket):
            connection.settimeout(0)
            try:
                connection.recv(1)
            except ssl.SSLWantReadError:  # also after session tickets
                return True
            except OSError:
                return False
            return False
        return not self._poll.poll(0)

    def close(self) -> None:
        """Closes the connection. Idempotent."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None
            self.local_port = 0

    # ---- one call ---------------------------------------------------------------------------------------------------

    def request(
        self,
        request: HttpRequest,
        timeout_s: float,
        *,
        is_stream: bool = False,
        on_sent: Callable[[], None] | None = None,
    ) -> HttpResponse:
        """Sends a request and reads its answer, within `timeout_s` in total.

        is_stream: the answer is known to have no end. on_sent: is called before the answer is waited for.

        Raises: CallFailed.
        """
        if self._sign is not None:
            request = self._sign(request)
        deadline_s = time.monotonic() + timeout_s
        self.connect(timeout_s)
        connection = self._socket
        assert connection is not None
        answer = self._events.begin(is_head=request.method == "HEAD")
        send_error: OSError | None = None
        try:
            connection.settimeout(timeout_s)
            connection.sendall(self._request_bytes(request))
        except TimeoutError as error:
            self.close()
            raise CallFailed("timeout", f"request not taken within {timeout_s:g} s") from error
        except OSError as error:
            send_error = error  # the server may have answered (413) and closed before it had read everything
        if on_sent is not None:
            on_sent()
        try:
            self._receive(connection, answer, deadline_s, send_error, is_stream)
        except CallFailed:
            self.close()
            raise
        self._n_served += 1
        if not self._can_be_kept(answer):
            self.close()
        return response_of(answer)

    def _request_bytes(self, request: HttpRequest) -> bytes:
        lines = [request.method, " ", request.target, self._first_lines]
        for name, value in request.headers:
            if len(name) == len(HOST) and name.lower() == HOST:
                lines[3] = self._lines_without_host
            lines.append(f"{name}: {value}\r\n")
        body = request.body
        if body is not None:
            lines.append(f"Content-Length: {len(body)}\r\n\r\n")
            return "".join(lines).encode("latin-1", "replace") + body
        lines.append("Content-Length: 0\r\n\r\n" if request.method in ("POST", "PUT", "PATCH") else "\r\n")
        return "".join(lines).encode("latin-1", "replace")

    def _receive(
        self,
        connection: socket.socket,
        answer: AnswerParts,
        deadline_s: float,
        send_error: OSError | None,
        is_stream: bool,
    ) -> None:
        """Reads until the answer is complete, or cut.

        Raises: CallFailed.
        """
        n_received = 0
        ends_at_s = deadline_s
        first_s = last_s = start_s = time.monotonic()
        parser = self._events.parser
        while True:
            try:
                data = self._next_received(connection) if n_received else self._first_received(connection)
            except TimeoutError:
                whole_s = deadline_s - start_s
                is_steady = not answer.has_length or last_s - first_s >= whole_s * STEADY_SHARE
                is_alive = is_steady and last_s >= deadline_s - whole_s * ALIVE_SHARE
                self._take_timeout(answer, is_alive, is_stream)
                return
            except OSError as error:
                self._fail_lost(answer, n_received, send_error or error)
            if not data:
                self._take_end(answer, n_received, send_error)
                return
            n_received += len(data)
            try:
                parser.feed_data(data)
            except httptools.HttpParserUpgrade:
                answer.complete(is_bodiless=True)
            except httptools.HttpParserError as error:
                if not answer.is_complete:
                    raise CallFailed("malformed-response", f"not HTTP: {error}") from error
                self._events.note_surplus()
            if answer.is_complete or answer.is_body_full:
                return
            if not answer.status and n_received > MAX_HEADER_BYTES:
                raise CallFailed("malformed-response", "endless headers")
            last_s = time.monotonic()
            first_s = last_s if n_received == len(data) else first_s
            if ends_at_s == deadline_s and answer.status:
                is_stream = is_stream or answer.header("content-type").startswith(STREAM_TYPES)
                if is_stream:
                    ends_at_s = min(deadline_s, last_s + STREAM_WAIT_S)
            if last_s >= ends_at_s:  # data came too often for a time-out of the socket
                self._take_timeout(answer, True, is_stream)
                return
            connection.settimeout(max(0.001, ends_at_s - last_s))

    def _take_timeout(self, answer: AnswerParts, was_alive: bool, is_stream: bool) -> None:
        """Handles the end of the time: a stream ends here, any other call has no answer.

        Raises: CallFailed.
        """
        if answer.status and (is_stream or was_alive):
            answer.cut_endless()
            return
        raise CallFailed("timeout", "no complete answer in time" if answer.status else "no answer in time")

    def _first_received(self, connection: socket.socket) -> bytes:
        """Returns the first bytes of an answer; empty if the connection has ended.

        Raises: TimeoutError, OSError.
        """
        start_s = time.perf_counter()
        data = self._soon_received(connection, start_s + self._spinning.window_s) or self._next_received(connection)
        self._spinning.note(time.perf_counter() - start_s)
        return data

    def _next_received(self, connection: socket.socket) -> bytes:
        """Returns what arrives next; empty if the connection has ended.

        Raises: TimeoutError, OSError.
        """
        if self._on_wait is not None:
            self._wait(connection, self._on_wait)
        return connection.recv(RECEIVE_BYTES)

    def _soon_received(self, connection: socket.socket, end_s: float) -> bytes:
        """Returns what arrives until `end_s`, without sleeping.

        The result is empty if nothing arrived, or if the connection has ended.
        """
        if isinstance(connection, ssl.SSLSocket) or time.perf_counter() >= end_s:
            return b""  # TLS may wait for a whole record
        timeout_s = connection.gettimeout()
        connection.setblocking(False)
        try:
            while time.perf_counter() < end_s:
                try:
                    return connection.recv(RECEIVE_BYTES)
                except BlockingIOError:
                    continue
            return b""
        finally:
            connection.settimeout(timeout_s)

    def _wait(self, connection: socket.socket, meanwhile: Callable[[], None]) -> None:
        """Waits until data can be read.

        Raises: TimeoutError, if the connection's time is over before.
        """
        end_s = time.monotonic() + (connection.gettimeout() or 0.0)
        while not self._poll.poll(WAIT_MS):
            if time.monotonic() >= end_s:
                raise TimeoutError
            meanwhile()

    def _take_end(self, answer: AnswerParts, n_received: int, send_error: OSError | None) -> None:
        """Handles a connection that the server closed: the end of a body without another end, or a lost call.

        Raises: CallFailed, if the call is lost.
        """
        if answer.status and not answer.has_length and not answer.is_chunked:
            answer.complete()
            self.close()
            return
        self._fail_lost(answer, n_received, send_error)

    def _fail_lost(self, answer: AnswerParts, n_received: int, error: OSError | None) -> None:
        message = f"connection lost before an answer: {error or 'closed'}"
        if answer.status:
            promised = f" of {answer.header('content-length')}" if answer.has_length else ""
            message = (
                f"status {answer.status}, then the connection was lost after {answer.n_bytes}{promised} bytes of the "
                "body"
            )
        raise CallFailed("connection-lost", message, may_be_unseen=n_received == 0 and self._n_served > 0)

    def _can_be_kept(self, answer: AnswerParts) -> bool:
        events = self._events
        if (
            not self._keeps
            or answer.is_body_full
            or answer.is_endless
            or events.has_surplus
            or self._socket is None
            or answer.status == 101
        ):
            return False
        if "close" in answer.header("connection").lower():
            return False
        keep_alive = answer.header("keep-alive")
        if keep_alive:
            timeout_s = _keep_alive_s(keep_alive)
            self._leave_at_s = time.monotonic() + max(timeout_s - IDLE_MARGIN_S, timeout_s / 2)
        if answer.is_bodiless:
            events.renew_parser()
            return True
        return answer.keeps_alive


@lru_cache(maxsize=64)
def _keep_alive_s(value: str) -> float:
    """Returns the timeout of a `Keep-Alive: timeout=5, max=100` header, in seconds."""
    for part in value.split(","):
        name, _, number = part.strip().partition("=")
        if name.lower() == "timeout" and number.isdecimal():
            return float(number)
    return float("inf")
