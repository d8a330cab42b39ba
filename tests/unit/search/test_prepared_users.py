"""Users who have to do something before an operation lets them in: choose a plan, accept the terms."""

import json
from random import Random

import pytest
from fake_sut import FakeSut, operation, searched
from proposed import proposed_after

from wimble.genes import AnyGene, ObjectGene, StringGene
from wimble.http.entrances import with_entrances
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.database import TableName
from wimble.model.evaluation import Evaluation
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.model.testcase import Call, TestCase
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.search.access.preparations import Preparations, refusal_of, with_step
from wimble.search.generators.edits.entry_edits import EntryEdits
from wimble.search.generators.entrance.prepared_users import LEAST_REFUSALS, PreparedUsers
from wimble.search.resources.references import iter_references
from wimble.search.resources.resources import Resources
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings

LOGIN = ObjectGene((("email", StringGene()), ("password", StringGene())))
API = with_entrances(
    [
        operation("POST", "/register", LOGIN),
        operation("POST", "/login", LOGIN),
        operation("PUT", "/me/plan", ObjectGene((("plan", StringGene()),))),
        operation("POST", "/me/terms", ObjectGene((("accepted", AnyGene(True)),))),
        operation("POST", "/notes", ObjectGene((("text", StringGene()),))),
        operation("GET", "/stats"),
        operation("GET", "/exports"),
    ]
)
BY_ID = {one.id: one for one in API}
LINES = {"GET /stats": 100, "GET /exports": 101}


def entered(operation_id, body, users):
    if operation_id == "POST /register":
        if "@" not in body["email"] or len(body["password"]) < 8:
            return 400, {"error": "an e-mail address, and a password of 8 letters"}
        users[body["email"]] = {"password": body["password"]}
        return 201, {"email": body["email"]}
    if users.get(body["email"], {}).get("password") != body["password"]:
        return 401, {"error": "wrong"}
    return 200, {"token": f"tok-{body['email']}"}


def program(operation_id, values, probe, state):
    """A server whose reports ask for a plan, and one of them for the terms as well."""
    users, body = state.setdefault("users", {}), values.get("body") or {}
    if operation_id in ("POST /register", "POST /login"):
        return entered(operation_id, body, users)
    carried = (values.get("credentials") or {}).get("header Authorization", "")
    user = users.get(carried.removeprefix("Bearer tok-"))
    if user is None:
        return 401, {"error": "no token"}
    if operation_id in LINES:
        if not probe.equals(1, user.get("plan", ""), "gold"):
            return 402, {"error": "upgrade your plan"}
        if operation_id == "GET /exports" and not user.get("terms"):
            return 409, {"error": "accept the terms first"}
        probe.line(LINES[operation_id])
        return 200, {}
    if operation_id == "PUT /me/plan":
        user["plan"] = body["plan"]
    elif operation_id == "POST /me/terms":
        user["terms"] = True
    return 200, {"ok": True}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_the_guards_ask_for_is_done_first_by_the_same_user(seed):
    sut = FakeSut(program, with_hints=True)
    search, _ = searched(sut, API, seed=seed, evaluations=500)
    for name, line in LINES.items():
        assert search.archive.is_covered(sut.target("line", line)), name
    starts = [search.sampler.access.preparations.begun(BY_ID["GET /exports"], lambda one: ()) for _ in range(20)]
    called = {tuple(call.operation.id for call in start.calls) for start in starts if start is not None}
    assert len(called) == 1
    assert {"POST /register", "POST /login", "PUT /me/plan", "POST /me/terms"} == set(*called)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_leads_two_operations_to_another_refusal_is_not_tried_on_both_without_end(seed):
    sent: list[str] = []

    def closed(operation_id, values, probe, state):
        """A server that refuses reports in other words once the user has chosen a plan."""
        if operation_id not in LINES:
            return program(operation_id, values, probe, state)
        carried = (values.get("credentials") or {}).get("header Authorization", "")
        user = state.setdefault("users", {}).get(carried.removeprefix("Bearer tok-"))
        if user is None:
            return 401, {"error": "no token"}
        sent.extend(["prepared"] if "plan" in user else [])
        return (400, {"error": "no such report"}) if "plan" in user else (402, {"error": "upgrade your plan"})

    searched(FakeSut(closed, with_hints=True), API, seed=seed, evaluations=500)
    assert 2 <= len(sent) < 150


NOTES = with_entrances(
    [
        operation("POST", "/register", LOGIN),
        operation("POST", "/login", LOGIN),
        operation("POST", "/notes", ObjectGene((("text", StringGene()),))),
        operation("DELETE", "/notes/{id}", id=StringGene()),
        operation("PUT", "/notes/{id}/audit", id=StringGene()),
    ]
)


