"""What a finding says of databases: what they refused, rows that the test brings; and which errors on made keys are
none."""

from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from wimble.engine.dropped_faults.made_rows import drop_errors_about_made_rows
from wimble.engine.faults.fault_book import Witness
from wimble.genes import IntegerGene, ObjectGene, OptionalGene, StringGene
from wimble.genes.fixed import ConstantGene
from wimble.http.declarations import HttpInput
from wimble.model.database import Column, ColumnRules, Database, DatabaseCommand, Dialect, Table, TableName
from wimble.model.operation import Input, Operation
from wimble.model.setup_kinds.insert_document import InsertDocument
from wimble.model.setup_kinds.insert_key import InsertKey
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.model.setup_kinds.kinds import INSERTS
from wimble.model.testcase import Call, TestCase
from wimble.oracles import Judge
from wimble.oracles.databases.stored_rows import is_about_made_text
from wimble.state.model_rules import with_rules
from wimble.types import OperationId

KEY = Column(name="key", type_name="text", type="text")


def with_rows(evaluation, dialect="postgres", table="members", text="a"):
    action = INSERTS[dialect](genes=(StringGene(text),), database="d", table=TableName(table), columns=(KEY,))
    return msgspec.structs.replace(evaluation, test_case=TestCase(evaluation.test_case.calls, (action,)))


def failed(call: int, error: str) -> DatabaseCommand:
    return DatabaseCommand(
        database="d", dialect="postgres", call=call, site="a.js:1", text="INSERT INTO codes\n VALUES ($1)", error=error
    )


def test_what_the_database_refused_is_told_where_the_program_hides_it(make, judge):
    run = make.evaluation((make.operation("PUT"), make.answer(500, {"error": "broken"})))
    run = msgspec.structs.replace(run, interactions=(failed(0, "value too long"),))

    (finding,) = judge(run)

    assert finding.observed.endswith("; the database had refused: value too long (INSERT INTO codes VALUES ($1))")
    assert finding.key == judge(make.evaluation((make.operation("PUT"), make.answer(500, {"error": "broken"}))))[0].key


@pytest.mark.parametrize(("call", "message"), [(1, "broken"), (0, "error: value too long")])
def test_what_another_call_met_or_the_message_says_is_not_told(make, judge, call, message):
    run = make.evaluation((make.operation("PUT"), make.answer(500, {"error": message})))
    run = msgspec.structs.replace(run, interactions=(failed(call, "value too long"),))

    assert "refused" not in judge(run)[0].observed


def test_rows_that_the_test_brings_are_named(make, judge):
    run = with_rows(make.evaluation((make.operation(), make.answer(500, {"error": "broken"}))))

    assert judge(run)[0].observed.endswith("; with rows that the test inserts and the database accepts (members)")


@pytest.mark.parametrize(
    "message",
    [
        "SyntaxError: Unexpected token 'e', \"eab\" is not valid JSON",
        "ReplyError: ERR value is not an integer or out of range",
        "ReplyError: WRONGTYPE Operation against a key holding the wrong kind of value",
        'Error: "id" is required!',
    ],
)
def test_a_made_key_of_another_kind_is_no_fault(make, judge, message):
    plain = make.evaluation((make.operation(), make.answer(500, {"error": "x"}), make.Cause(message=message)))

    assert judge(with_rows(plain, "redis", "strings")) == []
    assert len(judge(plain)) == 1, "without a key of ours it is one"
    assert len(judge(with_rows(plain))) == 1


@pytest.mark.parametrize(
    ("quoted", "is_fault"),
    [('"a"', False), ('"b"', True), ('..."a"...', False), ('..."ab"...', True), ('"a"...', False)],
)
def test_a_made_text_that_is_no_json_is_no_fault(make, judge, quoted, is_fault):
    message = f"SyntaxError: Unexpected token 'a', {quoted} is not valid JSON"
    run = make.evaluation((make.operation(), make.answer(500, {"error": "x"}), make.Cause(message=message)))

    assert len(judge(with_rows(run))) == is_fault


