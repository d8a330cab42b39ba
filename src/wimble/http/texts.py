"""Writes values as text outside of JSON: in paths, queries, headers and forms."""

from __future__ import annotations

import json
import re
from urllib.parse import quote

import msgspec

from wimble.types import Json

_UNSAFE_IN_HEADER = re.compile(r"[^\t\x20-\x7e\x80-\xff]")


def text_of(value: Json) -> str:
    """Returns a value as text: `true`, `null`, `3` for 3.0; objects and arrays as compact JSON."""
    if isinstance(value, str):
        return value
    if value is True:
        return "true"
    if value is False:
        return "false"
    if value is None:
        return "null"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e16 else repr(value)
    if isinstance(value, int):
        return str(value)
    return json_bytes(value).decode()


def json_bytes(value: Json) -> bytes:
    """Returns compact JSON, always the same bytes for the same value.

    Also encodes values that msgspec refuses: large integers, lone surrogates, texts of a class of their own. NaN and
    infinities become null.
    """
    try:
        return msgspec.json.encode(value, enc_hook=_plain_text)
    except (UnicodeEncodeError, OverflowError, msgspec.MsgspecError):
        return json.dumps(without_non_finite(value), separators=(",", ":"), ensure_ascii=True).encode()


def _plain_text(value: object) -> str:
    """Returns a text of a class of its own (the content of a file, in a body that is no form) as a plain one."""
    if isinstance(value, str):
        return str(value)
    raise TypeError(f"{type(value).__name__} is no JSON value")


def without_non_finite(value: Json) -> Json:
    """Returns the value with null for NaN and infinities, as JSON.stringify writes them."""
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, dict):
        return {key: without_non_finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [without_non_finite(item) for item in value]
    return value


def encoded(text: str) -> str:
    """Percent-encodes all but unreserved characters."""
    return quote(text, safe="", errors="replace")


def encoded_value(value: Json) -> str:
    return quote(value if type(value) is str else text_of(value), safe="", errors="replace")


def is_json_type(media_type: str) -> bool:
    essence = media_type.split(";", 1)[0].strip().lower()
    return essence == "application/json" or essence.endswith("+json")


def bracketed(key: str, value: Json) -> list[str]:
    """Returns pairs in the form that `qs` reads, such as `a[b][c]=1`.

    An array repeats its key, but if any of its items is an array or object, each item has its index as a key.
    """
    if isinstance(value, dict):
        return [pair for member, item in value.items() for pair in bracketed(f"{key}%5B{encoded(member)}%5D", item)]
    if isinstance(value, list):
        if any(isinstance(item, (list, dict)) for item in value):
            return [pair for i, item in enumerate(value) for pair in bracketed(f"{key}%5B{i}%5D", item)]
        return [f"{key}={encoded_value(item)}" for item in value]
    return [f"{key}={encoded_value(value)}"]


def joined(value: Json, explode: bool, separator: str) -> str:
    """Returns a value for a parameter style: arrays as `a,b`; objects as `k,v,k,v` or, if exploded, as `k=v,k=v`."""
    if isinstance(value, list):
        return separator.join([encoded_value(item) for item in value])
    if isinstance(value, dict):
        pair = "=" if explode else separator
        return separator.join([f"{encoded(key)}{pair}{encoded_value(item)}" for key, item in value.items()])
    return encoded_value(value)


def safe_header_value(text: str) -> str:
    """Returns `text` as a header value.

    Characters that HTTP clients refuse (control characters, characters beyond Latin-1) become `?`.
    """
    return _UNSAFE_IN_HEADER.sub("?", text).strip(" \t")
