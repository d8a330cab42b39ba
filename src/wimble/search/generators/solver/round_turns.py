"""Whose turn it is in a round of the solver.

Targets get slices: each one a small slice first, and when all have had theirs, those that are left get greater ones.
So a target that takes much work waits for all that may take little, also for those of which the search learns later.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from wimble.search.generators.solver.solver_inquiry import Inquiry

MAX_AT_ONCE: Final = 32
"""Targets that are worked on at a time."""
MAX_BEGUN: Final = 128
"""Targets that are begun in one round."""
MAX_AHEAD: Final = 2_000_000
"""Work of the solver that a target may have taken more than another one before that gets its step."""


class RoundTurns:
    """The inquiries of one round."""

    def __init__(self, unfinished: Iterable[Inquiry], new: Iterator[Inquiry], *, waits: bool) -> None:
        """unfinished: from rounds before. new: for targets that are begun when there is room for them.

        waits: whether the search waits for the round; else the answers that are not there are left to the next one.
        """
        self._waits = waits
        self._new = new
        self._is_new_left = True
        self._n_begun = 0
        self._open = list(unfinished)
        self.all = list(self._open)
        """All inquiries that the round has or had."""
        self._has_success = False

    def add(self, inquiry: Inquiry) -> None:
        """Adds an inquiry that another one has led to."""
        self._open.append(inquiry)
        self.all.append(inquiry)
        self._n_begun += 1

    def note_success(self) -> None:
        """Notes that something was found that the search is to run: greater slices are left to later rounds."""
        self._has_success = True

    def next(self) -> list[Inquiry]:
        """Returns the inquiries that take a step now; none if the round is over."""
        while True:
            self._open = [inquiry for inquiry in self._open if not inquiry.is_done]
            self._begin_new()
            allowed = [inquiry for inquiry in self._open if inquiry.has_slice]
            turn = self._turn(allowed)
            if turn or (not self._waits and any(not inquiry.can_wait for inquiry in allowed)):
                return turn
            if self._is_new_left or (self._has_success and self._waits) or not self._grant():
                return []

    def _begin_new(self) -> None:
        n_open = sum(inquiry.has_slice and not inquiry.can_wait for inquiry in self._open)
        while self._is_new_left and n_open < MAX_AT_ONCE and self._n_begun < MAX_BEGUN:
            inquiry = next(self._new, None)
            if inquiry is None:
                self._is_new_left = False
            else:
                self.add(inquiry)
                n_open += 1

    def _turn(self, allowed: list[Inquiry]) -> list[Inquiry]:
        """Returns those that can go on, or else one whose answer is worth a wait."""
        ready = [inquiry for inquiry in allowed if not inquiry.is_waiting]
        if not ready:
            worth = [inquiry for inquiry in allowed if not inquiry.can_wait] if self._waits else []
            return sorted(worth, key=lambda inquiry: inquiry.rank)[:1]
        most = min(inquiry.work for inquiry in ready) + MAX_AHEAD
        return [inquiry for inquiry in ready if inquiry.work <= most]

    def _grant(self) -> bool:
        """Grants a slice to those that have had the fewest; returns whether there are any."""
        used = [inquiry for inquiry in self._open if not inquiry.has_slice]
        fewest = min((inquiry.n_slices for inquiry in used), default=0)
        for inquiry in used:
            if inquiry.n_slices == fewest:
                inquiry.grant_slice()
        return bool(used)
