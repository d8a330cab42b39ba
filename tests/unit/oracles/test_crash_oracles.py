"""Ended processes, uncaught errors, silence."""

import msgspec
import pytest

from wimble.model.external import ExternalRequest
from wimble.model.observation import Mistake
from wimble.model.setup_kinds.answer import new_answer


def found(findings):
    return [finding.oracle for finding in findings]


@pytest.mark.parametrize(
    ("failure", "oracle", "title"),
    [
        ("timeout", "no-answer", "GET /things is never answered"),
        ("blocked", "blocked", "GET /things blocks the event loop"),
        ("connection-lost", "connection-lost", "GET /things closes the connection before it has answered"),
        ("malformed-response", "malformed-response", "GET /things answers with something that is not HTTP"),
    ],
)
def test_calls_without_an_answer(make, judge, failure, oracle, title):
    (finding,) = judge(make.evaluation((make.operation(), failure)))
    assert (finding.oracle, finding.title, finding.status) == (oracle, title, None)
    assert finding.key == (oracle, "GET /things")
    placed = make.Cause(file="/a.js", line=4)
    assert judge(make.evaluation((make.operation("GET", "/b"), failure, placed)))[0].key == (oracle, "/a.js", "4")
    thrown = make.Cause(file="/a.js", line=4, message="TypeError: x is null\nsaid in a second line")
    (after_error,) = judge(make.evaluation((make.operation(), failure, thrown)))
    assert after_error.title == f"{title}, after TypeError: x is null"


def test_calls_that_were_not_sent_are_nobodys_fault(make, judge):
    assert judge(make.evaluation((make.operation(), "not-sent"))) == []


def test_a_process_that_ends_takes_the_lost_connections_with_it(make, judge):
    cause = make.Cause(file="/a.js", line=9, message="Error: gone 5")
    crashes = [
        make.Crash(kind="uncaught-exception", call_index=0, cause=cause),
        make.Crash(kind="died", call_index=None, cause=make.Cause(), exit_code=1),
    ]
    op, other = make.operation("POST", "/a"), make.operation("GET", "/b")
    evaluation = make.evaluation(
        (op, make.answer(200)), (other, "connection-lost"), (other, "not-sent"), crashes=crashes
    )
    (finding,) = judge(evaluation)
    assert finding.key == ("process-died", "/a.js", "9", "Error: gone …")
    assert finding.title == "POST /a ends the server's process: Error: gone 5"
    assert finding.observed == "the process ended with exit code 1: Error: gone 5 at /a.js:9"
    assert finding.call_index == 0


def test_a_process_that_ends_in_silence(make, judge):
    crash = make.Crash(kind="died", call_index=1, cause=make.Cause(), signal="SIGKILL")
    op = make.operation("POST", "/a")
    (finding,) = judge(make.evaluation((op, make.answer(200)), (op, "connection-lost"), crashes=[crash]))
    assert finding.key == ("process-died", "POST /a", "signal SIGKILL", "")
    assert finding.title == "POST /a ends the server's process: signal SIGKILL"
    assert finding.call_index == 1


def test_an_unhandled_rejection_takes_the_silence_of_its_call(make, judge):
    crash = make.Crash(
        kind="unhandled-rejection", call_index=0, cause=make.Cause(file="/a.js", line=2, message="Error: x")
    )
    (finding,) = judge(make.evaluation((make.operation(), "timeout"), crashes=[crash]))
    assert finding.title == "GET /things leaves an unhandled rejection: Error: x"
    assert finding.key == ("unhandled", "/a.js", "2", "Error: x")


def test_an_error_that_was_answered_is_not_told_again(make, judge):
    cause = make.Cause(file="/a.js", line=2, message="Error: x")
    crash = make.Crash(kind="unhandled-rejection", call_index=0, cause=cause)
    answered = make.evaluation((make.operation(), make.answer(500), cause), crashes=[crash])
    assert found(judge(answered)) == ["server-error"]
    elsewhere = make.evaluation((make.operation(), make.answer(500), make.Cause(file="/b.js", line=1)), crashes=[crash])
    assert found(judge(elsewhere)) == ["unhandled", "server-error"]


def test_a_crash_before_any_call_goes_to_the_last_one_sent(make, judge):
    crash = make.Crash(kind="uncaught-exception", call_index=None, cause=make.Cause(message="boom"))
    op = make.operation()
    (finding,) = judge(
        make.evaluation((op, make.answer(200)), (op, make.answer(200)), (op, "not-sent"), crashes=[crash])
    )
    assert finding.call_index == 1
    assert finding.key == ("unhandled", "GET /things", "uncaught-exception", "boom")


def test_a_process_that_exits_by_itself_explains_the_death_that_follows(make, judge):
    leaving = make.Cause(file="/a.js", line=5, message="process.exit(3)")
    crashes = [
        make.Crash(kind="exit", call_index=0, cause=leaving, exit_code=3),
        make.Crash(kind="died", call_index=0, cause=make.Cause(), exit_code=3),
    ]
    (finding,) = judge(make.evaluation((make.operation(), "connection-lost"), crashes=crashes))
    assert finding.key == ("process-died", "/a.js", "5", "process.exit(…)")


