"""The helper that generated tests put rows in with: on real servers, everything is afterwards as it was."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from wimble.emit.test_formats import FORMATS
from wimble.model.database import Column, DatabaseHome, ForeignKey, Table, TableName, UniqueKey
from wimble.model.suite import Suite, SuiteDatabase, SutStart

pytestmark = pytest.mark.e2e

NUMBER = Column(name="id", type_name="integer", type="integer", is_identity=True)
OWNERS = Table(
    name=TableName("owners"), columns=(NUMBER, Column(name="name", type_name="text", type="text")), primary_key=("id",)
)
PETS = Table(
    name=TableName("pets"),
    columns=(
        NUMBER,
        *(Column(name=name, type_name="", type="other") for name in ("owner_id", "data", "born", "picture", "weight")),
    ),
    primary_key=("id",),
    foreign_keys=(ForeignKey(("owner_id",), OWNERS.name, ("id",)),),
)
NOTES = Table(name=TableName("notes"), columns=tuple(Column(name=name, type_name="", type="other") for name in "ab"))
"""Without a key."""
DDL = {
    "pg": """
        CREATE TABLE notes (a int, b jsonb);
        INSERT INTO notes VALUES (1, '["x"]'), (1, '["x"]'), (NULL, NULL), (2, '3');
        CREATE TABLE owners (id serial PRIMARY KEY, name text);
        CREATE TABLE pets (id serial PRIMARY KEY, owner_id int NOT NULL REFERENCES owners (id), data jsonb, born timestamptz,
                           picture bytea, weight numeric(30, 10));
        INSERT INTO owners (name) VALUES ('Kari'), ('Ola');
        INSERT INTO pets (owner_id, data, born, picture, weight)
        VALUES (1, '{"a": [1, null]}', '2024-01-02 03:04:05.123456+02', '\\x0001ff', 12345678901234567890.0123456789), (2, NULL, NULL, NULL, NULL)""",
    "mysql2": """
        DROP TABLE IF EXISTS pets, owners, notes;
        CREATE TABLE notes (a float, b json);
        INSERT INTO notes VALUES (1.3, '["x"]'), (1.3, '["x"]'), (NULL, NULL), (2, '3');
        CREATE TABLE owners (id int AUTO_INCREMENT PRIMARY KEY, name text);
        CREATE TABLE pets (id int AUTO_INCREMENT PRIMARY KEY, owner_id int NOT NULL, data json, born datetime(6), picture blob,
                           weight decimal(30, 10), FOREIGN KEY (owner_id) REFERENCES owners (id));
        INSERT INTO owners (name) VALUES ('Kari'), ('Ola');
        INSERT INTO pets (owner_id, data, born, picture, weight)
        VALUES (1, '{"a": [1, null]}', '2024-01-02 03:04:05.123456', x'0001ff', 12345678901234567890.0123456789), (2, NULL, NULL, NULL, NULL)""",
    "sqlite": """
        CREATE TABLE notes (a REAL, b BLOB);
        INSERT INTO notes VALUES (0.1, '["x"]'), (0.1, '["x"]'), (NULL, NULL), (2, x'00ff');
        CREATE TABLE owners (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT);
        CREATE TABLE pets (id INTEGER PRIMARY KEY, owner_id INT NOT NULL REFERENCES owners (id), data JSON, born DATETIME, picture BLOB, weight REAL);
        INSERT INTO owners (name) VALUES ('Kari'), ('Ola');
        INSERT INTO pets (owner_id, data, born, picture, weight)
        VALUES (1, '{"a": [1, null]}', 9007199254740993, x'0001ff', 0.1), (2, NULL, NULL, NULL, NULL)""",
}  # fmt: skip
CONNECT = """
const database = require('./database.cjs');
const connect = {
  pg: async (url) => {
    const client = new (require('pg').Client)({ connectionString: url, types: { getTypeParser: () => (text) => text } });
    await client.connect();
    return { query: async (sql) => [(await client.query(sql))].flat().map((one) => one.rows).at(-1), end: () => client.end() };
  },
  mysql2: async (url) => {
    const client = await require('mysql2/promise').createConnection({ uri: url, multipleStatements: true, dateStrings: true, supportBigNumbers: true, bigNumberStrings: true });
    return { query: async (sql) => (await client.query(sql))[0], end: () => client.end() };
  },
  sqlite: (file) => {
    const client = new (require('node:sqlite').DatabaseSync)(file);
    const exact = (statement) => (statement.setReadBigInts(true), statement.all().map((row) => ({ ...row, id: Number(row.id ?? 0), born: String(row.born), length: Number(row.length ?? 0) })));
    return { query: async (sql) => (/^SELECT/.test(sql) ? exact(client.prepare(sql)) : client.exec(sql)), end: () => client.close() };
  },
};
BigInt.prototype.toJSON = String;
"""
SCRIPT = """
async function main() {
  const [driver, ddl] = process.argv.slice(2);
  const client = await connect[driver](process.env.PETS_URL);
  const dump = async () => JSON.stringify([await client.query('SELECT * FROM owners ORDER BY id'), await client.query('SELECT * FROM pets ORDER BY id'), (await client.query('SELECT a, b FROM notes')).map((row) => JSON.stringify(row)).sort()]);
  await client.query(ddl);
  const before = await dump();

  for (const round of [1, 2]) {
    await database.begin();
    await database.insert('owners', { id: 3, name: "O'Hara" });
    await database.insert('pets', { id: 40, owner_id: 3, data: '{"b":true}', picture: { $bytes: 'AAH/' } });
    await database.insert('notes', { a: 7, b: '4' });
    await client.query("INSERT INTO owners (name) VALUES ('made by a call')");
    await client.query("INSERT INTO notes SELECT * FROM notes WHERE a > 1.2; DELETE FROM notes WHERE a IS NULL; UPDATE notes SET b = '8' WHERE a < 2");
    const notes = await client.query('SELECT count(*) AS length FROM notes');
    await client.query("UPDATE owners SET name = 'changed' WHERE id = 1; UPDATE pets SET data = '{}', picture = NULL, weight = 1, born = NULL WHERE id = 1; DELETE FROM pets WHERE id = 2; DELETE FROM owners WHERE id = 2");
    const during = await client.query('SELECT id, name FROM owners ORDER BY id');
    const picture = await client.query('SELECT length(picture) AS length FROM pets WHERE id = 40');
    await database.restore();
    console.log(JSON.stringify({ during, notes: Number(notes[0].length), length: Number(picture[0].length), isSame: (await dump()) === before }));
  }
  await database.close();
  await client.end();
}
main();
"""


def test_python_reaches_the_same_helper(request, packages, tmp_path: Path):
    server = request.getfixturevalue("postgres")
    server.run("postgres", "CREATE DATABASE owners")
    server.run("owners", "CREATE TABLE owners (id serial PRIMARY KEY, name text)")
    home = DatabaseHome(id="d", driver="pg", host="127.0.0.1", port=1, name="owners")
    write_suite_files(tmp_path, packages, (SuiteDatabase(home=home, tables=(OWNERS,), variable="PETS_URL"),), "pytest")
    program = """
