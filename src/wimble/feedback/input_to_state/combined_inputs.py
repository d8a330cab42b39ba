"""Operands that come from several inputs.

These are concatenated texts, sums and differences, and arrays whose elements are joined, counted or added up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random

from wimble.feedback.input_to_state.input_sites import Site
from wimble.feedback.input_to_state.origin import Origin, Place
from wimble.feedback.input_to_state.transforms.date_transforms import DAY_MS
from wimble.feedback.input_to_state.transforms.number_transforms import linear_inverse
from wimble.feedback.input_to_state.transforms.transform import (
    CHANGED_COST,
    LENGTH_COST,
    MIN_UNUSUAL,
    PAIR_COST,
    TEMPLATE_COST,
    Inverse,
    Nothing,
)
from wimble.genes import AnyGene, ArrayGene, Gene
from wimble.genes.date_texts import from_time, to_time
from wimble.model.operands import Operand, is_number, to_text
from wimble.model.testcase import GeneAddress
from wimble.types import ABSENT, Json

MAX_PAIR_SITES = 12
MAX_WANTED_ITEMS = 100
MIN_PIECE_LENGTH = 2
"""Minimum length of an input that may be a piece of a concatenated text."""
_SEPARATORS = (",", ", ", " ", "-", "|", ";", "/", "\n", ".", "&", "")
_TIME_UNITS = (DAY_MS, 3_600_000, 60_000, 1000, 1)


def joined_texts(sites: list[Site], operand: str, text_of: Callable[[Json], str]) -> Iterator[Origin]:
    """Yields the origin of a text such as `${colour}-${size}`.

    Two or more inputs stand between fixed texts; all of them are written at once.
    """
    pieces = _pieces(sites, operand, text_of)
    if len(pieces) < 2:
        return
    source, end = "", 0
    for start, stop, _ in pieces:
        source += re.escape(operand[end:start]) + "(.*?)"
        end = stop
    template = re.compile(source + re.escape(operand[end:]), re.DOTALL)

    def write(wanted: Operand) -> tuple[Place, ...]:
        found = template.fullmatch(wanted) if isinstance(wanted, str) else None
        if found is None:
            return ()
        places = [
            site.put(text)
            for text, (_, _, site) in zip(found.groups(), pieces, strict=True)
            if text != text_of(site.value)
        ]
        # If an input cannot hold its piece (a text for a number), nothing is written.
        return () if None in places else tuple(place for place in places if place is not None)

    yield Origin(TEMPLATE_COST, f"put together of {len(pieces)} inputs", write)


def _pieces(sites: list[Site], operand: str, text_of: Callable[[Json], str]) -> list[tuple[int, int, Site]]:
    """Returns inputs that occur in the operand side by side, in order; of two that overlap, the longer one."""
    found = []
    for site in sites:
        text = "" if isinstance(site.value, bool) or site.value is None else text_of(site.value)
        at = operand.find(text) if len(text) >= MIN_PIECE_LENGTH else -1
        if at >= 0:
            found.append((at, at + len(text), site))
    chosen: list[tuple[int, int, Site]] = []
    for start, stop, site in sorted(found, key=lambda piece: piece[0] - piece[1]):
        if all(stop <= other[0] or start >= other[1] for other in chosen):
            chosen.append((start, stop, site))
    return sorted(chosen, key=lambda piece: piece[0])


def pairs(numeric: list[tuple[Site, float]], number: float) -> Iterator[tuple[Site, int, str, Inverse]]:
    """Yields inputs that give the number as sum, difference or product with another input, with the inverse."""
    for site, own in numeric[:MAX_PAIR_SITES]:
        for other_site, other in numeric[:MAX_PAIR_SITES]:
            if other_site is site or max(abs(own), abs(other)) < MIN_UNUSUAL:
                continue
            if own + other == number:
                yield site, PAIR_COST, "added to another input", linear_inverse(1, other)
            elif own - other == number:
                yield site, PAIR_COST, "less another input", linear_inverse(1, -other)
            elif other - own == number:
                yield site, PAIR_COST, "taken from another input", linear_inverse(-1, other)
            elif own * other == number and other not in (0, 1):
                yield site, PAIR_COST, "times another input", linear_inverse(other, 0)


def time_spans(sites: list[Site], number: float) -> Iterator[tuple[Site, int, str, Inverse]]:
    """Yields inputs that are dates, if the time between them and another input is the number in some unit."""
    dated = [
        (site, site.value, ms)
        for site in sites[: 4 * MAX_PAIR_SITES]
        if isinstance(site.value, str) and (ms := to_time(site.value)) is not None
    ][:MAX_PAIR_SITES]
    for site, text, own in dated:
        for other_site, _, other in dated:
            for unit in _TIME_UNITS if other_site is not site and number else ():
                if own - other == number * unit:
                    yield site, PAIR_COST, "time since another input", _span_inverse(text, other, unit)
                elif other - own == number * unit:
                    yield site, PAIR_COST, "time until another input", _span_inverse(text, other, -unit)


def _span_inverse(text: str, other: int, unit: int) -> Inverse:
    def inverse(wanted: Operand) -> Json | Nothing:
        written = from_time(other + wanted * unit, text) if is_number(wanted) else None
        return Nothing() if written is None else written

    return inverse


def array_origins(address: GeneAddress, array: ArrayGene, operand: Operand, rng: Random) -> Iterator[Origin]:
    """Yields the array as origin of the operand: its number of elements, their sum, or their texts joined."""
    if is_number(operand):
        if len(array.items) == operand:
            yield Origin(LENGTH_COST, "its length", _resizing(address, array, rng), (address, array))
        if any(_length_of_list(item) == operand for item in array.items):
            yield Origin(LENGTH_COST, "the lengths of its lists", _resizing_lists(address, array, rng))
        values = [item.phenotype() for item in array.items]
        numbers = [value for value in values if is_number(value)]
        if len(numbers) == len(values) >= 2 and sum(numbers) == operand:
            yield Origin(CHANGED_COST, "the sum of its elements", _summing(address, array, sum(numbers)))
    elif isinstance(operand, str) and len(array.items) >= 2:
        texts = [item.phenotype() for item in array.items]
        if any(isinstance(text, (list, dict, bool)) or text is None or text is ABSENT for text in texts):
            return
        for separator in _SEPARATORS:
            if separator.join(map(to_text, texts)) == operand:
                yield Origin(CHANGED_COST, "its elements joined", _splitting(address, array, separator))
                return


def _resizing(address: GeneAddress, array: ArrayGene, rng: Random) -> Callable[[Operand], tuple[Place, ...]]:
    def write(wanted: Operand) -> tuple[Place, ...]:
        if not is_number(wanted) or wanted != int(wanted) or not 0 <= wanted <= MAX_WANTED_ITEMS:
            return ()
        return ((address, array.resized(int(wanted), rng)),)

    return write


def _resizing_lists(address: GeneAddress, array: ArrayGene, rng: Random) -> Callable[[Operand], tuple[Place, ...]]:
    """Returns a function that gives all lists in an array one length: a program that asks for one, of a row of a matrix
    say, asks for that of all.
    """

    def write(wanted: Operand) -> tuple[Place, ...]:
        if not is_number(wanted) or wanted != int(wanted) or not 0 <= wanted <= MAX_WANTED_ITEMS:
            return ()
        return ((address, array.with_items(tuple(_of_length(item, int(wanted), rng) for item in array.items))),)

    return write


def _length_of_list(gene: Gene) -> int | None:
    if isinstance(gene, ArrayGene):
        return len(gene.items)
    return len(gene.value) if isinstance(gene, AnyGene) and isinstance(gene.value, list) else None


def _of_length(gene: Gene, length: int, rng: Random) -> Gene:
    """Returns a list with another length; any other gene as it is."""
    if isinstance(gene, ArrayGene):
        return gene.resized(length, rng)
    if isinstance(gene, AnyGene) and isinstance(gene.value, list):
        last = gene.value[-1:] or [0]
        return AnyGene([*gene.value[:length], *last * (length - len(gene.value))])
    return gene


def _summing(address: GeneAddress, array: ArrayGene, total: float) -> Callable[[Operand], tuple[Place, ...]]:
    """Returns a function that adds the difference to the first element that can hold it."""

    def write(wanted: Operand) -> tuple[Place, ...]:
        if not is_number(wanted):
            return ()
        for index, item in enumerate(array.items):
            new = item.with_value(item.phenotype() + wanted - total)
            if new is not None:
                return ((address, array.with_child(index, new)),)
        return ()

    return write


def _splitting(address: GeneAddress, array: ArrayGene, separator: str) -> Callable[[Operand], tuple[Place, ...]]:
    def write(wanted: Operand) -> tuple[Place, ...]:
        if not isinstance(wanted, str):
            return ()
        parts = wanted.split(separator) if separator else list(wanted)
        new = array.with_value(parts) if len(parts) <= MAX_WANTED_ITEMS else None
        return () if new is None else ((address, new),)

    return write
