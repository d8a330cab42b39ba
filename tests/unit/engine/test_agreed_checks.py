import json
import platform

import pytest

from wimble.engine.stability.agreed_checks import MAX_CHECKS, body_checks, is_erratic
from wimble.engine.stability.nondeterminism import DETERMINISTIC, Nondeterminism
from wimble.engine.stability.repeated_runs import agreed_call
from wimble.http.exchange import HttpExchange, http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.suite import BodyCheck, VerifiedCall

REQUEST = HttpRequest("GET", "/")


def response(body: bytes, status: int = 200, media_type: str = "application/json") -> HttpExchange:
    return HttpExchange(REQUEST, HttpResponse(status, (("content-type", media_type),), body))


def test_runs_with_different_outcomes_do_not_agree():
    def agreed(*exchanges: HttpExchange) -> VerifiedCall | None:
        runs = [
            http_observation(0, one.request, one.response, failure=None if one.response else "timeout")
            for one in exchanges
        ]
        return agreed_call(runs, DETERMINISTIC)

    same = agreed(response(b"", 200), response(b"", 200))
    assert same is not None
    assert same.observation.outcome_key == "200"
    assert agreed(response(b"", 200), response(b"", 201)) is None
    assert agreed(response(b""), HttpExchange(REQUEST)) is None


def test_only_fields_that_were_the_same_are_checked():
    checks = body_checks([response(b'{"id": "a1", "n": 3}'), response(b'{"id": "b2", "n": 3}')])
    assert checks == (BodyCheck(("n",), "equals", 3),)


def test_arrays_are_checked_by_length_and_first_elements():
    body = b"[1, 2, 3, 4, 5]"
    checks = body_checks([response(body), response(body)])
    assert checks[0] == BodyCheck((), "length", 5)
    assert [check.pointer for check in checks[1:]] == [(0,), (1,), (2,)]


IN_ANY_ORDER = Nondeterminism(in_any_order=True)


def listed(*elements: object) -> HttpResponse:
    return response(json.dumps({"items": elements}).encode())


def test_arrays_in_any_order_are_checked_for_what_they_hold():
    first = listed({"name": "a", "at": "2024-01-01T10:00:00.123Z", "n": 1}, {"name": "b", "n": 2, "draw": 4}, "x")
    second = listed("x", {"name": "b", "n": 2, "draw": 5}, {"name": "a", "at": "2024-01-01T10:00:00.456Z", "n": 1})
    assert body_checks([first, second], IN_ANY_ORDER) == (
        BodyCheck(("items",), "length", 3),
        BodyCheck(("items",), "holds", {"name": "a", "n": 1}),
        BodyCheck(("items",), "holds", {"name": "b", "n": 2}),
        BodyCheck(("items",), "holds", "x"),
    )


def test_members_that_no_one_element_has_are_not_checked():
    """Each is there, but in two."""
    checks = body_checks([listed({"a": 1, "b": 1}, 0), listed({"a": 1}, {"b": 1})], IN_ANY_ORDER)
    assert checks == (BodyCheck(("items",), "length", 2),)


def test_one_is_not_true_and_lists_within_lists_are_left_out():
    checks = body_checks([listed(1, [1, 2]), listed([1, 2], True)], IN_ANY_ORDER)
    assert checks == (BodyCheck(("items",), "length", 2),)


def test_an_array_of_one_element_has_an_order():
    assert body_checks([listed({"a": 1})] * 2, IN_ANY_ORDER)[1:] == (BodyCheck(("items", 0, "a"), "equals", 1),)


def test_arrays_of_changing_length_are_left_alone():
    assert body_checks([response(b'{"items": [1]}'), response(b'{"items": [1, 2]}')]) == ()


def test_empty_containers_are_values():
    checks = body_checks([response(b'{"a": {}, "b": []}')] * 2)
    assert checks == (BodyCheck(("a",), "equals", {}), BodyCheck(("b",), "equals", []))


def test_a_value_that_changes_its_type_is_not_checked():
    assert body_checks([response(b'{"a": 1}'), response(b'{"a": true}')]) == ()


def test_plain_text_is_checked_whole_and_markup_is_not():
    assert body_checks([response(b"gone", media_type="text/plain")] * 2) == (BodyCheck((), "text", "gone"),)
    assert body_checks([response(b"<p>gone</p>", media_type="text/html")] * 2) == ()


