"""Tokens against forged requests are read in pages; answers that lead from a form to the next page are successes."""

from __future__ import annotations

import pytest

from wimble.http.credential_forms import with_carried_fields
from wimble.http.denials import denial_of
from wimble.http.exchange import http_observation
from wimble.http.given_credentials import credentials_in, learn_credentials
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.http.page_fields import asks_for_password, forgery_tokens, page_field
from wimble.learnt_secrets import LearntSecrets

JSON = ("content-type", "application/json")
HTML = ("content-type", "text/html; charset=utf-8")
TOKEN = "kPz9&#x2B;c3Jm&#61;"
FORM = f'<form method="post"><input type="hidden" name="_csrf" value="{TOKEN}"><input name=title value=Fig></form>'


def page(text: str, status: int = 200, *headers: tuple[str, str]) -> HttpResponse:
    return HttpResponse(status, (HTML, *headers), text.encode())


def test_fields_of_a_page_are_found_by_name_with_their_characters_decoded() -> None:
    assert page_field(FORM, "_csrf") == "kPz9+c3Jm="
    assert page_field(FORM, "title") == "Fig"
    assert page_field(FORM, "csrf") is None
    assert page_field("<META content='a b' NAME='csrf-token'/>", "csrf-token") == "a b"


@pytest.mark.parametrize("name", ["_csrf", "csrf-token", "csrfToken", "_token", "authenticity_token", "XSRF-TOKEN"])
def test_tokens_against_forged_requests_are_known_by_their_names(name: str) -> None:
    text = f'<input name="tokens" value="no"><meta name="{name}" content="kPz9c3Jm"><meta name="author" content="me">'
    assert list(forgery_tokens(text)) == [(name, "kPz9c3Jm")]


def test_the_token_of_a_page_is_a_credential_together_with_its_cookies() -> None:
    response = page(FORM, 200, ("set-cookie", "sid=s3ss10n; Path=/"))
    token, cookie = credentials_in(response)
    assert (token.pointer, token.own_place, token.is_against_forgery) == ("field:_csrf", "header x-csrf-token", True)
    assert cookie.kind == "cookie"
    observation = http_observation(0, HttpRequest("GET", "/new"), response)
    assert observation.exchange.pointed(token.pointer) == "kPz9+c3Jm="
    assert not credentials_in(HttpResponse(200, (("content-type", "text/plain"),), FORM.encode()))


@pytest.mark.parametrize(
    ("response", "pointer", "place"),
    [
        (HttpResponse(200, (JSON,), b'{"data":{"csrfToken":"kPz9c3Jm"}}'), "/data/csrfToken", "header x-csrf-token"),
        (HttpResponse(204, (("x-csrf-token", "kPz9c3Jm"),), b""), "header:x-csrf-token", "header x-csrf-token"),
        (HttpResponse(200, (("set-cookie", "XSRF-TOKEN=kPz9c3Jm"),), b""), "cookie:XSRF-TOKEN", "header x-xsrf-token"),
        (HttpResponse(200, (("set-cookie", "_csrf=kPz9c3Jm"),), b""), "cookie:_csrf", "header x-csrf-token"),
    ],
)
def test_a_token_against_forged_requests_is_known_in_other_answers_than_pages(response, pointer, place) -> None:
    token = credentials_in(response)[0]
    assert (token.kind, token.pointer, token.own_place, token.is_against_forgery) == ("token", pointer, place, True)


def test_the_token_of_a_page_stays_out_of_the_output() -> None:
    learnt = LearntSecrets()
    text = FORM.replace(TOKEN, "kPz9c3JmAx7dQ20tLw")
    learn_credentials(HttpRequest("GET", "/new"), page(text), learnt, is_entrance=False)
    assert "kPz9c3JmAx7dQ20tLw" not in learnt.redact(text)


@pytest.mark.parametrize(
    ("response", "denial"),
    [
        pytest.param(page("<pre>ForbiddenError: invalid csrf token</pre>", 403), "forged", id="text"),
        pytest.param(HttpResponse(400, (), b'{"error":"Missing CSRF secret"}'), "forged", id="json"),
        pytest.param(page(f"<p>too short</p>{FORM}", 422), "", id="a form that is shown again"),
        pytest.param(page(f"<p>no</p>{FORM}", 403), "forbidden", id="a form beside it"),
        pytest.param(page("csrf", 404), "", id="not found"),
    ],
)
def test_a_request_that_counts_as_forged_is_told_apart(response: HttpResponse, denial: str) -> None:
    assert denial_of(response) == denial


@pytest.mark.parametrize(
    ("method", "target", "status", "location", "outcome"),
    [
        ("POST", "/notes", 302, "/notes", "ok"),
        ("PUT", "/notes/7", 303, "/notes/7", "ok"),
        ("POST", "/notes", 302, "/login", "redirected"),
        ("POST", "/login", 302, "/login?again=1", "redirected"),
        ("POST", "/register", 302, "/login", "ok"),
        ("POST", "/register", 302, "/register", "redirected"),
        ("POST", "/notes", 307, "/v2/notes", "redirected"),
        ("POST", "/notes", 302, "", "redirected"),
        ("GET", "/old", 302, "/new", "redirected"),
    ],
)
def test_what_leads_from_a_form_to_the_next_page_is_a_success(method, target, status, location, outcome) -> None:
    response = HttpResponse(status, (("location", location),) if location else (), b"")
    assert http_observation(0, HttpRequest(method, target), response).outcome == outcome


def test_a_form_with_a_password_is_recognised() -> None:
    assert asks_for_password("<input name=p type='password'>")
    assert not asks_for_password(FORM)


FORM_HEADER = ("Content-Type", "application/x-www-form-urlencoded")
JSON_HEADER = ("Content-Type", "application/json")
XML_HEADER = ("Content-Type", "application/xml")


@pytest.mark.parametrize(
    ("body", "header", "sent", "sent_header"),
    [
        (None, None, b"_csrf=a%2Bb", FORM_HEADER),
        (b"title=Fig&_csrf=old&n=1", FORM_HEADER, b"title=Fig&n=1&_csrf=a%2Bb", FORM_HEADER),
        (b'{"title":"Fig"}', JSON_HEADER, b'{"title":"Fig","_csrf":"a+b"}', JSON_HEADER),
        (b"[1]", JSON_HEADER, b"[1]", JSON_HEADER),
        (b"<a/>", XML_HEADER, b"<a/>", XML_HEADER),
    ],
)
def test_a_token_is_carried_in_a_field_of_the_body(body, header, sent, sent_header) -> None:
    headers = () if header is None else (header,)
    assert with_carried_fields(body, headers, {"body _csrf": "a+b"}) == (sent, (sent_header,))
    assert with_carried_fields(body, headers, {"header x-csrf-token": "a+b"}) == (body, headers)
