"""Inputs that have to move together: the ends of a range whose length is limited.

`from <= date && date <= to`, behind `to - from <= 366 days`: each edit of `to` alone is refused, since `from` stays
where it is. Where an order is asked of an input, the others like it in the same call get the same value, which is the
shortest range there is. On the bookshop, whose sales report has this guard, 10,000 calls: passed with seeds 1 to 3,
without it with none.
"""

from __future__ import annotations

from collections.abc import Sequence

from wimble.feedback.input_to_state.input_sites import Site
from wimble.feedback.input_to_state.origin import Origin, Place
from wimble.model.operands import Operand, is_number
from wimble.types import Json

TOGETHER_COST = 2
"""Added to the cost of the edit of one input alone, which is right more often."""
MAX_MOVED_ALONG = 3
"""Inputs that get the value, too. More that are alike are seldom ends of one range."""


def moved_along(origin: Origin, wanted: Operand, sites: Sequence[Site]) -> tuple[Place, ...]:
    """The genes to put in: first the one that the operand came from, then those like it; empty where none is.

    sites: of the call that asked.
    """
    places = origin.write(wanted)
    if not places or origin.place is None or origin.place[0].call != places[0][0].call:
        return ()
    address, gene = origin.place
    value = places[0][1].phenotype()
    if not isinstance(value, str) and not is_number(value):
        return ()
    also: list[Place] = []
    for site in sites:
        is_other = site.address.call == address.call and site.address != address and site.is_free() and not site.inner
        if (
            is_other
            and site.value != value
            and type(site.gene) is type(gene)
            and is_alike(site.value, gene.phenotype())
        ):
            place = site.put(value)
            if place is not None:
                also.append(place)
    return (*places, *also[:MAX_MOVED_ALONG]) if also else ()


def is_alike(one: Json, other: Json) -> bool:
    """Whether both are numbers, or texts of one shape: two dates, two versions, two codes."""
    if isinstance(one, str) and isinstance(other, str):
        return _shape(one) == _shape(other)
    return is_number(one) and is_number(other)


def _shape(text: str) -> str:
    """`2024-03-01` -> `9999-99-99`."""
    return "".join("9" if letter.isdigit() else "a" if letter.isalpha() else letter for letter in text)
