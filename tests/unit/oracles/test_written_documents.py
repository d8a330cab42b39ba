"""Rows of tests that have an object where the API writes lists, and the other way round."""

import msgspec
import pytest

from wimble.databases.rows.column_genes import gene_of, limits_of_model
from wimble.genes import AnyGene, ArrayGene, EnumGene, NullableGene
from wimble.model.database import Column, ColumnRules, Database, DatabaseCommand, Table, TableName, TableRules
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.model.testcase import TestCase
from wimble.oracles.databases.written_columns import WrittenColumns
from wimble.oracles.databases.written_documents import LEAST_WRITTEN
from wimble.state.model_rules import with_rules

INSERT = "INSERT INTO sprints (ids, limits, note) VALUES (?, ?, ?)"
NOT_ITERABLE = "TypeError: sprint.ids is not iterable"
OF_NULL = "TypeError: Cannot read properties of null (reading 'max')"


def column(name: str, kind: str = "text") -> Column:
    return Column(name=name, type_name=kind.upper(), type=kind, is_nullable=True)


def command(*params: str) -> DatabaseCommand:
    return DatabaseCommand(
        database="d", dialect="sqlite", call=0, site="a.js:1", text=INSERT, params=params, affected=1
    )  # fmt: skip


def learnt(make, *commands: DatabaseCommand) -> WrittenColumns:
    columns = WrittenColumns()
    for one in commands:
        stored = make.evaluation((make.operation("POST"), make.answer(201, {})))
        columns.note(msgspec.structs.replace(stored, interactions=(one,)))
    return columns


USUAL = [command("[1, 2]", '{"max": 3}', "[x")] * LEAST_WRITTEN


def with_row(make, **values) -> TestCase:
    row = InsertRow(
        genes=tuple(NullableGene(AnyGene(value), is_null=value is None) for value in values.values()),
        database="d",
        dialect="sqlite",
        table=TableName("sprints"),
        columns=tuple(map(column, values)),
    )
    return TestCase(make.evaluation((make.operation(), make.answer(200, {}))).test_case.calls, (row,))


@pytest.mark.parametrize(
    ("row", "message", "is_explained"),
    [
        ({"ids": "{}"}, NOT_ITERABLE, True),
        ({"ids": "17176"}, "TypeError: sprint.ids.map is not a function", True),
        ({"ids": "[]"}, NOT_ITERABLE, False),
        ({"ids": "{}"}, "TypeError: Cannot read properties of undefined (reading 'title')", False),
        ({"limits": "[]"}, "TypeError: Cannot read properties of undefined (reading 'map')", True),
        ({"limits": None}, OF_NULL, True),
        ({"limits": "{}"}, OF_NULL, False),
        ({"note": "{}"}, NOT_ITERABLE, False),
        ({"note": None}, OF_NULL, False),
    ],
)
def test_another_kind_of_value_than_the_api_writes_is_no_fault(make, row, message, is_explained):
    assert learnt(make, *USUAL).explain(with_row(make, **row), 0, message) is is_explained


def test_the_kind_is_known_after_some_values_and_not_if_they_differ(make):
    row = with_row(make, ids="{}")
    assert not learnt(make, *USUAL[1:]).explain(row, 0, NOT_ITERABLE)
    assert not learnt(make, *USUAL, command("{}", "{}", "")).explain(row, 0, NOT_ITERABLE)


def test_new_rows_have_values_of_that_kind(make):
    tables = (Table(name=TableName("sprints"), columns=(column("ids"), column("limits", "json"), column("note"))),)
    database = Database(id="d", dialect="sqlite", tables=tables)
    columns = learnt(make, *USUAL)
    assert columns.version > 0
    model = TableRules(table="sprints", columns={"ids": ColumnRules(is_json=True, not_null=True)})
    ids, limits, note = with_rules(database, (*columns.rules(database), model)).tables[0].columns
    assert (ids.rules.json_kind, ids.rules.not_null, limits.rules.json_kind) == ("array", True, "object")
    assert note.rules is None
    assert gene_of(ids, limits_of_model(ids.rules), "sqlite") == EnumGene(("[]",))
    gene = gene_of(limits, limits_of_model(limits.rules, is_text=False), "sqlite")
    assert gene.phenotype() == {}
    lists = msgspec.structs.replace(limits, rules=ColumnRules(json_kind="array"))
    assert isinstance(gene_of(lists, limits_of_model(lists.rules, is_text=False), "sqlite").gene, ArrayGene)
