"""Tests of the solver, each in the state in which a process of the solver takes a question."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from wimble.solve.solver_process import begin_anew


@pytest.fixture(autouse=True, scope="module")
def without_objects_of_other_tests() -> Iterator[None]:
    """A collection before each test would look at the objects of all tests, half a million: 500 times half a second."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture(autouse=True)
def solver_anew(without_objects_of_other_tests: None) -> Iterator[None]:
    """What Z3 finds within a limit differs with the terms that were made before, so none are left of other tests."""
    begin_anew()
    gc.disable()
    yield
    gc.enable()
