"""5xx: what is a finding, what it is called, and which answers are one fault."""

import msgspec
import pytest

from wimble.model.database import DatabaseCommand
from wimble.oracles.messages.message_shapes import body_message, message_shape

EXPRESS_PAGE = b"""<!DOCTYPE html><html lang="en"><head><title>Error</title></head><body>
<pre>TypeError: Cannot read properties of undefined (reading &#39;price&#39;)<br> &nbsp; &nbsp;at /app/server.js:10:3</pre></body></html>"""


def test_the_cause_of_the_agent_names_the_fault(make, judge):
    cause = make.Cause(file="/app/a.js", line=7, message="TypeError: x is not a function", statement="/app/a.js:6")
    op = make.operation("POST", "/orders")
    (finding,) = judge(make.evaluation((op, make.answer(500, {"error": "Internal"}), cause)))
    assert finding.title == "POST /orders answers 500: TypeError: x is not a function"
    assert finding.key == ("server-error", "/app/a.js", "7", "TypeError: x is not a function")
    assert (finding.oracle, finding.operation, finding.status, finding.call_index) == (
        "server-error",
        "POST /orders",
        500,
        0,
    )
    assert finding.observed == "status 500: TypeError: x is not a function at /app/a.js:7"
    assert finding.cause == cause


def test_without_an_agent_the_body_names_it(make, judge):
    op = make.operation("POST", "/orders")
    (finding,) = judge(make.evaluation((op, make.answer(500, EXPRESS_PAGE, "text/html"))))
    assert finding.title == "POST /orders answers 500: TypeError: Cannot read properties of undefined (reading 'price')"
    assert finding.key[:3] == ("server-error", "POST /orders", "500")
    assert finding.cause.message == "TypeError: Cannot read properties of undefined (reading 'price')"


def test_a_cause_without_a_message_takes_that_of_the_body(make, judge):
    cause = make.Cause(file="/app/a.js", line=7, statement="/app/a.js:7")
    (finding,) = judge(make.evaluation((make.operation(), make.answer(500, {"message": "no luck"}), cause)))
    assert finding.cause.message == "no luck"
    assert finding.key == ("server-error", "/app/a.js", "7", "no luck")


def test_an_empty_500_is_a_finding_too(make, judge):
    (finding,) = judge(make.evaluation((make.operation(), make.answer(500))))
    assert finding.title == "GET /things answers 500"


@pytest.mark.parametrize(
    ("status", "headers", "n"),
    [
        (500, {}, 1),
        (502, {}, 1),
        (504, {}, 1),
        (599, {}, 1),
        (503, {}, 1),
        (503, {"retry_after": "5"}, 0),
        (501, {}, 0),
        (499, {}, 0),
    ],
)
def test_which_statuses_count(make, judge, status, headers, n):
    assert len(judge(make.evaluation((make.operation(), make.answer(status, **headers))))) == n


def test_a_declared_500_is_still_a_fault(make, judge):
    op = make.operation(responses={"500": {}})
    assert len(judge(make.evaluation((op, make.answer(500))))) == 1


def test_nothing_else_is_said_of_a_call_that_answers_500(make, judge):
    op = make.operation(
        responses={"200": {"application/json": {"type": "object"}}, "500": {"application/json": {"type": "object"}}}
    )
    findings = judge(make.evaluation((op, make.answer(500, b"oops", "text/plain"))))
    assert [finding.oracle for finding in findings] == ["server-error"]


def test_one_fault_from_two_operations_and_with_other_values_is_one_finding(make, judge):
    one = make.Cause(file="/a.js", line=3, message='Error: no user "abc12" at 17')
    two = make.Cause(file="/a.js", line=3, message='Error: no user "zzz" at 99821')
    evaluation = make.evaluation(
        (make.operation("GET", "/a"), make.answer(500), one), (make.operation("GET", "/b"), make.answer(500), two)
    )
    assert len(judge(evaluation)) == 1


