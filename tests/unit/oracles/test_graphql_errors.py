"""Which errors of a GraphQL answer are faults."""

from __future__ import annotations

import json

import msgspec
import pytest

from wimble.genes import ConstantGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.database import Column, TableName
from wimble.model.evaluation import Crash, Evaluation
from wimble.model.observation import Cause
from wimble.model.operation import Operation
from wimble.model.setup_kinds.insert_document import InsertDocument
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.model.targets import TargetTable
from wimble.model.testcase import Call, TestCase
from wimble.oracles import Judge
from wimble.search.targets.core_targets import core_targets
from wimble.types import OperationId


def operation_named(name: str) -> Operation:
    body = HttpInput(name="body", location="body", template=ConstantGene({}), media_type="application/json")
    return http_operation(id=OperationId(name), method="POST", path="/graphql", inputs=(body,), graphql="mutation")


def evaluation_of(errors: list[dict], cause: Cause | None = None, operation: str = "mutation addBook") -> Evaluation:
    body = json.dumps({"errors": errors, "data": None} if errors else {"data": {"addBook": None}}).encode()
    response = HttpResponse(200, (("content-type", "application/json"),), body)
    observation = http_observation(
        call_index=0,
        request=HttpRequest("POST", "/graphql", (), b"{}"),
        response=response,
        cause=cause,
        is_graphql=True,
    )
    call = Call(operation_named(operation), (ConstantGene({}),))
    return Evaluation(test_case=TestCase((call,)), observations=(observation,), reached={})


THROWN = Cause(file="/app/s.js", line=7, message="Error: no stock", stack="", statement="/app/s.js:7")
MEANT = Cause(file="/app/s.js", line=9, message="GraphQLError: no such book")
LAST = Cause(file="/app/s.js", line=5, statement="/app/s.js:5")
OF_PACKAGE = Cause(message="Error: no such row", stack="Error\n    at run (/n/x.js:5:9)", thrown_at="/n/x.js:5")
IN_DRIVER = Cause(message="error: division by zero", stack="error\n    at run (/n/pg.js:6:9)", thrown_at="/n/pg.js:6")
UNRESOLVED = 'Abstract type "Hit" must resolve to an Object type at runtime for field "Query.find".'
IN_PACKAGE = "GraphQLError\n    at ensureValidRuntimeType (node_modules/graphql/execution/execute.js:5:9)"


@pytest.mark.parametrize(
    ("error", "cause", "line"),
    [
        ({"message": "no stock", "path": ["addBook"]}, THROWN, 7),
        ({"message": "Unexpected error.", "path": ["a"], "extensions": {"code": "INTERNAL_SERVER_ERROR"}}, THROWN, 7),
        ({"message": "Unexpected error.", "extensions": {"code": "INTERNAL_SERVER_ERROR"}}, None, 0),
        ({"message": "Cannot read properties of undefined (reading 'x')", "path": ["a"]}, LAST, 5),
        ({"message": "Cannot return null for non-nullable field Book.title.", "path": ["a"]}, LAST, 5),
        ({"message": "Int cannot represent non-integer value: 1.5", "path": ["a"]}, None, 0),
        ({"message": UNRESOLVED, "path": ["a"]}, Cause(message=f"GraphQLError: {UNRESOLVED}", stack=IN_PACKAGE), 0),
    ],
)
def test_internal_failures_are_found_with_their_place(error, cause, line):
    (finding,) = Judge()(evaluation_of([error], cause))
    assert finding.oracle == "graphql-error"
    assert finding.cause.line == line
    assert finding.title.startswith("mutation addBook answers errors: ")


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        ({"message": "Syntax Error: Unexpected Name", "locations": [{"line": 1, "column": 1}]}, None),
        ({"message": "Int cannot represent non-integer value: 1.5", "extensions": {"code": "BAD_USER_INPUT"}}, None),
        ({"message": "log in first", "path": ["a"], "extensions": {"code": "UNAUTHENTICATED"}}, THROWN),
        ({"message": "no such book", "path": ["a"]}, MEANT),
        ({"message": "out of stock", "path": ["a"]}, None),
        ({"message": 'Variable "$n" got invalid value "x"', "extensions": {"code": "INTERNAL_SERVER_ERROR"}}, None),
        ({"message": "out of stock", "path": ["a"]}, THROWN),
        ({"message": "no such row", "path": ["a"]}, OF_PACKAGE),
    ],
)
def test_refusals_are_none(error, cause):
    assert Judge()(evaluation_of([error], cause)) == []


