"""Findings of different kinds that one change mends."""

import msgspec
import pytest
from msgspec.structs import replace

from wimble.engine.faults.fault_merging import merged
from wimble.engine.faults.same_mend.request_members import missing_member
from wimble.engine.faults.same_mend.wrong_types import called_member
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Finding
from wimble.model.observation import Cause, Mistake
from wimble.model.result import ReportedFinding

USER = "TypeError: Cannot read properties of undefined (reading 'id')"
MISTAKE = Mistake("/p/app.js", 62, 'a Promise was used as a value (asked for its "name"): `await` is missing')


def reported(number, oracle, line, *, message="", operation="GET /a", mistakes=(), title="t"):
    cause = Cause(file="/p/app.js", line=line, message=message, mistakes=mistakes)
    finding = Finding(
        oracle=oracle, key=(oracle, str(line), message), operation=operation, status=500, title=title, observed="o",
        expected="e", cause=cause, call_index=0,
    )  # fmt: skip
    seen = http_observation(0, HttpRequest("GET", "/a"), HttpResponse(200, (), b"{}"), cause=cause)
    return ReportedFinding(id=f"F{number}", finding=finding, observations=(seen,), curl=())


@pytest.mark.parametrize(
    ("oracle", "message", "is_part"),
    [
        ("sql-injection", 'error: syntax error at or near ","', True),
        ("sql-injection", "error: ORDER BY position 77 is not in select list", True),
        ("sql-injection", "SqliteError: 1st ORDER BY term out of range - should be between 1 and 4", True),
        ("sql-injection", "error: non-integer constant in ORDER BY", True),
        ("sql-injection", "Error: Unknown column 'a1b2c' in 'VALUES'", True),
        ("sql-injection", "TypeError: rows is not iterable", False),
        ("nosql-injection", "Error: ERR value is not an integer or out of range", True),
        ("nosql-injection", "Error: Can't use hujdr with String.", True),
        ("nosql-injection", 'CastError: Cast to string failed for value "{ a: 1 }" (type Object)', True),
        ("nosql-injection", "TypeError: rows is not iterable", False),
        ("code-injection", "SyntaxError: Unexpected identifier 'Object'", True),
        ("code-injection", "Error: no such book", False),
    ],
)
def test_what_a_database_does_not_understand_at_an_injection_is_part_of_it(oracle, message, is_part):
    for failure in ("server-error", "graphql-error"):
        joined = merged([reported(1, failure, 7, message=message), reported(2, oracle, 7)])
        assert [one.id for one in joined] == (["F2"] if is_part else ["F1", "F2"])
    apart = merged([reported(1, "server-error", 8, message=message), reported(2, oracle, 7)])
    assert len(apart) == 2


def test_a_name_that_another_input_has_sent_is_no_part_of_an_injection():
    injection = reported(2, "sql-injection", 7)
    injection = replace(injection, finding=replace(injection.finding, key=("sql-injection", "name", "books", "where")))

    def refused(target):
        one = reported(1, "server-error", 7, message='error: column "kx3" does not exist')
        return replace(one, observations=(http_observation(0, HttpRequest("GET", target), HttpResponse(500, (), b"")),))

    assert len(merged([refused("/books?sort=kx3"), injection])) == 2
    assert len(merged([refused("/books?name=kx3"), injection])) == 1


FK = 'error: update or delete on table "staff" violates foreign key constraint "{}_staff_id" on table "{}"'


def test_a_row_that_others_refer_to_is_one_fault_of_its_statement_unless_a_check_of_them_is_not_awaited(tmp_path):
    app = tmp_path / "app.js"
    app.write_text("const reports = find(id);\nif (reports.length > 0) throw refuse();\nawait remove(id);\n")

    def at(number, oracle, line, table=""):
        one = reported(number, oracle, line, message=FK.format(table, table) if table else "")
        cause = replace(one.finding.cause, file=str(app))
        return replace(one, finding=replace(one.finding, cause=cause, key=(oracle, str(line), table)))

    leaves, reports, promise = (
        at(1, "server-error", 3, "leaves"),
        at(2, "server-error", 3, "reports"),
        at(3, "missing-await", 2),
    )
    assert [one.id for one in merged([leaves, reports])] == ["F1"]
    assert [one.id for one in merged([leaves, reports, promise])] == ["F1", "F3"]
    assert [one.id for one in merged([leaves, promise])] == ["F1", "F3"]
    assert [one.id for one in merged([reports, promise])] == ["F3"]


@pytest.mark.parametrize(
    ("test", "n_faults"),
    [
        ("if (!allowed) throw refuse();", 1),
        ("if (!mayRead(order.ref, user(request).id)) throw refuse();", 2),
        ("if (!order) throw refuse();", 2),
    ],
)
def test_what_fails_after_a_promise_is_part_of_it_if_the_promise_is_what_is_tested(tmp_path, test, n_faults):
    app = tmp_path / "app.js"
    app.write_text(f"const order = await find(ref);\nconst allowed = mayRead(ref);\n{test}\nreturn order.car.plate;\n")

    def at(number, oracle, line, message=""):
        one = reported(number, oracle, line, message=message)
        return replace(one, finding=replace(one.finding, cause=replace(one.finding.cause, file=str(app))))

    failure = at(1, "server-error", 4, "TypeError: Cannot read properties of undefined (reading 'plate')")
    assert len(merged([failure, at(2, "missing-await", 3)])) == n_faults


