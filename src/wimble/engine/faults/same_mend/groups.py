"""Groups of findings that agree in something."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from typing import Final, TypeAlias

from wimble.engine.faults.explained_faults import ExplainedFaults
from wimble.model.result import ReportedFinding
from wimble.oracles.failures.crashes import DIED, UNHANDLED
from wimble.oracles.failures.server_error import NAME as SERVER_ERROR

Parts: TypeAlias = dict[tuple[object, ...], tuple[object, ...]]
"""For each finding that is part of another one, the key of that one."""
CRASHES: Final = frozenset({DIED, UNHANDLED})
FAILURES: Final = CRASHES | {SERVER_ERROR}

VALIDATION: Final = re.compile(r"^(?:[A-Z]?\w*Validation\w*|\$?ZodError|ValiError|StructError)(?=: )")
"""The class of an error by which a validator tells what is wrong with an input."""
TOKEN_ERROR: Final = re.compile(r"^(?:JsonWebTokenError|TokenExpiredError|NotBeforeError|J(?:WT|WS|WE|OSE)\w*)(?=: )")
"""The class of an error by which a library tells what is wrong with a token: jsonwebtoken's, and those of jose."""


def firsts(faults: ExplainedFaults, group: Callable[[ReportedFinding], Hashable]) -> dict[Hashable, ReportedFinding]:
    """Returns the first finding of each group; those whose group is None belong to none."""
    heads: dict[Hashable, ReportedFinding] = {}
    for one in faults:
        if (key := group(one)) is not None:
            heads.setdefault(key, one)
    return heads


def further(
    faults: ExplainedFaults, group: Callable[[ReportedFinding], Hashable]
) -> list[tuple[ReportedFinding, ReportedFinding]]:
    """Returns each finding that is not the first of its group, with the first one."""
    heads = firsts(faults, group)
    grouped = [(one, heads[key]) for one in faults if (key := group(one)) is not None]
    return [(one, first) for one, first in grouped if first.id != one.id]


def place_of(reported: ReportedFinding) -> tuple[str, int] | None:
    cause = reported.finding.cause
    return (cause.file, cause.line) if cause.file else None
