"""Jest suites with SuperAgent ([WB-JS] §3.1), for Jest 24 to 30.

Requests that SuperAgent would change are made with `sut.request`, and all requests if the project cannot load it.

Jest 24 accepts no configuration in a file `.cjs`, Jest before 28 finds no tests in such files unless their ending is
named, and Jest before 27 cannot resolve modules such as `node:fs`: helpers load them without the prefix.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from wimble import __version__
from wimble.emit.expectations import expected_call
from wimble.emit.javascript import (
    JsResponse,
    js_body,
    js_json_body,
    js_reference,
    js_string,
    js_text,
    js_value,
)
from wimble.emit.javascript_suite import TEST_TIMEOUT_MS, JavaScriptEmitter, suite_file, test_lines, test_timeout_ms
from wimble.emit.mock_files import has_mocks
from wimble.emit.response_checks import Assertion
from wimble.emit.source_text import (
    comment_lines,
    header_comment,
    project_dir,
    relative_path,
)
from wimble.emit.suite_plan import PlannedCall, plan_test
from wimble.http.http_messages import HttpResponse
from wimble.model.suite import BodyCheck, Suite, TestFileKind, VerifiedTest
from wimble.types import ABSENT

CONFIG = """\
{
  "testEnvironment": "node",
  "moduleFileExtensions": ["js", "cjs", "json", "node"],
  "testMatch": ["**/*.test.cjs"],
  "transform": {},
  "maxWorkers": 1
}
"""
"""JSON, which all versions read. Patterns without the folder's path, which may contain what they take for a pattern."""
TIMEOUT = "jest.setTimeout(90_000); // time to start the SUT"
"""Versions before 24.9 do not know it as a part of the configuration."""
# Targets that URL parsers do not change: without empty segments, and without characters that they would encode.
_PLAIN_TARGET = re.compile(r"/(?!/)(?:[A-Za-z0-9\-._~%!$&()*+,;=:@]+/?)*(?:\?[A-Za-z0-9\-._~%!$&()*+,;=:@/?]+)?\Z")
_DOT_SEGMENT = re.compile(r"(?i)/(?:\.|%2e){1,2}(?:[/?]|\Z)")
SAYS_SKIPPED = "if (mocks.skip) console.warn(`tests with mocks are ${mocks.skip}`);"
"""The runners show no reason of a test that is skipped."""
HTTP_CLIENT = "superagent"
_SUPERAGENT_METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class JestEmitter(JavaScriptEmitter):
    """`*.test.cjs` for Jest."""

    name = "jest"
    suffix = ".test.cjs"
    config: Mapping[str, str] = {"jest.config.json": CONFIG}

    def run_command(self, folder: Path, typed_in: Path) -> str:
        return f"npx jest --config {shlex.quote(relative_path(folder, typed_in) + '/jest.config.json')}"

    def _file(self, suite: Suite, kind: TestFileKind, tests: Sequence[VerifiedTest], output_dir: Path) -> str:
        plans = [plan_test(test) for test in tests]
        has_client = HTTP_CLIENT in suite.packages
        uses_superagent = has_client and any(is_for_superagent(call) for plan in plans for call in plan)
        needed = f"packages jest and {HTTP_CLIENT}" if uses_superagent else "package jest"
        install = f"npm install --save-dev jest{' ' + HTTP_CLIENT if uses_superagent else ''}"
        lines = [
            *header_comment(
                suite, kind, "// ", version=__version__, run_command=self.run_command(output_dir, project_dir(suite))
            ),
            *comment_lines(f"Needs the {needed}: {install}", "// "),
            "'use strict';",
        ]
        if uses_superagent:
            lines.append("const superagent = require('superagent');")
        if suite.databases:
            lines.append("const database = require('./database.cjs');")
        if has_mocks(suite):
            lines.append("const mocks = require('./mocks.cjs');")
        timeout = TIMEOUT.replace(TEST_TIMEOUT_MS, test_timeout_ms(suite))
        lines += ["const sut = require('./sut.cjs');", "", timeout, ""]
        if has_mocks(suite):
            lines += ["const mocked = mocks.skip ? test.skip : test;", SAYS_SKIPPED, ""]
        if uses_superagent:
            lines += [
                "/** A request to the SUT; every status is an answer, and no redirect is followed. */",
                "const api = (method, target) =>",
                (
                    "  superagent(method, sut.url + target).use(sut.track).set('Accept', '*/*').redirects(0).ok(() "
                    "=> true);"
                ),
                "",
            ]
        call_lines = (_call, _json_property) if has_client else (expected_call,)
        written = ((test, test_lines(test, suite, plan, *call_lines)) for test, plan in zip(tests, plans, strict=True))
        return suite_file(lines, suite, kind, written, after_all="afterAll")


