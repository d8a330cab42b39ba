"""Tests that bring rows: what is written for them. That it runs, tests/e2e/test_data_generation.py shows."""

import re

import msgspec
import pytest
from suite_samples import sample_tests, suite_of

from wimble.databases.redis.key_tables import HASHES, TABLES
from wimble.emit.database_setup import in_parents_order
from wimble.emit.test_formats import FORMATS
from wimble.engine.candidates.suite_databases import (
    can_be_written,
    files_to_put_back,
    needs_memory,
    suite_databases,
    url_variable,
)
from wimble.genes import IntegerGene, LinkedGene, StringGene
from wimble.model.database import Column, Database, DatabaseHome, ForeignKey, Table, TableName
from wimble.model.setup import setup_comments
from wimble.model.setup_kinds.insert_key import InsertKey
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.model.suite import SuiteDatabase
from wimble.model.testcase import TestCase

ID = Column(name="id", type_name="integer", type="integer", is_identity=True)
NAME = Column(name="name", type_name="text", type="text")
OWNER = Column(name="owner_id", type_name="integer", type="integer")
OWNERS = Table(name=TableName("owners"), columns=(ID, NAME), primary_key=("id",))
PETS = Table(
    name=TableName("pets", "zoo"),
    columns=(ID, OWNER),
    primary_key=("id",),
    foreign_keys=(ForeignKey(("owner_id",), OWNERS.name, ("id",)),),
)
HOME = DatabaseHome(
    id="pg", driver="pg", host="127.0.0.1", port=5433, name="pets", numbered=((OWNERS.name, '"owners_id_seq"'),)
)
FILE = DatabaseHome(id="s", driver="node:sqlite", host="", port=0, name="/srv/api/data/rows.db", is_file=True)
DATABASE = SuiteDatabase(home=HOME, tables=(OWNERS, PETS), variable="DATABASE_URL")
SETUP = (
    InsertRow(
        genes=(IntegerGene(7), StringGene("Kari's")),
        database="pg",
        dialect="postgres",
        table=OWNERS.name,
        columns=(ID, NAME),
    ),
    InsertRow(
        genes=(IntegerGene(1), LinkedGene(-1, 0, (), IntegerGene(0))),
        database="pg",
        dialect="postgres",
        table=PETS.name,
        columns=(ID, OWNER),
    ),
)


class FakeDatabases:
    schemas = (Database(id="pg", dialect="postgres", tables=(PETS, OWNERS)),)
    homes = (HOME,)


@pytest.fixture
def suite(tmp_path):
    first, *others = sample_tests(tmp_path)
    first.test_case = TestCase(first.test_case.calls, SETUP)
    made = suite_of([first, *others], tmp_path, 3000)
    made.databases = (DATABASE,)
    return made


@pytest.mark.parametrize("name", ["node-test", "jest", "vitest"])
def test_rows_are_inserted_before_the_calls_and_taken_back_after(suite, tmp_path, name):
    files = FORMATS[name].emit(suite, tmp_path)
    (text,) = [text for file, text in files.items() if file.startswith("faults.")]

    owner = text.index("await database.insert('owners', { id: 7, name: \"Kari's\" });")
    pet = text.index("await database.insert('zoo.pets', { id: 1, owner_id: 7 });")
    assert owner < pet < text.index("'POST'")
    assert "afterEach(() => database.restore());" in text
    assert "afterEach" in text.split("describe(")[0] or name == "jest"  # globals of Jest
    assert "database-pg.cjs" in files
    settings = files["database.cjs"]
    assert "variable: 'DATABASE_URL'" in settings
    assert 'sql: \'"zoo"."pets"\'' in settings
    assert "sequence: '\"owners_id_seq\"'" in settings


def test_pytest_suites_put_rows_in_through_the_same_helper(suite, tmp_path):
    files = FORMATS["pytest"].emit(suite, tmp_path)
    text = files["test_faults.py"]

    owner = text.index('database.insert("owners", {"id": 7, "name": "Kari\'s"})')
    pet = text.index('database.insert("zoo.pets", {"id": 1, "owner_id": 7})')
    assert text.index("(sut: Sut, database: Database) -> None:") < owner < pet < text.index("sut.request(")
    assert "from database import Database" in text and "from database import Database" in files["conftest.py"]
    assert {"database.py", "database.cjs", "database-pg.cjs"} <= set(files)
    for name in ("conftest.py", "test_faults.py", "test_others.py", "database.py"):
        compile(files[name], name, "exec")


