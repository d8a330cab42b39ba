"""The HTTP client against servers that say exactly what a test scripts, well-formed or not."""

import contextlib
import gzip
import socket
import ssl
import struct
import threading
import time
import zlib

import pytest

from self_signed import make_certificate
from waiting import is_connected, wait_until
from wimble.execute.http.answer_parsing import MAX_BODY_BYTES
from wimble.execute.http.http_client import CallFailed, HttpClient
from wimble.http.http_messages import HttpRequest

GET = HttpRequest("GET", "/x")
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


class ScriptedServer:
    """Per connection a list of steps: bytes, or a list of pieces, are sent after one request was read; "close",
    "reset"."""

    def __init__(self, *connections, context=None):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.requests = []
        self.connections = connections
        self.context = context
        self.done = threading.Event()
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        for script in self.connections:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.run, args=(connection, script), daemon=True).start()

    def run(self, connection, script):
        with contextlib.suppress(OSError):  # the client left first
            self.play(connection, script)

    def play(self, connection, script):
        if self.context is not None:
            connection = self.context.wrap_socket(connection, server_side=True)
        with connection:
            for step in script:
                if step == "reset":
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    return
                if step == "close":
                    return
                if isinstance(step, bytes):
                    self.requests.append(self.read_request(connection))
                    connection.sendall(step)
                else:  # a list of pieces, for one request
                    self.requests.append(self.read_request(connection))
                    for piece in step:
                        time.sleep(0.01)  # so that each piece arrives alone
                        connection.sendall(piece)
            self.done.wait(10)

    def read_request(self, connection):
        data = b""
        while b"\r\n\r\n" not in data:
            received = connection.recv(65536)
            if not received:
                return data
            data += received
        head, _, body = data.partition(b"\r\n\r\n")
        for line in head.split(b"\r\n"):
            if line.lower().startswith(b"content-length:"):
                while len(body) < int(line.split(b":")[1]):
                    body += connection.recv(65536)
        return head + b"\r\n\r\n" + body


@pytest.fixture
def serve():
    servers, clients = [], []

    def start(*connections, context=None, **client_options):
        server = ScriptedServer(*connections, context=context)
        client = HttpClient("127.0.0.1", server.port, is_https=context is not None, **client_options)
        servers.append(server)
        clients.append(client)
        return server, client

    yield start
    for client in clients:
        client.close()
    for server in servers:
        server.done.set()
        server.listener.close()


def failure_of(client, request=GET, timeout_s=2.0):
    with pytest.raises(CallFailed) as caught:
        client.request(request, timeout_s)
    return caught.value


def test_one_connection_serves_many_calls(serve):
    server, client = serve([OK] * 5)
    ports = set()
    for _ in range(5):
        assert client.request(GET, 2).body == b"ok"
        ports.add(client.local_port)
    assert len(ports) == 1
    assert len(server.requests) == 5


def test_the_request_as_sent(serve):
    server, client = serve([OK, OK, OK])
    client.request(HttpRequest("POST", "/a?b=1", (("X-A", "1"),), b"body"), 2)
    client.request(HttpRequest("POST", "/empty"), 2)
    client.request(HttpRequest("DELETE", "/gone"), 2)
    host = f"Host: 127.0.0.1:{server.port}\r\n".encode()
    assert server.requests == [
        b"POST /a?b=1 HTTP/1.1\r\n" + host + b"X-A: 1\r\nContent-Length: 4\r\n\r\nbody",
        b"POST /empty HTTP/1.1\r\n" + host + b"Content-Length: 0\r\n\r\n",
        b"DELETE /gone HTTP/1.1\r\n" + host + b"\r\n",
    ]


def test_headers_of_every_request(serve):
    server, client = serve([OK], headers=(("Host", "shop.example"), ("X-Forwarded-Proto", "https")))
    client.request(GET, 2)
    assert server.requests == [b"GET /x HTTP/1.1\r\nHost: shop.example\r\nX-Forwarded-Proto: https\r\n\r\n"]


def test_a_request_with_a_host_of_its_own_has_that_one_alone(serve):
    server, client = serve([OK, OK], headers=(("X-Forwarded-Proto", "https"),))
    client.request(HttpRequest("GET", "/x", (("Host", "admin.example"),)), 2)
    client.request(GET, 2)
    assert server.requests == [
        b"GET /x HTTP/1.1\r\nX-Forwarded-Proto: https\r\nHost: admin.example\r\n\r\n",
        f"GET /x HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nX-Forwarded-Proto: https\r\n\r\n".encode(),
    ]


