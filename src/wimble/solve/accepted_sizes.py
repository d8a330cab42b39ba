"""How large the numbers in a text may become, by writing some of them into it.

Where a text was split and its parts were read as numbers, conditions on the form of the whole text
(`/^\\d{1,3}(\\.\\d{1,3}){3}$/`) are not about the parts, and are left out. So numbers of several lengths are written in
the place of each part, and these conditions are computed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from wimble.solve.known_of_parts import Condition, with_conditions
from wimble.solve.path_conditions import NoValue, Path, Scalar
from wimble.solve.values.node_values import node_values

MAX_DIGITS: Final = 10
MAX_WRITTEN: Final = 120
"""Nodes of the conditions, times numbers, for which they are computed."""
Restored = Callable[[Mapping[str, Scalar]], Mapping[str, Scalar]]
"""Values of parts -> values of the inputs that have them. Raises: NoValue, ValueError, TypeError, KeyError."""


def with_accepted_sizes(made: Path, numbers: Mapping[str, int], form: Path, restored: Restored) -> Path:
    """Returns the path `made` with bounds of its numbers as further conditions.

    numbers: their nodes by place. form: the conditions on the whole texts.
    """
    if len(numbers) * len(form.nodes) > MAX_WRITTEN:
        return made
    bounds: list[tuple[int, Condition]] = []
    for place, index in numbers.items():
        least, greatest = accepted_sizes(partial(_has_form, form, restored, place))
        if least is not None:
            bounds.append((index, ("<=", (least,), ())))
        if greatest is not None:
            bounds.append((index, ("<=", (), (greatest,))))
    return with_conditions(made, bounds)


def _has_form(form: Path, restored: Restored, place: str, number: int) -> bool:
    try:
        values = node_values(form, restored({place: number}))
    except (NoValue, ValueError, TypeError, KeyError, IndexError):
        return False
    return all(values[one.node] in (None, one.is_taken) for one in form.entries)


def accepted_sizes(accepts: Callable[[int], bool]) -> tuple[int | None, int | None]:
    """Returns the least and the greatest number that may be accepted; None: there is no bound.

    accepts: whether the text still has its form with a whole number in the place of another. Of all numbers of so many
    digits some are tried, and count as accepted if one of them is.
    """
    lengths = [n_digits for n_digits in range(1, MAX_DIGITS + 1) if any(map(accepts, _samples(n_digits)))]
    if not lengths:
        return None, None
    shortest, longest = lengths[0], lengths[-1]
    is_negative = any(accepts(-sample) for n_digits in (shortest, longest) for sample in _samples(n_digits) if sample)
    least = 0 if shortest == 1 else 10 ** (shortest - 1)
    return None if is_negative else least, None if longest == MAX_DIGITS else 10**longest - 1


def _samples(n_digits: int) -> tuple[int, ...]:
    first = 0 if n_digits == 1 else 10 ** (n_digits - 1)
    return (first, first + 1, 12 * 10 ** (n_digits - 1) // 10, 10**n_digits - 1)
