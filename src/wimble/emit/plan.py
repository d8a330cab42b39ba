"""A verified test laid out for writing: its calls, each with the name of the variable that holds its response."""

from __future__ import annotations

import msgspec

from wimble.emit.checks import Assertion, assertions_of
from wimble.emit.references import RequestTemplate, request_templates
from wimble.emit.text import identifier, unique
from wimble.model.http import CallFailure, HttpResponse
from wimble.model.suite import VerifiedTest

UNANSWERED_TIMEOUT_S = 2
"""How long a test waits for an answer that is known not to come."""


class PlannedCall(msgspec.Struct, frozen=True, kw_only=True):
    """One call as it is to be written."""

    request: RequestTemplate
    name: str
    """Words for its response: `post books`; formats make an identifier of it."""
    status: int | None
    failure: CallFailure | None
    response: HttpResponse | None
    is_body_left: bool
    """Whether the body is not read: it has no end, or is too long for a test."""
    assertions: tuple[Assertion, ...]
    is_response_used: bool
    is_sut_gone_after: bool
    """Whether the SUT's process dies of it."""


def plan_test(test: VerifiedTest) -> list[PlannedCall]:
    """The calls that were sent, in order."""
    templates = request_templates(test)
    used = {reference.call for template in templates for reference in template.references()}
    names = _response_names(test)
    deadly = {finding.call_index for finding in test.findings if finding.oracle == "process-died"}
    planned = []
    for index, template in enumerate(templates):
        call = test.calls[index]
        assertions = assertions_of(call)
        planned.append(
            PlannedCall(
                request=template,
                name=names[index],
                status=call.status,
                failure=call.observation.failure,
                response=call.observation.response,
                is_body_left=call.observation.response is not None and call.observation.response.is_truncated,
                assertions=assertions,
                is_response_used=call.status is not None or bool(assertions) or index in used,
                is_sut_gone_after=index in deadly,
            )
        )
    return planned


def _response_names(test: VerifiedTest) -> list[str]:
    """`response` for a single call; else verb and path: `post books`, `get books by id`."""
    if len(test.calls) == 1:
        return ["response"]
    words = []
    for call in test.test_case.calls:
        if call.operation.graphql:
            words.append(identifier(call.operation.id, separator=" "))
            continue
        path = call.operation.path.replace("{", " by ").replace("}", " ")
        words.append(f"{call.operation.method.lower()} {identifier(path, separator=' ') or 'root'}")
    return [name.replace("_", " ") for name in unique(words)]
