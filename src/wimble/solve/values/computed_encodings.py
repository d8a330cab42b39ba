"""Values of operations on encoded texts: bytes, JSON, URLs; as JavaScript computes them."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import quote, unquote, unquote_to_bytes, urlsplit

from wimble.base64url import to_base64url
from wimble.solve.path_conditions import NoValue, Scalar
from wimble.solve.patterns.utf16 import to_units
from wimble.solve.values.computed_texts import real_text

COMPONENT_SAFE: Final = "-_.!~*'()"
URI_SAFE: Final = COMPONENT_SAFE + ";/?:@&=+$,#"


def _bytes_of_base64(text: str) -> str:
    digits = re.sub(r"[^A-Za-z0-9+/]", "", text.replace("-", "+").replace("_", "/").split("=")[0])
    digits = digits[:-1] if len(digits) % 4 == 1 else digits
    return base64.b64decode(digits + "=" * (-len(digits) % 4)).decode("latin-1")


def _base64(text: str) -> str:
    return base64.b64encode(text.encode("latin-1")).decode("ascii")


def _bytes_of_hex(text: str) -> str:
    found = re.match(r"(?:[0-9a-fA-F]{2})*", text)
    return bytes.fromhex(found.group() if found else "").decode("latin-1")


def _json_member(text: str, pointer: str) -> Scalar:
    value = json.loads(text)
    for step in pointer.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        value = value[int(key)] if isinstance(value, list) else value[key]
    if not isinstance(value, (str, int, float)):
        raise NoValue("not a scalar")
    return to_units(value) if isinstance(value, str) else value


def _decoded(text: str) -> str:
    if re.search(r"%(?![0-9a-fA-F]{2})", text):
        raise NoValue("URIError")
    return to_units(unquote_to_bytes(text).decode())


def _encoded(safe: str) -> Callable[[str], str]:
    return lambda text: quote(real_text(text), safe=safe)


def _parameter(text: str, name: str, number: float = 0) -> str:
    """Returns `new URLSearchParams(text).getAll(name)[number]`."""
    pairs = (pair.partition("=") for pair in text.removeprefix("?").split("&"))
    values = [value for key, _, value in pairs if unquote(key.replace("+", " ")) == name]
    if number >= len(values):
        raise NoValue("no such parameter")
    return to_units(unquote(values[int(number)].replace("+", " ")))


def _url_part(text: str, part: str) -> str:
    """Returns a part of `new URL(text)`, for plain URLs of HTTP."""
    plain = text.strip()
    if re.fullmatch(r"(?i)https?://[\w.:-]+(?:[/?#][\x21-\x7e]*)?", plain) is None:
        raise NoValue("not a plain URL")
    found = urlsplit(plain)
    scheme = found.scheme.lower()
    port = "" if found.port is None or found.port == {"http": 80, "https": 443}[scheme] else str(found.port)
    host = (found.hostname or "").lower()
    values = {
        "protocol": f"{scheme}:", "hostname": host, "port": port, "host": f"{host}:{port}" if port else host,
        "pathname": found.path or "/", "search": f"?{found.query}" if found.query else "",
        "hash": f"#{found.fragment}" if found.fragment else "",
        "origin": f"{scheme}://{host}:{port}" if port else f"{scheme}://{host}",
    }  # fmt: skip
    return values[part]


_OF_BYTES: Final[dict[str, Callable[[bytes], str]]] = {
    "hex": bytes.hex,
    "latin1": lambda raw: raw.decode("latin-1"),
    "base64": lambda raw: base64.b64encode(raw).decode("ascii"),
    "base64url": to_base64url,
}


def _digest(text: str, algorithm: str, encoding: str) -> str:
    """Returns the hash of bytes."""
    return _OF_BYTES[encoding](hashlib.new(algorithm, text.encode("latin-1"), usedforsecurity=False).digest())


ENCODING_OPERATIONS: Final[dict[str, Callable[..., Any]]] = {
    "fromBase64": _bytes_of_base64,
    "toBase64": _base64,
    "fromHex": _bytes_of_hex,
    "fromUtf8": lambda text: to_units(text.encode("latin-1").decode("utf-8", "replace")),
    "toBase64Url": lambda text: _base64(text).translate({43: "-", 47: "_", 61: None}),
    "toHex": lambda text: text.encode("latin-1").hex(),
    "digest": _digest,
    "jsonMember": _json_member,
    "encodeURIComponent": _encoded(COMPONENT_SAFE),
    "encodeURI": _encoded(URI_SAFE),
    "decodeURIComponent": _decoded,
    "parameter": _parameter,
    "urlPart": _url_part,
}
