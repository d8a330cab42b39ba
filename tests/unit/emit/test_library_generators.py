"""Tests of libraries about generators, half characters, and results that hold the folder of the run."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from wimble.emit.library_assertions import NODE_TEST, result_checks, thrown_checks
from wimble.emit.library_formats import LibraryPackage, write_library_tests
from wimble.library.function_binding import FunctionBinding, function_operation
from wimble.library.invocation import FunctionExchange, Invocation, Thrown, function_observation
from wimble.model.evaluation import Finding
from wimble.model.operation import Operation
from wimble.model.suite import BodyCheck, VerifiedCall, VerifiedTest
from wimble.model.testcase import Call, TestCase
from wimble.oracles.oracle import NO_CAUSE

OPERATION = function_operation(FunctionBinding(index=0, package="lib", kind="function", path=("items",)), "items")


def _text_of(
    folder: Path,
    exchange: FunctionExchange,
    test_format: str = "node-test",
    findings: tuple[Finding, ...] = (),
    operation: Operation = OPERATION,
    **about: bool,
) -> str:
    call = VerifiedCall(
        observation=function_observation(0, exchange), checks=(BodyCheck(pointer=(), kind="equals", value=True),)
    )
    test_case = TestCase((Call(operation, ()),))
    test = VerifiedTest(name="items", kind="success", test_case=test_case, calls=(call,), findings=findings)
    package = LibraryPackage(name="lib", version="1.0.0", folder=folder / "lib", is_folder=True, **about)
    (written,) = write_library_tests([test], [], package, test_format, folder, shown_folder="tests")
    assert written.file.startswith("tests/results." if operation.is_safe else "tests/settings.")
    return (folder / Path(written.file).name).read_text()


def test_comments_name_places_within_the_package_and_are_whole(tmp_path):
    place = tmp_path / "lib" / "parse.js"
    finding = Finding(
        oracle="exception",
        key=("exception", "items"),
        operation=OPERATION.id,
        title="items() throws",
        observed=f"TypeError: Cannot read properties of undefined (reading 'length') at {place}:12",
        expected="a result",
        cause=NO_CAUSE,
        call_index=0,
    )
    exchange = FunctionExchange(Invocation(operation="items", arguments=("a",)), "a", is_whole=True)
    text = _text_of(tmp_path, exchange, findings=(finding,))
    assert "// TypeError: Cannot read properties of undefined (reading 'length') at parse.js:12\n" in text


def test_items_of_generators_are_read_as_the_run_has_read_them(tmp_path):
    invocation = Invocation(operation="items", arguments=("a",))
    plain = FunctionExchange(invocation, ["a"], is_whole=True, is_iterated=True)
    assert "const result = [...lib.items('a')];" in _text_of(tmp_path, plain)
    later = FunctionExchange(invocation, ["a"], is_whole=True, is_awaited=True, is_iterated=True)
    text = _text_of(tmp_path, later)
    assert "const result = await listed(lib.items('a'));" in text
    assert "async function listed(" in text


def test_what_changes_others_has_a_file_of_its_own(tmp_path):
    exchange = FunctionExchange(Invocation(operation="items", arguments=("de",)), "a", is_whole=True)
    assert "lib.items('de')" in _text_of(tmp_path, exchange, operation=replace(OPERATION, is_safe=False))


def test_a_text_of_which_a_part_is_missing_is_not_asserted():
    assert result_checks(NODE_TEST, "aaa", is_whole=True) == ["assert.equal(result, 'aaa');"]
    assert result_checks(NODE_TEST, "aaa", is_whole=False) == ["assert.equal(typeof result, 'string');"]
    assert result_checks(NODE_TEST, 1, is_whole=False) == ["assert.equal(result, 1);"]


def test_a_message_with_half_a_character_is_not_asserted():
    checks = thrown_checks(NODE_TEST, Thrown(name="SyntaxError", message="unexpected \ufffd"))
    assert checks == ["assert.equal(error.name, 'SyntaxError');"]
    assert len(thrown_checks(NODE_TEST, Thrown(name="SyntaxError", message="unexpected x"))) == 2


def test_a_message_that_may_be_no_text_is_not_asserted():
    assert len(thrown_checks(NODE_TEST, Thrown(name="SyntaxError", message=""))) == 1
    assert len(result_checks(NODE_TEST, {"$error": {"name": "SyntaxError"}}, is_whole=True)) == 1
    assert len(result_checks(NODE_TEST, {"$error": {"name": "SyntaxError", "message": ""}}, is_whole=True)) == 2


def test_of_a_long_message_the_beginning_is_asserted():
    message = "\U0001f600" + "a" * 2000
    (_, check) = thrown_checks(NODE_TEST, Thrown(name="SyntaxError", message=message))
    assert check == "assert.equal(error.message.slice(0, 201), '\\ud83d\\ude00' + 'a'.repeat(199));"


@pytest.mark.parametrize(("test_format", "head"), [
    ("node-test", "const background = require('./background.cjs');\nconst lib = require('./lib');\nbackground.restore();"),
    ("vitest", "import background from './background.cjs';\nimport lib from './lib';\nbackground.restore();"),
])  # fmt: skip
def test_what_a_library_keeps_running_does_not_keep_a_test_run_from_ending(tmp_path, test_format, head):
    exchange = FunctionExchange(Invocation(operation="items", arguments=("a",)), "a", is_whole=True)
    assert head in _text_of(tmp_path, exchange, test_format, keeps_running=True)
    assert (tmp_path / "background.cjs").exists()


def test_a_runner_that_imports_gets_the_text_that_was_called_where_a_package_has_two(tmp_path):
    exchange = FunctionExchange(Invocation(operation="items", arguments=("a",)), "a", is_whole=True)
    text = _text_of(tmp_path, exchange, "vitest", is_dual=True)
    assert "const lib = createRequire(import.meta.url)('./lib');" in text
    assert "import { createRequire } from 'node:module';" in text
    assert "import lib from './lib';" in _text_of(tmp_path, exchange, "vitest")
    assert "const lib = require('./lib');" in _text_of(tmp_path, exchange, "jest", is_dual=True)


def test_the_text_of_an_error_that_differs_from_run_to_run_is_not_asserted():
    (check,) = thrown_checks(NODE_TEST, Thrown(name="Error", message="15 is more than 6"), is_same=False)
    assert check == "assert.equal(error.name, 'Error');"
    (check,) = thrown_checks(NODE_TEST, Thrown(name="string", message="15", is_error=False), is_same=False)
    assert check == "assert.equal(typeof error, 'string');"


@pytest.mark.parametrize(
    ("message", "check"),
    [
        ("Cannot destructure property 'a' of 'rows[0]' as it is undefined.",
         "error.message.startsWith(\"Cannot destructure property 'a' of \")"),
        ("pick(...).map is not a function", "error.message.endsWith(' is not a function')"),
        ("Class constructor up cannot be invoked without 'new'",
         "error.message.endsWith(\" cannot be invoked without 'new'\")"),
    ],
)  # fmt: skip
def test_what_the_engine_quotes_of_the_program_is_not_asserted(message, check):
    thrown = Thrown(name="TypeError", message=message)
    assert thrown_checks(NODE_TEST, thrown)[1] == f"assert.equal({check}, true);"
    on_purpose = Thrown(name="TypeError", message=message, is_on_purpose=True)
    assert message.split("'")[0] in thrown_checks(NODE_TEST, on_purpose)[1].replace('"', "'")
