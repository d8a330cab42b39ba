"""The other keys of the tables that a program looks up an input in: `OFFERS[request.params.code]`, `rooms.get(id)`.

Hints about a look-up name keys that exist, and the first of them that is sent covers the look-up. What the entries of
other keys lack is read by the same code, which is covered then, so no target leads to it. An entry that two keys lead
to (`BOXES[season][size]`) may be the only one that lacks something, so keys of two inputs are combined, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice, product
from typing import Final

from wimble.feedback.input_to_state.input_sites import Site, iter_sites
from wimble.genes import ReferenceGene
from wimble.genes.gene import GenePath
from wimble.model.evaluation import Evaluation
from wimble.model.hints import ComparisonHint, Hint, KeyHint, TableHint
from wimble.model.operands import decoded, is_number, to_text
from wimble.model.testcase import TestCase
from wimble.types import Json, OperationId, TargetId

MIN_KEYS: Final = 2
"""Number of keys that hints of one look-up in one evaluation have to name: one alone is what an input is compared
with."""
MAX_KEYS: Final = 24
"""Maximum number of keys of one table that are kept."""
MAX_TABLES: Final = 500
MAX_OTHERS: Final = 8
"""Maximum number of other keys that are tried in one test case."""
MAX_PAIRS: Final = 12
"""Maximum number of pairs of other keys that are tried in one test case: those of two tables with four or five keys."""
MAX_PAIRS_REMEMBERED: Final = 4_000
"""Number of pairs that are remembered; after that no further ones are tried."""

_Table = dict[str, Json]
"""Keys by their texts, in the order in which hints named them."""
_Keyed = tuple[Site, list[Json]]
"""A site that has a key of a table, and the other keys."""
_Pair = tuple[OperationId, tuple[tuple[int, GenePath, str], ...]]
"""An operation, and which inputs have which keys."""


class TableKeys:
    """Learns the keys of tables from hints, and makes test cases with other keys."""

    def __init__(self) -> None:
        self._tables: dict[tuple[OperationId, TargetId], _Table] = {}
        self._by_operation: dict[OperationId, list[_Table]] = {}
        self._paired: set[_Pair] = set()
        """Pairs that were tried: each costs a call, and nearly all do what the keys do one by one."""

    def observe(self, evaluation: Evaluation) -> None:
        """Learns the keys that the evaluation's hints name."""
        named: dict[tuple[int, TargetId, str], _Table] = {}
        for hint in evaluation.hints:
            for sent, key in looked_up(hint):
                named.setdefault((hint.call, hint.target, sent), {})[to_text(key)] = key
        calls = evaluation.test_case.calls
        for (call, target, _), keys in named.items():
            if len(keys) >= MIN_KEYS and 0 <= call < len(calls):
                self._add(calls[call].operation.id, target, keys)

    def _add(self, operation: OperationId, target: TargetId, keys: _Table) -> None:
        table = self._tables.get((operation, target))
        if table is None:
            if len(self._tables) >= MAX_TABLES:
                return
            table = self._tables[operation, target] = {}
            self._by_operation.setdefault(operation, []).append(table)
        for text, key in keys.items():
            if len(table) < MAX_KEYS:
                table.setdefault(text, key)

    def with_other_keys(self, test_case: TestCase) -> Iterator[TestCase]:
        """Yields the test case with each other key of a table in an input of the last call that is a key of it."""
        last = len(test_case.calls) - 1
        tables = self._by_operation.get(test_case.calls[last].operation.id)
        if not tables:
            return
        keyed = [(site, keys) for site in iter_sites(test_case, last, None) if (keys := [*_other_keys(site, tables)])]
        single = (place for site, keys in keyed for key in keys if (place := site.put(key)) is not None)
        for place in islice(single, MAX_OTHERS):
            yield test_case.with_gene(*place)
        yield from islice(self._with_two_other_keys(test_case, keyed), MAX_PAIRS)

    def _with_two_other_keys(self, test_case: TestCase, keyed: list[_Keyed]) -> Iterator[TestCase]:
        """Yields the test case with other keys in two inputs, each pair once in a search."""
        operation = test_case.calls[-1].operation.id
        for (first, firsts), (second, seconds) in combinations(keyed, 2):
            if first.address == second.address:
                continue  # members of one value, which cannot be edited one after the other
            for keys in product(firsts, seconds):
                pair = (operation, (_place_of(first, keys[0]), _place_of(second, keys[1])))
                if pair in self._paired or len(self._paired) >= MAX_PAIRS_REMEMBERED:
                    continue
                places = first.put(keys[0]), second.put(keys[1])
                if places[0] is not None and places[1] is not None:
                    self._paired.add(pair)
                    yield test_case.with_gene(*places[0]).with_gene(*places[1])


def _place_of(site: Site, key: Json) -> tuple[int, GenePath, str]:
    return site.address.input, site.address.path, to_text(key)


def looked_up(hint: Hint) -> Iterator[tuple[str, Json]]:
    """Yields the text of what may have been looked up, and a key that exists; nothing for hints of other kinds."""
    if isinstance(hint, TableHint):
        yield from ((hint.key, key) for key in hint.keys)
        return
    if isinstance(hint, KeyHint):
        pairs = [(hint.key, hint.other)]
    elif isinstance(hint, ComparisonHint) and hint.wanted and hint.operator in ("identical", "equal"):
        # `rooms.find((room) => room.id === id)` compares the key with the input.
        pairs = [(hint.left, hint.right), (hint.right, hint.left)]
    else:
        return
    for own, other in pairs:
        sent, key = decoded(own), decoded(other)
        if (isinstance(sent, str) or is_number(sent)) and (isinstance(key, str) or is_number(key)):
            yield to_text(sent), key


def _other_keys(site: Site, tables: list[_Table]) -> Iterator[Json]:
    """Yields the keys beside the site's own value of the tables that have it, each once."""
    value = site.value
    if not site.is_free() or isinstance(site.gene, ReferenceGene) or not (isinstance(value, str) or is_number(value)):
        return
    own = to_text(value)
    seen = {own}
    for table in tables:
        # Programs look up `currency.toUpperCase()`.
        if any(text in table for text in (own, own.upper(), own.lower())):
            for text, key in table.items():
                if text not in seen and text.lower() != own.lower():
                    seen.add(text)
                    yield key
