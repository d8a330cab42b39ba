"""Numbers in texts, numbers of other bases, rounding, arithmetic with a constant, truth words, character codes."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator

from wimble.feedback.input_to_state.transforms.transform import (
    ARITHMETIC_COST,
    CHANGED_COST,
    CONVERTED_COST,
    GUESS_COST,
    MIN_UNUSUAL,
    NOTHING,
    PART_COST,
    Inverse,
    Nothing,
    Step,
    identity,
)
from wimble.model.operands import Operand, is_number, to_number, to_text
from wimble.types import Json

MAX_OFFSET = 1000
MAX_FACTOR = 1000
MAX_REMAINDER = 2**31
_DIGIT_GROUP = re.compile(r"(?<![A-Za-z0-9])[0-9]{1,15}(?=[A-Za-z]{0,3}(?![A-Za-z0-9]))|[0-9]{3,15}")
"""Separate groups of digits, also with a unit (`12s`, `5kg`); within words only groups of three or more digits, since
taint markers contain digits, too.
"""
_DIGITS_RUN = re.compile(r"[0-9]{1,15}")
_UNITS = ((60, 1), (3600, 60, 1), (12, 1), (24, 1), (100, 1), (86_400, 3600, 60, 1))
"""Factors by which programs multiply the numbers in a text: minutes, seconds, months, hours, cents, seconds of days."""
_LEADING = re.compile(r"\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)(?=\D)")
_GROUPED = re.compile(r"[^\d+-]{0,3}[+-]?\d{1,3}(?:[,'_ ]\d{3})+(?:\.\d+)?\D{0,3}")
_IN_FRONT = {
    16: re.compile(r"\s*(0x)?([0-9a-f]{2,16})", re.IGNORECASE),
    8: re.compile(r"\s*(0o)?([0-7]{2,16})", re.IGNORECASE),
    2: re.compile(r"\s*(0b)?([01]{2,53})", re.IGNORECASE),
}
"""Digits of other bases as `parseInt` reads them: leading ones, whatever follows. At least two, since a single digit
means the same in all bases.
"""
ROUNDED_AWAY = 0.4
"""What rounding takes off, whichever way a program rounds but up."""
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
TRUE_WORDS = {"1": "0", "yes": "no", "on": "off", "y": "n", "t": "f", "enabled": "disabled"}
"""Texts that programs read as true, each with the corresponding text that they read as false."""
_FALSE_WORDS = {no: yes for yes, no in TRUE_WORDS.items()}
_ROUNDINGS: tuple[tuple[str, Callable[[float], float]], ...] = (
    ("rounded", lambda value: math.floor(value + 0.5)),
    ("rounded down", math.floor),
    ("rounded up", math.ceil),
    ("cut to a whole number", math.trunc),
)


def number_of(value: Json) -> float | None:
    """Returns the value as a number, if it is one or can be read as one, else None."""
    if isinstance(value, str):
        return to_number(value)
    return value if is_number(value) else None


def linear_inverse(factor: float, offset: float) -> Inverse:
    """Returns the inverse of operand = factor * input + offset."""

    def inverse(wanted: Operand) -> Json | Nothing:
        if not is_number(wanted):
            return NOTHING
        value = (wanted - offset) / factor
        if not math.isclose(factor * value + offset, wanted, rel_tol=1e-12):
            return NOTHING
        return round(value) if math.isclose(value, round(value), rel_tol=1e-14) else value

    return inverse


def _rounded_inverse(factor: float) -> Inverse:
    """Returns the inverse of operand = round(factor * input) with an input that is a little more than it has to be: a
    price that is not 0, but 0 in whole cents.
    """
    return lambda wanted: (wanted + ROUNDED_AWAY) / factor if is_number(wanted) else NOTHING


def leading_number(own: Json, operand: Operand) -> Iterator[Step]:
    """A number at the start of a text, or a number with separators.

    Examples: `parseInt("12px")`, `parseFloat("1.5 kg")`, `Number("1,234".replace(",", ""))`.
    """
    if not isinstance(own, str) or not is_number(operand):
        return
    found = _LEADING.match(own)
    if found is not None:
        start, end = found.span(1)
        number = float(found.group(1))
        if number == operand:
            yield Step(CONVERTED_COST, "the number in front", _spliced(own, (start, end)))
        elif math.isfinite(number) and math.trunc(number) == operand:
            yield Step(CONVERTED_COST, "the whole number in front", _spliced(own, (start, end), is_whole=True))
    if _GROUPED.fullmatch(own) and float(re.sub(r"[^\d.+-]", "", own)) == operand:
        yield Step(CHANGED_COST, "a number with separators", _plain_number)


def _plain_number(wanted: Operand) -> Json | Nothing:
    return to_text(wanted) if is_number(wanted) else NOTHING


def _spliced(text: str, span: tuple[int, int], *, is_whole: bool = False) -> Inverse:
    def inverse(wanted: Operand) -> Json | Nothing:
        if not is_number(wanted) or (is_whole and wanted != int(wanted)):
            return NOTHING
        return text[: span[0]] + to_text(wanted) + text[span[1] :]

    return inverse


def digit_groups(own: Json, operand: Operand) -> Iterator[Step]:
    """A group of digits within a text: the year of a date, the port of a URL, the 2 of `02`."""
    if not isinstance(own, str) or not is_number(operand):
        return
    for group in _DIGIT_GROUP.finditer(own):
        if int(group.group()) == operand:
            yield Step(PART_COST, "a number in it", digits_inverse(own, group.span()))
            return


def mixed_units(own: Json, operand: Operand) -> Iterator[Step]:
    """`hours * 60 + minutes`: the sum of the numbers in a text, each times its unit."""
    if not isinstance(own, str) or not is_number(operand):
        return
    groups = [found.span() for found in _DIGITS_RUN.finditer(own)]
    for units in _UNITS:
        if len(groups) == len(units):
            total = sum(int(own[start:end]) * unit for (start, end), unit in zip(groups, units, strict=True))
            if total == operand:
                yield Step(PART_COST, "its numbers in one unit", _mixed_inverse(own, groups, units))
                return


def _mixed_inverse(text: str, groups: list[tuple[int, int]], units: tuple[int, ...]) -> Inverse:
    def inverse(wanted: Operand) -> Json | Nothing:
        if not is_number(wanted) or wanted != int(wanted) or wanted < 0:
            return NOTHING
        out, rest, at = "", int(wanted), 0
        for (start, end), unit in zip(groups, units, strict=True):
            count, rest = divmod(rest, unit)
            out += text[at:start] + str(count).zfill(end - start if text[start] == "0" or end - start == 2 else 1)
            at = end
        return out + text[at:]

    return inverse


def digits_inverse(text: str, span: tuple[int, int]) -> Inverse:
    """Returns an inverse that replaces the digits at `span` of the text, with leading zeros to the same width."""
    start, end = span

    def inverse(wanted: Operand) -> Json | Nothing:
        if not is_number(wanted) or wanted < 0 or wanted != int(wanted):
            return NOTHING
        return text[:start] + str(int(wanted)).zfill(end - start) + text[end:]

    return inverse


def other_base(own: Json, operand: Operand) -> Iterator[Step]:
    """Numbers as texts: `parseInt(text, 16)`, `Number("0x1f")`, `number.toString(16)`, `toFixed(2)`."""
    if isinstance(own, str) and is_number(operand):
        for base, digits in _IN_FRONT.items():
            found = digits.match(own)
            if found is not None and int(found[2], base) == operand:
                yield Step(CHANGED_COST, f"read with base {base}", _in_base(base, found[1]))
    number = number_of(own)
    if number is None or not isinstance(operand, str):
        return
    if number == int(number) and abs(number) >= 10:
        for base in (16, 36, 2, 8):
            if to_base(int(number), base) == operand.lower():
                yield Step(CHANGED_COST, f"written with base {base}", _from_base(base))
                return
    read = to_number(operand)
    if read is not None and "." in operand and read != number:
        decimals = len(operand.partition(".")[2])
        if abs(read - number) <= 0.5 * 10**-decimals:
            yield Step(CHANGED_COST, "written with fixed decimals", lambda wanted: _number_in(wanted))


def _parsed(digits: str, base: int) -> int | None:
    try:
        return None if "_" in digits else int(digits, base)
    except ValueError:
        return None


def to_base(number: int, base: int) -> str:
    """Returns the number in a base up to 36, in lower case."""
    out = ""
    rest = abs(number)
    while rest:
        rest, digit = divmod(rest, base)
        out = _DIGITS[digit] + out
    return ("-" if number < 0 else "") + (out or "0")


def _in_base(base: int, prefix: str | None) -> Inverse:
    def inverse(wanted: Operand) -> Json | Nothing:
        if not is_number(wanted) or wanted != int(wanted):
            return NOTHING
        return (prefix or "") + to_base(int(wanted), base)

    return inverse


def _from_base(base: int) -> Inverse:
    def inverse(wanted: Operand) -> Json | Nothing:
        number = _parsed(wanted.lower(), base) if isinstance(wanted, str) else None
        return NOTHING if number is None or to_base(number, base) != str(wanted).lower() else number

    return inverse


def _number_in(wanted: Operand) -> Json | Nothing:
    number = to_number(wanted) if isinstance(wanted, str) else None
    return NOTHING if number is None else number


def rounded(own: Json, operand: Operand) -> Iterator[Step]:
    """`Math.floor`, `Math.round`, `| 0` of a number that is not whole."""
    number = number_of(own)
    if number is None or not is_number(operand) or number == int(number) or abs(number) > MAX_REMAINDER:
        return
    for how, change in _ROUNDINGS:
        if change(number) == operand:
            yield Step(CHANGED_COST, how, linear_inverse(1, 0))
            return
    for decimals in (1, 2, 3):
        if round(number, decimals) == operand:
            yield Step(CHANGED_COST, "rounded", linear_inverse(1, 0))
            return
    if math.floor(number * 100 + 0.5) == operand:
        yield Step(ARITHMETIC_COST, "as percent", linear_inverse(100, 0))


def truth_word(own: Json, operand: Operand) -> Iterator[Step]:
    """`["1", "yes", "on"].includes(text)`: a text read as a boolean."""
    if isinstance(operand, bool) and isinstance(own, str):
        word = own.lower()
        if (operand and word in TRUE_WORDS) or (not operand and word in _FALSE_WORDS):
            yes = word if operand else _FALSE_WORDS[word]
            yield Step(CONVERTED_COST, "read as a boolean", _chosen({True: yes, False: TRUE_WORDS[yes]}))


def coerced(own: Json, operand: Operand) -> Step | None:
    """Returns how a value of another type became the operand, as validators that convert types do it: `true` as 1.

    Other operands than 0 and 1 are written as they are, if the input may be a number.
    """
    if isinstance(operand, bool):
        if not is_number(own) or own != int(operand):
            return None
        return Step(CONVERTED_COST, "coerced to a boolean", _chosen({True: 1, False: 0}))
    if not is_number(operand) or operand not in (0, 1):
        return None
    return Step(CONVERTED_COST, "coerced to a number", _as_boolean) if own is bool(operand) else None


def _as_boolean(wanted: Operand) -> Json | Nothing:
    return bool(wanted) if wanted in (0, 1) else identity(wanted)


def _chosen(table: dict[Json, Json]) -> Inverse:
    def inverse(wanted: Operand) -> Json | Nothing:
        return table.get(wanted, NOTHING) if isinstance(wanted, (bool, int, float)) else NOTHING

    return inverse


def character_code(own: Json, operand: Operand) -> Iterator[Step]:
    """The operand is the code of a character of the text: `charCodeAt`, `codePointAt`."""
    if not isinstance(own, str) or not isinstance(operand, int) or isinstance(operand, bool) or not operand >= 32:
        return
    if operand > 0x10FFFF or (at := own.find(chr(operand))) < 0:
        return

    def inverse(wanted: Operand) -> Json | Nothing:
        if not isinstance(wanted, int) or not 0 <= wanted <= 0x10FFFF or 0xD800 <= wanted < 0xE000:
            return NOTHING
        return own[:at] + chr(wanted) + own[at + 1 :]

    yield Step(GUESS_COST, "the code of a character", inverse)


def arithmetic(own: Json, operand: Operand) -> Iterator[Step]:
    """The operand is the input times, divided by or plus a constant, or a constant minus the input."""
    number = number_of(own)
    if number is None or not is_number(operand) or abs(number) < MIN_UNUSUAL or isinstance(operand, bool):
        return
    if operand == -number:
        yield Step(ARITHMETIC_COST, "negated", linear_inverse(-1, 0))
    elif factor := _factor(operand, number):
        yield Step(ARITHMETIC_COST, f"times {factor}", linear_inverse(factor, 0))
        if operand == int(operand):
            yield Step(GUESS_COST, f"times {factor}, rounded", _rounded_inverse(factor))
    elif divisor := _factor(number, operand):
        yield Step(ARITHMETIC_COST, f"divided by {divisor}", linear_inverse(1 / divisor, 0))
    elif abs(number) > MAX_OFFSET and abs(operand - number) <= MAX_OFFSET:
        yield Step(ARITHMETIC_COST, f"plus {operand - number:g}", linear_inverse(1, operand - number))
    elif (operand + number) % 100 == 0 and abs(operand + number) <= 10 * MAX_OFFSET:
        yield Step(ARITHMETIC_COST, f"taken from {operand + number:g}", linear_inverse(-1, operand + number))


def _factor(product: float, number: float) -> int | None:
    """Returns the whole number by which `number` gives `product`, up to rounding errors; None if there is none."""
    ratio = product / number if number else 0.0
    factor = round(ratio) if abs(ratio) <= MAX_FACTOR else 0
    is_factor = 2 <= abs(factor) <= MAX_FACTOR and math.isclose(factor * number, product, rel_tol=1e-12)
    return factor if is_factor else None


def remainder(own: Json, operand: Operand) -> Iterator[Step]:
    """`input % constant`: a step of the input is the same step of the remainder, whatever the constant is."""
    number = number_of(own)
    if number is None or not is_number(operand) or number != int(number) or not 0 <= operand < number <= MAX_REMAINDER:
        return
    if number < MIN_UNUSUAL or operand != int(operand):
        return
    # The second one is for a further check that the input be large: `n > 10_000 && n % 9973 === 17`.
    for how, multiple in (
        ("as a remainder", number - operand),
        ("as a remainder, twice as far", 2 * (number - operand)),
    ):
        yield Step(GUESS_COST, how, _remainder_inverse(int(multiple), number))


def _remainder_inverse(multiple: int, number: float) -> Inverse:
    """multiple: a multiple of the unknown constant."""

    def inverse(wanted: Operand) -> Json | Nothing:
        # A remainder cannot be as large as the input.
        if not is_number(wanted) or wanted != int(wanted) or not 0 <= wanted < number:
            return NOTHING
        return multiple + int(wanted)

    return inverse
