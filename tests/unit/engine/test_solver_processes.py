"""Questions are solved in processes: a crash or nonsense costs one question, and their number changes no answer."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path as FilePath
from threading import Event

import pytest

from wimble.engine.tracing import solver_processes
from wimble.engine.tracing.solver_processes import HAS_ENDED, NONSENSE, OUT_OF_TIME, SolverProcesses, Solvers
from wimble.solve.path_conditions import Expression, Path, PathEntry
from wimble.solve.questions import UNREAD, Question, question_of


def question(total: int) -> Question:
    """Asks for two numbers with this sum of squares, of which the first is smaller."""
    nodes = (
        Expression("in:/x", (), 1),
        Expression("in:/y", (), 1),
        Expression("k", (), total),
        Expression("*", (0, 0), 1),
        Expression("*", (1, 1), 1),
        Expression("+", (3, 4), 2),
        Expression("<", (0, 1), False),
        Expression("!", (6,), True),
        Expression("===", (5, 2), False),
    )
    asked = question_of(Path(nodes, (PathEntry("a:1:1:!", False, 7), PathEntry("a:1:2:===", False, 8))), 1)
    assert asked is not None
    return asked


TOTALS = (25, 100, 169, 225, 289, 400, 625, 676)


def test_the_number_of_processes_and_the_order_of_questions_change_no_answer() -> None:
    alone, several = SolverProcesses(1), SolverProcesses(3)
    try:
        forth = [alone.ask(question(total)) for total in TOTALS]
        back = [several.ask(question(total)) for total in reversed(TOTALS)]
        answers = [one.answer() for one in forth]
        assert [one.answer() for one in reversed(back)] == answers
    finally:
        alone.close()
        several.close()
    for total, answer in zip(TOTALS, answers, strict=True):
        assert answer.values is not None
        x, y = answer.values["/x"], answer.values["/y"]
        assert isinstance(x, int)
        assert isinstance(y, int)
        assert x < y
        assert x * x + y * y == total


IN_ORDER = """
import json, sys
for number, line in enumerate(sys.stdin):
    print(json.dumps({"reason": str(number)}), flush=True)
"""


def test_questions_of_a_lower_rank_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    solvers = SolverProcesses(1, (sys.executable, "-c", IN_ORDER))
    may_begin = Event()
    started = solver_processes._Process._started

    def late(process: solver_processes._Process) -> subprocess.Popen[bytes] | None:
        may_begin.wait(60)
        return started(process)

    monkeypatch.setattr(solver_processes._Process, "_started", late)
    try:
        tickets = [solvers.ask(question(total), rank) for total, rank in ((25, 5), (100, 3), (169, 1), (225, 3))]
        may_begin.set()
        _, second, third, fourth = (int(ticket.answer().reason) for ticket in tickets)
    finally:
        solvers.close()
    assert third < second < fourth, "the first one may have been begun before the others were there"


CRASHES_ONCE = """
import os, sys
mark = sys.argv[1]
line = sys.stdin.readline()
if not os.path.exists(mark):
    open(mark, "w").close()
    os.abort()
print('{"reason": "no such values"}', flush=True)
"""


def test_a_crash_costs_the_question(tmp_path: FilePath) -> None:
    command = (sys.executable, "-c", CRASHES_ONCE, str(tmp_path / "mark"))
    solvers = SolverProcesses(1, command)
    try:
        first, second = solvers.ask(question(25)), solvers.ask(question(100))
        assert first.answer().reason == HAS_ENDED
        assert second.answer().reason == "no such values"
    finally:
        solvers.close()


@pytest.mark.parametrize("said", ["nonsense", '{"values": 4}', "[]"])
def test_nonsense_costs_the_question(said: str) -> None:
    solvers = SolverProcesses(1, (sys.executable, "-c", f"input(); print({said!r}, flush=True); input()"))
    try:
        assert solvers.ask(question(25)).answer().reason == NONSENSE
    finally:
        solvers.close()


def test_a_solver_that_does_not_answer_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_processes, "MAX_WAIT_S", 0.05)
    solvers = SolverProcesses(1, (sys.executable, "-c", "import time; input(); time.sleep(600)"))
    try:
        assert solvers.ask(question(25)).answer().reason == OUT_OF_TIME
    finally:
        solvers.close()


def test_a_solver_has_time_of_its_processor_not_of_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_processes, "MAX_WORK_S", 0.5)
    monkeypatch.setattr(solver_processes, "LOOK_S", 0.05)
    waits = 'import time; input(); time.sleep(0.6); print(\'{"reason": "late"}\', flush=True)'
    works = "input()\nwhile True: pass"
    for program, reason in ((waits, "late"), (works, OUT_OF_TIME)):
        solvers = SolverProcesses(1, (sys.executable, "-c", program))
        try:
            assert solvers.ask(question(25)).answer().reason == reason
        finally:
            solvers.close()


def test_closing_answers_what_is_open() -> None:
    solvers = SolverProcesses(1, (sys.executable, "-c", "import time; time.sleep(600)"))
    ticket = solvers.ask(question(25))
    solvers.close()
    assert ticket.answer().reason == HAS_ENDED


def test_a_search_with_a_budget_in_time_waits_for_no_answer_beyond_its_share() -> None:
    solvers = SolverProcesses(1, (sys.executable, "-c", "import time; input(); time.sleep(600)"))
    try:
        assert solvers.ask(question(25)).answer(0.2).reason == UNREAD
    finally:
        solvers.close()


@pytest.mark.parametrize(("are_awaited", "niceness"), [(True, 0), (False, 10)])
def test_solvers_that_the_search_waits_for_are_not_put_back_behind_others(monkeypatch, are_awaited, niceness):
    program = "import sys; input(); print('{\"reason\": \"' + sys.argv[1] + '\"}', flush=True); input()"
    monkeypatch.setattr(solver_processes, "COMMAND", (sys.executable, "-c", program))
    solvers = Solvers(are_awaited=are_awaited)
    try:
        assert solvers.ask(question(5), 0).answer().reason == str(niceness)
    finally:
        solvers.close()
