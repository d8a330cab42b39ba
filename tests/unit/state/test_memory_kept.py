"""Databases in the SUT's memory stay as tests leave them while a suite is verified; others are reset."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from wimble.execute.sut.started_sut import StartedSut
from wimble.model.run_conditions import Conditions
from wimble.model.targets import TargetTable
from wimble.model.testcase import SetupAction, TestCase
from wimble.runtimes.node.node_runtime import NODE
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


class Done(Exception):
    pass


def steps(tmp_path: Path, last: TestCase | None, *, is_verifying: bool, is_reset: bool = True) -> list[str]:
    """What is done to the databases before the calls of a test."""
    sut = StartedSut(Settings(command=("node", "x.js")), TargetTable(), tmp_path / "log", runtimes=(NODE,))
    done: list[str] = []

    def reset() -> bool:
        done.append("reset")
        raise Done

    databases: Any = SimpleNamespace(
        has_any=True,
        attach=lambda: done.append("attach"),
        rebaseline_memory=lambda: done.append("rebaseline"),
        reset=reset,
    )
    sut.databases, sut._needs_flush, sut._last_test = databases, False, last
    sut.live_under(Conditions(is_isolated=False, keeps_memory=is_verifying, resets_databases=is_reset))
    with pytest.raises(Done if is_reset else RuntimeError):  # nothing was started that could answer
        sut.evaluate(TestCase(()))
    return done


def test_memory_is_adopted_before_the_reset_only_in_verification(tmp_path: Path) -> None:
    assert steps(tmp_path, TestCase(()), is_verifying=False) == ["attach", "reset"]
    assert steps(tmp_path, TestCase(()), is_verifying=True) == ["attach", "rebaseline", "reset"]


def test_what_a_test_with_rows_has_left_is_taken_back(tmp_path: Path) -> None:
    with_rows = TestCase((), (SetupAction(()),))
    assert steps(tmp_path, with_rows, is_verifying=True) == ["attach", "reset"]


def test_nothing_is_put_back_where_resets_are_switched_off(tmp_path: Path) -> None:
    assert steps(tmp_path, TestCase(()), is_verifying=False, is_reset=False) == ["attach"]