def test_what_is_no_name_of_a_column_is_one_fault_of_its_statement():
    unknown = reported(1, "server-error", 9, message='error: select books - column "ivhao" does not exist')
    empty = 'error: select books - zero-length delimited identifier at or near """"'
    (one,) = merged([unknown, reported(2, "server-error", 9, message=empty)])
    assert (one.id, one.times_seen) == ("F1", 2)
    assert len(merged([unknown, reported(2, "server-error", 10, message=empty)])) == 2
    other = 'error: select books - invalid input syntax for type integer: "x"'
    assert len(merged([unknown, reported(2, "server-error", 9, message=other)])) == 2


def test_a_promise_that_nobody_awaits_is_told_once_at_its_line():
    crash = reported(1, "process-died", 22, message="NotFoundException: no such patient")
    answer = reported(2, "response-schema", 62, mistakes=(MISTAKE,), title=f"GET /a breaks; {MISTAKE.text}")
    (one,) = merged([crash, answer])
    assert (one.id, one.finding.cause.line, one.times_seen) == ("F1", 62, 2)
    assert one.finding.title.endswith("`await` is missing")
    elsewhere = reported(3, "response-schema", 62, operation="GET /b", mistakes=(MISTAKE,), title=MISTAKE.text)
    assert len(merged([reported(1, "process-died", 22), elsewhere])) == 2


def with_calls(one, *calls, body=None):
    """body: of the last call."""
    last = len(calls) - 1
    observations = tuple(
        http_observation(
            index, HttpRequest(*call.split(), (), body if index == last else None), HttpResponse(200, (), b"{}")
        )
        for index, call in enumerate(calls)
    )
    return replace(one, observations=observations, finding=replace(one.finding, call_index=last))


def test_a_failure_that_needs_what_a_cache_keeps_is_one_with_the_stale_answer():
    read, remove = "GET /tools/3", "DELETE /tools/3"
    stale = with_calls(reported(2, "stale-answer", 9, title="GET answers the old"), read, remove, read)
    failure = with_calls(reported(1, "process-died", 17), read, remove, "POST /rentals")
    (one,) = merged([failure, stale])
    assert (one.id, one.finding.title) == ("F1", "t; GET answers the old")
    unrelated = with_calls(reported(1, "process-died", 17), remove, "POST /rentals")
    assert len(merged([unrelated, stale])) == 2


@pytest.mark.parametrize(
    ("body", "message", "is_repeated", "n_faults"),
    [
        (b'{"toolId": 12}', "TypeError: Cannot read properties of undefined (reading 'rented')", False, 1),
        (b'{"toolId": 12}', "TypeError: Cannot read properties of undefined (reading 'rented')", True, 2),
        (b'{"toolId": 12}', "Error: timeout", False, 2),
        (b'{"customerId": 5}', "TypeError: Cannot read properties of undefined (reading 'rented')", False, 2),
    ],
)
def test_a_failure_of_what_a_cache_keeps_is_one_with_the_stale_answer_if_earlier_calls_are_not_known(
    body, message, is_repeated, n_faults
):
    read = "GET /tools/3"
    stale = with_calls(reported(2, "stale-answer", 9, title="GET answers the old"), read, "DELETE /tools/3", read)
    died = reported(1, "process-died", 17, message=message)
    failure = with_calls(replace(died, is_repeated=is_repeated), "POST /rentals", body=body)
    assert len(merged([failure, stale])) == n_faults


def graphql_crash(number, thrown, line, answered="Cannot return null for non-nullable field Query.films."):
    crash = reported(number, "process-died", line, message=f"GraphQLError: {thrown}", operation="query films")
    return replace(crash, observations=(graphql_answer(answered),))


def graphql_answer(message, path=("films", 1)):
    body = msgspec.json.encode({"errors": [{"message": message, "path": path}], "data": None})
    return http_observation(0, HttpRequest("POST", "/graphql"), HttpResponse(200, (), body))


def failed_answer(**more):
    null = reported(4, "graphql-error", 14, operation="query films")
    return replace(
        null,
        finding=replace(null.finding, observed="Cannot return null for non-nullable field Query.films."),
        observations=(graphql_answer("Cannot return null for non-nullable field Query.films.", ("films", 7)),),
        **more,
    )


def test_fields_that_reject_after_the_answer_has_failed_are_one_with_what_failed():
    null = failed_answer()
    joined = merged([graphql_crash(1, "no seats", 62), graphql_crash(2, "no director", 48), null])
    assert [(one.id, one.finding.cause.line, one.times_seen) for one in joined] == [("F1", 14, 3)]
    assert joined[0].finding.title == (
        "t; nothing waits for it, since the answer had failed: Cannot return null for non-nullable field Query.films."
    )


def test_a_failed_answer_that_showed_again_stands_for_crashes_that_did_not():
    null = failed_answer(is_repeated=True)
    (one,) = merged([graphql_crash(1, "no seats", 62), null])
    assert (one.id, one.times_seen) == ("F4", 2)
    assert one.finding.title.endswith("have ended the process")


