"""String specialisation: formats in which a program parses or checks a text, by the names of `format` hints.

The usual parsers and validators accept the sampled values; most contain a taint marker or an unusual number. `moved`
makes a small change within formats where this is meaningful (the next day, another port); otherwise, a mutation
samples another value. Source: [WB-Advanced] §4.3.
"""

from __future__ import annotations

import base64
import json
import re
import uuid
from collections.abc import Callable
from datetime import date
from ipaddress import IPv4Address
from random import Random

import msgspec

from wimble.base64url import to_base64url
from wimble.genes import probabilities
from wimble.genes.calendar_steps import OTHER_FORMS, moved_text
from wimble.genes.string_formats import FORMATS, full_match
from wimble.genes.taint_markers import taint_marker
from wimble.json_texts import holds_json

_MISS_ATTEMPTS = 12
_MISS_CHARACTERS = "!# x0-_@.%"


class Specialisation(msgspec.Struct, frozen=True):
    """One format: how to sample a value, how to check one, and how to change one."""

    draw: Callable[[Random], str]
    is_valid: Callable[[str], bool]
    misses: tuple[str, ...] = ()
    """Texts that nearly have the format."""
    moved: Callable[[str, Random], str] | None = None

    def miss(self, rng: Random) -> str:
        """Returns a text that does not have the format, mostly because of one character; "" if none is found."""
        if self.misses and rng.random() < 0.5:
            return rng.choice(self.misses)
        for _ in range(_MISS_ATTEMPTS):
            text = self.draw(rng)
            at = rng.randrange(len(text) + 1)
            changed = text[:at] + rng.choice(_MISS_CHARACTERS) + text[at + 1 :]
            if not self.is_valid(changed):
                return changed
        return rng.choice(self.misses) if self.misses else ""

    def mutated(self, text: str, rng: Random) -> str:
        """Returns another value of the format: a small change (in half of the cases, if possible) or a new sample."""
        return self.moved(text, rng) if self.moved is not None and rng.random() < 0.5 else self.draw(rng)


def _number_moved(text: str, rng: Random) -> str:
    step = probabilities.step(rng, (16, 16), 0.0)
    try:
        if rng.random() < probabilities.NUMBER_SAME_SIZE_PROBABILITY:
            return str(probabilities.of_same_size(rng, int(text)))
        return str(int(text) + step)
    except ValueError:
        pass
    try:
        return str(float(text) + step / 4)
    except (ValueError, OverflowError):
        return str(step)


def _date_moved(text: str, rng: Random) -> str:
    return moved_text(text, rng) or FORMATS["date"].draw(rng)


def _is_date(text: str) -> bool:
    """Whether `Date.parse` accepts the text, limited to texts for which all platforms give the same result."""
    is_iso = text[:4].isdigit() and text[4:5] == "-" and len(text) >= 10
    return _is_date_form(text) and (not is_iso or FORMATS["date"].is_valid(text[:10]))


def _draw_integer(rng: Random) -> str:
    return str(rng.choice((0, 1, -1, rng.randint(2, 99), rng.randint(1000, 2_000_000), -rng.randint(1000, 99_999))))


def _draw_float(rng: Random) -> str:
    return rng.choice((f"{rng.randint(0, 99)}.{rng.randint(1, 9)}", f"-{rng.randint(1, 999)}.25", "0.5", "1e3"))


def _draw_date(rng: Random) -> str:
    day = FORMATS["date"].draw(rng)
    other = date.fromordinal(rng.randint(720_000, 745_000))
    return rng.choice((day, day, FORMATS["date-time"].draw(rng), *(f"{other:{form}}" for form in OTHER_FORMS)))


def _draw_url(rng: Random) -> str:
    """Draws a URL: mostly of the web, one in six with another scheme ([WB-Advanced], Figure 2)."""
    if rng.random() < 1 / 6:
        encoded = base64.b64encode(taint_marker(rng).encode()).decode()
        return rng.choice(
            (
                f"data:text/plain;base64,{encoded}",
                f"file:///tmp/{taint_marker(rng)}.txt",
                f"mailto:{taint_marker(rng)}@example.com",
                f"urn:isbn:{rng.randint(10**9, 10**10 - 1)}",
                f"ftp://{taint_marker(rng)}.example.com/{taint_marker(rng)}",
            )
        )
    host = rng.choice((f"{taint_marker(rng)}.example.com", "example.com", str(IPv4Address(rng.randint(2**24, 2**31)))))
    port = rng.choice(("", "", f":{rng.randint(1, 65535)}"))
    path = rng.choice(("", "/", f"/{taint_marker(rng)}", f"/{taint_marker(rng)}/{rng.randint(1, 9999)}"))
    query = rng.choice(("", "", f"?{taint_marker(rng)}={taint_marker(rng)}", f"#{taint_marker(rng)}"))
    return f"{rng.choice(('http', 'https', 'https'))}://{host}{port}{path}{query}"


