"""Operands that are undefined, null or a default because an input was left out.

The edits include the input, or add a member that no object has yet. The name of what the operand was read from tells
which input it may be (`query.dueBefore`).
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from wimble.feedback.answers.answer_places import places_in_answers
from wimble.feedback.comparison.named_members import names_down_to, places_in_columns, places_named, plain_path
from wimble.feedback.comparison.question import OperandPair, Question
from wimble.feedback.edit import Proposal, proposal
from wimble.feedback.input_to_state.input_sites import Site, sampled_sites
from wimble.feedback.input_to_state.operand_sources import InputIndex
from wimble.model.testcase import GeneAddress, TestCase
from wimble.types import ABSENT

NAMED_COST = 0
"""Cost for an input with the name of what the operand was read from."""
OMITTED_COST = 3
"""Cost for any other input, since an undefined operand may be any of the inputs that were left out."""
MAX_INCLUDED = 4
"""Number of omitted inputs that are tried for one undefined operand."""
MAX_MEMBER_VALUES = 2
"""Number of values that are tried for a member that does not exist."""


def omitted_input_edits(pair: OperandPair, question: Question, index: InputIndex, rng: Random) -> Iterator[Proposal]:
    """Yields edits of inputs that were left out or null: with a wanted value, or with any value if none is known."""
    within_reach = (*index.sites_of_call(), *index.sites_of_answers())
    empty = [site for site in within_reach if (site.value is ABSENT or site.value is None) and site.is_free()]
    named = [site for site in empty if pair.name and is_named(site.address, pair.name, index.test_case)]
    named = named[:MAX_INCLUDED]
    others = sampled_sites([site for site in empty if site not in named], MAX_INCLUDED - len(named), rng)
    yield from _included(pair, question, named, index, rng, cost=NAMED_COST)
    yield from _included(pair, question, others, index, rng, cost=OMITTED_COST)


def default_edits(pair: OperandPair, index: InputIndex, rng: Random) -> Iterator[Proposal]:
    """Yields edits for a value that no input sent: it may be the default of an input that was left out.

    The program or its framework may have set the default; or a client library, for a member that an answer lacks
    (`error.decline_code ?? ''`).
    """
    omitted = [site for site in index.sites_of_call() if site.value is ABSENT and site.is_free()]
    named = [site for site in omitted if is_named(site.address, pair.name, index.test_case)][:MAX_INCLUDED]
    question = pair.question(pair.left, pair.right, is_left=True)
    yield from _included(pair, question, named, index, rng, cost=NAMED_COST)
    if pair.left == "" and "." in pair.name:
        for rank, value in enumerate(question.candidates(index.values, rng)[:MAX_MEMBER_VALUES]):
            for cost, place in places_in_answers(pair.name, value, index.test_case):
                why = question.because(f"{pair.name} put in, {value!r:.60}")
                yield proposal(pair.target, cost + rank, [place], why)


def new_member_edits(pair: OperandPair, index: InputIndex, rng: Random) -> Iterator[Proposal]:
    """Yields edits for an undefined operand that may be a member of that name that no object has yet."""
    is_left = pair.left is ABSENT
    question = pair.question(ABSENT, pair.right if is_left else pair.left, is_left=is_left)
    for rank, value in enumerate(question.candidates(index.values, rng)[:MAX_MEMBER_VALUES]):
        places = places_named(pair.name, value, index.test_case, pair.call)
        in_setup = (
            *places_in_columns(pair.name, value, index.test_case),
            *places_in_answers(pair.name, value, index.test_case),
        )
        for cost, place in (*places, *in_setup):
            why = question.because(f"{pair.name} put in, {value!r:.60}")
            yield proposal(pair.target, cost + rank, [place], why)


def _included(
    pair: OperandPair, question: Question, sites: list[Site], index: InputIndex, rng: Random, *, cost: int
) -> Iterator[Proposal]:
    wanted = [value for value in question.candidates(index.values, rng) if value is not ABSENT and value is not None]
    for site in sites:
        is_written = False
        for rank, value in enumerate(wanted):
            place = site.put(value)
            if place is not None:
                is_written = True
                why = question.because(f"left out so far, {value!r:.60}")
                yield proposal(pair.target, cost + rank, [place], why)
        if not is_written or question.is_met_by_most_values:
            fresh = site.gene.mutated(rng, 0.0)
            why = question.because("left out so far, any value")
            yield proposal(pair.target, cost + 1, [(site.address, fresh)], why)


def is_named(address: GeneAddress, name: str, test_case: TestCase) -> bool:
    """Whether the input or column has the name that was read; `dueBefore` and `due_before` are the same name."""
    own, read = plain_path(_own_name(address, test_case)), plain_path(name)
    return bool(own) and (read == own or read.endswith("." + own))


def is_site_named(site: Site, name: str, test_case: TestCase) -> bool:
    """The same for a site, which may be a member of a document of any shape."""
    if not site.inner:
        return is_named(site.address, name, test_case)
    own, read = plain_path(str(site.inner[-1])), plain_path(name)
    return read == own or read.endswith("." + own)


def _own_name(address: GeneAddress, test_case: TestCase) -> str:
    names = names_down_to(test_case, address)
    return names[-1] if names else ""
