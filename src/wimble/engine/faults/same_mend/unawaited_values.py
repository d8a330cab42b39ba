"""Recognises failures that follow from a promise that the program tested or compared, where it should have awaited it.

`const order = find(id); if (!order) return refuse();` lets each order pass. What fails next is most likely what the
test should have kept out. If the promise rejects, nobody handles that, which may end the process.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Iterable
from typing import Final

from wimble.engine.faults.explained_faults import ExplainedFaults
from wimble.engine.faults.same_mend.groups import FAILURES, VALIDATION, Parts
from wimble.model.observation import Cause
from wimble.model.result import ReportedFinding
from wimble.oracles.databases.database_refusals import refuses_parent
from wimble.oracles.failures.missing_await import NAME as MISSING_AWAIT

_WORD: Final = re.compile(r"[A-Za-z_$][\w$]*")
_CALL: Final = re.compile(r"(?<![\w$.])(?!(?:if|while|switch|return|not|await)\b)[A-Za-z_$][\w$.?]*\([^()]*\)")
"""A call without other calls among its arguments. What it is given is not what is tested."""
_PUT: Final = "(put into "
"""In titles of promises that the program answers."""
MAX_LINES_BEFORE: Final = 30
"""How far before the test a constant is looked for; functions are seldom longer."""
LEAST_NAME: Final = 3
"""Shorter names occur in messages by chance."""


def parts_of_missing_awaits(faults: ExplainedFaults) -> Parts:
    """Returns, for the first failure after a test of such a constant in the same operation, the key of the finding of
    the promise.
    """
    known = list(faults)
    parts: Parts = {}
    for missing in known:
        constants = _constants_at(missing.finding.cause) if missing.finding.oracle == MISSING_AWAIT else frozenset()
        if not constants:
            continue
        if _PUT in missing.finding.title:
            continue  # nothing is decided by it
        after = [one for one in known if _is_failure_of_value(one) and _follows(one, missing)]
        after = [one for one in after if not _is_of_other_rows(one, constants)]
        first = min(after, key=lambda one: (not _names(one, constants), one.finding.cause.line), default=None)
        if first is not None:
            parts[first.id,] = (missing.id,)
    return parts


def _is_failure_of_value(reported: ReportedFinding) -> bool:
    """Whether it is a failure, and no complaint of a validator about what was sent."""
    return reported.finding.oracle in FAILURES and VALIDATION.match(reported.finding.cause.message) is None


def _is_of_other_rows(failure: ReportedFinding, constants: frozenset[str]) -> bool:
    """Whether a row is referred to by others than those that the promise would have told."""
    return refuses_parent(failure.finding.cause.message) and not _names(failure, constants)


def _names(failure: ReportedFinding, constants: frozenset[str]) -> bool:
    message = failure.finding.cause.message.lower()
    return any(len(name) >= LEAST_NAME and name.lower() in message for name in constants)


def crash_of_promise(missing: ReportedFinding, crashes: Iterable[ReportedFinding]) -> ReportedFinding | None:
    """Returns the crash that the rejection of such a promise is; None if there is none."""
    place = missing.finding.cause
    return next(
        (
            one
            for one in crashes
            if f"{place.file}:{place.line}:" in one.finding.cause.stack or _is_made_for(one, place)
        ),
        None,
    )


def _is_made_for(crash: ReportedFinding, test: Cause) -> bool:
    made = crash.finding.cause
    n_lines = test.line - made.line
    return made.file == test.file and 0 <= n_lines <= MAX_LINES_BEFORE and (n_lines == 0 or bool(_constants_at(test)))


def _follows(failure: ReportedFinding, missing: ReportedFinding) -> bool:
    later, earlier = failure.finding, missing.finding
    return (
        later.operation == earlier.operation
        and later.cause.file == earlier.cause.file
        and later.cause.line > earlier.cause.line
    )


def _constants_at(test: Cause) -> frozenset[str]:
    """Returns the names in the line of the test that are declared shortly before, with a value that is not awaited."""
    first = max(1, test.line - MAX_LINES_BEFORE)
    before = "".join(linecache.getline(test.file, number) for number in range(first, test.line))
    names = set(_WORD.findall(_without_calls(linecache.getline(test.file, test.line))))
    return frozenset(
        name for name in names if re.search(rf"\b(?:const|let|var)\s+{re.escape(name)}\s*=(?!\s*await\b)", before)
    )


def _without_calls(line: str) -> str:
    """Returns the line without calls and what they are given: in `if (!mayRead(order))`, no `order` is tested."""
    while (shorter := _CALL.sub("", line)) != line:
        line = shorter
    return line
