"""Which inputs an operand came from (input-to-state), and what an input must be for the operand to become another value.

An origin is a site with an *inverse*: wanted operand -> value of the site. Recognised, from the most to the least certain:
the same value; the same as text, number or date; changed in case, trimmed, encoded; the site within the operand (the rest is a
template); the operand within the site; its length; sums and products of two inputs; simple arithmetic with a constant.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from random import Random

import msgspec

from wimble.feedback.inverses import (
    Inverse,
    Nothing,
    case_inverse,
    coding_inverses,
    digits_inverse,
    identity,
    length_inverse,
    linear_inverse,
    ms_inverse,
    part_inverse,
    template_inverse,
    time_inverse,
)
from wimble.feedback.sites import Site, iter_arrays, iter_sites
from wimble.feedback.values import DateValue, Operand, is_number, to_number, to_text, to_time, utf16_length
from wimble.genes import ArrayGene, EnumGene, Gene
from wimble.genes.base import Resolver
from wimble.model.testcase import GeneAddress, TestCase
from wimble.types import ABSENT, Json

# Costs order the edits: small is tried first. Only their order matters.
SAME_COST = 0
CONVERTED_COST = 1
CHANGED_COST = 2
TEMPLATE_COST = 3
PART_COST = 4
LENGTH_COST = 5
PAIR_COST = 6
ARITHMETIC_COST = 7
COMMON_VALUE_COST = 2
"""Added for operands so common (0, 1, true, "a") that being the same means little."""
OTHER_CALL_COST = 3
"""Added for inputs of an earlier call, whose values may come back through the SUT's state."""

MIN_PART_LENGTH = 2
MIN_TEMPLATE_LENGTH = 3
"""Characters; shorter ones turn up in other strings by chance."""
MIN_UNUSUAL = 100
"""Numbers at least that large are taken for recognisable in arithmetic."""
MAX_OFFSET = 1000
MAX_FACTOR = 1000
MAX_PAIR_SITES = 12
MAX_WANTED_ITEMS = 100
_DIGIT_GROUP = re.compile(r"(?<![A-Za-z0-9])[0-9]{1,15}(?![A-Za-z0-9])|[0-9]{3,15}")
"""Digits on their own; within words only from three on, since marks hold digits too."""


class Origin(msgspec.Struct, frozen=True, eq=False):
    """A place that an operand came from, and how to write it."""

    cost: int
    how: str
    address: GeneAddress
    gene: Gene
    write: Callable[[Operand], tuple[GeneAddress, Gene] | None]
    """Wanted operand -> edit, or None where the place cannot produce it."""


