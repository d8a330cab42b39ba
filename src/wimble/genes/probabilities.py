"""All probabilities and sizes that sampling and mutation use.

The probabilities of one decision are tested in the given order; the remaining probability belongs to the last
alternative.
"""

from __future__ import annotations

from random import Random
from typing import Final

VIOLATION_PROBABILITY: float = 0.02
"""Share of sampled leaves that break a declared constraint on purpose (a limit, a format, a pattern, a length).

It is small, since one odd leaf usually gets the whole call refused: an object of ten such leaves is valid in 82 %.
"""

# ---- numbers ----
NUMBER_BOUNDARY_PROBABILITY: Final = 0.25
"""0, 1, -1, the limits, and the values one inside of the limits, where off-by-one errors occur."""
NUMBER_SMALL_PROBABILITY: Final = 0.15
"""0 to 10 (or the first eleven allowed values): counters, page numbers, ids of the first rows."""
# else unusual and unique numbers, so that an operand in the SUT can be recognised as this input (input-to-state)
UNUSUAL_LOW: Final = 1_000
UNUSUAL_HIGH: Final = 2_000_000_000
"""Fits into a signed 32-bit integer."""
NEGATIVE_PROBABILITY: Final = 0.2
"""Share of negative numbers among unusual ones, if both signs are allowed."""
NUMBER_STEP_BITS: Final = (31, 10)
"""Largest k of a mutation by 2**k, at the start of the search and in the focused phase (as MIO in [WB-JS])."""

NUMBER_SAME_SIZE_PROBABILITY: Final = 0.15
"""Share of mutations of a whole number that draw another one with as many digits: where no distance leads to a value
(the steps of a loop, digits, divisors), small steps stay where they are, and large ones leave what is allowed."""

# ---- strings ----
STRING_EMPTY_PROBABILITY: Final = 0.04
STRING_NUMERIC_PROBABILITY: Final = 0.06
"""Digits only, because many programs parse query parameters."""
STRING_BOUNDARY_PROBABILITY: Final = 0.06
"""Exactly the minimum length, or the maximum length (at most MAX_BOUNDARY_LENGTH)."""
STRING_STRANGE_PROBABILITY: Final = 0.04
"""Spaces, quotes, a letter beyond ASCII, an emoji: values that are valid but rarely tested."""
# else a taint marker
MARKER_LENGTH: Final = 5
"""Length of a taint marker: 26 * 36**4 = 44 million different ones, short enough for most limits of length."""
MAX_BOUNDARY_LENGTH: Final = 300
MAX_BROKEN_LENGTH: Final = 5_000
"""A limit of length from here on is not exceeded on purpose: a column of texts may hold four billion characters."""
CHAR_STEP_BITS: Final = (6, 3)
"""Largest k of a mutation of a character by 2**k, at the start and in the focused phase."""
CONFORMING_MUTATION_PROBABILITY: Final = 0.9
"""Share of mutations of a string that conforms to its format or pattern which draw another conforming string."""

CALENDAR_STEP_BITS: Final = 6

UNSPECIALISED_PROBABILITY: Final = 0.03
"""Share of mutations of a specialised string that restore the text it had before."""

# ---- structure ----
FIRST_MEDIA_PROBABILITY: Final = 0.8
"""Share of bodies in the first of several media types (JSON, if declared): documents declare more than programs
read."""
PRESENT_PROBABILITY: Final = 0.5
"""Share of samples in which an optional value is present."""
NEEDED_PROBABILITY: Final = 0.92
"""Share of samples in which a value is present that a function seems to need."""
NULL_PROBABILITY: Final = 0.1
SEED_PROBABILITY: Final = 0.5
"""Share of samples of a SeededGene that use one of its seeds."""
EXTRA_ITEMS: Final = 3
"""Maximum number of items beyond the minimum in a sampled array or map."""
ANY_KINDS: Final = ("string", "integer", "boolean", "number", "null", "array", "object")
ANY_WEIGHTS: Final = (8, 5, 3, 2, 2, 2, 3)
ANY_DEPTH: Final = 2
"""Maximum nesting of containers in a value of any type. Queries by example have this form (`{"name": {"in": ["a",
null]}}`)."""


def step(rng: Random, bits: tuple[int, int], focus: float) -> int:
    """Returns ±2**k. k is uniform from 0 to a maximum that shrinks linearly from bits[0] to bits[1] with `focus`."""
    largest = round(bits[0] + (bits[1] - bits[0]) * focus)
    size = 1 << rng.randint(0, largest)
    return size if rng.random() < 0.5 else -size


def of_same_size(rng: Random, value: int) -> int:
    """Returns a number with as many digits, or fewer, and the same sign."""
    size = 10 ** len(str(abs(value)))
    return rng.randrange(size) * (-1 if value < 0 else 1)


def breaks_a_constraint(rng: Random) -> bool:
    """Whether a sample should break a constraint on purpose."""
    return rng.random() < VIOLATION_PROBABILITY
