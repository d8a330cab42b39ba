"""Genes of integers and other numbers.

Samples are boundary values, small numbers, or unusual, unique ones (probabilities.py). Mutations add ±2**k within the
limits. If the SUT has asked for a value beyond its limits, mutations may also stay beyond them.
"""

from __future__ import annotations

import math
from decimal import Decimal
from random import Random
from typing import TypeVar

from msgspec.structs import replace

from wimble.genes import probabilities
from wimble.genes.gene import Gene, Resolver
from wimble.types import Json

N = TypeVar("N", int, float)


class IntegerGene(Gene, frozen=True):
    """An integer. The limits are inclusive; the builder of the gene converts exclusive limits."""

    value: int = 0
    minimum: int | None = None
    maximum: int | None = None
    multiple_of: int | None = None

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        return self.value

    def sampled(self, rng: Random) -> IntegerGene:
        if (self.minimum is not None or self.maximum is not None) and probabilities.breaks_a_constraint(rng):
            return self._with(_beyond(rng, self.minimum, self.maximum, 1))
        draw = rng.random()
        if draw < probabilities.NUMBER_BOUNDARY_PROBABILITY:
            options = [
                value
                for value in (0, 1, -1, self.minimum, self.maximum, _plus(self.minimum, 1), _plus(self.maximum, -1))
                if value is not None and self._is_valid(value)
            ]
            if options:
                return self._with(rng.choice(options))
        is_small = draw < probabilities.NUMBER_BOUNDARY_PROBABILITY + probabilities.NUMBER_SMALL_PROBABILITY
        return self._with(self._snapped(_spread(rng, self.minimum, self.maximum, is_small=is_small)))

    def mutated(self, rng: Random, focus: float) -> IntegerGene:
        unit = self.multiple_of or 1
        is_inside = self._is_within(self.value)
        for _ in range(8):
            if rng.random() < probabilities.NUMBER_SAME_SIZE_PROBABILITY:
                value = probabilities.of_same_size(rng, self.value)
            else:
                value = self.value + unit * probabilities.step(rng, probabilities.NUMBER_STEP_BITS, focus)
            value = self._snapped(self._clamped(value)) if is_inside or rng.random() < 0.5 else value
            if value != self.value:
                return self._with(value)
        for value in (self._snapped(self._clamped(self.value + unit)), self._snapped(self._clamped(self.value - unit))):
            if value != self.value:
                return self._with(value)
        return self

    def with_value(self, value: Json) -> IntegerGene | None:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            return None
        return self._with(value)

    def is_mutable(self) -> bool:
        if self.minimum is None or self.maximum is None:
            return True
        unit = self.multiple_of or 1
        n_values = self.maximum // unit - -(-self.minimum // unit) + 1
        return n_values > 1 or not self._is_valid(self.value)

    def _with(self, value: int) -> IntegerGene:
        return IntegerGene(value, self.minimum, self.maximum, self.multiple_of)

    def _is_within(self, value: int) -> bool:
        return (self.minimum is None or value >= self.minimum) and (self.maximum is None or value <= self.maximum)

    def _is_valid(self, value: int) -> bool:
        return self._is_within(value) and (not self.multiple_of or value % self.multiple_of == 0)

    def _clamped(self, value: int) -> int:
        if self.minimum is not None and value < self.minimum:
            return self.minimum
        if self.maximum is not None and value > self.maximum:
            return self.maximum
        return value

    def _snapped(self, value: int) -> int:
        """Returns the nearest multiple below, or above if that one is less than the minimum."""
        if not self.multiple_of:
            return value
        below = value - value % self.multiple_of
        return below if self.minimum is None or below >= self.minimum else below + self.multiple_of


