"""Entrances, denials and credentials are recognised in operations and answers, and carried where they belong."""

import json

import pytest

from wimble.genes import (
    AffixedGene,
    AnyGene,
    CarriedGene,
    ChoiceGene,
    CredentialGene,
    MapGene,
    ObjectGene,
    OptionalGene,
    StringGene,
)
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.http.denials import denial_of
from wimble.http.entrances import entrance_of, with_entrances
from wimble.http.exchange import http_observation
from wimble.http.given_credentials import credentials_in
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.http.request_building import build_request
from wimble.model.forgery_tokens import FORGERY_TOKEN
from wimble.model.observation import call_resolver
from wimble.model.testcase import Call
from wimble.types import OperationId


def taking(method: str, path: str, *names: str, operation_id: str = ""):
    body = ObjectGene(tuple((name, StringGene()) for name in names))
    inputs = [HttpInput(name="body", location="body", template=body, media_type="application/json")] if names else []
    return http_operation(
        id=OperationId(f"{method} {path}"), method=method, path=path, inputs=inputs, operation_id=operation_id
    )


def answer(status: int, body: object = None, *headers: tuple[str, str]) -> HttpResponse:
    return HttpResponse(status, headers, b"" if body is None else json.dumps(body).encode())


@pytest.mark.parametrize(
    ("operation", "entrance"),
    [
        (taking("POST", "/auth/register", "email", "password"), "sign-up"),
        (taking("POST", "/api/users", "email", "password", "name"), "sign-up"),
        (taking("POST", "/v1/accounts", "login", "pin"), "sign-up"),
        (taking("POST", "/signup"), "sign-up"),
        (taking("POST", "/api/users/login", "email", "password"), "login"),
        (taking("POST", "/session", "username", "password"), "login"),
        (taking("POST", "/x/9", "user", "pwd", operation_id="signInUser"), "login"),
        (taking("POST", "/auth", "username", "password"), "login"),
        (taking("POST", "/logout"), ""),
        (taking("POST", "/password/reset", "email", "password"), ""),
        (taking("POST", "/auth/refresh", "token", "password"), ""),
        (taking("POST", "/books", "title", "isbn"), ""),
        (taking("POST", "/sessions", "title", "speaker"), ""),
        (taking("GET", "/login"), ""),
        (taking("DELETE", "/users/{id}"), ""),
    ],
)
def test_entrances_are_recognised_by_their_names_and_by_what_they_take(operation, entrance):
    assert entrance_of(operation) == entrance


@pytest.mark.parametrize(
    "body",
    [
        ChoiceGene((MapGene(AnyGene(None)), AnyGene(None))),
        OptionalGene(ChoiceGene((StringGene(), AnyGene(None)))),
        ObjectGene((("json", AnyGene(None)),)),
    ],
)
def test_a_body_of_any_shape_tells_nothing_against_an_entrance(body):
    inputs = [HttpInput(name="body", location="body", template=body, media_type="application/json")]
    login = http_operation(id=OperationId("POST /auth.login"), method="POST", path="/auth.login", inputs=inputs)
    assert entrance_of(login) == "login"
    assert entrance_of(taking("POST", "/auth.login", "json")) == ""


@pytest.mark.parametrize(
    ("response", "denial"),
    [
        (answer(401), "unknown"),
        (answer(403, {"error": "admins only"}), "forbidden"),
        (answer(302, None, ("location", "/login?next=/cart")), "unknown"),
        (answer(302, None, ("location", "/books/7")), ""),
        (answer(400, {"message": "No token provided"}), "unknown"),
        (answer(500, {"message": "jwt must be provided"}), "unknown"),
        (answer(422, {"message": "title is required"}), ""),
        (answer(404, {"message": "no session of that name"}), ""),
        (answer(200, {"message": "not logged in"}), ""),
    ],
)
def test_denials_are_recognised_by_status_text_and_place(response, denial):
    assert denial_of(response) == denial


def test_denials_of_graphql_are_recognised_by_code_and_text():
    def error(message: str, code: str = "") -> HttpResponse:
        return answer(200, {"errors": [{"message": message, "extensions": {"code": code}}]})

    assert denial_of(error("x", "UNAUTHENTICATED"), is_graphql=True) == "unknown"
    assert denial_of(error("You must log in first"), is_graphql=True) == "unknown"
    assert denial_of(error("x", "FORBIDDEN"), is_graphql=True) == "forbidden"
    assert denial_of(error("not authorised", "FORBIDDEN"), is_graphql=True) == "forbidden"
    assert denial_of(error("not authorised", "OTHER"), is_graphql=True) == "unknown"
    assert denial_of(error("no such book", "NOT_FOUND"), is_graphql=True) == ""


