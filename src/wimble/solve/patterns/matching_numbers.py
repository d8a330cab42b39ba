"""Which whole numbers a pattern accepts, as they are printed: `/^\\d{1,3}$/` those from 0 to 999."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from wimble.solve.path_conditions import Unmodelled
from wimble.solve.patterns.automata import Automaton
from wimble.solve.patterns.regex_languages import both, language_accepted_by

MAX_LENGTH: Final = 20
"""Of texts whose length is looked for."""
MAX_DIGITS: Final = 15
"""Of numbers that doubles hold exactly."""


class Bounds(NamedTuple):
    """The least and the greatest number; None: there is none."""

    least: int | None
    greatest: int | None


@lru_cache(maxsize=256)
def bounds_of_numbers(source: str, flags: str) -> Bounds | None:
    """Returns bounds of the whole numbers that the pattern accepts; None if there are none, or it has no automaton.

    Nothing is raised: an error would not be kept, and the pattern would be looked at again for each path.
    """
    try:
        sizes = _sizes(source, flags, "")
        negative = _sizes(source, flags, "-")
    except Unmodelled:
        return None
    if not sizes and not negative:
        return None
    least: int | None = None if negative else _least(sizes[0])
    if negative and negative[-1] < MAX_DIGITS:
        least = -_greatest(negative[-1])
    greatest = _greatest(sizes[-1]) if sizes else -_least(negative[0])
    return Bounds(least, None if sizes and sizes[-1] == MAX_DIGITS else greatest)


@lru_cache(maxsize=256)
def only_length(source: str, flags: str) -> int | None:
    """Returns the length of all texts that the pattern accepts; None if there are several, or it has no automaton."""
    try:
        automaton = Automaton(language_accepted_by(source, flags))
        lengths = [length for length in range(MAX_LENGTH + 1) if automaton.useful_states(length)[0]]
    except Unmodelled:
        return None
    return lengths[0] if len(lengths) == 1 else None


def _sizes(source: str, flags: str, sign: str) -> list[int]:
    """Returns how many digits the accepted numbers of a sign can have."""
    accepted = language_accepted_by(source, flags)
    found = []
    for n_digits in range(1, MAX_DIGITS + 1):
        first = "\\d" if n_digits == 1 and not sign else "[1-9]"
        numbers = language_accepted_by(f"^{sign}{first}\\d{{{n_digits - 1}}}$", "")
        if Automaton(both(accepted, numbers)).useful_states(n_digits + len(sign))[0]:
            found.append(n_digits)
    return found


def _least(n_digits: int) -> int:
    return 0 if n_digits == 1 else 10 ** (n_digits - 1)


def _greatest(n_digits: int) -> int:
    return int(10**n_digits) - 1
