"""Tests of a library that change what others return."""

from __future__ import annotations

from typing import Any

import pytest

from engine_parts import Answer, ScriptedSut, calls_of, new_coordinator, new_worker
from wimble.engine.candidates.candidate import Candidate
from wimble.engine.stability.changed_settings import with_marked_changes
from wimble.library.function_binding import FunctionBinding, function_operation
from wimble.model.testcase import Call, TestCase


class Library:
    """A function `format` that depends on the settings `locale` and `zero`, and some that depend on none."""

    def __init__(self) -> None:
        self.n_called = 0

    def __call__(self, memory: dict[str, Any], operation: str) -> Answer:
        self.n_called += 1
        name = operation.removeprefix("GET /")
        if name.startswith("locale="):
            memory["locale"] = name
        if name == "reset":
            memory.clear()
        if name == "zero":
            memory["zero"] = True
        if name == "now":
            return 200, self.n_called
        if name == "minute":
            return 200, self.n_called // 20
        told = [name.partition("=")[0], *sorted(memory)] if name.startswith(("format", "locale?")) else name
        return 200, told


def marked(*calls: str) -> tuple[list[str], list[str], ScriptedSut]:
    """Returns the names of the candidates that change nothing, and of those that do, in their order."""
    sut, coordinator = ScriptedSut(Library()), new_coordinator()
    cases = [calls_of(f"GET /{name}") for name in calls]
    candidates = [Candidate(test_case=one, fault_key=None, targets=frozenset(), original=one) for one in cases]
    found = with_marked_changes(coordinator, new_worker(sut, coordinator), candidates)
    names = {
        is_changing: [str(one.test_case.calls[0].operation.id)[5:] for one in found if one.is_polluter is is_changing]
        for is_changing in (False, True)
    }
    assert [one.is_polluter for one in found] == sorted(one.is_polluter for one in found)
    assert all(one.test_case.is_safe is one.original.is_safe is not one.is_polluter for one in found)
    return names[False], names[True], sut


@pytest.mark.parametrize(
    ("calls", "changing"),
    [
        (["format", "other", "now"], []),
        (["format", "locale=fr", "other", "format=2"], ["locale=fr"]),
        (["locale=fr", "format"], ["locale=fr"]),
        (["locale=fr", "zero", "format", "locale=de"], ["locale=fr", "zero", "locale=de"]),
        (["locale=fr", "reset", "format", "locale=de"], ["locale=fr", "locale=de"]),
        (["minute", *["other"] * 30, "locale=fr", *["other"] * 30, "format"], ["locale=fr"]),
        (["locale=fr", "other"], []),  # nothing depends on it
    ],
)
def test_what_changes_others_comes_last_and_counts_as_a_change(calls, changing):
    usual, found, _ = marked(*calls)
    assert found == changing
    assert usual == [name for name in calls if name not in changing]


def test_a_library_without_settings_costs_few_starts():
    _, _, sut = marked(*[f"other={number}" for number in range(50)])
    assert sut.n_starts <= 4


def test_many_calls_that_change_something_cost_two_starts_each():
    _, found, sut = marked(*[f"locale={number}" for number in range(20)], *[f"format={number}" for number in range(20)])
    assert len(found) == 20
    assert sut.n_starts <= 60


def test_functions_that_the_search_saw_to_change_something_need_no_runs():
    coordinator = new_coordinator()
    coordinator.changing_functions.add("hooks.add")
    binding = FunctionBinding(index=0, package="lib", kind="function", path=("hooks", "add"))
    add = TestCase((Call(function_operation(binding, "hooks.add"), ()),))
    cases = [add, calls_of("GET /other")]
    candidates = [Candidate(test_case=one, fault_key=None, targets=frozenset(), original=one) for one in cases]
    found = with_marked_changes(coordinator, new_worker(ScriptedSut(Library()), coordinator), candidates)
    assert [one.is_polluter for one in found] == [False, True]