def test_the_cause_makes_it_the_same_fault():
    judge = Judge()
    keys = [
        judge(evaluation_of([{"message": "no stock", "path": ["a"]}], THROWN, name))[0].key
        for name in ("mutation a", "mutation b")
    ]
    assert keys[0] == keys[1]
    null = {"message": "Cannot return null for non-nullable field Book.title.", "path": ["a"]}
    keys = [judge(evaluation_of([null], None, name))[0].key for name in ("mutation a", "mutation b")]
    assert keys[0] == keys[1]


def test_values_that_the_database_refuses_at_one_statement_are_one_fault():
    def key(told: str) -> tuple[str, ...]:
        cause = Cause(file="/app/s.js", line=7, message=f"error: {told}", stack="at /app/s.js:7:1")
        (finding,) = Judge()(evaluation_of([{"message": told, "path": ["addBook"]}], cause))
        return finding.key

    half, huge = (
        key(f"{told} for type integer{rest}")
        for told, rest in (("invalid input syntax", ': "57.5"'), ('value "2147483648" is out of range', ""))
    )
    assert half == huge
    assert key("duplicate key value violates unique constraint") != half


def test_packages_that_resolve_everything_fail_at_their_own_place():
    error = {"message": "division by zero", "path": ["a"]}
    (one,) = Judge()(evaluation_of([error], IN_DRIVER, "query a"))
    (other,) = Judge()(evaluation_of([error], IN_DRIVER, "query b"))
    assert one.key == other.key


def test_a_transaction_that_has_failed_before_is_no_fault_of_its_own():
    first = {"message": "division by zero", "path": ["a"]}
    later = {
        "message": "current transaction is aborted, commands ignored until end of transaction block",
        "path": ["b"],
    }
    evaluation = evaluation_of([later, first])
    observation = msgspec.structs.replace(
        evaluation.observations[0],
        causes_at={"a": IN_DRIVER, "b": msgspec.structs.replace(IN_DRIVER, message=f"error: {later['message']}")},
    )
    (finding,) = Judge()(msgspec.structs.replace(evaluation, observations=(observation,)))
    assert "division by zero" in finding.title


def test_an_answer_with_errors_is_no_success():
    table = TargetTable()
    reached = core_targets(evaluation_of([{"message": "x", "path": ["a"]}]), [], table).reached
    told = {table[target].detail: value.h for target, value in reached.items()}
    assert told == {"mutation addBook 200": 1.0, "mutation addBook errors": 1.0, "mutation addBook success": 0.5}
    good = core_targets(evaluation_of([]), [], table).reached
    assert {table[target].detail: value.h for target, value in good.items()}["mutation addBook success"] == 1.0


def test_hidden_errors_of_one_field_are_one_fault_wherever_it_is_shown():
    judge = Judge()
    paths = [["books", 0, "author"], ["addBook", "author"]]
    hidden = {"message": "Unexpected error.", "extensions": {"code": "INTERNAL_SERVER_ERROR"}}
    findings = [judge(evaluation_of([{**hidden, "path": path}], None, path[0]))[0] for path in paths]
    assert findings[0].key == findings[1].key
    assert findings[0].title == "books answers errors: Unexpected error at field author"
    (root,) = judge(evaluation_of([{**hidden, "path": ["addBook"]}], None, "addBook"))
    assert root.key != findings[0].key
    known = judge(evaluation_of([{**hidden, "path": paths[0]}], THROWN))[0]
    assert known.cause.line == 7, "where the agent saw it thrown, the place tells faults apart"


