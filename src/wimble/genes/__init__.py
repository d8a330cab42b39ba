"""Genes: values with their constraints, which can be sampled, mutated and rendered to JSON. Independent of HTTP.

All probabilities are in `probabilities.py`.
"""

from wimble.genes.anything import AnyGene
from wimble.genes.carried import AffixedGene, CarriedGene, CredentialGene
from wimble.genes.checked import CheckedGene
from wimble.genes.containers import ArrayGene, MapGene, ObjectGene, TupleGene
from wimble.genes.fixed import BooleanGene, ConstantGene, EnumGene, NullGene
from wimble.genes.gene import Gene, GenePath, Resolver, contains_gene, gene_at, iter_genes, replaced_at
from wimble.genes.jsontext import JsonTextGene
from wimble.genes.linked import LinkedGene
from wimble.genes.numbers import IntegerGene, NumberGene
from wimble.genes.reference import ReferenceGene
from wimble.genes.signed_token import SignedTokenGene
from wimble.genes.strings import StringGene
from wimble.genes.subset import SubsetGene
from wimble.genes.twins import TwinsGene
from wimble.genes.wrappers import (
    ChoiceGene,
    NeededGene,
    NullableGene,
    OptionalGene,
    SeededGene,
    innermost,
    is_scalar,
    wrapped,
)

__all__ = [
    "AffixedGene",
    "AnyGene",
    "ArrayGene",
    "BooleanGene",
    "CarriedGene",
    "CheckedGene",
    "ChoiceGene",
    "ConstantGene",
    "CredentialGene",
    "EnumGene",
    "Gene",
    "GenePath",
    "IntegerGene",
    "JsonTextGene",
    "LinkedGene",
    "MapGene",
    "NeededGene",
    "NullGene",
    "NullableGene",
    "NumberGene",
    "ObjectGene",
    "OptionalGene",
    "ReferenceGene",
    "Resolver",
    "SeededGene",
    "SignedTokenGene",
    "StringGene",
    "SubsetGene",
    "TupleGene",
    "TwinsGene",
    "contains_gene",
    "gene_at",
    "innermost",
    "is_scalar",
    "iter_genes",
    "replaced_at",
    "wrapped",
]