def test_a_rejection_that_other_answers_show_is_one_with_them_if_what_failed_before_is_no_fault():
    message = "Cannot return null for non-nullable field Pledge.backer."
    crash = graphql_crash(1, message, 52, answered="Cannot return null for non-nullable field Campaign.goal.")
    left = replace(crash, finding=replace(crash.finding, oracle="unhandled"))
    null = reported(4, "graphql-error", 14, operation="query films")
    null = replace(null, finding=replace(null.finding, observed=message))
    assert [one.id for one in merged([left, null])] == ["F4"]
    assert len(merged([crash, null])) == 2, "the end of a process is more than an answer"


def test_what_failed_before_a_crash_is_known_from_other_operations_that_show_the_field():
    message = "Cannot read properties of null (reading 'toUpperCase')"

    def failed_at(*path):
        known = reported(9, "graphql-error", 52, message=f"TypeError: {message}", operation="mutation addFilm")
        told = replace(known.finding, observed=f"status 200 with an error from a resolver: {message}")
        return replace(known, finding=told, observations=(graphql_answer(message, path),))

    crash = graphql_crash(1, "no seats", 62)
    crash = replace(crash, observations=(graphql_answer(message, ("films", 3, "country")),))
    (one,) = merged([crash, failed_at("addFilm", "country")])
    assert (one.id, one.finding.cause.line, one.times_seen) == ("F1", 52, 2)
    assert len(merged([crash, failed_at("addFilm", "title")])) == 2


def test_a_crash_is_one_with_answers_that_show_its_error_for_the_same_field_alone():
    """Each element of a list loads its director: one error is answered, and another ends the process."""

    def error(field, message):
        one = reported(4, "graphql-error", 48, message=f"TypeError: {message}", operation="mutation addFilm")
        told = replace(one.finding, observed=f"status 200 with an error from a resolver: {message}")
        return replace(one, finding=told, observations=(graphql_answer(message, ("addFilm", field)),))

    crash = graphql_crash(1, "no director 7", 7)
    crash = replace(crash, observations=(graphql_answer("no director 7", ("films", 3, "director")),))
    (one,) = merged([crash, error("director", "no director 12")])
    assert (one.id, one.finding.cause.line, one.times_seen) == ("F1", 48, 2)
    assert len(merged([crash, error("title", "no director 7")])) == 2
    assert len(merged([crash, error("director", "no such film")])) == 2


def test_a_field_that_rejects_by_itself_is_a_fault_of_its_own():
    other = graphql_crash(2, "no director", 48, answered="no such film")
    assert len(merged([graphql_crash(1, "no seats", 62), other])) == 2
    alone = graphql_crash(2, "no director", 48, answered="no director")
    assert len(merged([graphql_crash(1, "no director", 48, answered="no director"), alone])) == 2


def test_a_name_and_a_value_that_become_syntax_of_one_statement_are_mended_apart():
    def injection(number, name, place):
        one = reported(number, "sql-injection", 7, title=f"{name} is syntax")
        return replace(one, finding=replace(one.finding, key=("sql-injection", name, "members", place)))

    found = [injection(1, "q", "name LIKE after SELECT *"), injection(2, "sort", "ORDER BY after SELECT *")]
    assert [one.id for one in merged(found)] == ["F1", "F2"]
    assert [one.id for one in merged([*found, injection(3, "plan", "plan after SELECT *")])] == ["F1", "F2"]


def test_inputs_that_become_syntax_of_one_statement_are_one_injection():
    login = reported(1, "nosql-injection", 18, message="a", title="executes the input body.login")
    pin = reported(2, "nosql-injection", 18, message="b", title="executes the input body.pin")
    (one,) = merged([login, pin])
    assert one.finding.title == "executes the input body.login; executes the input body.pin"
    elsewhere = reported(2, "nosql-injection", 19, title="executes the input body.pin")
    assert len(merged([login, elsewhere])) == 2


def test_an_error_of_graphql_without_a_place_is_the_one_of_its_operation_that_has_one():
    def error(number, line, message, operation="mutation rate", oracle="graphql-error"):
        one = reported(number, oracle, line, message=message, operation=operation)
        cause = Cause(file="/p/app.js" if line else "", line=line, message=message)
        return replace(one, finding=replace(one.finding, cause=cause, observed=f"seen {number}"))

    said = "Cannot read properties of undefined (reading 'seats')"
    unplaced, placed = error(1, 0, said), error(2, 62, f"TypeError: {said}")
    assert [(one.id, one.times_seen) for one in merged([unplaced, placed])] == [("F2", 2)]
    assert len(merged([placed, error(3, 0, said, operation="mutation book")])) == 2
    assert len(merged([placed, error(3, 0, "no seats")])) == 2
    seen_by = [replace(one, observations=(graphql_answer(said, ("all", 1, "free")),)) for one in (placed, unplaced)]
    elsewhere = replace(seen_by[1], finding=replace(unplaced.finding, operation="mutation book"))
    assert [one.id for one in merged([seen_by[0], elsewhere])] == ["F2"]
    other = replace(elsewhere, observations=(graphql_answer(said, ("all", 1, "seats")),))
    assert len(merged([seen_by[0], other])) == 2
    assert len(merged([unplaced, error(3, 62, f"TypeError: {said}", oracle="server-error")])) == 2


