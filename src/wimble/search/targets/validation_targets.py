"""Targets of validations: for each operation and schema that is applied in it, one for a valid value and one for an
invalid one, as in [WB-Advanced] §4.5.

A library often reports the first broken rule only, so how far a value is from being valid is measured against the
schema: the number of rules that the value breaks.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any, Final

from wimble.model.evaluation import Additions, Evaluation, Reached, keep_nearest
from wimble.model.targets import Target, TargetTable
from wimble.model.validation import SINGLE_CHECKS, AppliedSchema, Validation
from wimble.search.learned.schema_validators import SchemaValidators, errors_of
from wimble.types import TargetId

KIND: Final = "validation"
MAX_COUNTED: Final = 30
"""Largest number of broken rules that is distinguished."""
VALID_H: Final = 0.75
"""h of the invalid outcome for a valid value: one broken rule is missing."""


class ValidationTargets:
    """The targets of one SUT's validations."""

    def __init__(self, table: TargetTable, is_covered: Callable[[TargetId], bool]) -> None:
        self._table = table
        self._is_covered = is_covered
        self._validators = SchemaValidators()

    def additions(self, evaluation: Evaluation) -> Additions:
        """Returns h of the targets of all validations in the evaluation's calls."""
        reached: dict[TargetId, Reached] = {}
        calls = evaluation.test_case.calls
        for one in evaluation.validations:
            if not 0 <= one.call < len(calls) or one.applied.library in SINGLE_CHECKS:
                continue
            operation = calls[one.call].operation.id
            valid, invalid = (self._target(operation, one.applied, outcome) for outcome in ("valid", "invalid"))
            n_broken = 1 if one.is_valid is False and self._is_covered(valid) else self.n_broken(one)
            keep_nearest(reached, valid, valid_h(n_broken), one.call)
            keep_nearest(reached, invalid, 1.0 if n_broken else VALID_H, one.call)
        return Additions(reached=reached)

    def _target(self, operation: str, applied: AppliedSchema, outcome: str) -> TargetId:
        return self._table.register(
            Target(KIND, "", 0, 0, f"{operation} {applied.label} {outcome}", operation, outcome)
        )

    def n_broken(self, one: Validation) -> int:
        """Returns the number of rules that a value breaks; at least 1 if the library has refused it, else 0.

        If the library's verdict is not known, the schema decides.
        """
        if one.is_valid is True:
            return 0
        counted = self._count(one.applied, one.value)
        return max(1, counted) if one.is_valid is False else counted

    def _count(self, applied: AppliedSchema, value: Any) -> int:
        validator = self._validators.get(applied.text, lambda: applied.schema)
        return 0 if validator is None else sum(1 for _ in islice(errors_of(validator, value), MAX_COUNTED))


def valid_h(n_broken: int) -> float:
    """Returns h of the valid outcome for a value that breaks `n_broken` rules."""
    return 0.5 + 0.5 / (1 + n_broken)
