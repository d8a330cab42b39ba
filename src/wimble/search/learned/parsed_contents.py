"""Operations that parse their content themselves: without one, they fail with what a parser of JSON says.

Few of them answer such a call as the client's mistake (`await c.req.json()`, `JSON.parse` of a body), and none comes to
what it reads in the content. So JSON is tried as soon as such an error is seen, and most later calls have it.
"""

from __future__ import annotations

import re
from typing import Final

from wimble.model.observation import Observation
from wimble.model.testcase import Call
from wimble.search.learned.content_forms import form_sent
from wimble.search.learned.members import JSON_FORM
from wimble.types import ABSENT, OperationId

MAX_TEXT: Final = 1_000
"""Length of a refusal up to which it is read."""
_NO_JSON: Final = re.compile(
    r"\b(?:JSON input|in JSON at position|is not valid JSON)|\b(?:invalid|malformed|bad|unparsable) JSON\b",
    re.IGNORECASE,
)


class ParsedContents:
    """The operations that were seen to parse what they were not sent."""

    def __init__(self) -> None:
        self._found: set[OperationId] = set()

    def __contains__(self, operation: OperationId) -> bool:
        return operation in self._found

    def note(self, call: Call, observation: Observation) -> bool:
        """Notes what came of a call with an undeclared content; returns whether it shows for the first time that JSON
        is wanted.
        """
        operation = call.operation
        if observation.outcome not in ("failed", "refused") or operation.id in self._found:
            return False
        if form_sent(call) == JSON_FORM or not _NO_JSON.search(_said(observation)):
            return False
        self._found.add(operation.id)
        return True


def _said(observation: Observation) -> str:
    if observation.cause is not None:
        return observation.cause.message
    value = observation.exchange.value()
    text = "" if value is ABSENT else str(value)
    return text if len(text) <= MAX_TEXT else ""
