"""Writes tests of calls that end or block the process: each makes its calls in a process of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from wimble.emit.library_assertions import Notation
from wimble.library.argument_literals import call_parts, text_literal
from wimble.library.function_binding import FunctionBinding
from wimble.library.invocation import exchange_of_function
from wimble.model.evaluation import Finding
from wimble.model.suite import VerifiedCall, VerifiedTest
from wimble.oracles.failures.crashes import DIED, UNHANDLED
from wimble.oracles.libraries.library_faults import HANGS

ENDING: Final = frozenset({DIED, UNHANDLED, HANGS})
"""The faults that no test runner survives in its own process."""

TIMEOUT_MS: Final = 3000
"""What has not returned by then hangs: the run has waited for it, too. Runners give a test 5 s."""
LATE_MS: Final = 300
"""Time after the calls in which the process may still end; runs wait for half of that."""
WENT_ON: Final = "went on"

_MESSAGE: Final = re.compile(r"\w*(?:Error|Exception): (\S[^\n]{0,150})")
"""What Node prints of an error that nothing handles, whatever the error's class is called later."""


def process_imports(*, is_module: bool) -> str:
    """Returns the statement that the tests need beside those of their runner."""
    if is_module:
        return "import { spawnSync } from 'child_process';"
    return "const { spawnSync } = require('child_process');"


def process_helper(loading: str, *, is_module: bool, of_module: bool) -> str:
    """Returns the function that makes calls in another process.

    loading: the statement that loads the library there. is_module: whether the tests are in an ES module. of_module:
    whether that process runs one.
    """
    flags = "'--input-type=module', " if of_module else ""
    folder = "new URL('.', import.meta.url)" if is_module else "__dirname"
    return f"""const loading = {text_literal(loading)};
const ending = "setTimeout(() => (console.log('{WENT_ON}'), process.exit()), {LATE_MS})";

/** Makes calls in a process of their own. It prints "{WENT_ON}" if it is still there after them. */
function inProcess(calls) {{
  const options = {{ cwd: {folder}, encoding: 'utf8', timeout: {TIMEOUT_MS} }};
  const program = `${{loading}} (${{calls}})().then(() => ${{ending}});`;
  return spawnSync(process.execPath, [{flags}'-e', program], options);
}}
"""


def process_test_lines(
    test: VerifiedTest, bindings: Sequence[FunctionBinding], root: str, notation: Notation
) -> Iterator[str]:
    """Yields the lines of a test."""
    yield f"test({text_literal(test.name)}, () => {{"
    yield "  const ended = inProcess(async () => {"
    for binding, call in zip(bindings, test.calls, strict=True):
        yield from (f"    {line}" for line in _statements(binding, call, root))
    yield "  });"
    yield from (f"  {line}" for line in _checks(next(one for one in test.findings if one.oracle in ENDING), notation))
    yield "});"


def _statements(binding: FunctionBinding, call: VerifiedCall, root: str) -> list[str]:
    exchange = exchange_of_function(call.observation)
    before, text = call_parts(binding, exchange.invocation, root)
    if exchange.is_iterated:
        text = f"for await (const one of {text}) void one" if exchange.is_awaited else f"[...{text}]"
    elif exchange.ends_in_promise:
        text = f"await {text}"
    made = [*(f"{one};" for one in before), f"{text};"]
    if exchange.thrown is None:
        return made
    return ["try {", *(f"  {line}" for line in made), "} catch {", "  // as expected", "}"]


def _checks(finding: Finding, notation: Notation) -> list[str]:
    if finding.oracle == HANGS:
        return [notation.equal("ended.error && ended.error.code", "'ETIMEDOUT'")]
    lines = [notation.equal(f"ended.stdout.includes('{WENT_ON}')", "false")]
    message = _MESSAGE.match(finding.cause.message)
    if message is not None:
        lines.append(notation.equal(f"ended.stderr.includes({text_literal(message[1])})", "true"))
    return lines
