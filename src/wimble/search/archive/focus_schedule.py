"""How the search shifts from exploration to exploitation while the budget is used up.

Progress is the used share of the budget, 0.0 to 1.0; the caller measures it. All parameters change linearly until the
focused search starts, and stay constant after that [MIO].
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from wimble.settings import Settings
from wimble.techniques import TechniqueName


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of MIO. The defaults are those of the paper, except where a reason is given."""

    focus_start: float = 0.8
    """Progress from which on only the most promising test cases are refined."""
    random_probability_start: float = 0.5
    """Probability of a new test case at the start (P_r of the paper); 0 in the focused search."""
    population_start: int = 10
    """Number of test cases kept per uncovered target at the start; 1 in the focused search."""
    mutations_end: int = 10
    """Number of mutations per sampled parent in the focused search; 1 at the start."""
    genes_share_start: float = 0.3
    """Share of a test case's genes that one mutation changes at the start (adaptive hypermutation); one gene in the
    focused search. [EvoMaster] changes half of them, which spoils the gradient of test cases with a dozen inputs.
    """
    structure_probability_start: float = 0.4
    structure_probability_end: float = 0.15
    """Probability that a mutation changes the calls instead of their values, at the start and in the focused search."""

    @classmethod
    def using(cls, settings: Settings) -> Schedule:
        """Returns the defaults, changed where techniques are switched off."""
        changes: dict[str, float] = {}
        for technique, without in WITHOUT.items():
            if not settings.uses(technique):
                changes |= without
        return msgspec.structs.replace(cls(), **changes)

    def focus(self, progress: float) -> float:
        """Returns 0.0 at the start of the search, 1.0 once the search is focused."""
        return min(1.0, max(0.0, progress / self.focus_start))

    def random_probability(self, progress: float) -> float:
        """Returns the probability of a new test case."""
        return self.random_probability_start * (1.0 - self.focus(progress))

    def population_limit(self, progress: float) -> int:
        """Returns the number of test cases that are kept per uncovered target."""
        return round(self.population_start + (1 - self.population_start) * self.focus(progress))

    def mutations(self, progress: float) -> int:
        """Returns the number of mutations per sampled parent."""
        return round(1 + (self.mutations_end - 1) * self.focus(progress))

    def structure_probability(self, progress: float) -> float:
        """Returns the probability that a mutation changes the calls instead of their values."""
        return self.structure_probability_start + (
            self.structure_probability_end - self.structure_probability_start
        ) * self.focus(progress)

    def genes_to_change(self, n_genes: int, progress: float) -> float:
        """Returns the expected number of genes that one mutation changes; at least one."""
        start = max(1.0, self.genes_share_start * n_genes)
        return start + (1.0 - start) * self.focus(progress)


WITHOUT: Final[Mapping[TechniqueName, Mapping[str, float]]] = MappingProxyType(
    {
        "focused-phase": {"focus_start": math.inf},
        "hypermutation": {"genes_share_start": 0.0},
        "structure-mutation": {"structure_probability_start": 0.0, "structure_probability_end": 0.0},
    }
)
"""The parameters that replace the defaults if a technique is switched off."""
