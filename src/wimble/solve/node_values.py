"""Computes the nodes of a path for other values of its inputs, as JavaScript does.

It judges answers of the solver before they are run, and is tested against the values that the runtime has computed.
Texts are sequences of UTF-16 units. A node whose value cannot be computed (NaN, an error, a part that does not exist)
has none.
"""

from __future__ import annotations

import base64
import json
import math
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final
from urllib.parse import quote, unquote, unquote_to_bytes, urlsplit

from wimble.solve.ecmascript import compiled
from wimble.solve.path_conditions import CONSTANT, Path, Scalar
from wimble.solve.utf16 import from_units, to_units

MAX_TEXT: Final = 5_000
MAX_BIG_POWER: Final = 100
_SPACES: Final = (
    " \t\n\r\v\f\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_DECIMAL: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_RADIXES: Final = {"0x": 16, "0o": 8, "0b": 2}
DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


class NoValue(Exception):
    """The node has no value, or none that can be computed."""


def node_values(path: Path, inputs: Mapping[str, Scalar]) -> list[Scalar | None]:
    """Returns the value of each node; None for one without. Inputs that are not given keep theirs."""
    values: list[Scalar | None] = []
    for node in path.nodes:
        if node.op == CONSTANT or node.place:
            value: Scalar | None = inputs.get(node.place, node.value) if node.place else node.value
            values.append(to_units(value) if isinstance(value, str) else value)
            continue
        args = [values[index] for index in node.args]
        try:
            values.append(None if None in args else computed(node.op, args))
        except (NoValue, ArithmeticError, ValueError, TypeError, KeyError, IndexError):
            values.append(None)
    return values


def computed(op: str, args: Sequence[Any]) -> Scalar:
    """Returns the value of an operation. Raises: NoValue, and what Python raises for arguments that do not fit."""
    compute = OPERATIONS.get(op)
    if compute is None:
        raise NoValue(op)
    value = compute(*args)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise NoValue(op)
        return int(value) if value.is_integer() and abs(value) < 2**70 else value
    if not isinstance(value, (str, int)) or (isinstance(value, str) and len(value) > MAX_TEXT):
        raise NoValue(op)
    return value


def to_number(text: str) -> float:
    """Returns `Number(text)`. Raises: NoValue, for NaN."""
    plain = text.strip(_SPACES)
    if not plain:
        return 0
    radix = _RADIXES.get(plain[:2].lower())
    if radix is not None:
        return _whole(plain[2:], radix)
    if _DECIMAL.fullmatch(plain) is None:
        raise NoValue("NaN")
    return _number(plain)


def _number(text: str) -> float:
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,15}", text) else float(text)


def _whole(digits: str, radix: int) -> float:
    if not digits or any(char not in DIGITS[:radix] for char in digits.lower()):
        raise NoValue("NaN")
    return float(int(digits, radix))


def parse_int(text: str, radix: float = 0) -> float:
    """Returns `parseInt`. Raises: NoValue, for NaN."""
    plain, base = text.lstrip(_SPACES), int(radix)
    sign = -1 if plain.startswith("-") else 1
    plain = plain[1:] if plain[:1] in ("+", "-") else plain
    if plain[:2].lower() == "0x" and base in (0, 16):
        plain, base = plain[2:], 16
    base = base or 10
    allowed = DIGITS[:base]
    length = next((at for at, char in enumerate(plain.lower()) if char not in allowed), len(plain))
    return sign * _whole(plain[:length], base)


def parse_float(text: str) -> float:
    """Returns `parseFloat`. Raises: NoValue, for NaN."""
    found = _DECIMAL.match(text.lstrip(_SPACES))
    if found is None:
        raise NoValue("NaN")
    return _number(found.group())


def to_text(number: float, radix: float = 10) -> str:
    """Returns `number.toString(radix)`. Raises: NoValue, for fractions of another radix, and with an exponent."""
    if isinstance(number, bool):
        return "true" if number else "false"
    if isinstance(number, int) or (number.is_integer() and abs(number) < 1e21):
        return _in_radix(int(number), int(radix))
    text = repr(float(number))
    if radix != 10 or "e" in text or not 1e-6 <= abs(number) < 1e21:
        raise NoValue("a number with an exponent")
    return text


def _in_radix(number: int, radix: int) -> str:
    digits, rest = "", abs(number)
    while rest:
        rest, digit = divmod(rest, radix)
        digits = DIGITS[digit] + digits
    return ("-" if number < 0 else "") + (digits or "0")


def to_fixed(number: float, digits: float) -> str:
    """Returns `number.toFixed(digits)`."""
    size = abs(Decimal(number)).quantize(Decimal(1).scaleb(-int(digits)), rounding=ROUND_HALF_UP)
    return f"{'-' if number < 0 else ''}{size:f}"


def _signed(value: float) -> int:
    return (int(value) + 2**31) % 2**32 - 2**31


