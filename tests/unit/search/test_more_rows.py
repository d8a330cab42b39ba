"""A query that has run for each row is asked with another number of rows."""

from random import Random

import msgspec
import pytest
from fake_sut import operation
from proposed import proposed_after

from wimble.databases.queries_per_row import queries_per_row
from wimble.genes import IntegerGene, ObjectGene, StringGene
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.database import Column, DatabaseCommand, TableName
from wimble.model.evaluation import Evaluation
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.model.testcase import Call, TestCase
from wimble.search.generators.variations.more_rows import MAX_TRIES, MoreRows
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings

BOOK = ObjectGene((("title", StringGene("Emma")),))
API = {
    one.id: one
    for one in (
        operation("POST", "/books", body=BOOK),
        operation("GET", "/books"),
        operation("GET", "/books/{id}", id=IntegerGene()),
        operation("POST", "/users"),
        operation("GET", "/loans"),
        operation("POST", "/books/{id}/loans", id=IntegerGene()),
    )
}
POST = Call(API["POST /books"], (BOOK,))
LIST = Call(API["GET /books"], ())
SIGN_UP = Call(API["POST /users"], ())
LOANS = Call(API["GET /loans"], (), user="emma")
BORROW = Call(API["POST /books/{id}/loans"], (IntegerGene(1),), user="emma")


def evaluation(*calls: Call, n_rows: int, n_queries: int | None = None) -> Evaluation:
    """The last call reads rows, and then something for each of them."""

    def command(text: str, returned: int, *params: object) -> DatabaseCommand:
        return DatabaseCommand(
            database="d", call=len(calls) - 1, site="a.js:5", text=text, params=params, returned=returned
        )

    each = (
        command("SELECT * FROM author WHERE id = $1", 1, n) for n in range(n_rows if n_queries is None else n_queries)
    )
    commands = (command("SELECT * FROM book", n_rows), *each)
    return Evaluation(
        test_case=TestCase(calls),
        observations=tuple(
            http_observation(index, HttpRequest("GET", "/"), HttpResponse(200, (), b"{}"))
            for index in range(len(calls))
        ),
        reached={},
        interactions=commands,
        queries_per_row=tuple(queries_per_row(commands)),
    )


def proposed(*evaluations: Evaluation, max_calls: int = 10) -> list[TestCase]:
    operations = list(API.values())
    generator = MoreRows(operations, Sampler(operations, Settings(), Random(1)), Random(2), max_calls)
    return proposed_after(generator, evaluations)


def test_the_call_that_has_made_a_row_is_repeated_as_it_is_and_with_other_inputs():
    same, other, twice = proposed(evaluation(POST, LIST, n_rows=2))
    assert twice.calls == (POST, POST, POST, LIST)
    assert same.calls == (POST, POST, LIST)
    assert [call.operation.id for call in other.calls] == ["POST /books", "POST /books", "GET /books"]
    assert other.calls[0] == POST
    assert other.calls[1] != POST


def test_where_no_call_has_made_one_a_call_comes_first_that_makes_one_of_the_kind():
    (longer,) = proposed(evaluation(LIST, n_rows=2))
    assert [call.operation.id for call in longer.calls] == ["POST /books", "GET /books"]


def test_one_row_is_enough_for_a_list_but_not_for_one_thing():
    assert proposed(evaluation(POST, LIST, n_rows=1))
    assert not proposed(evaluation(POST, Call(API["GET /books/{id}"], (IntegerGene(1),)), n_rows=1))


def test_two_numbers_of_rows_are_enough():
    n_first = 3
    assert len(proposed(evaluation(POST, LIST, n_rows=2), evaluation(POST, LIST, n_rows=3))) == n_first


@pytest.mark.parametrize(
    ("one", "n_proposed"),
    [
        (evaluation(POST, LIST, n_rows=2), 3 * MAX_TRIES),
        (evaluation(POST, LIST, n_rows=3, n_queries=2), 0),
        (evaluation(POST, LIST, n_rows=0), 0),
    ],
)
def test_it_is_tried_a_few_times_and_only_if_the_numbers_agree(one, n_proposed):
    assert len(proposed(*[one] * 10)) == n_proposed


def test_no_test_case_is_longer_than_allowed():
    assert not proposed(evaluation(POST, LIST, n_rows=2), max_calls=2)


def lending(*calls: Call, setup: tuple[InsertRow, ...] = ()) -> Evaluation:
    """A user signs up, may borrow a book, and the last call reads the loans with the book of each."""
    texts = {SIGN_UP: ("INSERT INTO users (name) VALUES ('e')",), BORROW: ("INSERT INTO loans (book) VALUES (1)",)}
    texts[LOANS] = ("SELECT * FROM users", "SELECT * FROM loans", "SELECT * FROM books WHERE id = 1")
    commands = tuple(
        DatabaseCommand(database="d", dialect="sqlite", call=index, site="a.js:5", text=text, returned=1, affected=1)
        for index, call in enumerate(calls)
        for text in texts[call]
    )
    one = evaluation(*calls, n_rows=1)
    per_row = tuple(queries_per_row([command for command in commands if command.call == len(calls) - 1]))
    return msgspec.structs.replace(
        one, test_case=TestCase(calls, setup), interactions=commands, queries_per_row=per_row
    )


def names(test_case: TestCase) -> list[str]:
    return [call.operation.id for call in test_case.calls]


def test_the_call_that_has_filled_the_table_is_repeated_rather_than_the_last_one_that_has_changed_something():
    same, *_ = proposed(lending(BORROW, SIGN_UP, LOANS))
    assert same.calls == (BORROW, BORROW, SIGN_UP, LOANS)


def test_a_single_row_of_the_user_who_calls_is_not_made_again():
    sign_up = msgspec.structs.replace(SIGN_UP, operation=msgspec.structs.replace(SIGN_UP.operation, entrance="sign-up"))
    calls = (sign_up, LOANS)
    commands = tuple(
        DatabaseCommand(database="d", dialect="sqlite", call=call, site="a.js:5", text=text, returned=1, affected=1)
        for call, text in (
            (0, "INSERT INTO users (name) VALUES ('e')"),
            (1, "SELECT * FROM users"),
            (1, "SELECT * FROM loans"),
        )
    )
    seen = msgspec.structs.replace(
        evaluation(*calls, n_rows=1),
        interactions=commands,
        queries_per_row=tuple(queries_per_row(commands[1:])),
    )
    assert seen.queries_per_row[0].table == "users"
    assert not proposed(seen)


def test_where_none_of_its_calls_has_filled_the_table_another_operation_does_that_was_seen_to_for_the_same_user():
    *_, longer = proposed(lending(SIGN_UP, BORROW), lending(SIGN_UP, LOANS))
    assert names(longer) == ["POST /users", "POST /books/{id}/loans", "GET /loans"]
    assert longer.calls[1].user == "emma"


def test_an_inserted_row_is_copied_once_and_twice():
    key = Column(name="id", type_name="INTEGER", type="integer")
    row = InsertRow(
        genes=(IntegerGene(4),), database="d", dialect="sqlite", table=TableName("Loans"), columns=(key,), keys=("id",)
    )
    assert [len(one.setup) for one in proposed(lending(SIGN_UP, LOANS, setup=(row,)))] == [2, 3]