@pytest.mark.parametrize(
    ("message", "shape"),
    [
        ("TypeError: Cannot read properties of undefined (reading 'price')", "TypeError: Cannot read properties of … (reading 'price')"),
        ("TypeError: Cannot read properties of undefined (reading '17')", "TypeError: Cannot read properties of … (reading '…')"),
        ("Error: duplicate key 'abc' in 12 rows", "Error: duplicate key '…' in … rows"),
        ("Cast failed for 507f1f77bcf86cd799439011", "Cast failed for …"),
        ("no 123e4567-e89b-12d3-a456-426614174000 here", "no … here"),
        ("limit -5.5e10, -3, 4 of `x`", "limit … of '…'"),
        ("Error: Invalid regular expression: /(/i: Unterminated group", "Error: invalid regular expression"),
        ("MongoServerError: Regular expression is invalid: missing closing parenthesis", "MongoServerError: invalid regular expression"),
        ("Error: Unknown error: Unclosed character class near index 13", "Error: Unknown error: invalid regular expression"),
        ("SqliteError: UNIQUE constraint failed: readers.email", "SqliteError: UNIQUE constraint failed: …"),
        ("SQLITE_CONSTRAINT: SQLITE_ERROR: CHECK constraint failed: price >= 0", "SQLITE_CONSTRAINT: SQLITE_ERROR: CHECK constraint failed: …"),
        ("must be one of 'a', 'b', 'c'", "must be one of …"),
        ("expected (a, b) but got ('x')", "expected (a, b) but got (…)"),
        ("Argument `role`: Invalid value provided. Expected Role, provided (String, Int).", "Argument '…': Invalid value provided. Expected Role, provided …."),
        ("Error: no such part { size: { '$ne': 3 }, b: 1 } here", "Error: no such part … here"),
        ('Error: no such part {"size":[{"a":1}]}', "Error: no such part …"),
        ("Error: Argument is invalid: [object Object]", "Error: Argument is invalid: …"),
        ("Error: Argument is invalid: ", "Error: Argument is invalid: …"),
        ("Error: Illegal arguments: undefined, string", "Error: Illegal arguments: …"),
        ("Error: Illegal arguments: object, number", "Error: Illegal arguments: …"),
        ("The 'a' argument must be of type string. Received type number (12)", "The '…' argument must be of type string. Received …"),
        ("The 'a' argument must be of type string. Received an instance of Array", "The '…' argument must be of type string. Received …"),
        ("The 'a' argument must be of type string. Received undefined", "The '…' argument must be of type string. Received …"),
        ('CastError: Cast to ObjectId failed for value "s2yq0" (type string) at path "_id"', "CastError: Cast to ObjectId failed for value '…' … at path '…'"),
        ('CastError: Cast to ObjectId failed for value "{ a: null }" (type Object) at path "_id"', "CastError: Cast to ObjectId failed for value '…' … at path '…'"),
        ("Expected string, received array", "Expected string, received …"),
        ("Payment received and booked", "Payment received and booked"),
        ("first\nsecond", "first"),
        ('SyntaxError: Unexpected token \'y\', "y2\nzk" is not valid JSON', "SyntaxError: … JSON"),
        ('Unexpected token \'y\', "y2', "… JSON"),
        ("No number after minus sign in JSON at position 1, '--x'", "… JSON"),
        ("Unexpected token ')'", "Unexpected token '…'"),
        ("RangeError: Invalid time zone specified: \u00e4\u00bd\u00a0\nx", "RangeError: Invalid time zone specified: …"),
        ("RangeError: Invalid currency code : x y", "RangeError: Invalid currency code : …"),
        ("", ""),
        ("deadbeef is a word, deadbee1 is not", "deadbeef is a word, … is not"),
    ],
)  # fmt: skip
def test_messages_that_differ_in_values_only_have_one_shape(message, shape):
    assert message_shape(message) == shape


@pytest.mark.parametrize(
    ("columns", "rows"),
    [('"name"', "($1)"), ('"name", "size"', "(DEFAULT, $1)"), ('"name", "size"', "($1, $2), ($3, DEFAULT)"), ("`name`, `size`", "(1, 'two')")],
)  # fmt: skip
def test_statements_have_one_shape_however_many_columns_and_rows_they_name(columns, rows):
    broken = 'violates foreign key constraint "tags_fkey"'
    shape = "error: insert tags - violates foreign key constraint '…'"
    assert message_shape(f'error: insert into "tags" ({columns}) values {rows} - {broken}') == shape


@pytest.mark.parametrize(
    ("message", "shape"),
    [
        ('error: select "a" - 4 from "events" where "at" >= $1 and "by" in ($2, $3) - invalid date: "x - y"', "error: select events - invalid date: '…'"),
        ("Error: UPDATE `shop`.`books` SET `a` = ? - ER_BAD: no", "Error: update shop.books - ER_BAD: no"),
        ("delete from [dbo].[books] where id = 1 - no", "delete dbo.books - no"),
        ('with "x" as (select 1) select * from x - no', "with x - no"),
        ("Error: nothing to select from here", "Error: nothing to select from here"),
        ("Error: the shelf - a wide one - is full", "Error: the shelf - a wide one - is full"),
    ],
)  # fmt: skip
def test_of_a_statement_before_the_message_the_verb_and_the_table_count(message, shape):
    assert message_shape(message) == shape


