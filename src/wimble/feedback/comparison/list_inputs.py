"""Makes lists of inputs with a single value, if the program needs a list.

In JSON the value is put into a list. A query parameter is sent twice, which frameworks read as a list.
"""

from __future__ import annotations

from random import Random

from wimble.feedback.input_to_state.input_sites import Site
from wimble.feedback.input_to_state.origin import Place
from wimble.genes import AnyGene, ArrayGene, OptionalGene
from wimble.genes.taint_markers import taint_marker
from wimble.model.testcase import TestCase
from wimble.types import ABSENT


def listed(site: Site, test_case: TestCase, rng: Random) -> Place | None:
    """Returns the edit that makes a list of the input, even against its schema; None if no list can be sent."""
    if site.inner or (site.address.call < 0 and not site.is_json):
        return None
    if site.is_json:
        return site.address, AnyGene([taint_marker(rng) if site.value is ABSENT else site.value])
    address, outermost = site.chain[-1]
    given = test_case.calls[address.call].operation.inputs[address.input]
    # An undeclared parameter is a field of the room for such.
    if len(address.path) != given.is_undeclared or not given.is_repeatable:
        return None
    element = site.gene.gene if isinstance(site.gene, OptionalGene) else site.gene
    first = element if site.value is not ABSENT else element.sampled(rng)
    twice = ArrayGene(element, (first, first.mutated(rng, 0.0)))
    return address, OptionalGene(twice, True) if isinstance(outermost, OptionalGene) else twice
