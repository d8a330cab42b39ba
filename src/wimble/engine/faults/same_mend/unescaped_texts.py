"""Texts that one statement of a library puts into a regular expression as they are, whichever function it serves."""

from __future__ import annotations

from typing import Final

from wimble.engine.faults.explained_faults import ExplainedFaults
from wimble.engine.faults.same_mend.groups import Parts, further, place_of
from wimble.model.result import ReportedFinding
from wimble.oracles.libraries.library_faults import EXCEPTION

_NO_EXPRESSION: Final = "SyntaxError: Invalid regular expression: "


def of_unescaped_texts(faults: ExplainedFaults) -> Parts:
    """Returns, for each function in which a statement made no expression, the key of the first at that statement."""
    return {(one.id,): (first.id,) for one, first in further(faults, _statement)}


def _statement(reported: ReportedFinding) -> tuple[str, int] | None:
    finding = reported.finding
    is_expression = finding.oracle == EXCEPTION and finding.cause.message.startswith(_NO_EXPRESSION)
    return place_of(reported) if is_expression else None
