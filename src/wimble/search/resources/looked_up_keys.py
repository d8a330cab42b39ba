"""Inputs by which an operation looks rows up, and the operations that write such rows.

`POST /movements {warehouse: "N1"}` looks for a warehouse by its code, and nothing in the API's description says that
`POST /warehouses {code: "N1"}` makes one. The commands do: a row that the search has inserted for the first operation
is linked to the input by its column, and the second operation inserts a value into the same column. Rows alone do not
help where they belong to what calls make, such as a user.

The same holds for numbers where the column is an identity: `POST /shipments {from: 1, to: 2}` looks for two sites by
their ids, and the operation that inserts sites answers their ids. Other numbers are often equal by chance.

An operation that succeeds with an input that no row and no call has made looks it up for another reason: to see that
nobody has taken it, or there are such rows from the start.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from wimble.databases.asked_tables import insertion
from wimble.databases.data_change import DataChange
from wimble.genes import Gene, LinkedGene, ReferenceGene
from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Evaluation
from wimble.model.observation import Observation
from wimble.model.operation import Operation
from wimble.model.resource_names import plain_name
from wimble.model.scalar_fields import Field, iter_scalar_fields
from wimble.model.setup_kinds.database_action import DatabaseAction
from wimble.model.testcase import Call
from wimble.search.resources.input_names import iter_named_genes
from wimble.types import Json, OperationId

MAX_LOOKS: Final = 12
"""Successful calls of one operation whose commands are looked at."""
MAX_COMMANDS: Final = 20
"""Commands of one call that are looked at."""
MAX_MAKERS: Final = 4
"""Operations that are kept for one column."""
TELLING_LENGTH: Final = 4
"""Length of a text that is recognised under another name than that of its column."""
MAX_BODY_BYTES: Final = 100_000
_IDENTITY: Final = re.compile(r"(?:^|_)id$|(?<=[a-z])Id$|^id", re.IGNORECASE)
"""Names of columns that databases, or programs, number."""

_Column: TypeAlias = tuple[str, str]
"""Table and column in lower case, without the schema."""


class Maker(NamedTuple):
    """An operation that writes a value into a column, and where the value is found."""

    operation: Operation
    pointer: str
    """In the operation's answer; empty if the answer does not have it."""
    sent: str
    """The name of the input that has it; empty if `pointer` is not."""


class LookedUpKeys:
    """Learns from inserted rows and from commands."""

    def __init__(self) -> None:
        self._asked: dict[OperationId, dict[str, _Column]] = {}
        """By operation and name of an input: the column that it is compared with."""
        self._free: set[tuple[OperationId, str]] = set()
        """Inputs with which the operation has succeeded although nothing had made their value."""
        self._makers: dict[_Column, list[Maker]] = {}
        self._n_looks: Counter[OperationId] = Counter()

    def observe(self, evaluation: Evaluation) -> None:
        """Learns from one evaluation; the work for each operation is limited."""
        linked = self._note_links(evaluation) if evaluation.test_case.setup else set()
        if self._asked:
            self._note_free(evaluation, linked)
        if not evaluation.interactions:
            return
        for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=False):
            operation = call.operation
            if observation.outcome == "ok" and not operation.is_safe and self._n_looks[operation.id] < MAX_LOOKS:
                self._n_looks[operation.id] += 1
                commands = evaluation.interactions_of(DatabaseCommand, observation.call_index)[:MAX_COMMANDS]
                for change in filter(None, map(insertion, commands)):
                    for column, value in _inserted(change):
                        self._note_maker(column, value, call, observation)
                    self._note_numbered(change, call, observation)

    def _note_links(self, evaluation: Evaluation) -> set[tuple[int, str]]:
        """Notes the inputs to which inserted rows are linked; returns them, by the index of their call and name."""
        calls = evaluation.test_case.calls
        linked: set[tuple[int, str]] = set()
        for _, action in evaluation.test_case.setup_of(DatabaseAction):
            for column, gene in zip(action.columns, action.genes, strict=True):
                if isinstance(gene, LinkedGene) and (name := _linked_name(calls, gene, column.name)):
                    linked.add((gene.call, name))
                    operation = calls[gene.call].operation
                    if not operation.entrance and (operation.id, name) not in self._free:
                        asked = self._asked.setdefault(operation.id, {})
                        asked.setdefault(name, (action.table.name.lower(), column.name.lower()))
        return linked

    def _note_free(self, evaluation: Evaluation, linked: set[tuple[int, str]]) -> None:
        calls = evaluation.test_case.calls
        for call, observation in zip(calls, evaluation.observations, strict=False):
            asked, index = self._asked.get(call.operation.id), observation.call_index
            if not asked or observation.outcome != "ok":
                continue
            for named in iter_named_genes(call, index):
                is_own = not isinstance(named.gene, ReferenceGene) and _may_name(named.gene.phenotype())
                if named.name in asked and is_own and (index, named.name) not in linked:
                    makers = {id(one.operation) for one in self._makers.get(asked[named.name], ())}
                    if not any(id(earlier.operation) in makers for earlier in calls[:index]):
                        self._free.add((call.operation.id, named.name))
                        del asked[named.name]

    def _note_maker(self, column: _Column, value: Json, call: Call, observation: Observation) -> None:
        known = self._makers.setdefault(column, [])
        if len(known) >= MAX_MAKERS or any(one.operation is call.operation and one.pointer for one in known):
            return
        pointer = _place_of(column[1], value, _answered(observation))
        sent = "" if pointer else _place_of(column[1], value, _sent(call))
        if pointer or sent:
            known[:] = [one for one in known if one.operation is not call.operation]
            known.append(Maker(call.operation, pointer, sent))

    def _note_numbered(self, change: DataChange, call: Call, observation: Observation) -> None:
        """Notes the numbers in an answer that the database has given to the inserted row."""
        assigned = {name.lower() for name in change.assigned}
        for pointer, name, value in _answered(observation):
            is_number = isinstance(value, int) and not isinstance(value, bool)
            column = (change.table.lower(), name.lower())
            if not is_number or not _IDENTITY.search(name) or column[1] in assigned:
                continue
            known = self._makers.setdefault(column, [])
            if len(known) < MAX_MAKERS and all(one.operation is not call.operation for one in known):
                known.append(Maker(call.operation, pointer, ""))

    def wanted(self, operation: Operation) -> Iterator[Sequence[Maker]]:
        """Yields, for each input by which the operation looks rows up, the other operations that write them."""
        for column in self._asked.get(operation.id, {}).values():
            makers = [one for one in self._makers.get(column, ()) if one.operation is not operation]
            if makers:
                yield makers

    def made(self, operation: Operation, name: str, own: Gene, earlier: Sequence[Call]) -> Gene | None:
        """Returns the gene by which an input names what a fitting call has made, the latest one; None if there is none.

        Where several inputs are looked up in one column, each names a row of its own, as long as there are enough.
        """
        asked = self._asked.get(operation.id)
        column = asked.get(name) if asked else None
        if asked is None or column is None:
            return None
        makers = {id(one.operation): one for one in self._makers.get(column, ()) if one.operation is not operation}
        fitting = [index for index in range(len(earlier) - 1, -1, -1) if id(earlier[index].operation) in makers]
        if not fitting:
            return None
        rank = [one for one, its in asked.items() if its == column].index(name)
        index = fitting[rank if rank < len(fitting) else 0]
        maker = makers[id(earlier[index].operation)]
        return ReferenceGene(index, maker.pointer, own) if maker.pointer else _as_sent(maker.sent, own, earlier[index])


