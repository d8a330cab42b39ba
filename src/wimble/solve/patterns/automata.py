"""The automaton of a language, whose states are its derivatives ([BRZOZOWSKI])."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from wimble.solve.path_conditions import Unmodelled
from wimble.solve.patterns.regex_languages import (
    ANY_TEXT,
    MAX_CODE,
    NONE,
    Language,
    Ranges,
    accepts_empty,
    boundaries,
    derivative,
)

MAX_STATES: Final = 400
"""Of one position in a text."""
State: TypeAlias = Language
Moves: TypeAlias = Mapping[State, Ranges]
"""To which states characters of these ranges lead; from there, a text can be accepted."""


class Automaton:
    """Reads texts character by character."""

    def __init__(self, language: Language) -> None:
        self.start: State = language
        self._cuts = sorted(boundaries(language) | {0})
        self._moves: dict[State, Moves] = {}

    def moves(self, state: State) -> Moves:
        """Returns where each character leads to, without those with which no text is accepted."""
        if state not in self._moves:
            found: dict[State, list[tuple[int, int]]] = {}
            for low, after in zip(self._cuts, [*self._cuts[1:], MAX_CODE + 1], strict=True):
                ranges = found.setdefault(derivative(state, low), [])
                if ranges and ranges[-1][1] == low - 1:
                    ranges[-1] = (ranges[-1][0], after - 1)
                else:
                    ranges.append((low, after - 1))
            found.pop(NONE, None)
            self._moves[state] = {target: tuple(ranges) for target, ranges in found.items()}
        return self._moves[state]

    def useful_states(self, length: int) -> Sequence[frozenset[State]]:
        """Returns the states at each position in a text of this length that lead from the start to acceptance.

        From `ANY_TEXT` on, everything is accepted; it is no state of the positions after the one where it is reached.

        Raises: Unmodelled, if these are many.
        """
        reached: list[set[State]] = [{self.start}]
        for _ in range(length):
            reached.append({target for state in reached[-1] - {ANY_TEXT} for target in self.moves(state)})
            if len(reached[-1]) > MAX_STATES:
                raise Unmodelled("a regular expression with many states")
        useful = [frozenset(state for state in reached[-1] if accepts_empty(state))]
        for states in reversed(reached[:-1]):
            here = (state for state in states if state == ANY_TEXT or not useful[-1].isdisjoint(self.moves(state)))
            useful.append(frozenset(here))
        return useful[::-1]


@lru_cache(maxsize=256)
def automaton_of(language: Language) -> Automaton:
    """Returns the automaton of a language."""
    return Automaton(language)
