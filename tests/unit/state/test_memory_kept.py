"""Databases in the SUT's memory stay as tests leave them while a suite is verified; others are reset."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from wimble.execute.external_services import ExternalServices
from wimble.execute.sut.sut_state import SutState
from wimble.model.database import TableName
from wimble.model.run_conditions import (
    AS_TESTS_RUN,
    Conditions,
    search_conditions,
    start_conditions,
    trial_conditions,
)
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.model.testcase import TestCase
from wimble.settings import Settings
from wimble.state.sut_databases import SutDatabases


class FakeDatabase:
    def __init__(self, is_in_process: bool) -> None:
        self.connected = SimpleNamespace(is_in_process=is_in_process)
        self.n_adopted = 0

    def rebaseline(self) -> None:
        self.n_adopted += 1


def test_only_what_is_in_memory_is_adopted(tmp_path: Path) -> None:
    databases = SutDatabases(tmp_path, allow_remote=False)
    fakes: dict[str, Any] = {"memory": FakeDatabase(True), "server": FakeDatabase(False)}
    databases._all = fakes
    databases.rebaseline_memory()
    assert {name: fake.n_adopted for name, fake in fakes.items()} == {"memory": 1, "server": 0}


def steps(
    tmp_path: Path, last: TestCase, *, is_verifying: bool, is_reset: bool = True, lets_drift: bool = False
) -> list[str]:
    """What is done to the databases before the calls of a test."""
    state = SutState(Settings(working_dir=tmp_path, output_dir=tmp_path / "out"), ExternalServices())
    done: list[str] = []
    databases: Any = SimpleNamespace(
        has_any=True,
        attach=lambda: done.append("attach"),
        rebaseline_memory=lambda: done.append("rebaseline"),
        reset=lambda *, is_exact: done.append("reset" if is_exact else "reset but for numbers"),
        apply_setup=lambda test_case, numbers: (),
    )
    state.begin_test(last)
    state.databases = databases
    conditions = Conditions(
        is_isolated=False, keeps_memory=is_verifying, resets_databases=is_reset, lets_numbers_drift=lets_drift
    )
    state.put_back_before_test(conditions)
    return done


def test_memory_is_adopted_before_the_reset_only_in_verification(tmp_path: Path) -> None:
    assert steps(tmp_path, TestCase(()), is_verifying=False) == ["attach", "reset"]
    assert steps(tmp_path, TestCase(()), is_verifying=True) == ["attach", "rebaseline", "reset"]


def test_what_a_test_with_rows_has_left_is_taken_back(tmp_path: Path) -> None:
    row = InsertRow(genes=(), database="main", dialect="postgres", table=TableName("users"), columns=())
    with_rows = TestCase((), (row,))
    assert steps(tmp_path, with_rows, is_verifying=True) == ["attach", "reset"]


def test_nothing_is_put_back_where_resets_are_switched_off(tmp_path: Path) -> None:
    assert steps(tmp_path, TestCase(()), is_verifying=False, is_reset=False) == ["attach"]


def test_numbers_for_new_rows_are_put_back_only_where_runs_stand_for_tests(tmp_path: Path) -> None:
    assert steps(tmp_path, TestCase(()), is_verifying=False, lets_drift=True) == ["attach", "reset but for numbers"]
    assert search_conditions(Settings()).lets_numbers_drift
    assert trial_conditions(Settings()).lets_numbers_drift
    assert not AS_TESTS_RUN.lets_numbers_drift
    assert not start_conditions(Settings()).lets_numbers_drift
