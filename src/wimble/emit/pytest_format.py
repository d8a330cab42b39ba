"""pytest suites, which need no packages but pytest.

The helper uses http.client of the standard library, which (unlike requests and httpx) sends paths such as `/a/..`
unchanged.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from wimble import __version__
from wimble.emit.mock_files import has_mocks
from wimble.emit.python_source import (
    py_access,
    py_body,
    py_reference,
    py_string,
    py_text,
    py_value,
)
from wimble.emit.response_checks import Assertion, WholeBody
from wimble.emit.runtime_files import python_runtime
from wimble.emit.setup_calls import py_setup_lines
from wimble.emit.source_text import (
    KINDS,
    comment_lines,
    header_comment,
    identifier,
    one_line,
    project_dir,
    relative_path,
    test_comment,
    tests_of_kind,
    unique,
)
from wimble.emit.suite_plan import PlannedCall, plan_test
from wimble.model.setup_kinds.answer import Answer
from wimble.model.suite import Suite, TestFileKind, VerifiedTest

CONFTEST = '''\
"""Gives the generated tests beside this file their SUT: see sut.py."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
{imports}


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "shares_start: the test runs on one start of the SUT with others of its file")
    config.addinivalue_line("markers", "starts_anew: the test runs on a start of the SUT on which nothing ran before")


def start_of(request: pytest.FixtureRequest) -> dict[str, bool]:
    is_shared, is_new = (request.node.get_closest_marker(name) for name in ("shares_start", "starts_anew"))
    return dict(is_shared=is_shared is not None, is_new=is_new is not None)


{running_database}@pytest.fixture(scope="session")
def running_sut({running_sut_parameters}) -> Iterator[Sut]:
{running_sut_docstring}    sut = Sut()
    yield sut
    sut.stop()


@pytest.fixture
def sut({sut_parameters}) -> Sut:
    """The SUT in its initial state."""
    running_sut.fresh({fresh_arguments})
    return running_sut
{database}{mocks}'''
MOCKS_FIXTURE = '''

@pytest.fixture(autouse=True)
def mocks(sut: Sut) -> Iterator[Mocks]:
    """The services that the SUT calls; fails a test that does not expect one of its requests."""
    yield sut.mocks
    if sut.mocks:
        sut.mocks.check()
'''
MOCKS_MARK = "@pytest.mark.skipif(IS_SKIPPED, reason=SKIPPED)"
WITHOUT_DATABASE = {
    "imports": "from sut import Sut",
    "running_database": "",
    "running_sut_parameters": "",
    "running_sut_docstring": "",
    "sut_parameters": "running_sut: Sut, request: pytest.FixtureRequest",
    "fresh_arguments": "request.path.name, **start_of(request)",
    "database": "",
}
WITH_DATABASE = {
    "imports": "from database import Database\nfrom sut import Sut",
    "running_database": """\
@pytest.fixture(scope="session")
def running_database() -> Iterator[Database]:
    database = Database()
    yield database
    database.close()


""",
    "running_sut_parameters": "running_database: Database",
    "running_sut_docstring": '    """Stopped before the database is left: it may write as it stops."""\n',
    "sut_parameters": "running_sut: Sut, running_database: Database, request: pytest.FixtureRequest",
    "fresh_arguments": "request.path.name, **start_of(request), when_stopped=running_database.leave",
    "database": '''

@pytest.fixture(autouse=True)
def database(sut: Sut, running_database: Database) -> Iterator[Database]:
    """The database of the SUT, which gets back what it held."""
    running_database.begin()
    yield running_database
    running_database.restore()
