"""A further shape of a test for coverage: with those before it that made what it speaks of."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from wimble.engine import restage
from wimble.engine.candidates import Candidate
from wimble.engine.ledger import Background, Ledger
from wimble.engine.rebuild import MAX_CALLS
from wimble.engine.restage import restaged
from wimble.model.operation import Operation
from wimble.model.testcase import Call, TestCase
from wimble.types import OperationId, TargetId

ALONE = TestCase(())
CONTEXT: Any = SimpleNamespace(specification=SimpleNamespace(operations=()))


def candidate(background: Background | None) -> Candidate:
    return Candidate(
        test_case=ALONE, fault_key=None, targets=frozenset([TargetId(1)]), original=ALONE, background=background
    )


def with_calls(number: int) -> TestCase:
    call = Call(Operation(id=OperationId("POST /a"), method="POST", path="/a"), ())
    return TestCase((call,) * number)


@pytest.mark.parametrize(("n_calls", "is_there"), [(2, True), (MAX_CALLS, True), (MAX_CALLS + 1, False), (0, False)])
def test_makers_come_before_it_unless_they_are_too_many(
    monkeypatch: pytest.MonkeyPatch, n_calls: int, *, is_there: bool
) -> None:
    made = with_calls(n_calls) if n_calls else None
    monkeypatch.setattr(restage, "with_makers", lambda *_, **__: made)
    own = candidate(Background(Ledger(), 0))
    staged = restaged(CONTEXT, own)
    assert (staged is not None) is is_there
    if staged is not None:
        assert staged.test_case is staged.original is made and staged.targets == own.targets
    assert own.test_case is ALONE


def test_nothing_is_known_of_what_was_there() -> None:
    assert restaged(CONTEXT, candidate(None)) is None
