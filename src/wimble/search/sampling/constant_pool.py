"""Uses constants of the SUT's own code as values of inputs, for comparisons that no probe sees, such as of hashes.

[EvoMaster] seeds its search with such constants as well ([WB-Advanced]). The time per use is constant.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from wimble.genes import Gene, ReferenceGene, StringGene
from wimble.model.source_constants import Constant, ConstantTable
from wimble.model.targets import Target
from wimble.model.testcase import Call, TestCase
from wimble.search.resources.input_names import iter_named_genes
from wimble.solve.text_literals import varied

MUTATION_PROBABILITY = 0.06
"""Probability that a change of a string or number takes a constant."""
UNTRACED_PROBABILITY = 0.5
"""The same for a target whose operands contain no input: they are computed from inputs in ways that no probe sees."""
SAMPLING_PROBABILITY = 0.03
"""Probability that one input of a new call takes a constant of any file."""
FITTING_PROBABILITY = 0.1
"""Probability that an input of a new call that has a pattern or format takes a text of the program that has it, too:
mostly the key of a thing that the program knows from its start."""
MAX_FITTING_SHARE = 0.2
"""Largest share of the program's texts that may have the form: one that most texts have says nothing."""
FEW_FITTING = 3
"""Number of texts of a form that are taken whatever their share is."""
NUMBER_AS_TEXT_PROBABILITY = 0.15
"""Probability that a string takes a number: parameters are strings until they are parsed."""


class ConstantChooser:
    """Chooses constants.

    For a target, it takes first each constant of its file, the nearest first, and then also those of other files.
    """

    def __init__(self, table: ConstantTable) -> None:
        self._table = table
        self._turns: dict[tuple[str, int, bool], int] = {}
        """Number of constants that were taken for targets on a line; one entry for each line worked on."""
        self._of_form: dict[tuple[str | None, str | None], tuple[int, tuple[str, ...]]] = {}
        """By pattern and format: the texts of that form, and of how many they were chosen."""

    def __bool__(self) -> bool:
        return bool(self._table)

    def applied(self, gene: Gene, target: Target | None, rng: Random) -> Gene | None:
        """Returns the gene with a constant as its value; None if it cannot hold one."""
        if gene.children():
            return None
        value = gene.phenotype()
        if isinstance(value, str):
            text = self._next_text(target, rng)
            return None if text is None or text == value else gene.with_value(text)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            constant = self._next(target, rng, is_number=True)
            return None if constant is None or constant == value else gene.with_value(constant)
        return None

    def texts_of_form(self, gene: StringGene) -> tuple[str, ...]:
        """Returns the program's texts that have the pattern or format of a text; none if it has neither."""
        if not gene.is_shaped():
            return ()
        texts = self._table.all_texts
        n_known, found = self._of_form.get((gene.pattern, gene.format), (-1, ()))
        if n_known != len(texts):
            found = tuple(text for text in texts if isinstance(text, str) and gene.with_text(text).is_valid())
            if len(found) > max(FEW_FITTING, MAX_FITTING_SHARE * len(texts)):
                found = ()
            self._of_form[gene.pattern, gene.format] = len(texts), found
        return found

    def _next_text(self, target: Target | None, rng: Random) -> str | None:
        is_number = rng.random() < NUMBER_AS_TEXT_PROBABILITY
        constant = self._next(target, rng, is_number=is_number)
        if constant is None:
            constant = self._next(target, rng, is_number=not is_number)
        if constant is None:
            return None
        return varied(constant, rng) if isinstance(constant, str) else str(constant)

    def _next(self, target: Target | None, rng: Random, *, is_number: bool) -> Constant | None:
        """Returns None if there is no constant of the kind."""
        table = self._table
        if target is not None and target.file:
            of_file = table.numbers(target.file) if is_number else table.texts(target.file)
            key = (target.file, target.line, is_number)
            turn = self._turns[key] = self._turns.get(key, -1) + 1
            if of_file.values and (turn < len(of_file.values) or turn % 2 == 0):
                return of_file.nth_nearest(target.line, turn)
        everywhere = table.all_numbers if is_number else table.all_texts
        return everywhere[int(rng.random() * len(everywhere))] if everywhere else None


class ConstantInputs:
    """Gives an input of new calls a constant of the SUT's code, with a probability."""

    def __init__(self, chooser: ConstantChooser, rng: Random) -> None:
        self._chooser = chooser
        self._rng = rng

    def applied(self, call: Call, earlier: Sequence[Call]) -> Call:
        """Sampling step: lets one input take a constant, if it can."""
        draw = self._rng.random() if self._chooser else 1.0
        if draw >= SAMPLING_PROBABILITY:
            return self._with_fitting(call) if draw < SAMPLING_PROBABILITY + FITTING_PROBABILITY else call
        named = list(iter_named_genes(call, 0))
        if not named:
            return call
        chosen = named[int(self._rng.random() * len(named))]
        if isinstance(chosen.gene, ReferenceGene):
            return call
        taken = self._chooser.applied(chosen.gene, None, self._rng)
        return call if taken is None else TestCase((call,)).with_gene(chosen.address, taken).calls[0]

    def _with_fitting(self, call: Call) -> Call:
        """Returns the call with a text of the program in an input whose pattern or format it has."""
        fitting = []
        for named in iter_named_genes(call, 0):
            texts = self._chooser.texts_of_form(named.gene) if isinstance(named.gene, StringGene) else ()
            if texts:
                fitting.append((named, texts))
        if not fitting:
            return call
        named, texts = self._rng.choice(fitting)
        taken = named.gene.with_value(self._rng.choice(texts))
        return call if taken is None else TestCase((call,)).with_gene(named.address, taken).calls[0]
