"""What a generator proposes after evaluations, for tests of generators."""

from collections.abc import Iterable

from wimble.model.evaluation import Evaluation
from wimble.model.testcase import TestCase
from wimble.search.archive.archive import Improvement
from wimble.search.generators.generator import Generator, Outcome, Proposal


def proposed_after(generator: Generator, evaluations: Iterable[Evaluation]) -> list[TestCase]:
    """Returns all test cases that it proposes, until it is not ready any more."""
    for one in evaluations:
        generator.observe(Outcome(Proposal(one.test_case), one, Improvement()))
    found = []
    while generator.is_ready():
        proposal = generator.propose(0.5)
        if proposal is not None:
            found.append(proposal.test_case)
    return found
