"""Calls that are refused, and what they have changed before."""

import json

import msgspec
import pytest

from wimble.genes.fixed import ConstantGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Evaluation
from wimble.model.observation import Cause
from wimble.model.testcase import Call, TestCase
from wimble.oracles.databases.left_behind import NAME


def dialect_of(text):
    return "mysql" if "`" in text else "mongo" if "." in text.split(" ")[0] else "postgres"


def run(make, status, *texts, in_transaction=False, error="", affected=1, params=()):
    evaluation = make.evaluation((make.operation("POST"), make.answer(status, {"error": "x"})))
    commands = tuple(
        DatabaseCommand(
            database="d", dialect=dialect_of(text), call=0, site="/srv/app/orders.js:12", text=text, params=params, affected=affected,
            in_transaction=in_transaction and text not in ("BEGIN", "COMMIT"), error=error,
        )
        for text in texts
    )  # fmt: skip
    return msgspec.structs.replace(evaluation, interactions=commands)


@pytest.mark.parametrize("status", [400, 402, 404, 409, 410, 422])
@pytest.mark.parametrize("text", ["INSERT INTO orders VALUES ($1)", "delete from orders where id = 1", "orders.insert"])
def test_a_refused_call_that_leaves_a_change_is_a_fault(make, judge, status, text):
    (finding,) = [one for one in judge(run(make, status, "SELECT 1", text)) if one.oracle == NAME]
    assert finding.title == f"POST /things answers {status} and keeps a change"
    assert text in finding.observed
    assert (finding.cause.file, finding.cause.line) == ("/srv/app/orders.js", 12)


def test_what_the_client_may_not_do_must_not_have_happened(make, judge):
    (finding,) = judge(run(make, 403, "UPDATE bookings SET note = $1 WHERE id = $2"))
    assert finding.title == "POST /things answers 403 and keeps a change"
    for of_client in ("UPDATE users SET warned = 1", "INSERT INTO verification_codes VALUES (1)"):
        assert judge(run(make, 403, of_client)) == []


def test_where_users_are_let_in_a_refusal_may_be_noted(make, judge):
    evaluation = run(make, 403, "INSERT INTO orders VALUES (1)")
    (call,) = evaluation.test_case.calls
    entered = msgspec.structs.replace(call, operation=msgspec.structs.replace(call.operation, entrance="login"))
    assert judge(msgspec.structs.replace(evaluation, test_case=TestCase((entered,)))) == []


def test_the_place_is_who_has_written_the_command_rather_than_who_hands_on_all_of_them(make, judge):
    evaluation = run(make, 409, "INSERT INTO orders VALUES ($1)")
    (command,) = evaluation.interactions
    called = msgspec.structs.replace(command, site="/srv/app/db.js:6", caller="/srv/app/orders.js:40")
    (finding,) = judge(msgspec.structs.replace(evaluation, interactions=(called,)))
    assert (finding.cause.file, finding.cause.line) == ("/srv/app/orders.js", 40)


def test_a_committed_change_stays_too(make, judge):
    left = run(make, 409, "BEGIN", "INSERT INTO orders VALUES (1)", "COMMIT", in_transaction=True)
    assert [one.oracle for one in judge(left)] == [NAME]


def test_what_is_taken_back_meant_or_changed_nothing_is_none(make, judge):
    insert = "INSERT INTO orders VALUES (1)"
    assert judge(run(make, 409, "BEGIN", insert, "ROLLBACK", in_transaction=True)) == []
    assert judge(run(make, 409, insert, "DELETE FROM orders WHERE id = 1")) == []
    assert judge(run(make, 409, "INSERT INTO login_attempts VALUES (1)")) == []
    assert judge(run(make, 409, "UPDATE users SET failures = failures + 1")) == []
    assert judge(run(make, 409, insert, affected=0)) == []
    assert judge(run(make, 409, insert, error="duplicate key")) == []
    assert judge(run(make, 401, insert)) == []
    assert judge(run(make, 402, "INSERT INTO payments VALUES (1)")) == []
    assert judge(run(make, 201, insert)) == []


