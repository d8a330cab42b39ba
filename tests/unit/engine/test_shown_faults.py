"""Tests and lines of faults that several calls show together."""

from types import SimpleNamespace

from wimble.emit.library_formats import LibraryPackage, write_library_tests
from wimble.engine.faults.shown_faults import cause_in, shown_test
from wimble.library.function_binding import FunctionBinding, function_operation
from wimble.library.invocation import FunctionExchange, Invocation, Thrown, function_observation
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.targets import Target
from wimble.model.testcase import Call, TestCase
from wimble.oracles.libraries.library_faults import CALLED_TWICE, ROUND_TRIP
from wimble.oracles.oracle import NO_CAUSE

BINDING = FunctionBinding(index=0, package="lib", kind="function", path=("has",))
OPERATION = function_operation(BINDING, "has")


def _evaluation(results, reached=()):
    observations = []
    for index, result in enumerate(results):
        thrown = result if isinstance(result, Thrown) else None
        invocation = Invocation(operation="has", arguments=("x",))
        exchange = (
            FunctionExchange(invocation, thrown=thrown)
            if thrown is not None
            else FunctionExchange(invocation, result, is_whole=True)
        )
        observations.append(function_observation(index, exchange))
    calls = tuple(Call(OPERATION, ()) for _ in results)
    return Evaluation(test_case=TestCase(calls), observations=tuple(observations), reached={}, findings=())


def _finding(oracle):
    return Finding(
        oracle=oracle,
        key=(oracle, "has"),
        operation="has",
        title="has('x') returns something else in every other call",
        observed="true; false",
        expected="the same call gives the same result",
        cause=NO_CAUSE,
        call_index=1,
    )


def test_each_call_asserts_its_own_result_and_calls_made_again_have_a_process_of_their_own(tmp_path):
    twice = shown_test(_finding(CALLED_TWICE), _evaluation([True, False]), "has called several times")
    failing = Thrown(name="TypeError", message="no")
    trip = shown_test(_finding(ROUND_TRIP), _evaluation([True, failing, failing]), "read again")
    package = LibraryPackage(name="lib", version="1.0.0", folder=tmp_path / "lib", is_folder=True)
    for format_name in ("node-test", "jest", "vitest"):
        folder = tmp_path / format_name
        written = write_library_tests([twice, trip], [], package, format_name, folder, shown_folder="tests")
        assert {one.file.split("/")[1].split(".")[0] for one in written} == {"called-twice", "faults"}
        text = next(folder.glob("called-twice.test.*")).read_text()
        assert text.count("const result = ") == 2
        assert text.index("true") < text.index("false")
        assert next(folder.glob("faults.test.*")).read_text().count("{\n") >= 3


def test_the_line_is_that_of_the_function_with_the_name_of_the_operation():
    table = [
        Target(kind="function", file="/lib/a.js", line=3, column=0, detail="inner"),
        Target(kind="function", file="/lib/a.js", line=9, column=0, detail="has"),
        Target(kind="line", file="/lib/a.js", line=1, column=0),
    ]
    covers = {0: SimpleNamespace(covered=lambda: {0, 1, 2}), 1: SimpleNamespace(covered=lambda: {2, 0})}
    assert cause_in(table, [covers[0]], OPERATION).line == 9
    assert cause_in(table, [covers[1]], OPERATION).line == 3
    assert cause_in(table, [SimpleNamespace(covered=lambda: {2})], OPERATION) == NO_CAUSE
