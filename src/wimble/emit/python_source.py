"""Writes values as Python source, which is exact for all values and idiomatic if possible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wimble.emit.reference_sources import Reference, RequestTemplate, SignedToken, Text
from wimble.emit.value_literals import Literals
from wimble.types import Json

LINE_WIDTH = 110


def py_string(text: str) -> str:
    """Returns a string literal, in double quotes if that needs no escapes (as formatters do)."""
    literal = repr(text)
    if literal.startswith("'") and '"' not in text:
        return f'"{literal[1:-1]}"' if "\\'" not in literal else literal
    return literal


def py_value(value: Json, indent: str = "", *, column: int = 0, marks: dict[str, str] | None = None) -> str:
    """Returns a JSON value as a literal, on several lines if it is long.

    marks: strings, and digits of integers, that are replaced by expressions. column: the column at which the literal
    starts.
    """
    return _LITERALS.text(value, marks or {}, indent, column=column)


def _scalar(value: Json, marks: Mapping[str, str]) -> str:
    if isinstance(value, str):
        return marks.get(value) or py_string(value)
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return f'float("{value}")'
    text = repr(value)
    return marks.get(text) or text


_LITERALS = Literals(LINE_WIDTH, "    ", py_string, _scalar, ("{", "}"))


def py_reference(reference: Reference | SignedToken, names: Sequence[str]) -> str:
    """Returns an expression for a referenced value. names: the variable of each call's response."""
    if isinstance(reference, SignedToken):
        marks = {mark: py_reference(one, names) for mark, one in reference.marks.items()}
        claims = " ".join(line.strip() for line in py_value(reference.claims, marks=marks).splitlines())
        return f"jwt({py_string(reference.key)}, {claims})"
    if reference.header == "location":
        return f'last_segment({names[reference.call]}.headers["location"])'
    if reference.cookie:
        return f"cookie({names[reference.call]}.headers, {py_string(reference.cookie)})"
    if reference.field:
        return f"field({names[reference.call]}.text, {py_string(reference.field)})"
    if reference.header:
        return f"{names[reference.call]}.headers[{py_string(reference.header)}]"
    return py_access(f"{names[reference.call]}.json", reference.pointer)


def py_access(base: str, pointer: Sequence[str | int]) -> str:
    """Returns an expression such as `base["items"][0]`."""
    return base + "".join(f"[{step}]" if isinstance(step, int) else f"[{py_string(step)}]" for step in pointer)


def py_text(text: Text, names: Sequence[str], *, encode: bool = False) -> str:
    """Returns an expression for a text with references.

    encode: whether referenced strings are percent-encoded, as in a path or a form.
    """
    if len(text) == 1 and isinstance(text[0], str):
        return py_string(text[0])
    pieces = []
    for part in text:
        if isinstance(part, str):
            pieces.append(py_string(part))
        else:
            value = py_reference(part, names)
            is_encoded = encode and part.is_text and not part.cookie
            pieces.append(f'quote({value}, safe="")' if is_encoded else f"str({value})")
    return " + ".join(pieces) or '""'


def py_body(template: RequestTemplate, names: Sequence[str]) -> str:
    """Returns an expression for a body that is not written as a JSON value: a string or bytes."""
    if isinstance(template.body, bytes):
        return repr(template.body)
    assert template.body is not None
    if len(template.body) > 1 and template.is_json:
        return _json_text(template.body, names)
    return py_text(template.body, names, encode=template.is_form)


def _json_text(text: Text, names: Sequence[str]) -> str:
    """Returns an expression for a JSON text with references; the text around a reference has the quotes of a string."""
    pieces = []
    for part in text:
        if isinstance(part, str):
            pieces.append(py_string(part))
        else:
            cut = "[1:-1]" if part.is_text else ""
            pieces.append(f"json.dumps({py_reference(part, names)}){cut}")
    return " + ".join(pieces)
