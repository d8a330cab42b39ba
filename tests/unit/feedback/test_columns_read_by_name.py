"""Columns of rows that tests bring: which of many nulls was read, and members of JSON that no row has yet."""

import json
from random import Random

import pytest

from hint_samples import UNDEFINED, hint
from wimble.feedback import apply_edit, edits_from_hints
from wimble.genes import AnyGene, ConstantGene, Gene, IntegerGene, LinkedGene, NullableGene, OptionalGene
from wimble.http.binding import http_operation
from wimble.model.database import Column, TableName
from wimble.model.setup_kinds.database_action import inserted_rows
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.model.testcase import Call, TestCase
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.types import Json, OperationId


def case_with(**columns: tuple[str, Gene]) -> TestCase:
    row = InsertRow(
        database="main",
        dialect="postgres",
        table=TableName("users"),
        columns=tuple(Column(name=name, type_name=kind, type=kind) for name, (kind, _) in columns.items()),
        genes=tuple(gene for _, gene in columns.values()),
    )
    call = Call(http_operation(id=OperationId("op"), method="GET", path="/op"), ())
    return TestCase((call,), (row,))


def rows_after(case: TestCase, name: str, left: Json, operator: str = "truthy", right: Json = True) -> list[dict]:
    seen = hint(left, operator, right, name=name)
    edited = [apply_edit(case, edit) for edit in edits_from_hints(case, [seen], Random(1), JAVASCRIPT)]
    return [dict(zip(rows.columns, rows.rows[0], strict=True)) for one in edited for rows in inserted_rows(one)]


def nullable(n: int, *, named: str) -> dict[str, tuple[str, Gene]]:
    """So many columns that are null; the last one has a name."""
    names = [*(f"c{number}" for number in range(n)), named]
    return {name: ("integer", NullableGene(IntegerGene(5), True)) for name in names}


@pytest.mark.parametrize("name", ["user.loginCount", "loginCount", "row.user.login_count"])
def test_of_many_nulls_the_column_that_is_called_as_what_was_read_is_written_first(name):
    case = case_with(**nullable(20, named="login_count"))
    assert rows_after(case, name, None)[0]["login_count"] not in (None, 0)


def test_a_column_that_is_left_to_the_database_is_null_too():
    case = case_with(
        a=("integer", NullableGene(IntegerGene(5), True)),
        b=("integer", OptionalGene(NullableGene(IntegerGene(5)), False)),
    )
    assert rows_after(case, "user.b", None)[0]["b"] not in (None, 0)


@pytest.mark.parametrize(
    ("document", "name", "becomes"),
    [
        (AnyGene({"a": 1}), "user.extra.level", {"a": 1, "level": 4}),
        (AnyGene({"top": {"a": 1}}), "user.extra.top.level", {"top": {"a": 1, "level": 4}}),
        (AnyGene({}), "extra.items.1.level", {"items": [{"level": 4}, {"level": 4}]}),
        (AnyGene([1]), "extra.level", {"level": 4}),
        (OptionalGene(NullableGene(AnyGene({})), False), "extra.level", {"level": 4}),
        (NullableGene(AnyGene({}), True), "settings.level", {"level": 4}),
    ],
)
def test_a_member_of_json_is_put_in_where_its_name_leads(document, name, becomes):
    case = case_with(id=("integer", IntegerGene(1)), extra=("json", document))
    (first, *_) = rows_after(case, name, UNDEFINED, ">", 3)
    assert (first["id"], json.loads(first["extra"])) == (1, becomes)


def test_the_column_that_is_named_comes_before_others_and_no_other_type_is_written():
    case = case_with(other=("json", AnyGene({})), extra=("json", AnyGene({})), text=("text", ConstantGene("{}")))
    rows = rows_after(case, "user.extra.level", UNDEFINED, ">", 3)
    put_in = '{"level": 4}'
    assert rows[0] == {"other": "{}", "extra": put_in, "text": "{}"}
    assert {"other": put_in, "extra": "{}", "text": "{}"} in rows
    assert all(row["text"] == "{}" for row in rows)


def test_a_column_that_follows_an_input_stays_its():
    case = case_with(extra=("json", LinkedGene(0, 0, (), ConstantGene({}))))
    assert all(row["extra"] == "{}" for row in rows_after(case, "user.extra.level", UNDEFINED, ">", 3))
