"""Counts which inputs have moved a target's distance so far; mutation prefers these (gene weights of [Hypermutation]).

The counts come from mutants in which a single gene changed. They are kept per target and per place of the gene relative
to the call that reached the target. The number of targets with counts is limited, so neither memory nor time grows with
the number of targets.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from wimble.genes.gene import GenePath
from wimble.model.testcase import GeneAddress
from wimble.types import TargetId

MAX_TARGETS: Final = 256
MAX_PLACES: Final = 512
"""Maximum number per target."""
LEAST_FACTOR: Final = 0.2
"""Factor of a gene that has never moved the distance. It is positive, since the gene may do so after other genes
changed.
"""

_Place: TypeAlias = tuple[int, int, GenePath]
"""Number of calls before the one that reached the target, input, path."""


class Impacts:
    """How often a change of each gene was tried for a target, and how often it moved the distance."""

    def __init__(self) -> None:
        self._by_target: dict[TargetId, dict[_Place, tuple[int, int]]] = {}

    def note(self, target: TargetId, address: GeneAddress, call: int, *, has_moved: bool) -> None:
        """Counts a mutant in which only the gene at `address` had changed.

        call: the index of the call that reached the target before.
        """
        places = self._by_target.get(target)
        if places is None:
            while len(self._by_target) >= MAX_TARGETS:
                del self._by_target[next(iter(self._by_target))]
            places = self._by_target[target] = {}
        place = _place(address, call)
        tries, moves = places.get(place, (0, 0))
        if tries or len(places) < MAX_PLACES:
            places[place] = (tries + 1, moves + has_moved)

    def forget(self, target: TargetId) -> None:
        """Deletes the counts of a target that is covered."""
        self._by_target.pop(target, None)

    def knows(self, target: TargetId) -> bool:
        """Whether any change of a gene was tried for the target."""
        return target in self._by_target

    def factor(self, target: TargetId, address: GeneAddress, call: int) -> float:
        """Returns the factor for the weight of a gene; 1.0 for a gene that was not tried."""
        places = self._by_target.get(target)
        tries, moves = (0, 0) if places is None else places.get(_place(address, call), (0, 0))
        # Laplace's rule: half of the changes of an unknown gene are expected to move the distance.
        return max(LEAST_FACTOR, 2.0 * (moves + 1) / (tries + 2))


class NoImpacts(Impacts):
    """Counts nothing, so that all genes are equal."""

    def note(self, target: TargetId, address: GeneAddress, call: int, *, has_moved: bool) -> None:
        return


def _place(address: GeneAddress, call: int) -> _Place:
    return (call - address.call, address.input, address.path)
