"""Chooses the two calls that are sent at once, and what comes before them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest
from typing import Final, NamedTuple

from msgspec.structs import replace

from wimble.engine.session.coordinator import Coordinator
from wimble.genes import Gene, IntegerGene, NumberGene, OptionalGene, ReferenceGene, iter_genes, replaced_at
from wimble.model.operation import Input, Operation
from wimble.model.suite import VerifiedTest
from wimble.model.testcase import Call, TestCase
from wimble.search.resources.references import reordered
from wimble.types import TargetId

MAX_PER_OPERATION: Final = 2
"""Maximum number of test cases that are tried for one operation."""
MAX_SPARE: Final = 2
"""Number of further ones that are tried if none of them could be compared."""
MAX_MEMBERS: Final = 20
"""Maximum number of optional inputs that are added to one input of a call."""


class CallPair(NamedTuple):
    test_case: TestCase
    """Its last call is the first of the two."""
    second: Call
    is_spare: bool = False
    """Whether it is needed only if no other pair of the operation could be compared."""
    is_guess: bool = False
    """Whether it is not known that its first call succeeds."""


def pairs_of_calls(coordinator: Coordinator, tests: Sequence[VerifiedTest]) -> Iterator[CallPair]:
    """Yields test cases that end with a successful call which may change something, and a second call.

    The second call is one that was refused after the first, such as a booking of the last seat, or has the same inputs;
    where there are several users, there is also one of another user. The test cases are beginnings of verified tests:
    they succeed on a freshly started SUT, and those of the search often do not.
    """
    known = []
    for operation in coordinator.specification.operations:
        if not operation.is_safe:
            pairs = _without_repeats([*_refused_after_success(tests, operation), *_called_twice(tests, operation)])
            found, more = pairs[:MAX_PER_OPERATION], pairs[MAX_PER_OPERATION:][:MAX_SPARE]
            found = found or [CallPair(one, one.calls[-1]) for one in _of_search(coordinator, operation)]
            spare = (one._replace(is_spare=True) for one in more)
            known.append([*found, *_with_all_members(found), *_with_small_numbers(found), *spare])
    # Each operation comes once before any comes again.
    for pair in chain.from_iterable(zip_longest(*known)):
        if pair is None:
            continue
        yield pair
        user = pair.second.user
        others = [one.name for one in coordinator.settings.users if one.name != user]
        if user and others:
            yield pair._replace(second=replace(pair.second, user=others[0]))


def _without_repeats(pairs: Sequence[CallPair]) -> list[CallPair]:
    """Returns the pairs without those whose two calls are the same as those of an earlier one, after the same setup."""
    kept: list[CallPair] = []
    for pair in pairs:
        calls, setup = (pair.test_case.calls[-1], pair.second), pair.test_case.setup
        if all((one.test_case.calls[-1], one.second) != calls or one.test_case.setup != setup for one in kept):
            kept.append(pair)
    return kept


def _with_all_members(pairs: Sequence[CallPair]) -> Iterator[CallPair]:
    """Yields the first pair that makes something and leaves out optional inputs, with all of them in both calls.

    Tests are minimised, so that they leave out an address that is looked for before it is stored, if there is one.
    """
    for pair in pairs:
        *before, call = pair.test_case.calls
        if call.operation.effect == "create":
            full = replace(call, genes=tuple(map(_complete, call.operation.inputs, call.genes)))
            if full != call:
                yield CallPair(TestCase((*before, full), pair.test_case.setup), full, is_guess=True)
                return


def _complete(given: Input, root: Gene) -> Gene:
    """Returns the value with its optional members, which have the values that they had in the search."""
    for _ in range(MAX_MEMBERS if given.role != "subject" else 0):
        absent = next(((path, gene) for path, gene in iter_genes(root) if _is_absent(gene)), None)
        if absent is None:
            break
        path, gene = absent
        root = replaced_at(root, path, replace(gene, is_present=True))
    return root


def _is_absent(gene: Gene) -> bool:
    return isinstance(gene, OptionalGene) and not gene.is_present


def _with_small_numbers(pairs: Sequence[CallPair]) -> Iterator[CallPair]:
    """Yields the first pair whose calls send numbers, with 1 in their place, as a spare one.

    What there is often suffices for one call only: to take the rest of a stock twice is refused, or fails.
    """
    for pair in pairs:
        *before, call = pair.test_case.calls
        small = replace(call, genes=tuple(map(_small, call.operation.inputs, call.genes)))
        if small != call:
            yield CallPair(TestCase((*before, small), pair.test_case.setup), small, is_spare=True)
            return


def _small(given: Input, root: Gene) -> Gene:
    if given.role == "subject":
        return root
    for path, gene in iter_genes(root):
        number = gene.phenotype() if isinstance(gene, IntegerGene | NumberGene) else 0
        small = gene.with_value(1) if isinstance(number, int | float) and number > 1 else None
        root = root if small is None else replaced_at(root, path, small)
    return root


def _refused_after_success(tests: Sequence[VerifiedTest], operation: Operation) -> Iterator[CallPair]:
    """Yields the shortest test in which an operation is refused after it has succeeded, without what comes between."""
    found = (one for test in tests if (one := _refused_pair(test, operation)) is not None)
    yield from sorted(found, key=lambda one: _length(one.test_case))[:1]


def _refused_pair(test: VerifiedTest, operation: Operation) -> CallPair | None:
    calls, outcomes = test.test_case.calls, [one.observation.outcome for one in test.calls]
    succeeded: int | None = None
    for number, call in enumerate(calls):
        if call.operation is operation and outcomes[number] == "ok":
            succeeded = number
        elif call.operation is operation and outcomes[number] == "refused" and succeeded is not None:
            if any(_refers_to(gene, succeeded) for gene in call.genes):
                return None  # the second call needs the answer of the first one
            pair = reordered(test.test_case, [*range(succeeded + 1), number])
            return CallPair(TestCase(pair.calls[:-1], pair.setup), pair.calls[-1])
        elif succeeded is not None and not call.operation.is_safe:
            succeeded = None  # what comes between may be why it is refused
    return None


def _refers_to(root: Gene, index: int) -> bool:
    return any(isinstance(gene, ReferenceGene) and gene.call == index for _, gene in iter_genes(root))


def _called_twice(tests: Sequence[VerifiedTest], operation: Operation) -> Iterator[CallPair]:
    found = (one for test in tests if (one := test.beginning(operation)) is not None)
    for test_case in sorted(found, key=_length):
        yield CallPair(test_case, test_case.calls[-1])


def _length(test_case: TestCase) -> tuple[int, int]:
    return len(test_case.calls), len(test_case.setup)


def _of_search(coordinator: Coordinator, operation: Operation) -> Iterator[TestCase]:
    """Yields the first test case of the archive in which an operation succeeds."""
    for number, target in enumerate(coordinator.table):
        if target.kind == "status" and target.operation == operation.id and target.outcome.startswith("2"):
            test_case = coordinator.strategy.archive.solution(TargetId(number))
            if test_case is not None and test_case.calls[-1].operation is operation:
                yield test_case
                return
