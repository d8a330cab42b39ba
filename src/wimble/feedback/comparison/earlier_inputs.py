"""Operands that the program has kept from an earlier call: `user.role`, of a user who has signed up in the test case.

Nothing of the call itself is that value, which may be a default, or missing, because the earlier call left the member
out. The edits give an earlier call a member of the name by which the operand was read.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from wimble.feedback.comparison.named_members import TEXT_COST, places_named
from wimble.feedback.comparison.omitted_inputs import NAMED_COST, is_site_named
from wimble.feedback.comparison.question import OperandPair
from wimble.feedback.edit import Proposal, proposal
from wimble.feedback.input_to_state.operand_sources import OTHER_CALL_COST, InputIndex
from wimble.feedback.input_to_state.origin import Place
from wimble.model.operands import Operand
from wimble.model.testcase import Call
from wimble.types import ABSENT

MAX_CALLS = 3
"""Number of earlier calls, the latest ones, that may have stored the value."""
MAX_VALUES = 2
"""Number of values that are tried in each place."""
MAX_SITES = 2
"""Number of inputs of one call that have the name."""


def earlier_input_edits(pair: OperandPair, index: InputIndex, rng: Random) -> Iterator[Proposal]:
    """Yields edits of earlier calls that send something, for an operand that was read from an object by its name."""
    _, dot, name = pair.name.rpartition(".")
    if not dot or not name or name.isdigit():
        return
    is_left = pair.right is not ABSENT or pair.left is ABSENT
    mine, other = (pair.left, pair.right) if is_left else (pair.right, pair.left)
    question = pair.question(mine, other, is_left=is_left)
    wanted = [value for value in question.candidates(index.values, rng) if value is not ABSENT][:MAX_VALUES]
    if not wanted:
        return
    calls = index.test_case.calls
    earlier = [at for at in range(index.call - 1, -1, -1) if _stores(calls[at])][:MAX_CALLS]
    for distance, at in enumerate(earlier):
        for rank, value in enumerate(wanted):
            for place in _places(name, value, index, at):
                why = question.because(f"{pair.name} of an earlier call, {value!r:.60}")
                yield proposal(pair.target, NAMED_COST + OTHER_CALL_COST + distance + rank, [place], why)


def _stores(call: Call) -> bool:
    """Whether the call may have made the program keep something that it has sent."""
    operation = call.operation
    if operation.is_safe or operation.entrance == "login":
        return False
    return any(given.role == "content" for given in operation.inputs)


def _places(name: str, value: Operand, index: InputIndex, call: int) -> Iterator[Place]:
    sites = [site for site in index.sites if site.address.call == call and site.is_free()]
    named = [site for site in sites if is_site_named(site, name, index.test_case)][:MAX_SITES]
    for site in named:
        place = site.put(value)
        if place is not None:
            yield place
    if not named:
        added = places_named(name, value, index.test_case, call)
        # That a text of an earlier call is a document with this member is too far-fetched.
        yield from (place for cost, place in added if cost < TEXT_COST)
