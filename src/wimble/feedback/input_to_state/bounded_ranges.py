"""Inputs that have to change together: the ends of a range whose length is limited.

Example: `from <= date && date <= to`, after the check `to - from <= 366 days`. An edit of `to` alone is refused, since
`from` keeps its value. So if an operand that comes from an input is compared by order, similar inputs of the same call
get the same value, which gives the shortest possible range. On the bookshop, whose sales report has this guard, 10,000
calls: passed with seeds 1 to 3, without it with none.
"""

from __future__ import annotations

from collections.abc import Sequence

from wimble.feedback.input_to_state.input_sites import Site
from wimble.feedback.input_to_state.origin import Origin, Place
from wimble.model.operands import Operand, is_number
from wimble.types import Json

TOGETHER_COST = 2
"""Added to the cost of the edit of one input alone, which helps more often."""
MAX_MOVED_ALONG = 3
"""Number of inputs that get the value, too. If more are similar, they are seldom the ends of one range."""


def moved_along(origin: Origin, wanted: Operand, sites: Sequence[Site]) -> tuple[Place, ...]:
    """Returns the genes to replace: first the one that the operand came from, then similar ones.

    Returns none if there are no similar ones. sites: those of the call whose operands were compared.
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
    """Returns the shape of a text, such as `9999-99-99` for `2024-03-01`."""
    return "".join("9" if letter.isdigit() else "a" if letter.isalpha() else letter for letter in text)