class InputIndex:
    """The inputs that calls up to `call` brought into the SUT, ready to be asked where an operand came from."""

    def __init__(self, test_case: TestCase, call: int, rng: Random, resolve: Resolver | None = None) -> None:
        self._call = call
        self._rng = rng
        # The call itself first, then the latest before it.
        self.sites = [site for index in range(call, -1, -1) for site in iter_sites(test_case, index, resolve)]
        self._free = [site for site in self.sites if site.is_free() and site.value is not ABSENT]
        self._arrays = [array for index in range(call, -1, -1) for array in iter_arrays(test_case, index)]
        self._by_text: dict[str, list[Site]] = {}
        for site in self._free:
            for form in _plain_forms(to_text(site.value)):
                self._by_text.setdefault(form, []).append(site)
        self._numeric = [(site, number) for site in self._free if (number := _number_of(site.value)) is not None]
        self._texts = [(site, site.value) for site in self._free if isinstance(site.value, str)]
        self._dated = [(site, text, ms) for site, text in self._texts if (ms := to_time(text)) is not None]
        self._memo: dict[tuple[type, Operand], list[Origin]] = {}

    def sites_of_call(self) -> list[Site]:
        """All sites of the call itself, absent ones included."""
        return [site for site in self.sites if site.address.call == self._call]

    def origins(self, operand: Operand) -> list[Origin]:
        """Where `operand` may have come from, most certain first. Empty for undefined and NaN."""
        if operand is ABSENT or (isinstance(operand, float) and not math.isfinite(operand)):
            return []
        key = (type(operand), operand)
        known = self._memo.get(key)
        if known is None:
            known = self._memo[key] = sorted(self._found(operand), key=lambda origin: origin.cost)
        return known

    def _found(self, operand: Operand) -> list[Origin]:
        found = list(self._whole(operand))
        if not found and isinstance(operand, str):
            found = list(self._parts(operand))
        if isinstance(operand, DateValue) or is_number(operand):
            number = operand.ms if isinstance(operand, DateValue) else operand
            found += self._dates(number)
            if isinstance(operand, DateValue):
                found += self._milliseconds(number)
            else:
                found += self._lengths(number)
                if not found:
                    found = [*self._digit_groups(number), *self._pairs(number), *self._arithmetic(number)]
        return found

    def _origin(self, site: Site, cost: int, how: str, inverse: Inverse) -> Origin:
        if site.address.call != self._call:
            cost += OTHER_CALL_COST

        def write(wanted: Operand) -> tuple[GeneAddress, Gene] | None:
            value = inverse(wanted)
            return None if isinstance(value, Nothing) else site.put(value)

        return Origin(cost, how, site.address, site.gene, write)

    def _whole(self, operand: Operand) -> Iterator[Origin]:
        if isinstance(operand, DateValue):
            return
        text = to_text(operand)
        common = COMMON_VALUE_COST if _is_common(operand) else 0
        for site in self._by_text.get(text, ()):
            own = to_text(site.value)
            if own != text:
                yield self._origin(site, CHANGED_COST, "changed in case or trimmed", case_inverse(own, text))
            elif isinstance(site.value, str) == isinstance(operand, str):
                yield self._origin(site, SAME_COST + common, "the same", identity)
            else:
                yield self._origin(site, CONVERTED_COST + common, "converted", identity)
        if is_number(operand) and not isinstance(operand, str):
            # "007" or "1.50" read as a number
            for site, number in self._numeric:
                if number == operand and to_text(site.value) != text:
                    yield self._origin(site, CONVERTED_COST + common, "parsed as a number", identity)

    def _parts(self, operand: str) -> Iterator[Origin]:
        folded = operand.lower()
        for site in self._free:
            own = to_text(site.value)
            for how, inverse in coding_inverses(own, operand):
                yield self._origin(site, CHANGED_COST, how, inverse)
            if len(own) >= MIN_TEMPLATE_LENGTH and (at := folded.find(own.lower())) >= 0:
                template = (operand[:at], operand[at + len(own) :])
                yield self._origin(site, TEMPLATE_COST, "within the operand", template_inverse(*template))
            elif isinstance(site.value, str) and (start := _part_position(own, operand)) is not None:
                around = (own[:start], own[start + len(operand) :])
                yield self._origin(site, PART_COST, "a part of it", part_inverse(*around))

    def _dates(self, ms: float) -> Iterator[Origin]:
        for site, text, own in self._dated:
            if own == ms:
                yield self._origin(site, CONVERTED_COST, "parsed as a date", time_inverse(text))

    def _milliseconds(self, ms: float) -> Iterator[Origin]:
        for site, number in self._numeric:
            if number == ms:
                yield self._origin(site, CONVERTED_COST, "as milliseconds", ms_inverse)

    def _lengths(self, number: float) -> Iterator[Origin]:
        for site, text in self._texts:
            if utf16_length(text) == number and not isinstance(site.gene, EnumGene):
                yield self._origin(site, LENGTH_COST, "its length", length_inverse(text))
        for address, array in self._arrays:
            if len(array.items) == number:
                other = 0 if address.call == self._call else OTHER_CALL_COST
                yield Origin(
                    LENGTH_COST + other, "its length", address, array, _array_writer(address, array, self._rng)
                )

    def _digit_groups(self, number: float) -> Iterator[Origin]:
        """The year of a date, the port of a URL, the 2 of `02`: a group of digits within a string."""
        for site, text in self._texts:
            for group in _DIGIT_GROUP.finditer(text):
                if int(group.group()) == number:
                    yield self._origin(site, PART_COST, "a number in it", digits_inverse(text, group.span()))
                    break

    def _pairs(self, number: float) -> Iterator[Origin]:
        """Sum, difference or product of two inputs of this call: each of the two can bring it to the wanted value."""
        numeric = [(site, own) for site, own in self._numeric if site.address.call == self._call][:MAX_PAIR_SITES]
        for site, own in numeric:
            for other_site, other in numeric:
                if other_site is site or max(abs(own), abs(other)) < MIN_UNUSUAL:
                    continue
                if own + other == number:
                    yield self._origin(site, PAIR_COST, "added to another input", linear_inverse(1, other))
                elif own - other == number:
                    yield self._origin(site, PAIR_COST, "less another input", linear_inverse(1, -other))
                elif other - own == number:
                    yield self._origin(site, PAIR_COST, "taken from another input", linear_inverse(-1, other))
                elif own * other == number and other not in (0, 1):
                    yield self._origin(site, PAIR_COST, "times another input", linear_inverse(other, 0))

    def _arithmetic(self, number: float) -> Iterator[Origin]:
        for site, own in self._numeric:
            if abs(own) < MIN_UNUSUAL:
                continue
            factor = number / own
            if number == -own:
                yield self._origin(site, ARITHMETIC_COST, "negated", linear_inverse(-1, 0))
            elif factor.is_integer() and 2 <= abs(factor) <= MAX_FACTOR:
                yield self._origin(site, ARITHMETIC_COST, f"times {factor:g}", linear_inverse(factor, 0))
            elif number and (own / number).is_integer() and 2 <= abs(own / number) <= MAX_FACTOR:
                yield self._origin(
                    site, ARITHMETIC_COST, f"divided by {own / number:g}", linear_inverse(number / own, 0)
                )
            elif abs(own) > MAX_OFFSET and abs(number - own) <= MAX_OFFSET:
                yield self._origin(site, ARITHMETIC_COST, f"plus {number - own:g}", linear_inverse(1, number - own))
            elif (number + own) % 100 == 0 and abs(number + own) <= 10 * MAX_OFFSET:
                yield self._origin(
                    site, ARITHMETIC_COST, f"taken from {number + own:g}", linear_inverse(-1, number + own)
                )