def test_a_hidden_error_of_a_field_is_part_of_the_only_other_finding_about_that_field():
    def error(number, field, key):
        one = reported(number, "graphql-error", number, operation=f"query q{number}")
        finding = replace(one.finding, key=("graphql-error", *key))
        return replace(one, finding=finding, observations=(graphql_answer("Unexpected error.", ("q", 1, field)),))

    hidden = error(1, "seats", ("masked", "seats"))
    known = error(2, "seats", ("/p/app.js", "2", "TypeError: x is not a function"))
    other = error(3, "seats", ("/p/app.js", "3", "TypeError: y is not a function"))
    assert [(one.id, one.times_seen) for one in merged([hidden, known])] == [("F2", 2)]
    assert len(merged([hidden, known, other])) == 3, "either may be what is hidden"
    assert len(merged([hidden, error(2, "price", ("/p/app.js", "2", "TypeError: x is not a function"))])) == 2


@pytest.mark.parametrize(
    ("message", "line", "member"),
    [
        (USER, "const mine = all.filter((one) => one.owner === req.user.id);", "request.user"),
        (USER, "  return request.user.id", "request.user"),
        (USER, "if (ctx.state.session.user.id) next()", "context.state.session.user"),
        ("TypeError: Cannot destructure property 'id' of 'req.user' as it is undefined.", "", "request.user"),
        (USER, "lookup(order.user.id)", ""),
        (USER, "lookup(req.body.user.id)", ""),
        (USER, "lookup(my.req.user.id)", ""),
        ("TypeError: Cannot destructure property 'id' of 'req.body' as it is undefined.", "", "request.body"),
        ("TypeError: Cannot read properties of undefined (reading 'id')", "find(req.body.id)", "request.body"),
        ("TypeError: Cannot read properties of undefined (reading 'id')", "find(ctx.body.id)", ""),
        ("TypeError: Cannot use 'in' operator to search for 'a' in undefined", "'a' in req.body", "request.body"),
        ("TypeError: Cannot convert undefined or null to object", "Object.keys(request.body)", "request.body"),
        ("TypeError: Cannot convert undefined or null to object", "set(req.query.a, Object.keys(req.body))", ""),
        ("TypeError: Cannot convert undefined or null to object", "Object.keys(body)", ""),
        (USER, "lookup(req.user.id, req.owner.id)", ""),
        (USER, "lookup(req.params.id, req.user.id)", "request.user"),
        (USER, "lookup(req.params.id)", ""),
        (USER, "lookup(req.user.identity)", ""),
        (USER, "if (req.body[name] !== undefined) all[name] = req.body[name];", "request.body"),
        (USER, "all[name] = req.body[name] ?? req.user[name];", ""),
        (USER, "", ""),
        ("TypeError: lookup is not a function", "lookup(req.user.id)", ""),
    ],
)
def test_the_member_that_a_request_lacks_is_read_from_the_line(message, line, member):
    assert missing_member(Cause(message=message), line) == member


def test_one_member_that_requests_lack_is_one_fault_wherever_it_is_read(tmp_path):
    file = tmp_path / "app.js"
    file.write_text("a(req.user.id)\nb(request.user.id)\nc(order.user.id)\nd(req.body.user.id)\n")

    def failure(line):
        one = reported(line, "server-error", line, message=USER, operation=f"GET /{line}")
        return replace(one, finding=replace(one.finding, cause=replace(one.finding.cause, file=str(file))))

    first, *others = merged([failure(line) for line in (1, 2, 3, 4)])
    assert (first.id, first.times_seen, first.note) == ("F1", 2, "the same in GET /2")
    assert [one.id for one in others] == ["F3", "F4"]


def test_an_error_that_was_handled_is_part_of_the_failure_that_comes_without_it_too():
    def failure(number, line, *, stack="", statement="/p/app.js:23", operation="GET /a"):
        one = reported(number, "server-error", line, message="not configured", operation=operation)
        cause = replace(one.finding.cause, stack=stack, statement=statement)
        return replace(one, finding=replace(one.finding, cause=cause))

    handled = failure(1, 19, stack="SyntaxError: x\n    at /p/app.js:19:4")
    (one,) = merged([handled, failure(2, 23)])
    assert (one.id, one.times_seen) == ("F2", 2)
    assert len(merged([handled, failure(2, 23, operation="GET /b")])) == 2
    assert len(merged([handled, failure(2, 24)])) == 2
    assert len(merged([handled, failure(2, 23, stack="Error: y\n    at /p/app.js:23:4")])) == 2


def test_the_form_of_a_refusal_that_keeps_a_change_is_part_of_it():
    kept = reported(1, "partial-change", 7)
    forms = [reported(2, "content-type", 7), reported(3, "response-status", 7)]
    assert [one.id for one in merged([*forms, kept])] == ["F1"]
    assert len(merged([kept, reported(2, "content-type", 8)])) == 2
    assert len(merged([kept, reported(2, "content-type", 7, operation="GET /b")])) == 2


