"""Constants of the SUT's own code as values of inputs: for what is compared by means that no probe sees, such as hashes.

The JVM tool of seed 001 seeds its search with such constants as well. Constant cost.
"""

from __future__ import annotations

from random import Random

from wimble.genes import Gene
from wimble.model.constants import Constant, ConstantTable
from wimble.model.targets import Target
from wimble.solve.literals import varied

MUTATION_SHARE = 0.06
"""Share of changes of a string or number that take a constant."""
UNTRACED_SHARE = 0.5
"""The same, for a target whose operands show no input: what is compared is made of inputs by means that no probe sees."""
SAMPLING_SHARE = 0.03
"""Share of sampled calls in which one input takes a constant of any file."""
NUMBER_AS_TEXT_SHARE = 0.15
"""Of strings that take a constant: parameters are strings until they are parsed."""


class ConstantChooser:
    """Which constant comes next: for a target first each one of its file, the nearest first; then those of other files, too."""

    def __init__(self, table: ConstantTable) -> None:
        self._table = table
        self._turns: dict[tuple[str, int, bool], int] = {}
        """How many constants have been taken for targets on a line; one entry for each line worked on."""

    def __bool__(self) -> bool:
        return bool(self._table)

    def applied(self, gene: Gene, target: Target | None, rng: Random) -> Gene | None:
        """The gene with a constant as its value; None where it cannot hold it."""
        if gene.children():
            return None
        value = gene.phenotype()
        if isinstance(value, str):
            is_number = rng.random() < NUMBER_AS_TEXT_SHARE
            constant = self._next(target, rng, is_number=is_number)
            if constant is None:
                constant = self._next(target, rng, is_number=not is_number)
            text = varied(constant, rng) if isinstance(constant, str) else None if constant is None else str(constant)
            return None if text is None or text == value else gene.adopted(text)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            constant = self._next(target, rng, is_number=True)
            return None if constant is None or constant == value else gene.adopted(constant)
        return None

    def _next(self, target: Target | None, rng: Random, *, is_number: bool) -> Constant | None:
        """None where there is no constant of the kind."""
        table = self._table
        if target is not None and target.file:
            of_file = table.numbers(target.file) if is_number else table.texts(target.file)
            key = (target.file, target.line, is_number)
            turn = self._turns[key] = self._turns.get(key, -1) + 1
            if of_file.values and (turn < len(of_file.values) or turn % 2 == 0):
                return of_file.nth_nearest(target.line, turn)
        everywhere = table.all_numbers if is_number else table.all_texts
        return everywhere[int(rng.random() * len(everywhere))] if everywhere else None