def _url_moved(text: str, rng: Random) -> str:
    return (
        text + rng.choice((f"/{taint_marker(rng)}", f"?{taint_marker(rng)}={taint_marker(rng)}"))
        if "?" not in text
        else _draw_url(rng)
    )


def _draw_card(rng: Random) -> str:
    body = rng.choice(("4", "51", "37")) + "".join(rng.choices("0123456789", k=14))
    body = body[: 14 if body.startswith("37") else 15]
    return next(body + digit for digit in "0123456789" if _is_luhn(body + digit))


def _is_luhn(text: str) -> bool:
    digits = re.sub(r"[- ]", "", text)
    if not (digits.isascii() and digits.isdigit() and 13 <= len(digits) <= 19):
        return False
    doubled = [int(digit) * (1 + index % 2) for index, digit in enumerate(reversed(digits))]
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0


def _draw_jwt(rng: Random) -> str:
    parts = ({"alg": "HS256", "typ": "JWT"}, {"sub": taint_marker(rng), "iat": rng.randint(10**9, 2 * 10**9)})
    texts = [json.dumps(part, separators=(",", ":")).encode() for part in parts] + [rng.randbytes(32)]
    return ".".join(to_base64url(text) for text in texts)


def _draw_json(rng: Random) -> str:
    values = (
        rng.randint(1000, 99_999),
        taint_marker(rng),
        True,
        [taint_marker(rng)],
        {taint_marker(rng): taint_marker(rng)},
    )
    return json.dumps(
        rng.choice(({taint_marker(rng): rng.choice(values)}, [rng.choice(values)])), separators=(",", ":")
    )


def _draw_uuid(rng: Random) -> str:
    return str(uuid.UUID(int=rng.getrandbits(128), version=4))


def _letters(rng: Random) -> str:
    return "".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(4, 9)))


def _one_of(*values: str) -> tuple[Callable[[Random], str], Callable[[str], bool]]:
    return lambda rng: rng.choice(values), frozenset(values).__contains__


_URL = r"(https?|ftp)://[^\s/?#<>\"{}|\\^`]+([/?#][^\s<>\"{}|\\^`]*)?|(?!https?:|ftp:)[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]+"
_SEMVER = r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?"
_FLOAT = r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?"
_DATE = (
    r"\d{4}-\d\d(-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?)?"
    r"|\d{1,4}/\d{1,2}/\d{1,4}"
    r"|\d{1,2} [A-Z][a-z]{2} \d{4}"
)
_is_date_form = full_match(_DATE)
_IPS = (FORMATS["ipv4"], FORMATS["ipv6"])
_no_date = ("2024-13-01", "2024-02-32", "not a date", "")

