"""Encodings between input and operand, in both directions, and values decoded from inputs (*views*).

A view is a value that the SUT gets by decoding an input: a leaf of a JSON text, or the text that base64 after `Basic `
encodes. Operands are recognised in views in the same way as in inputs.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterator
from itertools import chain, islice
from urllib.parse import quote, unquote, unquote_plus

import msgspec

from wimble.base64url import to_base64url
from wimble.feedback.input_to_state.transforms.transform import (
    CHANGED_COST,
    NOTHING,
    Inverse,
    Nothing,
    Step,
    text_inverse,
)
from wimble.json_texts import held_json
from wimble.model.operands import DateValue, Operand, to_text
from wimble.types import ABSENT, Absent, Json

MIN_CODED_LENGTH = 3
"""Minimum number of characters: shorter texts look encoded by chance."""
MAX_VIEWS = 40
"""Maximum number of views of one input."""
_URL_SAFE = "!'()*-._~"
_BASE64_RUN = re.compile(r"[A-Za-z0-9+/_-]{4,}={0,2}|[A-Za-z0-9+/_-]{3}=|[A-Za-z0-9+/_-]{2}==")
_NO_BASE64 = re.compile(r"[^A-Za-z0-9+/_-]")
"""Characters that lenient decoders skip."""
_QUERY = re.compile(r"(?<![^?&;])([^=&?;/]+)=([^&;#]*)")


class Coding(msgspec.Struct, frozen=True):
    """A reversible encoding of text. `could_encode(plain, encoded)` is a fast test that excludes nearly all pairs."""

    name: str
    encode: Callable[[str], str]
    decode: Callable[[str], str | None]
    could_encode: Callable[[str, str], bool]


class View(msgspec.Struct, frozen=True, eq=False):
    """`value` is the decoded value; `inverse` returns the input with another value encoded in its place."""

    how: str
    value: Json
    inverse: Inverse


def coded(own: Json, operand: Operand, *, text_of: Callable[[Json], str]) -> Iterator[Step]:
    """Yields codings by which the operand is the encoded or decoded input."""
    text = text_of(own)
    if not isinstance(operand, str) or len(text) < MIN_CODED_LENGTH or len(operand) < MIN_CODED_LENGTH:
        return
    for coding in CODINGS:
        if coding.could_encode(text, operand) and coding.encode(text) == operand:
            yield Step(CHANGED_COST, f"{coding.name} encoded", text_inverse(coding.decode))
        elif coding.could_encode(operand, text) and coding.decode(text) == operand:
            yield Step(CHANGED_COST, f"{coding.name} decoded", text_inverse(coding.encode))


def iter_views(text: str) -> Iterator[View]:
    """Yields the decoded forms of `text`; none for texts that do not look encoded."""
    yield from islice(chain(_json_views(text), _coded_views(text), _query_views(text)), MAX_VIEWS)


def iter_documents(text: str) -> Iterator[tuple[Json, Callable[[Json], str]]]:
    """Yields JSON documents that are encoded in `text`, such as cursors and tokens.

    Each comes with a function that returns the text with another document in its place.
    """
    for run in _BASE64_RUN.finditer(text):
        # A last character on its own holds no byte.
        encoded = run.group()[:-1] if len(run.group()) % 4 == 1 else run.group()
        document = parsed_json(_from_base64(encoded) or _from_base64url(encoded) or "")
        if document is not None:
            yield document, _rewritten(text, run, _to_base64_like(run))
    if "%7B" in text and isinstance(document := parsed_json(unquote(text)), dict):
        yield document, lambda new: quote(_written_json(new), safe=_URL_SAFE)


def _rewritten(text: str, run: re.Match[str], encode: Callable[[str], str]) -> Callable[[Json], str]:
    return lambda new: text[: run.start()] + encode(_written_json(new)) + text[run.end() :]


def _written_json(document: Json) -> str:
    return json.dumps(document, separators=(",", ":"))


def parsed_json(text: str) -> Json:
    """Returns the document that a text holds; None if it is no JSON."""
    held = held_json(text)
    return None if held is ABSENT else held


def chained(outer: Inverse, inner: Inverse) -> Inverse:
    """Returns the inverse for a value within a value that `outer` encodes."""

    def inverse(wanted: Operand) -> Json | Nothing:
        value = inner(wanted)
        return value if isinstance(value, Nothing) else outer(value)

    return inverse


def _json_views(text: str) -> Iterator[View]:
    if text.strip()[:1] not in ("{", "["):
        return
    document = parsed_json(text)
    for path, value in _leaves(document, ()) if isinstance(document, (dict, list)) else ():
        yield View("in its JSON", value, _json_inverse(document, path))


def _leaves(value: Json, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], Json]]:
    if len(path) > 8:
        return
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if items is None:
        yield path, value
        return
    for key, item in items:
        yield from _leaves(item, (*path, key))


def _json_inverse(document: Json, path: tuple[str | int, ...]) -> Inverse:
    def inverse(wanted: Operand) -> Json | Nothing:
        if isinstance(wanted, DateValue):
            return NOTHING
        return _written_json(_with_leaf(document, path, wanted))

    return inverse


def _with_leaf(value: Json, path: tuple[str | int, ...], new: Json | Absent) -> Json:
    if not path:
        return None if new is ABSENT else new
    copy = value.copy()
    if len(path) == 1 and new is ABSENT:
        del copy[path[0]]
    else:
        copy[path[0]] = _with_leaf(value[path[0]], path[1:], new)
    return copy


def _coded_views(text: str) -> Iterator[View]:
    if "%" in text or "+" in text:
        for name, decode in (("percent", unquote), ("form", unquote_plus)):
            decoded = decode(text)
            if decoded != text:
                yield View(f"{name} decoded", decoded, text_inverse(lambda wanted: quote(wanted, safe=_URL_SAFE)))
                twice = unquote(decoded)
                if twice != decoded:
                    yield View(
                        "percent decoded twice",
                        twice,
                        text_inverse(lambda wanted: quote(quote(wanted, safe=_URL_SAFE), safe=_URL_SAFE)),
                    )
                break
    for run in _BASE64_RUN.finditer(text):
        decoded_run = _printable(_from_base64(run.group()) or _from_base64url(run.group()))
        if decoded_run is not None:
            encode = _around(text[: run.start()], text[run.end() :], _to_base64_like(run))
            yield View("base64 decoded", decoded_run, encode)
            for view in _json_views(decoded_run):
                yield View(f"base64 decoded, {view.how}", view.value, chained(encode, view.inverse))
    read = _NO_BASE64.sub("", text)
    # A last character on its own holds no byte.
    read = read[:-1] if len(read) % 4 == 1 else read
    if read != text.rstrip("=") and (loose := _printable(_from_base64url(read))) is not None:
        yield View("leniently decoded base64", loose, text_inverse(_to_base64))
    if len(text) >= 4 and (from_hex := _printable(_from_hex(text))) is not None:
        yield View("hex decoded", from_hex, text_inverse(lambda wanted: wanted.encode().hex()))


def _query_views(text: str) -> Iterator[View]:
    """Yields values of a query string or form."""
    for found in _QUERY.finditer(text):
        start, end = found.span(2)
        yield View(
            "a query value in it",
            unquote_plus(found.group(2)),
            _around(text[:start], text[end:], lambda wanted: quote(wanted, safe=_URL_SAFE)),
        )


def _around(before: str, after: str, encode: Callable[[str], str]) -> Inverse:
    def inverse(wanted: Operand) -> Json | Nothing:
        if wanted is ABSENT or wanted is None or isinstance(wanted, DateValue):
            return NOTHING
        return before + encode(to_text(wanted)) + after

    return inverse


def _printable(text: str | None) -> str | None:
    return text if text and text.isprintable() else None


def _to_base64(text: str) -> str:
    return base64.b64encode(text.encode("utf-8", "replace")).decode()


def _to_base64url(text: str) -> str:
    return to_base64url(text.encode("utf-8", "replace"))


def _to_base64_like(run: re.Match[str]) -> Callable[[str], str]:
    """Returns an encoder to base64 in the form of the given part of a text.

    The form is either the URL's alphabet without padding, or the usual alphabet with padding. Parts of a token, between
    dots, have the former (RFC 7515), whatever their length.
    """
    coded, text = run.group(), run.string
    is_of_token = text[run.end() : run.end() + 1] == "." or text[: run.start()].endswith(".")
    is_of_url = is_of_token or "-" in coded or "_" in coded or len(coded) % 4
    return _to_base64url if is_of_url else _to_base64


def _from_base64(text: str) -> str | None:
    try:
        return base64.b64decode(text, validate=True).decode()
    except (binascii.Error, ValueError):
        return None


def _from_base64url(text: str) -> str | None:
    return _from_base64(text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4))


def _from_any_text(text: str) -> str | None:
    """Decodes base64 that is not well-formed, as lenient decoders do.

    It ends at the first `=`, skips characters that it cannot read, and writes U+FFFD for bytes that are no UTF-8.
    Returns None if nothing can be decoded.
    """
    read = _NO_BASE64.sub("", text.partition("=")[0])
    read = read[:-1] if len(read) % 4 == 1 else read  # a last character on its own holds no byte
    try:
        return base64.b64decode(read + "=" * (-len(read) % 4), altchars=b"-_").decode("utf-8", "replace")
    except binascii.Error:
        return None


def _from_hex(text: str) -> str | None:
    try:
        return bytes.fromhex(text).decode()
    except ValueError:
        return None


def _from_json(text: str) -> str | None:
    try:
        return msgspec.json.decode(text, type=str)
    except (msgspec.DecodeError, UnicodeError):
        return None


def _to_json(text: str) -> str:
    return msgspec.json.encode(text.encode("utf-8", "replace").decode()).decode()


def _to_percent(text: str) -> str:
    return quote(text, safe=_URL_SAFE, errors="replace")


CODINGS = (
    Coding(
        "base64",
        _to_base64,
        _from_base64,
        lambda plain, encoded: len(encoded) % 4 == 0 and len(encoded) > len(plain) * 4 / 3 - 1,
    ),
    Coding(
        "base64url",
        _to_base64url,
        _from_base64url,
        lambda plain, encoded: len(encoded) == -(-len(plain.encode("utf-8", "replace")) * 4 // 3),
    ),
    Coding(
        "hex",
        lambda text: text.encode("utf-8", "replace").hex(),
        _from_hex,
        lambda plain, encoded: len(encoded) >= 2 * len(plain),
    ),
    Coding("percent", _to_percent, unquote, lambda plain, encoded: "%" in encoded),
    Coding(
        "form", lambda text: _to_percent(text).replace("%20", "+"), unquote_plus, lambda plain, encoded: "+" in encoded
    ),
    Coding(
        "percent twice",
        lambda text: _to_percent(_to_percent(text)),
        lambda text: unquote(unquote(text)),
        lambda plain, encoded: "%25" in encoded,
    ),
    Coding(
        "malformed base64",
        _to_base64,
        _from_any_text,
        lambda plain, encoded: "\ufffd" in plain or not plain.isprintable(),
    ),
    Coding("JSON", _to_json, _from_json, lambda plain, encoded: encoded[0] == encoded[-1] == '"'),
)