def _remainder(a: float, b: float) -> float:
    if isinstance(a, int) and isinstance(b, int):
        return int(math.copysign(abs(a) % abs(b), a))
    return math.fmod(a, b)


def _multiplied(a: float, b: float) -> float:
    return a * b if abs(a * b) < 2**53 else float(a) * float(b)


def _power(a: float, b: float) -> float:
    return math.pow(a, b)


def _big_quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _no_value() -> int:
    raise NoValue("a large number")


def _big_shift(a: int, b: int) -> int:
    """Returns `a << b`."""
    if b > MAX_BIG_POWER * 8:
        raise NoValue("a large number")
    return a << b if b >= 0 else a >> -b


def _cube_root(value: float) -> float:
    root = math.cbrt(value)
    return round(root) if round(root) ** 3 == value else root


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


def pieces(text: str, source: str, flags: str) -> list[str]:
    """Returns the parts of `split` by a regular expression without groups."""
    pattern, found, start, at = _pattern(source, flags), list[str](), 0, 0
    if not text:
        return [] if pattern.match(text) else [text]
    while at < len(text):
        match = pattern.match(text, at)
        if match is None or match.end() == start or match.end() > len(text):
            at += 1
            continue
        found.append(text[start:at])
        start = at = match.end()
    return [*found, text[start:]]


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
            return to_units(normalize("NFC", _real(text)))
        case "NFD":
            return to_units(normalize("NFD", _real(text)))
        case "NFKC":
            return to_units(normalize("NFKC", _real(text)))
        case "NFKD":
            return to_units(normalize("NFKD", _real(text)))
    raise NoValue("RangeError")


