"""Suites for node:test, which need no packages."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from wimble import __version__
from wimble.emit.javascript import (
    JsResponse,
    js_access,
    js_body,
    js_json_body,
    js_reference,
    js_string,
    js_text,
    js_value,
)
from wimble.emit.javascript_suite import JavaScriptEmitter, suite_file, test_lines
from wimble.emit.mock_files import has_mocks
from wimble.emit.response_checks import Assertion, WholeBody
from wimble.emit.source_text import (
    comment_lines,
    header_comment,
    project_dir,
    relative_path,
)
from wimble.emit.suite_plan import PlannedCall, plan_test
from wimble.model.suite import Suite, TestFileKind, VerifiedTest


class NodeTestEmitter(JavaScriptEmitter):
    """`*.test.mjs` for `node --test`."""

    name = "node-test"
    suffix = ".test.mjs"

    def run_command(self, folder: Path, typed_in: Path) -> str:
        return f"node --test {shlex.quote(relative_path(folder, typed_in))}/*.test.mjs"

    def _file(self, suite: Suite, kind: TestFileKind, tests: Sequence[VerifiedTest], output_dir: Path) -> str:
        command = self.run_command(output_dir, project_dir(suite))
        hooks = "after, afterEach, beforeEach" if suite.databases or has_mocks(suite) else "after, beforeEach"
        head = [
            *header_comment(suite, kind, "// ", version=__version__, run_command=command),
            "import assert from 'node:assert/strict';",
            f"import {{ {hooks}, describe, test }} from 'node:test';",
            "",
            *(["import database from './database.cjs';"] if suite.databases else []),
            *(["import mocks from './mocks.cjs';"] if has_mocks(suite) else []),
            "import sut from './sut.cjs';",
            "",
        ]
        skips = "{ skip: mocks.skip }"
        written = ((test, test_lines(test, suite, plan_test(test), _call, skips=skips)) for test in tests)
        return suite_file(head, suite, kind, written, after_all="after")


def _call(call: PlannedCall, response: JsResponse, responses: Sequence[JsResponse]) -> list[str]:
    name = response.name
    lines = []
    if call.no_answer is not None:
        lines += unanswered_call(call, responses)
    else:
        binding = f"const {name} = " if call.is_response_used else ""
        lines.append(f"{binding}await {request_expression(call, responses, column=len(binding) + 10)};")
        if call.status is not None:
            lines.append(f"assert.equal({name}.status, {call.status});")
        lines += [_assertion(item, name) for item in call.assertions]
    if call.is_sut_gone_after:
        lines.append("assert.equal(await sut.isGone(), true, 'the SUT was expected to die');")
    return lines


def unanswered_call(call: PlannedCall, responses: Sequence[JsResponse]) -> list[str]:
    """Returns the source lines of a call that is never answered, with node:assert."""
    comment, request, failure = unanswered(call, responses)
    return [*comment, f"await assert.rejects({request}, {failure});"]


def unanswered(call: PlannedCall, responses: Sequence[JsResponse]) -> tuple[list[str], str, str]:
    """Returns the source of a call that is never answered: comment, request, and an object that its error matches."""
    end = call.no_answer
    assert end is not None
    timeout_ms = None if end.timeout_s is None else end.timeout_s * 1000
    request = request_expression(call, responses, column=24, timeout_ms=timeout_ms)
    return comment_lines(end.comment, "// "), request, f"{{ failure: {js_string(end.failure)} }}"


def request_expression(
    call: PlannedCall, responses: Sequence[JsResponse], *, column: int, timeout_ms: int | None = None
) -> str:
    """Returns an expression such as `sut.request('POST', '/books', { json: {...} })`."""
    request = call.request
    start = f"sut.request({js_string(request.method)}, {js_text(request.target, responses, encode=True)}"
    options = _options(call, responses, timeout_ms)
    if not options:
        return start + ")"
    flat = ", ".join(f"{key}: {text}" for key, text in options)
    if "\n" not in flat and len(start) + len(flat) + column <= 100:
        return f"{start}, {{ {flat} }})"
    return start + ", {\n" + "".join(f"      {key}: {text},\n" for key, text in options) + "    })"


def _options(call: PlannedCall, responses: Sequence[JsResponse], timeout_ms: int | None) -> list[tuple[str, str]]:
    request = call.request
    options = []
    json_body = js_json_body(request)
    headers = request.shown_headers(with_json_type=json_body is None)
    if headers:
        pairs = [(name, js_text(value, responses, encode=name.lower() == "cookie")) for name, value in headers]
        options.append(("headers", _headers(pairs)))
    if json_body is not None:
        marks = {mark: js_reference(reference, responses) for mark, reference in request.sentinels.items()}
        options.append(("json", js_value(json_body, "      ", column=6, marks=marks)))
    elif request.body is not None:
        options.append(("body", js_body(request, responses)))
    if request.user:
        options.append(("user", js_string(request.user)))
    if call.is_body_left:
        options.append(("onlyHead", "true"))
    if timeout_ms is not None:
        options.append(("timeoutMs", str(timeout_ms)))
    return options


def _headers(pairs: Sequence[tuple[str, str]]) -> str:
    """Returns an object literal, or a list of pairs if a name occurs twice."""
    if len({name.lower() for name, _ in pairs}) == len(pairs):
        entries = [f"{_header_key(name)}: {value}" for name, value in pairs]
        start, end = "{ ", " }"
    else:
        entries = [f"[{js_string(name)}, {value}]" for name, value in pairs]
        start, end = "[", "]"
    flat = start + ", ".join(entries) + end
    if len(flat) <= 84:
        return flat
    return start.strip() + "\n" + "".join(f"        {entry},\n" for entry in entries) + "      " + end.strip()


def _header_key(name: str) -> str:
    return name if name.isidentifier() and name.isascii() and name != "__proto__" else js_string(name)


def _assertion(item: Assertion, name: str) -> str:
    if isinstance(item, WholeBody):
        return f"assert.deepEqual({name}.json, {js_value(item.value, '    ', column=24 + len(name))});"
    if item.kind == "text":
        return f"assert.equal({name}.text, {js_string(item.value)});"
    access = js_access(f"{name}.json", item.pointer)
    if item.kind == "length":
        return f"assert.equal({access}.length, {item.value});"
    if item.kind == "holds":
        return f"assert.ok(sut.holds({access}, {js_value(item.value, '    ', column=30 + len(access))}));"
    method = "deepEqual" if isinstance(item.value, dict | list) else "equal"
    return f"assert.{method}({access}, {js_value(item.value)});"