def test_an_error_of_a_package_is_one_fault_of_its_path_wherever_the_program_last_was():
    def failure(number, line, *, stack, operation="GET /a", message="not_found: missing"):
        one = reported(number, "server-error", line, message=message, operation=operation)
        return replace(one, finding=replace(one.finding, cause=replace(one.finding.cause, stack=stack)))

    package = "Error\n    at get (/p/node_modules/store/index.js:3:1)"
    first = failure(1, 10, stack=package)
    (one,) = merged([first, failure(2, 20, stack=package, operation="PUT /a")])
    assert (one.id, one.times_seen) == ("F1", 2)
    assert len(merged([first, failure(2, 20, stack=package, operation="GET /b")])) == 2
    assert len(merged([first, failure(2, 20, stack=package, message="not_found: deleted")])) == 2
    assert len(merged([first, failure(2, 20, stack=f"{package}\n    at /p/app.js:20:4")])) == 2
    assert len(merged([first, failure(2, 20, stack="")])) == 2

    def refused(number, operation):
        one = failure(number, 0, stack=package, operation=operation)
        return replace(one, finding=replace(one.finding, cause=replace(one.finding.cause, file="")))

    (one,) = merged([refused(1, "POST /a"), refused(2, "POST /b")])
    assert (one.id, one.note) == ("F1", "the same in POST /b")


MISSING = "TypeError: Cannot read properties of undefined (reading 'trim')"
OF_WRONG_TYPE = "TypeError: reason.trim is not a function"


@pytest.mark.parametrize(
    ("message", "line", "member"),
    [
        (MISSING, "note: reason.trim() })", "trim"),
        (OF_WRONG_TYPE, "note: reason.trim() })", "trim"),
        ("TypeError: (intermediate value).trim is not a function", "note: f(x).trim()", "trim"),
        (MISSING, "a.trim() + b.trim()", ""),
        (MISSING, "note: reason.trim", ""),
        (OF_WRONG_TYPE, "note: reason?.trim()", ""),
        ("TypeError: reason is not iterable", "note: reason.trim()", ""),
    ],
)
def test_what_is_called_on_a_value_is_read_from_the_line(message, line, member):
    assert called_member(Cause(message=message), line) == member


def test_a_value_that_is_missing_or_of_a_wrong_type_is_one_fault_of_its_line(tmp_path):
    file = tmp_path / "app.js"
    file.write_text("a(reason.trim())\nb(reason.trim())\n")

    def failure(number, line, message, oracle="process-died"):
        one = reported(number, oracle, line, message=message)
        return replace(one, finding=replace(one.finding, cause=replace(one.finding.cause, file=str(file))))

    first = failure(1, 1, OF_WRONG_TYPE)
    assert [one.id for one in merged([first, failure(2, 1, MISSING)])] == ["F1"]
    assert len(merged([first, failure(2, 2, MISSING)])) == 2
    assert len(merged([first, failure(2, 1, "TypeError: reason is not iterable")])) == 2


def test_a_column_that_nobody_checks_is_one_fault_in_refusals_and_answers():
    def refusal(operation):
        one = reported(1, "server-error", 64, operation=operation)
        return replace(
            one, finding=replace(one.finding, key=("server-error", "/p/app.js", "64", "refused:column:credits"))
        )

    def answer(member, rule="type"):
        one = reported(2, "response-schema", 65)
        return replace(one, finding=replace(one.finding, subject=member, rule=rule))

    (one,) = merged([refusal("GET /a"), answer("$.credits")])
    assert one.id == "F1"
    (one,) = merged([answer("$.members[0].credits"), refusal("GET /a")])
    assert one.id == "F1"
    assert len(merged([refusal("GET /a"), answer("$.name")])) == 2
    assert len(merged([refusal("GET /a"), answer("$.credits", "minimum")])) == 2
    assert len(merged([refusal("GET /b"), answer("$.credits")])) == 2


def test_an_answer_that_lacks_a_member_of_what_is_missing_elsewhere_is_part_of_the_failure(tmp_path):
    file = tmp_path / "a.js"
    file.write_text("const items = read(`basket:${basket.id}`);\nres.json({ basket: basket.id, user: user.name });\n")

    def at(one, line, observed="o"):
        return replace(
            one,
            finding=replace(
                one.finding, cause=replace(one.finding.cause, file=str(file), line=line), observed=observed
            ),
        )

    failure = at(
        reported(1, "server-error", 1, message="TypeError: Cannot read properties of undefined (reading 'id')"), 1
    )

    def answer(member, operation="GET /a"):
        observed = f'status 200, $: "{member}" is a required property'
        return at(reported(2, "response-schema", 2, operation=operation), 2, observed)

    assert [one.id for one in merged([failure, answer("basket")])] == ["F1"]
    assert len(merged([failure, answer("user")])) == 2
    assert len(merged([failure, answer("basket", "GET /b")])) == 2


