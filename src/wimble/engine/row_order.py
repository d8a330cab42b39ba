"""Which calls read rows in an order that nobody asked for, from databases where a reset changes it.

PostgreSQL and MongoDB return rows without ORDER BY as they lie; one that was changed or deleted, and put back, lies elsewhere. MySQL and
SQLite keep rows by their keys, so there they come as before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from wimble.documents import verbs
from wimble.genes import ConstantGene
from wimble.genes.jsonhash import is_same_json
from wimble.model.database import Command, Database
from wimble.model.evaluation import Evaluation
from wimble.model.request import at_pointer, call_resolver
from wimble.model.testcase import TestCase
from wimble.search.references import iter_references
from wimble.sql import order
from wimble.types import ABSENT, Json


def calls_in_any_order(evaluations: Iterable[Evaluation], databases: Iterable[Database]) -> frozenset[int]:
    """Indexes of calls whose answers may hold the same elements in another order next time."""
    dialects = {database.id: database.dialect for database in databases}
    return frozenset(
        command.call
        for evaluation in evaluations
        for command in evaluation.commands
        if _is_order_open(command, dialects.get(command.database))
    )


def _is_order_open(command: Command, dialect: str | None) -> bool:
    if not command.returned:
        return False
    if dialect == "postgres":
        return order.is_order_open(command.text, command.returned)
    if dialect == "mongo":
        return command.returned > 1 and verbs.is_order_open(command.text, command.params[0] if command.params else None)
    return False


def with_values_of_lists(
    test_case: TestCase, evaluations: Sequence[Evaluation], in_any_order: Collection[int]
) -> TestCase:
    """References into lists of such calls become the values that they stood for, where these were the same in each evaluation: at that
    index may stand another element next time."""
    resolvers = [call_resolver(one.observations) for one in evaluations]
    for address, reference in list(iter_references(test_case)):
        response = evaluations[0].observations[reference.call].response
        if reference.call not in in_any_order or response is None or not _is_listed(response.json(), reference.pointer):
            continue
        first, *others = (resolve(reference.call, reference.pointer) for resolve in resolvers)
        if first is not ABSENT and all(is_same_json(first, other) for other in others):
            test_case = test_case.with_gene(address, ConstantGene(first))
    return test_case


def _is_listed(body: Json, pointer: str) -> bool:
    """Whether the pointer leads through a list of several elements."""
    steps = pointer.split("/")
    parents = (at_pointer(body, "/".join(steps[:depth])) for depth in range(1, len(steps)))
    return any(isinstance(parent, list) and len(parent) > 1 for parent in parents)
