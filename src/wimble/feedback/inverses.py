"""Inverses: from the value an operand is wanted to have to the value of the input it came from.

Each function takes what was seen (the input, the operand, what stood around) and answers the inverse.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Iterator
from urllib.parse import quote, unquote

import msgspec

from wimble.feedback.values import DateValue, Operand, from_time, is_number, to_text, to_time
from wimble.types import ABSENT, Absent, Json

MAX_WANTED_LENGTH = 5_000
"""Characters: a longer string costs more than it finds."""
MIN_CODED_LENGTH = 3
"""Characters; shorter texts look encoded by chance."""


class Nothing:
    """The type of NOTHING: no value of the site gives the wanted operand."""


NOTHING = Nothing()
Inverse = Callable[[Operand], Json | Absent | Nothing]


def identity(wanted: Operand) -> Json | Absent | Nothing:
    return NOTHING if isinstance(wanted, DateValue) else wanted


def text_inverse(convert: Callable[[str], str | None]) -> Inverse:
    def inverse(wanted: Operand) -> Json | Nothing:
        value = convert(wanted) if isinstance(wanted, str) else None
        return NOTHING if value is None else value

    return inverse


def case_inverse(own: str, operand: str) -> Inverse:
    """The wanted text itself, if it survives the change of case that was seen."""
    is_lower = operand == operand.lower() and own != own.lower()
    is_upper = operand == operand.upper() and own != own.upper()

    def inverse(wanted: Operand) -> Json | Nothing:
        if not isinstance(wanted, str):
            return identity(wanted)
        if (is_lower and wanted != wanted.lower()) or (is_upper and wanted != wanted.upper()):
            return NOTHING
        return wanted

    return inverse


def template_inverse(before: str, after: str) -> Inverse:
    def inverse(wanted: Operand) -> Json | Nothing:
        if not isinstance(wanted, str) or len(wanted) < len(before) + len(after):
            return NOTHING
        if not wanted.startswith(before) or not wanted.endswith(after):
            return NOTHING
        return wanted[len(before) : len(wanted) - len(after)]

    return inverse


def part_inverse(before: str, after: str) -> Inverse:
    def inverse(wanted: Operand) -> Json | Nothing:
        if wanted is ABSENT or wanted is None or isinstance(wanted, DateValue):
            return NOTHING
        return before + to_text(wanted) + after

    return inverse


def digits_inverse(text: str, span: tuple[int, int]) -> Inverse:
    start, end = span

    def inverse(wanted: Operand) -> Json | Nothing:
        if not is_number(wanted) or wanted < 0 or wanted != int(wanted):
            return NOTHING
        return text[:start] + str(int(wanted)).zfill(end - start) + text[end:]

    return inverse


def time_inverse(text: str) -> Inverse:
    def inverse(wanted: Operand) -> Json | Nothing:
        ms = wanted.ms if isinstance(wanted, DateValue) else to_time(wanted) if isinstance(wanted, str) else wanted
        moment = from_time(ms, text) if is_number(ms) else None
        return NOTHING if moment is None else moment

    return inverse


def ms_inverse(wanted: Operand) -> Json | Nothing:
    return wanted.ms if isinstance(wanted, DateValue) else wanted if is_number(wanted) else NOTHING


def length_inverse(text: str) -> Inverse:
    def inverse(wanted: Operand) -> Json | Nothing:
        if not is_number(wanted) or wanted != int(wanted) or not 0 <= wanted <= MAX_WANTED_LENGTH:
            return NOTHING
        if wanted <= len(text):
            return text[: int(wanted)]
        # What is there is repeated: it meets the same validators.
        filling = text if text.isascii() and text else "a"
        return (text + filling * int(wanted))[: int(wanted)]

    return inverse


def linear_inverse(factor: float, offset: float) -> Inverse:
    """For operand = factor * site + offset."""

    def inverse(wanted: Operand) -> Json | Nothing:
        if not is_number(wanted):
            return NOTHING
        value = (wanted - offset) / factor
        if factor * value + offset != wanted:
            return NOTHING
        return int(value) if float(value).is_integer() else value

    return inverse


def coding_inverses(own: str, operand: str) -> Iterator[tuple[str, Inverse]]:
    """Encodings between the input and the operand."""
    if len(own) < MIN_CODED_LENGTH or len(operand) < MIN_CODED_LENGTH:
        return
    for coding in _CODINGS:
        if coding.could_encode(own, operand) and coding.encode(own) == operand:
            yield f"{coding.name} encoded", text_inverse(coding.decode)
        elif coding.could_encode(operand, own) and coding.decode(own) == operand:
            yield f"{coding.name} decoded", text_inverse(coding.encode)


def _from_base64(text: str) -> str | None:
    try:
        return base64.b64decode(text, validate=True).decode()
    except (binascii.Error, ValueError):
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


class Coding(msgspec.Struct, frozen=True):
    """A reversible encoding of text. `could_encode(plain, encoded)` is a cheap test that sorts out nearly all pairs."""

    name: str
    encode: Callable[[str], str]
    decode: Callable[[str], str | None]
    could_encode: Callable[[str, str], bool]


_CODINGS = (
    Coding(
        "base64",
        lambda text: base64.b64encode(text.encode("utf-8", "replace")).decode(),
        _from_base64,
        lambda plain, encoded: len(encoded) % 4 == 0 and len(encoded) > len(plain) * 4 / 3 - 1,
    ),
    Coding(
        "hex",
        lambda text: text.encode("utf-8", "replace").hex(),
        _from_hex,
        lambda plain, encoded: len(encoded) >= 2 * len(plain),
    ),
    Coding(
        "percent",
        lambda text: quote(text, safe="!'()*-._~", errors="replace"),
        unquote,
        lambda plain, encoded: "%" in encoded,
    ),
    Coding(
        "JSON",
        lambda text: msgspec.json.encode(text.encode("utf-8", "replace").decode()).decode(),
        _from_json,
        lambda plain, encoded: encoded[0] == encoded[-1] == '"',
    ),
)
