"""The values that a call sends, by location and name of the input, as the inferred document lists them."""

from __future__ import annotations

from collections.abc import Sequence

from wimble.genes.gene import Resolver
from wimble.genes.undeclared import FileText
from wimble.http.binding import HttpBinding
from wimble.http.bodies import form_of
from wimble.http.declarations import BodyForm, HttpInput, Location
from wimble.model.testcase import Call
from wimble.types import ABSENT, Json

Key = tuple[Location, str]
"""Location and name of an input; the name of a body is empty."""


def sent_values(call: Call, resolve: Resolver) -> dict[Key, tuple[Json, str]]:
    """Returns value and media type of each input that the call sends; the media type of a parameter is empty."""
    found: dict[Key, tuple[Json, str]] = {}
    # The last gene may be that of credentials, which is no input of the document.
    for given, gene in zip(http_inputs(call), call.genes, strict=False):
        value = gene.phenotype(resolve)
        if value is ABSENT:
            continue
        if given.location == "body":
            form = form_of(given, gene)
            found["body", ""] = (_with_file_texts(value, form), form.media_type)
        elif is_room(given):
            found |= {(given.location, name): (one, "") for name, one in value.items()}
        else:
            found[given.location, given.name] = (value, "")
    named, _ = found.get(("header", "content-type"), ("", ""))
    if ("body", "") in found and isinstance(named, str) and named:
        found["body", ""] = (found["body", ""][0], named.partition(";")[0].strip().lower())
    return found


def is_room(given: HttpInput) -> bool:
    """Whether it is the room for inputs of a location that no document declares, other than a body."""
    return given.is_undeclared and given.location != "body"


def http_inputs(call: Call) -> Sequence[HttpInput]:
    """Returns the inputs of a call of an operation over HTTP."""
    binding = call.operation.binding
    assert isinstance(binding, HttpBinding)
    return binding.inputs


def _with_file_texts(value: Json, form: BodyForm) -> Json:
    """Returns a form with a `FileText` for each field that is sent as a file."""
    files = {name: part for name, part in form.parts if part.is_file}
    if not files or not isinstance(value, dict):
        return value
    return {
        name: FileText.of(member, "", files[name].content_type) if name in files and isinstance(member, str) else member
        for name, member in value.items()
    }


def key_of(given: HttpInput) -> Key:
    """Returns location and name of an input."""
    return (given.location, "" if given.location == "body" else given.name)


def left_out(call: Call, sent: dict[Key, tuple[Json, str]]) -> list[Key]:
    """Returns the inputs that a call does not send, but for those that no document declares."""
    return [key for given in http_inputs(call) if not is_room(given) and (key := key_of(given)) not in sent]


def read_text(value: Json) -> Json:
    """Returns the value that a text stands for: a number or a boolean; otherwise the text itself."""
    if isinstance(value, list):
        return [read_text(element) for element in value]
    if isinstance(value, dict):
        return {key: read_text(member) for key, member in value.items()}
    if not isinstance(value, str):
        return value
    if value in ("true", "false"):
        return value == "true"
    if value[:1].isdigit() or value[:1] == "-":
        return _number(value)
    return value


def _number(text: str) -> Json:
    """Returns the number if the text is one as programs write it, without leading zeros; else the text."""
    digits = text.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) < 16 and (digits == "0" or digits[0] != "0"):
        return int(text)
    whole, dot, fraction = digits.partition(".")
    is_number = dot and whole.isdigit() and fraction.isdigit() and len(digits) < 18 and digits.isascii()
    return float(text) if is_number else text
