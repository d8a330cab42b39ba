"""Connections of programs lead to the mock server: names, addresses, TLS, HTTP/1.1, HTTP/2, kept connections."""

import json
import select
import socket
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from namespaces import run_in_namespace
from waiting import wait_until
from wimble.agent.mocks.mock_server import MAX_STARTS, MockServer
from wimble.model.external import ExternalOutcome, PlannedAnswer
from wimble.runtimes.node.node_agent import agent_dir, mock_server

SERVICES = Path(__file__).parents[2] / "shared" / "services"
CHARGE = {
    "id": 3,
    "origin": "https://api.example:443",
    "method": "GET",
    "path": "/v1/*",
    "status": 201,
    "headers": [["content-type", "application/json"]],
    "body": '{"paid":true}',
}

OF_GRPC = {
    "id": 4,
    "origin": "http://web.example:80",
    "method": "POST",
    "path": "/shop.Stock/Get",
    "headers": [["content-type", "application/grpc"], ["grpc-status", "5"], ["grpc-message", "gone"]],
    "body": "AAAAAAA=",
    "body_encoding": "base64",
}


def ran(file: str, *answers: dict[str, Any], allowed: tuple[str, ...] = (), included: tuple[str, ...] = ()) -> Any:
    lists = (json.dumps(allowed), json.dumps(included))
    printed = run_in_namespace(SERVICES / "redirected_program.py", str(SERVICES / file), json.dumps(answers), *lists)
    return json.loads(printed)


@cache
def program() -> Any:
    found = ran("node_clients.mjs", CHARGE, OF_GRPC, allowed=("192.0.2.9", "192.0.2.8:8080"))
    assert found["errors"] == ""
    return found


def node_clients() -> tuple[dict[str, Any], list[dict[str, Any]]]:
    found = program()
    return dict(found["printed"]), [one for one in found["requests"] if one["type"] == "request"]


def test_requests_of_http_get_404_and_an_empty_object_as_long_as_nothing_is_planned():
    seen, requests = node_clients()
    assert seen["http"]["status"] == 404 and seen["http"]["text"] == "{}"
    request = requests[0]
    assert (request["origin"], request["method"]) == ("http://geo.example:80", "GET")
    assert request["target"] == "/v1/places/berlin?near=1"
    assert ["Host", "geo.example"] in request["headers"]
    assert (request["client"], request["matched"], request["seq"]) == ("http", None, 5)


def test_sockets_show_the_address_that_was_looked_up():
    seen, _ = node_clients()
    assert seen["http"]["remoteAddress"].startswith("11.") and seen["http"]["remotePort"] == 80
    assert seen["https by address"]["remoteAddress"] == "10.1.2.3"
    assert seen["http over IPv6"]["remoteAddress"] == "2001:db8::7"


def test_planned_answers_come_over_tls_that_the_client_trusts():
    seen, requests = node_clients()
    assert (seen["https"]["status"], seen["https"]["text"]) == (201, '{"paid":true}')
    assert seen["https"]["authorized"] is True
    charge = next(one for one in requests if one["target"] == "/v1/charges")
    assert (charge["matched"], charge["reply"]) == (3, "201")


@pytest.mark.parametrize("name", ["https by address", "https with authorities of its own"])
def test_certificates_are_trusted(name):
    assert node_clients()[0][name]["authorized"] is True


def test_names_in_certificates_are_still_checked():
    assert node_clients()[0]["wrong name"] == "ERR_TLS_CERT_ALTNAME_INVALID"


def test_kept_connections_are_used_again():
    _, requests = node_clients()
    kept = [one["connection"] for one in requests if one["origin"] == "https://kept.example:443"]
    assert len(kept) == 2 and kept[0] == kept[1]


def test_sessions_of_tls_are_resumed_over_new_connections():
    assert node_clients()[0]["resumed"] is True


def test_hosts_that_are_allowed_are_let_through_at_their_ports():
    seen, requests = node_clients()
    assert seen["allowed"] == ["ENETUNREACH", "ENETUNREACH", 404]
    assert [one["origin"] for one in requests if "192.0.2." in one["origin"]] == ["http://192.0.2.8:80"]


def test_bodies_of_requests_are_reported():
    seen, requests = node_clients()
    assert seen["fetch"] == [404, "{}"]
    order = next(one for one in requests if one["target"] == "/v1/orders")
    assert (order["body"], order["client"]) == ('{"id":7}', "fetch")


@pytest.mark.parametrize(
    ("name", "origin"), [("http2 over tls", "https://grpc.example:443"), ("http2 plain", "http://grpc.example:50051")]
)
def test_http2_is_served(name, origin):
    seen, requests = node_clients()
    assert seen[name] == {"status": 404, "text": "{}"}
    assert any(one["origin"] == origin for one in requests)


def test_names_have_one_address_each_in_all_forms_of_looking_up():
    seen, _ = node_clients()
    [plain, found, six] = seen["lookup"]
    assert plain[0].startswith("11.") and plain[1] == 4
    assert found == [[{"address": plain[0], "family": 4}]]
    assert six[0].startswith("2b00::") and six[1] == 6
    assert seen["same address"] is True
    assert seen["resolve"] == [[plain[0]], [six[0]], "ENODATA"]


def test_this_machine_is_reached_as_ever():
    seen, requests = node_clients()
    assert seen["localhost"] == "127.0.0.1" and seen["own server"] == "own"
    assert not any("localhost" in one["origin"] for one in requests)


def test_a_look_up_of_the_programs_own_does_not_escape():
    assert node_clients()[0]["a look-up of its own"]["status"] == 404


def test_a_client_that_accepts_another_certificate_only_is_reported():
    assert node_clients()[0]["another certificate"] == "PINNED"
    report = next(one for one in program()["requests"] if one.get("host") == "strict.example")
    assert (report["type"], report["port"]) == ("unmockable", 443) and "may pin another one" in report["reason"]


