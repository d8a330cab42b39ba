"""Which writes of an evaluation are tried for conflicts, how often, and over which rows."""

import msgspec

from wimble.engine.queries.write_conflicts import MAX_TEXTS, MAX_TRIES, WriteConflicts
from wimble.genes import IntegerGene
from wimble.http.binding import http_operation
from wimble.model.database import Column, Database, DatabaseCommand, ForeignKey, Table, TableName, UniqueKey
from wimble.model.evaluation import Evaluation
from wimble.model.hints import QueryHint
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.model.testcase import Call, TestCase
from wimble.types import OperationId

CITIES = Table(
    name=TableName("cities"),
    columns=(Column(name="id", type_name="integer", type="integer", is_nullable=False),),
    primary_key=("id",),
)
USERS = Table(
    name=TableName("users"),
    columns=(
        Column(name="id", type_name="integer", type="integer", is_nullable=False, is_identity=True),
        Column(name="email", type_name="text", type="text", is_nullable=False),
        Column(name="city", type_name="integer", type="integer"),
    ),
    primary_key=("id",),
    unique=(UniqueKey(("email",)),),
    foreign_keys=(ForeignKey(("city",), TableName("cities"), ("id",)),),
)
SCHEMAS = {"main": Database(id="main", dialect="postgres", tables=(USERS, CITIES))}
ROWS = {
    "users": [{"id": 1, "email": "ola@x.no", "city": 3}, {"id": 2, "email": "kari@x.no", "city": 3}],
    "cities": [{"id": 3}],
}
TEST_CASE = TestCase(
    tuple(
        Call(http_operation(id=OperationId(f"POST {path}"), method="POST", path=path), ())
        for path in ("/users", "/people")
    )
)
INSERT = "insert into users (email) values ($1)"


def write(
    text: str = INSERT, params=("kari@x.no",), call: int = 0, affected: int | None = 1, error: str = ""
) -> DatabaseCommand:
    return DatabaseCommand(
        database="main", call=call, site="/app/users.js:3:1", text=text, params=params, affected=affected, error=error
    )


def hints(conflicts: WriteConflicts, *commands: DatabaseCommand, rows=ROWS) -> tuple[QueryHint, ...]:
    evaluation = Evaluation(test_case=TEST_CASE, observations=(), reached={}, interactions=commands)
    return tuple(conflicts.hints(evaluation, SCHEMAS, lambda _, reader: rows.get(reader.table)))


def test_rows_that_the_write_itself_has_made_do_not_have_its_values_before_it():
    """Their other keys are taken all the same."""
    (hint,) = hints(WriteConflicts(), write())
    assert hint.wanted
    assert hint.command.text == 'SELECT * FROM "users" AS a WHERE a."email" = $1'
    assert hint.tables == {
        "users": [ROWS["users"][0], {"id": 2, "email": None, "city": 3}],
        "cities": ROWS["cities"],
    }


def test_rows_that_the_test_case_has_brought_count_though_they_were_deleted():
    column = USERS.columns[0]
    brought = InsertRow(
        genes=(IntegerGene(9),), database="main", dialect="postgres", table=USERS.name, columns=(column,)
    )
    elsewhere = msgspec.structs.replace(brought, database="other")
    evaluation = Evaluation(
        test_case=TestCase(TEST_CASE.calls, (brought, elsewhere)), observations=(), reached={}, interactions=(write(),)
    )
    (hint,) = WriteConflicts().hints(evaluation, SCHEMAS, lambda _, reader: ())
    assert hint.tables == {"users": [{"id": 9}], "cities": []}


def test_what_has_to_be_there_is_asked_for_with_the_rows_that_are():
    taken, missing = hints(WriteConflicts(), write("insert into users (email, city) values ($1, $2)", ("kari@x.no", 3)))
    assert (taken.wanted, missing.wanted) == (True, False)
    assert missing.tables == {"cities": ROWS["cities"]}


def test_each_write_of_each_operation_is_tried_a_few_times():
    conflicts = WriteConflicts()
    assert [len(hints(conflicts, write())) for _ in range(MAX_TRIES + 2)] == [1] * MAX_TRIES + [0, 0]
    assert [len(hints(conflicts, write(call=1))) for _ in range(MAX_TRIES + 2)] == [1] * MAX_TRIES + [0, 0]


def test_values_in_the_text_do_not_make_it_another_write_for_ever():
    conflicts = WriteConflicts()
    tried = [
        len(hints(conflicts, write(f"insert into users (email) values ('{n}')", ()))) for n in range(MAX_TEXTS + 3)
    ]
    assert tried == [1] * MAX_TEXTS + [0] * 3


def test_what_was_refused_or_changed_nothing_is_no_write():
    assert hints(WriteConflicts(), write(affected=None, error="duplicate key"), write(affected=0), write(call=2)) == ()


def test_where_rows_cannot_be_read_there_is_no_hint():
    assert hints(WriteConflicts(), write(), rows={"users": ROWS["users"]}) == ()


def test_other_databases_are_left_alone():
    conflicts = WriteConflicts()
    evaluation = Evaluation(test_case=TEST_CASE, observations=(), reached={}, interactions=(write(),))
    redis = {"main": Database(id="main", dialect="redis", tables=(USERS,))}
    assert list(conflicts.hints(evaluation, {}, lambda _, reader: ())) == []
    assert list(conflicts.hints(evaluation, redis, lambda _, reader: ())) == []


def test_of_documents_too_what_the_write_has_made_is_not_there_before_it():
    database = Database(id="main", dialect="mongo", tables=(USERS,))
    sent = {"insert": "users", "documents": [{"_id": 2, "email": "kari@x.no"}]}
    insert = write("users.insert", (sent,))
    documents = [{"_id": 1, "email": "ola@x.no"}, {"_id": 2, "email": "kari@x.no"}]
    evaluation = Evaluation(test_case=TEST_CASE, observations=(), reached={}, interactions=(insert,))
    (hint,) = WriteConflicts().hints(evaluation, {"main": database}, lambda _, reader: documents)
    assert hint.command.params == ({"find": "users", "filter": {"email": "kari@x.no"}},)
    assert hint.tables == {"users": documents[:1]}
