"""Work that a call starts and does not wait for: whatever goes wrong in it, nobody handles the rejection.

Such an error was thrown in the function that was started, or in one that it has waited for. So the last function in its
stack is the one whose promise nobody awaits, and all of its errors are one fault. A handler that rejects before it has
answered is no such function: each of its errors has a place of its own.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Iterable
from typing import Final

from wimble.engine.faults.explained_faults import ExplainedFaults
from wimble.engine.faults.same_mend.groups import CRASHES, Parts, further
from wimble.model.observation import Cause
from wimble.model.result import ReportedFinding
from wimble.spec.loading.discovery import PACKAGE_FOLDERS

_FRAME: Final = re.compile(
    r"^\s+at\s(?:async\s)?(?:(?P<name>[\w$.<> ]+?) (?:\[as [^\]]+\] )?\()?(?P<place>[^()]+):\d+:\d+\)?$"
)
_NAME: Final = re.compile(r"(?:^|\.)(?P<name>[A-Za-z_$][\w$]*)$")
_WAITED: Final = re.compile(r"^ +at async |^ +at process\.processTicksAndRejections", re.MULTILINE)


def of_unawaited_calls(faults: ExplainedFaults) -> Parts:
    """Returns, for each further error of a function that a call has not waited for, the key of the first one."""

    def started(one: ReportedFinding) -> tuple[object, ...] | None:
        function = unawaited_function(one)
        return None if function is None else (one.finding.oracle, *function)

    return {(one.id,): (first.id,) for one, first in further(faults, started)}


def unawaited_function(crash: ReportedFinding) -> tuple[str, str] | None:
    """Returns file and name of the function whose rejection nobody handles, though its call was answered as usual."""
    index = crash.finding.call_index
    if crash.finding.oracle not in CRASHES or not 0 <= index < len(crash.observations):
        return None
    stack = crash.finding.cause.stack
    if crash.observations[index].outcome not in ("ok", "redirected") or _WAITED.search(stack) is None:
        return None
    own = [found for line in stack.splitlines() if (found := _FRAME.match(line)) and _is_own(found["place"])]
    name = _NAME.search(own[-1]["name"] or "") if own else None
    return None if name is None else (own[-1]["place"], name["name"])


def started_at(place: Cause, crashes: Iterable[ReportedFinding]) -> ReportedFinding | None:
    """Returns the crash of a function that the line at a place calls; None if there is none."""
    line = linecache.getline(place.file, place.line)
    for crash in crashes:
        function = unawaited_function(crash)
        if function is not None and re.search(rf"(?<![\w$]){re.escape(function[1])}\(", line):
            return crash
    return None


def _is_own(place: str) -> bool:
    return not place.startswith("node:") and PACKAGE_FOLDERS.isdisjoint(place.split("/"))