def notebook(operation_id, values, probe, state):
    """A server on which nobody may audit a note."""
    users, notes, body = state.setdefault("users", {}), state.setdefault("notes", set()), values.get("body") or {}
    if operation_id in ("POST /register", "POST /login"):
        return entered(operation_id, body, users)
    carried = (values.get("credentials") or {}).get("header Authorization", "")
    if carried.removeprefix("Bearer tok-") not in users:
        return 401, {"error": "no token"}
    if operation_id == "POST /notes":
        notes.add(f"n{len(notes)}")
        return 201, {"id": f"n{len(notes) - 1}"}
    if values["id"] not in notes:
        return 404, {"error": "no such note"}
    if operation_id == "DELETE /notes/{id}":
        notes.remove(values["id"])
        return 204, None
    return 403, {"error": "auditors only"}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_thing_that_is_removed_lets_nobody_in_further(seed):
    search, _ = searched(FakeSut(notebook, with_hints=True), NOTES, seed=seed, evaluations=500)
    starts = [search.sampler.access.preparations.begun(NOTES[-1], lambda one: ()) for _ in range(20)]
    assert starts == [None] * 20


def test_what_makes_a_thing_may_only_be_done_by_a_prepared_user():
    rng = Random(1)
    preparations = Preparations(rng)
    accepted = TestCase(
        (Call(BY_ID["POST /me/terms"], (ObjectGene(()),)), Call(BY_ID["POST /notes"], (ObjectGene(()),)))
    )
    preparations.note(BY_ID["POST /notes"].id, accepted, 0)

    def n_begun(operation, *producers):
        starts = [preparations.begun(operation, lambda one: producers) for _ in range(40)]
        return sum(one is not None and one.calls[0].operation.id == "POST /me/terms" for one in starts)

    assert n_begun(BY_ID["POST /notes"]) > 28
    assert 8 < n_begun(BY_ID["GET /stats"], BY_ID["POST /login"], BY_ID["POST /notes"]) < 32
    assert n_begun(BY_ID["GET /stats"], BY_ID["POST /login"]) == 0


def observation(status: int, body: object):
    return http_observation(0, HttpRequest("GET", "/"), HttpResponse(status, (), json.dumps(body).encode()))


def test_refusals_of_one_guard_are_alike_whomever_they_name():
    first = refusal_of(observation(402, {"error": "ann@example.com has to upgrade", "id": "a1b2c"}))
    second = refusal_of(observation(402, {"error": "bob@example.com has to upgrade", "id": "d3e4f"}))
    assert first == second
    assert {"has", "upgrade"} <= first.words
    assert first != refusal_of(observation(402, {"error": "verify your address"}))
    assert first != refusal_of(observation(403, {"error": "ann@example.com has to upgrade", "id": "a1b2c"}))


def test_refusals_of_one_guard_are_alike_whatever_is_refused():
    first, second = (
        refusal_of(observation(403, {"error": "staff only", "path": path, "method": "GET"}))
        for path in ("/halls", "/films")
    )
    assert first == second
    first, second = (
        refusal_of(
            http_observation(
                0,
                HttpRequest("POST", "/graphql"),
                HttpResponse(
                    200, (), json.dumps({"errors": [{"message": "Staff only", "path": [field]}], "data": None}).encode()
                ),
                is_graphql=True,
            )
        )
        for field in ("addHall", "removeFilm")
    )
    assert first == second
    assert first.words == {"staff", "only"}


@pytest.mark.parametrize(
    ("status", "said", "expected"),
    [
        *[(402, "", True), (409, "accept the terms", True), (403, "verify", True), (403, "csrf token", False)],
        *[(401, "", False), (400, "plan", False), (404, "", False)],
    ],
)
def test_the_status_tells_whether_a_state_does_not_allow_the_call(status, said, expected):
    assert observation(status, {"error": said}).exchange.blames_state() is expected


def sampled(name: str) -> Call:
    return Call(BY_ID[name], tuple(given.template.sampled(Random(1)) for given in BY_ID[name].inputs))


def test_what_both_test_cases_begin_with_is_called_once():
    refused = TestCase((sampled("POST /register"), sampled("POST /login"), sampled("GET /stats")))
    act = TestCase((sampled("POST /register"), sampled("POST /login"), sampled("POST /notes"), sampled("PUT /me/plan")))
    made, at = with_step(refused, act, Resources(API))
    called = [call.operation.id for call in made.calls]
    assert called == ["POST /register", "POST /login", "POST /notes", "PUT /me/plan", "GET /stats"]
    assert called[at] == "PUT /me/plan"
    assert not list(iter_references(made))