@pytest.mark.parametrize(
    "text",
    [
        "UPDATE accounts SET balance = balance - $1 WHERE id = $2",
        'update "Rentals" set "returnedAt" = ?, "updatedAt" = ? where "id" = ?',
        "UPDATE `tools` AS t SET t.`note` = 'a = b'",
    ],
)
def test_an_update_of_what_the_call_is_about_stays_as_well(make, judge, text):
    (finding,) = judge(run(make, 404, text))
    assert finding.oracle == NAME


@pytest.mark.parametrize(("member", "is_fault"), [("balance", True), ("status", False)])
def test_so_does_an_update_of_documents(make, judge, member, is_fault):
    evaluation = run(make, 404, "accounts.update")
    (command,) = evaluation.interactions
    changed = ({"updates": [{"q": {"_id": 1}, "u": {"$set": {member: 1}, "$setOnInsert": {"owner": 2}}}]},)
    left = msgspec.structs.replace(evaluation, interactions=(msgspec.structs.replace(command, params=changed),))
    assert [one.oracle for one in judge(left)] == [NAME] * is_fault


def test_only_names_of_tables_tell_that_failures_are_recorded(make, judge):
    (finding,) = judge(run(make, 409, "INSERT INTO orders (session_id, logo) VALUES ($1, $2)"))
    assert finding.oracle == NAME


def test_an_update_that_marks_or_counts_the_refusal_or_is_made_good_is_none(make, judge):
    for text in (
        "UPDATE users SET failed_attempts = failed_attempts + 1, last_seen = now() WHERE balance = 3",
        'UPDATE "invites" SET "status" = $1, "updatedAt" = $2 WHERE code = $3',
        "UPDATE sessions SET user_id = 1",
    ):
        assert judge(run(make, 409, text)) == []
    taken, given = "UPDATE accounts SET balance = balance - 5", "update Accounts set balance = balance + 5"
    assert judge(run(make, 404, taken, given)) == []
    assert judge(run(make, 404, "UPDATE accounts SET balance = 1", affected=0)) == []


def test_the_wrong_answer_to_a_change_is_told_once(make, judge):
    documented = make.operation("DELETE", responses={"404": {"application/json": {"type": "object"}}, "204": {}})
    removed = DatabaseCommand(
        database="d", dialect="sqlite", call=0, site="/app/a.js:3", text="DELETE FROM items", affected=1
    )
    for answer in (make.answer(404, b"Not Found", "text/plain"), make.answer(422, {}), make.answer(404, [])):
        evaluation = make.evaluation((documented, answer))
        found = judge(msgspec.structs.replace(evaluation, interactions=(removed,)))
        assert [one.oracle for one in found] == [NAME]
        assert all(one.oracle != NAME for one in judge(evaluation))


@pytest.mark.parametrize(
    ("text", "params", "is_left"),
    [
        ("UPDATE orders SET status = $1 WHERE id = $2", ("paid", 3), True),
        ("UPDATE `orders` SET `status` = ? WHERE id = ?", ("paid", 3), True),
        ('update "orders" set "updated_at" = $2, "status" = $1 where id = $3', ("paid", 3, 4), True),
        ("UPDATE orders SET status = 'shipped'", (), True),
        ("UPDATE invites SET status = 'expired' WHERE code = $1", ("x",), False),
        ("UPDATE `users` SET updated_at = ?, status = ?", (1, "locked"), False),
        ("UPDATE users SET is_active = $1", (0,), False),
        ("UPDATE agent SET open_count = open_count - 1 WHERE id = 1", (), True),
        ("UPDATE users SET request_count = request_count + 1", (), False),
        ("orders.update", ({"updates": [{"q": {}, "u": {"$inc": {"stock": -1}, "$set": {"updatedAt": 1}}}]},), True),
        ("orders.update", ({"updates": [{"q": {}, "u": {"$set": {"status": "paid"}}}]},), True),
        ("orders.update", ({"updates": [{"q": {}, "u": {"$set": {"status": "failed", "__v": 2}}}]},), False),
        ("orders.update", ({"updates": [{"q": {}, "u": {"$inc": {"attempts": 1}}}]},), False),
    ],
)
def test_new_values_tell_whether_an_update_marks_the_refusal(make, judge, text, params, is_left):
    assert [one.oracle for one in judge(run(make, 409, text, params=params))] == ([NAME] if is_left else [])


