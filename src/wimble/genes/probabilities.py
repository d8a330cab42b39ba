"""Every probability and size that sampling and mutation use, in one place.

The probabilities of one decision are used in the order given; the rest goes to the last alternative named.
"""

from __future__ import annotations

from random import Random
from typing import Final

VIOLATION_PROBABILITY: float = 0.02
"""Sampled leaves that break a declared constraint on purpose (a limit by one, a format, a pattern, a length).
Small, since one odd leaf usually has the whole call refused: an object of ten such leaves still is valid in 82 %."""

# ---- numbers ----
NUMBER_BOUNDARY_PROBABILITY: Final = 0.25
"""0, 1, -1, the limits, and one inside of them: where off-by-one errors live."""
NUMBER_SMALL_PROBABILITY: Final = 0.15
"""0 to 10 (or the first eleven values allowed): counters, page numbers, ids of the first rows."""
# the rest: unusual and unique, so that an operand seen in the SUT is recognised as this input (input-to-state)
UNUSUAL_LOW: Final = 1_000
UNUSUAL_HIGH: Final = 2_000_000_000
"""Fits into a signed 32-bit integer."""
NEGATIVE_PROBABILITY: Final = 0.2
"""Of unusual numbers, where negative ones are allowed."""
NUMBER_STEP_BITS: Final = (31, 10)
"""Largest k of a mutation by 2**k, at the start of the search and in the focused phase ([WB-JS]'s MIO practice)."""
FRACTION_PROBABILITY: Final = 0.5
"""Sampled non-integer numbers that have decimals (three at most); also the share of mutations that move decimals."""

# ---- strings ----
STRING_EMPTY_PROBABILITY: Final = 0.04
STRING_NUMERIC_PROBABILITY: Final = 0.06
"""Digits only: most query parameters are parsed."""
STRING_BOUNDARY_PROBABILITY: Final = 0.06
"""Exactly the least or (up to MAX_BOUNDARY_LENGTH) the greatest length."""
STRING_STRANGE_PROBABILITY: Final = 0.04
"""Spaces, quotes, a letter beyond ASCII, an emoji: valid, but rarely tested."""
# the rest: a taint marker
MARKER_LENGTH: Final = 5
"""Characters of a taint marker: 26 * 36**4 = 44 million different ones, and short enough for most length limits."""
MAX_BOUNDARY_LENGTH: Final = 300
CHAR_STEP_BITS: Final = (6, 3)
"""Largest k of a character's mutation by 2**k, at the start and in the focused phase."""
CHANGE_CHAR_PROBABILITY: Final = 0.5
APPEND_PROBABILITY: Final = 0.15
DROP_PROBABILITY: Final = 0.15
INSERT_PROBABILITY: Final = 0.1
MIRROR_PROBABILITY: Final = 0.04
"""The text once more, or its mirror image, behind or before it: repetitions and palindromes are conditions that no
single character leads to."""
# the rest (0.06): a fresh sample
CONFORMING_MUTATION_PROBABILITY: Final = 0.9
"""Of strings that conform to their format or pattern: mutated by drawing another one that conforms."""

MOVED_DATE_PROBABILITY: Final = 0.6
"""Of mutations of a declared date: it is moved, not drawn anew."""
DAYS_PROBABILITY: Final = 0.5
WEEKS_PROBABILITY: Final = 0.2
MONTHS_PROBABILITY: Final = 0.2
# the rest: years
DAY_STEP_BITS: Final = 5
"""Of days, up to 32: farther dates are some weeks, months or years off."""
CALENDAR_STEP_BITS: Final = 6

UNSPECIALISED_PROBABILITY: Final = 0.03
"""Of specialised strings: a mutation back to the text before."""

# ---- structure ----
FIRST_MEDIA_PROBABILITY: Final = 0.8
"""Bodies in the first of several media types (JSON, where there is JSON): documents list more than programs read."""
PRESENT_PROBABILITY: Final = 0.5
"""Optional values that are present."""
NULL_PROBABILITY: Final = 0.1
SEED_PROBABILITY: Final = 0.5
"""Samples of a SeededGene that take one of its seeds."""
EXTRA_ITEMS: Final = 3
"""Largest number of items beyond the minimum in a sampled array or map."""
MEMBER_CHANGE_PROBABILITY: Final = 0.6
MEMBER_DROP_PROBABILITY: Final = 0.2
"""Of changes within an object or array of any shape; the rest: one member more."""
ANY_KINDS: Final = ("string", "integer", "boolean", "number", "null", "array", "object")
ANY_WEIGHTS: Final = (8, 5, 3, 2, 2, 2, 3)
ANY_DEPTH: Final = 2
"""Nesting of containers in a value of any shape; queries by example have that form (`{"name": {"in": ["a",
null]}}`)."""


def step(rng: Random, bits: tuple[int, int], focus: float) -> int:
    """±2**k, k uniform from 0 to a largest that shrinks linearly with `focus`."""
    largest = round(bits[0] + (bits[1] - bits[0]) * focus)
    size = 1 << rng.randint(0, largest)
    return size if rng.random() < 0.5 else -size


def breaks_a_constraint(rng: Random) -> bool:
    """Whether this sample is to break a constraint on purpose."""
    return rng.random() < VIOLATION_PROBABILITY
