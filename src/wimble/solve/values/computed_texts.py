"""Values of operations on texts, as JavaScript computes them. Texts are sequences of UTF-16 units."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Any, Final

from wimble.solve.path_conditions import NoValue
from wimble.solve.patterns.utf16 import from_units, to_units
from wimble.solve.values.computed_numbers import SPACES

MAX_TEXT: Final = 5_000


def _at(text: str, index: float) -> str:
    return text[int(index)] if 0 <= index < len(text) else ""


def _from_end(text: str, index: float) -> str:
    position = int(index) + (len(text) if index < 0 else 0)
    return _existing(_at(text, position))


def _existing(text: str) -> str:
    if not text:
        raise NoValue("undefined")
    return text


def _code(text: str, index: float = 0) -> int:
    return ord(_existing(_at(text, index)))


def _code_point(text: str, index: float = 0) -> int:
    first = _code(text, index)
    second = ord(_at(text, index + 1) or " ")
    if 0xD800 <= first < 0xDC00 and 0xDC00 <= second < 0xE000:
        return 0x10000 + ((first - 0xD800) << 10) + second - 0xDC00
    return first


def _slice(text: str, start: float = 0, end: float | None = None) -> str:
    return text[int(start) : len(text) if end is None else int(end)]


def _substring(text: str, start: float = 0, end: float | None = None) -> str:
    ends = sorted(max(0, int(one)) for one in (start, len(text) if end is None else end))
    return text[ends[0] : ends[1]]


def _substr(text: str, start: float = 0, length: float | None = None) -> str:
    first = max(0, len(text) + int(start)) if start < 0 else int(start)
    return text[first : len(text) if length is None else first + max(0, int(length))]


def _index_of(text: str, sought: str, start: float = 0) -> int:
    return text.find(sought, min(max(0, int(start)), len(text)))


def _padding(text: str, width: float, filler: str) -> str:
    missing = int(width) - len(text)
    return (filler * (missing + 1))[:missing] if missing > 0 and filler else ""


def _repeated(text: str, count: float) -> str:
    if count < 0 or count * len(text) > MAX_TEXT:
        raise NoValue("repeat")
    return text * int(count)


def _part(text: str, separator: str, number: float) -> str:
    return text.split(separator)[int(number)]


def real_text(text: str) -> str:
    """Returns the text of UTF-16 units. Raises: NoValue, for half of a surrogate pair."""
    found = from_units(text)
    if found is None:
        raise NoValue("half of a surrogate pair")
    return found


def _compared_by_locale(one: str, other: str) -> int:
    """Returns `localeCompare` for letters and digits of ASCII."""
    if not (one + other).isascii() or not all(char.isalnum() for char in one + other):
        raise NoValue("localeCompare")
    keys = [(text.lower(), text.swapcase()) for text in (one, other)]
    return (keys[0] > keys[1]) - (keys[0] < keys[1])


def _normalized(text: str, form: str) -> str:
    normalize = unicodedata.normalize
    match form:
        case "NFC":
            return to_units(normalize("NFC", real_text(text)))
        case "NFD":
            return to_units(normalize("NFD", real_text(text)))
        case "NFKC":
            return to_units(normalize("NFKC", real_text(text)))
        case "NFKD":
            return to_units(normalize("NFKD", real_text(text)))
    raise NoValue("RangeError")


def _replaced(text: str, sought: str, given: str) -> str:
    return text.replace(sought, given, 1)


TEXT_OPERATIONS: Final[dict[str, Callable[..., Any]]] = {
    "length": len,
    "charAt": _at,
    "at": _from_end,
    "charCodeAt": _code,
    "codePointAt": _code_point,
    "slice": _slice,
    "substring": _substring,
    "substr": _substr,
    "concat": lambda a, b: a + b,
    "indexOf": _index_of,
    "lastIndexOf": lambda text, sought: text.rfind(sought),
    "includes": lambda text, sought, start=0: _index_of(text, sought, start) >= 0,
    "startsWith": lambda text, sought, start=0: text.startswith(sought, min(max(0, int(start)), len(text))),
    "endsWith": lambda text, sought: text.endswith(sought),
    "toLowerCase": str.lower,
    "toUpperCase": str.upper,
    "trim": lambda text: text.strip(SPACES),
    "trimStart": lambda text: text.lstrip(SPACES),
    "trimEnd": lambda text: text.rstrip(SPACES),
    "repeat": _repeated,
    "padStart": lambda text, width, filler: _padding(text, width, filler) + text,
    "padEnd": lambda text, width, filler: text + _padding(text, width, filler),
    "replace": _replaced,
    "replaceAll": lambda text, sought, given: text.replace(sought, given),
    "fromCharCode": lambda code: chr(int(code) % 0x10000),
    "part": _part,
    "parts": lambda text, separator: text.count(separator) + 1,
    "localeCompare": _compared_by_locale,
    "normalize": _normalized,
}
