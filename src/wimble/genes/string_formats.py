"""Strings of a format (`format` in OpenAPI and JSON Schema): how to sample and how to check them.

If the format leaves room, sampled values contain a taint marker or an unusual number, by which they are recognised in
the SUT. Each format is one entry in `FORMATS`; a string of any other format is treated as plain.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from datetime import date
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from random import Random

import msgspec

from wimble.base64url import to_base64url
from wimble.genes.taint_markers import taint_marker

FIRST_DAY = date(1970, 1, 1).toordinal()
LAST_DAY = date(2037, 12, 31).toordinal()
"""The range of signed 32-bit Unix time, to which some parsers are still limited."""
ODD_DAYS = ("2024-02-29", "1970-01-01", "1999-12-31", "2038-01-19", "0001-01-01", "9999-12-31")
"""Leap day, epoch, turns of centuries, and ends of ranges."""
ODD_DAY_PROBABILITY = 0.1

_TIME = r"([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)"
_LABEL = r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"


class Format(msgspec.Struct, frozen=True):
    """One format: how to sample a value, and how to check one."""

    draw: Callable[[Random], str]
    is_valid: Callable[[str], bool]


def full_match(pattern: str) -> Callable[[str], bool]:
    """Returns a check whether a whole text matches the pattern."""
    fullmatch = re.compile(pattern, re.ASCII).fullmatch
    return lambda text: fullmatch(text) is not None


def _draw_date(rng: Random) -> str:
    if rng.random() < ODD_DAY_PROBABILITY:
        return rng.choice(ODD_DAYS)
    return date.fromordinal(rng.randint(FIRST_DAY, LAST_DAY)).isoformat()


def _draw_clock(rng: Random) -> str:
    return f"{rng.randrange(24):02}:{rng.randrange(60):02}:{rng.randrange(60):02}"


def _draw_time(rng: Random) -> str:
    return _draw_clock(rng) + rng.choice(("Z", "Z", "+00:00", "+02:00"))


def _draw_date_time(rng: Random) -> str:
    fraction = f".{rng.randrange(1000):03}" if rng.random() < 0.5 else ""
    return f"{_draw_date(rng)}T{_draw_clock(rng)}{fraction}Z"


def _draw_uuid(rng: Random) -> str:
    digits = f"{rng.getrandbits(128):032x}"
    variant = "89ab"[int(digits[16], 16) % 4]
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:]}"


def _draw_ipv6(rng: Random) -> str:
    return str(IPv6Address(rng.getrandbits(128))) if rng.random() < 0.5 else f"2001:db8::{rng.randint(1, 0xFFFF):x}"


def _draw_ipv4(rng: Random) -> str:
    return str(IPv4Address(rng.getrandbits(32)))


def _draw_password(rng: Random) -> str:
    return f"{taint_marker(rng).capitalize()}-{rng.randint(10, 99)}!{taint_marker(rng)}"


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return len(text) == 10


_is_time = full_match(_TIME)


def _is_date_time(text: str) -> bool:
    return _is_date(text[:10]) and text[10:11] in ("T", "t", " ") and _is_time(text[11:].upper())


def _is_base64(text: str) -> bool:
    try:
        base64.b64decode(text, validate=True)
    except ValueError:
        return False
    return True


def _is_ipv4(text: str) -> bool:
    try:
        IPv4Address(text)
    except AddressValueError:
        return False
    return True


def _is_ipv6(text: str) -> bool:
    try:
        IPv6Address(text)
    except AddressValueError:
        return False
    return True


_UUID = full_match(r"[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_EMAIL = full_match(rf"[A-Za-z0-9.!#$%&'*+/=?^_`{{|}}~-]+@{_LABEL}(\.{_LABEL})*")
_HOSTNAME = full_match(rf"{_LABEL}(\.{_LABEL})*")
_URI = full_match(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]+")

FORMATS: dict[str, Format] = {
    "date": Format(_draw_date, _is_date),
    "time": Format(_draw_time, _is_time),
    "date-time": Format(_draw_date_time, _is_date_time),
    "uuid": Format(_draw_uuid, _UUID),
    "email": Format(lambda rng: f"{taint_marker(rng)}@example.com", _EMAIL),
    "uri": Format(lambda rng: f"https://example.com/{taint_marker(rng)}", _URI),
    "url": Format(lambda rng: f"https://example.com/{taint_marker(rng)}", _URI),
    "hostname": Format(lambda rng: f"{taint_marker(rng)}.example.com", _HOSTNAME),
    "ipv4": Format(_draw_ipv4, _is_ipv4),
    "ipv6": Format(_draw_ipv6, _is_ipv6),
    "byte": Format(lambda rng: base64.b64encode(taint_marker(rng).encode()).decode(), _is_base64),
    "binary": Format(lambda rng: taint_marker(rng), lambda text: True),
    "idn-email": Format(lambda rng: f"{taint_marker(rng)}@example.com", lambda text: "@" in text[1:-1]),
    "idn-hostname": Format(lambda rng: f"{taint_marker(rng)}.example.com", full_match(r"[^\s/@:]+")),
    "uri-reference": Format(
        lambda rng: f"/{taint_marker(rng)}?{taint_marker(rng)}=1", full_match(r"[^\s<>\"{}|\\^`]*")
    ),
    "uri-template": Format(lambda rng: f"/{taint_marker(rng)}/{{id}}", full_match(r"[^\s<>\"|\\^`]*")),
    "iri": Format(
        lambda rng: f"https://example.com/{taint_marker(rng)}", full_match(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]+")
    ),
    "iri-reference": Format(lambda rng: f"/{taint_marker(rng)}", full_match(r"[^\s<>\"{}|\\^`]*")),
    "json-pointer": Format(lambda rng: f"/{taint_marker(rng)}", full_match(r"(/([^/~]|~[01])*)*")),
    "relative-json-pointer": Format(
        lambda rng: f"{rng.randrange(4)}/{taint_marker(rng)}", full_match(r"(0|[1-9]\d*)(#|(/([^/~]|~[01])*)*)")
    ),
    "regex": Format(lambda rng: f"^{taint_marker(rng)}[0-9]+$", lambda text: True),
    "duration": Format(
        lambda rng: f"P{rng.randrange(30)}DT{rng.randrange(24)}H{rng.randrange(60)}M",
        full_match(r"P(?=.)(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+S)?)?)"),
    ),
    "base64url": Format(
        lambda rng: to_base64url(taint_marker(rng).encode()),
        full_match(r"[A-Za-z0-9_-]*"),
    ),
    "decimal": Format(lambda rng: f"{rng.randint(1000, 99999)}.{rng.randrange(100):02}", full_match(r"-?\d+(\.\d+)?")),
    "decimal128": Format(
        lambda rng: f"{rng.randint(1000, 99999)}.{rng.randrange(100):02}", full_match(r"-?\d+(\.\d+)?(E[+-]?\d+)?")
    ),
    "media-range": Format(
        lambda rng: rng.choice(("text/", "image/", "application/x-")) + taint_marker(rng),
        full_match(r"[\w!#$&^.+*-]+/[\w!#$&^.+*-]+(;.*)?"),
    ),
    "password": Format(_draw_password, lambda text: True),
}
