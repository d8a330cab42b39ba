"""curl commands, run by a shell against a server that tells what it received."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator

import pytest
from suite_samples import NASTY_TEXTS, SERVER

from wimble.http.curl import curl_command
from wimble.http.http_messages import HttpRequest


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    script = SERVER.replace("PORT_OF_TEST", "0").replace("'ready'", "server.address().port")
    with subprocess.Popen(["node", "-e", script], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield f"http://127.0.0.1:{server.stdout.readline().strip()}"
        server.kill()


def test_a_certificate_of_the_servers_own_making_is_accepted() -> None:
    assert curl_command(HttpRequest("GET", "/books"), "https://h:1") == "curl -sS -i -k https://h:1/books"


def test_a_request_becomes_a_curl_command() -> None:
    json_type = (("Content-Type", "application/json"),)
    assert curl_command(HttpRequest("GET", "/books?page=1"), "http://h:1/") == "curl -sS -i 'http://h:1/books?page=1'"
    assert (
        curl_command(HttpRequest("POST", "/books", json_type, b'{"a":"it\'s"}'), "http://h:1")
        == """curl -sS -i http://h:1/books -H 'Content-Type: application/json' --data-raw '{"a":"it'"'"'s"}'"""
    )
    form = (("Content-Type", "multipart/form-data; boundary=b"),)
    assert (
        curl_command(HttpRequest("POST", "/books", form, b"--b\r\n100% 'n\\\0"), "http://h:1")
        == r"""printf '\055-b\r\n100%% \047n\\\000' | """
        "curl -sS -i http://h:1/books -H 'Content-Type: multipart/form-data; boundary=b' --data-binary @-"
    ), "what people can read stays as it is"
    any_type = (("Accept", "*/*"),)  # curl sends it by itself
    assert curl_command(HttpRequest("GET", "/books", any_type), "http://h:1") == "curl -sS -i http://h:1/books"
    assert (
        curl_command(HttpRequest("DELETE", "/a/../b"), "http://h:1")
        == "curl -sS -i -X DELETE --path-as-is http://h:1/a/../b"
    )


REQUESTS = [
    *(HttpRequest("POST", "/echo", (("Content-Type", "text/plain"),), text.encode()) for text in NASTY_TEXTS),
    HttpRequest("POST", "/echo", (), b"\x00\xff%s\\n\n"),
    HttpRequest("PUT", "/echo", (), b"@/etc/passwd"),
    HttpRequest("GET", "/echo", (), b"a body of a GET"),
    HttpRequest("GET", "/echo/a/../b/./c?x=[1]{2}&y='"),
    HttpRequest("DELETE", "/echo", (("X-Tag", "caf\xe9 \x80 'q' \"d\" $HOME `id` \\"),)),
    HttpRequest("PATCH", "/echo", (("X-Tag", ""),)),
]


@pytest.mark.e2e
@pytest.mark.skipif(
    shutil.which("curl") is None or shutil.which("node") is None, reason="curl or node is not installed"
)
@pytest.mark.parametrize("request_", REQUESTS, ids=str)
def test_server_receives_every_byte(base_url: str, request_: HttpRequest) -> None:
    command = curl_command(request_, base_url)
    done = subprocess.run(["sh", "-c", command], capture_output=True, timeout=20)
    assert done.returncode == 0, (command, done.stderr)
    received = json.loads(done.stdout.split(b"\r\n\r\n")[-1])
    assert received == {
        "method": request_.method,
        "url": request_.target,
        "body": (request_.body or b"").hex(),
        "tag": dict(request_.headers).get("X-Tag"),
    }
