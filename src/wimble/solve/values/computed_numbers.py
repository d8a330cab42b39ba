"""Values of operations on numbers, as JavaScript computes them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final

from wimble.solve.path_conditions import NoValue

MAX_BIG_POWER: Final = 100
SPACES: Final = (
    " \t\n\r\v\f\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_DECIMAL: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_RADIXES: Final = {"0x": 16, "0o": 8, "0b": 2}
DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


def to_number(text: str) -> float:
    """Returns `Number(text)`. Raises: NoValue, for NaN."""
    plain = text.strip(SPACES)
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
    plain, base = text.lstrip(SPACES), int(radix)
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
    found = _DECIMAL.match(text.lstrip(SPACES))
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


def _as_signed(value: int, bits: float) -> int:
    size = 1 << int(bits)
    return (value + size // 2) % size - size // 2


def _days(year: float, month: float, day: float) -> int:
    """Returns days since 1970; months beyond 12 are of the years that follow."""
    months = 12 * int(year) + int(month) - 1
    return date(months // 12, months % 12 + 1, 1).toordinal() - _EPOCH + int(day) - 1


_EPOCH: Final = date(1970, 1, 1).toordinal()


def _date(days: float) -> date:
    return date.fromordinal(int(days) + _EPOCH)


def _is_not_a_number(text: str) -> bool:
    try:
        to_number(text)
    except NoValue:
        return not re.fullmatch(r"[+-]?Infinity", text.strip(SPACES))
    return False


def _or_nan(read: Callable[..., float]) -> Callable[..., float]:
    """Returns a function that returns NaN for texts that are no numbers."""

    def read_or_nan(text: str, *rest: float) -> float:
        try:
            return read(text, *rest)
        except NoValue:
            return math.nan

    return read_or_nan


def _extreme(choose: Callable[[float, float], float]) -> Callable[[float, float], float]:
    return lambda a, b: math.nan if math.isnan(a) or math.isnan(b) else choose(a, b)


NUMBER_OPERATIONS: Final[dict[str, Callable[..., Any]]] = {
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
    "toBig": lambda a: int(a.strip(SPACES) or 0) if isinstance(a, str) else int(a),
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
    "min": _extreme(min),
    "max": _extreme(max),
    "negate": lambda a: -a,
    "~": lambda a: ~_signed(a),
    "floor": math.floor,
    "ceil": math.ceil,
    "round": lambda a: math.floor(a + 0.5),
    "trunc": math.trunc,
    "abs": abs,
    "sign": lambda a: a if math.isnan(a) else (a > 0) - (a < 0),
    "sqrt": math.sqrt,
    "cbrt": _cube_root,
    "log2": math.log2,
    "log10": math.log10,
    "clz32": lambda a: 32 - (int(a) % 2**32).bit_length(),
    "days": _days,
    "yearOf": lambda days: _date(days).year,
    "monthOf": lambda days: _date(days).month,
    "dayOf": lambda days: _date(days).day,
    "isInteger": lambda a: float(a).is_integer(),
    "toNumber": _or_nan(to_number),
    "toBit": int,
    "toText": to_text,
    "toRadix": to_text,
    "toFixed": to_fixed,
    "isNaN": _is_not_a_number,
    "parseInt": _or_nan(parse_int),
    "parseFloat": _or_nan(parse_float),
}