@pytest.mark.parametrize(
    ("message", "is_part"),
    [
        ("Error: Column 'class_id' cannot be null", True),
        ('error: null value in column "class_id" of relation "bookings" violates not-null constraint', True),
        ("SqliteError: NOT NULL constraint failed: bookings.class_id", True),
        ("Error: Column 'guests' cannot be null", False),
    ],
)
def test_a_column_without_a_value_or_with_a_wrong_one_is_one_fault_of_its_statement(message, is_part):
    def refusal(number, line, detail, text):
        one = reported(number, "server-error", line, message=text)
        return replace(one, finding=replace(one.finding, key=("server-error", "/p/app.js", str(line), detail)))

    typed = refusal(2, 14, "refused:column:class_id", "Error: Incorrect integer value: 'x' for column `class_id`")
    assert len(merged([refusal(1, 14, "refused:value", message), typed])) == (1 if is_part else 2)
    assert len(merged([refusal(1, 15, "refused:value", message), typed])) == 2


def test_errors_of_one_validator_at_a_statement_are_one_fault():
    messages = ["ValidationError: name: must be string", "ValidationError: name: must NOT have more than 50 characters"]
    first, other = (reported(number, "server-error", 7, message=one) for number, one in enumerate(messages, start=1))
    assert [one.id for one in merged([first, other])] == ["F1"]
    assert len(merged([first, reported(2, "server-error", 8, message=messages[1])])) == 2
    assert len(merged([first, reported(2, "server-error", 7, message="Error: no copy left")])) == 2


def test_errors_of_one_verification_of_tokens_at_a_statement_are_one_fault():
    messages = [
        "JsonWebTokenError: jwt malformed",
        "JsonWebTokenError: invalid signature",
        "TokenExpiredError: jwt expired",
    ]
    findings = [reported(number, "server-error", 7, message=one) for number, one in enumerate(messages, start=1)]
    assert [one.id for one in merged(findings)] == ["F1"]
    assert len(merged([findings[0], reported(2, "server-error", 9, message=messages[1])])) == 2
    schemas = ["ZodError: name: expected string", "ZodError: size: too small"]
    assert len(merged([reported(n, "server-error", 7, message=one) for n, one in enumerate(schemas, start=1)])) == 1


def test_calls_of_a_class_whose_constructor_ends_the_process_are_part_of_that():
    def died(number, operation, how="signal SIGSEGV"):
        one = reported(number, "process-died", 0, operation=operation)
        finding = replace(one.finding, cause=Cause(), key=("process-died", operation, how), observed=how)
        return replace(one, finding=finding)

    maker, method = died(1, "new Store"), died(2, "Store#close")
    assert [one.id for one in merged([method, maker, died(3, "Store")])] == ["F1"]
    assert len(merged([maker, died(2, "Store#close", "exit code 1")])) == 2
    assert len(merged([maker, died(2, "Stores#close")])) == 2
    assert len(merged([method, died(3, "Store#open")])) == 2


def test_texts_that_a_shared_function_does_not_escape_are_one_fault_of_its_statement():
    def thrown(number, line, operation, message="SyntaxError: Invalid regular expression: /(/: Unterminated group"):
        return reported(number, "exception", line, message=message, operation=operation)

    first, second = thrown(1, 34, "addPluralRule"), thrown(2, 34, "addSingularRule")
    elsewhere, other = thrown(3, 90, "acronym"), thrown(4, 34, "parse", "TypeError: x is not a function")
    kept = merged([first, second, elsewhere, other])
    assert [one.id for one in kept] == ["F1", "F3", "F4"]
    assert "addSingularRule" in kept[0].note


def test_a_change_that_is_kept_is_one_fault_whichever_refusal_follows():
    def kept(number, command, operation="POST /a"):
        one = reported(number, "partial-change", number, operation=operation)
        return replace(one, finding=replace(one.finding, subject=command))

    first = kept(1, "update books set author = ?")
    assert [one.id for one in merged([first, kept(2, "update books set author = ?")])] == ["F1"]
    assert len(merged([first, kept(2, "update loans set state = ?")])) == 2
    assert len(merged([first, kept(2, "update books set author = ?", "POST /b")])) == 2


def test_a_call_without_an_answer_is_told_once_if_its_place_is_that_of_other_work():
    certain = replace(reported(1, "no-answer", 7), is_repeated=True)
    once = replace(reported(2, "no-answer", 90), is_repeated=False)
    assert [one.id for one in merged([once, certain])] == ["F1"]
    assert [one.id for one in merged([once, replace(certain, is_repeated=False)])] == ["F2"]
    assert len(merged([certain, replace(once, is_repeated=True)])) == 2
    elsewhere = replace(reported(2, "no-answer", 90, operation="GET /b"), is_repeated=False)
    assert len(merged([certain, elsewhere])) == 2
    assert len(merged([certain, replace(reported(2, "blocked", 90), is_repeated=False)])) == 2


def test_a_promise_in_an_answer_is_one_fault_with_what_it_breaks():
    put = msgspec.structs.replace(MISTAKE, text=MISTAKE.text.replace('asked for its "name"', "put into the answer"))
    mistake = msgspec.structs.replace(put, line=64, members=("total",), is_fault=True)
    answered = reported(1, "missing-await", 64, mistakes=(put, mistake), title=put.text)
    broken = reported(2, "response-schema", 62, mistakes=(put, mistake), title=f"GET /a breaks; {put.text}")
    assert [one.id for one in merged([broken, answered])] == ["F1"]
    elsewhere = reported(3, "response-schema", 62, operation="GET /b", mistakes=(put, mistake), title=put.text)
    assert len(merged([answered, elsewhere])) == 2


