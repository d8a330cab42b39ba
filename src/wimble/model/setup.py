"""Setup actions: rows that a test case puts into a database before its first call, with genes like those of calls."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Sequence
from random import Random

import msgspec

from wimble.genes import Gene, LinkedGene
from wimble.model.database import Column, Dialect, InsertRows, Row, TableName
from wimble.model.documents import document_of, extended
from wimble.model.keys import insert_command
from wimble.model.testcase import GeneAddress, SetupAction, TestCase
from wimble.types import ABSENT, Absent, Json

_CONSTANT = re.compile(
    r"\(?(?:'(?P<text>(?:[^']|'')*)'|(?P<word>(?i:true|false|null)|-?\d+(?:\.\d+)?))\)?(?:::[\w\s()\"]+)?"
)
"""As databases write defaults: `'adult'::text`, `0`, `true`, `('x')`."""
_WORDS: dict[str, Json] = {"true": True, "false": False, "null": None}
MAX_SETUP = 20
"""Setup actions of a test case; more, nobody reads."""
MAX_LINKS = 20
"""Links behind one another that are followed; they only ever point backwards, so this is for broken ones."""


class InsertAction(SetupAction, frozen=True, kw_only=True):
    """One row. `genes[i]` is the value of `columns[i]`; those that are absent, and other columns, get their defaults."""

    database: str
    dialect: Dialect
    table: TableName
    columns: tuple[Column, ...]
    keys: tuple[str, ...] = ()
    """Columns whose values tell the table's rows apart."""
    checks: tuple[str, ...] = ()
    """The table's check constraints, as the database writes them."""


def inserted_rows(test_case: TestCase) -> tuple[InsertRows, ...]:
    """The rows of a test case, parents before their children. Links to inputs whose value only an answer brings count as their fallbacks."""
    return tuple(_inserted(test_case, action) for action in test_case.setup if isinstance(action, InsertAction))


def inserted_numbers(test_case: TestCase, errors: Sequence[str]) -> tuple[int, ...]:
    """Indexes of the setup actions that went wrong. errors: one for each of `inserted_rows`, empty where it went well."""
    numbers = (number for number, action in enumerate(test_case.setup) if isinstance(action, InsertAction))
    return tuple(number for number, error in zip(numbers, errors, strict=True) if error)


def _inserted(test_case: TestCase, action: InsertAction) -> InsertRows:
    cells = [
        (column.name, _sent(column, value, action.dialect))
        for column, gene in zip(action.columns, action.genes, strict=True)
        if (value := value_of(test_case, gene)) is not ABSENT
    ]
    if action.dialect == "mongo":
        cells = list(document_of(dict(cells)).items())
    return InsertRows(
        action.database, action.table, tuple(name for name, _ in cells), (tuple(value for _, value in cells),)
    )


def default_of(column: Column) -> Json | Absent:
    """The value that a column gets where a row names none; ABSENT where that is no constant."""
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


def row_comments(test_case: TestCase) -> tuple[str, ...]:
    """`# needs: INSERT INTO members (card) VALUES ('AB-1')`, to stand above the commands that send the calls."""
    dialects = {action.database: action.dialect for action in test_case.setup if isinstance(action, InsertAction)}
    tellers = {"mongo": _shell_command, "redis": _key_command}
    return tuple(
        f"# needs: {tellers.get(dialects[rows.database], _statement)(rows, row)}"
        for rows in inserted_rows(test_case)
        for row in rows.rows
    )


def _statement(rows: InsertRows, row: Row) -> str:
    values = ", ".join(_literal(value) for value in row)
    return f"INSERT INTO {rows.table} ({', '.join(rows.columns)}) VALUES ({values})"


def _shell_command(rows: InsertRows, row: Row) -> str:
    """As in MongoDB's shell, with Extended JSON."""
    document = json.dumps(dict(zip(rows.columns, row, strict=True)), ensure_ascii=False)
    printable = "".join(letter if letter.isprintable() else " " for letter in document)
    return f"db.{rows.table}.insertOne(EJSON.deserialize({printable}))"


def _key_command(rows: InsertRows, row: Row) -> str:
    """As a person types it at `redis-cli`."""
    words = insert_command(rows, row) or ()
    return " ".join(
        shlex.quote("".join(letter if letter.isprintable() else " " for letter in str(word))) for word in words
    )


def _literal(value: Json) -> str:
    """As a person would write it in SQL."""
    if value is None:
        return "NULL"
    if isinstance(value, (bool, int, float)):
        return str(value).upper() if isinstance(value, bool) else str(value)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return "'" + printable.replace("'", "''") + "'"


