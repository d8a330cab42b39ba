"""Assertions with `expect`, which Jest and Vitest share."""

from __future__ import annotations

from collections.abc import Sequence

from wimble.emit.javascript import JsResponse, js_access, js_string, js_value
from wimble.emit.node_test import request_expression, unanswered
from wimble.emit.response_checks import Assertion, WholeBody
from wimble.emit.suite_plan import PlannedCall


def expect_no_answer(call: PlannedCall, responses: Sequence[JsResponse]) -> list[str]:
    """Returns the source lines of a call that is never answered."""
    comment, request, failure = unanswered(call, responses)
    return [*comment, f"await expect({request}).rejects.toMatchObject({failure});"]


def expected_call(
    call: PlannedCall, response: JsResponse, responses: Sequence[JsResponse], request: str | None = None
) -> list[str]:
    """Returns the source lines of one call and its assertions.

    request: the expression that makes the request; None: it is made with `sut.request`.
    """
    lines = []
    if call.no_answer is not None:
        lines += expect_no_answer(call, responses)
    else:
        binding = f"const {response.name} = " if call.is_response_used else ""
        sent = request or request_expression(call, responses, column=len(binding) + 10)
        lines.append(f"{binding}await {sent};")
        if call.status is not None:
            lines.append(f"expect({response.name}.status).toBe({call.status});")
        lines += [expectation(item, response) for item in call.assertions]
    if call.is_sut_gone_after:
        lines.append("expect(await sut.isGone()).toBe(true);")
    return lines


def expectation(item: Assertion, response: JsResponse) -> str:
    """Returns the statement that checks an assertion about a response."""
    if isinstance(item, WholeBody):
        return f"expect({response.json}).toEqual({js_value(item.value, '    ', column=24 + len(response.json))});"
    if item.kind == "text":
        return f"expect({response.name}.text).toBe({js_string(item.value)});"
    access = js_access(response.json, item.pointer)
    if item.kind == "length":
        return f"expect({access}).toHaveLength({item.value});"
    if item.kind == "holds":
        part = js_value(item.value, "    ", column=40 + len(access))
        part = f"expect.objectContaining({part})" if isinstance(item.value, dict) and item.value else part
        return f"expect({access}).toContainEqual({part});"
    method = "toEqual" if isinstance(item.value, dict | list) else "toBe"
    return f"expect({access}).{method}({js_value(item.value)});"
