"""The base of setup actions that insert something into a database: a row, a document or a key."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random
from typing import ClassVar

import msgspec

from wimble.genes import Gene, LinkedGene, StringGene
from wimble.model.database import Column, InsertRows, Row, TableName
from wimble.model.setup import value_of
from wimble.model.testcase import SetupAction, TestCase
from wimble.types import ABSENT, Absent, Json

_CONSTANT = re.compile(
    r"\(?(?:'(?P<text>(?:[^']|'')*)'|(?P<word>(?i:true|false|null)|-?\d+(?:\.\d+)?))\)?(?:::[\w\s()\"]+)?"
)
"""A constant default as databases write it: `'adult'::text`, `0`, `true`, `('x')`."""
MAX_EXACT = 2**53 - 1
_WORDS: dict[str, Json] = {"true": True, "false": False, "null": None}


LEFT_FOR_CALLS = 1_000
"""Number of keys above a row's that stay free in a column that the database numbers itself, for rows of the calls."""


def _exact(column: Column, value: Json) -> Json:
    """Returns the nearest value that a double holds exactly: programs that read an integer as a double would otherwise
    see another one than the database has. A key that the database would have to continue above stays below its end."""
    if not isinstance(value, int) or isinstance(value, bool):
        return value
    high = MAX_EXACT
    if column.is_identity:
        high = min(high, 2 ** ((column.bits or 64) - (not column.is_unsigned)) - 1 - LEFT_FOR_CALLS)
    return max(-MAX_EXACT, min(high, value))


class DatabaseAction(SetupAction, frozen=True, kw_only=True):
    """One row, document or key. `genes[i]` is the value of `columns[i]`.

    Columns whose gene is absent, and columns that are not listed, get their defaults.
    """

    stores_text: ClassVar[bool] = False
    """Whether the database stores any value as text. Then an error about a value of the wrong type is no fault of the
    program."""

    database: str
    """The id of the database (`Database.id`)."""
    table: TableName
    columns: tuple[Column, ...]
    keys: tuple[str, ...] = ()
    """Columns whose values identify a row of the table."""
    checks: tuple[str, ...] = ()
    """The table's check constraints, as the database writes them."""

    def inserted(self, test_case: TestCase) -> InsertRows:
        """Returns the row to insert. A link to an answer that does not exist yet is replaced by its fallback."""
        cells = {
            column.name: self._sent(column, _exact(column, value))
            for column, gene in zip(self.columns, self.genes, strict=True)
            if (value := value_of(test_case, gene)) is not ABSENT
        }
        cells = self._assembled(cells)
        return InsertRows(self.database, self.table, tuple(cells), (tuple(cells.values()),))

    def _sent(self, column: Column, value: Json) -> Json:
        """Returns a value in the form that drivers accept."""
        return value

    def _assembled(self, cells: dict[str, Json]) -> dict[str, Json]:
        """Returns the row of all values."""
        return cells

    def _command(self, rows: InsertRows, row: Row) -> str:
        """Returns the command that inserts a row, in one line, as a person would write it."""
        raise NotImplementedError

    # -- as a kind of setup action ------------------------------------------------------------------------------------

    def description(self, test_case: TestCase) -> str:
        rows = self.inserted(test_case)
        return self._command(rows, rows.rows[0])

    def input_name(self, index: int) -> str:
        return self.columns[index].name

    def input_label(self, index: int) -> str:
        return f"column {self.table}.{self.columns[index].name}"

    def is_json_input(self, index: int) -> bool:
        return self.columns[index].type == "json"

    def default_value(self, index: int) -> Json | Absent:
        return default_of(self.columns[index])

    @property
    def counted_with(self) -> tuple[str, TableName]:
        return self.database, self.table

    def copied(self, rng: Random) -> DatabaseAction:
        """Returns an action for a similar row, with newly sampled keys."""
        genes = tuple(
            _new_key(gene, rng) if column.name in self.keys else gene
            for column, gene in zip(self.columns, self.genes, strict=True)
        )
        return msgspec.structs.replace(self, genes=genes)

    def can_hold(self, gene: Gene) -> bool:
        """Whether `gene` may replace another one. A text has to be valid, since databases accept very unusual dates."""
        return not isinstance(gene, StringGene) or gene.is_valid()


def _new_key(gene: Gene, rng: Random) -> Gene:
    """Returns another key. The input of a call names one row only, unlike the key of a row that others refer to."""
    own = gene.fallback if isinstance(gene, LinkedGene) and gene.call >= 0 else gene
    return own.sampled(rng)


def inserted_rows(test_case: TestCase) -> tuple[InsertRows, ...]:
    """Returns the rows that a test case inserts into databases, parents before their children."""
    return tuple(action.inserted(test_case) for _, action in test_case.setup_of(DatabaseAction))


def default_of(column: Column) -> Json | Absent:
    """Returns the value of a column that a row does not name; ABSENT if it is not a constant."""
    if column.default is None:
        return None if column.is_nullable else ABSENT
    found = _CONSTANT.fullmatch(column.default.strip())
    if found is None:
        return ABSENT
    if found["text"] is not None:
        return found["text"].replace("''", "'")
    word = found["word"].lower()
    if word in _WORDS:
        return _WORDS[word]
    return float(word) if "." in word else int(word)


def in_one_line(text: str) -> str:
    """Returns the text with a space for each unprintable character."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def as_json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


def columns_without_value(test_case: TestCase) -> Iterator[tuple[TableName, Column]]:
    """Yields the columns that are null, or absent without a default, in each row or document that is inserted."""
    for _, action in test_case.setup_of(DatabaseAction):
        for column, gene in zip(action.columns, action.genes, strict=True):
            value = value_of(test_case, gene)
            if value is None or (value is ABSENT and default_of(column) is None):
                yield action.table, column


def inserted_values(test_case: TestCase) -> frozenset[str | int | float]:
    """Returns the texts and numbers in the rows and documents that the test case inserts."""
    return frozenset(
        value
        for inserted in inserted_rows(test_case)
        for row in inserted.rows
        for value in row
        if isinstance(value, str | int | float) and not isinstance(value, bool)
    )