def _plain_forms(text: str) -> list[str]:
    """`text` as it is, in either case, capitalised, trimmed; without repetitions."""
    forms = [text]
    if not text.isdigit():
        trimmed = text.strip()
        forms += [trimmed, text.lower(), trimmed.lower(), text.upper(), trimmed.upper(), text[:1].upper() + text[1:]]
    return list(dict.fromkeys(forms))


def _is_common(operand: Operand) -> bool:
    if isinstance(operand, str):
        return len(operand) < MIN_TEMPLATE_LENGTH
    return not is_number(operand) or abs(operand) < MIN_UNUSUAL


def _number_of(value: Json) -> float | None:
    if isinstance(value, str):
        return to_number(value)
    return value if is_number(value) else None


def _part_position(own: str, operand: str) -> int | None:
    """Where the operand is in the input; short ones only between separators."""
    if not operand or len(operand) >= len(own):
        return None
    at = own.lower().find(operand.lower())
    if at < 0:
        return None
    if len(operand) >= MIN_PART_LENGTH:
        return at
    bounded = re.search(rf"(?<![^\W_]){re.escape(operand)}(?![^\W_])", own, re.IGNORECASE)
    return bounded.start() if bounded else None


def _array_writer(
    address: GeneAddress, array: ArrayGene, rng: Random
) -> Callable[[Operand], tuple[GeneAddress, Gene] | None]:
    def write(wanted: Operand) -> tuple[GeneAddress, Gene] | None:
        if not is_number(wanted) or wanted != int(wanted) or not 0 <= wanted <= MAX_WANTED_ITEMS:
            return None
        return address, array.resized(int(wanted), rng)

    return write
