"""Other forms of a call: with the inputs that it leaves out, with numbers, longer lists, or texts in their place.

A condition on an input that is left out says nothing about it, and neither does one on an input of another type, or on
an element that a list does not have. A list has a length, elements and iteration as a text has them, so a program that
wants a text may take one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Final

import msgspec

from wimble.feedback.input_to_state.input_sites import Site, iter_sites
from wimble.genes import AnyGene
from wimble.genes.gene import Resolver
from wimble.genes.wrappers import OptionalGene
from wimble.model.learned_input import LearnedInput
from wimble.model.operands import to_text
from wimble.model.testcase import Call, GeneAddress, TestCase
from wimble.search.learned.learned_inputs import LearnedInputs
from wimble.search.learned.members import value_of_input, with_input
from wimble.types import Json

FIRST_NUMBER: Final = 10
LONG_LIST: Final = 5
"""Number of elements of a longer list: what a program asks of lists is mostly about a few."""
LONGER_LISTS: Final = (LONG_LIST, LONG_LIST + 1)
"""Numbers of elements that are tried. Which one a program asks for is seen only where the conditions before hold."""
MOST_CHARACTERS: Final = 16
"""Of a text that replaces a list which has no more elements."""


class CompleteCalls:
    """Gives calls other forms."""

    def __init__(self, learned: LearnedInputs, rng: Random) -> None:
        self._learned = learned
        self._rng = rng

    def completed(self, test_case: TestCase, index: int) -> TestCase | None:
        """Returns the test case with all inputs in one of its calls; None if nothing was left out."""
        before = test_case.calls[index]
        call = self._learned.carrying(self._with_optional(before), self._learned.of(before.operation))
        call = self._with_like_elements(call)
        return None if call is before else test_case.with_call(index, call)

    def numbered(self, test_case: TestCase, index: int, resolve: Resolver | None) -> TestCase | None:
        """Returns the test case with rising whole numbers in the JSON of one of its calls; None if it had them."""
        found, done = test_case, set[object]()
        while site := next((one for one in _sites(found, index, resolve) if _key(one) not in done), None):
            done.add(_key(site))
            place = site.put(FIRST_NUMBER + len(done))
            found = found if place is None else found.with_gene(*place)  # several sites may be in one gene
        return None if found is test_case else found

    def texted(self, test_case: TestCase, index: int) -> TestCase | None:
        """Returns the test case with texts for the lists in undeclared members of one of its calls.

        Members that the program is known to take for lists stay. Returns None if there are no other lists.
        """

        def text_for(one: LearnedInput, value: list[Json]) -> Json:
            return None if one.template is not None or one.is_surely_list else _text_for(value)

        return self._with_other_lists(test_case, index, text_for)

    def lengthened(self, test_case: TestCase, index: int, least: int = LONG_LIST) -> TestCase | None:
        """Returns the test case with at least so many elements in the lists of the content of one of its calls.

        They are like the last one. Returns None if there are no short lists.
        """
        made = self._with_other_lists(test_case, index, lambda _, value: _longer(value, least)) or test_case
        call = made.calls[index]
        for number, declared in enumerate(call.operation.inputs):
            if declared.role == "content" and declared.is_json and not declared.is_undeclared:
                value = call.genes[number].phenotype()
                longer = _with_longer_lists(value, least)
                gene = None if longer == value else call.genes[number].with_value(longer)
                made = made if gene is None else made.with_gene(GeneAddress(index, number), gene)
        return None if made is test_case else made

    def _with_other_lists(
        self, test_case: TestCase, index: int, other_for: Callable[[LearnedInput, list[Json]], Json]
    ) -> TestCase | None:
        """other_for: returns what takes the place of the list of an undeclared member; None if it stays."""
        call = before = test_case.calls[index]
        for one in self._learned.of(call.operation):
            value = value_of_input(call, one)
            other = other_for(one, value) if one.location == "body" and isinstance(value, list) else None
            if other is not None:
                call = with_input(call, one, AnyGene(other)) or call
        return None if call is before else test_case.with_call(index, call)

    def _with_like_elements(self, call: Call) -> Call:
        """Returns the call in which objects of a list have all members of each other: a sum needs them of all."""
        members = [one for one in self._learned.of(call.operation) if one.location == "body"]
        lists = {one.path[:at] for one in members for at, name in enumerate(one.path) if at > 0 and name.isdigit()}
        for path in sorted(lists):
            held = LearnedInput(location="body", path=path)
            value = value_of_input(call, held)
            other = _alike(value) if isinstance(value, list) else None
            if other is not None:
                call = with_input(call, held, AnyGene(other)) or call
        return call

    def _with_optional(self, call: Call) -> Call:
        genes = tuple(
            gene.mutated(self._rng, 1.0) if isinstance(gene, OptionalGene) and not gene.is_present else gene
            for gene in call.genes
        )
        is_same = all(new is old for new, old in zip(genes, call.genes, strict=True))
        return call if is_same else msgspec.structs.replace(call, genes=genes)


def _text_for(value: list[Json]) -> str:
    """Returns a text that is at least as long as the list, of what its texts and numbers are made of."""
    held = "".join(one if isinstance(one, str) else to_text(one) for one in value if isinstance(one, (str, int, float)))
    length = max(len(value), MOST_CHARACTERS)
    return held[:length] + "a" * (len(value) - len(held))


def _alike(value: list[Json]) -> list[Json] | None:
    """Returns the list with all members in each of its objects; None if they have them, or if there are others."""
    objects = [one for one in value if isinstance(one, dict)]
    every: dict[str, Json] = {name: member for one in reversed(objects) for name, member in one.items()}
    made: list[Json] = [{**every, **one} if isinstance(one, dict) else every for one in value]
    return made if objects and made != value else None


def _longer(value: list[Json], least: int) -> list[Json] | None:
    """Returns the list with copies of its last element; None if it is long enough."""
    last = value[-1] if value else FIRST_NUMBER
    return [*value, *[last] * (least - len(value))] if len(value) < least else None


def _with_longer_lists(value: Json, least: int) -> Json:
    """Returns the value with so many elements in each list that is in no other list."""
    if isinstance(value, list):
        return _longer(value, least) or value
    return {name: _with_longer_lists(one, least) for name, one in value.items()} if isinstance(value, dict) else value


def _sites(test_case: TestCase, index: int, resolve: Resolver | None) -> Iterator[Site]:
    """Yields the places of other values in the JSON of a call."""
    for site in iter_sites(test_case, index, resolve):
        if site.is_json and site.is_free() and isinstance(site.value, (str, bool, float)):
            yield site


def _key(site: Site) -> tuple[object, ...]:
    return site.address, tuple(site.inner)
