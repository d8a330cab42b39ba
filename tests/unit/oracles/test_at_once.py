"""Two calls at once, compared with two calls in turn."""

import json

import msgspec
import pytest

from wimble.http.binding import http_operation
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import Call, TestCase
from wimble.oracles.databases.at_once import InTurn, Race, differs, finding_of, race_of
from wimble.types import OperationId

POST = http_operation(id=OperationId("POST /bookings"), method="POST", path="/bookings")
DELETE = http_operation(id=OperationId("DELETE /bookings/1"), method="DELETE", path="/bookings/1")
GET = http_operation(id=OperationId("GET /stock"), method="GET", path="/stock")


def evaluation(*answers, at_once=False, operation=POST, n_calls=2, commands=(), is_graphql=False) -> Evaluation:
    """Answers of the calls of an operation, then of reads: status, or (status, body); None for a lost connection."""
    observations = []
    for index, answer in enumerate(answers):
        status, body = answer if isinstance(answer, tuple) else (answer, {})
        response = HttpResponse(
            status=status or 0, headers=(("content-type", "application/json"),), body=json.dumps(body).encode()
        )
        request = HttpRequest("POST" if index < n_calls else "GET", "/bookings")
        observations.append(
            http_observation(index, request, failure="connection-lost")
            if status is None
            else http_observation(index, request, response, is_graphql=is_graphql)
        )
    calls = tuple(Call(operation if index < n_calls else GET, ()) for index in range(len(answers)))
    return Evaluation(
        test_case=TestCase(calls, (), 0 if at_once else None),
        observations=tuple(observations),
        reached={},
        interactions=commands,
    )


def race(pair, turns, **options):
    return race_of(evaluation(*pair, at_once=True, **options), InTurn(evaluation(*turns, **options)))


@pytest.mark.parametrize("refusal", [400, 404, 409, 410, 422])
def test_both_succeed_although_the_second_would_be_refused(refusal):
    assert race((201, 201), (201, refusal)) == Race("both-succeed")


@pytest.mark.parametrize(
    ("pair", "turns"),
    [
        ((201, 409), (201, 409)),
        ((409, 201), (201, 409)),
        ((201, 409), (201, 201)),  # one of them has to wait
        ((201, 201), (201, 201)),
        ((201, 201), (201, 401)),  # about who asks
        ((201, 201), (201, 429)),
        ((201, 500), (201, 500)),  # fails in turn, too
        ((201, 201), (409, 409)),  # shows nothing
    ],
)
def test_results_that_are_no_race(pair, turns):
    assert race(pair, turns) is None


def test_to_remove_twice_does_no_harm():
    assert race((204, 204), (204, 404), operation=DELETE) is None
    assert race((204, 500), (204, 404), operation=DELETE) == Race("fails")


@pytest.mark.parametrize("pair", [(201, 500), (503, 201), (201, None)])
def test_one_fails_only_if_they_come_at_once(pair):
    assert race(pair, (201, 409)) == Race("fails")


def read(value) -> tuple[int, object]:
    return 200, value


def test_a_number_that_grows_by_one_call_only_is_a_lost_update():
    in_turn = InTurn(
        evaluation(200, 200, read({"n": 7, "stock": 48})),
        evaluation(200, read({"n": 7, "stock": 49}), n_calls=1),
        evaluation(read({"n": 7, "stock": 50}), n_calls=0),
    )
    lost = evaluation(200, 200, read({"n": 7, "stock": 49}), at_once=True)
    assert differs(lost, in_turn.two)
    assert race_of(lost, in_turn) == Race("lost-update", "$.stock is 49 instead of 48", 0)
    kept = evaluation(200, 200, read({"n": 7, "stock": 48}), at_once=True)
    assert not differs(kept, in_turn.two)
    assert race_of(kept, in_turn) is None