def test_other_protocols_are_reported_and_refused_from_then_on():
    seen, _ = node_clients()
    for host, port in (("queue.example", 5672), ("scales.example", 4001)):
        report = next(one for one in program()["requests"] if one.get("host") == host)
        assert (report["type"], report["port"]) == ("unmockable", port) and "no HTTP" in report["reason"]
    assert seen["no HTTP"] == "ECONNREFUSED"


def test_clients_of_grpc_web_get_trailers_in_the_body():
    trailers = "grpc-status: 5\r\ngrpc-message: gone\r\n"
    assert node_clients()[0]["gRPC-Web"] == "\0" * 5 + "\x80\0\0\0" + chr(len(trailers)) + trailers


def test_datagrams_do_not_leave_the_machine():
    assert node_clients()[0]["datagrams"] == ["sent", "sent"]


def announced(server, host):
    """A connection to the mock server, announced as one to the host."""
    described = json.loads(server.environment()["WIMBLE_MOCKS"])
    client = socket.create_connection(("127.0.0.1", described["port"]))
    announcement = Path(described["folder"], str(client.getsockname()[1]))
    announcement.with_suffix(".new").write_text(f"{host}\n80\n1\nhttp\n.\n")
    announcement.with_suffix(".new").rename(announcement)
    client.settimeout(20)
    return client


@pytest.mark.parametrize("is_collected", [True, False])
def test_more_than_the_socket_to_the_core_can_hold_is_reported_whole(is_collected):
    server = MockServer(mock_server(agent_dir()))
    body = b"\x00" * 60_000  # six times as long in JSON
    try:
        with announced(server, "log.example") as client:
            for number in range(8):
                head = f"POST /{number} HTTP/1.1\r\nhost: log.example\r\ncontent-length: {len(body)}\r\n\r\n"
                client.sendall(head.encode() + body)
                while not select.select([client], [], [], 0.005)[0]:
                    if is_collected:
                        server.collect()
                assert client.recv(1 << 16).startswith(b"HTTP/1.1 404")
        requests = server.take()
        assert [one.target for one in requests] == [f"/{number}" for number in range(8)]
        assert {one.body for one in requests} == {body.decode()}
    finally:
        server.close()


def test_kept_connections_to_a_host_that_is_down_are_closed_before_the_calls():
    server = MockServer(mock_server(agent_dir()))
    try:
        with announced(server, "kept.example") as client:
            client.sendall(b"GET /a HTTP/1.1\r\nhost: kept.example\r\n\r\n")
            assert client.recv(1 << 16).startswith(b"HTTP/1.1 404")
            server.plan(1, (), (ExternalOutcome("other.example", 80, "refused"),))
            client.sendall(b"GET /b HTTP/1.1\r\nhost: kept.example\r\n\r\n")
            assert client.recv(1 << 16).startswith(b"HTTP/1.1 404")
            server.plan(2, (), (ExternalOutcome("kept.example", 80, "refused"),))
            client.setblocking(False)
            assert client.recv(1) == b""
        assert [one.target for one in server.take()] == ["/a", "/b"]
    finally:
        server.close()


def uploaded(server, n_bytes):
    """Returns the answer to an upload of so many bytes, and how many were sent when it arrived."""
    block = b"a" * (1 << 20)
    with announced(server, "files.example") as client:
        client.sendall(f"PUT /a HTTP/1.1\r\nhost: files.example\r\ncontent-length: {n_bytes}\r\n\r\n".encode())
        n_sent = 0
        while n_sent < n_bytes and not select.select([client], [], [], 0)[0]:
            client.sendall(block)
            n_sent += len(block)
        return client.recv(1 << 16), n_sent


def test_a_large_upload_is_read_whole_and_one_without_end_is_answered():
    server = MockServer(mock_server(agent_dir()))
    whole, endless = 100 << 20, 1 << 40
    try:
        answer, n_sent = uploaded(server, whole)
        assert answer.startswith(b"HTTP/1.1 404") and n_sent == whole
        answer, n_sent = uploaded(server, endless)
        assert answer.startswith(b"HTTP/1.1 404") and n_sent > whole
        bodies = [one.body for one in server.take()]
        assert [len(body) for body in bodies] == [64 << 10] * 2, "of which the beginning is kept"
    finally:
        server.close()


def test_what_connects_after_the_process_was_killed_gets_what_was_planned_before():
    server = MockServer(mock_server(agent_dir()))
    planned = PlannedAnswer(id=0, origin="http://stock.example:80", method="GET", path="/a", status=418)
    try:
        server.plan(1, (planned,))
        targets = []
        for number in range(2):
            with announced(server, "stock.example") as client:
                client.sendall(b"GET /a HTTP/1.1\r\nhost: stock.example\r\n\r\n")
                assert client.recv(1 << 16).startswith(b"HTTP/1.1 418")
                targets += [one.target for one in server.take()]
                assert server.n_starts == number + 1
                server._process.kill()
                assert client.recv(1) == b"", "the connection ends with it"
        assert targets == ["/a", "/a"]
        assert server.take_notes() == []
    finally:
        server.close()


def test_a_process_that_ends_again_and_again_is_given_up_which_is_told_once():
    server = MockServer(("sh", "-c", "exit 1"))  # what connects waits, so each end is followed by a start
    port = json.loads(server.environment()["WIMBLE_MOCKS"])["port"]
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=20):
            notes = wait_until(server.take_notes)
        assert server.n_starts == MAX_STARTS
        assert [f"ended {MAX_STARTS} times" in note for note in notes] == [True]
        assert server.take_notes() == []
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), timeout=5)
    finally:
        server.close()