@pytest.mark.parametrize(
    ("table", "operation", "is_left"),
    [
        ("blog_posts", "POST /posts", True),
        ("catalogs", "POST /imports", True),
        ("audit_log", "POST /orders", False),
        ("ActivityLogs", "POST /orders", False),
        ("changelog", "POST /orders", False),
        ("events", "POST /orders", False),
        ("events", "POST /events/{id}/publish", True),
        ("event_registrations", "POST /registrations", True),
        ("event_log", "POST /events", False),
        ("jobs", "POST /imports", False),
        ("job_queue_items", "POST /imports", False),
        ("jobs", "mutation closeJob", True),
        ("job_applications", "POST /jobs/{id}/apply", True),
        ("login_attempts", "POST /login", False),
        ("sessions", "POST /orders", False),
        ("course_sessions", "POST /course-sessions", True),
    ],
)
def test_tables_that_keep_records_are_told_from_what_the_api_manages(make, judge, table, operation, is_left):
    evaluation = run(make, 409, f"INSERT INTO {table} VALUES (1)")
    call = evaluation.test_case.calls[0]
    named = msgspec.structs.replace(call, operation=msgspec.structs.replace(call.operation, id=operation))
    found = judge(msgspec.structs.replace(evaluation, test_case=TestCase((named,))))
    assert [one.oracle for one in found if one.oracle == NAME] == [NAME] * is_left


@pytest.mark.parametrize(
    ("text", "is_left"),
    [
        ("UPDATE vouchers SET used = 1", True),
        ("UPDATE customers SET points = points - 5", True),
        ("UPDATE shows SET remaining = remaining - 1", True),
        ("UPDATE addresses SET postal_code = 'x', last_name = 'y'", True),
        ("UPDATE reset_tokens SET used = 1", False),
        ("UPDATE rate_limits SET points = points - 1", False),
        ("UPDATE users SET reset_token = NULL", False),
        ("UPDATE otp_codes SET remaining = remaining - 1", False),
        ("UPDATE users SET last_login = 1, lastSeenAt = 2, loginTries = 3", False),
        ("UPDATE countries SET entries = 3", True),
    ],
)
def test_what_a_column_counts_depends_on_its_table(make, judge, text, is_left):
    assert [one.oracle for one in judge(run(make, 409, text))] == [NAME] * is_left


def refused_mutation(*errors, graphql="mutation"):
    body = HttpInput(name="body", location="body", template=ConstantGene({}), media_type="application/json")
    sell = http_operation(id=f"{graphql} sell", method="POST", path="/graphql", inputs=(body,), graphql=graphql)
    response = HttpResponse(
        200, (("content-type", "application/json"),), json.dumps({"errors": errors, "data": None}).encode()
    )
    seen = http_observation(
        call_index=0, request=HttpRequest("POST", "/graphql", (), b"{}"), response=response, is_graphql=True,
        cause=Cause(file="/srv/app/s.js", line=9, message="GraphQLError: not enough"),
    )  # fmt: skip
    kept = DatabaseCommand(
        database="d", dialect="postgres", call=0, site="/srv/app/s.js:7", text="UPDATE stock SET n = n - 3", affected=1
    )
    call = Call(sell, (ConstantGene({}),))
    return Evaluation(test_case=TestCase((call,)), observations=(seen,), reached={}, interactions=(kept,))


