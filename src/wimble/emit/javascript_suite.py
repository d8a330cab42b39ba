"""The common parts of suites for JavaScript runners.

Each kind of test has a file with a `describe` around its tests, and each test is a function.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from wimble.emit.database_setup import hook_lines
from wimble.emit.javascript import JsResponse, js_string
from wimble.emit.runtime_files import node_runtime
from wimble.emit.setup_calls import js_setup_lines
from wimble.emit.source_text import KINDS, test_comment, tests_of_kind
from wimble.emit.suite_plan import PlannedCall
from wimble.model.setup_kinds.answer import Answer
from wimble.model.suite import Suite, TestFileKind, VerifiedTest

CallLines = Callable[[PlannedCall, JsResponse, Sequence[JsResponse]], list[str]]
"""Returns the source lines of one call, given its response and the responses of all calls of the test."""


class _Start(NamedTuple):
    """How tests start the SUT."""

    option: str
    """Of `sut.fresh`."""
    told: str
    """In a title: what the tests do."""


_FRESH: Final = _Start("", "")
_SHARED: Final = _Start("isShared: true", "that share a start")
_NEW: Final = _Start("isNew: true", "that need a new start")


TEST_TIMEOUT_MS: Final = "90_000"
"""The time limit of a test in the texts of runners; those of a SUT that starts slowly have another one."""
BESIDE_START_MS: Final = 30_000
"""The part of it that is not for starting the SUT."""


def test_timeout_ms(suite: Suite) -> str:
    """Returns the time limit of a test, which may start the SUT."""
    return f"{round(suite.start.start_timeout_s * 1000) + BESIDE_START_MS:_}"


class JavaScriptEmitter:
    """The base class of emitters for JavaScript; a subclass implements `_file`, the text of a test file."""

    suffix: str
    config: Mapping[str, str] = {}
    """Name -> text of the runner's configuration files, which are written beside the tests."""

    def file_of(self, test: VerifiedTest) -> str:
        return dict(KINDS)[test.file_kind] + self.suffix

    def emit(self, suite: Suite, output_dir: Path) -> dict[str, str]:
        config = {name: text.replace(TEST_TIMEOUT_MS, test_timeout_ms(suite)) for name, text in self.config.items()}
        files = {**node_runtime(suite, output_dir), **config}
        for kind, stem in KINDS:
            if tests := tests_of_kind(suite, kind):
                files[stem + self.suffix] = self._file(suite, kind, tests, output_dir)
        return files

    @abstractmethod
    def _file(self, suite: Suite, kind: TestFileKind, tests: Sequence[VerifiedTest], output_dir: Path) -> str: ...


def suite_file(
    head: Sequence[str],
    suite: Suite,
    kind: TestFileKind,
    written: Iterable[tuple[VerifiedTest, list[str]]],
    *,
    after_all: str,
) -> str:
    """Returns the text of a test file.

    head: the lines before the tests. written: the tests, each with its lines. after_all: the runner's name of the hook
    that runs after all tests.
    """
    title = dict(KINDS)[kind]
    lines = [*head]
    groups = [(start, list(group)) for start, group in groupby(written, key=lambda pair: _start_of(pair[0]))]
    for start, group in groups:
        own_title = f"{title} {start.told}".strip() if len(groups) > 1 else title
        lines += [f"describe({js_string(own_title)}, () => {{", *hook_lines(suite, after_all, start=start.option)]
        for _, test in group:
            lines += ["", *test]
        lines += ["});", ""]
    return "\n".join(lines)


def _start_of(test: VerifiedTest) -> _Start:
    return _SHARED if test.shares_start else _NEW if test.starts_anew else _FRESH


def test_lines(
    test: VerifiedTest,
    suite: Suite,
    plan: Sequence[PlannedCall],
    call_lines: CallLines,
    json_of: Callable[[PlannedCall], str] = lambda call: "json",
    *,
    skips: str = "",
) -> list[str]:
    """Returns the lines of one test. json_of: returns the property of a call's response that holds its JSON body.

    skips: the runner's option that skips a test with mocks if there are none; empty: another function does it.
    """
    lines = test_comment(test, suite, "// ")
    names = variable_names(plan)
    responses = [JsResponse(name, f"{name}.{json_of(call)}") for name, call in zip(names, plan, strict=True)]
    lines += js_setup_lines(test, suite.databases)
    for index, call in enumerate(plan):
        if index and lines:
            lines.append("")
        lines += call_lines(call, responses[index], responses)
    body = ["    " + line if line else "" for line in lines]
    start = f"  test({js_string(test.name)}, "
    if test.test_case.setup_of(Answer):
        start = f"{start}{skips}, " if skips else f"  mocked({js_string(test.name)}, "
    return [f"{start}async () => {{", *body, "  });"]


def variable_names(planned: Sequence[PlannedCall]) -> list[str]:
    """Returns the names of the responses' variables, in camelCase."""
    names = []
    for call in planned:
        first, *rest = call.name.split()
        names.append(first + "".join(word[0].upper() + word[1:] for word in rest))
    return names
