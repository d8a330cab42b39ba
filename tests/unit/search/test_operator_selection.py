"""The table of generators: who is asked, in which order, and who is told."""

from random import Random

import pytest

from wimble.model.evaluation import Evaluation
from wimble.model.testcase import TestCase
from wimble.search.archive.archive import Improvement
from wimble.search.credit import Credit
from wimble.search.generators.generator import OWN_PROPOSALS, Generator, Outcome, Proposal
from wimble.search.generators.operator_selection import (
    LEAST_KEPT_SHARE,
    OperatorSelection,
    Row,
    by_credit_against,
    in_part,
    while_true,
    with_probability,
)


class Scripted(Generator):
    """Has so many test cases."""

    def __init__(self, left=0, *, is_ready=True):
        super().__init__()
        self.left = left
        self.told = []
        self._is_ready = is_ready

    def is_ready(self):
        return self._is_ready

    def propose(self, progress):
        if self.left <= 0:
            return None
        self.left -= 1
        return Proposal(TestCase(()), self)

    def observe(self, outcome):
        self.told.append(outcome)


def test_the_first_generator_that_has_something_proposes():
    empty, two, last = Scripted(), Scripted(2), Scripted(5)
    selection = OperatorSelection([Row(empty), Row(two), Row(last)])
    assert [selection.propose(0.0).generator for _ in range(3)] == [two, two, last]


def test_where_none_has_anything_there_is_no_proposal():
    assert OperatorSelection([Row(Scripted())]).propose(0.0) is None


def test_a_generator_that_is_not_ready_costs_no_random_number():
    rng = Random(1)
    before = rng.getstate()
    selection = OperatorSelection([Row(Scripted(9, is_ready=False), with_probability(0.5, rng)), Row(Scripted(9))])
    for _ in range(5):
        selection.propose(0.0)
    assert rng.getstate() == before


def test_a_probability_gives_a_part_of_the_turns():
    rare, last = Scripted(1_000), Scripted(1_000)
    selection = OperatorSelection([Row(rare, with_probability(0.1, Random(1))), Row(last)])
    proposed = [selection.propose(0.0).generator for _ in range(1_000)]
    assert 70 < proposed.count(rare) < 130


def test_what_a_generator_has_earned_decides_how_often_it_has_a_turn():
    rare, last = Scripted(1_000), Scripted(1_000)
    for _ in range(100):
        rare.credit.add(is_success=False)
        last.credit.add(is_success=True)
    selection = OperatorSelection([Row(rare, by_credit_against(last.credit, Random(1))), Row(last)])
    proposed = [selection.propose(0.0).generator for _ in range(1_000)]
    assert 0 < proposed.count(rare) < 30
    assert Credit().expected_reward == 0.25


def test_all_generators_are_told_of_each_evaluation():
    first, second = Scripted(1), Scripted(1)
    selection = OperatorSelection([Row(first), Row(second)])
    proposal = selection.propose(0.0)
    evaluation = Evaluation(test_case=proposal.test_case, observations=(), reached={})
    outcome = Outcome(proposal, evaluation, Improvement())
    selection.observe(outcome)
    assert first.told == second.told == [outcome]


class LearnsFromRefusals(Scripted):
    learns_from = "refused_setup"


class LearnsFromItsOwn(Scripted):
    learns_from = OWN_PROPOSALS


def test_a_generator_is_told_of_what_it_can_learn_from_and_of_its_own_proposals():
    refusals, own, other = LearnsFromRefusals(1), LearnsFromItsOwn(1), Scripted()
    selection = OperatorSelection([Row(refusals), Row(own), Row(other)])
    by_refusals, by_own = selection.propose(0.0), selection.propose(0.0)
    plain = Evaluation(test_case=TestCase(()), observations=(), reached={})
    with_refusal = Evaluation(test_case=TestCase(()), observations=(), reached={}, refused_setup=(0,))
    outcomes = [
        Outcome(Proposal(TestCase(())), plain, Improvement()),
        Outcome(Proposal(TestCase(())), with_refusal, Improvement()),
        Outcome(by_refusals, plain, Improvement()),
        Outcome(by_own, plain, Improvement()),
    ]
    for outcome in outcomes:
        selection.observe(outcome)
    assert other.told == outcomes
    assert refusals.told == outcomes[1:3]
    assert own.told == outcomes[3:]


def test_a_generator_in_two_rows_comes_early_while_a_condition_holds_and_is_told_once():
    twice, other = Scripted(9), Scripted(9)
    early = []
    selection = OperatorSelection(
        [Row(twice, while_true(lambda: bool(early), lambda generator, progress: True)), Row(other), Row(twice)]
    )
    assert selection.propose(0.0).generator is other
    early.append(True)
    assert selection.propose(0.0).generator is twice
    evaluation = Evaluation(test_case=TestCase(()), observations=(), reached={})
    selection.observe(Outcome(Proposal(TestCase(()), twice), evaluation, Improvement()))
    assert len(twice.told) == 1


def test_turns_in_part_come_in_the_share_that_holds_now_and_never_end():
    succeeded = 0.0
    admission = in_part(0.5, lambda: succeeded, Random(1))

    def n_admitted():
        return sum(admission(Scripted(), 0.0) for _ in range(1000))

    assert abs(n_admitted() - 500 * LEAST_KEPT_SHARE) < 40
    succeeded = 0.6
    assert abs(n_admitted() - 300) < 40
    succeeded = 1.0
    assert abs(n_admitted() - 500) < 40


class Failing(Scripted):
    """Has a mistake in one of its methods."""

    def __init__(self, method):
        super().__init__(9)
        setattr(self, method, self._fail)

    def observe(self, outcome):
        self.told.append(outcome)

    def prepare(self):
        pass

    def _fail(self, *_):
        raise OverflowError("too late")


@pytest.mark.parametrize("method", ["propose", "observe", "prepare", "join", "is_ready"])
def test_a_generator_that_fails_is_left_out_and_told_of_once(method):
    failing, other = Failing(method), Scripted(9)
    selection = OperatorSelection([Row(failing), Row(other)])
    evaluation = Evaluation(test_case=TestCase(()), observations=(), reached={})
    outcome = Outcome(Proposal(TestCase(()), failing), evaluation, Improvement())
    for _ in range(2):
        selection.prepare()
        selection.join(())
        proposal = selection.propose(0.0)
        selection.observe(outcome)
    assert proposal.generator is other
    assert other.told == [outcome, outcome]
    (told,) = selection.take_failures()
    assert "OverflowError: too late at test_operator_selection.py:" in told
    assert "without Failing" in told
    assert selection.take_failures() == []
