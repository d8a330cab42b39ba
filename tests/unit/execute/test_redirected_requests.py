"""Servers that redirect every request to another origin, and what makes them answer."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from wimble.execute.http.address import Address
from wimble.execute.http.fetching import fetch_document
from wimble.execute.http.redirected_requests import RequestForm
from wimble.http.http_messages import HttpResponse

PLAIN = Address("127.0.0.1", 3000, False)


def answer(status, location=""):
    return HttpResponse(status, (("location", location),) if location else (), b"")


def learnt(is_served, location):
    """The form that is learnt for a server that redirects what is not served."""
    form = RequestForm()
    asked = []

    def ask(address, request):
        asked.append(request.target)
        headers = {"Host": address.url.partition("//")[2]} | dict(address.headers)
        return answer(404) if is_served(request.target, headers) else answer(301, location + request.target)

    form.learn(PLAIN, ask)
    return form, asked


@pytest.mark.parametrize(
    ("is_served", "address"),
    [
        (lambda _, headers: headers["Host"] == "localhost:3000", Address("localhost", 3000, False)),
        (
            lambda _, headers: headers.get("X-Forwarded-Proto") == "https",
            Address("127.0.0.1", 3000, False, (("X-Forwarded-Proto", "https"),)),
        ),
        (
            lambda _, headers: headers["Host"] == "shop.example" and "X-Forwarded-Proto" in headers,
            Address("127.0.0.1", 3000, False, (("Host", "shop.example"), ("X-Forwarded-Proto", "https"))),
        ),
    ],
)
def test_what_makes_the_server_answer_is_sent_from_then_on(is_served, address):
    form, _ = learnt(is_served, "https://shop.example")
    assert form.applied(PLAIN) == address
    assert form.headers == address.headers
    assert "to https://shop.example/" in form.notes[0]


def test_where_nothing_helps_the_note_says_so_and_requests_stay_as_they_are():
    form, _ = learnt(lambda path, headers: False, "https://elsewhere.example")
    assert form.applied(PLAIN) == PLAIN
    assert "no host and no `X-Forwarded-Proto: https` changes that" in form.notes[0]


def test_a_server_with_a_start_page_elsewhere_is_left_as_it_is():
    form, asked = learnt(lambda path, headers: path != "/", "https://front.example")
    assert form.applied(PLAIN) == PLAIN
    assert not form.notes
    assert len(asked) == 2


def test_redirects_within_the_server_change_nothing():
    form = RequestForm()
    form.learn(PLAIN, lambda address, request: answer(302, "/docs"))
    assert not form.notes


class Redirecting(BaseHTTPRequestHandler):
    """Redirects /inside within the server, and all else to https."""

    def do_GET(self):
        self.server.asked.append(self.path)
        location = "/there" if self.path == "/inside" else f"https://{self.headers['Host']}{self.path}"
        self.send_response(200 if self.path == "/there" else 301)
        self.send_header("Location", location)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    made = ThreadingHTTPServer(("127.0.0.1", 0), Redirecting)
    made.asked = []
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()


@pytest.mark.parametrize(("path", "status", "n_asked"), [("/elsewhere", 301, 1), ("/inside", 200, 2)])
def test_only_redirects_within_the_server_are_followed(server, path, status, n_asked):
    response = fetch_document(Address("127.0.0.1", server.server_port, False), path, "*/*")
    assert response is not None
    assert response.status == status
    assert len(server.asked) == n_asked
