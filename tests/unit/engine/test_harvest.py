"""Harvesting asks the real service what it was told to, keeps no secret, and writes files that can be read again."""

import json
import socket
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from waiting import wait_until
from wimble.engine.session.harvest import Harvest, body_without_secrets
from wimble.engine.session.recordings import read_recordings
from wimble.errors import UsageError
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest
from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest, host_and_port
from wimble.model.testcase import TestCase


class Service(BaseHTTPRequestHandler):
    seen: list[tuple[str, str, dict[str, str]]]

    def answer(self):
        self.seen.append((self.command, self.path, {name.lower(): value for name, value in self.headers.items()}))
        body = b'{"city":"Oslo"}'
        self.send_response(302 if self.path == "/moved" else 200)
        self.send_header("content-type", "application/json")
        self.send_header("set-cookie", "session=s3cr3t")
        self.send_header("x-session-token", "s3cr3t")
        self.send_header("location", "/elsewhere")
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer

    def log_message(self, *_):
        pass


@pytest.fixture
def service():
    handler = type("Recorded", (Service,), {"seen": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_address[1], handler.seen
    server.shutdown()
    server.server_close()


def request(port, target, method="GET", **headers):
    given = tuple(headers.items())
    return ExternalRequest(
        call=0, site="", n=0, origin=f"http://127.0.0.1:{port}", method=method, target=target, headers=given
    )


def evaluation(*requests):
    observation = http_observation(0, HttpRequest(method="GET", target="/", headers=(), body=None))
    return Evaluation(test_case=TestCase(()), observations=(observation,), reached={}, interactions=requests)


def test_real_answers_are_kept_without_secrets(service, tmp_path):
    port, seen = service
    harvest = Harvest([f"127.0.0.1:{port}"], tmp_path / "kept")
    asked = request(port, "/places?q=Oslo&api_key=abc", authorization="Bearer abc", accept="application/json")
    harvest.note(evaluation(request(port, "/charges", "POST"), asked, asked, request(port + 1, "/other")))
    harvest.note(evaluation(asked, request(port, "/moved")))
    found = []
    wait_until(lambda: found.extend(harvest.take()) or len(found) == 2)
    assert [(method, path) for method, path, _ in seen] == [("GET", "/places?q=Oslo"), ("GET", "/moved")]
    assert seen[0][2].get("accept") == "application/json"
    assert "authorization" not in seen[0][2]
    assert [(one.status, one.body) for one in found] == [(200, '{"city":"Oslo"}'), (302, '{"city":"Oslo"}')]
    (file,) = (tmp_path / "kept").iterdir()
    assert "s3cr3t" not in file.read_text() and "abc" not in file.read_text()
    read = read_recordings([tmp_path / "kept"]).answers
    assert [(one.target, one.status, one.body) for one in read] == [(one.target, one.status, one.body) for one in found]
    assert ("content-type", "application/json") in read[0].headers


def test_nothing_is_sent_unless_a_host_is_named(service, tmp_path):
    port, seen = service
    harvest = Harvest([], tmp_path / "kept")
    harvest.note(evaluation(request(port, "/places")))
    assert harvest.take() == [] and seen == [] and not (tmp_path / "kept").exists()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "no JSON"),
        (b"\xff\xfe\x00", "no text"),
        (b"[" * 100_000, "no JSON|log.entries"),
        (b"[]", "log.entries"),
        (b"{}", "log.entries"),
        (b'{"log":{"entries":5}}', "log.entries"),
        (b'{"log":{"entries":{}}}', "log.entries"),
        (b'{"log":{"entries":[{}]}}', "none of its entries"),
        (b'{"log":{"entries":[{"request":1}, 7, null]}}', "none of its entries"),
    ],
)
def test_malformed_recordings_are_refused_with_the_reason(tmp_path, content, reason):
    file = tmp_path / "a.har"
    file.write_bytes(content)
    with pytest.raises(UsageError, match=reason):
        read_recordings([file])


@pytest.mark.parametrize(
    "broken",
    [
        {"request": 5},
        {"request": {"method": "GET", "url": "https://[geo.example/"}, "response": {"status": 200}},
        {"request": {"method": "GET", "url": "https://geo.example/b"}, "response": {"status": "fine"}},
        {"request": {"method": 1, "url": "https://geo.example/b"}, "response": {"status": 200}},
        {
            "request": {"method": "GET", "url": "https://geo.example/b"},
            "response": {"status": 200, "content": {"text": "%%", "encoding": "base64"}},
        },
    ],
)
def test_entries_that_cannot_be_read_are_left_out(tmp_path, broken):
    good = {"request": {"method": "GET", "url": "https://geo.example/a"}, "response": {"status": 200}}
    (tmp_path / "a.har").write_text(json.dumps({"log": {"entries": [broken, good]}}))
    assert [one.target for one in read_recordings([tmp_path]).answers] == ["/a"]