def test_nulls_of_one_object_are_one_fault_that_tells_the_others():
    def null(number, member, *key, is_about_document=True):
        one = reported(number, "response-schema", 24, title="t")
        finding = replace(
            one.finding, key=("response-schema", *key), status=200, subject=f"$[0].{member}",
            observed=f'$[0].{member}: null is not of type "string"', is_about_document=is_about_document,
        )  # fmt: skip
        return replace(one, finding=finding)

    trip = "$defs/Trip/properties"
    driver = null(1, "driver", f"{trip}/driver/type")
    state = null(2, "state", f"{trip}/state/type")
    km = null(3, "km", trip, "null", "km")
    (one,) = merged([driver, state, km])
    assert one.finding.title == "t; null as well: $[0].state, $[0].km"
    # A number that may have been NaN, and an object of another kind.
    each = null(4, "each", trip, "null", "each", is_about_document=False)
    rider = null(5, "phone", "$defs/Rider/properties/phone/type")
    assert len(merged([driver, each, rider])) == 3


def test_a_cache_that_nothing_clears_is_one_fault():
    changed = reported(1, "stale-answer", 26, title="GET /a answers what was there before PUT /a has changed it")
    removed = reported(2, "stale-answer", 26, title="GET /a answers what was there before DELETE /a has removed it")
    (one,) = merged([changed, removed])
    assert one.finding.title == (f"{changed.finding.title}; answers what was there before DELETE /a has removed it")
    assert len(merged([changed, reported(2, "stale-answer", 40, operation="GET /b", title="GET /b answers")])) == 2


def test_what_a_statement_cannot_take_of_answers_of_services_is_one_fault():
    failed = reported(1, "upstream-failure", 44, message="Error: Special numeric value NaN is not allowed")
    after_good_answers = reported(2, "server-error", 44, message="Error: Special numeric value NaN is not allowed")
    assert [one.id for one in merged([failed, after_good_answers])] == ["F1"]
    assert [one.id for one in merged([after_good_answers, failed])] == ["F1"]
    of_input = reported(3, "server-error", 44, message="TypeError: order.id.trim is not a function")
    again = replace(of_input, is_repeated=True)
    assert [one.id for one in merged([failed, again])] == ["F1", "F3"]
    assert [one.id for one in merged([replace(failed, is_repeated=True), of_input])] == ["F1"]
    not_verified = [failed, of_input]
    assert [one.id for one in merged(not_verified)] == ["F1", "F3"]
    without_error = [reported(1, "upstream-failure", 44), reported(3, "server-error", 44)]
    assert [one.id for one in merged(without_error)] == ["F1", "F3"]
    missing = reported(1, "upstream-failure", 44, message="Cannot read properties of undefined (reading 'toFixed')")
    text = reported(3, "server-error", 44, message="TypeError: table[q.to].toFixed is not a function")
    assert [one.id for one in merged([missing, replace(text, is_repeated=True)])] == ["F1"]
    assert [one.id for one in merged([missing, again])] == ["F1", "F3"]
    elsewhere = reported(4, "server-error", 45, message="Error: Special numeric value NaN is not allowed")
    assert [one.id for one in merged([failed, elsewhere])] == ["F1", "F4"]


def test_a_statement_that_does_not_heed_failures_of_services_ends_the_process_in_one_way():
    late = reported(1, "process-died", 36, message="AxiosError: Request failed with status code 404")
    ended = reported(2, "process-died", 36, message="AxiosError: Request failed with status code 503")
    after_service = replace(ended, finding=replace(ended.finding, key=("process-died", "/p/app.js", "36", "")))
    reset = reported(3, "process-died", 36, message="Error: read ECONNRESET")
    assert [one.id for one in merged([late, after_service, reset])] == ["F2"]
    elsewhere = reported(4, "process-died", 37, message="Error: read ECONNRESET")
    assert [one.id for one in merged([after_service, elsewhere])] == ["F2", "F4"]
    assert [one.id for one in merged([late, reset])] == ["F1", "F3"]


LEAK_STACK = """Error: taxes: {"x-api-key":"k"}
    at exports.fail (/p/store.js:2:85)
    at exports.taxFor (/p/tax.js:14:66)
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)
    at async %s"""


def test_what_shared_code_leaks_is_one_fault_of_all_operations():
    def leak(number, operation, stack, service="https://api.taxes.example:443"):
        one = reported(number, "leaked-credentials", 2, operation=operation)
        cause = replace(one.finding.cause, stack=stack)
        key = ("leaked-credentials", operation, service, "x-api-key")
        return replace(one, finding=replace(one.finding, cause=cause, key=key))

    first = leak(1, "GET /a", LEAK_STACK % "/p/server.js:34:1")
    other = leak(2, "POST /b", LEAK_STACK % "exports.checkout (/p/checkout.js:29:30)")
    assert [one.id for one in merged([first, other])] == ["F1"]
    after_timer = LEAK_STACK.replace(
        "    at process.processTicks", "    at listOnTimeout (node:internal/timers:545:9)\n    at process.processTimers"
    )
    assert [one.id for one in merged([first, leak(2, "POST /b", after_timer % "/p/checkout.js:29:30")])] == ["F1"]
    for apart in (
        leak(2, "POST /b", (LEAK_STACK % "/p/server.js:34:1").replace("tax.js:14", "other.js:7")),
        leak(2, "POST /b", LEAK_STACK % "/p/server.js:34:1", "https://mail.example:443"),
        leak(2, "POST /b", ""),
    ):
        assert len(merged([first, apart])) == 2