def _inserted(change: DataChange) -> Iterator[tuple[_Column, Json]]:
    """Yields the columns of inserted rows with their values, as far as these are texts or numbers."""
    for name, value in change.assigned.items():
        if _may_name(value) and value != "":
            yield (change.table.lower(), name.lower()), value


def _may_name(value: Json) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def _place_of(column: str, value: Json, candidates: Iterable[tuple[str, str, Json]]) -> str:
    """Returns the place of the candidate that has the column's value, one with the column's name first; "" if none has.

    candidates: (place, name, value). Under another name, a value counts only if it is too long to be equal by chance.
    """
    wanted, found = plain_name(column), ""
    for place, name, candidate in candidates:
        if candidate == value:
            if plain_name(name) == wanted:
                return place
            if not found and isinstance(value, str) and len(value) >= TELLING_LENGTH:
                found = place
    return found


def _answered(observation: Observation) -> Iterable[Field]:
    exchange = observation.exchange
    content = exchange.value() if 0 < exchange.n_bytes <= MAX_BODY_BYTES else None
    return iter_scalar_fields(content) if isinstance(content, (dict, list)) else ()


def _sent(call: Call) -> Iterator[tuple[str, str, Json]]:
    for one in iter_named_genes(call, 0):
        if not isinstance(one.gene, ReferenceGene):
            yield one.name, one.name, one.gene.phenotype()


def _linked_name(calls: Sequence[Call], gene: LinkedGene, column: str) -> str:
    """Returns the name of the input of a call that the gene repeats, if that is a text, or the column an identity; ""
    if it repeats none.
    """
    if gene.prefix or gene.suffix or not 0 <= gene.call < len(calls):
        return ""
    value = gene.fallback.phenotype()
    if not isinstance(value, str) and not (_may_name(value) and _IDENTITY.search(column)):
        return ""
    for one in iter_named_genes(calls[gene.call], gene.call):
        if (one.address.input, one.address.path) == (gene.input, gene.path):
            return one.name
    return ""


def _as_sent(name: str, own: Gene, maker: Call) -> Gene | None:
    gene = next((one.gene for one in iter_named_genes(maker, 0) if one.name == name), None)
    if gene is None or isinstance(gene, ReferenceGene):
        return gene
    value = gene.phenotype()
    return own.with_value(value) if isinstance(value, (str, int, float)) else None
