"""A SUT that does not come up any more: tried twice, or for as long as its database may be away."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from wimble.engine import context as context_module
from wimble.engine.context import DATABASE_RETURN_S, RunContext
from wimble.engine.lockouts import Lockouts
from wimble.engine.slowing import Slowing
from wimble.errors import TargetError

HOMES = {"server": SimpleNamespace(is_file=False), "file": SimpleNamespace(is_file=True)}


class FakeContext:
    """Whose SUT starts at some time, by a clock of its own, on which an attempt takes a tenth of a second."""

    restart = RunContext.restart
    _start_in_the_end = RunContext._start_in_the_end
    outlasting_databases = RunContext._outlasting_databases
    phase = "verify"
    is_database_given_up = False

    def __init__(self, *homes: str, back_at_s: float) -> None:
        self.now_s = 0.0
        self.n_attempts = 0
        self.back_at_s = back_at_s
        self.sut = SimpleNamespace(
            restart=self._attempt, databases=SimpleNamespace(homes=tuple(HOMES[name] for name in homes))
        )
        self.settings = SimpleNamespace(is_blind=False)
        self.stop = SimpleNamespace(is_requested=False)
        self.slowing = Slowing()
        self.lockouts = Lockouts()
        self.faults = SimpleNamespace(forget_history=lambda: None)
        self.strategy = SimpleNamespace(archive=SimpleNamespace(solution_serials=lambda: set()))
        self.warnings: list[str] = []
        self.warn = self.warnings.append
        self.backgrounds: dict[int, object] = {}
        self.n_restarts = 0
        self.restarting_s = 0.0
        self.is_lost = True

    def _attempt(self) -> None:
        self.n_attempts += 1
        self.now_s += 0.1
        if self.now_s < self.back_at_s:
            raise TargetError(slug="sut-did-not-start", what="the command ended before it served anything")

    def sleep(self, duration_s: float) -> None:
        self.now_s += duration_s


def started(monkeypatch: pytest.MonkeyPatch, context: Any) -> Any:
    monkeypatch.setattr(context_module, "time", SimpleNamespace(monotonic=lambda: context.now_s, sleep=context.sleep))
    context.restart()
    return context


def test_a_database_that_comes_back_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    context = started(monkeypatch, FakeContext("server", back_at_s=12.0))
    assert not context.is_lost and context.now_s < 14.0
    assert len(set(context.warnings)) == 1 and "database may be away" in context.warnings[0]


@pytest.mark.parametrize("homes", [(), ("file",)])
def test_without_a_server_it_is_tried_twice(monkeypatch: pytest.MonkeyPatch, homes: tuple[str, ...]) -> None:
    context = FakeContext(*homes, back_at_s=5.0)
    with pytest.raises(TargetError):
        started(monkeypatch, context)
    assert context.n_attempts == 2 and context.warnings == []
    assert not started(monkeypatch, FakeContext(*homes, back_at_s=0.15)).is_lost


def test_it_is_not_waited_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    context = FakeContext("server", back_at_s=1000.0)
    with pytest.raises(TargetError):
        started(monkeypatch, context)
    assert DATABASE_RETURN_S <= context.now_s < DATABASE_RETURN_S + 3.0


def test_who_stops_the_run_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    context = FakeContext("server", back_at_s=1000.0)
    context.stop.is_requested = True
    with pytest.raises(TargetError):
        started(monkeypatch, context)
    assert context.n_attempts == 2


class Outage:
    """Of the database, by the clock of the context: what is evaluated meanwhile fails."""

    def __init__(self, context: FakeContext, until_s: float) -> None:
        self._context = context
        self._until_s = until_s
        self.homes = ()

    @property
    def are_away(self) -> bool:
        return self._context.now_s < self._until_s

    def evaluate(self) -> str:
        return "500" if self.are_away else "200"


def outlasted(monkeypatch: pytest.MonkeyPatch, context: Any, until_s: float) -> str:
    monkeypatch.setattr(context_module, "time", SimpleNamespace(monotonic=lambda: context.now_s, sleep=context.sleep))
    context.sut.databases = Outage(context, until_s)
    return context.outlasting_databases(context.sut.databases.evaluate)


def test_what_failed_for_an_outage_is_run_again_on_a_fresh_sut(monkeypatch: pytest.MonkeyPatch) -> None:
    context = FakeContext(back_at_s=0.0)
    assert outlasted(monkeypatch, context, until_s=5.0) == "200"
    assert context.n_attempts == 1 and context.warnings == []


def test_an_outage_is_waited_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    context = FakeContext(back_at_s=0.0)
    assert outlasted(monkeypatch, context, until_s=1000.0) == "500"
    assert outlasted(monkeypatch, context, until_s=1000.0) == "500"
    assert context.now_s < DATABASE_RETURN_S + 3.0
    assert context.n_attempts == 0 and len(context.warnings) == 1


def test_who_stops_the_run_does_not_wait_for_a_database(monkeypatch: pytest.MonkeyPatch) -> None:
    context = FakeContext(back_at_s=0.0)
    context.stop.is_requested = True
    assert outlasted(monkeypatch, context, until_s=5.0) == "500"
    assert context.n_attempts == 0 and context.now_s == 0.0
