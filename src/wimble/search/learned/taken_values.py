"""Values that a program takes once, for it keeps what was made with them: names, codes and numbers that must be unique.

A program may keep them in its memory, which no reset of a database clears. A copy of a test case that makes a thing
again is then refused (409), and whatever its later calls would have done with the thing remains undone. So once an
operation has refused what it had accepted before, most copies of its calls have other values of the same kind, in the
place of texts that were sent before: one that a copy has for the first time may be what the copy was made for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from random import Random
from typing import Final

from wimble.genes import AnyGene, EnumGene, Gene, IntegerGene, MapGene, ReferenceGene, StringGene, innermost
from wimble.genes.taint_markers import is_like_marker, taint_marker
from wimble.genes.text_shapes import of_same_shape
from wimble.model.evaluation import Evaluation
from wimble.model.observation import Observation
from wimble.model.operation import Operation
from wimble.model.source_constants import ConstantTable
from wimble.model.testcase import Call, SetupAction, TestCase
from wimble.search.learned.replaced_texts import has_part_of, with_texts
from wimble.search.resources.input_names import iter_named_genes
from wimble.types import Json, OperationId

KEPT_PROBABILITY: Final = 0.15
"""Probability that a copy of a test case keeps its values."""
BESIDE_PROBABILITY: Final = 0.5
"""Probability that values whose names may identify something change beside those that are made up."""
MAX_ACCEPTED: Final = 300
"""Number of accepted contents of one operation that are remembered."""
MAX_OPERATIONS: Final = 500
MAX_TEXTS: Final = 5_000
"""Number of texts of one operation that are remembered; further ones count as sent before."""
LARGEST_NUMBER: Final = 9_999
SAMPLES: Final = 5
_IDENTIFYING: Final = re.compile(
    r"(?:^|[_-])(?:id|key|no|nr|ref)$|(?<=[a-z])(?:Id|Key|No|Nr|Ref)$"
    r"|code|slug|sku|isbn|ean|serial|number|name|title|handle|label|tag|plate|reference|email|phone|url|domain",
    re.IGNORECASE,
)
_NUMBERED: Final = re.compile(r"(?:^|[_-])(?:id|no|nr)$|(?<=[a-z])(?:Id|No|Nr)$|(?:code|number)$", re.IGNORECASE)


class _SentTexts:
    """The texts that calls of an operation have sent."""

    def __init__(self, accepted: Iterable[str]) -> None:
        """accepted: contents, as texts."""
        self._accepted = "\n".join(accepted)
        self._texts: set[str] = set()

    def note(self, text: str) -> None:
        if len(self._texts) < MAX_TEXTS:
            self._texts.add(text)

    def holds(self, text: str) -> bool:
        return len(self._texts) >= MAX_TEXTS or text in self._texts or repr(text)[1:-1] in self._accepted


class TakenValues:
    """The operations that refuse a second time what they have accepted once."""

    def __init__(self, rng: Random, constants: ConstantTable | None) -> None:
        """constants: those of the SUT's source, which the program may ask for; None if they are not known."""
        self._rng = rng
        self._constants = constants
        self._accepted: dict[OperationId, set[str]] = {}
        self._refusing: dict[OperationId, _SentTexts] = {}

    def observe(self, evaluation: Evaluation) -> None:
        """Learns from the answers of calls that may make something."""
        for at, (call, observation) in enumerate(
            zip(evaluation.test_case.calls, evaluation.observations, strict=False)
        ):
            operation = call.operation
            sent = self._refusing.get(operation.id)
            if sent is not None:
                for _, text, _ in _texts(call, at):
                    sent.note(text)
            elif not operation.is_safe and _may_make(operation):
                self._note(evaluation.test_case, observation)

    def _note(self, test_case: TestCase, observation: Observation) -> None:
        call = test_case.calls[observation.call_index]
        operation = call.operation
        known = self._accepted.get(operation.id)
        if observation.outcome == "ok":
            if known is None:
                if len(self._accepted) >= MAX_OPERATIONS:
                    return
                known = self._accepted[operation.id] = set()
            if len(known) < MAX_ACCEPTED:
                known.add(_sent(call, test_case.setup))
        elif known and _is_refused(observation) and _sent(call, test_case.setup) in known:
            self._refusing[operation.id] = _SentTexts(sorted(self._accepted.pop(operation.id)))

    def renewed(self, test_case: TestCase) -> TestCase:
        """Returns the copy of an earlier test case with other values where equal ones would be refused."""
        if not self._refusing:
            return test_case
        calls = [at for at, call in enumerate(test_case.calls) if call.operation.id in self._refusing]
        if not calls or self._rng.random() < KEPT_PROBABILITY:
            return test_case
        texts: dict[str, str] = {}
        for at in calls:
            test_case = self._with_other_numbers(test_case, at)
            texts |= self._other_texts(test_case.calls[at], at)
        return with_texts(test_case, texts) if texts and not has_part_of(test_case, texts) else test_case

    def _other_texts(self, call: Call, at: int) -> dict[str, str]:
        made_up: dict[str, str] = {}
        named: dict[str, str] = {}
        sent = self._refusing[call.operation.id]
        for name, text, gene in _texts(call, at):
            if not sent.holds(text) or (self._constants is not None and self._constants.holds(text)):
                continue
            if is_like_marker(text):
                made_up[text] = taint_marker(self._rng)
            elif isinstance(gene, StringGene) and (gene.pattern or gene.specialisation or gene.format):
                made_up[text] = self._sampled(gene)
            elif text and may_identify(name):
                named[text] = of_same_shape(text, self._rng)
        if not made_up or self._rng.random() < BESIDE_PROBABILITY:
            made_up = {**named, **made_up}
        return made_up

    def _sampled(self, gene: StringGene) -> str:
        for _ in range(SAMPLES):
            other = gene.sampled(self._rng)
            if other.value != gene.value and other.is_valid():
                return other.value
        return gene.value

    def _with_other_numbers(self, test_case: TestCase, at: int) -> TestCase:
        for named in list(iter_named_genes(test_case.calls[at], at)):
            gene = named.gene
            value = gene.phenotype() if isinstance(gene, AnyGene | IntegerGene) else None
            if isinstance(value, int) and not isinstance(value, bool) and _NUMBERED.search(named.name):
                new = gene.with_value(self._rng.randint(1, LARGEST_NUMBER))
                test_case = test_case if new is None else test_case.with_gene(named.address, new)
        return test_case


