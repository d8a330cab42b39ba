"""The scalars of a call that conditions can depend on, and calls with others in their place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from wimble.feedback.comparison.named_members import names_down_to
from wimble.feedback.input_to_state.input_sites import Site, iter_sites
from wimble.genes import JsonTextGene
from wimble.genes.gene import Resolver
from wimble.model.operands import is_number, to_text
from wimble.model.testcase import TestCase
from wimble.solve.path_conditions import CallInput, Scalar

MOST_CHARACTERS: Final = 40
"""Of a text; longer ones are cut."""
LENGTHS_OF_CUT_TEXTS: Final = (16, MOST_CHARACTERS)
"""The shorter ones are tried first."""


def named_sites(test_case: TestCase, call: int, resolve: Resolver | None) -> list[tuple[CallInput, Site]]:
    """Returns the scalars of one call with their places, names, and values as the SUT receives them."""
    found: dict[str, tuple[CallInput, Site]] = {}
    for site in iter_sites(test_case, call, resolve):
        value = site.value
        if not isinstance(value, (str, bool)) and not is_number(value):
            continue
        names = [*names_down_to(test_case, site.address), *(str(step) for step in site.inner)]
        received: Scalar = value if site.is_json else to_text(value)
        declared = test_case.calls[call].operation.inputs[site.address.input]
        sent_in = "" if names[:1] == [declared.sent_in] == ["body"] else declared.sent_in
        place = "/" + "/".join(part for part in (sent_in, *names) if part)
        if place not in found and site.is_free():
            name = next((name for name in reversed(names) if not name.isdigit()), "")
            found[place] = (CallInput(place, name, received), site)
    return list(found.values())


def with_short_texts(test_case: TestCase, call: int, resolve: Resolver | None, length: int) -> TestCase:
    """Returns the test case with the long texts of a call cut to a length; itself if it has none.

    Most long texts are made by chance, and conditions over many characters are hard. What a document holds is cut, but
    not the document.
    """
    cut = {
        one.place: one.value[:length]
        for one, site in named_sites(test_case, call, resolve)
        if isinstance(one.value, str) and len(one.value) > MOST_CHARACTERS and not isinstance(site.gene, JsonTextGene)
    }
    return _with_scalars(test_case, call, resolve, cut)


def _with_scalars(test_case: TestCase, call: int, resolve: Resolver | None, values: Mapping[str, Scalar]) -> TestCase:
    """Returns the test case with other values at places of a call, as far as its inputs can hold them."""
    sites: dict[str, Site] = {}
    for place, value in values.items():
        if not sites:
            sites = {one.place: site for one, site in named_sites(test_case, call, resolve)}
        edit = sites[place].put(value) if place in sites else None
        if edit is not None:
            test_case = test_case.with_gene(*edit)
            sites = {}  # several places may be in one gene
    return test_case


def phenotype(test_case: TestCase, call: int, resolve: Resolver | None) -> tuple[tuple[str, Scalar], ...]:
    """Returns the scalars with their places: calls with equal ones have the same path."""
    return tuple((one.place, one.value) for one, _ in named_sites(test_case, call, resolve))


def with_values(test_case: TestCase, call: int, resolve: Resolver | None, values: Mapping[str, Scalar]) -> TestCase:
    """Returns the test case with the values of an answer, as far as its inputs can hold them."""
    given = named_sites(test_case, call, resolve)
    present = {one.place: one.value for one, _ in given}
    documents = {one.place for one, site in given if isinstance(site.gene, JsonTextGene)}
    # Documents first: their new text has the former values of the members that are inputs of their own.
    places = sorted(values, key=lambda place: place not in documents)
    changed = {place: values[place] for place in places if present.get(place) != values[place]}
    return _with_scalars(test_case, call, resolve, changed)
