"""Finds the line to which an error is attributed: that of the caller if the function that raised it does nothing else.

`function fail(what) { throw new Error(what); }` is called from many places; the mistake is at the place of the call.
"""

from __future__ import annotations

import html
import linecache
import re
from collections.abc import Mapping
from typing import Final

import msgspec

from wimble.execute.runner import Run
from wimble.http.exchange import HttpExchange, response_of
from wimble.model.observation import Cause, Observation
from wimble.model.structure import FileStructure, FunctionBody
from wimble.model.targets import TargetTable
from wimble.runtimes.runtime import Frame, StackFormat

SERVER_ERROR: Final = 500
MAX_TOLD_BYTES: Final = 20_000
_LINE_END = re.compile(r'\\n|"|</?\w+ ?/?>')
"""Ends of lines in JSON and in HTML."""
MAX_HOPS: Final = 3
"""Maximum number of such functions that call one another."""


class FaultLocator:
    """Skips functions that only raise errors, and caches which functions do so."""

    def __init__(self, table: TargetTable) -> None:
        self._table = table
        self._only_raise: dict[Frame, bool] = {}

    def settled(self, cause: Cause, structures: Mapping[str, FileStructure], stacks: StackFormat) -> Cause:
        """Returns the cause with the place of the first frame whose function does more than raise an error.

        If no frame is at the cause's place, the place at which a package has made the error is noted beside it.
        """
        if not cause.stack:
            return cause
        if not cause.is_place_thrown:
            return _thrown(cause, stacks)
        frames = [frame for frame in stacks.frames(cause.stack) if frame.file in structures]
        at = next((n for n, frame in enumerate(frames) if (frame.file, frame.line) == (cause.file, cause.line)), None)
        if at is None:
            return cause
        for _ in range(MAX_HOPS):
            if at + 1 >= len(frames) or not self._does_nothing_else(frames[at], structures, stacks):
                break
            at += 1
        return msgspec.structs.replace(cause, file=frames[at].file, line=frames[at].line)

    def settled_run(self, run: Run, structures: Mapping[str, FileStructure], stacks: StackFormat) -> Run:
        """Returns the run with the settled causes of its observations and crashes."""
        run = _with_told_stacks(run, structures, stacks)
        if not run.crashes and all(one.cause is None and not one.causes_at for one in run.observations):
            return run

        def settled(cause: Cause) -> Cause:
            return self.settled(cause, structures, stacks)

        def with_settled(observation: Observation) -> Observation:
            return msgspec.structs.replace(
                observation,
                cause=None if observation.cause is None else settled(observation.cause),
                causes_at={path: settled(cause) for path, cause in observation.causes_at.items()},
            )

        return msgspec.structs.replace(
            run,
            observations=tuple([with_settled(one) for one in run.observations]),
            crashes=tuple([msgspec.structs.replace(crash, cause=settled(crash.cause)) for crash in run.crashes]),
        )

    def _does_nothing_else(self, frame: Frame, structures: Mapping[str, FileStructure], stacks: StackFormat) -> bool:
        known = self._only_raise.get(frame)
        if known is None:
            bodies = [
                body
                for body in structures[frame.file].functions
                if body.name == frame.function != "" and body.line <= frame.line <= body.end_line
            ]
            known = self._only_raise[frame] = bool(bodies) and self._is_one_raise(frame.file, bodies[-1], stacks)
        return known

    def _is_one_raise(self, file: str, body: FunctionBody, stacks: StackFormat) -> bool:
        statements = [
            target
            for target in self._table
            if target.kind == "statement"
            and target.file == file
            and body.start <= (target.line, target.column) < body.end
        ]
        if len(statements) != 1:
            return False
        return stacks.is_raise(linecache.getline(file, statements[0].line)[statements[0].column :])


def _with_told_stacks(run: Run, structures: Mapping[str, FileStructure], stacks: StackFormat) -> Run:
    """Returns the run with the stacks that answers of failed calls hold in their causes, where the agents saw none."""
    told = [_told_stack(one, structures, stacks) for one in run.observations]
    if all(cause is None for cause in told):
        return run
    return msgspec.structs.replace(
        run,
        observations=tuple(
            one if cause is None else msgspec.structs.replace(one, cause=cause)
            for one, cause in zip(run.observations, told, strict=True)
        ),
    )


def _told_stack(observation: Observation, structures: Mapping[str, FileStructure], stacks: StackFormat) -> Cause | None:
    known = observation.cause or Cause()
    response = response_of(observation) if isinstance(observation.exchange, HttpExchange) else None
    if response is None or response.status < SERVER_ERROR or known.stack or b"at " not in response.body:
        return None
    text = response.body[:MAX_TOLD_BYTES].decode("utf-8", "replace")
    lines = _LINE_END.sub("\n", html.unescape(text).replace("\xa0", " ")).splitlines()
    told = [(line, found) for line in lines if (found := stacks.frames(line))]
    frames = [frame for _, found in told for frame in found if frame.file.startswith("/")]
    if not frames:
        return None
    stack = "\n".join(line for line, _ in told)
    own = next((frame for frame in frames if frame.file in structures), None)
    file, line = (known.file, known.line) if own is None else (own.file, own.line)
    return msgspec.structs.replace(known, file=file, line=line, stack=stack)


def _thrown(cause: Cause, stacks: StackFormat) -> Cause:
    """Returns the cause with the place in a package at which its error was made."""
    made = next((frame for frame in stacks.frames(cause.stack) if frame.file.startswith("/")), None)
    return cause if made is None else msgspec.structs.replace(cause, thrown_at=f"{made.file}:{made.line}")
