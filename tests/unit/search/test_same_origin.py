"""A form that is forbidden is sent once more as from a page of the program, and so from then on if it is let in."""

from __future__ import annotations

from random import Random

from fake_sut import operation

from wimble.genes import StringGene
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.http.request_building import build_request
from wimble.http.undeclared_room import with_undeclared_inputs
from wimble.model.learned_input import LearnedInput
from wimble.model.observation import Observation, call_resolver
from wimble.model.testcase import Call
from wimble.search.access.same_origin import MAX_VAIN, SameOrigin
from wimble.search.learned.members import JSON_FORM, PAGE_FORM, with_input

TRIPS, CITIES = with_undeclared_inputs([operation("POST", "/trips"), operation("GET", "/cities")])
SITE = ("sec-fetch-site", "same-origin")
FORBIDDEN = HttpResponse(403, (), b"Forbidden")


def call(one=TRIPS, form: int | None = PAGE_FORM) -> Call:
    made = Call(one, tuple(given.template.sampled(Random(1)) for given in one.inputs))
    if form is None:
        return made
    sent = with_input(made, LearnedInput(location="body", path=("to",)), StringGene("Rome"), form=form)
    assert sent is not None
    return sent


def answered(made: Call, response: HttpResponse = FORBIDDEN) -> Observation:
    return http_observation(0, HttpRequest("POST", "/trips"), response)


def headers_of(made: Call) -> tuple[tuple[str, str], ...]:
    return build_request(made, call_resolver([])).headers


def test_a_forbidden_form_is_sent_as_from_an_own_page() -> None:
    known = SameOrigin()
    assert SITE not in headers_of(known.as_own_page(call()))
    known.observe(call(), answered(call()))
    assert SITE in headers_of(known.as_own_page(call()))
    assert SITE in headers_of(known.as_own_page(call(form=None)))  # a page can send that as well
    assert SITE not in headers_of(known.as_own_page(call(form=JSON_FORM)))


def test_what_no_page_of_another_site_can_send_is_not_about_that() -> None:
    known = SameOrigin()
    known.observe(call(form=JSON_FORM), answered(call(form=JSON_FORM)))
    known.observe(call(CITIES, None), answered(call(CITIES, None)))
    known.observe(call(), answered(call(), HttpResponse(400, (), b"no")))
    assert known.as_own_page(call()) == call()


def test_the_header_is_left_out_again_if_it_does_not_help() -> None:
    known = SameOrigin()
    known.observe(call(), answered(call()))
    for _ in range(MAX_VAIN):
        sent = known.as_own_page(call())
        assert SITE in headers_of(sent)
        known.observe(sent, answered(sent))
    assert SITE not in headers_of(known.as_own_page(call()))


def test_a_forbidden_form_is_told_once() -> None:
    known = SameOrigin()
    assert known.has_forbidden_anew(call(), answered(call()))
    assert not known.has_forbidden_anew(call(), answered(call()))
    assert known.has_forbidden_anew(call(form=None), answered(call(form=None)))
    assert not known.has_forbidden_anew(call(form=JSON_FORM), answered(call(form=JSON_FORM)))