def test_lists_count_with_their_length():
    in_turn = InTurn(
        evaluation(200, 200, 404, read([{"a": 1}, {"a": 1}])),
        evaluation(200, 404, read([{"a": 1}]), n_calls=1),
        evaluation(404, read([]), n_calls=0),
    )
    lost = evaluation(200, 200, 404, read([{"a": 1}]), at_once=True)
    assert race_of(lost, in_turn) == Race("lost-update", "the length of $ is 1 instead of 2", 1)


def test_an_operation_of_graphql_is_refused_by_its_errors():
    sold_out = {"message": "sold out", "path": ["book"], "extensions": {"code": "CONFLICT"}}
    booked = [(200, {"data": {"book": {"id": number}}}) for number in (1, 2)]
    at_once = evaluation(*booked, at_once=True, is_graphql=True)
    in_turn = evaluation(booked[0], (200, {"errors": [sold_out], "data": None}), is_graphql=True)
    shown = race_of(at_once, InTurn(in_turn))
    assert shown == Race("both-succeed")
    assert finding_of(shown, at_once, in_turn, n_shown=4, n_runs=4).title == (
        "POST /bookings answers data twice to two calls at once, and errors to the second of two in turn"
    )


def test_numbers_that_do_not_grow_by_steps_show_nothing():
    in_turn = InTurn(
        evaluation(200, 200, read({"code": 9_412})),
        evaluation(200, read({"code": 5_107}), n_calls=1),
        evaluation(read({"code": 311}), n_calls=0),
    )
    assert race_of(evaluation(200, 200, read({"code": 5_107}), at_once=True), in_turn) is None


def test_the_finding_shows_answers_rows_and_the_place_of_the_write():
    insert = {"database": "db", "dialect": "postgres", "text": "INSERT INTO bookings (seat) VALUES ($1)", "affected": 1}
    commands = tuple(
        DatabaseCommand(call=call, params=("A1",), site="/app/src/bookings.js:12", **insert) for call in (0, 1)
    )
    at_once = evaluation((201, {"id": 1}), (201, {"id": 2}), at_once=True, commands=commands)
    in_turn = evaluation((201, {"id": 1}), (409, {"error": "taken"}))
    finding = finding_of(Race("both-succeed"), at_once, in_turn, n_shown=9, n_runs=10)
    assert (
        finding.title == "POST /bookings answers 201 twice to two calls at once, and 409 to the second of two in turn"
    )
    assert finding.observed == (
        'in 9 of 10 runs of two calls at once: 201 {"id": 1} and 201 {"id": 2}; the database kept INSERT INTO bookings '
        "(seat) VALUES ($1) ['A1'], INSERT INTO bookings (seat) VALUES ($1) ['A1'] at /app/src/bookings.js:12"
    )
    assert finding.expected == 'the result of one call after the other: 201 {"id": 1} and 409 {"error": "taken"}'
    assert (finding.cause.file, finding.cause.line, finding.call_index) == ("/app/src/bookings.js", 12, 1)


INSERT = DatabaseCommand(
    database="d", dialect="postgres", call=0, site="/app/a.js:3", text="INSERT INTO bookings VALUES (1)", affected=1
)
UPDATE = msgspec.structs.replace(INSERT, text="UPDATE jobs SET state = 'open'")
IDLE = msgspec.structs.replace(UPDATE, call=1, affected=0)