''',
}
"""The parts in which the fixtures of suites with and without a database differ."""
MAX_NAME_LENGTH = 100
SHARED_MARK = "pytest.mark.shares_start"
NEW_MARK = "pytest.mark.starts_anew"


class PytestEmitter:
    """`test_*.py` for pytest."""

    name = "pytest"
    suffix = ".py"

    def file_of(self, test: VerifiedTest) -> str:
        return f"test_{dict(KINDS)[test.file_kind]}.py"

    def run_command(self, folder: Path, typed_in: Path) -> str:
        return f"python -m pytest {shlex.quote(relative_path(folder, typed_in))}"

    def emit(self, suite: Suite, output_dir: Path) -> dict[str, str]:
        files = {**python_runtime(suite, output_dir), "conftest.py": _conftest(suite)}
        for kind, stem in KINDS:
            if tests := tests_of_kind(suite, kind):
                files[f"test_{stem}.py"] = self._file(suite, kind, tests, output_dir)
        return files

    def _file(self, suite: Suite, kind: TestFileKind, tests: Sequence[VerifiedTest], output_dir: Path) -> str:
        is_all_shared = all(test.shares_start for test in tests)
        functions = ["", "", f"pytestmark = {SHARED_MARK}"] if is_all_shared else []
        for name, test in zip(_function_names(tests), tests, strict=True):
            mark = [] if is_all_shared or not test.shares_start else [f"@{SHARED_MARK}"]
            if test.starts_anew:
                mark.append(f"@{NEW_MARK}")
            if test.test_case.setup_of(Answer):
                mark.append(MOCKS_MARK)
            functions += ["", "", *mark, *_test(name, test, suite)]
        code = "\n".join(functions)
        imports = [
            ("import json", "json.dumps("),
            ("from urllib.parse import quote", "quote("),
            ("import pytest", "pytest."),
        ]
        header = header_comment(
            suite, kind, "# ", version=__version__, run_command=self.run_command(output_dir, project_dir(suite))
        )
        lines = [*header, "from __future__ import annotations", ""]
        lines += [line for line, use in imports if use in code]
        helpers = {
            "NoAnswer": "NoAnswer",
            "Sut": "",
            "cookie": "cookie(",
            "field": "field(",
            "holds": "assert holds(",
            "jwt": 'jwt("',
            "last_segment": "last_segment(",
        }
        own = [name for name, use in helpers.items() if use in code]
        if "database: Database" in code:
            lines.append("from database import Database")
        if MOCKS_MARK in code:
            lines.append("from mocks import IS_SKIPPED, SKIPPED, Mocks")
        lines.append(f"from sut import {', '.join(own)}")
        return "\n".join(lines) + code + "\n"


def _conftest(suite: Suite) -> str:
    parts = WITH_DATABASE if suite.databases else WITHOUT_DATABASE
    if not has_mocks(suite):
        return CONFTEST.format(**parts, mocks="")
    imports = parts["imports"].replace("from sut", "from mocks import Mocks\nfrom sut")
    return CONFTEST.format(**{**parts, "imports": imports}, mocks=MOCKS_FIXTURE)


def _function_names(tests: Sequence[VerifiedTest]) -> list[str]:
    """Returns the names of the test functions: valid identifiers, unique and of limited length."""
    return unique("test_" + (identifier(test.name)[:MAX_NAME_LENGTH].strip("_").lower() or "case") for test in tests)


def _test(name: str, test: VerifiedTest, suite: Suite) -> list[str]:
    lines = [_docstring(test.name), *test_comment(test, suite, "# ")]
    plan = plan_test(test)
    names = [call.name.replace(" ", "_") for call in plan]
    rows = py_setup_lines(test, suite.databases)
    lines += rows
    for index, call in enumerate(plan):
        if index:
            lines.append("")
        lines += _call(call, names[index], names)
    is_mocked = bool(test.test_case.setup_of(Answer))
    has_rows = len(test.test_case.setup) > len(test.test_case.setup_of(Answer))
    fixtures = f"sut: Sut{', database: Database' if has_rows else ''}{', mocks: Mocks' if is_mocked else ''}"
    return [f"def {name}({fixtures}) -> None:", *("    " + line if line else "" for line in lines)]


def _docstring(text: str) -> str:
    plain = one_line(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"""{plain}"""'


def _call(call: PlannedCall, name: str, names: Sequence[str]) -> list[str]:
    lines = []
    if call.no_answer is not None:
        lines += comment_lines(call.no_answer.comment, "# ")
        lines.append("with pytest.raises(NoAnswer) as broken:")
        lines.append("    " + _request(call, names, indent="        ", timeout_s=call.no_answer.timeout_s))
        lines.append(f"assert broken.value.failure == {py_string(call.no_answer.failure)}")
    else:
        binding = f"{name} = " if call.is_response_used else ""
        lines.append(binding + _request(call, names, indent="    ", column=len(binding)))
        if call.status is not None:
            lines.append(f"assert {name}.status == {call.status}")
        if not _is_brotli(call):
            lines += [_assertion(item, name) for item in call.assertions]
    if call.is_sut_gone_after:
        lines.append('assert sut.is_gone(), "the SUT was expected to die"')
    return lines


def _is_brotli(call: PlannedCall) -> bool:
    """Returns whether the body is compressed with brotli, which the standard library cannot decode."""
    codings = call.response.header("content-encoding") if call.response is not None else None
    return "br" in [name.strip().lower() for name in (codings or "").split(",")]


def _request(
    call: PlannedCall, names: Sequence[str], *, indent: str, column: int = 0, timeout_s: int | None = None
) -> str:
    """Returns an expression such as `sut.request("POST", "/books", json={...})`."""
    request = call.request
    arguments = [py_string(request.method), py_text(request.target, names, encode=True)]
    json_body = request.json_value()
    headers = request.shown_headers(with_json_type=json_body is None)
    if headers:
        pairs = [(name, py_text(value, names, encode=name.lower() == "cookie")) for name, value in headers]
        arguments.append("headers=" + _headers(pairs, indent))
    if json_body is not None:
        marks = {mark: py_reference(reference, names) for mark, reference in request.sentinels.items()}
        arguments.append("json=" + py_value(json_body, indent + "    ", column=5, marks=marks))
    elif request.body is not None:
        arguments.append("body=" + py_body(request, names))
    if request.user:
        arguments.append(f"user={py_string(request.user)}")
    if call.is_body_left:
        arguments.append("only_head=True")
    if timeout_s is not None:
        arguments.append(f"timeout_s={timeout_s}")
    flat = f"sut.request({', '.join(arguments)})"
    if "\n" not in flat and len(flat) + len(indent) + column <= 110:
        return flat
    return "sut.request(\n" + "".join(f"{indent}    {item},\n" for item in arguments) + indent + ")"


def _headers(pairs: Sequence[tuple[str, str]], indent: str) -> str:
    """Returns a dict literal, or a list of pairs if a name occurs twice."""
    if len({name.lower() for name, _ in pairs}) == len(pairs):
        entries, start, end = [f"{py_string(name)}: {value}" for name, value in pairs], "{", "}"
    else:
        entries, start, end = [f"({py_string(name)}, {value})" for name, value in pairs], "[", "]"
    flat = start + ", ".join(entries) + end
    if len(flat) + len(indent) <= 90:
        return flat
    return start + "\n" + "".join(f"{indent}        {entry},\n" for entry in entries) + indent + "    " + end


def _assertion(item: Assertion, name: str) -> str:
    if isinstance(item, WholeBody):
        return _equality(f"{name}.json", item.value)
    if item.kind == "text":
        return f"assert {name}.text == {py_string(item.value)}"
    access = py_access(f"{name}.json", item.pointer)
    if item.kind == "length":
        return f"assert len({access}) == {item.value}"
    if item.kind == "holds":
        return f"assert holds({access}, {py_value(item.value, '    ', column=len(access) + 20)})"
    return _equality(access, item.value)


def _equality(access: str, value: object) -> str:
    # None, True and False are compared with `is`, since 1 == True and 0 == False in Python.
    operator = "is" if value is None or isinstance(value, bool) else "=="
    return f"assert {access} {operator} {py_value(value, '    ', column=len(access) + 11)}"
