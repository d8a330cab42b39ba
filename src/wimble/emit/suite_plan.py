"""A verified test in the form that emitters write: its calls, each with its assertions and the name of its response."""

from __future__ import annotations

import msgspec

from wimble.emit.reference_sources import RequestTemplate, request_templates
from wimble.emit.response_checks import Assertion, assertions_of
from wimble.emit.source_text import identifier, unique
from wimble.http.binding import binding_of
from wimble.http.exchange import failure_of, response_of
from wimble.http.http_messages import CallFailure, HttpResponse
from wimble.model.suite import VerifiedTest

UNANSWERED_TIMEOUT_S = 2
"""The time that a test waits for an answer that is not expected to come."""


class NoAnswer(msgspec.Struct, frozen=True):
    """The end of a call that gets no answer."""

    failure: str
    """The failure in the error that the suite's helper raises."""
    comment: str
    timeout_s: int | None = None
    """The time that the test waits for an answer; None: the helper's default."""


_TIMEOUT = f"No answer comes within {UNANSWERED_TIMEOUT_S} s"
NO_ANSWERS: dict[CallFailure, NoAnswer] = {
    "timeout": NoAnswer("timeout", f"{_TIMEOUT}.", UNANSWERED_TIMEOUT_S),
    "blocked": NoAnswer("timeout", f"{_TIMEOUT}: the event loop is blocked.", UNANSWERED_TIMEOUT_S),
    "connection-lost": NoAnswer("connection-lost", "The connection breaks before an answer."),
    "malformed-response": NoAnswer("malformed-response", "The answer is not valid HTTP."),
}
"""Observed failure of a call -> the end of the call in a test."""


class PlannedCall(msgspec.Struct, frozen=True, kw_only=True):
    """A call of a test, as emitters write it."""

    request: RequestTemplate
    name: str
    """Words that name its response, such as `post books`, from which emitters make an identifier."""
    status: int | None
    no_answer: NoAnswer | None
    """None if an answer is expected."""
    response: HttpResponse | None
    is_body_left: bool
    """Whether the test does not read the body, since it is endless or too long."""
    assertions: tuple[Assertion, ...]
    is_response_used: bool
    is_sut_gone_after: bool
    """Whether the SUT's process ends in this call."""


def plan_test(test: VerifiedTest) -> list[PlannedCall]:
    """Returns the calls that were sent, in order, up to one in which the SUT's process ends.

    A later call that was answered was faster than that end, and would not be in a test that waits for the end.
    """
    templates = request_templates(test)
    used = {reference.call for template in templates for reference in template.references()}
    names = _response_names(test)
    deadly = {finding.call_index for finding in test.findings if finding.oracle == "process-died"}
    planned = []
    for index, template in enumerate(templates):
        call = test.calls[index]
        response, failure = response_of(call.observation), failure_of(call.observation)
        assertions = assertions_of(call)
        planned.append(
            PlannedCall(
                request=template,
                name=names[index],
                status=None if response is None else response.status,
                no_answer=None if failure is None else NO_ANSWERS[failure],
                response=response,
                is_body_left=response is not None and response.is_truncated,
                assertions=assertions,
                is_response_used=response is not None or bool(assertions) or index in used,
                is_sut_gone_after=index in deadly,
            )
        )
        if index in deadly:
            break
    return planned


def _response_names(test: VerifiedTest) -> list[str]:
    """Returns the names of the responses, as words.

    A single call has `response`; the others have verb and path, such as `post books` or `get books by id`.
    """
    if len(test.calls) == 1:
        return ["response"]
    words = []
    for call in test.test_case.calls:
        binding = binding_of(call.operation)
        if binding.graphql:
            words.append(identifier(call.operation.id, separator=" "))
            continue
        path = binding.path.replace("{", " by ").replace("}", " ")
        words.append(f"{binding.method.lower()} {identifier(path, separator=' ') or 'root'}")
    return [name.replace("_", " ") for name in unique(words)]
