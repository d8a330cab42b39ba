"""Errors about claims that only wimble can have signed are no faults."""

import msgspec
import pytest

from wimble.genes import AffixedGene, CarriedGene, ObjectGene, SignedTokenGene, StringGene
from wimble.genes.signed_token import claim_gene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.http.entrances import CREDENTIALS
from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import Call, TestCase
from wimble.oracles.failures.signed_claims import is_about_signed_claim

QUERY = HttpInput(name="q", location="query", template=StringGene("x"), required=True)
OPERATION = http_operation(id="GET /orders", method="GET", path="/orders", inputs=[QUERY])
ENTERED = msgspec.structs.replace(OPERATION, inputs=(*OPERATION.inputs, CREDENTIALS))


def call(claims, searched="pen"):
    token = SignedTokenGene("0123456789abcdef", ObjectGene(tuple((k, claim_gene(v)) for k, v in claims.items())))
    return Call(
        ENTERED, (StringGene(searched), CarriedGene((("header Authorization", AffixedGene("Bearer ", token)),)))
    )


def evaluation_of(asked, *commands):
    ran = tuple(
        DatabaseCommand(
            database="d", dialect="postgres", call=0, site="", text=text, params=params, returned=returned,
            error="refused" if returned is None else "",
        )
        for text, params, returned in commands
    )  # fmt: skip
    return Evaluation(test_case=TestCase((asked,)), observations=(), reached={}, interactions=ran)


@pytest.mark.parametrize(
    ("claims", "message", "is_about"),
    [
        ({"sub": "k2p"}, 'error: invalid input syntax for type integer: "k2p"', True),
        ({"sub": ""}, 'error: invalid input syntax for type integer: ""', True),
        ({"sub": "k2p"}, "TypeError: Cannot read properties of null (reading 'name')", False),
        ({"sub": "pen"}, 'error: invalid input syntax for type integer: "pen"', False),
        ({"realm": {"roles": ["a", "k2p"]}}, 'error: no role "k2p"', True),
        ({"sub": 2147483648}, 'error: value "2147483648" is out of range for type integer', True),
    ],
)
def test_a_quoted_claim_is_nobodys_input(claims, message, is_about):
    assert is_about_signed_claim(evaluation_of(call(claims)), 0, message) is is_about


INSERT = "INSERT INTO bookings (show_id, user_id) VALUES ($1, $2)"
NO_USER = 'insert or update on table "bookings" violates foreign key constraint "bookings_user_id_fkey"'
NO_SHOW = 'insert or update on table "bookings" violates foreign key constraint "bookings_show_id_fkey"'


@pytest.mark.parametrize(
    ("message", "params", "is_about"),
    [
        (NO_USER, (1, 9), True),
        (NO_USER, (9, 1), False),
        (NO_SHOW, (1, 9), False),
        ("SqliteError: FOREIGN KEY constraint failed", (1, 9), True),
        ("SqliteError: FOREIGN KEY constraint failed", (1, 2), False),
        ('update or delete on table "users" violates foreign key constraint "bookings_user_id_fkey"', (1, 9), False),
    ],
)
def test_nobody_has_the_token_of_a_user_who_was_never_there(message, params, is_about):
    evaluation = evaluation_of(call({"sub": 9, "admin": True}), (INSERT, params, None))
    assert is_about_signed_claim(evaluation, 0, message) is is_about


@pytest.mark.parametrize(("returned", "searched", "is_about"), [(0, "pen", True), (1, "pen", False), (0, "9", False)])
def test_nor_has_a_program_to_look_whether_it_is_there(returned, searched, is_about):
    evaluation = evaluation_of(call({"sub": 9}, searched), ("SELECT * FROM users WHERE id = $1", (9,), returned))
    message = "TypeError: Cannot read properties of null (reading 'name')"
    assert is_about_signed_claim(evaluation, 0, message) is is_about
    assert not is_about_signed_claim(evaluation, 0, "RangeError: Invalid array length")


def test_calls_without_such_a_token_are_judged_as_ever():
    asked = Call(OPERATION, (StringGene("pen"),))
    assert not is_about_signed_claim(evaluation_of(asked), 0, 'no integer: "pen"')


NOTHING_BOUND = "Error: Undefined binding(s) detected when compiling FIRST. Undefined column(s): [id]"


def test_a_claim_that_is_not_there_is_nobodys_input():
    asked = call({"role": "k2p"})
    assert is_about_signed_claim(evaluation_of(asked), 0, NOTHING_BOUND)
    assert not is_about_signed_claim(evaluation_of(asked, ("SELECT * FROM users", (), 1)), 0, NOTHING_BOUND)
    assert not is_about_signed_claim(evaluation_of(asked), 0, "TypeError: x is undefined")


@pytest.mark.parametrize(
    ("query", "is_about"),
    [
        ("SELECT * FROM users WHERE id = 9 LIMIT 1", True),
        ("SELECT * FROM users WHERE id IN (4, 9)", True),
        ("SELECT * FROM users WHERE id = 99 LIMIT 9", False),
    ],
)
def test_some_mappers_write_the_claim_into_the_query(query, is_about):
    evaluation = evaluation_of(call({"sub": 9}), (query, (), 0))
    assert is_about_signed_claim(evaluation, 0, "TypeError: Cannot read properties of null (reading 'id')") is is_about


def test_and_into_the_row():
    evaluation = evaluation_of(call({"sub": 9}), ("INSERT INTO t (title, owner_id) VALUES ($1, 9)", ("x",), None))
    assert is_about_signed_claim(evaluation, 0, "SqliteError: FOREIGN KEY constraint failed")
