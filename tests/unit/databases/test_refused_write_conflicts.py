"""What would make a database refuse a write: told from the command, and proved on SQLite."""

import sqlite3
from random import Random

import msgspec
import pytest
from shop import AUTHOR, EMPTY, SHOP, connected
from test_generation_against_sqlite import inserted

from wimble.databases.sql.refused_writes import conflicts_of
from wimble.databases.sql.row_request import RowRequest
from wimble.databases.sql.rows_to_insert import rows_wanted
from wimble.databases.sql.sql_statements import statement
from wimble.model.database import Column, Database, DatabaseCommand, ForeignKey, Table, TableName, UniqueKey

SEATS = Table(
    name=TableName("seats", "hall"),
    columns=tuple(
        Column(name=name, type_name="int", type="integer", is_nullable=name == "holder")
        for name in ("line", "number", "holder")
    ),
    primary_key=("line", "number"),
    unique=(UniqueKey(("holder",)),),
    foreign_keys=(ForeignKey(("holder",), TableName("people"), ("id",)),),
)
PEOPLE = Table(
    name=TableName("people"),
    columns=(Column(name="id", type_name="int", type="integer", is_nullable=False),),
    primary_key=("id",),
)


def found(text, params=(), dialect="postgres", tables=(SEATS, PEOPLE)):
    database = Database(id="main", dialect=dialect, tables=tables)
    command = DatabaseCommand(database="main", call=0, site="", text=text, params=params, affected=1)
    return [
        (one.text.partition("FROM ")[2], one.params, "found" if one.is_found else "missing")
        for one in conflicts_of(command, database)
    ]


TAKEN_SEAT = ('"hall"."seats" AS a WHERE a."line" = $1 AND a."number" = $2', (1, 2), "found")
TAKEN_HOLDER = ('"hall"."seats" AS a WHERE a."holder" = $1', (7,), "found")
NO_HOLDER = ('"people" AS a WHERE a."id" = $1', (7,), "missing")
TAKEN_HOLDER_BESIDE = (
    '"hall"."seats" AS b, "hall"."seats" AS a WHERE a."holder" = $1 AND b."line" = $2', (7, 1), "found",
)  # fmt: skip
POINTING_BESIDE = ('"people" AS b, "hall"."seats" AS a WHERE a."holder" = b."id" AND b."id" = $1', (7,), "found")


def test_an_insert_conflicts_with_rows_that_have_its_keys_and_with_the_lack_of_what_it_points_to():
    insert = "INSERT INTO hall.seats (number, line, holder) VALUES ($2, $1, $3::int) RETURNING *"
    assert found(insert, (1, 2, 7)) == [TAKEN_SEAT, TAKEN_HOLDER, NO_HOLDER]
    assert found("insert into hall.seats values (1, 2, 7)") == [TAKEN_SEAT, TAKEN_HOLDER, NO_HOLDER]


def test_what_is_null_or_left_to_the_database_conflicts_with_nothing():
    assert found("insert into hall.seats (line, number, holder) values ($1, $2, $3)", (1, 2, None)) == [TAKEN_SEAT]
    assert found("insert into hall.seats (line, number) values ($1, DEFAULT)", (1,)) == []
    assert found("insert into hall.seats (line, number) values ($1, nextval('n'))", (1,)) == []
    assert found("insert into hall.seats select * from other") == []


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("postgres", "insert into hall.seats values (1, 2, 7) on conflict do nothing"),
        ("mysql", "insert into hall.seats values (1, 2, 7) on duplicate key update holder = 7"),
        ("mysql", "insert ignore into hall.seats values (1, 2, 7)"),
        ("sqlite", "insert or ignore into hall.seats values (1, 2, 7)"),
    ],
)
def test_where_the_command_says_what_becomes_of_a_taken_key_none_is_sought(dialect, text):
    assert {how for _, _, how in found(text, dialect=dialect)} == {"missing"}


def test_an_update_conflicts_where_it_sets_all_of_a_key():
    update = "update hall.seats set number = $1, holder = $2 where line = $3"
    assert found(update, (2, 7, 1)) == [TAKEN_HOLDER_BESIDE, NO_HOLDER]
    assert found("update hall.seats set holder = 7") == [TAKEN_HOLDER, NO_HOLDER]
    assert found("update hall.seats set holder = holder + 1") == []


