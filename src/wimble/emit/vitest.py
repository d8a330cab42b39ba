"""Vitest suites. All calls go through `sut.request`, so no package but Vitest itself is needed."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from wimble import __version__
from wimble.emit.database import hook_lines, setup_lines
from wimble.emit.expectations import expect_no_answer, expectation
from wimble.emit.javascript import JsResponse, js_string
from wimble.emit.node_test import request_expression, variable_names
from wimble.emit.plan import PlannedCall, plan_test
from wimble.emit.runtime_files import node_runtime
from wimble.emit.text import (
    KINDS,
    comment_lines,
    header_comment,
    project_dir,
    relative_path,
    test_comment,
    tests_of_kind,
)
from wimble.model.suite import Suite, TestKind, VerifiedTest

CONFIG = """\
// For the generated tests beside this file: plain Node, one file at a time, time to start the SUT.
export default {
  root: import.meta.dirname,
  test: {
    environment: 'node',
    include: ['*.vitest.mjs'],
    fileParallelism: false,
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
};
"""


class VitestEmitter:
    """`*.vitest.mjs` for Vitest."""

    name = "vitest"
    suffix = ".vitest.mjs"

    def file_of(self, test: VerifiedTest) -> str:
        return f"{dict(KINDS)[test.kind]}.vitest.mjs"

    def run_command(self, folder: Path, typed_in: Path) -> str:
        return f"npx vitest run --config {shlex.quote(relative_path(folder, typed_in) + '/vitest.config.mjs')}"

    def emit(self, suite: Suite, output_dir: Path) -> dict[str, str]:
        files = {**node_runtime(suite, output_dir), "vitest.config.mjs": CONFIG}
        for kind, stem in KINDS:
            if tests := tests_of_kind(suite, kind):
                files[f"{stem}.vitest.mjs"] = self._file(suite, kind, tests, output_dir)
        return files

    def _file(self, suite: Suite, kind: TestKind, tests: Sequence[VerifiedTest], output_dir: Path) -> str:
        command = self.run_command(output_dir, project_dir(suite))
        hooks = "afterAll, beforeEach" if suite.database is None else "afterAll, afterEach, beforeEach"
        lines = [
            *header_comment(suite, kind, "// ", version=__version__, run_command=command),
            *comment_lines("Needs the package vitest: npm install --save-dev vitest", "// "),
            "import { createRequire } from 'node:module';",
            "",
            f"import {{ {hooks}, describe, expect, test }} from 'vitest';",
            "",
            "const sut = createRequire(import.meta.url)('./sut.cjs'); // as it is, not transformed",
            *(
                ["const database = createRequire(import.meta.url)('./database.cjs');"]
                if suite.database is not None
                else []
            ),
            "",
            f"describe({js_string(dict(KINDS)[kind])}, () => {{",
            *hook_lines(suite, "afterAll"),
        ]
        for test in tests:
            lines += ["", *_test(test, suite)]
        return "\n".join([*lines, "});", ""])


def _test(test: VerifiedTest, suite: Suite) -> list[str]:
    lines = test_comment(test, suite, "// ")
    plan = plan_test(test)
    responses = [JsResponse(name, f"{name}.json") for name in variable_names(plan)]
    lines += setup_lines(test)
    for index, call in enumerate(plan):
        if index and lines:
            lines.append("")
        lines += _call(call, responses[index], responses)
    body = ["    " + line if line else "" for line in lines]
    return [f"  test({js_string(test.name)}, async () => {{", *body, "  });"]


def _call(call: PlannedCall, response: JsResponse, responses: Sequence[JsResponse]) -> list[str]:
    lines = []
    if call.failure is not None:
        lines += expect_no_answer(call, responses)
    else:
        binding = f"const {response.name} = " if call.is_response_used else ""
        lines.append(f"{binding}await {request_expression(call, responses, column=len(binding) + 10)};")
        if call.status is not None:
            lines.append(f"expect({response.name}.status).toBe({call.status});")
        lines += [expectation(item, response) for item in call.assertions]
    if call.is_sut_gone_after:
        lines.append("expect(await sut.isGone()).toBe(true);")
    return lines
