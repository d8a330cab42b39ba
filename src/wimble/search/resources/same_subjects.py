"""Calls on the resource that another call names."""

from __future__ import annotations

from msgspec.structs import replace

from wimble.genes import Gene, ReferenceGene
from wimble.model.testcase import Call
from wimble.search.resources.resources import Resources


def with_subjects_of(call: Call, other: Call, resources: Resources) -> Call:
    """Returns the call on the resource that the other call names in its path, or on one that contains it."""
    for own, named in zip(resources.bindings(call.operation), resources.bindings(other.operation), strict=False):
        call = call.with_gene(own.input_index, _like(call.genes[own.input_index], other.genes[named.input_index]))
    return call


def _like(own: Gene, named: Gene) -> Gene:
    """Returns the identity that another call names, as a value of its own input where that can hold it."""
    fallback = own.fallback if isinstance(own, ReferenceGene) else own
    if isinstance(named, ReferenceGene):
        return replace(named, fallback=fallback)
    return fallback.with_value(named.phenotype()) or named
