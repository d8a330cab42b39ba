"""Genes of columns of texts hold what the column's name suggests."""

from random import Random

import pytest

from wimble.databases.rows.column_genes import Limits, gene_of
from wimble.genes import NullableGene
from wimble.model.database import Column


def text_gene(name, **limits):
    column = Column(name=name, type_name="TEXT", type="text", is_nullable=False, length=limits.pop("length", None))
    gene = gene_of(column, Limits(**limits), "sqlite")
    assert gene is not None and not isinstance(gene, NullableGene)
    return gene


@pytest.mark.parametrize(
    ("name", "format_name"),
    [
        ("contact_email", "email"),
        ("contactEmail", "email"),
        ("entered_at", "date-time"),
        ("createdAt", "date-time"),
        ("opened_on", "date"),
        ("valid_to", "date"),
        ("dueDate", "date"),
        ("deadline", "date"),
        ("to", None),
        ("format", None),
        ("candidate", None),
        ("station", None),
        ("42", None),
    ],
)
def test_names_suggest_formats(name, format_name):
    gene = text_gene(name)
    assert gene.format == format_name
    assert 0 < len(gene.sampled(Random(1)).value) <= 60


def test_limits_are_stronger_than_names():
    assert text_gene("valid_to", pattern="^[0-9]{8}$").format is None
    assert text_gene("valid_to", length=8).format is None
    assert text_gene("valid_to", length=10).format == "date"