@pytest.mark.parametrize("where", ["id = $1", "people.id in ($1)", "(id = $1 and id > 0)"])
def test_a_delete_conflicts_with_rows_that_point_to_what_it_deletes(where):
    assert found(f"delete from people where {where}", (7,)) == [TAKEN_HOLDER, POINTING_BESIDE]


def test_a_delete_conflicts_by_whatever_it_finds_its_rows():
    deleted = "people AS b, hall.seats AS a WHERE a.holder = b.id AND b.name = $1"
    people = msgspec.structs.replace(
        PEOPLE, columns=(*PEOPLE.columns, Column(name="name", type_name="text", type="text"))
    )
    ((text, params, how),) = found("delete from people where name = $1", ("Kari",), tables=(SEATS, people))
    assert (text.replace('"', ""), params, how) == (deleted, ("Kari",), "found")


def test_rows_that_go_with_what_is_deleted_are_in_nobodys_way():
    (key,) = SEATS.foreign_keys
    seats = msgspec.structs.replace(SEATS, foreign_keys=(msgspec.structs.replace(key, follows_deletes=True),))
    assert found("delete from people where id = $1", (7,), tables=(seats, PEOPLE)) == []


def test_a_delete_of_rows_that_are_not_known_conflicts_with_nothing():
    assert found("delete from people") == found("delete from people where id > 3") == []
    assert found("delete from people where id in (1, 2)") == []


@pytest.mark.parametrize(
    ("dialect", "text", "params"),
    [
        ("mysql", "delete from people where id = ?", (7,)),
        ("sqlite", "delete from people where id = ?1", (7,)),
        ("sqlite", "delete from people where id = @id", ({"id": 7},)),
        ("sqlite", "delete from people where id = $id", ({"$id": 7},)),
    ],
)
def test_places_of_parameters_are_those_of_the_driver(dialect, text, params):
    assert [(given, query[-3:]) for query, given, _ in found(text, params, dialect)] == [((7,), "= ?"), ((7,), "= ?")]


@pytest.mark.parametrize(
    "text", ["select * from people where id = 7", "insert into elsewhere values (1)", "what is this"]
)
def test_other_commands_have_none(text):
    assert found(text) == []


@pytest.mark.parametrize(
    ("before", "write", "params", "which"),
    [
        ((), "insert into author (name, email) values (?, ?)", ("Kari", "kari@x.no"), 0),
        ((), "insert into author (id, name) values (?, 'Ola')", (3,), 0),
        (("insert into author (id, name) values (1, 'Ola')",), "update author set name = ? where id = ?", ("Kari", 1), 0),
        (("insert into author (id, name) values (1, 'Ola')",), "delete from author where id = ?", (1,), 1),
        (
            ("insert into author (id, name) values (1, 'Ola')", "insert into book values (5, 1, 't', 9, 'out', null, 3, 0, null)"),
            "delete from book where id = ?",
            (5,),
            1,
        ),
    ],
)  # fmt: skip
def test_with_the_rows_that_are_made_for_it_sqlite_refuses_what_it_took_before(before, write, params, which):
    taking, refusing = connected(), connected()
    for text in before:
        taking.execute(text)
        refusing.execute(text)
    taking.execute(write, params)
    conflict = conflicts_of(DatabaseCommand(database="shop", call=0, site="", text=write, params=params), SHOP)[which]
    authors = [dict(zip(("id", "name"), row, strict=True)) for row in refusing.execute("select id, name from author")]
    books = [{"id": row[0], "author_id": row[1]} for row in refusing.execute("select id, author_id from book")]
    tables = EMPTY | {"author": authors, "book": books}

    wanted = rows_wanted(RowRequest(statement(conflict.text, "sqlite"), SHOP, tables, conflict.params), Random(1))
    inserted(refusing, wanted.rows)
    renamed = dict(wanted.renamed)
    with pytest.raises(sqlite3.IntegrityError):
        refusing.execute(write, [renamed.get(value, value) for value in params])


def test_a_conflict_names_its_table_and_key():
    (conflict,) = conflicts_of(
        DatabaseCommand(database="shop", call=0, site="", text="update author set name = 'Kari'", params=()), SHOP
    )
    assert conflict.table is AUTHOR
    assert conflict.key == {"name": "Kari"}