PRISMA = "PrismaClientKnownRequestError: \nInvalid `prisma.member.findUnique()` invocation"
FRAME = " in\n/app/a.js:10:49\n\n   7 const x = `a`;\n→ 10   await prisma.member.findUnique(\n"


@pytest.mark.parametrize("frame", [FRAME, ":\n\n\n", ":\n\n{\n  where: {\n+   id: String\n  }\n}\n\n"])
def test_of_an_error_of_prisma_the_last_line_counts(make, judge, frame):
    said = "Value 'GOLD' not found in enum 'Level'"
    assert message_shape(f"{PRISMA}{frame}{said}") == "PrismaClientKnownRequestError: Value '…' not found in enum '…'"
    cause = make.Cause(file="/app/a.js", line=7, message=f"{PRISMA}{frame}{said}\n")
    (finding,) = judge(make.evaluation((make.operation(), make.answer(500), cause)))
    assert finding.title.endswith(f"answers 500: PrismaClientKnownRequestError: {said}")
    assert finding.observed.startswith(f"status 500: PrismaClientKnownRequestError: {said}")
    (of_body,) = judge(make.evaluation((make.operation(), make.answer(500, {"error": PRISMA[31:] + frame + said}))))
    assert of_body.title.endswith(f"answers 500: {said}")


def test_the_title_says_what_the_database_said(make, judge):
    columns = ", ".join(f'"column_{number}"' for number in range(40))
    cause = make.Cause(
        file="/app/a.js", line=7, message=f'error: insert into "tags" ({columns}) values ($1) - null value'
    )
    (finding,) = judge(make.evaluation((make.operation(), make.answer(500), cause)))
    assert finding.title.endswith("answers 500: error: insert tags - null value")


def test_shapes_leave_out_what_the_request_carried(make):
    request = make.Request(
        "POST", "/users/k3x9a?sort=upward", (("x-mark", "qqzzt"),), b'{"name": {"first": "hello there"}}'
    )
    assert message_shape("k3x9a upward qqzzt hello there failed", request) == "… failed"
    form = make.Request("POST", "/x", (), b"a=some+text&b=2")
    assert message_shape("bad some text", form) == "bad …"
    quoted = make.Request("GET", '/x?sort=we`ig"ht')
    assert message_shape("Error: no column weight", quoted) == "Error: no column …"
    named = make.Request("GET", "/x?sort=Error")
    assert message_shape("Error: no column Error", named) == "Error: no column …"


@pytest.mark.parametrize(
    ("body", "media_type", "message"),
    [
        ({"error": {"message": "deep", "stack": "x"}}, "application/json", "deep"),
        ({"errors": [{"detail": "first"}, {"detail": "second"}]}, "application/json", "first"),
        ({"statusCode": 500, "error": "Internal Server Error", "message": "what"}, "application/json", "what"),
        ({"error": "bad_request", "reason": "Cannot read it"}, "application/json", "Cannot read it"),
        ({"error": "first text", "reason": "second text"}, "application/json", "first text"),
        ({"error": "Internal Server Error", "code": 7}, "application/json", "Internal Server Error"),
        ({"code": 7}, "application/json", ""),
        ("just text", "application/json", "just text"),
        (b"one\ntwo", "text/plain", "one"),
        (b"<html><head><title>T</title></head><body><h1>Oops</h1></body></html>", "text/html", "Oops"),
        (b"\xff\xfe", "application/octet-stream", "\ufffd\ufffd"),
    ],
)
def test_messages_of_bodies(make, body, media_type, message):
    assert body_message(make.answer(500, body, media_type)) == message


@pytest.mark.parametrize(
    ("stack", "place"),
    [
        ("Error: no such column: a", ("/app/rows.js", 3)),
        ("Error: no such column: a\n    at handler (/app/a.js:7:1)", ("/app/a.js", 7)),
    ],
)
def test_an_error_without_a_stack_is_placed_at_the_command_that_failed_with_it(make, judge, stack, place):
    handler = make.Cause(file="/app/a.js", line=7, message="Error: no such column: a", stack=stack)
    evaluation = make.evaluation((make.operation(), make.answer(500), handler))
    well, failed = (
        DatabaseCommand(
            database="d", dialect="sqlite", call=0, site=f"/app/rows.js:{line}", text="SELECT a", error=error
        )
        for line, error in ((2, ""), (3, "no such column: a"))
    )
    (finding,) = judge(msgspec.structs.replace(evaluation, interactions=(failed, well)))
    assert (finding.cause.file, finding.cause.line) == place
