"""A class of a library whose constructor ends the process: so does each call of a method, which needs an object."""

from __future__ import annotations

from typing import Final

from wimble.engine.faults.explained_faults import ExplainedFaults
from wimble.engine.faults.same_mend.groups import Parts, firsts, place_of
from wimble.library.made_objects import NEW
from wimble.model.result import ReportedFinding
from wimble.oracles.failures.crashes import DIED

_METHOD: Final = "#"
"""Stands between a class and its method in the name of an operation."""


def of_deaths_of_makers(faults: ExplainedFaults) -> Parts:
    """Returns, for each death in a method or function of a class, the key of the one in its constructor.

    They have the same signal or exit code, and no place: native code has none.
    """
    makers = firsts(faults, lambda one: _death(one) if _is_maker(one) else None)
    return {(one.id,): (makers[death].id,) for one in faults if not _is_maker(one) and (death := _death(one)) in makers}


def _is_maker(reported: ReportedFinding) -> bool:
    return reported.finding.operation.startswith(NEW)


def _death(reported: ReportedFinding) -> tuple[str, str] | None:
    """Returns the class, or function, and how the process has ended; None if it has not, or at a known place."""
    finding = reported.finding
    if finding.oracle != DIED or place_of(reported) is not None:
        return None
    return finding.operation.removeprefix(NEW).partition(_METHOD)[0], finding.observed
