"""Which series of results of one call are a fault, and which functions may have a state."""

import pytest

from wimble.engine.called_twice.called_twice_phase import reads_clock
from wimble.engine.called_twice.changed_results import change_of, may_have_state
from wimble.library.invocation import FunctionExchange, Invocation, Thrown
from wimble.model.observation import Cause
from wimble.oracles.oracle import NO_CAUSE
from wimble.types import ABSENT

REFUSED = Thrown(name="Error", message="already registered", is_on_purpose=True)
FAILED = Thrown(name="TypeError", message="Cannot read properties of undefined (reading 'a')")


def _result(value) -> FunctionExchange:
    thrown = value if isinstance(value, Thrown) else None
    returned = ABSENT if thrown is not None else value
    return FunctionExchange(Invocation(operation="f", arguments=()), returned, thrown, is_whole=True)


@pytest.mark.parametrize(
    ("results", "change"),
    [
        ([True, True, True, True], None),
        ([True, False, True, False], "comes back"),  # a regular expression with the flag g
        ([True, True, False, True], "comes back"),
        ([["a"], ["a", "a"], ["a", "a", "a"], ["a", "a", "a", "a"]], "grows"),
        ([{"a": "1"}, {"a": "11"}, {"a": "111"}, {"a": "1111"}], "grows"),
        ([1, 2, 3, 4], None),  # a counter
        (["id1", "id2", "id3", "id4"], None),
        ([{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}], None),
        ([{"a": 1}, {"a": 2}, {"a": 2}, {"a": 2}], "stays changed"),
        ([True, False, False, False], None),  # whether it was new
        ([{"$undefined": True}, {"a": 1}, {"a": 1}, {"a": 1}], None),
        (["first", REFUSED, REFUSED, REFUSED], None),
        (["first", FAILED, FAILED, FAILED], "fails"),
        ([FAILED, "then", "then", "then"], "fails"),
        (["first", REFUSED, "first", REFUSED], "comes back"),
        ([FAILED, REFUSED, REFUSED, REFUSED], None),
    ],
)
def test_answers_that_depend_on_how_often_was_asked_are_faults(results, change):
    assert change_of(list(map(_result, results))) == change


def test_what_was_not_seen_whole_is_not_compared():
    results = [FunctionExchange(Invocation(operation="f", arguments=()), n) for n in (1, 2, 1, 2)]
    assert change_of(results) is None


@pytest.mark.parametrize("name", ["uniqueId", "next", "addLocale", "register", "toggle", "makeId", "nextTick", "uuid"])
def test_names_tell_of_state(name):
    assert may_have_state(name)


@pytest.mark.parametrize("name", ["isEmail", "parse", "format", "addressOf", "settle", "toggled", "onset", "stringify"])
def test_other_names_promise_an_answer_for_each_argument(name):
    assert not may_have_state(name)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("if (expiry <= Date.now()) return true;", True),
        ("const start = process.hrtime.bigint();", True),
        ("const now = new Date();", True),
        ("const day = new Date(text); this.dateNow = day;", False),
    ],
)
def test_a_file_that_asks_for_the_time_is_known(tmp_path, text, asks):
    path = tmp_path / "index.js"
    path.write_text(text)
    assert reads_clock(Cause(file=str(path), line=1)) is asks
    assert not reads_clock(NO_CAUSE)
