"""However a run ends, it ends with a result, and what had been found before is in it."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from wimble.config.project_file import read_project_file
from wimble.engine import run as engine
from wimble.engine import suite_phases
from wimble.engine.events import FindingFound, RunFinished
from wimble.engine.session.stop import StopRequest
from wimble.search.mio import MioStrategy
from wimble.settings import Settings

DOCUMENT = {
    "openapi": "3.1.0",
    "info": {"title": "shop", "version": "1"},
    "paths": {
        "/broken": {"get": {"responses": {"200": {"description": "ok"}}}},
        "/fine": {"get": {"responses": {"200": {"description": "ok"}}}},
    },
}
FAULT = "GET /broken answers 500"


class Shop:
    """A server with a fault. From request `misbehaves_from` on it answers as `misbehaves` says."""

    def __init__(self):
        self.n_requests = 0
        self.misbehaves_from = 10**9
        self.misbehaves = None
        self.n_logins = 0
        shop = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_GET(self):
                shop.n_requests += 1
                if shop.n_requests >= shop.misbehaves_from:
                    shop.misbehaves(self)
                else:
                    self.answer(500 if self.path.startswith("/broken") else 200, {"path": self.path})

            def do_POST(self):
                shop.n_logins += 1
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                self.answer(200 if shop.n_logins == 1 else 503, {"token": "a-token-of-the-shop"})

            def answer(self, status, body, headers=()):
                raw = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                for name, value in headers:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def end(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def shop():
    made = Shop()
    yield made
    made.end()


def run(shop, tmp_path, events=None, **options):
    """The result; events: takes in all of them."""
    document = tmp_path / "openapi.json"
    document.write_text(json.dumps(DOCUMENT))
    settings = Settings(
        url=f"http://127.0.0.1:{shop.server.server_port}", schemas=(str(document),), output_dir=tmp_path / "out",
        max_time_s=None, max_calls=60, seed=1, return_timeout_s=0.1, call_timeout_s=0.3,
        **{"test_format": "node-test", **options},
    )  # fmt: skip
    events = [] if events is None else events
    for event in engine.run(settings, StopRequest()):
        events.append(event)
    return events[-1].result


def titles(result):
    return [finding.finding.title for finding in result.findings]


def drop(handler):
    """The server is gone, the call in flight with it."""
    handler.close_connection = True
    handler.server.socket.close()


@pytest.mark.parametrize("test_format", ["node-test", "none"])
def test_faults_are_told_as_repeated_with_and_without_tests(shop, tmp_path, test_format):
    result = run(shop, tmp_path, test_format=test_format)
    (finding,) = result.findings
    assert finding.finding.title.startswith(FAULT)
    assert finding.is_repeated
    assert (finding.test is None) == (not result.tests) == (test_format == "none")


def test_a_server_that_ends(shop, tmp_path):
    shop.misbehaves_from, shop.misbehaves = 20, drop
    result = run(shop, tmp_path)
    assert result.stopped_by == "sut"
    assert any(title.startswith(FAULT) for title in titles(result))
    assert any("its last calls: " in warning for warning in result.warnings)
    assert "no tests were written, for none can be verified without the SUT" in result.warnings


def test_a_server_that_is_gone_when_tests_are_made(shop, tmp_path, monkeypatch):
    monkeypatch.setattr(suite_phases, "choose_candidates", lambda coordinator, databases: shop.end() or ["one"])
    monkeypatch.setattr(shop, "end", shop.server.server_close)
    result = run(shop, tmp_path)
    assert any(title.startswith(FAULT) for title in titles(result))
    assert any(warning.startswith("no tests could be verified") for warning in result.warnings)


@pytest.mark.parametrize(
    ("error", "stopped_by"), [(RuntimeError("a bug"), "calls"), (KeyboardInterrupt(), "interrupt")]
)
def test_a_bug_and_an_interrupt_at_any_place(shop, tmp_path, monkeypatch, error, stopped_by):
    observed = MioStrategy.observe

    def observe(self, evaluation, progress):
        if progress > 0.5:
            raise error
        return observed(self, evaluation, progress)

    monkeypatch.setattr(MioStrategy, "observe", observe)
    events = []
    if isinstance(error, KeyboardInterrupt):
        run(shop, tmp_path, events)
    else:
        with pytest.raises(RuntimeError, match="a bug"):
            run(shop, tmp_path, events)
    assert isinstance(events[-1], RunFinished)
    assert any(title.startswith(FAULT) for title in titles(events[-1].result))
    if stopped_by == "interrupt":
        assert events[-1].result.stopped_by == stopped_by
    else:
        assert any("what it had found is kept" in warning for warning in events[-1].result.warnings)


def test_a_login_that_fails_once_tokens_have_expired(shop, tmp_path):
    (tmp_path / "wimble.toml").write_text('[[auth]]\nname = "u"\nlogin = { path = "/login", token = "/token" }\n')
    file = read_project_file(None, tmp_path, {})
    shop.misbehaves_from, shop.misbehaves = 20, lambda handler: handler.answer(401, {"error": "expired"})
    result = run(shop, tmp_path, users=file.users, secrets=file.secrets)
    assert shop.n_logins > 1, "a new token was asked for"
    assert result.calls >= 60
    assert any(title.startswith(FAULT) for title in titles(result))


def redirect(handler):
    handler.answer(302, {}, [("Location", "/elsewhere/for/ever")])


def too_many(handler):
    handler.answer(429, {}, [("Retry-After", "900")])


def too_long(handler):
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b"short")
    handler.close_connection = True


def no_text(handler):
    handler.answer(200, b'{"name":"\xff\xfe"}')


def no_gzip(handler):
    handler.answer(200, b"not compressed", [("Content-Encoding", "gzip")])


def closed_at_once(handler):
    handler.close_connection = True


@pytest.mark.parametrize("misbehaves", [redirect, too_many, too_long, no_text, no_gzip, closed_at_once])
def test_answers_that_are_a_trial_for_clients(shop, tmp_path, misbehaves):
    shop.misbehaves_from, shop.misbehaves = 20, misbehaves
    events = []
    result = run(shop, tmp_path, events)
    assert any(isinstance(event, FindingFound) for event in events)
    assert result.stopped_by == "calls"
    assert any(title.startswith(FAULT) for title in titles(result))
    if misbehaves is too_many:
        assert any("answered with 429 (too many requests, with Retry-After: 900)" in one for one in result.warnings)