def at_path(path: str, cause: Cause) -> dict[str, Cause]:
    return {path: cause}


NULL = {"message": "Cannot read properties of null (reading 'toUpperCase')", "path": ["films", 1, "country"]}


def with_causes(evaluation: Evaluation, causes: dict[str, Cause]) -> Evaluation:
    observation = msgspec.structs.replace(evaluation.observations[0], causes_at=causes)
    return msgspec.structs.replace(evaluation, observations=(observation,))


def test_an_error_has_the_place_of_its_own_resolver_and_is_one_fault_in_all_operations():
    thrown = Cause(file="/app/films.js", line=12, message=f"TypeError: {NULL['message']}", stack="TypeError\n    at x")
    judge = Judge()
    findings = [
        judge(with_causes(evaluation_of([NULL], LAST, name), at_path("films/1/country", thrown)))[0]
        for name in ("query films", "mutation addFilm")
    ]
    assert [(one.cause.file, one.cause.line) for one in findings] == [("/app/films.js", 12)] * 2
    assert findings[0].key == findings[1].key


@pytest.mark.parametrize(
    ("message", "top", "is_fault"),
    [
        ("Error: no such film", "    at findFilm (/app/films.js:12:9)", False),
        ("NotFoundException: no such film", "    at findFilm (/app/films.js:12:9)", False),
        ("TypeError: x is null", "    at findFilm (/app/films.js:12:9)", True),
        (
            "Error: connection refused",
            "    at query (/app/node_modules/pg/x.js:1:1)\n    at a (/app/films.js:12:9)",
            True,
        ),
    ],
)
def test_what_the_program_throws_on_purpose_is_no_fault_whatever_code_the_server_puts_on_it(message, top, is_fault):
    error = {"message": message, "path": ["film"], "extensions": {"code": "INTERNAL_SERVER_ERROR"}}
    thrown = Cause(file="/app/films.js", line=12, message=message, stack=f"{message}\n{top}")
    assert bool(Judge()(with_causes(evaluation_of([error]), at_path("film", thrown)))) is is_fault


def test_an_error_like_one_at_another_path_has_its_place():
    """The agent tells few of the errors of a list whose elements all fail in the same way."""
    thrown = Cause(file="/app/films.js", line=12, message=f"TypeError: {NULL['message']}", stack="TypeError\n    at x")
    elsewhere = {"message": "Cannot read properties of null (reading 'trim')", "path": ["films", 1, "title"]}
    causes = at_path("films/0/country", thrown)
    (alike,) = Judge()(with_causes(evaluation_of([NULL]), causes))
    assert (alike.cause.file, alike.cause.line) == ("/app/films.js", 12)
    (other,) = Judge()(with_causes(evaluation_of([elsewhere]), causes))
    assert other.cause.file == ""


def test_a_hidden_error_whose_cause_died_with_the_process_is_left_to_another_run():
    hidden = {"message": "Unexpected error.", "path": ["scale"], "extensions": {"code": "INTERNAL_SERVER_ERROR"}}
    seen = evaluation_of([hidden])
    assert len(Judge()(seen)) == 1
    died = Crash(kind="died", call_index=None, cause=Cause())
    assert [one.oracle for one in Judge()(msgspec.structs.replace(seen, crashes=(died,)))] == ["process-died"]


