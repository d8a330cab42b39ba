"""Which errors of databases are one fault."""

import pytest

from wimble.http.http_messages import HttpRequest
from wimble.oracles.databases.database_refusals import refusal_in, refusal_key

PLACE = ("/app/a.js", "7")
REQUEST = HttpRequest("GET", "/items/9000000000/notes%20x?q=abc")


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("Error: Data too long for column 'bin_code' at row 1", "value"),
        ("Error: Out of range value for column 'quantity' at row 1", "value"),
        ("SequelizeDatabaseError: null value in column \"name\" of relation \"a\" violates not-null constraint", "value"),
        ("error: value too long for type character varying(20)", "value"),
        ("error: integer out of range", "value"),
        ("SqliteError: CHECK constraint failed: price >= 0", "value"),
        ("SqliteError: FOREIGN KEY constraint failed", "reference"),
        ("error: insert or update on table \"a\" violates foreign key constraint \"a_fkey\"", "reference"),
        ("Error: Cannot add or update a child row: a foreign key constraint fails (`s`.`a`)", "reference"),
        ("error: duplicate key value violates unique constraint \"a_key\"", "unique"),
        ('MongoServerError: E11000 duplicate key error collection: b.r index: login_1 dup key: { login: "x" }', "unique"),
        ("Error: Duplicate entry 'x' for key 'a.name'", "unique"),
        ("Error: Illegal mix of collations (latin1_swedish_ci,IMPLICIT) and (utf8mb4_unicode_ci,COERCIBLE)", "character set"),
        (r"Error: Incorrect string value: '\xE4\xBD\xA0' for column `shop`.`items`.`name` at row 1", "character set"),
        ("Error: Incorrect integer value: 'x' for column 'a' at row 1", "value"),
        ("Error: Wrong API use : tried to bind a value of an unknown type ([object Object]).", "value"),
        ("TypeError: SQLite3 can only bind numbers, strings, bigints, buffers, and null", "value"),
        ("TypeError: Provided value cannot be bound to SQLite parameter 1.", "value"),
        ("TypeError: Bind parameters must not contain undefined. To pass SQL NULL specify JS null", "value"),
        ("Error: RangeError: Too few parameter values were provided", "value"),
        ("Error: RangeError: Too many parameter values were provided", "value"),
        ("SequelizeDatabaseError: SQLITE_ERROR: no such column: Plant.heigth", "column name"),
        ("Error: Unknown column 'heigth' in 'order clause'", "column name"),
        ("error: column plant.heigth does not exist", "column name"),
        ("error: OFFSET must not be negative", "syntax"),
        ("Error: You have an error in your SQL syntax; check the manual for the right syntax to use near '-10'", "syntax"),
        ("Error: Undeclared variable: NaN", "syntax"),
        ("Error: Unknown column 'NaN' in 'LIMIT'", "syntax"),
        ("TypeError: Cannot read properties of undefined", None),
    ],
)  # fmt: skip
def test_what_a_database_did_not_like(message, kind):
    assert refusal_in(message) == kind


@pytest.mark.parametrize(
    ("one", "other", "are_one"),
    [
        ("Data too long for column 'a' at row 1", "Out of range value for column 'a' at row 1", True),
        ("Data too long for column 'a' at row 1", "Data too long for column 'b' at row 1", False),
        (
            "Data too long for column 'bin' at row 1",
            "a foreign key constraint fails (`s`.`m`, CONSTRAINT `c` FOREIGN KEY (`bin`) REFERENCES `bins` (`code`))",
            True,
        ),
        ('invalid input syntax for type integer: "x"', 'value "9" is out of range for type integer', True),
        ('invalid input syntax for type integer: "x"', "value too long for type character varying(14)", False),
        ("value too long for type character varying(14)", "value too long for type character varying(80)", False),
        ('date/time field value out of range: "2003-03-32"', 'invalid input syntax for type date: "x"', True),
        ('null value in column "a"', 'null value in column "b"', True),
        (
            'insert or update on table "t" violates foreign key constraint "t_a_fkey"',
            'insert or update on table "t" violates foreign key constraint "t_b_fkey"',
            False,
        ),
        ("UNIQUE constraint failed: a.b", "UNIQUE constraint failed: a.c", True),
        ("no such column: a.b", "no such column: a.c", True),
        ("UNIQUE constraint failed: a.b", "NOT NULL constraint failed: a.c", False),
        ("OFFSET must not be negative", "LIMIT must not be negative", True),
        ("OFFSET must not be negative", 'trailing junk after numeric literal at or near "12p"', False),
        ("OFFSET must not be negative", 'syntax error at or near ","', False),
        ("Undeclared variable: NaN", "You have an error in your SQL syntax; check the manual near '-9'", True),
    ],
)
def test_what_one_statement_does_not_check_is_one_fault_by_column_or_type(one, other, are_one):
    keys = [refusal_key(message, PLACE, REQUEST) for message in (one, other)]
    assert (keys[0] == keys[1]) is are_one
    assert refusal_key(one, ("/app/a.js", "8"), REQUEST) != keys[0]


def test_letters_that_no_table_can_store_are_one_fault_of_the_database():
    said = "Illegal mix of collations (a,IMPLICIT) and (b,COERCIBLE) for operation '='"
    assert refusal_key(said, PLACE, REQUEST) == refusal_key(said, ("/app/b.js", "1"), REQUEST)


@pytest.mark.parametrize(
    ("message", "is_of_path"),
    [
        ('error: value "9000000000" is out of range for type integer', True),
        ('error: invalid input syntax for type uuid: "notes x"', True),
        ('CastError: Cast to ObjectId failed for value "9000000000" (type string) at path "_id" for model "Job"', True),
        ('error: invalid input syntax for type integer: "abc"', False),
        ('TypeError: "9000000000" is no date', False),
    ],
)
def test_ids_in_paths_that_are_not_of_the_columns_type_are_one_fault(message, is_of_path):
    keys = [refusal_key(message, place, REQUEST) for place in (PLACE, ("/app/b.js", "1"))]
    assert (keys[0] == keys[1] == ("values of paths",)) is is_of_path


def test_an_empty_value_is_not_of_the_path():
    said = 'error: invalid input syntax for type integer: ""'
    assert refusal_key(said, PLACE, REQUEST, "/items/{id}/notes{x}") == (*PLACE, "refused:type:integer")


def test_a_value_that_stands_in_the_fixed_part_of_a_path_is_not_of_the_path():
    said = 'error: invalid input syntax for type integer: "items"'
    assert refusal_key(said, PLACE, HttpRequest("GET", "/items/1"), "/items/{id}") == (*PLACE, "refused:type:integer")


@pytest.mark.parametrize(
    ("target", "message", "is_of_path"),
    [
        ("/v1/items/1x/notes", "SqliteError: no such column: NaN", True),
        ("/v1/items/%25/notes", 'error: invalid input syntax for type integer: "NaN"', True),
        ("/v1/items/12/notes?at=x", "SqliteError: no such column: NaN", False),
        ("/v1/items/1x/notes", "SqliteError: no such column: nap", False),
    ],
)
def test_ids_in_paths_of_which_the_program_makes_no_number_are_one_fault(target, message, is_of_path):
    request = HttpRequest("GET", target)
    keys = [refusal_key(message, place, request, "/items/{id}/notes") for place in (PLACE, ("/app/b.js", "1"))]
    assert (keys[0] == keys[1] == ("values of paths",)) is is_of_path
