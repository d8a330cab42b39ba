"""What is said of operations that no call brought to success."""

from types import SimpleNamespace

import pytest

from wimble.engine.write.never_succeeded import NO_STATE_FOR_IT, WANTS_RIGHTS, never_succeeded
from wimble.genes import StringGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.model.result import Answers


def reason(answers, *, died=(), not_found=(), unawaited=(), inputs=(), bindings=()):
    told = tuple(Answers(outcome_key=key, calls=calls, text="") for key, calls in answers)
    operation = SimpleNamespace(id="GET /a/{id}", inputs=inputs)
    coordinator = SimpleNamespace(
        specification=SimpleNamespace(operations=[operation]),
        settings=SimpleNamespace(users=()),
        resources=SimpleNamespace(bindings=lambda _: bindings),
        faults=[
            SimpleNamespace(finding=SimpleNamespace(oracle=oracle, operation=one))
            for oracle, operations in (
                ("process-died", died),
                ("not-found", not_found),
                ("missing-await", unawaited),
            )
            for one in operations
        ],
        statistics=SimpleNamespace(
            calls_of=lambda _: sum(one.calls for one in told),
            answers_without_success=lambda _: told,
            has_succeeded=lambda id: id == "POST /a",
        ),
    )
    return never_succeeded(coordinator)[0].reason


@pytest.mark.parametrize(
    ("answers", "died", "said"),
    [
        ([("connection-lost", 22), ("404", 16)], ["GET /a/{id}"], "it ends the server's process"),
        ([("connection-lost", 22)], ["GET /b"], "the connection breaks before an answer"),
        ([("timeout", 4)], [], "it does not answer in time"),
        ([("404", 74), ("500", 53)], [], "each call has found nothing or failed"),
        ([("404", 74), ("connection-lost", 1)], [], "each call has found nothing or failed"),
        ([("404", 74), ("400", 3)], [], "nothing is served there"),
        ([("404", 74), ("409", 3)], [], "what it finds, it refuses with 409: its state does not allow the call"),
        ([("402", 50), ("401", 40)], [], f"where a user is let in, it refuses with 402: {NO_STATE_FOR_IT}"),
        ([("500", 9), ("400", 2)], [], "each call that it has not refused has failed"),
        ([("500", 9), ("503", 2)], [], "each call has failed"),
        ([("401", 60), ("403", 2), ("400", 3)], [], "it wants a user: name one in wimble.toml"),
        ([("403", 60), ("401", 2)], [], "it wants a user: name one in wimble.toml"),
        ([("401", 135), ("403", 63)], [], WANTS_RIGHTS),
        ([("403", 194), ("401", 126)], [], WANTS_RIGHTS),
        ([("401", 60), ("422", 30), ("404", 3)], [], "where a user is let in, it refuses the input"),
        ([("422", 30), ("401", 28), ("500", 20)], [], "where a user is let in, it refuses the input"),
        ([("415", 30), ("422", 28), ("409", 12)], [], "it refuses the input, with 415, 422 and 409"),
        ([("422", 30), ("500", 28), ("404", 12)], [], "it refuses some calls and fails in others"),
        ([("302", 30), ("404", 28), ("403", 5)], [], "where a user is let in, it redirects"),
        ([("302", 30), ("404", 28), ("400", 15)], [], "it redirects some calls and refuses others"),
        ([("200", 30), ("400", 28), ("415", 5)], [], "it refuses some calls and answers errors"),
        ([("200", 30), ("400", 2)], [], "it answers errors"),
        ([("401", 30), ("404", 28)], [], "where a user is let in, nothing is served there"),
    ],
)
def test_the_reason_follows_from_what_it_answered(answers, died, said):
    assert reason(answers, died=died) == said


def test_an_operation_that_does_not_find_what_is_there_is_not_said_to_lack_it():
    said = reason([("404", 103), ("connection-lost", 1)], not_found=["GET /a/{id}"])
    assert said == "it does not find what is there, which is reported as a fault"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            HttpInput(name="body", location="body", template=StringGene("a")),
            "nothing was found for the values of its inputs",
        ),
        (HttpInput(name="x", location="header", template=StringGene("a")), "nothing is served there"),
    ],
)
def test_an_operation_that_takes_values_may_have_found_nothing_for_them(given, said):
    inputs = http_operation(id="POST /a", method="POST", path="/a", inputs=(given,)).inputs
    assert reason([("404", 412), ("400", 131)], inputs=inputs) == said


def test_a_promise_that_decides_the_answer_is_the_reason():
    said = reason([("404", 295), ("409", 190)], unawaited=["GET /a/{id}"])
    assert said == "a promise that is not awaited decides what it answers, which is reported as a fault"


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ([("404", 44)], "no value of id was found that exists"),
        ([("404", 56), ("400", 3)], "no value of id was found that exists"),
        ([("404", 56), ("400", 36)], "most calls give no value of id that exists, and it refuses the others"),
    ],
)
def test_calls_that_are_refused_otherwise_may_have_found_what_they_name(answers, said):
    given = HttpInput(name="id", location="path", template=StringGene("a"))
    inputs = http_operation(id="GET /a/{id}", method="GET", path="/a/{id}", inputs=(given,)).inputs
    binding = SimpleNamespace(input_index=0, creators=[SimpleNamespace(id="POST /a")])
    assert reason(answers, inputs=inputs, bindings=[binding]) == said