@pytest.mark.parametrize(
    ("bodies", "seen", "commands", "is_race"),
    [
        (({"state": "open"}, {"state": "open"}), 1, (), False),  # published twice is published
        (({"id": 1}, {"id": 2}), 1, (), True),
        (({"ok": True}, {"ok": True}), 2, (), True),  # what is read shows both
        (({"ok": True}, {"ok": True}), 1, (INSERT, msgspec.structs.replace(INSERT, call=1)), True),
        (({"ok": True}, {"ok": True}), 1, (UPDATE, msgspec.structs.replace(UPDATE, call=1)), False),
        (({"moved": 1}, {"moved": 0}), 1, (UPDATE, IDLE), False),  # the second one had nothing left to do
        (({"moved": 1}, {"moved": 1}), 1, (UPDATE, IDLE), False),
        (({"moved": 1}, {"moved": 0}), 1, (msgspec.structs.replace(UPDATE, call=1), IDLE), False),
        (({"agent": 1}, {"agent": 2}), 1, (UPDATE, msgspec.structs.replace(UPDATE, call=1)), True),
        # Which of the two has sent a command is not always known.
        (({"ok": True}, {"ok": True}), 1, (msgspec.structs.replace(INSERT, call=1),) * 2, True),
    ],
)
def test_both_succeed_but_leave_what_one_of_them_leaves(bodies, seen, commands, is_race):
    stock = [(200, {"n": number}) for number in (1, seen)]
    pair = evaluation((200, bodies[0]), (200, bodies[1]), stock[1], at_once=True, commands=commands)
    turns = evaluation((200, bodies[0]), 409, stock[0])
    one = evaluation(
        (200, bodies[0]), stock[0], n_calls=1, commands=tuple(msgspec.structs.replace(c, call=0) for c in commands[:1])
    )
    assert (race_of(pair, InTurn(turns, one)) is not None) is is_race


def test_what_both_say_they_have_made_was_made_twice():
    pair = evaluation((201, {"ok": True}), (201, {"ok": True}), (200, {"n": 1}), at_once=True)
    turns = evaluation((201, {"ok": True}), 409, (200, {"n": 1}))
    one = evaluation((201, {"ok": True}), (200, {"n": 1}), n_calls=1)
    assert race_of(pair, InTurn(turns, one)) == Race("both-succeed")


def updates(*written, text="UPDATE sailings SET seats_left = $1 WHERE id = $2", others=(7,), call=None):
    """A command for each of the two calls: with that number and the others as parameters."""
    return tuple(
        DatabaseCommand(
            database="main", dialect="postgres", call=index if call is None else call, site=f"/app/b.js:{9 + index}",
            text=text, params=(number, *others), affected=1,
        )
        for index, number in enumerate(written)
    )  # fmt: skip


def lost(at_once, in_turn):
    seen = evaluation(201, 201, at_once=True, commands=at_once)
    return race_of(seen, InTurn(evaluation(201, 201, commands=in_turn)))


def test_an_update_that_both_calls_have_computed_from_one_number_is_a_lost_one():
    found = lost(updates(36, 36), updates(36, 32))
    assert found == Race("lost-update", "updates of sailings write 36 twice instead of 36 and 32", None)
    assert lost(updates(36, 36, call=1), updates(36, 32)) == found, "drivers that share connections"
    assert lost(updates("36.00", "36.00"), updates("36.00", "32.50")) is not None
    seen = evaluation(201, 201, at_once=True, commands=updates(36, 36))
    told = finding_of(found, seen, evaluation(201, 201, commands=updates(36, 32)), n_shown=4, n_runs=4)
    assert (told.cause.line, told.call_index) == (10, 1)
    assert told.title.startswith("POST /bookings loses one of two calls at once: updates of sailings write 36 twice")


def test_numbers_may_stand_in_the_command():
    four, five = (updates(0, text=f"UPDATE a SET n = {number} WHERE id = 1") for number in (4, 5))
    assert lost(four + four, four + five) is not None


@pytest.mark.parametrize(
    ("at_once", "in_turn"),
    [
        (updates(36, 32), updates(36, 32)),  # one has waited
        (updates(4, 4), updates(4, 4)),  # computed by the database, or what the caller has sent
        (updates(36), updates(36, 32)),  # the second has changed nothing
        (updates(36, 36), updates(35, 32)),
        (updates(1_900_000_000, 1_900_000_000), updates(1_900_000_000, 1_900_000_001)),
        (updates(1, 1, others=("2031-01-01",)), updates(1, 2, others=("2031-01-02",))),
    ],
)
def test_other_updates_lose_nothing(at_once, in_turn):
    assert lost(at_once, in_turn) is None
