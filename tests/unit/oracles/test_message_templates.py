"""Messages that show a part of what the test sent."""

import msgspec
import pytest

from wimble.http.http_messages import HttpRequest
from wimble.model.evaluation import Crash
from wimble.model.observation import Cause
from wimble.model.setup_kinds.answer import new_answer
from wimble.model.testcase import TestCase
from wimble.oracles import Judge
from wimble.oracles.messages.message_shapes import title_of


def finding_of(judges, make, message, target="/things", body=b""):
    op = make.operation()
    cause = Cause(file="/app/entity.js", line=241, message=message)
    evaluation = make.evaluation((op, make.answer(500), cause, HttpRequest("GET", target, (), body)))
    (finding,) = judges(evaluation)
    return finding


@pytest.fixture
def judges():
    return Judge()


def test_parts_of_inputs_are_one_fault(make, judges):
    first = finding_of(judges, make, "Error: Unknown field esc", "/things?fields=x%2Cesc")
    for target, message in (
        ("/things?fields=name%2Cp5m", "Error: Unknown field p5m"),
        ("/things?fields=a%2Ctwo+words", "Error: Unknown field two words"),
        ("/things?fields=a%2C", "Error: Unknown field "),
    ):
        assert finding_of(judges, make, message, target).key == first.key


def test_a_part_of_the_body_counts(make, judges):
    first = finding_of(judges, make, "Error: no column named abc here")
    assert finding_of(judges, make, "Error: no column named xyz here", body=b'{"sort": "-xyz"}').key == first.key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SqliteError: UNIQUE constraint failed", "SqliteError: FOREIGN KEY constraint failed"),
        (
            "TypeError: Cannot read properties of undefined (reading 'a')",
            "TypeError: Cannot read properties of undefined (reading 'name')",
        ),
        ("Error: a", "Error: name"),
    ],
)
def test_what_the_request_does_not_hold_tells_faults_apart(make, judges, one, other):
    first = finding_of(judges, make, one, "/things?fields=name")
    assert finding_of(judges, make, other, "/things?fields=name").key != first.key


def test_the_same_words_at_another_place_are_another_fault(make, judges):
    first = finding_of(judges, make, "Error: Unknown field esc", "/things?fields=esc,")
    op = make.operation()
    cause = Cause(file="/app/entity.js", line=300, message="Error: Unknown field p5m")
    request = HttpRequest("GET", "/things?fields=p5m,", (), b"")
    assert judges(make.evaluation((op, make.answer(500), cause, request)))[0].key != first.key


@pytest.mark.parametrize("crash_kind", [None, "unhandled-rejection"])
def test_what_services_have_answered_is_no_other_fault(make, judges, crash_kind):
    op = make.operation()

    def key_of(name):
        cause = Cause(file="/app/charge.js", line=12, message=f"TypeError: Unknown encoding: {name}")
        if crash_kind is None:
            one = make.evaluation((op, make.answer(500), cause))
        else:
            one = make.evaluation((op, make.answer(200)), crashes=(Crash(kind=crash_kind, cause=cause, call_index=0),))
        answer = new_answer("https://files.example:443", "GET", "/a", body={"encoding": name})
        (finding,) = judges(msgspec.structs.replace(one, test_case=TestCase(one.test_case.calls, (answer,))))
        return finding.key

    assert key_of("dcy41") == key_of("fwu40")


def test_what_an_earlier_call_has_stored_is_no_other_fault(make, judges):
    op = make.operation()

    def key_of(name):
        cause = Cause(file="/app/themes.js", line=12, message=f"Error: Unknown theme {name}, sorry")
        stored = (op, make.answer(200), None, HttpRequest("PUT", f"/theme?name={name}%2Cb", (), b""))
        (finding,) = judges(make.evaluation(stored, (op, make.answer(500), cause)))
        return finding.key

    assert key_of("dcyab") == key_of("fwuxy")


@pytest.mark.parametrize("targets", [("/things?name=broken", "/things"), ("/things", "/things?name=broken")])
def test_an_input_that_is_the_message_by_chance_is_no_other_fault(make, judges, targets):
    keys = {finding_of(judges, make, "broken", target).key for target in targets}
    assert len(keys) == 1


@pytest.mark.parametrize(
    ("message", "title"),
    [
        (
            "DatabaseError: (conn:6, no: 1054, SQLState: 42S22) Unknown column 'x' in 'ORDER BY'\nsql: SELECT id, a - b",
            "DatabaseError: Unknown column 'x' in 'ORDER BY'",
        ),
        ("(conn:-1, no: 45012, SQLState: 08S01) Connection timeout", "Connection timeout"),
        ("Error: no sql: here", "Error: no sql: here"),
    ],
)
def test_what_mariadbs_driver_writes_around_a_message_is_left_out(message, title):
    assert title_of(message) == title