def test_on_connect_comes_before_the_request(serve):
    seen = []
    server, client = serve([OK, "close"], [OK], on_connect=lambda port: seen.append((port, len(server.requests))))
    client.request(GET, 2)
    first_port = client.local_port
    wait_until(lambda: not is_connected(first_port))
    client.request(GET, 2)
    assert seen == [(first_port, 0), (client.local_port, 1)]


def test_header_names_are_lower_case_and_repeated_ones_kept(serve):
    _, client = serve([b"HTTP/1.1 200 OK\r\nX-A: 1\r\nx-a: \xe9\r\nContent-Length: 0\r\n\r\n"])
    assert client.request(GET, 2).headers == (("x-a", "1"), ("x-a", "é"), ("content-length", "0"))


@pytest.mark.parametrize(
    ("pieces", "status", "body"),
    [
        (
            [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", b"2\r\nde\r\n0\r\n\r\n"],
            200,
            b"abcde",
        ),
        ([b"HTTP/1.", b"1 404 Not Found\r\nContent-Le", b"ngth: 4\r\n\r\nab", b"cd"], 404, b"abcd"),
        ([b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 1\r\n\r\nx"], 201, b"x"),
        ([b"HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\ny"], 200, b"y"),
        ([b"HTTP/1.1 204 No Content\r\n\r\n"], 204, b""),
        ([b"HTTP/1.1 304 Not Modified\r\nContent-Length: 50\r\n\r\n"], 304, b""),
    ],
)
def test_kinds_of_answers_leave_the_connection_in_step(serve, pieces, status, body):
    server, client = serve([pieces, OK])
    response = client.request(GET, 2)
    assert (response.status, response.body) == (status, body)
    assert ("link", "a") not in response.headers
    assert client.request(GET, 2).body == b"ok"
    assert len(server.requests) == 2


def test_head_has_no_body_whatever_its_length_says(serve):
    _, client = serve([b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n", OK])
    assert client.request(HttpRequest("HEAD", "/"), 2).body == b""
    assert client.request(GET, 2).body == b"ok"


def test_a_body_may_end_with_the_connection(serve):
    _, client = serve([b"HTTP/1.1 200 OK\r\n\r\nall of it", "close"], [OK])
    assert client.request(GET, 2).body == b"all of it"
    assert client.request(GET, 2).body == b"ok"


def test_connection_close_is_obeyed(serve):
    _, client = serve([b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx"], [OK])
    client.request(GET, 2)
    assert client.local_port == 0
    assert client.request(GET, 2).body == b"ok"


def test_a_connection_closed_while_idle_is_replaced_before_sending(serve):
    server, client = serve([OK, "close"], [OK])
    client.request(GET, 2)
    wait_until(lambda: not is_connected(client.local_port))
    assert client.request(GET, 2).body == b"ok"
    assert len(server.requests) == 2


def test_an_announced_idle_timeout_is_respected(serve):
    answer = b"HTTP/1.1 200 OK\r\nKeep-Alive: timeout=0\r\nContent-Length: 2\r\n\r\nok"
    _, client = serve([answer], [OK])
    client.request(GET, 2)
    first_port = client.local_port
    client.request(GET, 2)
    assert client.local_port != first_port


def test_a_call_lost_on_a_used_connection_may_be_unseen(serve):
    _, client = serve([OK, b"", "close"])
    client.request(GET, 2)
    error = failure_of(client)
    assert (error.failure, error.may_be_unseen) == ("connection-lost", True)


@pytest.mark.parametrize("end", ["close", "reset"])
def test_a_call_lost_on_a_new_connection_was_seen(serve, end):
    _, client = serve([b"", end])
    error = failure_of(client)
    assert (error.failure, error.may_be_unseen) == ("connection-lost", False)


def test_a_call_lost_within_its_answer_was_seen(serve):
    _, client = serve([OK, b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", "close"])
    client.request(GET, 2)
    error = failure_of(client)
    assert (error.failure, error.may_be_unseen) == ("connection-lost", False)


def test_refused_connections_are_lost_calls():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    assert failure_of(HttpClient("127.0.0.1", port)).failure == "connection-lost"


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"])
def test_the_timeout_is_for_the_whole_call(serve, answer):
    _, client = serve([answer])
    start_s = time.monotonic()
    assert failure_of(client, timeout_s=0.3).failure == "timeout"
    assert 0.25 < time.monotonic() - start_s < 1.5


def test_waiting_ends_with_the_time_of_the_connection(serve):
    _, client = serve([b"", "close"])
    client.connect(2)
    client._socket.settimeout(0.01)
    calls = []
    with pytest.raises(TimeoutError):
        client._wait(client._socket, lambda: calls.append(1))


def test_an_answer_that_drips_does_not_stretch_the_timeout_and_is_cut(serve):
    pieces = [b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n", *([b"x"] * 400)]
    _, client = serve([pieces])
    start_s = time.monotonic()
    response = client.request(GET, 0.3)
    assert response.is_truncated, "it was on its way: it is not true that no answer comes"
    assert time.monotonic() - start_s < 1.5


def test_an_answer_that_comes_late_without_all_that_it_has_announced_is_none(serve):
    late = [*([b""] * 18), b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nab"]
    _, client = serve([late])
    assert failure_of(client, timeout_s=0.3).failure == "timeout"


@pytest.mark.parametrize(
    "answer", [b"SSH-2.0-OpenSSH\r\n\r\n", b"HTTP/1.1 abc\r\n\r\n", b"\x15\x03\x01\x00\x02\x02\x50"]
)
def test_what_is_not_http_is_malformed(serve, answer):
    _, client = serve([answer], [OK])
    assert failure_of(client).failure == "malformed-response"
    assert client.request(GET, 2).body == b"ok"


def test_endless_headers_are_malformed(serve):
    flood = [b"HTTP/1.1 200 OK\r\n", *([b"X-A: " + b"a" * 60_000 + b"\r\n"] * 20)]
    _, client = serve([flood])
    assert failure_of(client, timeout_s=5).failure == "malformed-response"


def test_bytes_after_the_answer_cost_the_connection_only(serve):
    _, client = serve([OK + b"surplus"], [OK])
    assert client.request(GET, 2).body == b"ok"
    assert client.local_port == 0
    assert client.request(GET, 2).body == b"ok"


def test_a_long_body_is_cut(serve):
    size = MAX_BODY_BYTES + 100_000
    _, client = serve([b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % size + b"x" * size], [OK])
    response = client.request(GET, 5)
    assert response.is_truncated
    assert len(response.body) == MAX_BODY_BYTES
    assert client.request(GET, 2).body == b"ok"


@pytest.mark.parametrize(
    ("encoding", "encode"),
    [
        ("gzip", gzip.compress),
        ("deflate", zlib.compress),
        ("deflate", lambda data: zlib.compress(data, wbits=-15)),
        ("br", lambda data: data),
        ("gzip", lambda data: data),
    ],
)
def test_encoded_bodies_are_decoded_where_possible(serve, encoding, encode):
    body = encode(b'{"a": 1}')
    head = f"HTTP/1.1 200 OK\r\nContent-Encoding: {encoding}\r\nContent-Length: {len(body)}\r\n\r\n"
    _, client = serve([head.encode() + body])
    assert client.request(GET, 2).body == b'{"a": 1}'


def test_a_decoded_body_is_bounded(serve):
    body = gzip.compress(b"\0" * (20 * MAX_BODY_BYTES))
    _, client = serve([b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(body) + body])
    response = client.request(GET, 2)
    assert response.is_truncated
    assert len(response.body) == MAX_BODY_BYTES


def test_an_event_stream_is_read_for_a_moment(serve):
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    _, client = serve([head + b"data: 1\n\n"], [OK])
    start_s = time.monotonic()
    response = client.request(GET, 10)
    assert time.monotonic() - start_s < 2
    assert (response.body, response.is_truncated) == (b"data: 1\n\n", True)
    assert client.request(GET, 2).body == b"ok"


def test_an_early_answer_to_a_body_that_is_not_read(serve):
    server, client = serve(["answer-early"])
    request = HttpRequest("POST", "/", (), b"x" * 5_000_000)

    def early(connection, script):
        connection.recv(1000)
        connection.sendall(b"HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\nConnection: close\r\n\r\nbig")
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(65536):
            pass
        connection.close()

    server.play = early
    assert client.request(request, 5).status == 413


@pytest.fixture(scope="session")
def server_context(tmp_path_factory):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*make_certificate(tmp_path_factory.mktemp("tls")))
    return context


def test_https_with_a_certificate_that_nobody_signed(serve, server_context):
    _, client = serve([OK, OK, OK, "close"], [OK], context=server_context)
    ports = set()
    for _ in range(3):
        assert client.request(GET, 2).body == b"ok"
        ports.add(client.local_port)
    assert len(ports) == 1
    wait_until(lambda: not is_connected(client.local_port))
    assert client.request(GET, 2).body == b"ok"


def test_plain_answers_to_a_tls_client_are_lost_calls(serve):
    server, _ = serve([OK])
    client = HttpClient("127.0.0.1", server.port, is_https=True)
    assert failure_of(client, timeout_s=1).failure in ("connection-lost", "timeout")