@pytest.mark.parametrize(
    ("text", "message", "is_fault"),
    [
        ("[", "SyntaxError: Unexpected end of JSON input", False),
        ("nul", "SyntaxError: Unexpected end of JSON input", False),
        ("camp", "SyntaxError: Unexpected end of JSON input", True),
        ("[]", "SyntaxError: Unexpected end of JSON input", True),
        ("f9tpo", "SyntaxError: Unexpected number in JSON at position 1", False),
        ("bmr7k", "SyntaxError: Unexpected number in JSON at position 1", True),
        ("bmr7k", "SyntaxError: Unexpected token b in JSON at position 0", False),
        ("bmr7k", "SyntaxError: Unexpected token c in JSON at position 0", True),
        ("-x", "SyntaxError: No number after minus sign in JSON at position 1 (line 1 column 2)", False),
        ("-x", "SyntaxError: Expected property name or '}' in JSON at position 9", True),
    ],
)
def test_a_made_text_that_is_no_json_is_no_fault_where_the_error_does_not_quote_it(
    make, judge, text, message, is_fault
):
    run = make.evaluation((make.operation(), make.answer(500, {"error": "x"}), make.Cause(message=message)))

    assert len(judge(with_rows(run, text=text))) == is_fault
    assert len(judge(run)) == 1, "without a row of ours it is one"


@pytest.mark.parametrize(
    ("row", "message", "is_fault"),
    [
        (("password_hash", "ab"), "Error: Invalid salt version: ab", False),
        (("passwordHash", "ab"), "TypeError: pchstr must contain a $ as first char", False),
        (("pwd", "ab"), "RangeError: Input buffers must have the same byte length", False),
        (("pwd", "ab"), "TypeError: The first argument must be of type string or an instance of Buffer", False),
        (
            ("pwd", "ab"),
            'TypeError: The "buf1" argument must be an instance of ArrayBuffer, Buffer, TypedArray, or DataView.',
            False,
        ),
        (("pwd", "ab"), "TypeError: Cannot read properties of undefined (reading 'x')", True),
        (("title", "ab"), "Error: Invalid salt version: ab", True),
        (("password_hash", f"$2b$10${'a' * 53}"), "Error: Illegal salt length: 22", True),
    ],
)
def test_a_made_hash_of_a_password_is_no_fault(make, judge, row, message, is_fault):
    column, text = row
    run = make.evaluation((make.operation(), make.answer(500, {"error": "x"}), make.Cause(message=message)))
    columns = (Column(name=column, type_name="text", type="text"),)
    action = INSERTS["postgres"](genes=(StringGene(text),), database="d", table=TableName("users"), columns=columns)
    run = msgspec.structs.replace(run, test_case=TestCase(run.test_case.calls, (action,)))

    assert len(judge(run)) == is_fault


@pytest.mark.parametrize(
    ("value", "message", "is_fault"),
    [
        (None, "ValidationError: Ticket validation failed: show: Path `show` is required.", False),
        (True, 'ValidationError: Cast to ObjectId failed for value "true" (type boolean) at path "show"', False),
        (None, "SequelizeValidationError: notNull Violation: Ticket.show cannot be null", False),
        ("ab", "ValidationError: Ticket validation failed: show: Path `show` is required.", True),
        (None, "ValidationError: failed: show: Path `show` is required., holder: Path `holder` is required.", True),
        (None, "TypeError: Cannot read properties of null (reading 'id')", True),
    ],
)
def test_a_made_row_that_the_programs_model_does_not_save_is_no_fault(make, judge, value, message, is_fault):
    run = make.evaluation((make.operation(), make.answer(500, {"error": "x"}), make.Cause(message=message)))
    columns = (Column(name="show", type_name="", type="any"),)
    action = InsertDocument(genes=(ConstantGene(value),), database="d", table=TableName("tickets"), columns=columns)
    run = msgspec.structs.replace(run, test_case=TestCase(run.test_case.calls, (action,)))

    assert len(judge(run)) == is_fault


def test_other_errors_on_made_keys_are_faults(make, judge):
    cause = make.Cause(message="TypeError: Cannot read properties of undefined (reading 'x')")
    run = make.evaluation((make.operation(), make.answer(500, {"error": "x"}), cause))

    assert len(judge(with_rows(run, "redis", "strings"))) == 1


