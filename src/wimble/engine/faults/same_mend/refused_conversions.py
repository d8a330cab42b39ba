"""Recognises inputs that one conversion of the language does not take: a wrong text fails with one error, a number or a
list with another one. One check of the input mends both.

    new Intl.Locale(locale)   RangeError: Incorrect locale information provided; TypeError: First argument to ...
    BigInt(amount)            SyntaxError for a text, TypeError for null, RangeError for a fraction
"""

from __future__ import annotations

import linecache
import re
from typing import Final

from wimble.engine.faults.explained_faults import ExplainedFaults
from wimble.engine.faults.same_mend.groups import FAILURES, Parts, further, place_of
from wimble.model.result import ReportedFinding
from wimble.oracles.failures.graphql_errors import NAME as GRAPHQL_ERROR
from wimble.oracles.libraries.library_faults import EXCEPTION

_CONVERSIONS: Final = (
    (
        re.compile(r"\bIntl\.\w+\s*\(|\.toLocale\w*\s*\("),
        re.compile(
            r"^RangeError: Incorrect locale information|: First argument to Intl\.\w+ constructor can't be empty"
            r"|^TypeError: Language ID should be string or object"
        ),
    ),
    (
        re.compile(r"\bBigInt\s*\("),
        re.compile(r"Error: (?:Cannot convert .*|The number .* cannot be converted) to a BigInt\b", re.DOTALL),
    ),
)
"""A call of each conversion in a line, and the messages with which it refuses a value."""


def of_refused_conversions(faults: ExplainedFaults) -> Parts:
    """Returns, for each further value that a conversion refuses, the key of the first one at its line."""
    return {(one.id,): (first.id,) for one, first in further(faults, _conversion)}


def _conversion(reported: ReportedFinding) -> tuple[object, ...] | None:
    oracle, cause = reported.finding.oracle, reported.finding.cause
    if oracle not in (*FAILURES, GRAPHQL_ERROR, EXCEPTION) or not cause.file:
        return None
    for number, (call, refusal) in enumerate(_CONVERSIONS):
        if refusal.search(cause.message):
            # Of two calls in one line, each may have an input of its own.
            is_one = len(call.findall(linecache.getline(cause.file, cause.line))) == 1
            return (oracle, place_of(reported), number) if is_one else None
    return None
