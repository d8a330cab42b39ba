"""Rules of a second check are broken in calls that have succeeded, each once."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from fake_sut import operation

from wimble.genes import StringGene
from wimble.model.testcase import Call, TestCase
from wimble.search.generators.generator import Outcome
from wimble.search.generators.probes.second_check_probes import MAX_WAITING, SecondCheckProbes
from wimble.search.sampling.violations import NoViolations

FIRST, SECOND = (Call(operation("POST", path, name=StringGene("a")), (StringGene("a"),)) for path in ("/a", "/b"))


class Violations(NoViolations):
    """Breaks the rule of calls of one operation, so often."""

    def __init__(self, broken: Call, n_rules: int = 1) -> None:
        self._operation = broken.operation
        self._n_rules = n_rules

    def of_second_check(self, call: Call) -> Call:
        if call.operation is not self._operation or self._n_rules == 0:
            return call
        self._n_rules -= 1
        return call.with_gene(0, StringGene("too long"))


def outcome(*outcomes: str, n_kept: int = 0) -> Outcome:
    calls = (FIRST, SECOND)[: len(outcomes)]
    observations = [SimpleNamespace(call_index=at, outcome=one) for at, one in enumerate(outcomes)]
    evaluation = SimpleNamespace(test_case=TestCase(calls), observations=observations, n_kept=n_kept)
    return cast(Outcome, SimpleNamespace(evaluation=evaluation))


def texts(probes: SecondCheckProbes) -> list[list[Any]]:
    found = []
    while (proposal := probes.propose(0.0)) is not None:
        found.append([call.genes[0].phenotype() for call in proposal.test_case.calls])
    return found


def test_the_calls_before_it_stay_and_those_behind_it_are_left_out() -> None:
    for broken, expected in ((FIRST, [["too long"]]), (SECOND, [["a", "too long"]])):
        probes = SecondCheckProbes(Violations(broken))
        assert not probes.is_ready()
        probes.observe(outcome("ok", "ok"))
        probes.observe(outcome("ok", "ok"))
        assert probes.is_ready()
        assert texts(probes) == expected


def test_calls_that_were_refused_or_not_sent_tell_of_no_second_check() -> None:
    probes = SecondCheckProbes(Violations(FIRST))
    probes.observe(outcome("refused", "ok"))
    probes.observe(outcome("ok", "ok", n_kept=1))
    assert texts(probes) == []


def test_few_wait() -> None:
    probes = SecondCheckProbes(Violations(FIRST, n_rules=MAX_WAITING + 9))
    for _ in range(MAX_WAITING + 9):
        probes.observe(outcome("ok"))
    assert len(texts(probes)) == MAX_WAITING