def is_for_superagent(call: PlannedCall) -> bool:
    """Returns whether SuperAgent changes neither this request nor its answer."""
    request = call.request
    target = "".join(part if isinstance(part, str) else "x" for part in request.target)
    names = [name.lower() for name, _ in request.headers]
    return (
        call.no_answer is None
        and not call.is_body_left
        and request.method in _SUPERAGENT_METHODS
        and _PLAIN_TARGET.match(target) is not None
        and not _DOT_SEGMENT.search(target)
        and len(set(names)) == len(names)
        and all(str(part).isascii() for _, value in request.headers for part in value)
        and not isinstance(request.body, bytes)
        and (request.body is None or "content-type" in names)
        and "__proto__" not in (request.body_text or "")  # SuperAgent copies bodies key by key
        and (call.response is None or _is_plain_answer(call.response, call.assertions))
    )


def _is_plain_answer(response: HttpResponse, assertions: Sequence[Assertion]) -> bool:
    """Returns whether SuperAgent's `body` and `text` contain the values that the assertions compare."""
    if response.header("content-encoding"):
        return False
    is_json = bool(re.search(r"[/+]json\Z", response.media_type))
    if is_json and response.body and response.json() is ABSENT:
        return False  # SuperAgent throws if a body is not valid JSON
    for item in assertions:
        wants_text = isinstance(item, BodyCheck) and item.kind == "text"
        if wants_text and not response.media_type.startswith("text/"):
            return False
        # SuperAgent's body is {} if the JSON is null or empty.
        if not wants_text and not (is_json and response.json() is not None):
            return False
    return True


def _json_property(call: PlannedCall) -> str:
    """Returns the property of the call's response that holds the JSON body, `body` for SuperAgent."""
    return "body" if is_for_superagent(call) else "json"


def _call(call: PlannedCall, response: JsResponse, responses: Sequence[JsResponse]) -> list[str]:
    request = _superagent(call, responses) if is_for_superagent(call) else None
    return expected_call(call, response, responses, request)


def _superagent(call: PlannedCall, responses: Sequence[JsResponse]) -> str:
    """Returns an expression such as `api('POST', '/books').set('X-Trace', '1').send({ title: 'a' })`."""
    request = call.request
    json_body = js_json_body(request)
    parts = []
    for name, value in request.shown_headers(with_json_type=json_body is None):
        text = js_text(value, responses, encode=name.lower() == "cookie")
        parts.append(f".set({js_string(name)}, {text})")
    if json_body is not None:
        marks = {mark: js_reference(reference, responses) for mark, reference in request.sentinels.items()}
        parts.append(f".send({js_value(json_body, '      ', column=6, marks=marks)})")
    elif request.body is not None:
        parts.append(f".send({js_body(request, responses)})")
    if request.user:
        parts.append(f".use(sut.as({js_string(request.user)}))")
    start = f"api({js_string(request.method)}, {js_text(request.target, responses, encode=True)})"
    flat = start + "".join(parts)
    if "\n" not in flat and len(flat) <= 80:
        return flat
    return start + "".join(f"\n      {part}" for part in parts)