def test_suites_without_rows_know_no_database(tmp_path):
    for name, emitter in FORMATS.items():
        files = emitter.emit(suite_of(sample_tests(tmp_path), tmp_path, 3000), tmp_path)
        assert "database.cjs" not in files, name
        assert all("database" not in text for file, text in files.items() if not file.startswith("sut."))


def test_files_of_a_database_are_put_back_together(tmp_path):
    home = msgspec.structs.replace(FILE, name=str(tmp_path / "data" / "clinic.db"))
    opened = SuiteDatabase(home=home, tables=(OWNERS,))
    files = [name + ending for name in ("data/clinic.db", "shelf.db") for ending in ("", "-journal", "-shm", "-wal")]
    assert files_to_put_back(["notes.json", "shelf.db-wal"], [opened], str(tmp_path)) == tuple(
        sorted([*files, "notes.json"])
    )
    elsewhere = msgspec.structs.replace(opened, home=msgspec.structs.replace(FILE, name="/var/lib/clinic.db"))
    assert files_to_put_back(["notes.json"], [elsewhere, DATABASE], str(tmp_path)) == ("notes.json",)


def test_calls_that_write_need_the_database_put_back_but_for_files(suite):
    for test in suite.tests:
        test.test_case = TestCase(test.test_case.calls)
    writing = [test for test in suite.tests if not test.test_case.is_safe]
    reading = [test for test in suite.tests if test.test_case.is_safe]
    assert writing
    assert reading
    (found,) = suite_databases(FakeDatabases(), writing, {}, "/srv/api")
    assert found.tables == (OWNERS, PETS)
    assert not suite_databases(FakeDatabases(), reading, {}, "/srv/api")
    in_file = FakeDatabases()
    in_file.homes = (FILE,)
    in_file.schemas = (Database(id="s", dialect="sqlite", tables=(OWNERS,)),)
    assert not suite_databases(in_file, writing, {}, "/srv/api")
    assert suite_databases(in_file, writing, {}, "/srv/api", shares_start=True), "it is open all the time"
    left = FakeDatabases()
    left.homes = (msgspec.structs.replace(HOME, left_alone=(PETS.name,)),)
    (found,) = suite_databases(left, writing, {}, "/srv/api")
    assert found.tables == (OWNERS,)
    left.homes = (msgspec.structs.replace(HOME, is_reset=False),)
    assert not suite_databases(left, writing, {}, "/srv/api"), "what wimble does not change, tests do not either"


def test_parents_stand_before_their_children():
    assert [table.name.name for table in in_parents_order((PETS, OWNERS))] == ["owners", "pets"]
    circle = msgspec.structs.replace(OWNERS, foreign_keys=(ForeignKey(("id",), PETS.name, ("id",)),))
    assert len(in_parents_order((PETS, circle))) == 2


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"DB": "postgres://u:secret@localhost:5433/pets"}, "DB"),
        ({"DB": "postgres://u@localhost/pets"}, ""),
        ({"DB": "postgres://u@localhost:5433/other", "PET_URL": "postgresql://h:5433/pets"}, "PET_URL"),
        ({"DB": "postgres://[", "X": "http://localhost:5433/pets"}, ""),
    ],
)
def test_the_variable_with_the_url_is_found(environment, expected):
    assert url_variable(HOME, environment, "/srv/api") == expected


@pytest.mark.parametrize(
    ("host", "port", "url", "is_it"),
    [
        ("localhost", 5433, "mongodb://u:secret@localhost:5433/?authSource=admin", True),
        ("localhost", 5433, "mongodb://u:p%2Fw@[::1]:5432,db:5433/pets?replicaSet=rs0", True),
        ("localhost", 27017, "mongodb://localhost/pets", True),
        ("localhost", 5433, "mongodb://localhost/pets", False),
        ("/run/db.sock", 0, "mongodb://%2Frun%2Fdb.sock/pets", True),
        ("/run/db.sock", 0, "mongodb://%2Frun%2Fother.sock/pets", False),
    ],
)
def test_urls_of_mongodb_may_name_several_hosts_and_sockets(host, port, url, is_it):
    home = msgspec.structs.replace(HOME, driver="mongodb", host=host, port=port)
    assert url_variable(home, {"URL": url}, "/srv/api") == ("URL" if is_it else "")


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"DB_FILE": "data/rows.db"}, "DB_FILE"),
        ({"DB_FILE": "./other.db", "URL": "sqlite:///srv/api/data/rows.db?mode=ro"}, "URL"),
        ({"URL": "file:data/rows.db"}, "URL"),
        ({"DB_FILE": "rows.db", "EMPTY": ""}, ""),
    ],
)
def test_the_variable_with_the_file_is_found(environment, expected):
    assert url_variable(FILE, environment, "/srv/api") == expected


