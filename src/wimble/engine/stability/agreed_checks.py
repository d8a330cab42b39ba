"""What may be asserted of an answer: what was the same in every verification run."""

from __future__ import annotations

import platform
import re
from collections.abc import Sequence
from itertools import islice

from wimble.engine.stability.nondeterminism import DETERMINISTIC, Nondeterminism
from wimble.engine.stability.unordered_arrays import steady_parts
from wimble.genes.jsonhash import is_same_json
from wimble.model.observation import Exchange
from wimble.model.suite import BodyCheck
from wimble.types import ABSENT, Json
from wimble.users import REDACTED

MAX_CHECKS = 40
"""Maximum number of assertions per response: nobody reads a test with more."""
MAX_ELEMENTS = 3
"""Number of elements of an array that are compared; the array's length is asserted in addition."""
_PASSING_TEXT = re.compile(r"\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-|^[0-9A-Za-z_-]{16,}$")
"""Dates, times, UUIDs and other identities. They differ from run to run, but the values next to them do not."""
_STACK_FRAME = re.compile(r"^ {2,}at \S.*:\d+:\d+\)?$", re.MULTILINE)
"""A place in source text, with its column. It changes with the folder, with each edit, and with the agent's probes."""
_LEAST_EPOCH_S = 1e9
"""Smaller numbers are no times of a clock (it is a time in 2001, in seconds)."""
_INSTANT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\.(?!0+(?!\d))\d{3,9}(?:Z|[+-]\d\d:?\d\d)?")
_EPOCH_MS = range(1_000_000_000_000, 10_000_000_000_000)
"""Times of a clock in milliseconds, from 2001 on."""
_OF_MACHINE = frozenset({platform.node(), platform.release(), platform.version()} - {"", "localhost"})
"""Its name, and those of its operating system, which answers about the state of a server tell."""
_OF_RUNTIME = re.compile(r"v\d+\.\d+\.\d+")
"""The version of a runtime, as it tells it."""
MAX_TEXT_LENGTH = 400
"""A longer text body, such as an HTML page, has little that a person would assert."""


def body_checks(runs: Sequence[Exchange], nondeterminism: Nondeterminism = DETERMINISTIC) -> tuple[BodyCheck, ...]:
    """Returns checks that hold in all runs, outermost first; at most MAX_CHECKS."""
    bodies = [run.value() for run in runs]
    checks: list[BodyCheck] = []
    if runs[0].is_compared_whole and bodies[0] is not ABSENT:
        return (BodyCheck((), "equals", bodies[0]),) if all(is_same_json(body, bodies[0]) for body in bodies) else ()
    if all(body is not ABSENT for body in bodies):
        checks = _JsonChecks(nondeterminism).of(bodies)
    elif all(body is ABSENT for body in bodies):
        texts = {_text(run) for run in runs}
        text = texts.pop() if len(texts) == 1 else None
        if text and not nondeterminism.concern(text):
            checks.append(BodyCheck((), "text", text))
    return tuple(checks[:MAX_CHECKS])


def is_erratic(runs: Sequence[Exchange]) -> bool:
    """Whether bodies differ by more than dates and identities, so that values equal so far may be equal by chance."""
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
    """Returns a short plain text; None for any other body, since markup holds paths and versions that change."""
    text = exchange.plain_text() if exchange.n_bytes <= MAX_TEXT_LENGTH else None
    return text if text is not None and _may_be_asserted(text) else None


def _may_be_asserted(value: Json) -> bool:
    """Whether a value may be asserted.

    Values that may not are: a text in which a secret stood, since the value that came must not be written down; a text
    with a stack; a time of a clock; what this machine and its runtime are called. A time that is the same in each run
    stands in data that was there before, and other environments have other data.
    """
    if isinstance(value, str):
        if value in _OF_MACHINE or _OF_RUNTIME.fullmatch(value):
            return False
        return REDACTED not in value and not _STACK_FRAME.search(value) and not _INSTANT.fullmatch(value)
    return not (isinstance(value, int) and value in _EPOCH_MS and value % 1000)


class _JsonChecks:
    """The checks of one body, from all runs."""

    def __init__(self, nondeterminism: Nondeterminism) -> None:
        self._nondeterminism = nondeterminism
        self._checks: list[BodyCheck] = []

    def of(self, bodies: list[Json]) -> list[BodyCheck]:
        self._collect((), bodies)
        return self._checks

    def _collect(self, pointer: tuple[str | int, ...], values: list[Json]) -> None:
        """Compares the same place in the bodies of all runs; stops where they differ in type."""
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
    """Whether the elements are the lines of a stack, as GraphQL servers send it in development mode."""
    return any(isinstance(element, str) and _STACK_FRAME.search(element) for element in elements)
