"""Recognises values that a driver of SQLite cannot bind to a parameter of a statement.

An object where a text is expected fails with one message, two of them with another one. Neither says which parameter it
was, and one check of the inputs before the statement mends both.
"""

from __future__ import annotations

import re
from typing import Final

from wimble.engine.faults.explained_faults import ExplainedFaults
from wimble.engine.faults.same_mend.groups import FAILURES, Parts, further, place_of
from wimble.model.result import ReportedFinding
from wimble.oracles.failures.graphql_errors import NAME as GRAPHQL_ERROR

_REFUSED: Final = re.compile(
    r"Too few parameter values were provided|Missing named parameter|can only bind numbers, strings"
    r"|cannot specify named parameters in two different objects|cannot be bound to SQLite parameter"
    r"|tried to bind a value of an unknown type"
)
"""Messages of better-sqlite3, node:sqlite and sql.js."""


def of_unbindable_values(faults: ExplainedFaults) -> Parts:
    """Returns, for each further failure of a statement for a value that cannot be bound, the key of the first one."""

    def statement(one: ReportedFinding) -> tuple[str, tuple[str, int]] | None:
        place, oracle = place_of(one), one.finding.oracle
        is_failure = oracle in FAILURES or oracle == GRAPHQL_ERROR
        return (oracle, place) if place and is_failure and _REFUSED.search(one.finding.cause.message) else None

    return {(one.id,): (first.id,) for one, first in further(faults, statement)}
