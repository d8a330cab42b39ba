"""Inputs by which a call sends again what another operation has answered: keys, tickets, versions, numbers of visits.

`POST /visits` answers `{visit}`, and `POST /pages` looks for `x-visit`. No document relates them, and a value of an
earlier test case is worth nothing after a reset. The names tell which answer an input may come from; a call that has
succeeded with it proves that. Then new test cases begin with the call that answers it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final, TypeAlias

import msgspec

from wimble.genes import AffixedGene, CredentialGene, Gene, ObjectGene, ReferenceGene, StringGene
from wimble.genes.taint_markers import taint_marker
from wimble.model.evaluation import Evaluation
from wimble.model.learned_input import LearnedInput, LearnedLocation
from wimble.model.operation import Operation
from wimble.model.resource_names import noun_of, plain_name
from wimble.model.scalar_fields import iter_scalar_fields
from wimble.model.testcase import Call, TestCase
from wimble.search.learned.members import with_input
from wimble.search.resources.references import inserted, reordered, with_only
from wimble.search.resources.resources import Resources
from wimble.types import ABSENT, OperationId

ANSWERS_READ: Final = 3
"""Number of successful answers of an operation whose fields are noted."""
MAX_FIELDS: Final = 40
MAX_SOURCES: Final = 4
"""Number of answers that one input may come from by its name."""
MAX_PROVEN: Final = 8
"""Number of inputs of one operation that are known to come from an answer."""
MIN_PART: Final = 3
"""Shorter names are parts of others by chance."""
HAND_ON_PROBABILITY: Final = 0.8
"""Probability that a new call sends what an earlier call was answered, where that has succeeded."""
BRING_PROBABILITY: Final = 0.8
"""Probability that a copy of an old test case sends it, too, in the calls that lack it."""
BEGIN_PROBABILITY: Final = 0.8
"""Probability that a new test case for such an operation begins with the call that is answered it."""
_LOCATIONS: Final[dict[str, LearnedLocation]] = {"query": "query", "header": "header", "cookie": "cookie"}
_VERSIONS: Final = ("etag", "version", "revision", "rev", "hash", "updatedat", "modified", "lastmodified")
_IDENTITIES: Final = ("id", "slug", "key", "code", "uuid", "handle", "subdomain", "domain", "name")
_CONDITIONS: Final = ("ifmatch", "ifnonematch", "ifunmodifiedsince", "ifmodifiedsince", "ifrange")
"""Headers that name a version of a thing (RFC 9110)."""

NewCall: TypeAlias = Callable[[Operation, Sequence[Call]], Call]


class Source(msgspec.Struct, frozen=True):
    """An answer that an input may come from."""

    giver: Operation
    pointer: str
    prefix: str = ""
    suffix: str = ""

    def gene(self, index: int, rng: Random) -> Gene:
        """Returns the gene of an input that takes it from the answer to the call at an index."""
        reference = ReferenceGene(index, self.pointer, StringGene(taint_marker(rng)))
        return AffixedGene(self.prefix, reference, self.suffix) if self.prefix or self.suffix else reference


class Pair(msgspec.Struct, frozen=True):
    """An input of an operation with an answer that it may come from."""

    operation: Operation
    one: LearnedInput
    source: Source


class HandedOn:
    """What is known of such inputs."""

    def __init__(self, resources: Resources, rng: Random) -> None:
        self._resources = resources
        self._rng = rng
        self._n_read: dict[OperationId, int] = {}
        self._fields: dict[tuple[OperationId, str], tuple[Operation, str]] = {}
        """Giver and name by giver's id and pointer."""
        self._wanted: dict[tuple[OperationId, tuple[str, tuple[str, ...]]], tuple[Operation, LearnedInput]] = {}
        self._n_sources: dict[tuple[OperationId, tuple[str, tuple[str, ...]]], int] = {}
        self._given: dict[OperationId, TestCase] = {}
        """Calls of which the last one has succeeded, by its operation."""
        self._proven: dict[OperationId, dict[LearnedInput, Source]] = {}
        self._proven_first: dict[tuple[str, tuple[str, ...]], Source] = {}
        """By input: the answer that the first operation has taken it from with success."""
        self._succeeded: set[OperationId] = set()

    # ---- learning ---------------------------------------------------------------------------------------------------

    def wanted(self, operation: Operation, one: LearnedInput) -> list[Pair]:
        """Notes that the program has read an input, and returns the answers that it may come from, likeliest first."""
        key = (operation.id, one.key)
        if key in self._wanted or len(one.path) != 1:
            return []
        self._wanted[key] = operation, one
        sources = ((giver, pointer, name) for (_, pointer), (giver, name) in self._fields.items())
        return self._pairs((operation, one, *source) for source in sources)

    def given(self, evaluation: Evaluation) -> list[Pair]:
        """Notes the fields of answers, and returns the inputs that may come from new ones."""
        new: list[tuple[Operation, str, str]] = []
        for index, observation in enumerate(evaluation.observations):
            operation = evaluation.test_case.calls[index].operation
            n_read = self._n_read.get(operation.id, 0)
            if observation.outcome != "ok":
                continue
            self._succeeded.add(operation.id)
            if n_read >= ANSWERS_READ:
                continue
            self._n_read[operation.id] = n_read + 1
            value = observation.exchange.value()
            fields = [] if value is ABSENT else [(at, name) for at, name, _ in iter_scalar_fields(value)]
            fields += [(text.pointer, text.name) for text in observation.exchange.given_texts()]
            for pointer, name in dict(fields[:MAX_FIELDS]).items():
                if (operation.id, pointer) not in self._fields:
                    self._fields[operation.id, pointer] = operation, name
                    new.append((operation, pointer, name))
            if fields and operation.id not in self._given:
                self._given[operation.id] = with_only(evaluation.test_case, [index])
        wanted = list(self._wanted.values()) if new else ()
        return self._pairs((*one, *source) for one in wanted for source in new)

    def _pairs(self, candidates: Iterator[tuple[Operation, LearnedInput, Operation, str, str]]) -> list[Pair]:
        ranked: list[tuple[int, Pair]] = []
        for operation, one, giver, pointer, name in candidates:
            rank = likeness(one, name, noun_of(giver.place)) if giver is not operation else 0
            if rank:
                ranked.append((-rank, Pair(operation, one, Source(giver, pointer))))
        pairs: list[Pair] = []
        for _, pair in sorted(ranked, key=lambda each: each[0]):
            key = (pair.operation.id, pair.one.key)
            if self._n_sources.get(key, 0) < MAX_SOURCES:
                self._n_sources[key] = self._n_sources.get(key, 0) + 1
                pairs.append(pair)
        return pairs

    def prove(self, evaluation: Evaluation) -> None:
        """Learns from calls that have succeeded with what an earlier call was answered."""
        calls = evaluation.test_case.calls
        for call, observation in zip(calls[1:], evaluation.observations[1:], strict=False):
            if observation.outcome == "ok":
                proven = self._proven.setdefault(call.operation.id, {})
                for one, source in _sources_in(call, calls):
                    if len(proven) < MAX_PROVEN:
                        proven.setdefault(one, source)
                        self._proven_first.setdefault(one.key, source)

    def _known(self, operation: Operation) -> dict[LearnedInput, Source]:
        """Returns what the operation takes from answers. What others take, one that has not succeeded may take, too, if
        it reads an input of that name: the tenant of all that it has.
        """
        proven = self._proven.get(operation.id)
        if proven or operation.id in self._succeeded or not self._proven_first:
            return proven or {}
        read = ((key, self._wanted.get((operation.id, key))) for key in self._proven_first)
        sources = ((found[1], self._proven_first[key]) for key, found in read if found is not None)
        return {one: source for one, source in sources if source.giver is not operation}

    def is_known(self, pair: Pair) -> bool:
        """Whether new calls of the operation take the input from that answer by now."""
        known = self._known(pair.operation)
        return any(
            one.key == pair.one.key and (source.giver, source.pointer) == (pair.source.giver, pair.source.pointer)
            for one, source in known.items()
        )

    # ---- calls with such inputs -------------------------------------------------------------------------------------

    def applied(self, call: Call, earlier: Sequence[Call]) -> Call:
        """Sampling step: the call sends what earlier calls are answered, where that has succeeded before."""
        for one, source in self._known(call.operation).items() if earlier else ():
            index = _latest(source.giver, earlier)
            if index is not None and self._rng.random() < HAND_ON_PROBABILITY:
                call = with_input(call, one, source.gene(index, self._rng)) or call
        return call

    def begun(self, operation: Operation, begun: TestCase, new_call: NewCall) -> TestCase:
        """Returns the calls with which a test case begins, with the one that is answered what the operation takes."""
        proven = self._known(operation)
        if not proven or self._rng.random() >= BEGIN_PROBABILITY:
            return begun
        for source in proven.values():
            makers = (maker for binding in self._resources.bindings(operation) for maker in binding.creators)
            if source.giver not in makers and _latest(source.giver, begun.calls) is None:
                return self._with_giver(source.giver, begun, new_call)
        return begun

    def brought(self, old: TestCase, max_calls: int, new_call: NewCall) -> TestCase:
        """Returns an old test case whose calls, too, send what earlier ones are answered: it was made when less was
        known. A call that gives the answer is put before the first one that lacks it.
        """
        if not self._proven_first or self._rng.random() >= BRING_PROBABILITY:
            return old
        test_case, index = old, 0
        while index < len(test_case.calls):
            for one, source in self._lacking(test_case.calls[index], test_case.calls).items():
                if _latest(source.giver, test_case.calls[:index]) is None:
                    if len(test_case.calls) >= max_calls:
                        continue
                    new = new_call(source.giver, test_case.calls[:index])
                    test_case = _with_sole_giver(inserted(test_case, index, [new]), index)
                    index += 1
                call = test_case.calls[index]
                giver = _latest(source.giver, test_case.calls[:index])
                given = None if giver is None else with_input(call, one, source.gene(giver, self._rng))
                test_case = test_case if given is None else test_case.with_call(index, given)
            index += 1
        return test_case

    def _lacking(self, call: Call, calls: Sequence[Call]) -> dict[LearnedInput, Source]:
        known = self._known(call.operation)
        sent = {one.key for one, _ in _sources_in(call, calls)} if known else ()
        return {
            one: source
            for one, source in known.items()
            if one.key not in sent and source.giver is not call.operation  # pages need no cursor to begin with
        }

    def sampled(self, pair: Pair, sample: TestCase, new_call: NewCall) -> TestCase | None:
        """Returns a new test case for the operation, in which it takes the input from the answer; None for none."""
        calls = sample.calls
        at = max((i for i, call in enumerate(calls) if call.operation is pair.operation), default=-1)
        if at < 0:
            return None
        before = TestCase(calls[:at], sample.setup)
        if _latest(pair.source.giver, before.calls) is None:
            before = self._with_giver(pair.source.giver, before, new_call)
        index = _latest(pair.source.giver, before.calls)
        # The call itself may refer to others of the sample, so those stay where they are.
        if index is None or before.calls[:at] != calls[:at]:
            return None
        call = with_input(calls[at], pair.one, pair.source.gene(index, self._rng))
        return None if call is None else TestCase((*before.calls, call), before.setup)

    def _with_giver(self, giver: Operation, begun: TestCase, new_call: NewCall) -> TestCase:
        known = self._given.get(giver.id)
        if begun.calls or known is None:
            return TestCase((*begun.calls, new_call(giver, begun.calls)), begun.setup)
        return known if not begun.setup else TestCase(known.calls, begun.setup)


