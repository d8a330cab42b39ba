import msgspec
import pytest

from wimble.engine.faults.fault_merging import merged
from wimble.model.evaluation import Finding
from wimble.model.observation import Cause
from wimble.model.result import ReportedFinding


def reported(
    number: int,
    operation: str,
    line: int,
    observed: str = "$.data: null is not an object",
    *,
    oracle: str = "response-schema",
    message: str = "",
) -> ReportedFinding:
    finding = Finding(
        oracle=oracle, key=(operation,), operation=operation, status=200, title="t", observed=observed,
        expected="e", cause=Cause(file="/p/app.js" if line else "", line=line, message=message), call_index=0,
    )  # fmt: skip
    return ReportedFinding(id=f"F{number}", finding=finding, observations=(), curl=())


def test_the_same_rule_broken_by_the_same_statement_is_one_fault():
    joined = merged([reported(1, "GET /a", 7), reported(2, "GET /b", 7), reported(3, "GET /c", 9)])
    assert [finding.id for finding in joined] == ["F1", "F3"]
    assert joined[0].note == "the same in GET /b"
    assert joined[0].times_seen == 2


def test_numbers_in_what_was_observed_do_not_tell_faults_apart():
    joined = merged(
        [reported(1, "GET /a", 7, "$[4].n: -3 is small"), reported(2, "GET /b", 7, "$[0].n: -99.5 is small")]
    )
    assert len(joined) == 1


def test_a_wrong_member_that_one_statement_makes_is_one_fault_alone_in_lists_and_with_other_statuses():
    made = reported(2, "POST /a", 7, "$.left: -3 is less than 0")
    made = msgspec.structs.replace(made, finding=msgspec.structs.replace(made.finding, status=201))
    joined = merged([reported(1, "GET /a", 7, "$.items[0].left: -1 is less than 0"), made])
    assert [finding.id for finding in joined] == ["F1"]
    missing = [reported(n, f"GET /{n}", 7, f'{at}: "left" is missing') for n, at in ((1, "$"), (2, "$.items[3]"))]
    assert len(merged(missing)) == 1
    assert len(merged([reported(1, "GET /a", 7, "$.a.left: 3"), reported(2, "GET /b", 7, "$.right: 3")])) == 2


def test_methods_of_one_path_that_break_one_rule_are_one_fault_where_no_statement_is_known():
    joined = merged([reported(1, "GET /a", 0), reported(2, "POST /a", 0), reported(3, "POST /a", 0, "$.id: missing")])
    assert [finding.id for finding in joined] == ["F1", "F3"]
    assert joined[0].note == "the same in POST /a"
    assert len(merged([reported(1, "query a", 0), reported(2, "query b", 0)])) == 2


@pytest.mark.parametrize("lines", [(0, 7), (7, 0)])
def test_one_that_was_not_seen_again_is_that_of_the_other_method_that_was(lines):
    pair = [reported(n, f"{verb} /a", line) for n, verb, line in zip((1, 2), ("GET", "POST"), lines, strict=True)]
    (joined,) = merged([*pair, reported(3, "GET /b", 0, "$.id: missing")])[:-1]

    assert (joined.finding.cause.line, joined.times_seen) == (7, 2)
    assert joined.note == f"the same in {'GET' if lines[1] else 'POST'} /a"


def test_findings_without_a_place_and_other_rules_stay_apart():
    assert len(merged([reported(1, "GET /a", 0), reported(2, "GET /b", 0)])) == 2
    assert len(merged([reported(1, "GET /a", 7), reported(2, "GET /b", 7, "$.id: missing")])) == 2


def test_one_mistake_that_graphql_tells_after_the_same_statement_is_one_fault():
    said = "Cannot read properties of null (reading 'ids')"
    pair = [reported(n, f"query {n}", 7, said, oracle="graphql-error", message=said) for n in (1, 2)]
    assert [finding.id for finding in merged(pair)] == ["F1"]


def test_an_error_without_a_place_is_one_with_the_same_message_that_has_one():
    def error(number: int, line: int, message: str) -> ReportedFinding:
        made = reported(number, "mutation add", line, oracle="graphql-error", message=message)
        return msgspec.structs.replace(made, finding=msgspec.structs.replace(made.finding, key=(message,)))

    told = "DataLoader must be constructed with a function that returns as many values"
    first, again = error(1, 6, f"TypeError: {told}\n\nKeys: 7"), error(2, 0, told)
    other = error(3, 0, "Cannot read properties of null")
    assert [one.id for one in merged([first, again, other])] == ["F1", "F3"]
    assert [one.id for one in merged([again, first, other])] == ["F1", "F3"]


def test_errors_that_a_server_masks_stay_apart():
    said = "Unexpected error."
    pair = [reported(n, f"query {n}", 7, said, oracle="graphql-error", message=said) for n in (1, 2)]
    assert len(merged(pair)) == 2


def test_a_server_error_is_part_of_an_injection_that_the_run_has_found():
    error, other, injection = (
        reported(number, "GET /a", line, oracle=oracle)
        for number, line, oracle in ((1, 7, "server-error"), (2, 8, "server-error"), (3, 7, "sql-injection"))
    )
    part = msgspec.structs.replace(error.finding, key=("server-error",), part_of=(("sql-injection", "a.js"),))
    whole = msgspec.structs.replace(injection.finding, key=("sql-injection", "a.js"))
    error = msgspec.structs.replace(error, finding=part)
    injection = msgspec.structs.replace(injection, finding=whole)
    joined = merged([error, other, injection])
    assert [one.id for one in joined] == ["F2", "F3"]
    assert joined[1].times_seen == 2
    assert [one.id for one in merged([error, other])] == ["F1", "F2"]


def test_a_failure_that_did_not_show_again_is_part_of_one_at_its_statement_that_did():
    shown = reported(1, "PATCH /a", 8, oracle="process-died", message="TypeError: x")
    shown = msgspec.structs.replace(shown, is_repeated=True)
    again = reported(2, "GET /b", 8, oracle="process-died", message="TypeError: y")
    elsewhere = reported(3, "GET /c", 9, oracle="process-died", message="TypeError: y")
    joined = merged([again, shown, elsewhere])
    assert {one.id for one in joined} == {"F1", "F3"}
    assert next(one for one in joined if one.id == "F1").finding.operation == "PATCH /a"