from database import Database
database = Database()
database.begin()
database.insert("owners", {"id": 5, "name": "Kari"})
try:
    database.insert("owners", {"id": 5, "name": "Kari"})
except RuntimeError as error:
    print(error)
database.restore()
database.close()
"""

    ran = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path, env={**os.environ, "PETS_URL": server.url("owners")}, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip

    assert "duplicate key" in ran.stdout, ran.stderr
    assert ran.returncode == 0, ran.stderr
    assert server.run("owners", "SELECT * FROM owners").strip() == "[[]]"


def write_suite_files(folder: Path, packages: Path, databases: tuple[SuiteDatabase, ...], test_format: str) -> None:
    suite = Suite(
        tests=(),
        start=SutStart(command=(), working_dir=str(folder), base_url="http://127.0.0.1:1"),
        seed=1,
        title="Pets",
        databases=databases,
    )
    for name, text in FORMATS[test_format].emit(suite, folder).items():
        (folder / name).write_text(text)
    (folder / "node_modules").symlink_to(packages)


def server_url(request: pytest.FixtureRequest, driver: str, name: str) -> str:
    """Of a new database on PostgreSQL, or of the one that MariaDB has."""
    if driver != "pg":
        return str(request.getfixturevalue("mariadb_url"))
    server = request.getfixturevalue("postgres")
    server.run("postgres", f"CREATE DATABASE {name}")
    return str(server.url(name))


@pytest.mark.parametrize("driver", ["better-sqlite3", "node:sqlite"])
def test_rows_come_and_go_in_files(embedded_packages, node_with_sqlite, tmp_path: Path, driver):
    home = DatabaseHome(
        id="d", driver=driver, host="", port=0, name=str(tmp_path / "pets.db"), is_file=True, numbered=((OWNERS.name, "owners"),)
    )  # fmt: skip
    write_suite_files(
        tmp_path, embedded_packages, (SuiteDatabase(home=home, tables=(OWNERS, PETS, NOTES)),), "node-test"
    )
    environment = {"PETS_URL": str(tmp_path / "pets.db"), "PATH": f"{node_with_sqlite}:{os.environ['PATH']}"}
    rows_come_and_go(tmp_path, "sqlite", environment)


@pytest.mark.parametrize("driver", ["pg", "mysql2", "mysql"])
def test_rows_come_and_go_on_servers(request, packages, tmp_path: Path, driver):
    url = server_url(request, driver, "pets")
    home = DatabaseHome(
        id="d", driver=driver, host="127.0.0.1", port=1, name="pets",
        numbered=tuple((name, f"{name}_id_seq" if driver == "pg" else str(name)) for name in (OWNERS.name, PETS.name)),
    )  # fmt: skip
    database = SuiteDatabase(home=home, tables=(OWNERS, PETS, NOTES), variable="PETS_URL")
    write_suite_files(tmp_path, packages, (database,), "node-test")
    rows_come_and_go(tmp_path, "pg" if driver == "pg" else "mysql2", {"PETS_URL": url})


def rows_come_and_go(folder: Path, kind: str, environment: dict[str, str]) -> None:
    """Twice, and nothing else changes."""
    rounds = said_by(SCRIPT, folder, kind, DDL[kind], environment)
    assert len(rounds) == 2
    for one in rounds:
        assert one["isSame"]
        assert one["length"] == 3
        assert one["notes"] > 4
        names = {int(row["id"]): row["name"] for row in one["during"]}
        assert names == {1: "changed", 3: "O'Hara", 4: "made by a call"}, (
            "what calls make is numbered behind the rows put in"
        )


def said_by(script: str, folder: Path, kind: str, ddl: str, environment: dict[str, str]) -> list[Any]:
    (folder / "script.cjs").write_text(CONNECT + script)
    ran = subprocess.run(
        ["node", "script.cjs", kind, ddl],
        cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    return [json.loads(line) for line in ran.stdout.splitlines()]


STATS = Table(
    name=TableName("stats"),
    columns=tuple(Column(name=name, type_name="", type="other") for name in ("project", "n")),
    unique=(UniqueKey(("project",)),),
)
"""Without a primary key."""
UNNUMBERED_OWNERS = Table(
    name=OWNERS.name,
    columns=(Column(name="id", type_name="integer", type="integer"), *OWNERS.columns[1:]),
    primary_key=("id",),
)
FEW_PETS = Table(name=PETS.name, columns=PETS.columns[:2], primary_key=("id",), foreign_keys=PETS.foreign_keys)
IN_THE_WAY_DDL = """
    DROP TABLE IF EXISTS stats, pets, owners;
    CREATE TABLE stats (project varchar(20) UNIQUE, n int);
    INSERT INTO stats VALUES ('default', 1), ('other', 2);
    CREATE TABLE owners (id int PRIMARY KEY, name varchar(20));
    INSERT INTO owners VALUES (1, 'Kari'), (2, 'by a job');
    CREATE TABLE pets (id int PRIMARY KEY, owner_id int NOT NULL, FOREIGN KEY (owner_id) REFERENCES owners (id));
    INSERT INTO pets VALUES (1, 1)"""
IN_THE_WAY_SCRIPT = """
async function main() {
  const [driver, ddl] = process.argv.slice(2);
  const client = await connect[driver](process.env.PETS_URL);
  const all = async () => [await client.query('SELECT project, n FROM stats ORDER BY project'), await client.query('SELECT id, name FROM owners ORDER BY id')];
  const shown = async () => (await all()).flat().map((row) => `${row.project ?? row.id} ${row.n ?? row.name}`);
  const refused = (work) => work.then(() => 'taken', (error) => (/duplicate|unique/i.test(error.message) ? 'refused' : String(error)));
  await client.query(driver === 'sqlite' ? ddl.replace(/DROP.*/, '') : ddl);
  const before = await shown();
  await database.begin();
  await database.insert('stats', { project: 'default', n: 5 });
  await database.insert('owners', { id: 2, name: 'Ola' });
  const during = await shown();
  const again = await refused(database.insert('owners', { id: 2, name: 'Per' }));
  const pointedTo = await refused(database.insert('owners', { id: 1, name: 'Per' }));
  await database.restore();
  const outside = await refused(database.insert('owners', { id: 2, name: 'Per' }));
  console.log(JSON.stringify({ during, again, pointedTo, outside, before, after: await shown() }));
  await database.close();
  await client.end();
}
main();
"""


@pytest.mark.parametrize("driver", ["pg", "mysql2", "node:sqlite"])
def test_rows_in_the_way_stand_aside(request, packages, node_with_sqlite, tmp_path: Path, driver):
    """What a job of the API has written since the test was made. Not what other rows point to, nor what the test has
    put in itself."""
    kind = driver.removeprefix("node:")
    url = str(tmp_path / "pets.db") if kind == "sqlite" else server_url(request, driver, "in_the_way")
    home = DatabaseHome(id="d", driver=driver, host="127.0.0.1", port=1, name=url, is_file=kind == "sqlite")
    variable = "" if home.is_file else "PETS_URL"
    database = SuiteDatabase(home=home, tables=(STATS, UNNUMBERED_OWNERS, FEW_PETS), variable=variable)
    write_suite_files(tmp_path, packages, (database,), "node-test")

    environment = {"PETS_URL": url, "PATH": f"{node_with_sqlite}:{os.environ['PATH']}"}
    (said,) = said_by(IN_THE_WAY_SCRIPT, tmp_path, kind, IN_THE_WAY_DDL, environment)

    assert said["during"] == ["default 5", "other 2", "1 Kari", "2 Ola"]
    assert (said["again"], said["pointedTo"], said["outside"]) == ("refused", "refused", "refused")
    assert said["after"] == said["before"] == ["default 1", "other 2", "1 Kari", "2 by a job"]


LATE_SCRIPT = """
async function main() {
  const [driver, ddl] = process.argv.slice(2);
  const client = await connect[driver](process.env.PETS_URL);
  const names = async () => (await client.query('SELECT id, name FROM owners ORDER BY id')).map(({ id, name }) => `${id} ${name}`);
  const said = {};
  await client.query(ddl);
  await database.begin();
  await database.restore();
  await client.query("INSERT INTO owners (name) VALUES ('late'); UPDATE owners SET name = 'by a job' WHERE id = 1");
  await database.begin();
  said.next = await names();
  await client.query("INSERT INTO owners (name) VALUES ('made by a call')");
  said.during = await names();
  await database.restore();
  await client.query("INSERT INTO owners (name) VALUES ('as it stops')");
  await database.leave();
  said.stopped = await names();
  await client.query("INSERT INTO owners (name) VALUES ('as it starts')");
  await database.begin();
  await database.restore();
  said.started = await names();
  await client.query("INSERT INTO owners (name) VALUES ('as it stops')");
  await database.close();
  said.end = await names();
  console.log(JSON.stringify(said));
  await client.end();
}
main();
"""


@pytest.mark.parametrize("driver", ["pg", "mysql2"])
def test_what_comes_between_tests_goes_again(request, packages, tmp_path: Path, driver):
    """But not what the SUT writes as it starts."""
    url = server_url(request, driver, "late")
    home = DatabaseHome(
        id="d", driver=driver, host="127.0.0.1", port=1, name="x",
        numbered=((OWNERS.name, "owners_id_seq" if driver == "pg" else "owners"),),
    )  # fmt: skip
    write_suite_files(
        tmp_path, packages, (SuiteDatabase(home=home, tables=(OWNERS,), variable="PETS_URL"),), "node-test"
    )

    (said,) = said_by(LATE_SCRIPT, tmp_path, driver, DDL[driver], {"PETS_URL": url})

    assert said["next"] == said["stopped"] == ["1 Kari", "2 Ola"]
    assert said["during"] == ["1 Kari", "2 Ola", "3 made by a call"]
    assert said["started"] == said["end"] == ["1 Kari", "2 Ola", "3 as it starts"]


KEYS_SCRIPT = """
const database = require('./database.cjs');
const Redis = require('ioredis');
async function main() {
  const client = new Redis(process.env.KEYS_URL);
  await client.call('SET', Buffer.from([0, 255]), Buffer.from([254, 1]));
  await client.set('code', 'x', 'EX', 1000);
  await client.rpush('queue', 'a', 'b');
  await client.hset('book', 'title', 'Sult');
  for (const round of [1, 2]) {
    await database.begin();
    await database.redis(['HSET', 'session:1', 'role', 'admin']);
    await database.redis(['RPUSH', 'queue', 'c']);
    await client.del('code');
    await client.del(Buffer.from([0, 255]));
    await client.hincrby('book', 'loans', 1);
    const during = [await client.hget('session:1', 'role'), await client.llen('queue')];
    await database.restore();
    const bytes = await client.getBuffer(Buffer.from([0, 255]));
    const after = [await client.dbsize(), bytes.toString('hex'), await client.lrange('queue', 0, -1), await client.hgetall('book'), await client.get('code')];
    console.log(JSON.stringify({ during, after, left: await client.ttl('code') }));
  }
  await database.close();
  await client.quit();
}
main();
"""


@pytest.mark.parametrize("driver", ["ioredis", "redis"])
def test_keys_of_redis_come_and_go(packages, redis_port, tmp_path: Path, driver):
    home = DatabaseHome(id="r", driver=driver, host="localhost", port=redis_port, name="0")
    write_suite_files(tmp_path, packages, (SuiteDatabase(home=home, tables=()),), "node-test")
    (tmp_path / "script.cjs").write_text(KEYS_SCRIPT)

    ran = subprocess.run(
        ["node", "script.cjs"], cwd=tmp_path, env={**os.environ, "KEYS_URL": f"redis://127.0.0.1:{redis_port}"},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip

    assert ran.returncode == 0, ran.stderr
    rounds = [json.loads(line) for line in ran.stdout.splitlines()]
    assert len(rounds) == 2
    for one in rounds:
        assert one["during"] == ["admin", 3]
        assert one["after"] == [4, "fe01", ["a", "b"], {"title": "Sult"}, "x"]
        assert 900 < one["left"] <= 1000
