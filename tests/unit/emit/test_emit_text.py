"""The text of emitted suites, and their small parts."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from suite_samples import NASTY_TEXTS, answer, finding, nasty_tests, one_call, sample_tests, suite_of
from syrupy.assertion import SnapshotAssertion

from wimble.emit.python_source import py_string, py_value
from wimble.emit.source_text import one_line
from wimble.emit.source_text import test_comment as comment_of
from wimble.emit.suite_plan import plan_test
from wimble.emit.test_formats import FORMATS, format_for, run_command_of
from wimble.emit.write_suite import write_suite
from wimble.http.http_messages import HttpRequest
from wimble.model.testcase import TestCase
from wimble.runtimes.node.node_runtime import NODE

PROJECT = Path("/home/ada/bookshop")


@pytest.mark.parametrize("format_name", list(FORMATS))
def test_text_of_a_suite(format_name: str, snapshot: SnapshotAssertion) -> None:
    suite = suite_of(sample_tests(PROJECT), PROJECT, 3000)
    files = FORMATS[format_name].emit(suite, PROJECT / "wimble-out" / "tests")
    assert {name: text for name, text in files.items() if not name.startswith(("sut.", "sut_", "sut-"))} == snapshot


@pytest.mark.parametrize("format_name", list(FORMATS))
@pytest.mark.parametrize("n_sharing", [0, 1, 2])
def test_tests_that_share_a_start_say_so(format_name: str, n_sharing: int) -> None:
    tests = sample_tests(PROJECT)[6:8]
    for test in tests[:n_sharing]:
        test.shares_start = True
    files = FORMATS[format_name].emit(suite_of(tests, PROJECT, 3000), PROJECT / "tests")
    text = next(text for name, text in files.items() if "successes" in name)
    marks = {
        "module": text.count("pytestmark = pytest.mark.shares_start"),
        "test": text.count("@pytest.mark.shares_start"),
    }
    if format_name == "pytest":
        assert marks == {"module": int(n_sharing == 2), "test": int(n_sharing == 1)}
        ast.parse(text)
    else:
        assert text.count("isShared: true") == min(n_sharing, 1)
        assert text.count("describe('successes that share a start'") == int(n_sharing == 1)
        assert text.count("describe('successes'") == 1


@pytest.mark.parametrize("format_name", list(FORMATS))
def test_tests_that_need_a_new_start_say_so(format_name: str) -> None:
    tests = sample_tests(PROJECT)[6:8]
    tests[1].starts_anew = True
    files = FORMATS[format_name].emit(suite_of(tests, PROJECT, 3000), PROJECT / "tests")
    text = next(text for name, text in files.items() if "successes" in name)
    if format_name == "pytest":
        assert text.count("@pytest.mark.starts_anew") == 1
        ast.parse(text)
    else:
        assert text.count("sut.fresh({ isNew: true })") == 1
        assert text.count("describe('successes that need a new start'") == 1


@pytest.mark.parametrize("format_name", list(FORMATS))
def test_helper_knows_its_sut(format_name: str) -> None:
    suite = suite_of(sample_tests(PROJECT), PROJECT, 3000, is_port_fixed=False)
    files = FORMATS[format_name].emit(suite, PROJECT / "wimble-out" / "tests")
    helper = files.get("sut.cjs") or files["sut.py"]
    assert "['node', 'server.js']" in helper
    assert "'../..'" in helper
    assert str(PROJECT) not in helper
    assert "report-port.cjs" in files


@pytest.mark.parametrize("format_name", ["jest", "vitest"])
def test_runners_give_a_sut_that_starts_slowly_the_time(format_name: str) -> None:
    suite = suite_of(sample_tests(PROJECT), PROJECT, 3000)
    suite = replace(suite, start=replace(suite.start, start_timeout_s=120.0))
    files = FORMATS[format_name].emit(suite, PROJECT / "tests")
    assert "START_TIMEOUT_MS = 120_000" in files["sut.cjs"]
    text = "".join(text for name, text in files.items() if not name.startswith("sut"))
    assert "150_000" in text
    assert "90_000" not in text


def test_python_files_are_legal_with_unique_names() -> None:
    suite = suite_of(nasty_tests(), PROJECT, 3000)
    files = FORMATS["pytest"].emit(suite, PROJECT / "tests")
    names = [node.name for node in ast.walk(ast.parse(files["test_others.py"])) if isinstance(node, ast.FunctionDef)]
    assert len(names) == len(set(names)) == len(nasty_tests())


@pytest.mark.parametrize("format_name", FORMATS)
def test_tests_of_all_kinds_may_be_in_one_file(format_name: str) -> None:
    emitter, tests = FORMATS[format_name], sample_tests(PROJECT)
    apart = emitter.emit(suite_of(tests, PROJECT, 3000), PROJECT / "tests")
    assert len({emitter.file_of(test) for test in tests}) > 1
    for test in tests:
        test.is_in_one_file = True
    together = emitter.emit(suite_of(tests, PROJECT, 3000), PROJECT / "tests")
    (name,) = {emitter.file_of(test) for test in tests}
    assert together.keys() - apart.keys() == {name}
    word = "def test_" if format_name == "pytest" else "test("
    assert together[name].count(word) == sum(text.count(word) for file, text in apart.items() if file not in together)


def test_fault_comment_names_place_relative_to_the_project() -> None:
    suite = suite_of(sample_tests(PROJECT)[:1], PROJECT, 3000)
    text = FORMATS["node-test"].emit(suite, PROJECT / "wimble-out" / "tests")["faults.test.mjs"]
    assert "// Where: server.js:19" in text.replace("    ", " ").replace("  ", " ")


def test_a_test_that_is_there_for_its_coverage_says_so_above_the_fault_that_it_shows() -> None:
    test = sample_tests(Path("/project"))[0]
    test.reason = "covers 2 lines that no test before it does, such as server.js:3"
    lines = comment_of(test, suite_of([test], Path("/project"), 3000), "// ")
    assert lines[0] == "// Covers 2 lines that no test before it does, such as server.js:3; shows a fault, too:"
    assert lines[1].startswith("// FAULT: ")


def test_a_test_ends_with_the_call_in_which_the_process_ends() -> None:
    dies = finding("process-died", "GET /die ends the server's process", status=None, project=PROJECT)
    one = one_call("dies", HttpRequest("GET", "/die"), answer(202, {}), kind="fault", findings=(dies,))
    again = replace(one.calls[0], observation=replace(one.calls[0].observation, call_index=1))
    calls = TestCase((*one.test_case.calls, *one.test_case.calls))
    twice = replace(one, test_case=calls, calls=(one.calls[0], again))
    [call] = plan_test(twice)
    assert call.is_sut_gone_after
    assert len(plan_test(replace(twice, findings=()))) == 2


def test_hidden_newline_cannot_leave_a_comment() -> None:
    test = one_call("x", HttpRequest("GET", "/"), None, reason="a\u2028process.exit()\n\rb\x00\ud800")
    for format_name, emitter in FORMATS.items():
        text = next(iter(t for n, t in emitter.emit(suite_of([test], PROJECT, 1), PROJECT).items() if "others" in n))
        lines = [line for line in text.splitlines() if "process.exit" in line]
        assert len(lines) == 1, format_name
        assert lines[0].lstrip().startswith(("//", "#"))
    assert one_line("a\nb\ud800") == "a b\\u{d800}"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(json_values)
def test_python_literals_mean_their_value(value: object) -> None:
    assert ast.literal_eval(py_value(value)) == value


@given(st.text(st.characters()))
def test_python_strings_mean_their_text(text: str) -> None:
    assert ast.literal_eval(py_string(text)) == text


@pytest.mark.parametrize(
    ("package", "expected"),
    [
        (None, "pytest"),
        ("{}", "node-test"),
        ("not JSON", "node-test"),
        ("[1]", "node-test"),
        (json.dumps({"devDependencies": {"jest": "^29"}}), "node-test"),
        (json.dumps({"dependencies": {"jest-cli": "1"}, "devDependencies": None}), "node-test"),
    ],
)
def test_default_format_follows_the_project(tmp_path: Path, package: str | None, expected: str) -> None:
    if package is not None:
        (tmp_path / "package.json").write_text(package)
    assert format_for(tmp_path, NODE).name == expected


def test_scripts_without_package_are_a_node_project(tmp_path: Path) -> None:
    (tmp_path / "server.mjs").touch()
    assert format_for(tmp_path, NODE).name == "node-test"


@pytest.mark.parametrize("format_name", list(FORMATS))
def test_written_suite_tells_its_files_and_command(tmp_path: Path, format_name: str) -> None:
    tests = sample_tests(tmp_path)
    folder = tmp_path / "out dir" / "tests"
    written = write_suite(suite_of(tests, tmp_path, 3000), FORMATS[format_name], folder, "tests")
    assert [test.name for test in written] == [test.name for test in tests]
    assert all((tmp_path / "out dir" / test.file).is_file() for test in written)
    assert "'out dir/tests" in run_command_of(written[0].file, folder, tmp_path)
    assert not list(folder.glob(".wimble-*"))


def test_nasty_texts_stay_on_one_line() -> None:
    for text in NASTY_TEXTS:
        assert len(one_line(text).splitlines()) <= 1