def changed(text: str, *, is_open: bool = False, dialect: Dialect = "postgres") -> DatabaseCommand:
    return DatabaseCommand(
        database="d", dialect=dialect, call=0, site="a.js:1", text=text, affected=1, in_transaction=is_open
    )


COMMIT = DatabaseCommand(database="d", dialect="postgres", call=0, site="a.js:2", text="COMMIT", in_transaction=True)
ROLLBACK = DatabaseCommand(
    database="d", dialect="postgres", call=0, site="a.js:2", text="ROLLBACK", in_transaction=True
)


@pytest.mark.parametrize(
    ("commands", "is_told"),
    [
        ((changed("UPDATE books SET copies = 0"),), True),
        ((changed("UPDATE books SET copies = 0", is_open=True), COMMIT), True),
        ((changed("UPDATE books SET copies = 0", is_open=True), ROLLBACK), False),
        (
            (
                changed("books.update", is_open=True, dialect="mongo"),
                msgspec.structs.replace(COMMIT, text=".commitTransaction"),
            ),
            True,
        ),
        (
            (
                changed("books.update", is_open=True, dialect="mongo"),
                msgspec.structs.replace(COMMIT, text=".abortTransaction"),
            ),
            False,
        ),
        ((changed("INSERT INTO audit_log VALUES (1)"),), False),
        ((msgspec.structs.replace(changed("DELETE FROM books"), affected=0),), False),
        ((msgspec.structs.replace(changed("DELETE FROM books"), call=1),), False),
    ],
)
def test_changes_that_a_failed_call_leaves_behind_are_told(make, judge, commands, is_told):
    run = make.evaluation((make.operation("PUT"), make.answer(500, {"error": "broken"})))
    run = msgspec.structs.replace(run, interactions=commands)

    assert ("the database kept an earlier change of the call: " in judge(run)[0].observed) == is_told


def test_a_column_that_the_database_leaves_freer_than_the_model_is_named(make, judge):
    plain = make.evaluation((make.operation(), make.answer(500, {"error": "broken"})))
    ruled = msgspec.structs.replace(KEY, rules=ColumnRules(values=("child", "adult")))

    def observed(value: str) -> str:
        action = InsertRow(
            genes=(StringGene(value),), database="d", dialect="postgres", table=TableName("members"), columns=(ruled,)
        )
        run = msgspec.structs.replace(plain, test_case=TestCase(plain.test_case.calls, (action,)))
        return judge(run)[0].observed

    assert observed("zebra").endswith('the database allows "zebra" in members.key, but the API\'s model does not')
    assert "the database allows" not in observed("child")


@pytest.mark.parametrize(
    ("rules", "value", "is_told"),
    [
        (ColumnRules(not_null=True), None, True),
        (ColumnRules(max_length=2), "abc", True),
        (ColumnRules(max_length=3), "abc", False),
        (ColumnRules(min_length=4), "abc", True),
        (ColumnRules(low=1, high=5), 6, True),
        (ColumnRules(low=1, high=5), 5, False),
        (ColumnRules(is_json=True), "{", True),
        (ColumnRules(is_json=True), "{}", False),
    ],
)
def test_what_a_model_demands_of_a_column(make, judge, rules, value, is_told):
    plain = make.evaluation((make.operation(), make.answer(500, {"error": "broken"})))
    column = msgspec.structs.replace(KEY, rules=rules)
    action = InsertRow(
        genes=(ConstantGene(value),), database="d", dialect="postgres", table=TableName("members"), columns=(column,)
    )
    run = msgspec.structs.replace(plain, test_case=TestCase(plain.test_case.calls, (action,)))

    assert ("in members.key, but the API" in judge(run)[0].observed) is is_told


