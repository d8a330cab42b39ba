"""The user's own reset: when it is due, and what is said where it fails."""

import http.server
import threading

import pytest

from wimble.errors import TargetError
from wimble.execute.http.address import Address
from wimble.execute.sut.reset_hook import ResetHook
from wimble.http.binding import http_operation
from wimble.model.testcase import Call, TestCase

NOWHERE = Address("127.0.0.1", 1, False)


@pytest.fixture
def server():
    """Answers POST /reset with 204 and all else with 500; `server.seen` has the targets."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.server.seen.append(self.path)
            self.send_response(204 if self.path.startswith("/reset") else 500)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        running.seen = []
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield running
        running.shutdown()


def case(*methods: str) -> TestCase:
    return TestCase(tuple(Call(http_operation(id=method, method=method, path="/"), ()) for method in methods))


def test_it_is_due_after_starts_and_calls_that_may_change_something(tmp_path):
    hook = ResetHook("true", tmp_path)
    assert hook.is_due
    hook.run(NOWHERE)
    hook.note(case("GET", "HEAD"))
    assert not hook.is_due
    hook.note(case("GET", "DELETE"))
    hook.note(case("GET"))
    assert hook.is_due
    hook.run(NOWHERE)
    assert not hook.is_due
    hook.note_start()
    assert hook.is_due


def test_a_command_runs_in_the_folder_and_knows_the_api(tmp_path):
    ResetHook("echo $WIMBLE_BASE_URL > told", tmp_path).run(NOWHERE)
    assert (tmp_path / "told").read_text() == "http://127.0.0.1:1\n"


def test_a_path_is_one_of_the_api_and_a_url_is_its_own(tmp_path, server):
    here = Address("127.0.0.1", server.server_port, False)
    ResetHook("/reset?all=1", tmp_path).run(here)
    ResetHook(f"{here.url}/reset", tmp_path).run(NOWHERE)
    assert server.seen == ["/reset?all=1", "/reset"]


def test_what_fails_is_told(tmp_path, server, monkeypatch):
    monkeypatch.setattr("wimble.execute.sut.reset_hook.RESET_TIMEOUT_S", 0.2)
    here = Address("127.0.0.1", server.server_port, False)
    for text, what in [
        ("echo no such table; exit 3", "code 3"),
        ("sleep 5", "within 0.2 s"),
        ("/other", "status 500"),
        ("http://127.0.0.1:1/reset", "no answer"),
    ]:
        with pytest.raises(TargetError, match=what) as caught:
            ResetHook(text, tmp_path).run(here)
        assert caught.value.slug == "reset-failed"
        if text.startswith("echo"):
            assert "  no such table" in caught.value.details
