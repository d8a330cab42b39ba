"""How much work may be spent on one target before it is the turn of others."""

from __future__ import annotations

from typing import Final

FIRST_WORK: Final = 1_000_000
"""Of the solver, in the first slice."""
FIRST_STEPS: Final = 8
"""Traced test cases in the first slice while it is not known how close anything came to the outcome."""
GROWTH: Final = 4
"""Each slice is so many times as great as the one before."""
THOROUGH_SLICE: Final = 2
"""The first slice in which much work may be spent on one question."""


class WorkSlices:
    """The slices of one target."""

    def __init__(self) -> None:
        self.count = 1
        self._most_work = FIRST_WORK
        self._most_steps = FIRST_STEPS

    def grant(self, work: int, n_steps: int) -> None:
        """Begins the next slice. work, n_steps: what was taken so far."""
        self.count += 1
        size = GROWTH ** (self.count - 1)
        self._most_work, self._most_steps = work + size * FIRST_WORK, n_steps + size * FIRST_STEPS

    def has_left(self, work: int, n_steps: int, *, is_blind: bool) -> bool:
        """Whether the slice is not used up. is_blind: whether it is not known how close anything came."""
        return work < self._most_work and not (is_blind and n_steps >= self._most_steps)

    def give_up(self) -> None:
        """Ends the slice, since what could be done with little work is done."""
        self._most_work = 0

    @property
    def may_be_thorough(self) -> bool:
        """Whether much work may be spent on one question."""
        return self.count >= THOROUGH_SLICE