def test_answers_of_a_service_at_an_address_are_those_of_its_requests(tmp_path):
    entry = {
        "request": {"method": "GET", "url": "http://[2001:db8::7]:8080/a"},
        "response": {"status": 200, "content": {"text": "{}"}},
    }
    (tmp_path / "a.har").write_text(json.dumps({"log": {"entries": [entry]}}))
    (one,) = read_recordings([tmp_path]).answers
    assert one.origin == "http://[2001:db8::7]:8080"  # as the mock server tells it of a request
    assert host_and_port(one.origin) == ("2001:db8::7", 8080)


def test_recordings_of_browsers_are_read(tmp_path):
    entry = {
        "request": {"method": "get", "url": "https://geo.example/a?b=1", "headers": []},
        "response": {
            "status": 200,
            "headers": [{"name": "X-Total", "value": "3"}, {"name": "Set-Cookie", "value": "a=b"}],
            "content": {"mimeType": "image/png", "text": "AQI=", "encoding": "base64"},
        },
    }
    failed = {"request": {"method": "GET", "url": "https://geo.example/b"}, "response": {"status": 0}}
    (tmp_path / "a.har").write_text(json.dumps({"log": {"entries": [entry, failed]}}))
    (one,) = read_recordings([tmp_path]).answers
    assert (one.origin, one.method, one.target, one.is_base64) == ("https://geo.example:443", "GET", "/a?b=1", True)
    assert one.headers == (("x-total", "3"), ("content-type", "image/png"))


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        ('{"access_token":"abc","scope":"all"}', '{"access_token":"***","scope":"all"}'),
        ('{"users":[{"name":"Ada","apiKey":"k1"}]}', '{"users":[{"name":"Ada","apiKey":"***"}]}'),
        ('{"author": "Ada",  "passengers": ["x"]}', '{"author": "Ada",  "passengers": ["x"]}'),
        ("sent as Bearer abcdef", "sent as ***"),
        ('{"note":"hunter2 is it"}', '{"note":"*** is it"}'),
    ],
)
def test_bodies_are_kept_without_secrets(body, kept):
    assert body_without_secrets(body, lambda text: text.replace("hunter2", "***")) == kept


def test_a_service_that_speaks_no_http_ends_only_its_own_harvest(service, tmp_path):
    port, _ = service
    with socket.create_server(("127.0.0.1", 0)) as other:
        Thread(target=_answer_nonsense, args=[other], daemon=True).start()
        silent = other.getsockname()[1]
        harvest = Harvest([f"127.0.0.1:{silent}", f"127.0.0.1:{port}"], tmp_path)
        harvest.note(evaluation(request(silent, "/a"), request(port, "/b")))
        wait_until(harvest.take)
    assert len(harvest.problems) == 1
    assert harvest.problems[0].startswith(f"harvest of http://127.0.0.1:{silent}: ")


def _answer_nonsense(server):
    connection, _ = server.accept()
    with connection:
        connection.recv(1000)
        connection.sendall(b"220 mail.example ready\r\n\r\n")


GOOD = {"request": {"method": "GET", "url": "https://geo.example/a"}, "response": {"status": 200}}
FAILED = {"request": {"method": "GET", "url": "https://geo.example/b"}, "response": {"status": 0}}


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        ([GOOD, FAILED], ""),
        ([GOOD, {"request": 5}, 7], "2 of 3 entries have no request with a method and a URL"),
        ([FAILED], "no request in it has got an answer"),
        ([], "no request in it has got an answer"),
    ],
)
def test_entries_that_are_left_out_are_told(tmp_path, entries, told):
    file = tmp_path / "geo.har"
    file.write_text(json.dumps({"log": {"entries": entries}}))
    warnings = read_recordings([tmp_path]).warnings
    assert [f"--recorded {file}: {told}" in one for one in warnings] == [True] * bool(told)


def test_folders_are_told_in_which_there_are_no_recordings(tmp_path):
    (tmp_path / "folder.har").mkdir()
    assert read_recordings([tmp_path]).warnings == [f"--recorded {tmp_path}: there is no file *.har in this folder"]
