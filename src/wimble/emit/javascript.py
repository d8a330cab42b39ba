"""Writes values as JavaScript source, which is exact for all values and idiomatic if possible."""

from __future__ import annotations

import base64
import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from wimble.emit.reference_sources import Reference, RequestTemplate, SignedToken, Text
from wimble.emit.value_literals import Literals
from wimble.types import Json

LINE_WIDTH = 100
MAX_SAFE_INTEGER = 2**53 - 1
_SHORT_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_IDENTIFIER = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*\Z")


class JsResponse(NamedTuple):
    """The name of the variable that holds the response to a call, and the expression for its JSON body."""

    name: str
    json: str


def js_string(text: str) -> str:
    """Returns a string literal, in double quotes if that saves escapes."""
    quote = '"' if "'" in text and '"' not in text else "'"
    return quote + "".join("\\" + quote if char == quote else _escaped(char) for char in text) + quote


def _escaped(char: str) -> str:
    if char in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[char]
    if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
        code = ord(char)
        return f"\\u{code:04x}" if code <= 0xFFFF else f"\\u{{{code:x}}}"
    return char


def js_text(text: Text, responses: Sequence[JsResponse], *, encode: bool = False) -> str:
    """Returns an expression for a text with references: a string literal, or a template literal.

    encode: whether referenced strings are percent-encoded, as in a path or a form.
    """
    if len(text) == 1 and isinstance(text[0], str):
        return js_string(text[0])
    out = []
    for part in text:
        if isinstance(part, str):
            plain = "".join(_escaped(char) for char in part)
            out.append(plain.replace("`", "\\`").replace("${", "\\${"))
        else:
            value = js_reference(part, responses)
            is_encoded = encode and part.is_text and not part.cookie
            out.append(f"${{encodeURIComponent({value})}}" if is_encoded else f"${{{value}}}")
    return "`" + "".join(out) + "`" if text else "''"


def js_reference(reference: Reference | SignedToken, responses: Sequence[JsResponse]) -> str:
    """Returns an expression for a referenced value. responses: one for each call of the test."""
    if isinstance(reference, SignedToken):
        marks = {mark: js_reference(one, responses) for mark, one in reference.marks.items()}
        claims = " ".join(line.strip() for line in js_value(reference.claims, marks=marks).splitlines())
        return f"sut.jwt({js_string(reference.key)}, {claims})"
    response = responses[reference.call]
    if reference.header == "location":
        return f"sut.lastSegment({response.name}.headers.location)"
    if reference.cookie:
        return f"sut.cookie({response.name}.headers, {js_string(reference.cookie)})"
    if reference.field:
        return f"sut.field({response.name}.text, {js_string(reference.field)})"
    if reference.header:
        return js_access(f"{response.name}.headers", (reference.header,))
    return js_access(response.json, reference.pointer)


def js_access(base: str, pointer: Sequence[str | int]) -> str:
    """Returns an expression such as `base.items[0]['odd key']`."""
    for step in pointer:
        if isinstance(step, int):
            base += f"[{step}]"
        elif _IDENTIFIER.match(step):
            base += f".{step}"
        else:
            base += f"[{js_string(step)}]"
    return base


def js_value(value: Json, indent: str = "", *, column: int = 0, marks: dict[str, str] | None = None) -> str:
    """Returns a JSON value as a literal, on several lines if it is long.

    marks: strings, and digits of integers, that are replaced by expressions. column: the column at which the literal
    starts.
    """
    return _LITERALS.text(value, marks or {}, indent, column=column)


def _scalar(value: Json, marks: Mapping[str, str]) -> str:
    if isinstance(value, str):
        return marks.get(value) or js_string(value)
    if isinstance(value, float):
        return _float(value)
    text = json.dumps(value)
    return marks.get(text) or text


def _float(value: float) -> str:
    """Returns the literal of a number, as JavaScript prints it."""
    if value.is_integer() and abs(value) < 1e15:
        return "-0" if str(value) == "-0.0" else str(int(value))
    return repr(value)


def _key(key: str) -> str:
    if key == "__proto__":
        return "['__proto__']"  # a plain key would set the prototype
    return key if _IDENTIFIER.match(key) else js_string(key)


_LITERALS = Literals(LINE_WIDTH, "  ", _key, _scalar, ("{ ", " }"))


def js_json_body(template: RequestTemplate) -> Json:
    """Returns the JSON value for which `JSON.stringify` returns exactly the observed body; None for other bodies."""
    value = template.json_value()
    return value if _survives_javascript(value) else None


def _survives_javascript(value: Json) -> bool:
    """Returns whether JavaScript writes the value with the same numbers and the same order of keys."""
    if isinstance(value, dict):
        # JavaScript moves keys that look like array indexes to the front.
        return all(not key.isdigit() and _survives_javascript(item) for key, item in value.items())
    if isinstance(value, list):
        return all(_survives_javascript(item) for item in value)
    if isinstance(value, float):
        return not value.is_integer() and 1e-6 <= abs(value) < 1e15
    if isinstance(value, int):
        return abs(value) <= MAX_SAFE_INTEGER
    return True


def js_body(template: RequestTemplate, responses: Sequence[JsResponse]) -> str:
    """Returns an expression for a body that is not written as a JSON value: a string or a Buffer."""
    if isinstance(template.body, bytes):
        return f"Buffer.from({js_string(base64.b64encode(template.body).decode())}, 'base64')"
    assert template.body is not None
    if template.is_json:
        return _json_text(template.body, responses)
    return js_text(template.body, responses, encode=template.is_form)


def _json_text(text: Text, responses: Sequence[JsResponse]) -> str:
    """Returns an expression for a JSON text with references."""
    if len(text) == 1:
        return js_text(text, responses)
    out = []
    for part in text:
        if isinstance(part, str):
            out.append("".join(_escaped(char) for char in part).replace("`", "\\`").replace("${", "\\${"))
        else:
            # The text around the reference contains the quotes of a string.
            inner = ".slice(1, -1)" if part.is_text else ""
            out.append(f"${{JSON.stringify({js_reference(part, responses)}){inner}}}")
    return "`" + "".join(out) + "`"