SHOW = ObjectGene((("showId", StringGene()),))
SHOWS = with_entrances(
    [
        operation("POST", "/register", LOGIN),
        operation("POST", "/login", LOGIN),
        operation("POST", "/tickets", SHOW),
        operation("POST", "/reviews", SHOW),
        operation("POST", "/notes", ObjectGene((("text", StringGene()),))),
    ]
)
REGISTER, LOG_IN, BOOK, REVIEW, NOTE = (Call(one, tuple(given.template for given in one.inputs)) for one in SHOWS)


def of_show(call: Call, show: str) -> Call:
    return Call(call.operation, (ObjectGene((("showId", StringGene(show)),)), *call.genes[1:]))


def test_an_act_is_on_the_thing_that_the_refused_call_names():
    refused = TestCase((REGISTER, LOG_IN, of_show(REVIEW, "s7")))
    made, at = with_step(refused, TestCase((LOG_IN, of_show(BOOK, "s1"))), Resources(SHOWS))
    assert made.calls[at].operation is BOOK.operation
    assert made.calls[at].genes[0].phenotype() == {"showId": "s7"}


def test_an_act_that_has_succeeded_with_rows_of_a_test_is_tried_with_them_before_calls_on_the_same_thing():
    row = InsertRow(database="d", dialect="sqlite", table=TableName("shows"), columns=(), genes=())

    def seen(last: Call, status: int, *setup: InsertRow) -> Evaluation:
        observations = tuple(
            http_observation(index, HttpRequest("POST", "/"), HttpResponse(one, (), b'{"error": "guests only"}'))
            for index, one in enumerate((201, 200, status))
        )
        return Evaluation(test_case=TestCase((REGISTER, LOG_IN, last), setup), observations=observations, reached={})

    def tried(act: Call) -> list[TestCase]:
        generator = PreparedUsers(Sampler(SHOWS, Settings(), Random(1)), EntryEdits(Random(1), JAVASCRIPT), 10)
        refusals = [seen(of_show(REVIEW, "s7"), 403)] * LEAST_REFUSALS
        return proposed_after(generator, [seen(act, 201, row), *refusals])

    (made,) = tried(of_show(BOOK, "s1"))
    called = [call.operation.id for call in made.calls]
    assert called == ["POST /register", "POST /login", "POST /tickets", "POST /reviews"]
    assert made.calls[-1].genes[0].phenotype() == {"showId": "s1"}
    assert made.setup == (row,)
    assert tried(NOTE) == []


TICKETS = with_entrances(
    [
        operation("POST", "/register", ObjectGene((*LOGIN.fields, ("role", StringGene("guest"))))),
        operation("POST", "/login", LOGIN),
        operation("POST", "/tickets", ObjectGene((("text", StringGene()),))),
        operation("POST", "/tickets/{id}/approve", id=StringGene()),
        operation("POST", "/tickets/{id}/reject", id=StringGene()),
        operation("POST", "/tickets/{id}/close", id=StringGene()),
    ]
)
MAY = {"approve": ("approver", "lead"), "reject": ("approver", "lead"), "close": ("clerk", "lead"), "tickets": ()}


def desk(operation_id, values, probe, state):
    """A server on which only a lead may do both: approve a ticket, and close an approved one."""
    users, tickets = state.setdefault("users", {}), state.setdefault("tickets", {})
    body = values.get("body") or {}
    if operation_id in ("POST /register", "POST /login"):
        status, answer = entered(operation_id, body, users)
        if status == 201:
            users[body["email"]]["role"] = body.get("role")
        return status, answer
    user = users.get((values.get("credentials") or {}).get("header Authorization", "").removeprefix("Bearer tok-"))
    if user is None:
        return 401, {"error": "no token"}
    action = operation_id.rpartition("/")[2]
    if MAY[action] and not any(probe.equals(7, user["role"], role) for role in MAY[action]):
        return 403, {"error": f"only for {' and '.join(MAY[action])}"}
    if action == "tickets":
        tickets[f"t{len(tickets)}"] = "open"
        return 201, {"id": f"t{len(tickets) - 1}"}
    if tickets.get(values["id"]) != ("approved" if action == "close" else "open"):
        return (409, {"error": "not now"}) if values["id"] in tickets else (404, {"error": "no such ticket"})
    tickets[values["id"]] = {"approve": "approved", "reject": "rejected", "close": "closed"}[action]
    probe.line({"approve": 110, "reject": 111, "close": 112}[action])
    return 200, {"ok": True}


@pytest.mark.parametrize("seed", [2, 3, 4])
def test_a_user_who_may_do_the_act_and_not_what_follows_gets_what_the_guard_compares(seed):
    sut = FakeSut(desk, with_hints=True)
    search, _ = searched(sut, TICKETS, seed=seed, evaluations=1200)
    for line in (110, 111, 112):
        assert search.archive.is_covered(sut.target("line", line)), line
