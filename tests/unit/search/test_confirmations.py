"""Users who have to be confirmed with what their sign-up has answered, before they can log in."""

from random import Random
from zlib import crc32

import pytest
from fake_sut import FakeSut, operation, searched

from wimble.genes import ObjectGene, ReferenceGene, StringGene
from wimble.http.entrances import with_entrances
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.http.undeclared_room import with_undeclared_inputs
from wimble.model.learned_input import LearnedInput
from wimble.model.testcase import Call, TestCase
from wimble.search.access.confirmations import Confirmations
from wimble.search.resources.references import iter_references

LOGIN = ObjectGene((("email", StringGene()), ("password", StringGene())))
SIGN_UP, SIGN_IN, ME = ("POST", "/register", LOGIN), ("POST", "/login", LOGIN), ("GET", "/me")


def program(confirms, sent):
    """A server that lets in who was confirmed. sent: what the confirming call has to send of (token, id, email)."""

    def handler(operation_id, values, probe, state):
        users, body = state.setdefault("users", {}), values.get("body") or {}
        if operation_id == confirms:
            return _confirmed(users, {**body, **values}, sent)
        if operation_id in ("POST /register", "POST /login"):
            return (_signed_up if operation_id == "POST /register" else _logged_in)(users, body)
        carried = (values.get("credentials") or {}).get("header Authorization", "")
        if carried.removeprefix("Bearer tok-") not in users:
            return 401, {"error": "no token"}
        probe.line(100)
        return 200, {}

    return handler


def _signed_up(users, body):
    if "@" not in body["email"] or len(body["password"]) < 8:
        return 400, {"error": "an e-mail address, and a password of 8 letters"}
    token = f"t{crc32(body['email'].encode())}"
    users[body["email"]] = {"token": token, "is_confirmed": False}
    return 201, {"user": {"id": f"u-{body['email']}"}, "verification": {"token": token}}


def _confirmed(users, given, sent):
    for email, user in users.items():
        if sent(given, user["token"], f"u-{email}", email):
            user["is_confirmed"] = True
            return 200, {"ok": True}
    return 404, {"error": "unknown"}


def _logged_in(users, body):
    user = users.get(body["email"])
    if user is None:
        return 401, {"error": "wrong"}
    is_confirmed = user["is_confirmed"]
    return (200, {"token": f"tok-{body['email']}"}) if is_confirmed else (403, {"error": "confirm your address"})


@pytest.mark.parametrize(
    ("confirming", "sent"),
    [
        (operation("GET", "/confirm", token=StringGene()), lambda got, token, *_: got["token"] == token),
        (operation("POST", "/verify/{code}", code=StringGene()), lambda got, token, *_: got["code"] == token),
        (operation("GET", "/users/confirm", t=StringGene()), lambda got, token, *_: got["t"] == token),
        (
            operation("POST", "/email/verification", ObjectGene((("email", StringGene()), ("code", StringGene())))),
            lambda got, token, _, email: (got["code"], got["email"]) == (token, email),
        ),
        (
            operation("POST", "/activate", ObjectGene((("userId", StringGene()), ("key", StringGene())))),
            lambda got, token, number, _: (got["key"], got["userId"]) == (token, number),
        ),
    ],
    ids=["query", "path", "another-name", "with-address", "with-id"],
)
def test_who_was_confirmed_logs_in(confirming, sent):
    api = with_entrances([operation(*SIGN_UP), operation(*SIGN_IN), operation(*ME), confirming])
    for seed in (1, 2, 3):
        sut = FakeSut(program(confirming.id, sent))
        search, _ = searched(sut, api, seed=seed, evaluations=250)
        assert search.archive.is_covered(sut.target("line", 100)), seed
        access = search.sampler.access
        begun = access.obtained["POST /login"].as_new_user(Random(1))
        assert [one.operation.id for one in begun.calls] == ["POST /register", confirming.id, "POST /login"]
        assert {reference.call for address, reference in iter_references(begun) if address.call == 1} == {0}


def _knowing(answer, confirming):
    known = Confirmations(Random(1))
    (sign_up,) = with_entrances([operation(*SIGN_UP)])
    known.join([confirming])
    known.note_signed_up(sign_up, http_observation(0, HttpRequest("POST", "/", ()), HttpResponse(201, (), answer)))
    return known, sign_up


def test_an_input_that_was_learnt_takes_the_token():
    (confirming,) = with_undeclared_inputs(with_entrances([operation("GET", "/confirm")]))
    known, sign_up = _knowing(b'{"id": 7, "confirmationToken": "0eb947376189d93e"}', confirming)
    assert known.next_for(sign_up.id, "POST /login", lambda _: 0) is confirming
    call, signed = (Call(one, tuple(given.template for given in one.inputs)) for one in (confirming, sign_up))
    learnt = [LearnedInput(location="query", path=("token",)), LearnedInput(location="query", path=("next",))]
    confirmed = known.confirmed(call, signed, 0, learnt)
    references = [one for _, one in iter_references(TestCase((signed, confirmed)))]
    assert [(one.call, one.pointer) for one in references] == [(0, "/confirmationToken")]
    assert all(isinstance(one, ReferenceGene) for one in references)


@pytest.mark.parametrize(
    ("answer", "path"),
    [
        (b'{"id": 7}', "/confirm"),  # nothing to confirm with
        (b'{"token": "0eb947376189d93e"}', "/password/verify"),
        (b'{"token": "0eb947376189d93e"}', "/confirmations/resend"),
        (b'{"token": "0eb947376189d93e"}', "/orders"),
    ],
)
def test_others_are_not_tried(answer, path):
    (confirming,) = with_entrances([operation("POST", path)])
    known, sign_up = _knowing(answer, confirming)
    assert known.next_for(sign_up.id, "POST /login", lambda _: 9) is None


def test_tries_end_and_go_on_with_what_is_learnt():
    (confirming,) = with_entrances([operation("GET", "/confirm")])
    known, sign_up = _knowing(b'{"code": 4711}', confirming)

    def n_tries(n_learnt):
        n = 0
        while known.next_for(sign_up.id, "POST /login", lambda _: n_learnt) is not None and n < 100:
            known.note_try(confirming, "POST /login")
            n += 1
        return n

    assert (n_tries(0), n_tries(0), n_tries(1)) == (6, 0, 6)
    assert n_tries(50) == 18
