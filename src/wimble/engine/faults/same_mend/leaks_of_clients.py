"""What one function hands to callers of what it says to a service, or hears from it, is one fault in all operations.

Operations share the code that calls a service. An error that this code throws after it has waited for the answer was
thrown at one place, whoever has called it: its stack is the same up to the first frame that was waiting.
"""

from __future__ import annotations

import re
from typing import Final

from wimble.engine.faults.explained_faults import ExplainedFaults
from wimble.engine.faults.same_mend.groups import Parts, further
from wimble.model.result import ReportedFinding
from wimble.oracles.failures.upstream import INTERNALS, LEAK

_FRAME: Final = re.compile(r"^ +at (?!async )(?:.* \()?([^()\s]+:\d+:\d+)\)?$")
_WAITING: Final = ("    at async ", "    at process.processTicksAndRejections")


def of_leaks(faults: ExplainedFaults) -> Parts:
    """Returns, for each further leak by an error that was thrown at one place, the key of the first one."""
    return {(one.id,): (first.id,) for one, first in further(faults, _leak)}


def _leak(one: ReportedFinding) -> tuple[object, ...] | None:
    finding = one.finding
    frames = _thrown_by(finding.cause.stack) if finding.oracle in (LEAK, INTERNALS) else ()
    return (finding.oracle, finding.key[2:], frames) if frames else None


def _thrown_by(stack: str) -> tuple[str, ...]:
    """Returns the places that were running when an error was thrown; () unless it was thrown after waiting."""
    frames: list[str] = []
    for line in stack.splitlines():
        if line.startswith(_WAITING):
            return tuple(frames)
        # Those of the runtime differ: what has waited goes on after an answer, or after a timer.
        if (found := _FRAME.match(line)) and not found[1].startswith("node:"):
            frames.append(found[1])
    return ()