def likeness(one: LearnedInput, name: str, noun: str) -> int:
    """Returns how much the name of an input is like that of a field of an answer about a noun; 0 for not at all."""
    own = plain_name(one.path[0].lower().removeprefix("x-") if one.location == "header" else one.path[0])
    field = plain_name(name.lower().removeprefix("x-"))
    if not field or not own:
        return 0
    if own == field:
        return 4 if field != "id" else 0
    if own in (noun + field, field + noun):
        return 3
    # `X-Workspace` after `POST /workspaces`: whatever names one.
    if own == noun and field in _IDENTITIES:
        return 2
    if own in _CONDITIONS:
        return 2 * (field in _VERSIONS)
    is_part = (len(field) >= MIN_PART and own.endswith(field)) or (len(own) >= MIN_PART and field.endswith(own))
    return int(is_part and one.location != "body")


def _latest(operation: Operation, calls: Sequence[Call]) -> int | None:
    return next((at for at in range(len(calls) - 1, -1, -1) if calls[at].operation is operation), None)


def _with_sole_giver(test_case: TestCase, index: int) -> TestCase:
    """Returns a test case without later calls of the operation that is called at an index. What has taken their answers
    takes that of the remaining one: things of one tenant.
    """
    calls = test_case.calls
    kept = [i for i, call in enumerate(calls) if i <= index or call.operation is not calls[index].operation]
    return test_case if len(kept) == len(calls) else reordered(test_case, kept)


def _sources_in(call: Call, calls: Sequence[Call]) -> Iterator[tuple[LearnedInput, Source]]:
    """Yields the undeclared parameters of a call that take something from an earlier answer."""
    for given, gene in zip(call.operation.inputs, call.genes, strict=True):
        location = _LOCATIONS.get(given.sent_in)
        if location is None or not given.is_undeclared or not isinstance(gene, ObjectGene):
            continue
        for name, field in gene.fields:
            inner, prefix, suffix = field, "", ""
            while not isinstance(inner, AffixedGene | ReferenceGene) and len(inner.children()) == 1:
                inner = inner.children()[0]
            if isinstance(inner, AffixedGene):
                prefix, suffix, inner = inner.prefix, inner.suffix, inner.gene
            if isinstance(inner, ReferenceGene) and not isinstance(inner, CredentialGene):
                giver = calls[inner.call].operation
                yield LearnedInput(location=location, path=(name,)), Source(giver, inner.pointer, prefix, suffix)
