"""Test cases in which a call uses a resource that was removed or changed a moment ago.

What refers to a removed resource (a rental of a tool, a total over all rentals) often fails, since nobody expected it,
and caches answer what was there before. No target leads there: the code is covered already. So each operation that has
succeeded is tried again after a call that removes, or changes, a resource that the test case uses: one that a call
names in its path, in a member such as `toolId`, or by a reference to the call that has made it. One that has only
failed so far is tried once, since it may fail elsewhere. Before, the resource is read, so that caches know it.
Operations that only read and name no resource are tried after each removal, too.

What a summary elsewhere keeps of a changed resource shows if it is read before the change as well. That is tried for
reads that ask a database for the table that the change writes; what they are asked for (a shelf) is what the resource
was made with.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from wimble.genes import Gene, ReferenceGene
from wimble.model.evaluation import Evaluation
from wimble.model.operation import Operation
from wimble.model.resource_names import ONE, Place, plain_name
from wimble.model.testcase import Call, TestCase
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.generators.variations.used_tables import UsedTables
from wimble.search.resources.input_names import iter_named_genes
from wimble.search.resources.references import inserted, iter_references
from wimble.search.sampling.sampler import Sampler

PROBABILITY: Final = 0.15
"""Probability of having a turn, while such a test case waits."""
MAX_TRIES: Final = 3
"""Number of test cases for one operation and one that removes or changes a resource: the first may use a resource that
is not there, or whose state does not allow it."""
MAX_VAIN: Final = 6
"""Number of these test cases in which nothing was removed or changed, and that do not count."""
MAX_CALLS: Final = 5
"""Maximum number of calls of the test case that is extended."""
MAX_WAITING: Final = 256


class _Used(msgspec.Struct, frozen=True):
    """A resource that a call of a test case uses."""

    gene: Gene
    """Its identity, as the call sends it."""
    nouns: frozenset[str] = frozenset()
    scope: Place = ()
    """Place of its collection; () if only its noun is known."""
    creator: Operation | None = None


class _Attempt(msgspec.Struct, frozen=True):
    """A test case that waits, with its act."""

    test_case: TestCase
    pair: tuple[str, str]
    """The operation that uses the resource, and the act's."""


class _ActProposal(Proposal):
    pair: tuple[str, str] = ("", "")


