"""How the search shifts from exploring to exploiting while the budget is used up.

Progress is the used share of the budget, 0.0 to 1.0; the caller measures it. All parameters move on a straight line
until focused search starts and stay there, as in MIO (A. Arcuri, "Test suite generation with the Many Independent
Objective (MIO) algorithm", IST 2018).
"""

from __future__ import annotations

import math

import msgspec

from wimble.techniques import Techniques


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of MIO. Defaults follow the paper, but for those with a reason of their own."""

    focus_start: float = 0.8
    """Progress from which only the most promising test cases are refined."""
    random_share_start: float = 0.5
    """Share of freshly sampled test cases at the start (the paper's P_r); 0 in the focused search."""
    population_start: int = 10
    """Test cases kept per uncovered target at the start; 1 in the focused search."""
    mutations_end: int = 10
    """Mutations per sampled parent in the focused search; 1 at the start."""
    genes_share_start: float = 0.3
    """Share of a test case's genes that one mutation changes at the start (adaptive hypermutation); one gene in the
    focused search. Half of them, as the JVM tool does, spoils the gradient of test cases with a dozen inputs."""
    structure_share_start: float = 0.4
    structure_share_end: float = 0.15
    """Share of mutations that change the calls instead of their values."""

    @classmethod
    def using(cls, techniques: Techniques) -> Schedule:
        """The defaults, but for what is switched off."""
        default = cls()
        return cls(
            focus_start=default.focus_start if techniques.focused_phase else math.inf,
            genes_share_start=default.genes_share_start if techniques.hypermutation else 0.0,
            structure_share_start=default.structure_share_start if techniques.structure_mutation else 0.0,
            structure_share_end=default.structure_share_end if techniques.structure_mutation else 0.0,
        )

    def focus(self, progress: float) -> float:
        """0.0 at the start of the search, 1.0 once the search is focused."""
        return min(1.0, max(0.0, progress / self.focus_start))

    def random_share(self, progress: float) -> float:
        return self.random_share_start * (1.0 - self.focus(progress))

    def population_limit(self, progress: float) -> int:
        return round(self.population_start + (1 - self.population_start) * self.focus(progress))

    def mutations(self, progress: float) -> int:
        return round(1 + (self.mutations_end - 1) * self.focus(progress))

    def structure_share(self, progress: float) -> float:
        return self.structure_share_start + (self.structure_share_end - self.structure_share_start) * self.focus(
            progress
        )

    def genes_to_change(self, n_genes: int, progress: float) -> float:
        """Expected number of genes that one mutation changes; at least one."""
        start = max(1.0, self.genes_share_start * n_genes)
        return start + (1.0 - start) * self.focus(progress)
