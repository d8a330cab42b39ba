"""The table of objects that apply setup actions of each kind, and undo them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Protocol, TypeAlias

from wimble.execute.external_services import ExternalServices
from wimble.model.setup_kinds.answer import Answer
from wimble.model.setup_kinds.insert_document import InsertDocument
from wimble.model.setup_kinds.insert_key import InsertKey
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.model.testcase import SetupAction, TestCase
from wimble.state.sut_databases import SutDatabases


class SetupApplier(Protocol):
    """Applies setup actions of some kinds."""

    def apply_setup(self, test_case: TestCase, numbers: Sequence[int]) -> tuple[str, ...]:
        """Applies these setup actions of a test case, in order. Returns one error for each, empty if it was applied."""
        ...

    def reset(self) -> bool:
        """Undoes what setup actions and calls have changed since the last reset. Returns False if that failed."""
        ...


Appliers: TypeAlias = Mapping[type[SetupAction], SetupApplier]


def setup_appliers(databases: SutDatabases, services: ExternalServices) -> Appliers:
    """Returns the table for one SUT."""
    return {InsertRow: databases, InsertDocument: databases, InsertKey: databases, Answer: services}


def apply_setup(test_case: TestCase, appliers: Appliers, first: int = 0) -> tuple[int, ...]:
    """Applies all setup actions from this one on, in order. Returns the indexes of those that could not be applied."""
    refused: list[int] = []
    numbers = range(first, len(test_case.setup))
    for applier, group in groupby(numbers, key=lambda number: appliers[type(test_case.setup[number])]):
        run = list(group)
        errors = applier.apply_setup(test_case, run)
        refused += [number for number, error in zip(run, errors, strict=True) if error]
    return tuple(refused)
