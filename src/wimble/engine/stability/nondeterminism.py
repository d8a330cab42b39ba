"""Finds the parts of a call's answers that may differ next time although they were the same in all runs so far.

The call's database commands tell which parts these are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from wimble.engine.stability.row_order import calls_in_any_order
from wimble.model.database import Database, DatabaseCommand
from wimble.model.evaluation import Evaluation
from wimble.types import Json


class Nondeterminism(msgspec.Struct, frozen=True):
    """The nondeterminism in the answers to one call."""

    in_any_order: bool = False
    """Whether the elements of its arrays may come in another order."""
    errors: frozenset[str] = frozenset()
    """Messages of the call's database commands that failed, if there are several. If the commands run concurrently,
    another one may be the first to fail.
    """

    def concern(self, value: Json) -> bool:
        """Whether the value contains one of the messages in `errors`."""
        return isinstance(value, str) and any(error in value for error in self.errors)


DETERMINISTIC = Nondeterminism()


def nondeterminism_of(
    n_calls: int, evaluations: Sequence[Evaluation], databases: Iterable[Database]
) -> tuple[Nondeterminism, ...]:
    """Returns one for each call. evaluations: the runs of one test case."""
    in_any_order = calls_in_any_order(evaluations, databases)
    errors: list[set[str]] = [set() for _ in range(n_calls)]
    for evaluation in evaluations:
        for command in evaluation.interactions_of(DatabaseCommand):
            if command.error and command.call < n_calls:
                errors[command.call].add(command.error)
    return tuple(
        Nondeterminism(index in in_any_order, frozenset(said) if len(said) > 1 else frozenset())
        for index, said in enumerate(errors)
    )
