"""The other keys of the tables that a program looks up an input in: `OFFERS[request.params.code]`, `rooms.get(id)`.

Hints about a look-up name keys that exist, and the first of them that is sent covers the look-up. What the entries of
other keys lack is read by the same code, which is covered then, so no target leads to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from wimble.feedback.input_to_state.input_sites import Site, iter_sites
from wimble.genes import ReferenceGene
from wimble.model.evaluation import Evaluation
from wimble.model.hints import ComparisonHint, Hint, KeyHint
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

_Table = dict[str, Json]
"""Keys by their texts, in the order in which hints named them."""


class TableKeys:
    """Learns the keys of tables from hints, and makes test cases with other keys."""

    def __init__(self) -> None:
        self._tables: dict[tuple[OperationId, TargetId], _Table] = {}
        self._by_operation: dict[OperationId, list[_Table]] = {}

    def observe(self, evaluation: Evaluation) -> None:
        """Learns the keys that the evaluation's hints name."""
        named: dict[tuple[int, TargetId, str], _Table] = {}
        for hint in evaluation.hints:
            for sent, key in _looked_up(hint):
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
        n_left = MAX_OTHERS
        for site in iter_sites(test_case, last, None):
            for key in _other_keys(site, tables):
                place = site.put(key)
                if place is not None:
                    yield test_case.with_gene(*place)
                    n_left -= 1
                if not n_left:
                    return


def _looked_up(hint: Hint) -> Iterator[tuple[str, Json]]:
    """Yields the text of what may have been looked up, and a key that exists; nothing for hints of other kinds."""
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
