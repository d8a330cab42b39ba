"""Finds calls that read rows in an unspecified order, from databases where a reset changes that order.

PostgreSQL and MongoDB return rows without ORDER BY in the order of storage. A row that was changed or deleted, and then
restored, is stored elsewhere. MySQL and SQLite store rows by their keys, so their order stays the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from wimble.databases.languages import language_of
from wimble.genes import ConstantGene
from wimble.genes.jsonhash import is_same_json
from wimble.model.database import Database, DatabaseCommand
from wimble.model.evaluation import Evaluation
from wimble.model.json_pointer import at_pointer
from wimble.model.observation import call_resolver
from wimble.model.testcase import TestCase
from wimble.search.resources.references import iter_references
from wimble.types import ABSENT, Json


def calls_in_any_order(evaluations: Iterable[Evaluation], databases: Iterable[Database]) -> frozenset[int]:
    """Returns the indexes of calls whose answers may hold the same elements in another order next time."""
    languages = {database.id: language_of(database.dialect) for database in databases}
    return frozenset(
        command.call
        for evaluation in evaluations
        for command in evaluation.interactions_of(DatabaseCommand)
        if (language := languages.get(command.database)) is not None and language.is_order_open(command)
    )


def with_values_of_lists(
    test_case: TestCase, evaluations: Sequence[Evaluation], in_any_order: Collection[int]
) -> TestCase:
    """Replaces references into lists in the answers of such calls by their values.

    Another element may stand at the same index next time. A reference is replaced only if its value was the same in
    each evaluation.
    """
    resolvers = [call_resolver(one.observations) for one in evaluations]
    for address, reference in list(iter_references(test_case)):
        earlier = evaluations[0].observations[reference.call]
        if (
            reference.call not in in_any_order
            or not earlier.is_answered
            or not _is_listed(earlier.exchange.value(), reference.pointer)
        ):
            continue
        first, *others = (resolve(reference.call, reference.pointer) for resolve in resolvers)
        if first is not ABSENT and all(is_same_json(first, other) for other in others):
            test_case = test_case.with_gene(address, ConstantGene(first))
    return test_case


def _is_listed(body: Json, pointer: str) -> bool:
    """Whether the pointer goes through a list of several elements."""
    steps = pointer.split("/")
    parents = (at_pointer(body, "/".join(steps[:depth])) for depth in range(1, len(steps)))
    return any(isinstance(parent, list) and len(parent) > 1 for parent in parents)
