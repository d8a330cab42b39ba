"""What the program did by mistake is told with the findings that it explains."""

import msgspec
import pytest

from wimble.model.evaluation import Finding
from wimble.model.observation import Cause, Exchange, Mistake, Observation
from wimble.oracles.failures import graphql_errors, server_error
from wimble.oracles.mistakes import with_mistake

TEXT = "a Promise was used as a value (put into the answer): `await` is missing"
SCHEMA = {
    "type": "object",
    "required": ["total"],
    "properties": {
        "total": {"type": "integer"},
        "page": {"type": "integer"},
        "items": {"type": "array", "items": {"type": "object", "required": ["id"]}},
    },
}


def cause(make, *mistakes, message=""):
    return make.Cause(file="/app/a.js", line=9, message=message, statement="/app/a.js:9", mistakes=mistakes)


def found(make, judge, body, *mistakes):
    op = make.operation("GET", "/stats", {"200": {"application/json": SCHEMA}})
    return judge(make.evaluation((op, make.answer(200, body), cause(make, *mistakes))))


@pytest.mark.parametrize(
    ("body", "members"),
    [
        ({"total": {}}, ("total",)),
        ({}, ()),
        ({"total": 1, "items": [{"id": 1}, {}]}, ("items", "*")),
        # What the program returned was put into a larger answer.
        ({"total": 1, "items": [{}]}, ("*",)),
    ],
)
def test_a_value_in_the_answer_explains_the_schema_error_at_its_place(make, judge, body, members):
    (finding,) = found(make, judge, body, Mistake("/app/a.js", 4, TEXT, members))
    assert finding.title.endswith(f"; {TEXT}")
    assert finding.observed.endswith(f"; {TEXT} at /app/a.js:4")
    assert (finding.cause.file, finding.cause.line) == ("/app/a.js", 4)


@pytest.mark.parametrize(
    ("body", "members"),
    [
        ({"total": 1, "page": "x", "items": [{}]}, ("items", "*")),  # the error of `page`
        ({"total": "x"}, ("total",)),
        ({"total": {}}, ("page",)),
        ({"page": 1}, ()),
    ],
)
def test_other_schema_errors_are_not_explained(make, judge, body, members):
    findings = [
        one for one in found(make, judge, body, Mistake("/app/a.js", 4, TEXT, members)) if "id" not in one.observed
    ]
    assert findings
    assert not any(TEXT in one.title + one.observed for one in findings)


def test_a_comparison_explains_a_server_error_and_keeps_its_place(make, judge):
    text = "a Promise was used as a value (compared with another value): `await` is missing"
    at = cause(make, Mistake("/app/a.js", 4, text), message="TypeError: x is null")
    (finding,) = judge(make.evaluation((make.operation(), make.answer(500), at)))
    assert finding.title == f"GET /things answers 500: TypeError: x is null; {text}"
    assert finding.observed == f"status 500: TypeError: x is null at /app/a.js:9; {text} at /app/a.js:4"
    assert finding.cause.line == 9
    assert finding.key == ("server-error", "/app/a.js", "9", "TypeError: x is …")


def test_a_value_in_the_answer_explains_no_server_error(make, judge):
    at = cause(make, Mistake("/app/a.js", 4, TEXT, ("total",)), message="TypeError: x is null")
    (finding,) = judge(make.evaluation((make.operation(), make.answer(500), at)))
    assert TEXT not in finding.title


def test_the_key_of_a_finding_does_not_depend_on_mistakes(make, judge):
    (plain,) = found(make, judge, {"total": {}})
    (told,) = found(make, judge, {"total": {}}, Mistake("/app/a.js", 4, TEXT, ("total",)))
    assert told.key == plain.key
    assert msgspec.structs.replace(told, title=plain.title, observed=plain.observed, cause=plain.cause) == plain


@pytest.mark.parametrize(
    ("oracle", "line", "stack", "is_explained"),
    [
        (graphql_errors.NAME, 43, "TypeError: x\n    at rate", True),
        (graphql_errors.NAME, 50, "TypeError: x\n    at initials", False),  # another resolver
        (graphql_errors.NAME, 41, "TypeError: x\n    at rate", False),  # before it
        (graphql_errors.NAME, 50, "", True),  # a value that breaks the schema
        (server_error.NAME, 50, "TypeError: x\n    at show", True),  # one handler
    ],
)
def test_an_error_of_another_resolver_is_not_explained(oracle, line, stack, is_explained):
    thrown = Cause(file="/app/a.js", line=line, message="TypeError: x", stack=stack)
    finding = Finding(
        oracle=oracle, key=(oracle,), operation="mutation rate", status=200, title="t", observed="o", expected="e",
        cause=thrown, call_index=0,
    )  # fmt: skip
    seen = msgspec.structs.replace(thrown, mistakes=(Mistake("/app/a.js", 42, TEXT),))
    observation = Observation(call_index=0, outcome="partial", outcome_keys=("200",), exchange=Exchange(), cause=seen)
    assert (with_mistake(finding, observation).title != "t") == is_explained
