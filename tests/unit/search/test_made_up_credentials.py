"""Credentials that were not given, and operations that need not be sent all of them."""

from random import Random

from fake_sut import operation

from wimble.http.entrances import with_entrances
from wimble.model.evaluation import Evaluation
from wimble.search.access.made_up import made_up_credentials
from wimble.search.archive.archive import Improvement
from wimble.search.generators.entrance.made_up_credentials import MAX_VAIN, MadeUpCredentials
from wimble.search.generators.generator import Outcome, Proposal
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings

API = with_entrances([operation("GET", f"/part{number}") for number in range(3 * MAX_VAIN)])

USUAL = len(list(made_up_credentials((), Random(1))))


def sent(improvement_of):
    """Returns the number of credentials that are sent. improvement_of: what each of them, by number, has shown."""
    sampler = Sampler(API, Settings(), Random(1))
    sampler.access.denied.update({one.id: one for one in API})
    generator = MadeUpCredentials(API, sampler.access, sampler)
    evaluation = Evaluation(test_case=sampler.sample(), observations=(), reached={})
    generator.observe(Outcome(Proposal(evaluation.test_case), evaluation, Improvement()))
    n_sent = 0
    while generator.is_ready():
        proposal = generator.propose(0.5)
        if proposal is not None:
            n_sent += 1
            one = Evaluation(test_case=proposal.test_case, observations=(), reached={})
            generator.observe(Outcome(proposal, one, improvement_of(n_sent)))
    return n_sent


def test_a_credential_that_shows_nothing_new_is_sent_to_some_operations_only():
    assert sent(lambda _: Improvement()) == USUAL * MAX_VAIN


def test_a_credential_that_shows_something_new_now_and_then_is_sent_to_all():
    assert sent(lambda _: Improvement(newly_covered=(1,))) == USUAL * len(API)