def test_credentials_are_found_in_bodies_headers_and_cookies():
    body = {"user": {"id": 1, "token": "abcdefgh"}, "csrfToken": "ijklmnop", "title": "abcdefgh", "jwt": 5}
    response = answer(200, body, ("x-auth-token", "qrstuvwx"), ("set-cookie", "sid=s%3A1; Path=/"), ("etag", "tok"))
    assert [one.pointer for one in credentials_in(response)] == [
        "/user/token", "header:x-auth-token", "/csrfToken", "cookie:sid",
    ]  # fmt: skip
    assert credentials_in(answer(401, {"token": "abcdefgh"})) == ()


def test_calls_carry_credentials_of_earlier_answers_in_their_places():
    (guarded,) = with_entrances([taking("GET", "/me")])
    made_up = StringGene("none")
    carried = CarriedGene(
        (
            ("header Authorization", AffixedGene("Bearer ", CredentialGene(0, "/token", made_up))),
            ("set-cookie sid", CredentialGene(0, "cookie:sid", made_up)),
            ("cookie theme", StringGene("a b")),
            ("query key", CredentialGene(0, "header:x-key", made_up)),
        )
    )
    login = answer(200, {"token": "t1"}, ("set-cookie", "sid=s%3A1; HttpOnly"), ("x-key", "k&1"))
    earlier = http_observation(call_index=0, request=HttpRequest("POST", "/login"), response=login)
    request = build_request(Call(guarded, (carried,)), call_resolver([earlier]))
    assert request.target == "/me?key=k%261"
    assert dict(request.headers)["Authorization"] == "Bearer t1"
    assert dict(request.headers)["Cookie"] == "sid=s%3A1; theme=a%20b"
    assert build_request(Call(guarded, (CarriedGene(),))) == HttpRequest("GET", "/me", (("Accept", "*/*"),))


def test_an_operation_that_creates_users_signs_up_where_no_other_does_and_users_log_in():
    users, login, sign_up = taking("POST", "/users"), taking("POST", "/login"), taking("POST", "/signup")
    others = (taking("POST", "/books"), taking("GET", "/users"), taking("POST", "/members", "title"))

    def entrances(*operations):
        return {one.id: one.entrance for one in with_entrances(operations) if one.entrance}

    assert entrances(users, login, *others) == {users.id: "sign-up", login.id: "login"}
    assert entrances(users, login, sign_up) == {login.id: "login", sign_up.id: "sign-up"}
    assert entrances(users, *others) == {}
    drivers, guests = taking("POST", "/drivers"), taking("POST", "/guests")
    assert entrances(login, drivers, guests) == {login.id: "login", drivers.id: "sign-up"}
    assert entrances(login, drivers, users) == {login.id: "login", users.id: "sign-up"}
    thin = taking("POST", "/accounts", "email")  # a document that leaves out the password
    assert entrances(login, thin, *others) == {login.id: "login", thin.id: "sign-up"}


def test_tokens_are_made_by_users_who_have_logged_in_where_another_operation_is_the_login():
    def logins(*operations):
        return {one.id for one in with_entrances(operations) if one.entrance == "login"}

    login, tokens = taking("POST", "/login"), taking("POST", "/account/tokens")
    assert logins(login, tokens) == {login.id}
    assert logins(tokens) == {tokens.id}
    with_password = taking("POST", "/tokens", "email", "password")
    assert logins(login, with_password) == {login.id, with_password.id}
    single = taking("POST", "/auth/token")
    assert logins(login, single) == {login.id, single.id}


@pytest.mark.parametrize("name", ["csrfToken", "_csrf", "_token", "X-XSRF-TOKEN", "__RequestVerificationToken"])
def test_names_of_tokens_against_forged_requests(name):
    assert FORGERY_TOKEN.search(name)


@pytest.mark.parametrize("name", ["xsrfHeaderName", "xsrfCookieName", "csrf-param", "_csrf_header", "access_token"])
def test_names_of_what_says_how_such_a_token_is_sent_are_none(name):
    assert not FORGERY_TOKEN.search(name)
