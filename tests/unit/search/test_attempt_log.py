"""The attempts counts what was tried for a target, and remembers operands within bounds."""

from __future__ import annotations

from random import Random

from api import API
from fake_sut import FakeSut

from wimble.model.evaluation import Evaluation
from wimble.model.hints import ComparisonHint
from wimble.model.testcase import TestCase
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.search.attempt_log import MAX_EDITS, MAX_RECENT, AttemptLog
from wimble.search.mio import MioStrategy
from wimble.settings import Settings
from wimble.types import TargetId

FIRST, SECOND = TargetId(1), TargetId(2)


def stubborn(operation_id, values, probe, state):
    """A comparison that an input reaches and no input passes."""
    title = values.get("body", {}).get("title")
    if operation_id == "POST /books" and isinstance(title, str):
        probe.equals(1, title.upper(), "Never")
    return 200, {}


def evaluation(*lefts: tuple[TargetId, int]) -> Evaluation:
    hints = tuple(
        ComparisonHint(target=target, call=0, operator="identical", left=left, right=0, wanted=True)
        for target, left in lefts
    )
    return Evaluation(test_case=TestCase(()), observations=(), reached={}, hints=hints)


def test_counts_are_those_of_the_target_worked_on() -> None:
    attempts = AttemptLog()
    attempts.note_choice(FIRST)
    attempts.note(evaluation(), FIRST, edit="why")
    attempts.note(evaluation(), FIRST, edit="why")
    attempts.note(evaluation(), FIRST, mutation="values")
    attempts.note_improvement([FIRST])
    attempts.note(evaluation(), None)
    effort = attempts.attempts_at(FIRST)
    assert (effort.samplings, effort.evaluations, effort.last_improvement) == (1, 3, 3)
    assert (effort.edits, effort.mutations) == ({"why": 2}, {"values": 1})
    assert attempts.attempts_at(SECOND).evaluations == 0


def test_edits_are_bounded() -> None:
    attempts = AttemptLog()
    for number in range(MAX_EDITS + 5):
        attempts.note(evaluation(), FIRST, edit=str(number))
    assert len(attempts.attempts_at(FIRST).edits) == MAX_EDITS
    assert attempts.attempts_at(FIRST).other_edits == 5


def test_latest_operands_are_the_latest_and_survive_for_targets_worked_on() -> None:
    attempts = AttemptLog()
    attempts.note(evaluation((FIRST, 1), (SECOND, 7)), FIRST)
    attempts.note(evaluation((FIRST, 2)), None)
    assert [hint.left for hint in attempts.latest_hints()[FIRST]] == [2]
    assert [hint.left for hint in attempts.latest_hints()[SECOND]] == [7]
    for _ in range(MAX_RECENT):
        attempts.note(evaluation((TargetId(3), 0)), None)
    assert [hint.left for hint in attempts.latest_hints()[FIRST]] == [1]
    assert SECOND not in attempts.latest_hints()


def test_a_search_fills_it() -> None:
    sut = FakeSut(stubborn, with_hints=True)
    strategy = MioStrategy(API, sut.table, Settings(), Random(2), JAVASCRIPT)
    n_edits = 0
    for count in range(600):
        test_case = strategy.next_test_case(count / 600)
        n_edits += strategy.is_edit(test_case)
        strategy.observe(sut.evaluate(test_case), count / 600)
        assert not strategy.is_edit(test_case), "it is told of what was not observed yet"
    assert 0 < n_edits < 600
    targets = [TargetId(number) for number in range(len(sut.table))]
    efforts = [strategy.attempts.attempts_at(target) for target in targets]
    assert sum(effort.samplings for effort in efforts) > 0
    assert any(effort.last_improvement for effort in efforts)
    assert any(effort.edits for effort in efforts)


def test_an_entry_keeps_what_the_agent_said_when_its_edits_are_used_up() -> None:
    sut = FakeSut(stubborn, with_hints=True)
    strategy = MioStrategy(API, sut.table, Settings(), Random(2), JAVASCRIPT)
    for count in range(60):
        strategy.observe(sut.evaluate(strategy.next_test_case(count / 600)), count / 600)
    told = [
        (target, best[0])
        for target in map(TargetId, range(len(sut.table)))
        if (best := strategy.archive.best(target)) is not None and best[0].hints(target)
    ]
    assert told
    for target, entry in told:
        while entry.next_edit(target, Random(1), JAVASCRIPT) is not None:
            pass
        assert not entry.has_edits(target)
        assert entry.hints(target)