def _as_signed(value: int, bits: float) -> int:
    size = 1 << int(bits)
    return (value + size // 2) % size - size // 2


def _replaced(text: str, sought: str, given: str) -> str:
    return text.replace(sought, given, 1)


def _pattern(source: str, flags: str) -> re.Pattern[str]:
    found = compiled(source, "".join(flag for flag in flags if flag not in "gdy"))
    if found is None:
        raise NoValue(f"/{source}/{flags}")
    return found


def match_at(text: str, source: str, flags: str, start: float = 0) -> re.Match[str] | None:
    """Returns the match that `exec` finds from a position on. Raises: NoValue."""
    pattern = _pattern(source, flags)
    return pattern.match(text, int(start)) if "y" in flags else pattern.search(text, int(start))


def _tested(text: str, source: str, flags: str, start: float = 0) -> bool:
    return match_at(text, source, flags, start) is not None


def _found_at(text: str, source: str, flags: str, start: float, span: str) -> bool:
    found = match_at(text, source, flags, start)
    return found is not None and f"{found.start()}-{found.end()}" == span


def _captured(text: str, source: str, flags: str, group: float, start: float = 0) -> bool:
    found = match_at(text, source, flags, start)
    return found is not None and found.group(int(group)) is not None


def _capture(text: str, source: str, flags: str, group: float, start: float = 0) -> str:
    found = match_at(text, source, flags, start)
    value = None if found is None else found.group(int(group))
    if value is None:
        raise NoValue("no capture")
    return str(value)


def _search(text: str, source: str, flags: str) -> int:
    found = match_at(text, source, flags)
    return -1 if found is None else found.start()


def _matches(text: str, source: str, flags: str) -> int:
    return sum(1 for _ in _pattern(source, flags).finditer(text))


def _replaced_matches(text: str, source: str, flags: str, given: str) -> str:
    def expanded(found: re.Match[str]) -> str:
        def one(dollar: re.Match[str]) -> str:
            sign = dollar.group(1)
            if sign == "$":
                return "$"
            if sign == "&":
                return found.group()
            number = int(sign)
            return (found.group(number) or "") if number <= (found.re.groups or 0) else dollar.group()

        return re.sub(r"\$([$&]|[1-9])", one, given)

    if re.search(r"\$[`'<]|\$\d\d", given):
        raise NoValue("a replacement")
    return _pattern(source, flags).sub(expanded, text, count=0 if "g" in flags else 1)


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
    return lambda text: quote(_real(text), safe=safe)


def _real(text: str) -> str:
    found = from_units(text)
    if found is None:
        raise NoValue("half of a surrogate pair")
    return found


COMPONENT_SAFE: Final = "-_.!~*'()"
URI_SAFE: Final = COMPONENT_SAFE + ";/?:@&=+$,#"


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


def table_entries(table: str) -> list[tuple[Scalar, Scalar]]:
    """Returns the keys and values of a table that a program looks something up in."""
    return [(key, value) for key, value in json.loads(table)]


def _chosen(key: Scalar, table: str) -> Scalar:
    for other, value in table_entries(from_units(table) or table):
        if (to_units(other) if isinstance(other, str) else other) == key:
            return to_units(value) if isinstance(value, str) else value
    raise NoValue("no such key")


def _is_key(key: Scalar, table: str) -> bool:
    try:
        _chosen(key, table)
    except NoValue:
        return False
    return True


def _is_not_a_number(text: str) -> bool:
    try:
        to_number(text)
    except NoValue:
        return not re.fullmatch(r"[+-]?Infinity", text.strip(_SPACES))
    return False


OPERATIONS: Final[dict[str, Callable[..., Any]]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": _multiplied,
    "/": lambda a, b: a / b,
    "%": _remainder,
    "**": _power,
    "&": lambda a, b: _signed(_signed(a) & _signed(b)),
    "|": lambda a, b: _signed(_signed(a) | _signed(b)),
    "^": lambda a, b: _signed(_signed(a) ^ _signed(b)),
    "<<": lambda a, b: _signed(_signed(a) << (int(b) & 31)),
    ">>": lambda a, b: _signed(a) >> (int(b) & 31),
    ">>>": lambda a, b: (int(a) % 2**32) >> (int(b) & 31),
    "imul": lambda a, b: _signed(_signed(a) * _signed(b)),
    "big": int,
    "toBig": lambda a: int(a.strip(_SPACES) or 0) if isinstance(a, str) else int(a),
    "big+": lambda a, b: a + b,
    "big-": lambda a, b: a - b,
    "big*": lambda a, b: a * b,
    "big/": _big_quotient,
    "big%": lambda a, b: a - b * _big_quotient(a, b),
    "big**": lambda a, b: a**b if 0 <= b <= MAX_BIG_POWER else _no_value(),
    "big&": lambda a, b: a & b,
    "big|": lambda a, b: a | b,
    "big^": lambda a, b: a ^ b,
    "big<<": _big_shift,
    "big>>": lambda a, b: _big_shift(a, -b),
    "bigToNumber": lambda a: a,
    "asIntN": _as_signed,
    "asUintN": lambda a, bits: a % (1 << int(bits)),
    "min": min,
    "max": max,
    "negate": lambda a: -a,
    "~": lambda a: ~_signed(a),
    "floor": math.floor,
    "ceil": math.ceil,
    "round": lambda a: math.floor(a + 0.5),
    "trunc": math.trunc,
    "abs": abs,
    "sign": lambda a: (a > 0) - (a < 0),
    "sqrt": math.sqrt,
    "cbrt": _cube_root,
    "log2": math.log2,
    "log10": math.log10,
    "clz32": lambda a: 32 - (int(a) % 2**32).bit_length(),
    "===": lambda a, b: type(a) is type(b) and a == b if isinstance(a, (str, bool)) else a == b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "!": lambda a: not a,
    "ite": lambda condition, one, other: one if condition else other,
    "||": lambda *all_: any(all_),
    "isInteger": lambda a: float(a).is_integer(),
    "toNumber": to_number,
    "toBit": int,
    "toText": to_text,
    "toRadix": to_text,
    "toFixed": to_fixed,
    "isNaN": _is_not_a_number,
    "parseInt": parse_int,
    "parseFloat": parse_float,
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
    "trim": lambda text: text.strip(_SPACES),
    "trimStart": lambda text: text.lstrip(_SPACES),
    "trimEnd": lambda text: text.rstrip(_SPACES),
    "repeat": _repeated,
    "padStart": lambda text, width, filler: _padding(text, width, filler) + text,
    "padEnd": lambda text, width, filler: text + _padding(text, width, filler),
    "replace": _replaced,
    "replaceAll": lambda text, sought, given: text.replace(sought, given),
    "fromCharCode": lambda code: chr(int(code) % 0x10000),
    "part": _part,
    "parts": lambda text, separator: text.count(separator) + 1,
    "partBetween": lambda text, source, flags, number: pieces(text, source, flags)[int(number)],
    "partsBetween": lambda text, source, flags: len(pieces(text, source, flags)),
    "localeCompare": _compared_by_locale,
    "normalize": _normalized,
    "test": _tested,
    "foundAt": _found_at,
    "search": _search,
    "captured": _captured,
    "capture": _capture,
    "matches": _matches,
    "replaceMatches": _replaced_matches,
    "distinct": lambda *all_: len(set(all_)),
    "chosen": _chosen,
    "isKey": _is_key,
    "fromBase64": _bytes_of_base64,
    "toBase64": _base64,
    "fromHex": _bytes_of_hex,
    "toBase64Url": lambda text: _base64(text).translate({43: "-", 47: "_", 61: None}),
    "toHex": lambda text: text.encode("latin-1").hex(),
    "jsonMember": _json_member,
    "encodeURIComponent": _encoded(COMPONENT_SAFE),
    "encodeURI": _encoded(URI_SAFE),
    "decodeURIComponent": _decoded,
    "parameter": _parameter,
    "urlPart": _url_part,
}