class NumberGene(Gene, frozen=True):
    """A finite number. It stays an int if it was given as an int."""

    value: float = 0.0
    minimum: float | None = None
    maximum: float | None = None
    exclusive_minimum: float | None = None
    exclusive_maximum: float | None = None
    multiple_of: float | None = None

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        return self.value

    def sampled(self, rng: Random) -> NumberGene:
        low, high = self._limits()
        if (low is not None or high is not None) and probabilities.breaks_a_constraint(rng):
            return replace(self, value=_beyond(rng, low, high, 0.5))
        draw = rng.random()
        if draw < probabilities.NUMBER_BOUNDARY_PROBABILITY:
            near = (_plus(low, 0.01), _plus(high, -0.01), _plus(low, 1), _plus(high, -1))
            options = [v for v in (0, 1, -1, 0.5, low, high, *near) if v is not None and self._is_valid(v)]
            if options:
                return replace(self, value=rng.choice(options))
        is_small = draw < probabilities.NUMBER_BOUNDARY_PROBABILITY + probabilities.NUMBER_SMALL_PROBABILITY
        return replace(self, value=self._fitted(self._spread(rng, low, high, is_small), rng))

    def mutated(self, rng: Random, focus: float) -> NumberGene:
        is_inside = self._is_within(self.value)
        for _ in range(8):
            moved = self._moved(rng, focus)
            value = self._fitted(moved, rng) if is_inside or rng.random() < 0.5 else moved
            if value != self.value and math.isfinite(value):
                return replace(self, value=value)
        low, high = self._limits()
        for _ in range(4):
            value = self._fitted(self._spread(rng, low, high, False), rng)
            if value != self.value:
                return replace(self, value=value)
        return self

    def with_value(self, value: Json) -> NumberGene | None:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            return None
        return replace(self, value=value)

    def is_mutable(self) -> bool:
        low, high = self._limits()
        return low is None or high is None or low < high or not self._is_within(self.value)

    def _limits(self) -> tuple[float | None, float | None]:
        lows = [limit for limit in (self.minimum, self.exclusive_minimum) if limit is not None]
        highs = [limit for limit in (self.maximum, self.exclusive_maximum) if limit is not None]
        return max(lows, default=None), min(highs, default=None)

    def _is_within(self, value: float) -> bool:
        return (
            (self.minimum is None or value >= self.minimum)
            and (self.maximum is None or value <= self.maximum)
            and (self.exclusive_minimum is None or value > self.exclusive_minimum)
            and (self.exclusive_maximum is None or value < self.exclusive_maximum)
        )

    def _is_valid(self, value: float) -> bool:
        return self._is_within(value) and (not self.multiple_of or is_multiple(value, self.multiple_of))

    def _spread(self, rng: Random, low: float | None, high: float | None, is_small: bool) -> float:
        if low is not None and high is not None and high - low < probabilities.UNUSUAL_LOW:
            return _rounded_uniform(rng, low, high)
        whole = _spread(
            rng, None if low is None else math.ceil(low), None if high is None else math.floor(high), is_small
        )
        return whole + rng.randrange(1000) / 1000 if rng.random() < 0.5 else whole

    def _moved(self, rng: Random, focus: float) -> float:
        if self.multiple_of:
            count = round(self.value / self.multiple_of) + probabilities.step(
                rng, probabilities.NUMBER_STEP_BITS, focus
            )
            return _times(count, self.multiple_of)
        if isinstance(self.value, int) and rng.random() < probabilities.NUMBER_SAME_SIZE_PROBABILITY:
            return probabilities.of_same_size(rng, self.value)
        move: float = probabilities.step(rng, probabilities.NUMBER_STEP_BITS, focus)
        if rng.random() < 0.5:
            # Decimal steps, from thousandths to hundreds, so that narrow ranges are searched too.
            move = probabilities.step(rng, (10, 6), focus) * rng.choice((0.001, 0.01, 0.1))
        return round(self.value + move, 6)

    def _fitted(self, value: float, rng: Random) -> float:
        """Returns a value within the limits that is a multiple, close to `value` if possible.

        The result may break a constraint if no value that was tried meets all of them.
        """
        if self.multiple_of:
            return self._fitted_multiple(value)
        if self._is_within(value):
            return value
        low, high = self._limits()
        if low is not None and high is not None:
            inner = _rounded_uniform(rng, low, high)
            return inner if self._is_within(inner) else (low + high) / 2 if self._is_within((low + high) / 2) else inner
        edge = low if low is not None else high
        assert edge is not None
        inward = 1 if low is not None else -1
        return edge if self._is_within(edge) else edge + inward

    def _fitted_multiple(self, value: float) -> float:
        assert self.multiple_of is not None
        low, high = self._limits()
        count = math.floor(value / self.multiple_of)
        if high is not None:
            count = min(count, math.floor(high / self.multiple_of))
        if low is not None:
            count = max(count, math.ceil(low / self.multiple_of))
        for candidate in (count, count + 1, count - 1):
            fitted = _times(candidate, self.multiple_of)
            if self._is_within(fitted):
                return fitted
        return _times(count, self.multiple_of)


