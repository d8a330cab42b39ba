"""The other values of enumerations in answers of services, which a schema declares that the program applies to them.

The first value that is answered passes the check and covers what comes behind it. A value that the program accepts and
then forgets (a table without an entry, a `switch` without a case) is read by the same code, so no target leads to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from wimble.genes import EnumGene, iter_genes
from wimble.genes.gene import GenePath
from wimble.model.evaluation import Evaluation
from wimble.model.setup_kinds.answer import BODY, Answer, RequestKind
from wimble.model.testcase import GeneAddress, TestCase, setup_index
from wimble.types import OperationId

MAX_OPTIONS: Final = 24
"""Number of values of one enumeration that are tried; longer ones (currencies, countries) are data."""
MAX_TRIED: Final = 2_000

_Option = tuple[OperationId, RequestKind, GenePath, int]
"""What was tried: a value of an enumeration in the answer to a request of an operation."""


class AnswerOptions:
    """Makes test cases with values that were not tried yet, each once for each operation."""

    def __init__(self) -> None:
        self._tried: set[_Option] = set()

    def with_other_options(self, evaluation: Evaluation) -> Iterator[TestCase]:
        """Yields the test case with each other value, if its last call has succeeded: all checks are passed then."""
        test_case, observations = evaluation.test_case, evaluation.observations
        if not observations or observations[-1].outcome != "ok":
            return
        operation = test_case.calls[-1].operation.id
        for number, answer in test_case.setup_of(Answer):
            if not answer.is_success:
                continue
            for path, gene in iter_genes(answer.genes[BODY]):
                if not isinstance(gene, EnumGene) or not 1 < len(gene.options) <= MAX_OPTIONS:
                    continue
                self._tried.add((operation, answer.request_kind, path, gene.index))
                address = GeneAddress(setup_index(number), BODY, path)
                yield from self._others(test_case, address, gene, (operation, answer.request_kind, path))

    def _others(
        self,
        test_case: TestCase,
        address: GeneAddress,
        gene: EnumGene,
        place: tuple[OperationId, RequestKind, GenePath],
    ) -> Iterator[TestCase]:
        for index in range(len(gene.options)):
            option = (*place, index)
            if option not in self._tried and len(self._tried) < MAX_TRIED:
                self._tried.add(option)
                yield test_case.with_gene(address, replace(gene, index=index))
