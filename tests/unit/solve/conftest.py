"""Tests of the solver, each in the state in which a process of the solver takes a question."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from wimble.solve.solver_process import begin_anew


@pytest.fixture(autouse=True)
def solver_anew() -> Iterator[None]:
    """What Z3 finds within a limit differs with the terms that were made before, so none are left of other tests."""
    begin_anew()
    gc.disable()
    yield
    gc.enable()
