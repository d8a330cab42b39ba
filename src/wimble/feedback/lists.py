"""Where the program asks for a list (`Array.isArray(q)`, `typeof q === "object"`) and the input is one value: in JSON it becomes a list; a query
parameter is sent twice, which is what frameworks make lists of.
"""

from __future__ import annotations

from random import Random

from wimble.feedback.origin import Place
from wimble.feedback.sites import Site
from wimble.genes import AnyGene, ArrayGene, OptionalGene
from wimble.genes.marks import mark
from wimble.model.operation import Input
from wimble.model.testcase import TestCase
from wimble.types import ABSENT


def listed(site: Site, test_case: TestCase, rng: Random) -> Place | None:
    """The edit that makes a list of the input, whatever its schema says; None where no list can be sent."""
    if site.inner or site.address.call < 0:
        return None
    if site.is_json:
        return site.address, AnyGene([mark(rng) if site.value is ABSENT else site.value])
    address, outermost = site.chain[-1]
    if address.path or not _can_repeat(test_case.calls[address.call].operation.inputs[address.input]):
        return None
    element = site.gene.gene if isinstance(site.gene, OptionalGene) else site.gene
    first = element if site.value is not ABSENT else element.sampled(rng)
    twice = ArrayGene(element, (first, first.mutated(rng, 0.0)))
    return address, OptionalGene(twice, True) if isinstance(outermost, OptionalGene) else twice


def _can_repeat(given: Input) -> bool:
    return (
        given.location == "query"
        and given.style in ("", "form")
        and given.explode is not False
        and not given.media_type
    )