@pytest.mark.parametrize(
    "stack",
    [
        "TypeError: gone\n    at show (/home/a/app.js:69:187)\n    at next (node:internal:1:2)",
        "TypeError: gone\n    at file:///home/a/app.mjs:69:187",
        ["TypeError: gone", "    at async Object.show (file:///home/a/app.mjs:69:187)"],
    ],
)
def test_stacks_are_not_checked(stack):
    assert body_checks([response(json.dumps({"stack": stack, "n": 1}).encode())] * 2) == (
        BodyCheck(("n",), "equals", 1),
    )
    if isinstance(stack, str):
        assert body_checks([response(stack.encode(), media_type="text/plain")] * 2) == ()


@pytest.mark.parametrize(
    "instant", ["2026-11-22T11:18:51.084Z", "2026-11-22T11:18:51.084123+00:00", "2026-11-22 11:18:51.08413", 1_795_346_331_084]
)  # fmt: skip
def test_what_a_clock_has_given_is_not_checked_though_it_stands_in_data_that_stays(instant):
    assert body_checks([response(json.dumps({"made": instant}).encode())] * 2) == ()


@pytest.mark.parametrize("value", [platform.node(), platform.release(), platform.version(), "v20.20.2"])
def test_what_the_machine_and_its_runtime_are_called_is_not_checked(value):
    assert body_checks([response(json.dumps({"os": value}).encode())] * 2) == ()


@pytest.mark.parametrize(
    "value", ["2026-11-22", "2026-11-22T11:18:51Z", "2026-11-22T11:18:51.000Z", 1_795_346_331_000, 1_795_346_331, "v1.084"]
)  # fmt: skip
def test_dates_that_a_person_may_have_written_are_checked(value):
    assert body_checks([response(json.dumps({"day": value}).encode())] * 2) == (BodyCheck(("day",), "equals", value),)


def test_texts_that_only_look_like_stacks_are_checked():
    body = json.dumps({"note": "meet at noon:12:30", "times": ["at 12:30:15"]}).encode()
    assert [check.value for check in body_checks([response(body)] * 2)] == ["meet at noon:12:30", 1, "at 12:30:15"]


def test_checks_are_bounded():
    body = b"{" + b",".join(b'"k%d": 1' % i for i in range(200)) + b"}"
    assert len(body_checks([response(body)] * 2)) == MAX_CHECKS


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ({"n": 1}, {"n": 2}),
        ({"list": [1]}, {"list": [1, 2]}),
        ({"a": 1}, {"a": 1, "b": 2}),
        ([{"state": "open"}], [{"state": "closed"}]),
        ({"a": None}, {"a": "x"}),
    ],
)
def test_bodies_that_differ_by_chance_are_erratic(one, two):
    assert is_erratic([response(json.dumps(one).encode()), response(json.dumps(two).encode())])


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ({"n": 1}, {"n": 1}),
        ({"at": "2026-01-01T00:00:00Z"}, {"at": "2026-01-01T00:00:01Z"}),
        ({"at": 1767225600123}, {"at": 1767225600456}),
        ([{"id": "0b0c5b0e-8d7b-4d2f-9f68-2f3f0f6a1b11"}], [{"id": "5f0c5b0e-8d7b-4d2f-9f68-2f3f0f6a1b12"}]),
        ({"token": "AbCdEfGhIjKlMnOpQr"}, {"token": "QrCdEfGhIjKlMnOpAb"}),
    ],
)
def test_dates_and_identities_that_pass_are_not(one, two):
    assert not is_erratic([response(json.dumps(one).encode()), response(json.dumps(two).encode())])


def test_errors_of_which_another_may_come_first_are_not_checked():
    nondeterminism = Nondeterminism(errors=frozenset({"no such column", "division by zero"}))
    body = json.dumps(
        {"name": "Error", "message": "select a - no such column", "more": ["no such column", "b"]}
    ).encode()
    assert body_checks([response(body)] * 2, nondeterminism) == (
        BodyCheck(("name",), "equals", "Error"),
        BodyCheck(("more",), "length", 2),
        BodyCheck(("more", 1), "equals", "b"),
    )
    assert body_checks([response(b"division by zero", media_type="text/plain")] * 2, nondeterminism) == ()
