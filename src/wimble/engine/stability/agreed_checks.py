"""What may be asserted of an answer: what was the same in every verification run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from wimble.engine.stability.nondeterminism import DETERMINISTIC, Nondeterminism
from wimble.engine.stability.unordered_arrays import steady_parts
from wimble.model.observation import Exchange
from wimble.model.suite import BodyCheck
from wimble.types import ABSENT, Json
from wimble.users import REDACTED

MAX_CHECKS = 40
"""Assertions per response; more make a test that nobody reads."""
MAX_ELEMENTS = 3
"""Elements of an array that are looked into; its length is asserted beside."""
_PASSING_TEXT = re.compile(r"\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-|^[0-9A-Za-z_-]{16,}$")
"""Dates, times, UUIDs and other identities: they differ from run to run, and what stands beside them does not."""
_STACK_FRAME = re.compile(r"^ {2,}at \S.*:\d+:\d+\)?$", re.MULTILINE)
"""A place in source text, with its column: it moves with the folder, with each edit, and where the agent has put probes
beside it."""
_LEAST_EPOCH_S = 1e9
"""Smaller numbers are no clock's (2001 in seconds)."""
_INSTANT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\.(?!0+(?!\d))\d{3,9}(?:Z|[+-]\d\d:?\d\d)?")
_EPOCH_MS = range(1_000_000_000_000, 10_000_000_000_000)
"""From 2001 on."""
MAX_TEXT_LENGTH = 400
"""A longer text body (an HTML page) says little that a person would assert."""


def body_checks(runs: Sequence[Exchange], nondeterminism: Nondeterminism = DETERMINISTIC) -> tuple[BodyCheck, ...]:
    """Checks that hold in all runs, outermost first; at most MAX_CHECKS."""
    bodies = [run.value() for run in runs]
    checks: list[BodyCheck] = []
    if all(body is not ABSENT for body in bodies):
        checks = _JsonChecks(nondeterminism).of(bodies)
    elif all(body is ABSENT for body in bodies):
        texts = {_text(run) for run in runs}
        text = texts.pop() if len(texts) == 1 else None
        if text and not nondeterminism.concern(text):
            checks.append(BodyCheck((), "text", text))
    return tuple(checks[:MAX_CHECKS])


def is_erratic(runs: Sequence[Exchange]) -> bool:
    """Whether bodies differ by more than dates and identities: then what was the same so far may be so by chance."""
    bodies = [run.value() for run in runs]
    return len(bodies) > 1 and all(body is not ABSENT for body in bodies) and _differ_by_chance(bodies)


def _differ_by_chance(values: list[Json]) -> bool:
    first = values[0]
    if all(value == first for value in values):
        return False
    if all(isinstance(value, dict) for value in values):
        keys = {key: None for value in values for key in value}
        return any(
            any(key not in value for value in values) or _differ_by_chance([value[key] for value in values])
            for key in keys
        )
    if all(isinstance(value, list) for value in values):
        return any(len(value) != len(first) for value in values) or any(
            _differ_by_chance(list(elements)) for elements in zip(*values, strict=True)
        )
    return not all(isinstance(value, str) and _PASSING_TEXT.search(value) for value in values) and not all(
        type(value) in (int, float) and value > _LEAST_EPOCH_S for value in values
    )


def _text(exchange: Exchange) -> str | None:
    """A short plain text; None where it is anything else (markup carries paths and versions that change)."""
    text = exchange.plain_text() if exchange.n_bytes <= MAX_TEXT_LENGTH else None
    return text if text is not None and _may_be_asserted(text) else None


def _may_be_asserted(value: Json) -> bool:
    """Not a text in which a secret stood (what really came is not to be written down), nor one with a stack in it, nor
    what a clock has given: where it is the same each time it stands in data that was there before, and elsewhere other
    data is."""
    if isinstance(value, str):
        return REDACTED not in value and not _STACK_FRAME.search(value) and not _INSTANT.fullmatch(value)
    return not (isinstance(value, int) and value in _EPOCH_MS and value % 1000)


class _JsonChecks:
    """Of one body, as all runs had it."""

    def __init__(self, nondeterminism: Nondeterminism) -> None:
        self._nondeterminism = nondeterminism
        self._checks: list[BodyCheck] = []

    def of(self, bodies: list[Json]) -> list[BodyCheck]:
        self._collect((), bodies)
        return self._checks

    def _collect(self, pointer: tuple[str | int, ...], values: list[Json]) -> None:
        """Walks the same place of all runs' bodies at once; stops where they differ in kind."""
        if len(self._checks) >= MAX_CHECKS:
            return
        first = values[0]
        if any(type(value) is not type(first) for value in values):
            return
        if isinstance(first, dict) and first:
            for key in first:
                if all(key in value for value in values):
                    self._collect((*pointer, key), [value[key] for value in values])
        elif isinstance(first, list) and first:
            if all(len(value) == len(first) for value in values) and not any(map(_is_stack, values)):
                self._collect_elements(pointer, values)
        elif all(value == first for value in values) and self._may_be_asserted(first):
            self._checks.append(BodyCheck(pointer, "equals", first))

    def _collect_elements(self, pointer: tuple[str | int, ...], values: list[list[Json]]) -> None:
        length = len(values[0])
        self._checks.append(BodyCheck(pointer, "length", length))
        if self._nondeterminism.in_any_order and length > 1:
            parts = steady_parts(values, self._may_be_asserted)
            self._checks += [BodyCheck(pointer, "holds", part) for part in islice(parts, MAX_ELEMENTS)]
            return
        for index in range(min(length, MAX_ELEMENTS)):
            self._collect((*pointer, index), [value[index] for value in values])

    def _may_be_asserted(self, value: Json) -> bool:
        return _may_be_asserted(value) and not self._nondeterminism.concern(value)


def _is_stack(elements: list[Json]) -> bool:
    """Whether the elements are the lines of a stack, as GraphQL servers tell it while they are developed."""
    return any(isinstance(element, str) and _STACK_FRAME.search(element) for element in elements)
