"""Texts that a program may have read from its storage when it failed: those that the test case has put there."""

from __future__ import annotations

from wimble.model.scalar_fields import scalars_in
from wimble.model.setup_kinds.database_action import inserted_rows
from wimble.model.testcase import TestCase
from wimble.types import ABSENT


def stored_texts(test_case: TestCase, call_index: int) -> frozenset[str]:
    """Returns the texts in the rows of the test case, and those that calls before this one have sent."""
    values = [value for inserted in inserted_rows(test_case) for row in inserted.rows for value in row]
    for call in test_case.calls[:call_index]:
        values += [value for gene in call.genes if (value := gene.phenotype()) is not ABSENT]
    return frozenset(scalar for value in values for scalar in scalars_in(value) if isinstance(scalar, str))