def test_what_only_a_row_of_the_test_holds_breaks_no_schema(make, judge):
    column = Column(name="status", type_name="text", type="text")
    row = InsertRow(
        database="d",
        table=TableName("permits"),
        columns=(column, Column(name="places", type_name="integer", type="integer")),
        genes=(StringGene("zq"), ConstantGene(-5)),
        dialect="sqlite",
    )
    schema = {"type": "object", "properties": {"status": {"enum": ["active"]}, "places": {"minimum": 0}}}
    operation = make.operation(responses={"200": {"application/json": schema}})

    def findings(status: object, places: object, setup: tuple) -> int:
        evaluation = make.evaluation((operation, make.answer(200, {"status": status, "places": places})))
        test_case = msgspec.structs.replace(evaluation.test_case, setup=setup)
        return len(judge(msgspec.structs.replace(evaluation, test_case=test_case)))

    assert findings("zq", -5, ()) == 2
    assert findings("zq", -5, (row,)) == 0
    assert findings("other", -6, (row,)) == 2


@pytest.mark.parametrize(
    ("places", "limits", "n_findings"),
    [(-5, {"minimum": 1}, 0), (5, {"minimum": 1}, 1), (-5, {}, 1), (-5, {"minimum": -9, "maximum": 9}, 1)],
)
def test_what_may_be_computed_from_a_row_that_the_api_does_not_write_breaks_no_limit(make, places, limits, n_findings):
    content = Input(
        name="content", template=ObjectGene((("places", OptionalGene(IntegerGene(**limits))),)), role="content"
    )
    column = Column(name="places", type_name="integer", type="integer")
    row = InsertRow(
        database="d", table=TableName("permits"), columns=(column,), genes=(ConstantGene(places),), dialect="sqlite"
    )
    schema = {"type": "object", "properties": {"free": {"minimum": 0}}}
    operation = make.operation(responses={"200": {"application/json": schema}})
    subject = Input(name="places", template=IntegerGene(minimum=100), role="subject")
    judge = Judge(operations=[Operation(id=OperationId("POST /permits"), inputs=(content, subject))])
    evaluation = make.evaluation((operation, make.answer(200, {"free": -6})))
    test_case = msgspec.structs.replace(evaluation.test_case, setup=(row,))

    assert len(judge(evaluation)) == 1, "without the row"
    assert len(judge(msgspec.structs.replace(evaluation, test_case=test_case))) == n_findings


def test_members_that_documents_of_the_test_lack_are_one_fault_in_all_operations(make, judge):
    def document(table: str, *names: str) -> InsertDocument:
        columns = tuple(Column(name=name, type_name="string", type="text") for name in names)
        genes = tuple(ConstantGene("x") for _ in names)
        return InsertDocument(database="d", table=TableName(table), columns=columns, genes=genes)

    one = {"type": "object", "required": ["id", "subject"]}
    listed = make.operation(path="/cases", responses={"200": {"application/json": {"type": "array", "items": one}}})
    read = make.operation(path="/cases/{id}", responses={"200": {"application/json": one}})

    def keys(operation: Any, body: object, *setup: InsertDocument) -> set[tuple[str, ...]]:
        evaluation = make.evaluation((operation, make.answer(200, body)))
        test_case = msgspec.structs.replace(evaluation.test_case, setup=setup)
        return {found.key for found in judge(msgspec.structs.replace(evaluation, test_case=test_case))}

    cases, customers = document("cases", "status"), document("customers", "email")
    assert len(keys(listed, [{"id": 1}], cases)) == 1
    assert keys(listed, [{"id": 1}], cases) == keys(read, {"id": 1}, customers, cases)
    assert keys(listed, [{"id": 1}]) != keys(read, {"id": 1})
    whole = document("cases", "subject")
    assert keys(read, {"id": 1}, whole) == keys(read, {"id": 1})


def test_an_answer_that_is_a_made_text_breaks_no_schema(make, judge):
    columns = tuple(Column(name=name, type_name="text", type="text") for name in ("key", "value"))
    kept = InsertKey(
        database="r",
        table=TableName("strings"),
        columns=columns,
        genes=(StringGene("book:1"), StringGene('{"name": "zq"}')),
    )
    schema = {"type": "object", "required": ["id"]}
    operation = make.operation(responses={"200": {"application/json": schema}})

    def n_findings(body: object, setup: tuple) -> int:
        evaluation = make.evaluation((operation, make.answer(200, body)))
        test_case = msgspec.structs.replace(evaluation.test_case, setup=setup)
        return len(judge(msgspec.structs.replace(evaluation, test_case=test_case)))

    assert n_findings({"name": "zq"}, ()) == 1
    assert n_findings({"name": "zq"}, (kept,)) == 0
    assert n_findings({"name": "other"}, (kept,)) == 1


