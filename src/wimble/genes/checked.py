"""A gene whose samples are checked against a schema.

It serves keywords that the structure of genes cannot express (`not`, `if`, `dependentRequired`, counts of properties).
At most ATTEMPTS samples are drawn, and later edits are not checked.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any

import jsonschema_rs

from wimble.genes import probabilities
from wimble.genes.gene import Gene, Resolver
from wimble.types import ABSENT, Json

ATTEMPTS = 20


class CheckedGene(Gene, frozen=True):
    """A gene with the schema that its samples should match. `schema` is the JSON text of a self-contained schema."""

    gene: Gene
    schema: str

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        return self.gene.phenotype(resolve)

    def sampled(self, rng: Random) -> CheckedGene:
        if probabilities.breaks_a_constraint(rng):
            return CheckedGene(self.gene.sampled(rng), self.schema)
        drawn = self.gene
        for _ in range(ATTEMPTS):
            drawn = self.gene.sampled(rng)
            if self.is_met_by(drawn):
                break
        return CheckedGene(drawn, self.schema)

    def mutated(self, rng: Random, focus: float) -> CheckedGene:
        return self

    def with_value(self, value: Json) -> CheckedGene | None:
        gene = self.gene.with_value(value)
        return None if gene is None else CheckedGene(gene, self.schema)

    def is_mutable(self) -> bool:
        return False

    def children(self) -> tuple[Gene, ...]:
        return (self.gene,)

    def with_child(self, index: int, child: Gene) -> CheckedGene:
        if index != 0:
            raise IndexError(index)
        return CheckedGene(child, self.schema)

    def is_met_by(self, gene: Gene) -> bool:
        """Whether the value of `gene` matches the schema; True if the validator cannot handle one of them."""
        value = gene.phenotype()
        validator = _validator(self.schema)
        try:
            return validator is None or value is ABSENT or validator.is_valid(value)
        except ValueError:  # an integer or a text that the validator cannot represent
            return True


@lru_cache(maxsize=1024)
def _validator(schema: str) -> Any:
    try:
        return jsonschema_rs.Draft202012Validator(schema, validate_formats=False, offline=True)
    except (jsonschema_rs.ValidationError, ValueError):
        return None
