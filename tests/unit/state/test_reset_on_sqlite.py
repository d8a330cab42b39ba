"""Resetting, over a real SQLite database of the standard library's: what the core says is the same for all dialects."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import pytest

from wimble.agent.mocks.connection_proxy import GONE, Connected
from wimble.model.database import InsertRows, QueryResult, TableName
from wimble.state.proxied_database import ProcessEnded
from wimble.state.recovery_file import RecoveryFile
from wimble.state.sql.relational import RelationalDatabase
from wimble.state.sql.sqlite_dialect import Sqlite

SCHEMA = """
CREATE TABLE customers (id INTEGER PRIMARY KEY AUTOINCREMENT, email VARCHAR(20) NOT NULL UNIQUE, joined DATETIME, vip BOOLEAN DEFAULT 0);
CREATE TABLE orders (
  id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers ON DELETE CASCADE,
  total DECIMAL(8, 2) CHECK (total >= 0 AND 'a)b' <> ')'), twice REAL AS (total * 2) STORED, UNIQUE (customer_id, total)
);
CREATE TABLE "Odd ""Name"" x" ("from" BLOB, weight REAL);
CREATE TABLE pairs (a TEXT, b INT, c TEXT, PRIMARY KEY (b, a)) WITHOUT ROWID;
CREATE TABLE log (what TEXT);
CREATE VIEW rich AS SELECT c.* FROM customers c JOIN orders o ON o.customer_id = c.id WHERE o.total > 100;
CREATE TRIGGER noted AFTER INSERT ON orders BEGIN INSERT INTO log VALUES ('order ' || NEW.id); END;
INSERT INTO customers (email, joined) VALUES ('ann@x', '2020-01-01'), ('b''ob', NULL);
INSERT INTO orders (id, customer_id, total) VALUES (10, 1, 5.5), (11, 2, 700);
INSERT INTO "Odd ""Name"" x" VALUES (x'00ff', 0.1), (NULL, 1e300), (x'00ff', 0.1);
INSERT INTO pairs VALUES ('x', 1, 'p'), ('y', 1, 'q');
DELETE FROM log;
"""


class Handle:
    """A database, queried as over the agent, and the SUT that changes it."""

    def __init__(self, path: str = ":memory:") -> None:
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.connection.executescript("PRAGMA foreign_keys = ON;" + SCHEMA)
        self.asked: list[str] = []
        self.refuses: Callable[[str], bool] = lambda text: False
        self.error = "no"

    def run_query(self, text, params=()):
        self.asked.append(text)
        if self.refuses(text):
            return QueryResult(error=self.error)
        try:
            if "; " in text:
                try:
                    self.connection.executescript(text)
                finally:
                    if self.connection.in_transaction:
                        self.connection.rollback()
                    self.connection.execute("PRAGMA foreign_keys = ON")
                return QueryResult()
            cursor = self.connection.execute(text, params)
            columns = tuple(one[0] for one in cursor.description or ())
            return QueryResult(columns=columns, rows=tuple(cursor.fetchall()), affected=cursor.rowcount)
        except sqlite3.Error as error:
            return QueryResult(error=str(error))

    def dump(self):
        return list(self.connection.iterdump())


@pytest.fixture
def handle():
    return Handle()


@pytest.fixture
def warnings():
    return []


@pytest.fixture
def database(handle, warnings):
    made = RelationalDatabase(connected(), handle.run_query, Sqlite(), None, warnings.append)
    made.attach(can_write=True)
    assert not warnings
    return made


def connected(*, is_in_process=False):
    return Connected(
        id="sqlite:/x",
        driver="better-sqlite3",
        dialect="sqlite",
        host="",
        port=0,
        name="x",
        is_local=True,
        is_in_process=is_in_process,
    )


def in_any_order(dump):
    """Rows that were gone and came back may stand in another place."""
    return sorted(dump)


def insert_and_delete(handle):
    handle.connection.execute("INSERT INTO customers (email) VALUES ('gone')")
    handle.connection.execute("DELETE FROM customers WHERE email = 'gone'")


def next_id(handle):
    (number,) = handle.connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'customers'").fetchone()
    return number + 1


@pytest.mark.parametrize("is_of_start", [True, False])
def test_numbers_that_a_start_has_used_up_are_put_back_at_the_end_only(handle, database, is_of_start):
    """A suite first sees the database after a start, so it cannot put them back."""
    first = next_id(handle)
    insert_and_delete(handle)
    if is_of_start:
        database.note_start()
    database.note_everything()
    assert database.reset()
    assert next_id(handle) == first + is_of_start
    insert_and_delete(handle)
    database.note_everything()
    assert database.reset()
    assert next_id(handle) == first + is_of_start, "tests use them up again and again"
    database.note_everything()
    assert database.close()
    assert next_id(handle) == first


@pytest.mark.parametrize(
    "commands",
    [
        ["INSERT INTO customers (email) VALUES ('new')"],
        ["UPDATE customers SET email = 'z' || id, vip = 1"],
        ["DELETE FROM customers WHERE id = 1"],
        ["DELETE FROM customers"],
        ["DELETE FROM orders", "DELETE FROM customers"],
        ["INSERT INTO customers (id, email) VALUES (99, 'n')", "UPDATE orders SET customer_id = 99"],
        ["UPDATE customers SET email = 'q' WHERE id = 1", "UPDATE customers SET email = 'ann@x' WHERE id = 2"],
        ["DELETE FROM customers WHERE id = 2", "INSERT INTO customers (id, email) VALUES (7, 'b''ob')"],
        ["INSERT INTO orders (customer_id, total) VALUES (1, 3)"],
        ['DELETE FROM "Odd ""Name"" x" WHERE rowid = 2', 'INSERT INTO "Odd ""Name"" x" VALUES (1, 2)'],
        ['UPDATE "Odd ""Name"" x" SET weight = weight + 1'],
        ["UPDATE pairs SET a = a || b", "INSERT INTO pairs VALUES ('x', 2, NULL)"],
        ["REPLACE INTO customers (id, email) VALUES (1, 'other')"],
    ],
)
def test_what_commands_change_is_taken_back(handle, database, warnings, commands):
    before = handle.dump()
    for command in commands:
        handle.connection.execute(command)
        database.note(command, ())
    assert handle.dump() != before
    assert database.reset()
    assert in_any_order(handle.dump()) == in_any_order(before)
    assert not warnings


def test_reading_touches_nothing_and_costs_no_query(handle, database):
    handle.asked.clear()
    for text in (
        "SELECT * FROM customers",
        "select 'x' from orders -- update it",
        "PRAGMA user_version",
        "BEGIN",
        "COMMIT",
    ):
        database.note(text, ())
    assert not database.is_touched
    database.reset()
    assert handle.asked == []


def test_only_what_may_be_touched_is_read(handle, database):
    handle.asked.clear()
    database.note('INSERT INTO "pairs" VALUES (1, 2, 3)', ())
    database.reset()
    assert len(handle.asked) == 1 and '"pairs"' in handle.asked[0] and "customers" not in handle.asked[0]


def test_a_command_that_is_not_known_may_have_changed_anything(handle, database):
    before = handle.dump()
    handle.connection.execute("DELETE FROM customers")
    database.note("", ())
    database.reset()
    assert in_any_order(handle.dump()) == in_any_order(before)


def test_the_schema_is_read(database):
    tables = {str(table.name): table for table in database.catalogue.database.tables}
    assert set(tables) == {"customers", "orders", 'Odd "Name" x', "pairs", "log", "rich"}
    orders = tables["orders"]
    assert orders.primary_key == ("id",) and orders.column("id").is_identity
    assert [key.columns for key in orders.unique] == [("customer_id", "total")]
    [key] = orders.foreign_keys
    assert (key.columns, key.target, key.target_columns) == (("customer_id",), TableName("customers"), ("id",))
    assert orders.checks == ("total >= 0 AND 'a)b' <> ')'",)
    assert orders.column("twice").is_generated
    total = orders.column("total")
    assert (total.type, total.precision, total.scale) == ("decimal", 8, 2)
    assert tables["customers"].column("email").length == 20
    assert tables["customers"].column("joined").type == "timestamp"
    assert tables["pairs"].primary_key == ("b", "a")
    assert tables["rich"].is_view


def test_rows_that_are_put_in_are_taken_out_again(handle, database):
    before = handle.dump()
    row = InsertRows("x", TableName("customers"), ("id", "email", "joined"), ((50, "it's", {"$date": 1577836800000}),))
    assert database.insert([row]) == ("",)
    assert handle.connection.execute("SELECT email, joined FROM customers WHERE id = 50").fetchall() == [
        ("it's", "2020-01-01 00:00:00.000")
    ]
    again, unknown = database.insert([row, InsertRows("x", TableName("nope"), (), ((),))])
    assert "UNIQUE" in again
    assert unknown == "no such table or column"
    database.reset()
    assert in_any_order(handle.dump()) == in_any_order(before)


def test_what_a_login_leaves_stays_until_the_next_start(handle, database):
    before = handle.dump()
    handle.connection.execute("INSERT INTO log VALUES ('ann is here')")
    database.note("INSERT INTO log VALUES (?)", ())
    database.rebaseline()
    with_login = handle.dump()
    handle.connection.execute("DELETE FROM log")
    database.note("DELETE FROM log", ())
    database.reset()
    assert handle.dump() == with_login
    database.forget_rebaseline()
    database.reset()
    assert handle.dump() == before


def test_a_reset_leads_from_one_content_to_another_and_back(handle, database):
    def insert(email: str) -> int:
        key = handle.connection.execute("INSERT INTO customers (email) VALUES (?)", (email,)).lastrowid
        database.note("INSERT INTO customers (email) VALUES (?)", (email,))
        return key

    first, before = database.baseline(), handle.dump()
    assert insert("kim@x") == 3
    database.rebaseline()
    second, with_kim = database.baseline(), handle.dump()
    for _ in range(2):
        assert insert("lee@x") == 4
        database.use_baseline(first)
        assert database.is_touched
        database.reset()
        assert handle.dump() == before
        database.use_baseline(second)
        database.reset()
        assert handle.dump() == with_kim
        database.use_baseline(second)
        assert not database.is_touched
    database.close()
    assert handle.dump() == before


def test_keys_that_were_drawn_before_a_new_baseline_are_not_drawn_again(handle, database):
    def insert(email: str) -> int:
        key = handle.connection.execute("INSERT INTO customers (email) VALUES (?)", (email,)).lastrowid
        database.note("INSERT INTO customers (email) VALUES (?)", (email,))
        return key

    assert insert("kim@x") == 3
    handle.connection.execute("DELETE FROM customers WHERE email = 'kim@x'")
    database.rebaseline()
    assert insert("lee@x") == 4
    database.reset()
    assert insert("moe@x") == 4
    database.forget_rebaseline()
    database.reset()
    assert insert("new@x") == 3


def test_tables_that_calls_make_are_emptied_and_those_they_drop_are_told(handle, database, warnings):
    for command in ("CREATE TABLE made (a INT)", "INSERT INTO made VALUES (1)", "DROP TABLE pairs"):
        handle.connection.execute(command)
        database.note(command, ())
    assert database.reset()
    assert handle.connection.execute("SELECT count(*) FROM made").fetchone() == (0,)
    assert any("pairs" in warning and "dropped" in warning for warning in warnings)
    assert database.catalogue.database.table(TableName("made")) is not None


def test_a_database_whose_program_has_ended_stays_dirty_without_a_warning(handle, database, warnings, monkeypatch):
    def put_back(*, is_exact):
        raise ProcessEnded("the SUT has ended")

    database.note("DELETE FROM customers", ())
    monkeypatch.setattr(database, "_put_back", put_back)
    assert not database.reset()
    assert database.is_touched and warnings == []


def test_a_database_that_refuses_is_told_and_stays_dirty(handle, database, warnings):
    handle.connection.execute("DELETE FROM log")
    database.note("DELETE FROM customers", ())
    handle.refuses = lambda text: True
    assert not database.reset()
    assert database.is_touched
    assert len(warnings) == 1 and "could not be put back" in warnings[0]
    handle.refuses = lambda text: False
    handle.connection.execute("DELETE FROM pairs")
    database.note("DELETE FROM pairs", ())
    assert database.reset(), "it came back"
    assert handle.connection.execute("SELECT count(*) FROM pairs").fetchone() == (2,)


def test_what_cannot_be_read_or_is_too_large_is_left_alone_and_told(handle, warnings, monkeypatch):
    monkeypatch.setattr("wimble.state.sql.relational.MAX_ROWS", 2)
    handle.refuses = lambda text: 'FROM "pairs"' in text
    database = RelationalDatabase(connected(), handle.run_query, Sqlite(), None, warnings.append)
    database.attach(can_write=True)
    assert len(warnings) == 1 and warnings[0].endswith('Odd "Name" x, pairs')
    for command in ("DELETE FROM pairs", "DELETE FROM customers"):
        handle.connection.execute(command)
        database.note(command, ())
    assert database.reset()
    assert handle.connection.execute("SELECT count(*) FROM customers").fetchone() == (2,)
    assert handle.connection.execute("SELECT count(*) FROM pairs").fetchone() == (0,)


def test_rows_of_a_run_that_was_killed_are_put_back_by_the_next(tmp_path, handle, warnings):
    before = handle.dump()
    journal = RecoveryFile(tmp_path, "sqlite:/x")
    first = RelationalDatabase(connected(), handle.run_query, Sqlite(), journal, warnings.append)
    first.attach(can_write=True)
    assert journal.path.stat().st_mode & 0o077 == 0
    handle.connection.execute("DELETE FROM customers")
    handle.connection.execute("INSERT INTO log VALUES ('x')")
    second = RelationalDatabase(
        connected(), handle.run_query, Sqlite(), RecoveryFile(tmp_path, "sqlite:/x"), warnings.append
    )
    second.attach(can_write=True)
    assert in_any_order(handle.dump()) == in_any_order(before)
    assert "were put back" in warnings[0]
    assert second.close()
    assert not journal.path.exists() and not journal.path.parent.exists()


def test_without_the_right_to_write_nothing_is_changed(handle, warnings):
    database = RelationalDatabase(connected(), handle.run_query, Sqlite(), None, warnings.append)
    database.attach(can_write=False)
    assert database.catalogue is not None
    handle.connection.execute("DELETE FROM log")
    database.note("DELETE FROM customers", ())
    handle.asked.clear()
    assert database.reset() and handle.asked == []
    assert database.insert([InsertRows("x", TableName("log"), ("what",), (("a",),))]) != ("",)
    assert handle.asked == []


def test_the_counter_of_a_table_that_the_sut_made_is_put_back_at_the_end(handle, database):
    def run(text: str) -> int:
        key = handle.connection.execute(text).lastrowid
        database.note(text, ())
        return key

    run("CREATE TABLE moves (id INTEGER PRIMARY KEY AUTOINCREMENT, sku TEXT)")
    assert run("INSERT INTO moves (sku) VALUES ('a')") == 1
    database.reset()  # reads the new table
    run("INSERT INTO moves (sku) VALUES ('a')")
    database.rebaseline()
    kept = handle.connection.execute("SELECT max(id) FROM moves").fetchone()[0]
    run("INSERT INTO moves (id, sku) VALUES (998976, 'b')")
    database.close()
    assert handle.connection.execute("INSERT INTO moves (sku) VALUES ('c')").lastrowid == kept + 1


@pytest.mark.parametrize(
    ("error", "is_in_process", "is_told"),
    [
        pytest.param(GONE, True, False, id="in-memory-of-an-ended-process"),
        pytest.param(GONE, False, True, id="server-without-a-process-that-asks"),
        pytest.param("database is locked", True, True, id="in-memory-of-a-living-process"),
    ],
)
def test_a_database_in_the_memory_of_an_ended_process_needs_no_reset(handle, warnings, error, is_in_process, is_told):
    made = RelationalDatabase(connected(is_in_process=is_in_process), handle.run_query, Sqlite(), None, warnings.append)
    made.attach(can_write=True)
    made.note("DELETE FROM customers", ())
    handle.refuses, handle.error = lambda text: True, error
    made.rebaseline()
    assert made.reset() is not is_told
    assert bool(warnings) is is_told


class SlowNumbers(Sqlite):
    """As MySQL, where to set the number of the next row takes a hundred times as long as anything else."""

    reads_counters_first = True


def test_numbers_may_go_on_for_a_while_where_to_put_them_back_is_slow(handle):
    database = RelationalDatabase(connected(), handle.run_query, SlowNumbers(), None, lambda _: None)
    database.attach(can_write=True)
    before = handle.dump()

    def number_after(change: str, *, is_exact: bool) -> int:
        handle.connection.executescript(change)
        database.note(change, ())
        assert database.reset(is_exact=is_exact)
        assert handle.connection.execute("SELECT count(*) FROM customers").fetchone() == (2,)
        return handle.connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'customers'").fetchone()[0]

    insert = "INSERT INTO customers (email) VALUES ('c@x')"
    assert number_after(insert, is_exact=False) == 3
    assert number_after(insert, is_exact=False) == 4
    assert not database.is_touched and database.has_drifted
    assert number_after("INSERT INTO customers (id, email) VALUES (900, 'c@x')", is_exact=False) == 2, "too far"
    assert number_after(insert, is_exact=False) == 3
    assert number_after("", is_exact=True) == 2
    assert handle.dump() == before
    assert number_after(insert, is_exact=False) == 3
    assert number_after(insert, is_exact=True) == 2
    assert not database.needs_reset()
    handle.asked.clear()
    assert database.reset() and handle.asked == []
    assert number_after(insert, is_exact=False) == 3
    assert database.close()
    assert handle.dump() == before


def test_numbers_that_went_on_are_those_of_a_new_baseline(handle):
    database = RelationalDatabase(connected(), handle.run_query, SlowNumbers(), None, lambda _: None)
    database.attach(can_write=True)
    before = handle.dump()
    for end in (lambda: database.reset(is_exact=False), database.rebaseline):
        insert = "INSERT INTO customers (email) VALUES ('c@x')"
        handle.connection.executescript(insert)
        database.note(insert, ())
        end()
    assert not database.needs_reset(), "the row that stays has the number 4"
    assert database.close()
    assert handle.dump() == before


MADE_ANEW = ("ALTER TABLE customers DROP COLUMN joined", "ALTER TABLE customers ADD COLUMN joined DATETIME")


def test_rows_are_put_back_where_a_column_was_made_anew_behind_the_others(handle, database, warnings):
    """Mappers that compare their models with the tables at each start do that (`synchronize` of TypeORM)."""

    def run(*commands):
        for command in commands:
            handle.connection.execute(command)
            database.note(command, ())

    def rows():
        return handle.connection.execute("SELECT id, email, joined, vip FROM customers ORDER BY id").fetchall()

    at_first = rows()
    assert at_first[0] == (1, "ann@x", "2020-01-01", 0)
    run("UPDATE customers SET vip = 1")
    database.rebaseline()
    of_entrance = database.baseline()
    run(*MADE_ANEW)
    assert database.reset()
    assert rows() == [(*row[:3], 1) for row in at_first]
    database.use_baseline(of_entrance)
    database.reset()
    assert rows() == [(*row[:3], 1) for row in at_first], "of a baseline with the columns of before"
    database.forget_rebaseline()
    database.reset()
    assert rows() == at_first
    assert not warnings


def test_rows_of_a_table_with_other_columns_stay_as_they_are_which_is_told(handle, database, warnings):
    for command in (
        "ALTER TABLE pairs ADD COLUMN d INT",
        "ALTER TABLE log ADD COLUMN at INT",
        "INSERT INTO log VALUES ('x', 1)",
    ):
        handle.connection.execute(command)
        database.note(command, ())
    assert database.reset()
    assert ["columns of pairs" in one for one in warnings] == [True]
    assert handle.connection.execute("SELECT count(*) FROM log").fetchone() == (0,), "it had no rows that have to fit"
