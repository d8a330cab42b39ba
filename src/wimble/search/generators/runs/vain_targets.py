"""Whether new test cases take the turns of targets that nothing has helped lately.

A target that has used up its allowance (`archive/target_choice.py`) is no more promising than anything else that can be
tried. If it has a distance, the next step may still help, so the credit of changes for such targets is compared with
the credit of new test cases. If it has none, only its own failures count, and its turns become ever rarer.
"""

from __future__ import annotations

from random import Random

from wimble.search.archive.archive import Choice
from wimble.search.credit import Credit


class KeptTurns:
    """Each target keeps its turns, whatever their results."""

    def is_given_away(self, choice: Choice, credit: Credit) -> bool:
        """Whether a new test case takes the turn of the chosen target.

        credit: that of mutations for targets with a distance that have used up their allowance.
        """
        return False

    def n_mutations(self, choice: Choice, planned: int) -> int:
        """Returns how many mutations the chosen target gets in a row."""
        return planned


class SharedTurns(KeptTurns):
    """Targets that nothing has helped lately share their turns with new test cases."""

    def __init__(self, credit_of_new: Credit, rng: Random) -> None:
        """credit_of_new: the credit of new test cases."""
        self._credit_of_new = credit_of_new
        self._rng = rng

    def is_given_away(self, choice: Choice, credit: Credit) -> bool:
        # Limits of answers have a fixed share of the choices, which nothing else may take.
        if not choice.n_in_vain or choice.kind == "limit":
            return False
        if choice.has_gradient:
            probability = self._credit_of_new.probability_against(credit)
        else:
            probability = self._credit_of_new.probability_against_failures(choice.n_in_vain)
        return self._rng.random() < probability

    def n_mutations(self, choice: Choice, planned: int) -> int:
        return 1 if choice.n_in_vain and not choice.has_gradient else planned