def test_a_file_is_looked_for_in_the_folder_of_the_api(suite, tmp_path):
    home = msgspec.structs.replace(FILE, id="pg", name=f"{tmp_path}/data/rows.db")
    suite.databases = (SuiteDatabase(home=home, tables=(OWNERS, PETS), variable=""),)

    files = FORMATS["node-test"].emit(suite, tmp_path / "tests")

    assert "place: { file: 'data/rows.db' }" in files["database.cjs"]
    assert "helper: './database-sqlite.cjs'" in files["database.cjs"]
    assert "database-sqlite.cjs" in files


def test_rows_in_the_memory_of_the_api_are_told(suite):
    class InMemory(FakeDatabases):
        homes = ()

    first, second, *_ = suite.tests
    assert needs_memory(first, InMemory()) and not needs_memory(second, InMemory())
    assert not needs_memory(first, FakeDatabases())


def test_tests_whose_rows_nobody_can_put_in_are_told_apart(suite):
    found = suite_databases(FakeDatabases(), suite.tests, {}, "/srv/api")

    assert [can_be_written(test, found) for test in suite.tests[:2]] == [True, True]
    assert [can_be_written(test, ()) for test in suite.tests[:2]] == [False, True]


KEYS_HOME = DatabaseHome(id="redis:localhost:6379/0", driver="ioredis", host="localhost", port=6379, name="0")
KEYS = SuiteDatabase(home=KEYS_HOME, tables=TABLES, variable="REDIS_URL")


def key_action(database: str) -> InsertKey:
    return InsertKey(
        genes=(
            LinkedGene(0, 0, (), StringGene("session:AB"), prefix="session:"),
            StringGene("role"),
            StringGene("admin"),
        ),
        database=database,
        table=HASHES.name,
        columns=HASHES.columns,
    )


def test_keys_stand_beside_rows(suite, tmp_path):
    first = suite.tests[0]
    first.test_case = TestCase(first.test_case.calls, (*SETUP, key_action(KEYS_HOME.id)))
    suite.databases = (DATABASE, KEYS)

    script = FORMATS["node-test"].emit(suite, tmp_path)
    python = FORMATS["pytest"].emit(suite, tmp_path)

    (text,) = [text for file, text in script.items() if file.startswith("faults.")]
    assert "await database.insert('owners', { id: 7" in text
    assert re.search(r"await database\.redis\(\['HSET', 'session:[^']*', 'role', 'admin'\]\);", text)
    assert re.search(r'database\.redis\(\["HSET", "session:[^"]*", "role", "admin"\]\)', python["test_faults.py"])
    assert {"database-pg.cjs", "database-redis.cjs"} <= set(script)
    assert "ownVariable: 'WIMBLE_REDIS_URL'" in script["database.cjs"]
    assert setup_comments(first.test_case)[-1].startswith("# needs: HSET session:")


def test_which_database_is_said_where_it_could_be_another(suite, tmp_path):
    first = suite.tests[0]
    other = msgspec.structs.replace(
        KEYS, home=msgspec.structs.replace(KEYS_HOME, id="redis:localhost:6379/1", name="1")
    )
    first.test_case = TestCase(first.test_case.calls, (key_action(other.home.id),))
    suite.databases = (KEYS, other)

    files = FORMATS["node-test"].emit(suite, tmp_path)

    (text,) = [text for file, text in files.items() if file.startswith("faults.")]
    assert "'admin'], 'redis:localhost:6379/1');" in text
    assert "ownVariable: 'WIMBLE_REDIS_URL_2'" in files["database.cjs"]


@pytest.mark.parametrize(
    ("url", "expected"),
    [("redis://localhost", "CACHE"), ("redis://:secret@localhost:6379/0", "CACHE"), ("redis://localhost/1", "")],
)
def test_the_variable_with_the_url_of_redis_is_found(url, expected):
    assert url_variable(KEYS_HOME, {"CACHE": url}, "/srv/api") == expected
