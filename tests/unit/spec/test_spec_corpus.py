"""Real documents, where a folder of them is at hand: WIMBLE_OPENAPI_CORPUS=FOLDER."""

import os
import time
from pathlib import Path

import pytest

from wimble.errors import SchemaError
from wimble.genes import Gene
from wimble.oracles.documents.contracts import Contracts
from wimble.spec.loading.document_text import load_file
from wimble.spec.openapi.openapi_operations import load_openapi

CORPUS = os.environ.get("WIMBLE_OPENAPI_CORPUS", "")
MAX_LOAD_S = 5.0
MAX_GENES_PER_OPERATION = 1_500


def n_genes(value: object) -> int:
    if isinstance(value, tuple):
        return sum(n_genes(child) for child in value)
    return 1 + sum(n_genes(getattr(value, name)) for name in value.__struct_fields__) if isinstance(value, Gene) else 0


@pytest.mark.skipif(not CORPUS, reason="WIMBLE_OPENAPI_CORPUS is not set")
def test_every_real_document_loads_or_says_why_not():
    n_documents = n_operations = n_warnings = most_genes = 0
    refused = []
    slowest = (0.0, "")
    for path in sorted(Path(CORPUS).rglob("*")):
        if path.suffix not in (".json", ".yaml", ".yml"):
            continue
        started = time.perf_counter()
        try:
            specification = load_openapi(load_file(path), str(path))
        except SchemaError as error:
            refused.append(f"{path.name}: {error.what}")
            assert error.slug in ("schema-not-openapi", "schema-no-operations"), error.lines()
            continue
        elapsed_s = time.perf_counter() - started
        slowest = max(slowest, (elapsed_s, path.name))
        n_documents, n_warnings = n_documents + 1, n_warnings + len(specification.warnings)
        n_operations += len(specification.operations)
        contracts = Contracts()
        for operation in specification.operations:
            contracts.declared(operation, 200)
            most_genes = max(most_genes, sum(n_genes(one.template) for one in operation.inputs))
        assert contracts.take_warnings() == [], path
    print(f"{n_documents} documents, {n_operations} operations, {n_warnings} warnings, {len(refused)} refused")
    print(f"slowest {slowest}, most genes in one operation {most_genes}")
    assert n_documents > 100
    assert slowest[0] < MAX_LOAD_S
    assert most_genes < MAX_GENES_PER_OPERATION
