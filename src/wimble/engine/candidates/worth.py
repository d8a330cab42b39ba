"""Which candidates come first where there may not be time for all."""

from __future__ import annotations

from collections.abc import Sequence

from wimble.engine.candidates.candidate import Candidate


def by_worth(candidates: Sequence[Candidate]) -> list[int]:
    """Returns the numbers of the candidates in the order in which they are verified: time may not suffice for all.

    Those that share a start take hardly any time, unless they end it; and so do those that ask for no change, one
    after the other on one start. Then come faults, then those that cover most.
    """

    def key(number: int) -> tuple[int, bool, int]:
        one = candidates[number]
        if one.ends_its_start:
            takes = 2
        elif one.is_order_independent:
            takes = 0
        else:
            takes = 1 if one.fault_key is None and one.test_case.is_safe else 2
        return takes, one.fault_key is None, -len(one.targets)

    return sorted(range(len(candidates)), key=key)


def by_worth_on_one_start(candidates: Sequence[Candidate]) -> list[int]:
    """Returns the same where all share a start: those after which the SUT has to be started again come last, since each
    takes as long as dozens of others.
    """
    return sorted(by_worth(candidates), key=lambda number: candidates[number].ends_its_start)