class UsedResources(Generator):
    """Proposes these test cases, the oldest first."""

    def __init__(self, operations: Sequence[Operation], sampler: Sampler, max_calls: int) -> None:
        """max_calls: maximum number of calls of a test case."""
        super().__init__()
        self._sampler = sampler
        self._max_calls = max_calls
        self._acting: list[Operation] = []
        self._totals: list[Operation] = []
        self._reads: list[Operation] = []
        self._readers: dict[Place, Operation] = {}
        self._waiting: deque[_Attempt] = deque()
        self._tries: Counter[tuple[str, str]] = Counter()
        self._vain: Counter[tuple[str, str]] = Counter()
        self._tables = UsedTables()
        self._succeeded: set[str] = set()
        self._failed: set[str] = set()
        self.join(operations)

    def join(self, operations: Sequence[Operation]) -> None:
        self._acting += [one for one in operations if one.effect in ("remove", "replace", "change") and one.subjects]
        self._reads += [one for one in operations if one.effect == "read"]
        self._totals += [one for one in operations if one.effect == "read" and not one.subjects]
        for one in operations:
            if one.effect == "read" and one.place and one.place[-1] == ONE:
                self._readers.setdefault(one.place, one)

    def is_ready(self) -> bool:
        return bool(self._waiting)

    def propose(self, progress: float) -> Proposal:
        attempt = self._waiting.popleft()
        return _ActProposal(attempt.test_case, self, pair=attempt.pair)

    def observe(self, outcome: Outcome) -> None:
        evaluation = outcome.evaluation
        self._tables.note(evaluation)
        if isinstance(outcome.proposal, _ActProposal) and outcome.proposal.generator is self:
            self._note_act(outcome.proposal.pair, evaluation)
            self.credit.add(is_success=bool(outcome.improvement.newly_covered or evaluation.findings))
        elif self._acting and self._has_got_through(evaluation) and len(self._waiting) < MAX_WAITING:
            extended = self._extended(evaluation.test_case)
            self._waiting.extend(one for one in extended if len(one.test_case.calls) <= self._max_calls)

    def _note_act(self, pair: tuple[str, str], evaluation: Evaluation) -> None:
        """Takes back a try in which nothing was removed or changed: another resource may allow it, or a later time."""
        seen = zip(evaluation.test_case.calls, evaluation.observations, strict=False)
        has_acted = any(call.operation.id == pair[1] and one.outcome == "ok" for call, one in seen)
        if not has_acted and self._vain[pair] < MAX_VAIN:
            self._vain[pair] += 1
            self._tries[pair] -= 1

    def _has_got_through(self, evaluation: Evaluation) -> bool:
        """Whether the last call has succeeded, or has failed and its operation has never succeeded."""
        calls = evaluation.test_case.calls
        if not 0 < len(calls) <= MAX_CALLS or evaluation.is_sut_lost or len(evaluation.observations) != len(calls):
            return False
        operation, outcome = calls[-1].operation.id, evaluation.observations[-1].outcome
        if outcome == "ok":
            self._succeeded.add(operation)
        elif outcome == "failed":
            self._failed.add(operation)
        return outcome == "ok" or (outcome == "failed" and operation not in self._succeeded)

    def _extended(self, test_case: TestCase) -> Iterator[_Attempt]:
        last = test_case.calls[-1]
        for acting in self._acting:
            if acting.effect != "remove" and last.operation in self._sampler.resources.bindings(acting)[-1].creators:
                yield from self._between_reads(test_case, acting)
            is_due = self._is_due(last.operation, acting)
            totals = [one for one in self._totals if acting.effect == "remove" and self._is_due(one, acting)]
            if not is_due and not (totals and last.operation.effect == "create"):
                continue
            all_used = [one for one in self._used(test_case) if self._is_meant(acting, one)]
            if not all_used or acting is last.operation:
                continue
            # Programs that refuse to remove what is in use often look at the first of several that are used.
            pair = (last.operation.id, acting.id)
            used = all_used[(self._tries[pair] + self._vain[pair]) % len(all_used)]
            if is_due and (acting.effect == "remove" or _shows(last.operation, acting)):
                self._tries[pair] += 1
                yield _Attempt(self._with_act(test_case, acting, used), pair)
            if last.operation.effect == "create":
                for total in totals[:1]:
                    self._tries[total.id, acting.id] += 1
                    yield _Attempt(self._before_total(test_case, acting, used, total), (total.id, acting.id))

    def _between_reads(self, test_case: TestCase, acting: Operation) -> Iterator[_Attempt]:
        """Yields the test case, which ends with a creation, with the act between two reads of a table that it changes;
        for one operation that reads.
        """
        for read in self._reads:
            pair = (read.id, acting.id)
            if _shows(read, acting) or not self._is_due(read, acting) or not self._tables.are_shared(read, acting):
                continue
            self._tries[pair] += 1
            call = self._asked_for(self._sampler.call(read, test_case.calls), test_case)
            act = self._sampler.call(acting, test_case.calls)
            yield _Attempt(TestCase((*test_case.calls, call, act, call), test_case.setup), pair)
            return

    def _asked_for(self, call: Call, test_case: TestCase) -> Call:
        """Returns the call with what the last call has sent under the names of its own inputs."""
        last = len(test_case.calls) - 1
        sent = {plain_name(one.name): one.gene for one in iter_named_genes(test_case.calls[last], last)}
        for index, given in enumerate(call.operation.inputs):
            gene = sent.get(plain_name(given.name)) if given.role in ("subject", "query") else None
            value = None if gene is None else call.genes[index].with_value(gene.phenotype())
            call = call if value is None else call.with_gene(index, value)
        return call

    def _is_due(self, operation: Operation, acting: Operation) -> bool:
        most = MAX_TRIES if operation.id in self._succeeded or operation.id not in self._failed else 1
        return self._tries[operation.id, acting.id] < most

    def _used(self, test_case: TestCase) -> Iterator[_Used]:
        """Yields the resources that the calls use, those of the last call first."""
        for index in reversed(range(len(test_case.calls))):
            call = test_case.calls[index]
            for address, reference in iter_references(test_case):
                if address.call == index:
                    yield _Used(reference, creator=test_case.calls[reference.call].operation)
            for subject in reversed(self._sampler.resources.bindings(call.operation)):
                gene = call.genes[subject.input_index]
                yield _Used(gene, frozenset([plain_name(subject.resource)]), subject.scope)
            for named in iter_named_genes(call, index):
                noun, key = self._sampler.resources.noun_named(named.name), self._sampler.resources.named(named.name)
                if noun:
                    yield _Used(named.gene, frozenset([noun]))
                elif key is not None and call.operation not in key.creators:
                    yield _Used(named.gene, frozenset([plain_name(key.resource)]), key.scope)

    def _is_meant(self, acting: Operation, used: _Used) -> bool:
        """Whether the operation acts on resources of the kind that is used."""
        subject = self._sampler.resources.bindings(acting)[-1]
        if used.creator is not None:
            return used.creator in subject.creators
        return subject.scope == used.scope if used.scope else plain_name(subject.resource) in used.nouns

    def _with_act(self, test_case: TestCase, acting: Operation, used: _Used) -> TestCase:
        """Returns the test case with the act before its last call, and before the act with what reads the resource."""
        last = len(test_case.calls) - 1
        final = test_case.calls[last]
        before = final if final.operation.is_safe else self._read(acting, test_case.calls[:last], used)
        act = self._call(acting, test_case.calls[:last], used)
        return inserted(test_case, last, (act,) if before is None else (before, act))

    def _before_total(self, test_case: TestCase, acting: Operation, used: _Used, total: Operation) -> TestCase:
        act = self._call(acting, test_case.calls, used)
        after = self._sampler.call(total, test_case.calls)
        return TestCase((*test_case.calls, act, after), test_case.setup)

    def _read(self, acting: Operation, earlier: Sequence[Call], used: _Used) -> Call | None:
        reader = self._readers.get(acting.place)
        return None if reader is None else self._call(reader, earlier, used)

    def _call(self, operation: Operation, earlier: Sequence[Call], used: _Used) -> Call:
        """Returns a call on the used resource."""
        call = self._sampler.call(operation, earlier)
        index = self._sampler.resources.bindings(operation)[-1].input_index
        own = call.genes[index]
        fallback = own.fallback if isinstance(own, ReferenceGene) else own
        gene: Gene
        if isinstance(used.gene, ReferenceGene):
            gene = msgspec.structs.replace(used.gene, fallback=fallback)
        else:
            gene = fallback.with_value(used.gene.phenotype()) or used.gene
        return call.with_gene(index, gene)


def _shows(operation: Operation, acting: Operation) -> bool:
    """Whether an operation reads the place that another one changes, or what is beneath it."""
    return operation.effect == "read" and operation.place[: len(acting.place)] == acting.place