def test_an_uncaught_error_explains_better_than_the_exit_after_it(make, judge):
    thrown = make.Cause(file="/a.js", line=2, message="Error: x")
    crashes = [
        make.Crash(kind="uncaught-exception", call_index=0, cause=thrown),
        make.Crash(kind="exit", call_index=0, cause=make.Cause(file="/b.js", line=9), exit_code=1),
        make.Crash(kind="died", call_index=0, cause=make.Cause(), exit_code=1),
    ]
    (finding,) = judge(make.evaluation((make.operation(), "connection-lost"), crashes=crashes))
    assert finding.cause == thrown


def test_a_helper_that_is_done_is_no_fault_but_a_worker_that_leaves_its_call_is(make, judge):
    crash = make.Crash(kind="exit", call_index=0, cause=make.Cause(file="/a.js", line=5), exit_code=0)
    assert judge(make.evaluation((make.operation(), make.answer(200)), crashes=[crash])) == []
    assert found(judge(make.evaluation((make.operation(), "connection-lost"), crashes=[crash]))) == ["process-died"]


def after_service(evaluation, reply="200", outcome=""):
    """The evaluation, in which its first call has called a service, or could not connect to it."""
    origin = "https://api.example:443"
    request = ExternalRequest(call=0, site="", n=0, origin=origin, method="GET", target="/a", reply=reply)
    answer = msgspec.structs.replace(new_answer(origin, "GET", "/a"), outcome=outcome or "answer")
    test_case = msgspec.structs.replace(evaluation.test_case, setup=(answer,) if outcome else ())
    return msgspec.structs.replace(evaluation, test_case=test_case, interactions=() if outcome else (request,))


@pytest.mark.parametrize("kind", ["died", "unhandled-rejection"])
@pytest.mark.parametrize("place", [{"file": "/a.js", "line": 7}, {}])
def test_whatever_a_service_does_a_place_that_heeds_nothing_is_one_fault(make, judge, kind, place):
    def keys(message, **service):
        crash = make.Crash(kind=kind, call_index=0, cause=make.Cause(message=message, **place))
        evaluation = make.evaluation((make.operation(), "connection-lost"), crashes=[crash])
        findings = judge(after_service(evaluation, **service) if service else evaluation)
        return {finding.key for finding in findings if finding.oracle in ("process-died", "unhandled")}

    refused = keys("Error: connect ECONNREFUSED 11.0.0.1:443", outcome="refused")
    assert len(refused) == 1
    assert keys("Error: socket hang up", reply="reset") == refused
    assert keys("SyntaxError: Unexpected end of JSON input", reply="200") == refused
    assert keys("Error: socket hang up") != keys("Error: no such room"), "without a service, the message tells faults"


@pytest.mark.parametrize(("thrown_at", "shape"), [("node_modules/axios/a.cjs:7", ""), ("", "Error: read ECONNRESET")])
def test_what_a_client_raises_late_is_of_the_service_that_an_earlier_call_has_called(make, judge, thrown_at, shape):
    cause = make.Cause(file="/a.js", line=7, message="Error: read ECONNRESET", thrown_at=thrown_at)
    crash = make.Crash(kind="died", call_index=1, cause=cause)
    calls = [(make.operation(), make.answer(200)), (make.operation(), "connection-lost")]
    (finding,) = judge(after_service(make.evaluation(*calls, crashes=[crash])))
    assert finding.key == ("process-died", "/a.js", "7", shape)


def test_the_rejection_of_a_promise_that_is_tested_is_told_its_place(make, judge):
    text = "a Promise was used as a value (tested for truth): `await` is missing"
    mistakes = (Mistake("/a.js", 40, text), Mistake("/a.js", 71, text, is_fault=True))
    for stack, line in (
        ("Error: x\n    at f (/b.js:9:1)\n    at g (/a.js:71:9)", 71),
        ("Error: x\n    at f (/b.js:9:1)", 9),
    ):
        cause = make.Cause(file="/b.js", line=9, message="Error: x", stack=stack, mistakes=mistakes)
        crash = make.Crash(kind="unhandled-rejection", call_index=0, cause=cause)
        (finding,) = judge(make.evaluation((make.operation(), make.answer(200)), crashes=[crash]))
        assert finding.cause.line == line
        assert finding.title.endswith(text) is (line == 71)
        assert finding.key[1:3] == ("/b.js", "9")


def test_a_hanging_service_is_one_fault_of_the_statement_that_asks_it(make, judge):
    """Which statement ran last depends on what other services answer."""
    keys = set()
    for line in (4, 7):
        evaluation = make.evaluation((make.operation(), "timeout", make.Cause(file="/a.js", line=line)))
        asked = ExternalRequest(
            call=0,
            site="src/a.js:3",
            n=0,
            origin="https://push.example:443",
            method="POST",
            target="/users",
            answered_by=None,
            reply="hang",
        )
        (finding,) = judge(msgspec.structs.replace(evaluation, interactions=(asked,)))
        keys.add(finding.key)
    assert keys == {("no-answer", "asks", "src/a.js:3")}
