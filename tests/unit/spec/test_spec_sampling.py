"""What is sampled for a request fits the schema of that request."""

from pathlib import Path
from random import Random

import jsonschema_rs
import pytest

from wimble.genes import probabilities
from wimble.spec.loading.document_text import load_file
from wimble.spec.openapi.openapi_operations import load_openapi
from wimble.spec.schemas import schema_genes
from wimble.types import ABSENT

DOCUMENTS = Path(__file__).parents[2] / "data" / "openapi"
UNSATISFIABLE = {"Endless"}
"""Schemas that no finite value fits."""


@pytest.fixture
def built(monkeypatch):
    """(schema, gene) of everything that a load builds."""
    pairs = []
    build = schema_genes.GeneBuilder.build

    def recording(self, schema, *, extra_seeds=()):
        gene = build(self, schema, extra_seeds=extra_seeds)
        pairs.append((self._normaliser.self_contained(schema), gene))
        return gene

    monkeypatch.setattr(schema_genes.GeneBuilder, "build", recording)
    return pairs


@pytest.mark.parametrize("path", sorted(DOCUMENTS.iterdir()), ids=lambda path: path.stem)
def test_sampled_inputs_are_valid(path, built, monkeypatch):
    monkeypatch.setattr(probabilities, "VIOLATION_PROBABILITY", 0.0)  # values that break a constraint on purpose
    load_openapi(load_file(path), path.name)
    rng = Random(1)
    for schema, gene in built:
        if isinstance(schema, dict) and UNSATISFIABLE & set(schema.get("$defs", ())):
            continue
        validator = jsonschema_rs.Draft202012Validator(schema, validate_formats=False, offline=True)
        for _ in range(60):
            value = gene.sampled(rng).phenotype()
            if value is not ABSENT:
                problem = next(validator.iter_errors(value), None)
                assert problem is None, f"{value!r} of {gene!r}: {problem}"


def test_odd_values_are_few(built):
    load_openapi(load_file(DOCUMENTS / "shop-3.0.yaml"), "x")
    schema, gene = max(built, key=lambda pair: len(str(pair[0])))
    validator = jsonschema_rs.Draft202012Validator(schema, validate_formats=False, offline=True)
    rng = Random(2)
    n_odd = sum(not validator.is_valid(gene.sampled(rng).phenotype()) for _ in range(500))
    assert 0 < n_odd < 150
