"""The search gets in through pages: with the token of a page, and with one of a page for those who have logged in."""

from __future__ import annotations

from random import Random

import pytest
from fake_sut import operation

from wimble.genes import IntegerGene, ObjectGene, StringGene
from wimble.http.entrances import with_entrances
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpResponse
from wimble.http.request_building import build_request
from wimble.http.undeclared_room import with_undeclared_inputs
from wimble.model.carried_credentials import carried_by, with_carried
from wimble.model.evaluation import Evaluation
from wimble.model.hints import InputHint
from wimble.model.learned_input import LearnedInput
from wimble.model.observation import Observation, call_resolver
from wimble.model.testcase import Call, TestCase
from wimble.search.access.access import Access
from wimble.search.access.identities import names_of_user, with_identity_as_form, with_plausible_identity
from wimble.search.access.openings import Attempt, Entry
from wimble.search.access.user_calls import UserCalls
from wimble.search.access.ways import COOKIES_ONLY, Way
from wimble.search.learned.members import with_input

USER = ObjectGene((("username", StringGene()), ("password", StringGene())))
PAGE, LOGIN, NEW, ADD, SIGN_UP = with_entrances(
    [
        operation("GET", "/login-page"),
        operation("POST", "/login", USER),
        operation("GET", "/notes/new"),
        operation("POST", "/notes"),
        operation("POST", "/register", USER),
    ]
)
HEADER = Way((("header x-csrf-token", ""),))
HTML = ("content-type", "text/html")


def token_page(token: str, *headers: tuple[str, str]) -> HttpResponse:
    return HttpResponse(200, (HTML, *headers), f'<input type=hidden name=_csrf value="{token}">'.encode())


def redirect(place: str, *headers: tuple[str, str]) -> HttpResponse:
    return HttpResponse(302, (("location", place), *headers), b"")


FORGED = HttpResponse(403, (HTML,), b"invalid csrf token")
COOKIE = ("set-cookie", "sid=first; Path=/")
OTHER_COOKIE = ("set-cookie", "sid=second; Path=/")


def call(one, carried=None) -> Call:
    made = Call(one, tuple(given.template.sampled(Random(1)) for given in one.inputs))
    return made if carried is None else with_carried(made, carried)


def observed(access: Access, *exchanges: tuple[Call, HttpResponse]) -> list[Observation]:
    test_case = TestCase(tuple(made for made, _ in exchanges))
    observations: list[Observation] = []
    for index, (made, response) in enumerate(exchanges):
        request = build_request(made, call_resolver(observations))
        observations.append(http_observation(index, request, response))
    access.observe(Evaluation(test_case=test_case, observations=tuple(observations), reached={}, hints=()))
    return observations


def headers_of(access: Access, giver: str, way: Way, *exchanges: tuple[Call, HttpResponse]) -> dict[str, str]:
    """Returns the headers of a call to ADD that carries what these calls have given."""
    calls = [made for made, _ in exchanges]
    carried = access.obtained[giver].carried(way, len(calls) - 1, calls)
    observations = observed(Access([], Random(1)), *exchanges)
    return dict(build_request(call(ADD, carried), call_resolver(observations)).headers)


def test_a_login_that_asks_for_the_token_of_a_page_is_opened_by_it() -> None:
    access = Access([PAGE, LOGIN, NEW, ADD], Random(1))
    observed(access, (call(LOGIN), FORGED))
    (login,) = observed(access, (call(LOGIN), HttpResponse(401, (HTML,), b"wrong")))
    assert list(access.denied) == [LOGIN.id]
    assert access.has_come_in(call(LOGIN), login)
    observed(access, (call(PAGE), token_page("t0ken-1", COOKIE)))
    sent = headers_of(access, PAGE.id, HEADER, (call(PAGE), token_page("t0ken-2", COOKIE)))
    assert (sent["x-csrf-token"], sent["Cookie"]) == ("t0ken-2", "sid=first")


def test_what_a_page_gave_to_a_login_is_that_of_a_user_after_it() -> None:
    access = Access([PAGE, LOGIN, NEW, ADD], Random(1))
    observed(access, (call(PAGE), token_page("t0ken-1", COOKIE)))
    log_in = call(LOGIN, access.obtained[PAGE.id].carried(HEADER, 0, [call(PAGE)]))
    exchanges = ((call(PAGE), token_page("t0ken-2", COOKIE)), (log_in, redirect("/notes")))
    observed(access, *exchanges)
    assert access.obtained[LOGIN.id].sources == (0, 0)
    sent = headers_of(access, LOGIN.id, HEADER, *exchanges)
    assert (sent["x-csrf-token"], sent["Cookie"]) == ("t0ken-2", "sid=first")