def is_multiple(value: float, unit: float) -> bool:
    """Whether `value` is a multiple of `unit` in decimal notation: 0.3 is a multiple of 0.1, although not in binary."""
    return Decimal(repr(value)) % Decimal(repr(unit)) == 0


def _times(count: int, unit: float) -> float:
    product = Decimal(count) * Decimal(repr(unit))
    return int(product) if product == product.to_integral_value() else float(product)


def _plus(limit: N | None, offset: N) -> N | None:
    return None if limit is None else limit + offset


def _beyond(rng: Random, low: N | None, high: N | None, distance: N) -> N:
    """Returns a value at `distance` outside of one of the given limits."""
    outside = [low - distance] if low is not None else []
    if high is not None:
        outside.append(high + distance)
    return rng.choice(outside)


def _spread(rng: Random, low: int | None, high: int | None, is_small: bool) -> int:
    """Returns an integer within the limits: if `is_small`, one of the first eleven from 0, else an unusual one."""
    if low is not None and high is not None and high - low <= probabilities.UNUSUAL_LOW:
        return rng.randint(min(low, high), max(low, high))
    if is_small:
        start = max(0, low) if low is not None else 0
        if high is not None and start + 10 > high:
            start = high - 10
        return start + rng.randrange(11)
    wide_low = min(-probabilities.UNUSUAL_HIGH, 2 * (high or 0)) if low is None else low
    wide_high = max(probabilities.UNUSUAL_HIGH, 2 * (low or 0)) if high is None else high
    if wide_low > -probabilities.UNUSUAL_LOW and wide_high < probabilities.UNUSUAL_LOW:
        return rng.randint(wide_low, wide_high)
    is_negative = wide_high < probabilities.UNUSUAL_LOW or (
        wide_low <= -probabilities.UNUSUAL_LOW and rng.random() < probabilities.NEGATIVE_PROBABILITY
    )
    if is_negative:
        return -_unusual(rng, -wide_high, -wide_low)
    return _unusual(rng, wide_low, wide_high)


def _unusual(rng: Random, low: int, high: int) -> int:
    """Returns a number from `low` to `high`, of at least four digits, with all orders of magnitude equally likely.

    `high` has to be at least UNUSUAL_LOW.
    """
    low = max(low, probabilities.UNUSUAL_LOW)
    if low >= probabilities.UNUSUAL_HIGH:  # such as a time in milliseconds
        return rng.randint(low, max(low, min(high, 2 * low)))
    return _log_uniform(rng, low, min(high, probabilities.UNUSUAL_HIGH))


def _log_uniform(rng: Random, low: int, high: int) -> int:
    """Returns a number from `low` to `high` (both positive), with all orders of magnitude equally likely."""
    if low >= high:
        return low
    return min(high, max(low, int(math.exp(rng.uniform(math.log(low), math.log(high + 1))))))


def _rounded_uniform(rng: Random, low: float, high: float) -> float:
    """Draws uniformly, and rounds to the fewest decimals (2, 4 or 8) that stay within the open interval, if any."""
    value = rng.uniform(low, high)
    for decimals in (2, 4, 8):
        rounded = round(value, decimals)
        if low < rounded < high:
            return rounded
    return value
