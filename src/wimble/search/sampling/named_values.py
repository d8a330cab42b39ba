"""Gives free texts the kind of value that their name speaks of: an address to `email`, a day to `startDate`; or that a
database wants, which has refused to take another text for a date or a number. Texts that a program adds up as numbers
reach the database as one text, which holds each of them.

A declared format, pattern or length says more than a name, so inputs that have one stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final, TypeAlias

from wimble.databases.refused_texts import ValueKind, refused_text
from wimble.genes import AnyGene, Gene, StringGene
from wimble.genes.string_formats import FORMATS
from wimble.genes.value_names import draw_for
from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import Call, TestCase
from wimble.search.resources.input_names import iter_named_genes
from wimble.types import OperationId

NAMED_PROBABILITY: Final = 0.4
"""Probability that a free text with a speaking name has such a value in a new call."""
WANTED_PROBABILITY: Final = 0.8
"""Probability that a free text has the kind of value that a database wants in its place."""
LEAST_PART: Final = 3
"""Characters of a text that a longer one holds hardly by chance."""
_Draw: TypeAlias = Callable[[Random], str | int]
_DRAWS: Final[Mapping[ValueKind, _Draw]] = {
    "date": FORMATS["date"].draw,
    "moment": FORMATS["date-time"].draw,
    "time of day": lambda rng: f"{rng.randrange(24):02}:{rng.randrange(60):02}",
    "uuid": FORMATS["uuid"].draw,
    "address": FORMATS["ipv4"].draw,
    "duration": FORMATS["duration"].draw,
    "number": lambda rng: rng.randint(0, 1000),
    "truth value": lambda rng: rng.choice(("true", "false")),
}


class NamedValues:
    """Sampling step for free texts; all randomness comes from `rng`."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._wanted: dict[tuple[OperationId, str], _Draw] = {}
        """By operation and name of an input: what a database wants there."""

    def observe(self, evaluation: Evaluation) -> None:
        """Learns from texts that databases have refused."""
        for command in evaluation.interactions_of(DatabaseCommand):
            refused = refused_text(command.error) if command.error else None
            if refused is None or not 0 <= command.call < len(evaluation.test_case.calls):
                continue
            text, kind = refused
            call = evaluation.test_case.calls[command.call]
            for named in iter_named_genes(call, command.call):
                own = named.gene.phenotype()
                is_added = kind == "number" and isinstance(own, str) and len(own) >= LEAST_PART and own in text
                if own == text or is_added:
                    self._wanted.setdefault((call.operation.id, named.name), _DRAWS[kind])

    def applied(self, call: Call, earlier: Sequence[Call]) -> Call:
        """Sampling step: some free texts get the kind of value that their name speaks of, or that a database wants."""
        changed: TestCase | None = None
        given: dict[str, bool] = {}
        """Whether inputs of a name get what a database wants: the elements of a list all do, or none."""
        for named in iter_named_genes(call, 0):
            draw = self._draw(call.operation.id, named.name, given) if _is_free(named.gene) else None
            if draw is None:
                continue
            new = _with_value(named.gene, draw(self._rng))
            if new is not None:
                changed = (changed or TestCase((call,))).with_gene(named.address, new)
        return call if changed is None else changed.calls[0]

    def _draw(self, operation: OperationId, name: str, given: dict[str, bool]) -> _Draw | None:
        """Returns what draws the value of an input of this name; None if it keeps its own."""
        wanted = self._wanted.get((operation, name)) if self._wanted else None
        if wanted is None:
            draw = draw_for(name)
            return draw if draw is not None and self._rng.random() < NAMED_PROBABILITY else None
        if name not in given:
            given[name] = self._rng.random() < WANTED_PROBABILITY
        return wanted if given[name] else None


def _with_value(gene: Gene, value: str | int) -> Gene | None:
    """Returns the gene with the value, as a text if it can hold no number."""
    return gene.with_value(value) or gene.with_value(str(value))


def _is_free(gene: Gene) -> bool:
    if isinstance(gene, AnyGene):
        return isinstance(gene.value, str)
    return (
        isinstance(gene, StringGene)
        and gene.format is None
        and gene.pattern is None
        and gene.max_length is None
        and gene.specialisation is None
    )
