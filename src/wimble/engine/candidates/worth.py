"""Which candidates come first where there may not be time for all."""

from __future__ import annotations

from collections.abc import Sequence

from wimble.engine.candidates.candidate import Candidate


def by_worth(candidates: Sequence[Candidate]) -> list[int]:
    """Returns the numbers of the candidates in the order in which they are verified: time may not suffice for all.

    Those that share a start take hardly any time. Then come faults, then those that cover most.
    """

    def key(number: int) -> tuple[bool, bool, int]:
        one = candidates[number]
        return not one.is_order_independent, one.fault_key is None, -len(one.targets)

    return sorted(range(len(candidates)), key=key)
