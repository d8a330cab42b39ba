"""What a test asserts, in the words of `expect`, which Jest and Vitest share."""

from __future__ import annotations

from collections.abc import Sequence

from wimble.emit.checks import Assertion, WholeBody
from wimble.emit.javascript import JsResponse, js_access, js_string, js_value
from wimble.emit.node_test import FAILURE_WORDS, request_expression
from wimble.emit.plan import UNANSWERED_TIMEOUT_S, PlannedCall
from wimble.emit.text import comment_lines


def expect_no_answer(call: PlannedCall, responses: Sequence[JsResponse]) -> list[str]:
    """A call that is never answered."""
    assert call.failure is not None
    failure = "timeout" if call.failure == "blocked" else call.failure
    timeout_ms = UNANSWERED_TIMEOUT_S * 1000 if failure == "timeout" else None
    request = request_expression(call, responses, column=24, timeout_ms=timeout_ms)
    return [
        *comment_lines(FAILURE_WORDS[call.failure], "// "),
        f"await expect({request}).rejects.toMatchObject({{ failure: {js_string(failure)} }});",
    ]


def expectation(item: Assertion, response: JsResponse) -> str:
    if isinstance(item, WholeBody):
        return f"expect({response.json}).toEqual({js_value(item.value, '    ', column=24 + len(response.json))});"
    if item.kind == "text":
        return f"expect({response.name}.text).toBe({js_string(item.value)});"
    access = js_access(response.json, item.pointer)
    if item.kind == "length":
        return f"expect({access}).toHaveLength({item.value});"
    method = "toEqual" if isinstance(item.value, dict | list) else "toBe"
    return f"expect({access}).{method}({js_value(item.value)});"
