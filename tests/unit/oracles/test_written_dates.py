"""Rows of tests that have no date where the API writes dates."""

import msgspec
import pytest

from wimble.genes import AnyGene, ObjectGene, StringGene
from wimble.http.binding import HttpInput
from wimble.model.database import Column, DatabaseCommand, TableName
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.model.testcase import Call, TestCase
from wimble.oracles.databases.written_columns import WrittenColumns

INVALID = "RangeError: Invalid time value"
NO_NUMBER = "Int cannot represent non-integer value: NaN"
MADE = {"slug": "tk4ab", "created_at": "not a date"}


@pytest.fixture
def learnt(make):
    columns = WrittenColumns()
    command = DatabaseCommand(
        database="d", dialect="sqlite", call=0, site="a.js:1", affected=1,
        text="INSERT INTO talks (slug, created_at) VALUES (?, ?)", params=("kxdwa", "2024-05-01T10:00:00.000Z"),
    )  # fmt: skip
    stored = make.evaluation((make.operation("POST"), make.answer(201, {})))
    columns.note(msgspec.structs.replace(stored, interactions=(command,)))
    return columns


def with_row(make, content, row):
    operation = make.operation("POST", inputs=(HttpInput(name="body", location="body", template=AnyGene({})),))
    columns = tuple(Column(name=name, type_name="TEXT", type="text") for name in row)
    inserted = InsertRow(
        genes=tuple(map(StringGene, row.values())),
        database="d",
        dialect="sqlite",
        table=TableName("talks"),
        columns=columns,
    )
    return TestCase((Call(operation, (AnyGene(content),)),), (inserted,))


@pytest.mark.parametrize(
    ("content", "row", "said"),
    [
        ({}, MADE, (INVALID, True)),
        ({}, MADE, (NO_NUMBER, True)),
        ({}, MADE, ("TypeError: Cannot read properties of undefined (reading 'a')", False)),
        ({}, {"created_at": "2024-05-01T10:00:00.000Z"}, (INVALID, False)),
        ({"since": "soon"}, MADE, (INVALID, False)),
        ({"since": "2024-05-01"}, MADE, (INVALID, True)),
        ({"sort": "sjwf4", "filter": {"tags": ["a"]}}, MADE, (INVALID, True)),
        ({"filter": {"createdAfter": "soon"}}, MADE, (INVALID, False)),
        ({"talk": "tk4ab"}, MADE, (INVALID, True)),  # which row, and no date
        ({"query": "query($slug: String!) { talk }", "variables": {"slug": "tk4ab"}}, MADE, (INVALID, True)),
        ({"query": "query($since: String!) { talk }", "variables": {"since": "soon"}}, MADE, (INVALID, False)),
    ],
)
def test_no_date_where_the_api_writes_dates_is_no_fault(make, learnt, content, row, said):
    message, is_explained = said
    assert learnt.explain(with_row(make, content, row), 0, message) is is_explained


def test_a_text_that_is_known_to_be_read_as_a_date_may_be_meant_whatever_its_name(make, learnt):
    test_case = with_row(make, {}, MADE)
    gene = ObjectGene((("x", StringGene("soon", specialisation="iso-date")),))
    assert learnt.explain(test_case, 0, INVALID)
    assert not learnt.explain(test_case.with_call(0, test_case.calls[0].with_gene(0, gene)), 0, INVALID)
