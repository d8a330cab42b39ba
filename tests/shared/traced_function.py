"""Runs JavaScript functions with tracing in a process of Node, and explores them with the solver."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path as FilePath
from types import TracebackType
from typing import Any

import msgspec

from wimble.solve.condition_names import ConditionNames
from wimble.solve.ladder import flipped
from wimble.solve.path_conditions import Path

_AGENT = FilePath(__file__).parents[2] / "agents" / "node" / "src"
_HOST = """
const { trace } = require(BASE + '/instrument/tracing/trace.cjs');
const { TraceHandle } = require(BASE + '/concolic/trace-handle.cjs');
const { pathOf } = require(BASE + '/concolic/path-message.cjs');
const handle = new TraceHandle();
let call;
require('node:readline').createInterface({ input: process.stdin }).on('line', async (line) => {
  const { source, args } = JSON.parse(line);
  if (source !== undefined) {
    const code = trace(`module.exports = ${source}`, { path: '/function.js', isModule: false });
    const module = { exports: null };
    require('node:vm').compileFunction(code, ['module', '__wimble_open__'])(module, () => handle);
    call = module.exports;
    return;
  }
  handle.begin([]);
  const shadows = args.map((value, index) => handle.nodes.input(`/${index}`, value));
  let result;
  try {
    result = await handle.invoke(call, undefined, 0, args, shadows);
  } catch (error) {
    result = `throws ${error.message}`;
  }
  console.log(JSON.stringify({ result: result ?? null, path: pathOf(handle) }));
});
"""
_FLIPS_PER_OUTCOME = 4


def assert_opens(source: str, args: Sequence[Any]) -> None:
    """Asserts that a function does not return `hit` for the arguments, and does for others that are found from them."""
    with TracedFunction(source) as function:
        assert function.run(args)[0] != "hit"
        assert function.explore(args, "hit") is not None


class TracedFunction:
    """A function, traced, in a process of its own."""

    def __init__(self, source: str) -> None:
        host = _HOST.replace("BASE", json.dumps(str(_AGENT)))
        self._process = subprocess.Popen(["node", "-e", host], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._send({"source": source})

    def __enter__(self) -> TracedFunction:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def run(self, args: Sequence[Any]) -> tuple[Any, Path]:
        """Returns the result, and the path."""
        self._send({"args": args})
        assert self._process.stdout is not None
        answer = json.loads(self._process.stdout.readline())
        return answer["result"], msgspec.convert(answer["path"], Path)

    def explore(self, args: Sequence[Any], wanted: Any, max_runs: int = 60) -> list[Any] | None:
        """Returns arguments with which the function returns `wanted`, found by flipping conditions.

        What should lead to outcomes that were never there is run first, and of that, what was found last.
        """
        new_calls, other_calls = [list(args)], list[list[Any]]()
        names, known = ConditionNames(), {repr(list(args))}
        seen, flips = set[tuple[tuple[str, int], bool]](), Counter[tuple[tuple[str, int], bool]]()
        for _ in range(max_runs):
            if not new_calls and not other_calls:
                break
            now = new_calls.pop() if new_calls else other_calls.pop(0)
            result, path = self.run(now)
            if result == wanted:
                return now
            named = [(name, entry.is_taken) for name, entry in zip(names.of(path), path.entries, strict=True)]
            seen |= set(named)
            for number, (name, is_taken) in enumerate(named):
                outcome = (name, not is_taken)
                if flips[outcome] >= _FLIPS_PER_OUTCOME:
                    continue
                flips[outcome] += 1
                found = [*now]
                for place, value in (flipped(path, number).values or {}).items():
                    found[int(place[1:])] = value
                if repr(found) not in known:
                    known.add(repr(found))
                    (other_calls if outcome in seen else new_calls).append(found)
        return None