def test_a_page_for_users_gives_its_token_with_the_cookie_of_their_login() -> None:
    access = Access([PAGE, LOGIN, NEW, ADD], Random(1))
    observed(access, (call(PAGE), token_page("t0ken-1", COOKIE)))
    log_in = call(LOGIN, access.obtained[PAGE.id].carried(HEADER, 0, [call(PAGE)]))
    begun = ((call(PAGE), token_page("t0ken-1", COOKIE)), (log_in, redirect("/notes", OTHER_COOKIE)))
    observed(access, *begun)
    visit = call(NEW, access.obtained[LOGIN.id].carried(COOKIES_ONLY, 1, [call(PAGE), log_in]))
    exchanges = (*begun, (visit, token_page("t0ken-2")))
    observed(access, *exchanges)
    sent = headers_of(access, NEW.id, HEADER, *exchanges)
    assert (sent["x-csrf-token"], sent["Cookie"]) == ("t0ken-2", "sid=second")


@pytest.mark.parametrize("answer", [redirect("/login"), HttpResponse(200, (HTML,), b"<input type=password>")])
def test_a_login_that_leads_back_to_its_page_gives_nothing(answer: HttpResponse) -> None:
    access = Access([PAGE, LOGIN, NEW, ADD], Random(1))
    observed(access, (call(PAGE), token_page("t0ken-1", COOKIE)))
    log_in = call(LOGIN, access.obtained[PAGE.id].carried(HEADER, 0, [call(PAGE)]))
    observed(access, (call(PAGE), token_page("t0ken-1", COOKIE)), (log_in, answer))
    assert LOGIN.id not in access.obtained
    assert LOGIN.id not in access.succeeded


def test_pages_that_give_the_same_are_noted_once() -> None:
    access = Access([PAGE, LOGIN, NEW, ADD], Random(1))
    observed(access, (call(PAGE), token_page("t0ken-1", COOKIE)))
    observed(access, (call(NEW), token_page("t0ken-2", COOKIE)))
    assert list(access.obtained) == [PAGE.id]


def test_credentials_of_several_calls_are_not_carried_after_other_calls() -> None:
    access = Access([PAGE, LOGIN, NEW, ADD], Random(1))
    observed(access, (call(PAGE), token_page("t0ken-1", COOKIE)))
    log_in = call(LOGIN, access.obtained[PAGE.id].carried(HEADER, 0, [call(PAGE)]))
    observed(access, (call(PAGE), token_page("t0ken-1", COOKIE)), (log_in, redirect("/notes")))
    assert not access.obtained[LOGIN.id].carried(HEADER, 1, [call(NEW), log_in]).fields


def test_only_a_page_that_anybody_sees_is_tried_on_a_login() -> None:
    access = Access([PAGE, LOGIN, NEW, ADD], Random(1))
    observed(access, (call(PAGE), token_page("t0ken-1", COOKIE)))
    log_in = call(LOGIN, access.obtained[PAGE.id].carried(HEADER, 0, [call(PAGE)]))
    observed(access, (call(PAGE), token_page("t0ken-1", COOKIE)), (log_in, redirect("/notes")))
    assert access.obtained[PAGE.id].is_page
    assert not access.obtained[LOGIN.id].is_page


def test_a_login_after_a_sign_up_sends_the_token_that_the_sign_up_has_sent() -> None:
    access = Access([PAGE, LOGIN, SIGN_UP], Random(1))
    user_calls = UserCalls(access, Random(1))
    observed(access, (call(PAGE), token_page("t0ken-1", COOKIE)))
    field = Way((("body _csrf", ""),))
    sign_up = call(SIGN_UP, access.obtained[PAGE.id].carried(field, 0, [call(PAGE)]))
    observed(access, (call(SIGN_UP), FORGED), (call(PAGE), token_page("t0ken-1", COOKIE)))
    observed(access, (call(PAGE), token_page("t0ken-1", COOKIE)), (sign_up, redirect("/login")))
    made = user_calls.login_after(SIGN_UP.id, call(LOGIN), 0)
    assert made is not None
    assert [one.operation.id for one in made.calls] == [PAGE.id, SIGN_UP.id, LOGIN.id]
    assert carried_by(made.calls[2]) == carried_by(made.calls[1])


def in_json(token: str) -> HttpResponse:
    return HttpResponse(200, (("content-type", "application/json"), COOKIE), f'{{"csrfToken":"{token}"}}'.encode())


def test_a_login_by_json_that_sets_no_cookie_makes_the_session_before_it_that_of_a_user() -> None:
    access = Access([PAGE, LOGIN, NEW, ADD], Random(1))
    observed(access, (call(PAGE), in_json("t0ken-1")))
    assert access.obtained[PAGE.id].is_page
    log_in = call(LOGIN, access.obtained[PAGE.id].carried(HEADER, 0, [call(PAGE)]))
    exchanges = ((call(PAGE), in_json("t0ken-2")), (log_in, HttpResponse(200, (), b'{"ok":true}')))
    observed(access, *exchanges)
    sent = headers_of(access, LOGIN.id, HEADER, *exchanges)
    assert (sent["x-csrf-token"], sent["Cookie"]) == ("t0ken-2", "sid=first")