def test_a_number_that_is_null_in_a_row_of_the_test_is_about_the_document(make, judge):
    distance = Column(name="dist_km", type_name="real", type="float")
    schema = {"type": "object", "properties": {"distKm": {"type": "number"}, "each": {"type": "number"}}}
    operation = make.operation(responses={"200": {"application/json": schema}})

    def is_about_document(member: str, value: object) -> bool:
        row = InsertRow(
            database="d", table=TableName("trips"), columns=(distance,), genes=(ConstantGene(value),), dialect="sqlite"
        )
        evaluation = make.evaluation((operation, make.answer(200, {member: None})))
        test_case = msgspec.structs.replace(evaluation.test_case, setup=(row,))
        (finding,) = judge(msgspec.structs.replace(evaluation, test_case=test_case))
        return finding.is_about_document

    assert is_about_document("distKm", None)
    # NaN and Infinity are null in JSON.
    assert not is_about_document("distKm", 7)
    assert not is_about_document("each", None)


DAY = Column(name="arrival", type_name="TEXT", type="text")


def booked(day: str) -> DatabaseCommand:
    """The API stores a booking."""
    text = "INSERT INTO bookings (arrival, note) VALUES (?, ?)"
    return DatabaseCommand(
        database="d", dialect="sqlite", call=0, site="a.js:1", text=text, params=(day, "x"), affected=1
    )


def stay_fails(make, day, sent=(), message="Invalid time value"):
    """A booking of a row that a test inserts is read, or changed with inputs."""
    operation = make.operation(
        "PUT", inputs=tuple(HttpInput(name="on", location="query", template=StringGene()) for _ in sent)
    )
    run = make.evaluation((operation, make.answer(500, {"error": f"RangeError: {message}"})))
    row = InsertRow(
        genes=(StringGene(day),), database="d", dialect="sqlite", table=TableName("bookings"), columns=(DAY,)
    )
    call = Call(operation, tuple(map(StringGene, sent)))
    return msgspec.structs.replace(run, test_case=TestCase((call,), (row,)))


def judged_after(written, run, make):
    judge = Judge()
    for day in written:
        stored = make.evaluation((make.operation("POST"), make.answer(201, {})))
        judge(msgspec.structs.replace(stored, interactions=(booked(day),)))
    return bool(judge(run))


@pytest.mark.parametrize(
    ("written", "day", "sent", "is_fault"),
    [
        (["2026-07-01"], "a", (), False),
        (["2026-07-01"], "a", ("2026-07-02",), False),
        (["2026-07-01"], "a", ("b",), True),
        (["2026-07-01"], "2026-07-09", (), True),
        (["2026-07-01"], "7", (), False),
        (["2026-07-01", "7 July 2026"], "7", (), True),
        (["2026-07-01", "soon"], "a", (), True),
        ([], "a", (), True),
    ],
)
def test_a_made_text_that_is_no_date_where_the_api_writes_dates_is_no_fault(make, written, day, sent, is_fault):
    assert judged_after(written, stay_fails(make, day, sent), make) == is_fault


@pytest.mark.parametrize(("quoted", "is_fault"), [("soon", False), ("later", True), ("9", True)])
def test_a_message_that_quotes_the_made_text_is_about_it_whatever_the_call_has_sent(make, quoted, is_fault):
    run = stay_fails(make, "soon", ["later"], f"cannot read an invalid date-time {quoted}")
    assert judged_after(["2026-07-01"], run, make) == is_fault


