"""Assertions about results of calls, in the notations of node:test, Jest and Vitest."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from wimble.library.argument_literals import literal, text_literal
from wimble.library.invocation import Thrown
from wimble.types import Json

_MAX_LENGTH: Final = 4000
"""A longer literal is no help to a reader; then only the type is asserted."""


class Notation(msgspec.Struct, frozen=True, kw_only=True):
    """How a test runner writes assertions; the functions take the text of an actual and of an expected value."""

    imports: tuple[str, ...]
    """Statements in CommonJS."""
    module_imports: tuple[str, ...]
    """Statements in an ES module."""
    is_module: bool = False
    """Whether its files have to be ES modules."""
    equal: Callable[[str, str], str]
    deep_equal: Callable[[str, str], str]
    loose_equal: Callable[[str, str], str]
    """As `deep_equal`, whatever the classes of the objects."""
    throws: Callable[[Sequence[str], str, list[str]], list[str]]
    """(statements before the call, text of the call, statements about `error`) -> statements."""
    rejects: Callable[[Sequence[str], str, list[str]], list[str]]


def _node_throws(setup: Sequence[str], call: str, checks: list[str]) -> list[str]:
    return _node_refused("assert.throws(", "()", [*setup, f"{call};"] if setup else call, checks)


def _node_rejects(setup: Sequence[str], call: str, checks: list[str]) -> list[str]:
    body = [*setup, f"await {call};"] if setup else call
    return _node_refused("await assert.rejects(", "async ()", body, checks)


def _node_refused(head: str, parameters: str, body: str | list[str], checks: list[str]) -> list[str]:
    function = (
        [f"  {parameters} => {body},"]
        if isinstance(body, str)
        else [f"  {parameters} => {{", *(f"    {line}" for line in body), "  },"]
    )
    return [head, *function, "  (error) => {", *(f"    {c}" for c in checks), "    return true;", "  },", ");"]


def _expect_throws(setup: Sequence[str], call: str, checks: list[str]) -> list[str]:
    body = [f"  {line}" for line in (*setup, f"{call};")]
    return ["let error;", "try {", *body, "} catch (thrown) {", "  error = thrown;", "}", *checks]


def _expect_rejects(setup: Sequence[str], call: str, checks: list[str]) -> list[str]:
    return _expect_throws(setup, f"await {call}", checks)


NODE_TEST: Final = Notation(
    imports=("const assert = require('node:assert/strict');", "const { test } = require('node:test');"),
    module_imports=("import assert from 'node:assert/strict';", "import { test } from 'node:test';"),
    equal=lambda actual, expected: f"assert.equal({actual}, {expected});",
    deep_equal=lambda actual, expected: f"assert.deepEqual({actual}, {expected});",
    loose_equal=lambda actual, expected: f"assert.deepEqual(plain({actual}), {expected});",
    throws=_node_throws,
    rejects=_node_rejects,
)
JEST: Final = Notation(
    imports=(),
    module_imports=(),
    equal=lambda actual, expected: f"expect({actual}).toBe({expected});",
    deep_equal=lambda actual, expected: f"expect({actual}).toStrictEqual({expected});",
    loose_equal=lambda actual, expected: f"expect(plain({actual})).toEqual({expected});",
    throws=_expect_throws,
    rejects=_expect_rejects,
)
VITEST: Final = msgspec.structs.replace(
    JEST, module_imports=("import { expect, test } from 'vitest';",), is_module=True
)

PLAIN: Final = """/** Returns the value with plain objects instead of instances of classes. */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  if ([Date, RegExp, Map, Set, Buffer].some((known) => value instanceof known)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
}
"""


LISTED: Final = """/** Returns what an asynchronous generator yields. */
async function listed(items) {
  const found = [];
  for await (const item of items) found.push(item);
  return found;
}
"""
HALF_CHARACTER: Final = "\ufffd"
"""Stands for half a character, which no text of the core holds."""
LONG_MESSAGE: Final = 400
SHOWN_CHARS: Final = 200
"""How much of a longer message a test asserts."""

_QUOTING_BEGINS: Final = re.compile(r"Cannot destructure property '[^']+' of (?=')")
_QUOTING_ENDS: Final = re.compile(
    r" is not (?:a function|iterable|a constructor)(?: or its return value is not iterable)?$"
    r"| cannot be invoked without 'new'$"
)
"""The parts of messages of V8 that do not quote the program: the rest depends on how a text is written."""


def result_checks(notation: Notation, value: Json, *, is_whole: bool, name: str = "result") -> list[str]:
    """Returns statements about what a call returned."""
    if _is_scalar(value) and (is_whole or not isinstance(value, str)):
        return [notation.equal(name, literal(value))]
    if isinstance(value, dict) and "$function" in value and len(value) == 1:
        return [notation.equal(f"typeof {name}", "'function'")]
    checks = []
    error = value.get("$error") if isinstance(value, dict) and len(value) == 1 else None
    if isinstance(error, dict):
        return _error_value_checks(notation, error, name)
    instance = value.get("$instance") if isinstance(value, dict) and len(value) == 1 else None
    if isinstance(instance, dict) and instance.get("class"):
        checks.append(notation.equal(f"{name}.constructor.name", text_literal(str(instance["class"]))))
    expected, has_classes = _expected(value)
    if not is_whole or expected is None or len(literal(expected)) > _MAX_LENGTH:
        return checks or [_type_check(notation, value, name)]
    equal = notation.loose_equal if has_classes else notation.deep_equal
    return [*checks, equal(name, literal(expected))]


def _error_value_checks(notation: Notation, error: dict[str, Json], name: str) -> list[str]:
    checks = [notation.equal(f"{name}.constructor.name", text_literal(str(error.get("name"))))]
    message = error.get("message")
    return [*checks, notation.equal(f"{name}.message", text_literal(message))] if isinstance(message, str) else checks


def _is_scalar(value: Json) -> bool:
    if isinstance(value, dict):
        return len(value) == 1 and next(iter(value)) in ("$undefined", "$number", "$bigint")
    return not isinstance(value, list)


def _type_check(notation: Notation, value: Json, name: str) -> str:
    if isinstance(value, list):
        return notation.equal(f"Array.isArray({name})", "true")
    if isinstance(value, str):
        return notation.equal(f"typeof {name}", "'string'")
    kinds = {"function": "function", "symbol": "symbol"}
    opaque = value.get("$opaque") if isinstance(value, dict) else None
    return notation.equal(f"typeof {name}", f"'{kinds.get(str(opaque), 'object')}'")


def _expected(value: Json) -> tuple[Json | None, bool]:
    """Returns the value with plain objects for instances, and whether there are any; None if it has no literal."""
    if isinstance(value, list):
        parts = [_expected(item) for item in value]
        return _joined([part for part, _ in parts], value), any(has for _, has in parts)
    if not isinstance(value, dict):
        return value, False
    if len(value) == 1:
        key, held = next(iter(value.items()))
        if key in ("$opaque", "$function", "$error"):
            return None, False
        if key in ("$instance", "$bare"):
            members = held["members"] if key == "$instance" else held
            inner, _ = _expected_members(members)
            return inner, True
        if key in ("$map", "$set"):
            inner, has_classes = _expected(held)
            return (None if inner is None or has_classes else value), False
        if key.startswith("$") and key != "$":
            return value, False
    return _expected_members(value)


def _expected_members(members: dict[str, Json]) -> tuple[Json | None, bool]:
    parts = {key: _expected(member) for key, member in members.items()}
    if any(part is None and members[key] is not None for key, (part, _) in parts.items()):
        return None, False
    return {key: part for key, (part, _) in parts.items()}, any(has for _, has in parts.values())


def _joined(parts: list[Json | None], values: list[Json]) -> Json | None:
    if any(part is None and value is not None for part, value in zip(parts, values, strict=True)):
        return None
    return parts


def thrown_checks(notation: Notation, thrown: Thrown, *, is_same: bool = True) -> list[str]:
    """Returns statements about `error`, which a call threw. is_same: whether all runs threw one with the same text."""
    if not thrown.is_error:
        if not is_same:
            return [notation.equal("typeof error", text_literal(thrown.name))]
        return [notation.equal("String(error)", text_literal(thrown.message))]
    which = "error.constructor.name" if thrown.has_own_name else "error.name"
    checks = [notation.equal(which, text_literal(thrown.name))]
    said = thrown.message[:SHOWN_CHARS] if len(thrown.message) > LONG_MESSAGE else thrown.message
    # An empty message may stand for one that is no text, such as that of `this.message = message` without an argument.
    quoting = None if thrown.is_on_purpose else _QUOTING_ENDS.search(said) or _QUOTING_BEGINS.match(said)
    if is_same and quoting is not None:
        asked = "startsWith" if quoting.re is _QUOTING_BEGINS else "endsWith"
        checks.append(notation.equal(f"error.message.{asked}({text_literal(quoting[0])})", "true"))
    elif is_same and said and HALF_CHARACTER not in said:
        # The host cuts messages, and nobody reads an expression of thousands of characters.
        shown = "" if said == thrown.message else f".slice(0, {len(said.encode('utf-16-le')) // 2})"
        checks.append(notation.equal(f"error.message{shown}", text_literal(said)))
    return checks