def may_identify(name: str) -> bool:
    """Whether a text of this name may have to be unique: a code, a title, an address."""
    return _IDENTIFYING.search(name) is not None


def _may_make(operation: Operation) -> bool:
    """Whether calls of the operation send what the program may keep."""
    return operation.entrance != "login" and any(given.role == "content" for given in operation.inputs)


def _is_refused(observation: Observation) -> bool:
    """Whether a call was refused for what it sends; not for its user, nor for what its path names."""
    return observation.outcome == "refused" and observation.exchange.complaint() == "input"


def _sent(call: Call, setup: tuple[SetupAction, ...]) -> str:
    """Returns what a call sends, without credentials, as a text, with the rows before it: without these, what it names
    may not exist.
    """
    given = zip(call.operation.inputs, call.genes, strict=True)
    rows = [[gene.phenotype() for gene in action.genes] for action in setup]
    return repr([*([rows] if rows else []), *(gene.phenotype() for one, gene in given if one.role != "credential")])


def _texts(call: Call, at: int) -> Iterator[tuple[str, str, Gene]]:
    """Yields name, text and gene of the texts of a call that may be others.

    Programs keep what contents, paths and queries say; a key in a header tells who sends it.
    """
    for named in iter_named_genes(call, at):
        if call.operation.inputs[named.address.input].sent_in in ("header", "cookie"):
            continue
        gene = named.gene
        if isinstance(innermost(gene), EnumGene | ReferenceGene):
            continue
        value = gene.phenotype()
        if isinstance(value, str):
            yield named.name, value, gene
        elif isinstance(gene, AnyGene | MapGene):
            for name, text in _texts_within(named.name, value):
                yield name, text, gene


def _texts_within(name: str, value: Json) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, dict):
        for key, below in value.items():
            yield from _texts_within(key, below)
    elif isinstance(value, list):
        for below in value:
            yield from _texts_within(name, below)
