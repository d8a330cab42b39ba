"""Three-valued truth with distances: the value of a predicate, and its distances from true and from false.

A distance is 0 if the outcome is reached, else in (0, 1]; 1 means that no gradient is known (NULL, a flag).
Predicates are combined as in [WB-JS] §3.4 (Equations 1 and 2), with distances instead of h: the distance of a
conjunction from true is the mean of its parts' distances, that of a disjunction is the least of them.
"""

from __future__ import annotations

from typing import NamedTuple

BASE = 0.01
"""h of an outcome that did not occur although the predicate was evaluated, without a gradient ([WB-JS] §3.4)."""
MOST_MISSED = 1 - 2**-30
"""The largest h of an uncovered target, below 1."""
FAR = 1 - 2**-20
"""The largest known distance, below the 1 of an unknown one."""


class Truth(NamedTuple):
    """The value of a predicate (None: unknown), and its distances.

    `to_true` is 0 exactly if `value` is True, and `to_false` exactly if it is False.
    """

    value: bool | None
    to_true: float
    to_false: float


TRUE = Truth(True, 0.0, 1.0)
FALSE = Truth(False, 1.0, 0.0)
UNKNOWN = Truth(None, 1.0, 1.0)
"""NULL."""


def flag(is_true: bool) -> Truth:
    """Returns a truth without a gradient."""
    return TRUE if is_true else FALSE


def graded(is_true: bool, distance: float) -> Truth:
    """Returns a truth with a gradient. distance: the distance to the other outcome, above 0 and without upper bound."""
    missed = min(max(distance / (distance + 1.0), 1e-12), FAR)
    return Truth(True, 0.0, missed) if is_true else Truth(False, missed, 0.0)


def negated(truth: Truth) -> Truth:
    """Returns the negation, with both distances swapped."""
    return Truth(None if truth.value is None else not truth.value, truth.to_false, truth.to_true)


def both(left: Truth, right: Truth) -> Truth:
    """Returns the conjunction of two truths."""
    if left.value is False or right.value is False:
        value: bool | None = False
    else:
        value = True if left.value and right.value else None
    return Truth(value, (left.to_true + right.to_true) / 2, min(left.to_false, right.to_false))


def either(left: Truth, right: Truth) -> Truth:
    """Returns the disjunction of two truths."""
    return negated(both(negated(left), negated(right)))


def all_of(truths: list[Truth]) -> Truth:
    """Returns the conjunction of any number of truths, with equal weights; true if there are none."""
    if not truths:
        return TRUE
    values = [truth.value for truth in truths]
    value = False if False in values else None if None in values else True
    return Truth(value, sum(truth.to_true for truth in truths) / len(truths), min(truth.to_false for truth in truths))


def any_of(truths: list[Truth]) -> Truth:
    """Returns the disjunction of any number of truths, with equal weights; false if there are none."""
    return negated(all_of([negated(truth) for truth in truths]))


def closeness(distance: float) -> float:
    """Returns h of an outcome at this distance ([WB-JS] §3.4: b + (1 - b) * h, b = 0.01); 1 if it is reached."""
    return 1.0 if distance <= 0.0 else min(BASE + (1 - BASE) * (1.0 - distance), MOST_MISSED)
