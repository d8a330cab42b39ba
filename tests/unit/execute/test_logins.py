"""Logins: where tokens come from, and when new ones are fetched."""

import base64
import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from wimble.config.project_file import read_project_file
from wimble.execute.http.address import Address
from wimble.execute.http.authentication import Authenticator
from wimble.http.http_messages import HttpRequest, HttpResponse

SECRET = {"SECRET": "client-s3cret"}


@pytest.fixture
def server():
    seen = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            seen.append((self.path, dict(self.headers), body))
            self.send_response(200)
            self.send_header("Set-Cookie", "sid=abc123; Path=/; HttpOnly")
            self.send_header("X-Token", "from-the-header")
            answer = json.dumps({"access_token": f"token-number-{len(seen)}", "expires_in": 3600}).encode()
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_):
            pass

    made = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=made.serve_forever, daemon=True).start()
    made.seen = seen
    yield made
    made.shutdown()
    made.server_close()


def logged_in(tmp_path, server, kind):
    (tmp_path / "wimble.toml").write_text(f'[[auth]]\nname = "u"\n{kind}\n')
    file = read_project_file(None, tmp_path, SECRET)
    auth = Authenticator(file.users, file.secrets)
    address = Address("127.0.0.1", server.server_port, False)
    auth.log_in(address, strict=True)
    return auth, address


def header(auth, name):
    return dict(auth.signed(HttpRequest("GET", "/", (), None, "u")).headers).get(name)


def test_oauth2_client_credentials(tmp_path, server):
    kind = 'oauth2 = { token_url = "/t", client_id = "c", client_secret = "${SECRET}", scope = "a b" }'
    auth, _ = logged_in(tmp_path, server, kind)
    ((path, headers, body),) = server.seen
    assert (path, body) == ("/t", "grant_type=client_credentials&scope=a+b")
    assert base64.b64decode(headers["Authorization"].removeprefix("Basic ")) == b"c:client-s3cret"
    assert header(auth, "Authorization") == "Bearer token-number-1"


def test_cookies_of_the_answer_and_tokens_in_a_header(tmp_path, server):
    auth, _ = logged_in(tmp_path, server, 'login = { path = "/l", form = { user = "u" }, cookies = true }')
    assert header(auth, "Cookie") == "sid=abc123"
    kind = 'login = { path = "/l", token_header = "X-Token", send = "X-Auth: T {token}" }'
    auth, _ = logged_in(tmp_path, server, kind)
    assert header(auth, "X-Auth") == "T from-the-header"


def test_a_401_fetches_one_new_token_until_the_operation_answers_otherwise(tmp_path, server):
    auth, address = logged_in(tmp_path, server, 'login = { path = "/l", token = "/access_token" }')
    request = HttpRequest("GET", "/", (), None, "u")
    for status, is_renewed in ((401, True), (401, False), (200, False), (401, True)):
        auth.take_in(request, "GET /", HttpResponse(status, (), b""))
        assert auth.needs_login() is is_renewed
        auth.log_in(address)
    assert header(auth, "Authorization") == "Bearer token-number-3"


def test_answers_that_repeat_a_secret_are_cleaned(tmp_path, server):
    auth, _ = logged_in(tmp_path, server, 'login = { path = "/l", token = "/access_token" }')
    answer = HttpResponse(200, (("x-echo", "token-number-1"),), b'{"token":"token-number-1"}')
    clean = auth.take_in(HttpRequest("GET", "/", (), None, "u"), "GET /", answer)
    assert (clean.headers, clean.body) == ((("x-echo", "***"),), b'{"token":"***"}')