def test_a_mutation_that_refuses_and_leaves_a_change_is_a_fault(judge):
    refused = {"message": "not enough", "path": ["sell"]}
    forbidden = {"message": "not yours", "path": ["sell"], "extensions": {"code": "FORBIDDEN"}}
    assert [one.oracle for one in judge(refused_mutation(forbidden))] == [NAME]
    (finding,) = judge(refused_mutation(refused))
    assert (finding.oracle, finding.title) == (NAME, "mutation sell answers errors and keeps a change")
    assert (finding.cause.file, finding.cause.line) == ("/srv/app/s.js", 7)


def test_what_a_mutation_keeps_is_no_fault_of_other_answers(judge):
    nested = {"message": "no author", "path": ["sell", "author"]}
    denied = {"message": "who are you", "path": ["sell"], "extensions": {"code": "UNAUTHENTICATED"}}
    broken = {"message": "Cannot return null for non-nullable field Mutation.sell.", "path": ["sell"]}
    for errors in ([nested], [denied], [broken], []):
        assert [one for one in judge(refused_mutation(*errors)) if one.oracle == NAME] == []


FOUND, LOOKED_UP, MISSED = ("HGETALL", 2, "cart:1"), ("HGET", 1, "item:1", "stock"), ("HGET", 0, "item:1", "stock")
TAKEN, TAKEN_BACK = ("HINCRBY", 3, "item:1", "stock", -1), ("HINCRBY", 4, "item:1", "stock", 1)


@pytest.mark.parametrize(
    ("commands", "is_left"),
    [
        ((FOUND, LOOKED_UP, TAKEN), True),
        ((LOOKED_UP, ("HSET", 0, "item:1", "stock", 4)), True),
        ((LOOKED_UP, ("HSET", 0, "item:1", {"stock": 4})), True),
        ((("SADD", 1, "buyers:1", "kim"),), True),
        ((("LPOP", 1, "seats:1"),), True),
        ((("DECR", 0, "stock:1"),), True),
        ((("SET", 1, "order:1", "{}"),), True),
        ((TAKEN, TAKEN_BACK), False),
        ((("SADD", 0, "buyers:1", "kim"),), False),  # it was there
        ((("HINCRBY", None, "item:1", "stock", -1),), False),  # queued
        ((MISSED, ("HSET", 1, "item:1", "stock", 4)), False),  # a copy
        ((("SET", 1, "order:1", "{}", "EX", 60),), False),
        ((("HSET", 1, "item:1", "stock", 4), ("EXPIRE", 1, "item:1", 60)), False),
        ((("HINCRBY", 1, "item:1", "attempts", 1),), False),
        ((("INCR", 1, "orders"),), False),
        ((("DECR", 1, "rate:kim"),), False),
        ((("SADD", 1, "lock:1", "kim"),), False),
        ((("DEL", 1, "item:1"),), False),  # it may be a copy
    ],
)
def test_keys_that_a_refused_call_has_changed_stay(make, judge, commands, is_left):
    evaluation = make.evaluation((make.operation("POST"), make.answer(409, {"error": "x"})))
    ran = tuple(
        DatabaseCommand(
            database="r", dialect="redis", call=0, site="/a.js:1", text=text, params=tuple(params), returned=n
        )
        for text, n, *params in commands
    )
    found = [one for one in judge(msgspec.structs.replace(evaluation, interactions=ran)) if one.oracle == NAME]
    assert bool(found) is is_left
    assert all(one.observed.endswith(" at /a.js:1") for one in found)
    row = DatabaseCommand(database="d", dialect="postgres", call=0, site="", text="SELECT 1", returned=1)
    assert not judge(msgspec.structs.replace(evaluation, interactions=(row, *ran)))  # keys may be copies of rows


def test_the_key_is_told(make, judge):
    evaluation = make.evaluation((make.operation("POST"), make.answer(409, {"error": "x"})))
    command = DatabaseCommand(
        database="r", dialect="redis", call=0, site="", text="HINCRBY", params=("item:1", "stock", -1), returned=3
    )
    (finding,) = judge(msgspec.structs.replace(evaluation, interactions=(command,)))
    assert "kept an earlier change of the call: HINCRBY item:1" in finding.observed
