"""N+1: one query for each row of another, for two numbers of rows."""

import msgspec

from wimble.databases.queries_per_row import queries_per_row
from wimble.engine.monitors.repeated_queries import RepeatedQueries
from wimble.http.binding import http_operation
from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import Call, TestCase

BOOKS = http_operation(id="GET /books", method="GET", path="/books")


def command(text: str, site: str, returned: int, *params) -> DatabaseCommand:
    return DatabaseCommand(database="d", call=0, site=site, text=text, params=params, returned=returned)


def run_of(n_rows: int, n_queries: int | None = None, *, same: bool = False) -> Evaluation:
    authors = [
        command("SELECT * FROM author WHERE id = $1", "a.js:9", 1, 1 if same else number)
        for number in range(n_rows if n_queries is None else n_queries)
    ]
    commands = (command("SELECT * FROM book", "a.js:5", n_rows), *authors)
    return Evaluation(test_case=TestCase((Call(BOOKS, ()),)), observations=(), reached={}, interactions=commands)


def notes(*runs: Evaluation) -> list[str]:
    seen = RepeatedQueries()
    return [note for run in runs for note in seen.notes(completed(run))]


def completed(run: Evaluation) -> Evaluation:
    """The run with what the evaluator's stage of databases adds."""
    return msgspec.structs.replace(run, queries_per_row=tuple(queries_per_row(run.interactions_of(DatabaseCommand))))


def test_queries_that_grow_with_the_rows_are_told_once():
    (note,) = notes(run_of(2), run_of(3), run_of(5))

    assert note == (
        "GET /books runs one query for each row of another (a.js:9: SELECT * FROM author WHERE id = $1): their number grows with the number of rows"
    )


def test_values_may_stand_in_the_text():
    def run(n_rows: int) -> Evaluation:
        authors = [command(f"SELECT * FROM author WHERE id = {number}", "a.js:9", 1) for number in range(n_rows)]
        commands = (command("SELECT * FROM book", "a.js:5", n_rows), *authors)
        return Evaluation(test_case=TestCase((Call(BOOKS, ()),)), observations=(), reached={}, interactions=commands)

    (note,) = notes(run(2), run(3))
    assert "SELECT * FROM author WHERE id = ?" in note


def test_keys_that_are_read_one_by_one_are_told():
    def redis(text: str, returned: int, *params: str) -> DatabaseCommand:
        return msgspec.structs.replace(command(text, "a.js:9", returned, *params), dialect="redis")

    def run(n_keys: int, verb: str) -> Evaluation:
        each = [redis(verb, 2, f"book:{number}", "1") for number in range(n_keys)]
        commands = (redis("KEYS", n_keys, "book:*"), *each)
        return Evaluation(test_case=TestCase((Call(BOOKS, ()),)), observations=(), reached={}, interactions=commands)

    (note,) = notes(run(2, "HGETALL"), run(3, "HGETALL"))
    assert "(a.js:9: HGETALL ?)" in note
    assert notes(run(2, "INCRBY"), run(3, "INCRBY")) == []


def test_one_number_of_rows_proves_nothing():
    assert notes(run_of(3), run_of(3), run_of(0)) == []


def test_queries_that_do_not_grow_or_say_the_same_are_not_told():
    assert notes(run_of(4, 2), run_of(5, 2)) == []
    assert notes(run_of(2, same=True), run_of(3, same=True)) == []
    # All rows may refer to the same one.
    assert len(notes(run_of(3, same=True), run_of(4, same=True))) == 1


def test_documents_are_rows_too():
    def run(n_documents: int) -> Evaluation:
        found = DatabaseCommand(
            database="m", call=0, site="a.js:5", text="books.find", params=({"find": "books", "filter": {}},),
            returned=n_documents,
        )  # fmt: skip
        authors = [
            msgspec.structs.replace(
                found, site="a.js:9", text="authors.find", returned=1,
                params=({"find": "authors", "filter": {"_id": number}, "limit": 1},),
            )
            for number in range(n_documents)
        ]  # fmt: skip
        return Evaluation(
            test_case=TestCase((Call(BOOKS, ()),)), observations=(), reached={}, interactions=(found, *authors)
        )

    (note,) = notes(run(2), run(3))
    assert "a.js:9: authors.find({_id: ?})" in note
    assert notes(run(2), run(2)) == []


def commands_of(n_rows: int, ids: list[int], sites: list[str]) -> Evaluation:
    asked = [command("SELECT * FROM author WHERE id = $1", site, 1, one) for one, site in zip(ids, sites, strict=True)]
    commands = (command("SELECT * FROM book", "a.js:5", n_rows), *asked)
    return Evaluation(test_case=TestCase((Call(BOOKS, ()),)), observations=(), reached={}, interactions=commands)


def test_rows_may_refer_to_the_same_one():
    few, more = commands_of(3, [1, 1, 2], ["a.js:9"] * 3), commands_of(4, [1, 2, 1, 2], ["a.js:9"] * 4)
    assert len(notes(few, more)) == 1


def test_concurrent_queries_may_be_sent_from_several_places():
    (note,) = notes(
        commands_of(2, [1, 2], ["a.js:9", "a.js:11"]), commands_of(3, [1, 2, 3], ["a.js:9", "a.js:11", "a.js:11"])
    )
    assert "(a.js:9: " in note


def test_a_query_may_run_twice_for_each_row():
    assert len(notes(commands_of(2, [1, 2, 3, 4], ["a"] * 4), commands_of(3, list(range(6)), ["a"] * 6))) == 1
    assert notes(commands_of(2, [1, 2, 3, 4], ["a"] * 4), commands_of(3, [1, 2, 3], ["a"] * 3)) == []
