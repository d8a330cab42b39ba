"""Faults that show first while test cases are made smaller."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from engine_parts import calls_of
from wimble.engine.faults.fault_book import FaultBook
from wimble.engine.faults.history import History
from wimble.engine.minimise.later_faults import LaterFaults
from wimble.model.database import TableName
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.observation import Cause
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.settings import Settings

ROW = InsertRow(database="d", dialect="sqlite", table=TableName("shows"), columns=(), genes=())


def failing(oracle: str, *, file: str = "/app/a.js", rows: bool = False) -> Evaluation:
    finding = Finding(
        oracle=oracle, key=(oracle, file), operation="GET /a", title="t", observed="o", expected="e",
        cause=Cause(file=file, line=4), call_index=0,
    )  # fmt: skip
    test_case = replace(calls_of("GET /a"), setup=(ROW,) if rows else ())
    return Evaluation(test_case=test_case, observations=(), reached={}, findings=(finding,))


@pytest.fixture
def parts() -> tuple[Any, LaterFaults]:
    coordinator: Any = SimpleNamespace(
        faults=FaultBook(), budget=SimpleNamespace(calls=9, elapsed_s=60.0), settings=Settings()
    )
    worker: Any = SimpleNamespace(history=History())
    return coordinator, LaterFaults(coordinator, worker)


@pytest.mark.parametrize(
    ("seen", "is_noted"),
    [
        (failing("process-died"), True),
        (failing("process-died", rows=True), True),
        (failing("process-died", file=""), False),
        (failing("server-error"), True),
        (failing("server-error", rows=True), False),
        (failing("response-schema"), False),
    ],
)
def test_what_is_certain_is_a_fault_from_then_on(parts: tuple[Any, LaterFaults], seen: Evaluation, is_noted: bool):
    coordinator, later = parts
    later.note(seen)
    later.note(seen)
    assert [fault.key for fault in coordinator.faults] == later.keys == [seen.findings[0].key] * is_noted
    assert len(list(later.take_events())) == is_noted
    assert list(later.take_events()) == []


def test_what_was_known_or_left_out_is_no_news(parts: tuple[Any, LaterFaults]):
    coordinator, later = parts
    known, left_out = failing("process-died"), failing("process-died", file="/app/b.js")
    for one in (known, left_out):
        coordinator.faults.note(one, one.findings, History(), calls=1, elapsed_s=0.1)
    coordinator.faults.drop({left_out.findings[0].key})
    for one in (known, left_out):
        later.note(one)
    assert later.keys == []
    assert [fault.key for fault in coordinator.faults] == [known.findings[0].key]