def test_a_property_that_breaks_the_schema_is_one_fault_of_its_field_whatever_hides_it_and_whatever_ran_last():
    null = "Cannot return null for non-nullable field Step.minutes."

    def judged(message, told, operation, line=0):
        path = ["recipe", "steps", 0, "minutes"]
        seen = evaluation_of([{"message": message, "path": path, "extensions": {"code": "INTERNAL_SERVER_ERROR"}}],
                             operation=operation)  # fmt: skip
        cause = Cause(file="/app/s.js" if line else "", line=line, message=f"Error: {told}")
        causes = {"recipe/steps/0/minutes": cause}
        (observation,) = seen.observations
        observation = msgspec.structs.replace(observation, causes_at=causes)
        (finding,) = Judge()(msgspec.structs.replace(seen, observations=(observation,)))
        return finding

    hidden, shown = judged("Unexpected error.", null, "query recipe", 37), judged(null, null, "query recipes", 43)
    assert hidden.key == shown.key
    assert null in hidden.title
    number = "Int cannot represent non-integer value: 1.5"
    one, other = (judged("Unexpected error.", number, operation) for operation in ("query a", "mutation b"))
    assert one.key == other.key
    assert (one.cause.file, one.cause.line) == ("", 0)


def test_a_number_without_end_has_another_reason_than_one_that_is_none():
    def key(value):
        error = {"message": f"Float cannot represent non numeric value: {value}", "path": ["a"]}
        return Judge()(evaluation_of([error], LAST))[0].key

    assert key("Infinity") == key("-Infinity")
    assert key("Infinity") != key("NaN")


def test_messages_that_quote_what_rows_of_the_test_or_earlier_calls_have_stored_are_one_fault():
    columns = (Column(name="starts", type_name="TEXT", type="text"),)

    def key(text: str, sent: str = "") -> tuple[str, ...]:
        error = {"message": f"unknown place {text}", "path": ["shows", "starts"]}
        made = InsertRow(database="d", dialect="sqlite", table=TableName("shows"), columns=columns,
                         genes=(ConstantGene("soon" if sent else text),))  # fmt: skip
        evaluation = evaluation_of([error], msgspec.structs.replace(THROWN, message=f"Error: unknown place {text}"))
        (call,) = evaluation.test_case.calls
        (observation,) = evaluation.observations
        earlier = [msgspec.structs.replace(call, genes=(ConstantGene({"starts": sent}),))] if sent else []
        index = len(earlier)
        (finding,) = Judge()(
            msgspec.structs.replace(
                evaluation,
                test_case=TestCase((*earlier, call), (made,)),
                observations=(msgspec.structs.replace(observation, call_index=index),),
            )
        )
        return finding.key

    assert key("tjfug") == key("wtn06") == key("tomorrow", sent="tomorrow")
    assert key("tomorrow", sent="today") != key("tomorrow")


def test_what_documents_of_the_test_lack_is_one_fault_of_their_collection():
    columns = (Column(name="campaignId", type_name="string", type="text"),)
    made = InsertDocument(database="d", table=TableName("pledges"), columns=columns, genes=(ConstantGene("x"),))

    def key(field: str, *setup: InsertDocument) -> tuple[str, ...]:
        message = f"Cannot return null for non-nullable field {field}."
        evaluation = evaluation_of([{"message": message, "path": ["a", 0, "b"]}])
        (finding,) = Judge()(
            msgspec.structs.replace(evaluation, test_case=msgspec.structs.replace(evaluation.test_case, setup=setup))
        )
        return finding.key

    assert key("Pledge.amount", made) == key("Pledge.message", made)
    assert key("Pledge.amount") != key("Pledge.message")
    assert key("Pledge.campaignId", made) == key("Pledge.campaignId")
    assert key("User.total", made) == key("User.total")


def test_a_made_hash_of_a_password_is_no_fault():
    columns = (Column(name="hash", type_name="string", type="text"),)
    made = InsertDocument(database="d", table=TableName("users"), columns=columns, genes=(ConstantGene("x"),))
    thrown = Cause(file="/app/s.js", line=7, message="Error: Invalid salt version: x")
    evaluation = evaluation_of(
        [{"message": "Unexpected error.", "path": ["a"], "extensions": {"code": "INTERNAL_SERVER_ERROR"}}], thrown
    )
    assert Judge()(evaluation)
    with_row = msgspec.structs.replace(evaluation.test_case, setup=(made,))
    assert Judge()(msgspec.structs.replace(evaluation, test_case=with_row)) == []