def test_the_token_in_the_answer_to_a_login_is_no_page() -> None:
    access = Access([PAGE, LOGIN, NEW, ADD], Random(1))
    observed(access, (call(LOGIN), in_json("t0ken-1")))
    assert not access.obtained[LOGIN.id].is_page


def test_a_member_of_the_body_that_is_called_like_a_token_is_a_place_for_one() -> None:
    access = Access([PAGE, ADD], Random(1))
    test_case = TestCase((call(ADD),))
    read = tuple(
        InputHint(call=0, location=location, path=path, target=7)
        for location, path in (("body", ("_csrf",)), ("body", ("title",)), ("body", ("a", "_csrf")), ("query", ("t",)))
    )
    access.observe(Evaluation(test_case=test_case, observations=(), reached={}, hints=read))
    assert access.places_of(ADD) == ("body _csrf", "query t")


def named(one, name: str) -> Call:
    user = ObjectGene((("username", StringGene(name)), ("password", StringGene("Passw0rd!1"))))
    return call(one).with_gene(0, user)


def test_a_login_of_a_user_whom_another_test_case_has_signed_up_gives_nothing() -> None:
    access = Access([LOGIN, SIGN_UP], Random(1))
    session = redirect("/notes", COOKIE)
    observed(access, (named(SIGN_UP, "fig01"), redirect("/login")))
    observed(access, (named(LOGIN, "fig01"), session))
    assert LOGIN.id not in access.succeeded and LOGIN.id not in access.obtained
    observed(access, (named(SIGN_UP, "fig01"), redirect("/register/new")), (named(LOGIN, "fig01"), session))
    assert LOGIN.id not in access.obtained  # the sign-up has failed, since the name is taken
    observed(access, (named(SIGN_UP, "fig02"), redirect("/login")), (named(LOGIN, "fig02"), session))
    assert [one.operation.id for one in access.obtained[LOGIN.id].test_case.calls] == [SIGN_UP.id, LOGIN.id]


def test_a_login_of_a_user_whom_nobody_has_signed_up_gives_its_session() -> None:
    access = Access([LOGIN, SIGN_UP], Random(1))
    observed(access, (named(LOGIN, "admin"), redirect("/notes", COOKIE)))
    assert access.obtained[LOGIN.id].has_cookies


def test_the_field_of_a_page_is_tried_in_what_a_page_sends() -> None:
    (entrance,) = with_entrances(with_undeclared_inputs([operation("POST", "/register")]))
    access = Access([PAGE, entrance], Random(1))
    user_calls = UserCalls(access, Random(1))
    observed(access, (call(PAGE), token_page("t0ken-1", COOKIE)))
    user_calls.attempted(Attempt(entrance, Entry(PAGE.id, Way((("body _csrf", ""),)))))
    made = with_plausible_identity(call(entrance), Random(1))
    assert b'{"' in (build_request(made, call_resolver([])).body or b"")
    tried = user_calls.carrying(made, (call(PAGE),))
    seen = observed(Access([], Random(1)), (call(PAGE), token_page("t0ken-2", COOKIE)))
    assert b"&_csrf=t0ken-2" in (build_request(tried, call_resolver(seen)).body or b"")


def test_a_login_as_a_page_sends_what_the_form_of_the_sign_up_has_sent() -> None:
    sign_up, login = with_entrances(with_undeclared_inputs([operation("POST", "/signup"), operation("POST", "/login")]))
    made = call(sign_up)
    for location, name in (("header", "sec-fetch-site"), ("body", "owner[email]"), ("body", "owner[password]")):
        made = with_input(made, LearnedInput(location=location, path=(name,)), StringGene("x@y.z"), form=1) or made
    body = build_request(with_identity_as_form(call(login), made), call_resolver([])).body or b""
    assert {one.partition(b"=")[0] for one in body.split(b"&")} == {
        b"email",
        b"password",
        b"owner%5Bemail%5D",
        b"owner%5Bpassword%5D",
    }


def test_a_sign_up_that_leads_to_the_page_of_its_form_has_failed() -> None:
    owners, _ = with_entrances([operation("POST", "/owners", USER), LOGIN])
    access = Access([owners], Random(1))
    for place in ("/owners/new", "http://localhost/owners/new?again=1"):
        observed(access, (call(owners), redirect(place)))
    assert owners.id not in access.succeeded
    observed(access, (call(owners), redirect("/owners")))
    assert owners.id in access.succeeded


def test_the_header_of_an_own_page_is_no_name_of_a_user() -> None:
    (sign_up,) = with_entrances(with_undeclared_inputs([operation("POST", "/signup")]))
    access = Access([sign_up], Random(1))
    made = with_input(call(sign_up), LearnedInput(location="body", path=("n",)), IntegerGene(7), form=1)
    assert made is not None
    access.same_origin.observe(made, observed(access, (made, FORGED))[0])
    sent = access.same_origin.as_own_page(made)
    assert sent is not made and not names_of_user(sent)