def value_of(test_case: TestCase, gene: Gene, depth: int = 0) -> Json:
    """The value of a gene of a setup action, links followed."""
    if not isinstance(gene, LinkedGene):
        return gene.phenotype()
    try:
        source = test_case.gene_at(GeneAddress(gene.call, gene.input, gene.path))
    except IndexError:  # the call or the part of it is gone
        return gene.fallback.phenotype()
    value = value_of(test_case, source, depth + 1) if depth < MAX_LINKS else ABSENT
    if gene.prefix or gene.suffix:
        value = ABSENT if value is ABSENT else f"{gene.prefix}{as_written(value)}{gene.suffix}"
    for reading in _readings(value):
        adopted = gene.fallback.adopted(reading)
        if adopted is not None:
            return adopted.phenotype()
    return gene.fallback.phenotype()


def as_written(value: Json) -> str:
    """As it stands in a text."""
    return value if isinstance(value, str) else json.dumps(value)


def _readings(value: Json) -> tuple[Json, ...]:
    """As the value may stand in a column of another type: `"17"` as 17, 17 as `"17"`."""
    if value is ABSENT or isinstance(value, (dict, list)):
        return ()
    if isinstance(value, str):
        try:
            number = json.loads(value)
        except ValueError:
            return (value,)
        return (value, number) if isinstance(number, (int, float)) else (value,)
    if value is None or isinstance(value, bool):
        return (value,)
    return (value, str(value))


def _sent(column: Column, value: Json, dialect: Dialect) -> Json:
    """As drivers take it."""
    if dialect == "mongo":
        return extended(column, value)
    if column.type == "json" and value is not None:
        return json.dumps(value, ensure_ascii=False)
    if column.type == "timestamp" and isinstance(value, str) and dialect == "mysql":
        return value.replace("T", " ").removesuffix("Z")
    return value


def without_setup(test_case: TestCase, number: int) -> TestCase:
    """A copy without one setup action; links to it keep the value that it had."""
    gone = test_case.setup[number]

    def moved(gene: Gene) -> Gene:
        if not isinstance(gene, LinkedGene) or gene.call >= 0:
            return gene
        index = -1 - gene.call
        if index == number:
            held = gene.fallback.adopted(value_of(test_case, gone.genes[gene.input]))
            return held or gene.fallback
        return msgspec.structs.replace(gene, call=gene.call + 1) if index > number else gene

    kept = [action for index, action in enumerate(test_case.setup) if index != number]
    return TestCase(test_case.calls, tuple(_mapped(action, moved) for action in kept))


def with_moved_calls(setup: tuple[SetupAction, ...], new_index: dict[int, int]) -> tuple[SetupAction, ...]:
    """Setup actions for calls that have moved (old index -> new one). Links to a call that is gone keep their last value."""

    def moved(gene: Gene) -> Gene:
        if not isinstance(gene, LinkedGene) or gene.call < 0:
            return gene
        new = new_index.get(gene.call)
        return gene.fallback if new is None else msgspec.structs.replace(gene, call=new)

    return tuple(_mapped(action, moved) for action in setup)


def shifted(setup: tuple[SetupAction, ...], calls: int, actions: int) -> tuple[SetupAction, ...]:
    """Setup actions behind so many others, of a test case whose calls come behind so many others."""

    def moved(gene: Gene) -> Gene:
        if not isinstance(gene, LinkedGene):
            return gene
        return msgspec.structs.replace(gene, call=gene.call + calls if gene.call >= 0 else gene.call - actions)

    return tuple(_mapped(action, moved) for action in setup)


def with_copy(test_case: TestCase, number: int, rng: Random) -> TestCase:
    """A copy with one row more: another one like that of a setup action, with keys of its own."""
    action = test_case.setup[number]
    if not isinstance(action, InsertAction):
        return test_case
    genes = tuple(
        gene.sampled(rng) if column.name in action.keys else gene
        for column, gene in zip(action.columns, action.genes, strict=True)
    )
    return TestCase(test_case.calls, (*test_case.setup, msgspec.structs.replace(action, genes=genes)))


def _mapped(action: SetupAction, moved: Callable[[Gene], Gene]) -> SetupAction:
    genes = tuple(moved(gene) for gene in action.genes)
    if all(new is old for new, old in zip(genes, action.genes, strict=True)):
        return action
    return msgspec.structs.replace(action, genes=genes)
