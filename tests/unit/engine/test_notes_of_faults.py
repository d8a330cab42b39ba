"""What is said of a fault that has no test."""

from types import SimpleNamespace
from typing import Any

from wimble.engine.stability.repeated_runs import BEHIND_OTHERS
from wimble.engine.write.reported_findings import NOT_VERIFIED, _note


def note(*, reasons: dict[Any, str], operations: tuple[str, ...] = ("GET /a",), has_test: bool = False) -> str:
    run: Any = SimpleNamespace(suite=SimpleNamespace(fault_notes=reasons))
    fault: Any = SimpleNamespace(key=("crash",), operations=operations)
    return _note(run, fault, "GET /a", has_test=has_test)


def test_a_fault_without_a_test_says_why_and_where_else_it_was_seen():
    assert note(reasons={("crash",): "by chance"}) == "by chance"
    assert note(reasons={}) == NOT_VERIFIED
    assert note(reasons={}, operations=("GET /a", "GET /b")) == f"{NOT_VERIFIED}; also seen in GET /b"
    assert note(reasons={}, operations=("GET /a", "GET /b"), has_test=True) == "also seen in GET /b"


def test_a_fault_whose_test_needs_those_before_it_says_so():
    assert note(reasons={("crash",): BEHIND_OTHERS}, has_test=True) == BEHIND_OTHERS
    assert note(reasons={("crash",): "by chance"}, has_test=True) == ""
