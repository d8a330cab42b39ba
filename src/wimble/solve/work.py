"""Counts what the solver does for a question, so that it can be bounded in the same way on every machine."""

from __future__ import annotations

from typing import Final

import z3

from wimble.solve.questions import MAX_THOROUGH

UNITS_PER_RUNG: Final = 4_000
UNITS_PER_TRANSLATION: Final = 200
"""Of an expression, beside the automata of its patterns; all are measured, so that a unit takes as long as one of Z3's
on average."""
UNITS_PER_MOVE: Final = 200
"""Of a pattern that is made into terms: from a state that a text can have reached to a next one."""
UNITS_PER_COMPUTATION: Final = 3
MAX_QUICK: Final = 1_000_000
"""Most questions that have an answer need less, which takes a third of a second."""


class Moves:
    """Counts the moves of patterns that this process has made into terms; it solves one question at a time."""

    n = 0

    @classmethod
    def note(cls, n: int) -> None:
        """Adds so many."""
        cls.n += n


class Work:
    """In Z3's units of resources, of which a processor does about 3 to 5 million per second."""

    def __init__(self, *, is_thorough: bool) -> None:
        self.is_thorough = is_thorough
        self._limit = MAX_THOROUGH if is_thorough else MAX_QUICK
        self._start = _used()
        self._charged = 0

    @property
    def spent(self) -> int:
        """The work that was done so far."""
        return _used() - self._start + self._charged

    @property
    def is_used_up(self) -> bool:
        """Whether nothing more is to be begun."""
        return self.spent >= self._limit

    def note_rung(self, n_nodes: int) -> None:
        """Adds that so many nodes were translated to terms."""
        self._charged += UNITS_PER_RUNG + UNITS_PER_TRANSLATION * n_nodes

    def note_trials(self, n_nodes: int) -> None:
        """Adds that so many nodes were computed."""
        self._charged += UNITS_PER_COMPUTATION * n_nodes


def _used() -> int:
    return used_resources() + UNITS_PER_MOVE * Moves.n


def used_resources() -> int:
    """Returns what the present context of Z3 has used so far, in its units."""
    counts = z3.SimpleSolver().statistics()
    return int(counts.get_key_value("rlimit count"))