@pytest.mark.parametrize(
    ("made", "sent", "message", "is_made"),
    [
        ("manager", "a", 'Enum "Role" cannot represent value: "manager"', True),
        ("manager", "manager", 'Enum "Role" cannot represent value: "manager"', False),
        ("member", "a", 'Enum "Role" cannot represent value: "manager"', False),
        ("soon", "a", "DateTime cannot represent an invalid date-time-string soon.", True),
        (9007199254740991, "a", "Int cannot represent non 32-bit signed integer value: 9007199254740990", True),
        (7, "a", "Int cannot represent non 32-bit signed integer value: 9007199254740990", False),
        (9007199254740991, "a", "Integer value in column 'id' is too large to represent as a JavaScript number", True),
        (7, "a", "Integer value in column 'id' is too large to represent as a JavaScript number", False),
        ("x", "a", "Int cannot represent non-integer value: NaN", False),
    ],
)
def test_a_value_of_a_made_row_that_is_not_of_its_fields_type_is_no_fault(make, made, sent, message, is_made):
    operation = make.operation("POST", inputs=(HttpInput(name="q", location="query", template=StringGene()),))
    row = InsertRow(genes=(ConstantGene(made),), database="d", dialect="sqlite", table=TableName("t"), columns=(DAY,))
    run = make.evaluation((operation, make.answer(200, {})))
    run = msgspec.structs.replace(run, test_case=TestCase((Call(operation, (StringGene(sent),)),), (row,)))
    assert is_about_made_text(run, message) == is_made


@pytest.mark.parametrize(
    ("is_json", "made", "is_made"),
    [(True, "2012-11-08T00", True), (False, "2012-11-08T00", False), (True, "2012", False)],
)
def test_no_json_where_the_model_writes_json_is_no_fault_whatever_calls_have_sent(make, is_json, made, is_made):
    operation = make.operation("POST", inputs=(HttpInput(name="q", location="query", template=StringGene()),))
    column = msgspec.structs.replace(DAY, rules=ColumnRules(is_json=is_json))
    row = InsertRow(
        genes=(StringGene(made),), database="d", dialect="sqlite", table=TableName("t"), columns=(column,)
    )  # fmt: skip
    run = make.evaluation((operation, make.answer(200, {})))
    run = msgspec.structs.replace(run, test_case=TestCase((Call(operation, (StringGene("2012-11-08"),)),), (row,)))
    message = "SyntaxError: Unexpected non-whitespace character after JSON at position 4"
    assert is_about_made_text(run, message) == is_made


def test_errors_about_made_dates_are_dropped_once_the_api_has_written_dates_there(make):
    judge = Judge()
    run = stay_fails(make, "a")
    (finding,) = judge(run)
    cause = msgspec.structs.replace(finding.cause, message="RangeError: Invalid time value")
    finding = msgspec.structs.replace(finding, cause=cause)
    fault = SimpleNamespace(key=finding.key, finding=finding, witnesses=[Witness(finding, run, ())])
    book = Book([fault])
    coordinator = SimpleNamespace(faults=book, judge=judge)
    drop_errors_about_made_rows(coordinator)
    assert not book.dropped
    stored = make.evaluation((make.operation("POST"), make.answer(201, {})))
    judge(msgspec.structs.replace(stored, interactions=(booked("2026-07-01"),)))
    drop_errors_about_made_rows(coordinator)
    assert book.dropped == {finding.key}


class Book(list):
    dropped: frozenset = frozenset()

    def drop(self, keys):
        self.dropped = keys


def test_made_rows_have_dates_where_the_api_writes_dates_of_one_format(make):
    judge = Judge()
    table = Table(name=TableName("Bookings"), columns=(DAY, KEY))
    database = Database(id="d", dialect="sqlite", tables=(table,))
    stored = make.evaluation((make.operation("POST"), make.answer(201, {})))

    def learnt_of(*days: str) -> dict[str, ColumnRules]:
        for day in days:
            judge(msgspec.structs.replace(stored, interactions=(booked(day),)))
        (known,) = with_rules(database, judge.written.rules(database)).tables
        return {column.name: column.rules for column in known.columns if column.rules is not None}

    assert learnt_of() == {}
    assert learnt_of("2026-07-01") == {"arrival": ColumnRules(format="date")}
    version = judge.written.version
    assert learnt_of("2026-07-02") == {"arrival": ColumnRules(format="date")}
    assert judge.written.version == version
    assert learnt_of("2026-07-01T10:00:00Z") == {}
    assert judge.written.version > version
