"""What tests leave in a database that nobody puts back is there when they run again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine_parts import ScriptedSut, calls_of, new_coordinator, new_worker
from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.verify import verify_phase
from wimble.settings import Settings

NOTES: Any = "GET /notes"


def with_driver(folder: Path, name: str) -> Path:
    (folder / "package.json").write_text(json.dumps({"dependencies": {name: "*"}}))
    package = folder / "node_modules" / name / "package.json"
    package.parent.mkdir(parents=True)
    package.write_text('{"version": "3.4.0"}')
    return folder


@pytest.mark.parametrize(("driver", "n_more"), [("tedious", 1), ("express", 0)])
@pytest.mark.parametrize("shares_start", [True, False])
def test_tests_leave_their_traces_before_they_run_again(
    tmp_path: Path, driver: str, n_more: int, *, shares_start: bool
) -> None:
    notes: list[str] = []

    def program(_memory: object, operation: str) -> tuple[int, Any]:
        if operation == NOTES:
            return 200, notes
        notes.append("a note")
        return 201, {}

    sut = ScriptedSut(program)
    settings = Settings(command=("node",), max_time_s=None, max_calls=1, working_dir=with_driver(tmp_path, driver))
    coordinator = new_coordinator(settings)
    worker = new_worker(sut, coordinator)
    candidates = [
        Candidate(test_case=one, fault_key=None, targets=frozenset(), original=one, is_order_independent=True)
        for one in (calls_of("POST /notes"), calls_of(NOTES))
    ]
    list(verify_phase.run_verify(coordinator, worker, candidates, StartPolicy(shares_start=shares_start)))
    n_runs = {case.calls[-1].operation.id: sut.ran.count(case) for case in sut.ran}
    assert n_runs["POST /notes"] == n_of(shares_start=shares_start) + n_more


def n_of(*, shares_start: bool) -> int:
    """Number of runs of a test that changes something, whatever the driver."""
    return 4 if shares_start else 3