def test_values_that_a_driver_cannot_bind_are_one_fault_of_their_statement():
    few = reported(1, "server-error", 5, message="Error: RangeError: Too few parameter values were provided")
    two = "Error: TypeError: You cannot specify named parameters in two different objects"
    (joined,) = merged([few, reported(2, "server-error", 5, message=two)])
    assert joined.id == "F1"
    other = reported(3, "server-error", 5, message="SqliteError: UNIQUE constraint failed: drugs.name")
    assert len(merged([few, reported(2, "server-error", 6, message=two), other])) == 3


EMPTY_LOCALE = "TypeError: First argument to Intl.Locale constructor can't be empty or missing"
WRONG_LOCALE = "RangeError: Incorrect locale information provided"
NO_BIGINT = "SyntaxError: Cannot convert a1b2c to a BigInt"


@pytest.mark.parametrize(
    ("line", "messages", "n_faults"),
    [
        ("if (patch.locale) new Intl.Locale(patch.locale);", (WRONG_LOCALE, EMPTY_LOCALE), 1),
        ("total.toLocaleString(locale)", (WRONG_LOCALE, "TypeError: Language ID should be string or object."), 1),
        ("compare(new Intl.Locale(a), new Intl.Locale(b));", (WRONG_LOCALE, EMPTY_LOCALE), 2),
        ("new Intl.NumberFormat(of, { currency });", (WRONG_LOCALE, "RangeError: Invalid currency code : x"), 2),
        ("const cents = BigInt(body.cents);", (NO_BIGINT, "TypeError: Cannot convert null to a BigInt"), 1),
        (
            "const cents = BigInt(body.cents);",
            (NO_BIGINT, "RangeError: The number 1.5 cannot be converted to a BigInt because it is not an integer"),
            1,
        ),
        ("const cents = BigInt(body.cents.trim());", (NO_BIGINT, "TypeError: body.cents.trim is not a function"), 2),
    ],
)
def test_what_one_conversion_refuses_is_one_fault(tmp_path, line, messages, n_faults):
    app = tmp_path / "app.js"
    app.write_text(f"{line}\n{line}\n")

    def failed(number, at, message):
        one = reported(number, "server-error", at, message=message)
        return replace(one, finding=replace(one.finding, cause=replace(one.finding.cause, file=str(app))))

    assert len(merged([failed(number, 1, message) for number, message in enumerate(messages)])) == n_faults
    assert len(merged([failed(number, number + 1, message) for number, message in enumerate(messages)])) == 2


RECEIPT = """Error: {}
    at {} (/p/pay.js:{}:44)
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)
    at async receiptOf (/p/pay.js:83:18)"""
"""The stack of an error of a function that was started, after it has waited."""


def left_work(number, line, message, *, status=200, thrown_in="guarded", stack=RECEIPT):
    one = reported(number, "process-died", line, message=f"Error: {message}", operation="POST /pay")
    cause = replace(one.finding.cause, stack=stack.format(message, thrown_in, line))
    seen = http_observation(0, HttpRequest("POST", "/pay"), HttpResponse(status, (), b"{}"))
    return replace(one, finding=replace(one.finding, cause=cause), observations=(seen,))


def test_all_errors_of_work_that_a_call_does_not_wait_for_are_one_fault():
    failed, no_token = left_work(1, 77, "no answer"), left_work(2, 26, "no token", thrown_in="token")
    assert [(one.id, one.times_seen) for one in merged([failed, no_token])] == [("F1", 2)]
    own = RECEIPT.partition("\n    at async")[0]
    assert len(merged([failed, left_work(2, 84, "refused", thrown_in="notify", stack=own)])) == 2
    unanswered = [left_work(1, 77, "no answer", status=500), left_work(2, 26, "no token", status=500)]
    assert len(merged(unanswered)) == 2, "a handler that rejects has several faults"


def test_a_promise_that_is_answered_is_one_with_the_errors_of_the_function_that_made_it(tmp_path):
    app = tmp_path / "app.js"
    app.write_text("res.json({\n  receipt: receiptOf(charge.id),\n  total: sum(charge) });\n")

    def promise(line):
        one = reported(3, "missing-await", line, operation="POST /pay", title="a Promise was put into the answer")
        observed = "a Promise was put into the answer at app.js"
        cause = replace(one.finding.cause, file=str(app))
        return replace(one, finding=replace(one.finding, cause=cause, observed=observed))

    (one,) = merged([left_work(1, 77, "no answer"), left_work(2, 26, "no token", thrown_in="token"), promise(2)])
    assert (one.id, one.times_seen, one.finding.cause.line) == ("F1", 3, 2)
    assert one.finding.title.endswith("a Promise was put into the answer")
    assert len(merged([left_work(1, 77, "no answer"), promise(3)])) == 2