SPECIALISATIONS: dict[str, Specialisation] = {
    "number": Specialisation(
        lambda rng: rng.choice((_draw_integer, _draw_float))(rng),
        full_match(_FLOAT),
        ("12,5", "1.2.3", "12px", "NaN"),
        _number_moved,
    ),
    "integer": Specialisation(_draw_integer, full_match(r"[+-]?\d+"), ("1.5", "1e", "12px", "--1"), _number_moved),
    "float": Specialisation(_draw_float, full_match(_FLOAT), ("1.2.3", "1,5", "."), _number_moved),
    "bigint": Specialisation(
        lambda rng: str(rng.getrandbits(80)), full_match(r"-?\d+"), ("1.5", "12n", "1e3"), _number_moved
    ),
    "boolean": Specialisation(*_one_of("true", "false", "1", "0"), ("yes", "tru", "2")),
    "date": Specialisation(_draw_date, _is_date, _no_date, _date_moved),
    "iso-date": Specialisation(FORMATS["date"].draw, FORMATS["date"].is_valid, _no_date, _date_moved),
    "iso-datetime": Specialisation(
        FORMATS["date-time"].draw,
        FORMATS["date-time"].is_valid,
        ("2024-01-01T25:00:00Z", "2024-01-01T", *_no_date),
        _date_moved,
    ),
    "json": Specialisation(_draw_json, holds_json, ("{", "{a:1}", "[1,]", "undefined", "'a'")),
    "url": Specialisation(_draw_url, full_match(_URL), ("http://", "//example.com", "http//example.com"), _url_moved),
    "base64": Specialisation(
        lambda rng: base64.b64encode(taint_marker(rng, rng.randint(5, 12)).encode()).decode(),
        FORMATS["byte"].is_valid,
        ("a===", "Zg=", "Z!=="),
    ),
    "hex": Specialisation(
        lambda rng: rng.randbytes(rng.randint(3, 8)).hex(), full_match(r"[0-9a-fA-F]+"), ("0g", "xyz")
    ),
    "uuid": Specialisation(_draw_uuid, FORMATS["uuid"].is_valid, ("00000000-0000-0000-0000-00000000000",)),
    "email": Specialisation(
        lambda rng: f"{taint_marker(rng)}@{rng.choice(('example.com', taint_marker(rng) + '.org'))}",
        FORMATS["email"].is_valid,
        ("a@", "@b.com", "a b@c.com", "a@b..com"),
    ),
    "ip": Specialisation(
        lambda rng: rng.choice(_IPS).draw(rng),
        lambda text: any(one.is_valid(text) for one in _IPS),
        ("256.1.1.1", "1.2.3", ":::"),
    ),
    "ipv4": Specialisation(FORMATS["ipv4"].draw, FORMATS["ipv4"].is_valid, ("256.1.1.1", "1.2.3", "1.2.3.4.5")),
    "ipv6": Specialisation(FORMATS["ipv6"].draw, FORMATS["ipv6"].is_valid, (":::", "1::2::3", "12345::")),
    "hostname": Specialisation(FORMATS["hostname"].draw, FORMATS["hostname"].is_valid, ("-a.com", "a..com", "a_b")),
    "port": Specialisation(
        lambda rng: str(rng.randint(1, 65535)),
        lambda text: text.isdecimal() and int(text) <= 65535,
        ("65536", "-1", "80a"),
        lambda text, rng: str(rng.randint(1, 65535)),
    ),
    "alpha": Specialisation(_letters, full_match(r"[A-Za-z]+"), ("abc1", "a b")),
    "alphanumeric": Specialisation(lambda rng: taint_marker(rng), full_match(r"[A-Za-z0-9]+"), ("a-1", "a b")),
    "lowercase": Specialisation(lambda rng: taint_marker(rng), lambda text: text == text.lower(), ("aB",)),
    "uppercase": Specialisation(lambda rng: taint_marker(rng).upper(), lambda text: text == text.upper(), ("Ab",)),
    "numeric": Specialisation(
        lambda rng: str(rng.randint(1000, 999_999)),
        full_match(r"\d+"),
        ("12a", "1 2"),
        lambda text, rng: str(rng.randint(0, 10**9)),
    ),
    "slug": Specialisation(
        lambda rng: f"{taint_marker(rng)}-{taint_marker(rng)}",
        full_match(r"[a-z0-9]+([-_][a-z0-9]+)*"),
        ("-a", "a--b", "A b"),
    ),
    "jwt": Specialisation(_draw_jwt, full_match(r"[\w-]+\.[\w-]+\.[\w-]*"), ("a.b", "a.b.c.d")),
    "mongo-id": Specialisation(
        lambda rng: rng.randbytes(12).hex(), full_match(r"[0-9a-fA-F]{24}"), ("0" * 23, "g" * 24)
    ),
    "semver": Specialisation(
        lambda rng: (
            f"{rng.randint(0, 9)}.{rng.randint(0, 40)}.{rng.randint(0, 99)}"
            + rng.choice(("", "", "-beta.1", "+build5"))
        ),
        full_match(_SEMVER),
        ("1.2", "01.2.3", "v1"),
    ),
    "credit-card": Specialisation(_draw_card, _is_luhn, ("4111111111111112", "4111")),
    "mac": Specialisation(
        lambda rng: ":".join(f"{byte:02x}" for byte in rng.randbytes(6)),
        full_match(r"([0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}"),
        ("00:11:22:33:44", "0g:11:22:33:44:55"),
    ),
    "locale": Specialisation(
        _one_of("en", "en-US", "de-DE", "fr-FR", "pt-BR", "zh-Hans-CN", "ja")[0],
        full_match(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?"),
        ("e", "en_", "en-US!"),
    ),
    "currency": Specialisation(*_one_of("USD", "EUR", "GBP", "JPY", "CHF", "INR", "BRL"), ("US", "EURO", "XXY")),
    "country": Specialisation(*_one_of("US", "DE", "FR", "GB", "JP", "BR", "IN"), ("XX", "U", "USAA")),
    "phone": Specialisation(
        _one_of("+14155552671", "+447911123456", "+4915123456789", "+33612345678", "+919876543210")[0],
        full_match(r"\+?\d{8,15}"),
        ("+1", "12ab", "+0000"),
    ),
    "mime": Specialisation(
        _one_of("application/json", "text/plain", "image/png", "text/html; charset=utf-8", "application/pdf")[0],
        full_match(r"[\w.+-]+/[\w.+-]+(;.*)?"),
        ("json", "text/", "/plain"),
    ),
}
