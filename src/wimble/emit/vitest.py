"""Vitest suites, which need no packages but Vitest. All calls are made with `sut.request`."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from wimble import __version__
from wimble.emit.expectations import expected_call
from wimble.emit.javascript_suite import JavaScriptEmitter, suite_file, test_lines
from wimble.emit.jest import SAYS_SKIPPED
from wimble.emit.mock_files import has_mocks
from wimble.emit.source_text import comment_lines, header_comment, project_dir, relative_path
from wimble.emit.suite_plan import plan_test
from wimble.model.suite import Suite, TestFileKind, VerifiedTest

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


class VitestEmitter(JavaScriptEmitter):
    """`*.vitest.mjs` for Vitest."""

    name = "vitest"
    suffix = ".vitest.mjs"
    config: Mapping[str, str] = {"vitest.config.mjs": CONFIG}

    def run_command(self, folder: Path, typed_in: Path) -> str:
        return f"npx vitest run --config {shlex.quote(relative_path(folder, typed_in) + '/vitest.config.mjs')}"

    def _file(self, suite: Suite, kind: TestFileKind, tests: Sequence[VerifiedTest], output_dir: Path) -> str:
        command = self.run_command(output_dir, project_dir(suite))
        hooks = "afterAll, afterEach, beforeEach" if suite.databases or has_mocks(suite) else "afterAll, beforeEach"
        database = "const database = createRequire(import.meta.url)('./database.cjs');"
        mocks = "const mocks = createRequire(import.meta.url)('./mocks.cjs');"
        head = [
            *header_comment(suite, kind, "// ", version=__version__, run_command=command),
            *comment_lines("Needs the package vitest: npm install --save-dev vitest", "// "),
            "import { createRequire } from 'node:module';",
            "",
            f"import {{ {hooks}, describe, expect, test }} from 'vitest';",
            "",
            "const sut = createRequire(import.meta.url)('./sut.cjs'); // as it is, not transformed",
            *([database] if suite.databases else []),
            *([mocks, SAYS_SKIPPED] if has_mocks(suite) else []),
            "",
        ]
        skips = "{ skip: Boolean(mocks.skip) }"
        written = ((test, test_lines(test, suite, plan_test(test), expected_call, skips=skips)) for test in tests)
        return suite_file(head, suite, kind, written, after_all="afterAll")
