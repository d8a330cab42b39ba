"""Rows of tests that have numbers of another size than the API writes."""

from types import SimpleNamespace

import msgspec
import pytest

from wimble.engine.dropped_faults.made_rows import drop_errors_about_made_rows
from wimble.engine.faults.fault_book import Witness
from wimble.genes import AnyGene
from wimble.model.database import Column, Database, DatabaseCommand, ForeignKey, Table, TableName
from wimble.model.evaluation import Finding
from wimble.model.observation import Cause
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.model.testcase import TestCase
from wimble.oracles.databases.written_columns import WrittenColumns
from wimble.oracles.databases.written_numbers import LEAST_WRITES, SMALL

INSERT = "INSERT INTO halls (seats, cents, site_id) VALUES (?, ?, ?)"
NAN = "Float cannot represent non numeric value: NaN"
LENGTH = "RangeError: Invalid array length"
USUAL = [(1 + n % 26, 4_000_000_000 if n == 3 else -n, 1 + n) for n in range(LEAST_WRITES)]


def learnt(make, *rows, sql: str = INSERT) -> WrittenColumns:
    columns = WrittenColumns()
    for row in rows:
        command = DatabaseCommand(
            database="d", dialect="sqlite", call=0, site="a.js:1", text=sql, params=row, affected=1
        )  # fmt: skip
        stored = make.evaluation((make.operation("POST"), make.answer(201, {})))
        columns.note(msgspec.structs.replace(stored, interactions=(command,)))
    return columns


def column(name: str) -> Column:
    return Column(name=name, type_name="INTEGER", type="integer", bits=32)


def with_row(make, **values) -> TestCase:
    row = InsertRow(
        genes=tuple(map(AnyGene, values.values())),
        database="d",
        dialect="sqlite",
        table=TableName("halls"),
        columns=tuple(map(column, values)),
    )
    return TestCase(make.evaluation((make.operation(), make.answer(200, {}))).test_case.calls, (row,))


@pytest.mark.parametrize(
    ("row", "message", "is_explained"),
    [
        ({"seats": 0}, NAN, True),
        ({"seats": SMALL + 1}, LENGTH, True),
        ({"seats": 2_000_000_000}, "Int cannot represent non 32-bit signed integer value: 4000000000000000000", True),
        ({"seats": 27}, LENGTH, False),
        ({"seats": SMALL + 1}, "TypeError: seats is not iterable", False),
        ({"cents": 0}, NAN, False),
        ({"cents": 2_000_000_000}, LENGTH, False),
    ],
)
def test_numbers_that_the_api_never_writes_are_no_fault(make, row, message, is_explained):
    columns = learnt(make, *USUAL)
    assert columns.explain(with_row(make, **row), 0, message) is is_explained


@pytest.mark.parametrize(
    "rows",
    [USUAL[1:], [*USUAL, (SMALL + 1, 1, 1)], [(5, 1, 1)] * LEAST_WRITES, [*USUAL, ("five", 1, 1)]],
    ids=["few", "one is large", "all are the same", "a text"],
)
def test_the_size_is_known_after_some_values(make, rows):
    assert learnt(make, *USUAL).are_beyond(with_row(make, seats=SMALL + 1))
    assert not learnt(make, *rows).are_beyond(with_row(make, seats=SMALL + 1))


def test_what_the_database_computes_has_no_known_size(make):
    columns = learnt(make, *USUAL)
    version = columns.version
    update = DatabaseCommand(
        database="d", dialect="sqlite", call=0, site="a.js:2", text="UPDATE halls SET seats = seats + ?", params=(1,),
        affected=1,
    )  # fmt: skip
    stored = make.evaluation((make.operation("PUT"), make.answer(200, {})))
    columns.note(msgspec.structs.replace(stored, interactions=(update,)))
    assert columns.version > version
    assert not columns.are_beyond(with_row(make, seats=SMALL + 1))


def test_new_rows_have_numbers_of_that_size(make):
    key = ForeignKey(("site_id",), TableName("sites"), ("id",))
    table = Table(
        name=TableName("halls"), columns=tuple(map(column, ["seats", "cents", "site_id"])), foreign_keys=(key,)
    )
    (rules,) = learnt(make, *USUAL).rules(Database(id="d", dialect="sqlite", tables=(table,)))
    assert list(rules.columns) == ["seats"]
    assert (rules.columns["seats"].low, rules.columns["seats"].high) == (1, SMALL)


class Book(list):
    dropped: frozenset = frozenset()

    def drop(self, keys):
        self.dropped = keys


@pytest.mark.parametrize(("seats", "is_dropped"), [(SMALL + 1, True), (20, False)])
def test_a_loop_over_such_a_number_is_dropped(make, seats, is_dropped):
    blocked = Finding(
        oracle="blocked",
        key=("blocked", "a.js", "3"),
        operation="GET",
        status=None,
        title="",
        observed="",
        expected="",
        cause=Cause(file="a.js", line=3),
        call_index=0,
    )
    run = make.evaluation((make.operation(), make.answer(200, {})))
    run = msgspec.structs.replace(run, test_case=with_row(make, seats=seats))
    book = Book([SimpleNamespace(key=blocked.key, finding=blocked, witnesses=[Witness(blocked, run, ())])])
    coordinator = SimpleNamespace(faults=book, judge=SimpleNamespace(written=learnt(make, *USUAL)))
    drop_errors_about_made_rows(coordinator)
    assert (book.dropped == {blocked.key}) is is_dropped


@pytest.mark.parametrize(("source", "is_dropped"), [("hall.site.id", True), ("request.user.id", False)])
def test_a_missing_value_that_the_api_always_fills_is_dropped(make, tmp_path, source, is_dropped):
    (tmp_path / "a.js").write_text(f"if ({source} !== mine.id) refuse()\n")
    failed = Finding(
        oracle="server-error",
        key=("server-error", "a.js", "1"),
        operation="GET",
        status=500,
        title="",
        observed="",
        expected="",
        cause=Cause(
            file=str(tmp_path / "a.js"), line=1, message="TypeError: Cannot read properties of null (reading 'id')"
        ),
        call_index=0,
    )
    run = make.evaluation((make.operation(), make.answer(500, {})))
    run = msgspec.structs.replace(run, test_case=with_row(make, seats=20, site_id=None))
    book = Book([SimpleNamespace(key=failed.key, finding=failed, witnesses=[Witness(failed, run, ())])])
    coordinator = SimpleNamespace(faults=book, judge=SimpleNamespace(written=learnt(make, *USUAL)))
    drop_errors_about_made_rows(coordinator)
    assert (book.dropped == {failed.key}) is is_dropped
