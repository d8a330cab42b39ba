"""New test cases are made ahead while the SUT works, one at a time."""

from random import Random

import pytest
from api import API

from wimble.search.generators.operator_selection import OperatorSelection, Row
from wimble.search.generators.samples.new_test_cases import NewTestCases
from wimble.search.sampling.sampler import Sampler
from wimble.search.sampling.violations import NoViolations
from wimble.settings import Settings


class Counting(Sampler):
    """Counts the test cases that it has made."""

    n_made = 0

    def sample(self):
        self.n_made += 1
        return super().sample()


@pytest.fixture
def sampler():
    return Counting(API, Settings(), Random(1))


def test_one_is_made_ahead_after_each_that_was_proposed(sampler):
    selection = OperatorSelection([Row(NewTestCases(sampler, NoViolations()))])
    selection.prepare()
    assert sampler.n_made == 0, "nothing says yet that there will be a turn"
    selection.propose(0.0)
    selection.prepare()
    selection.prepare()
    assert sampler.n_made == 2
    selection.propose(0.0)
    assert sampler.n_made == 2, "that was the one made ahead"
    selection.propose(0.0)
    assert sampler.n_made == 3, "none was made ahead"


def test_those_made_ahead_are_proposed_in_the_order_in_which_they_were_made(sampler):
    made_ahead, at_once = NewTestCases(sampler, NoViolations()), Sampler(API, Settings(), Random(1))
    proposed = []
    for _ in range(20):
        proposed.append(made_ahead.propose(0.0).test_case)
        made_ahead.prepare()
    assert proposed == [at_once.sample() for _ in range(20)]
