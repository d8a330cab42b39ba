"""Values that come from the response to an earlier call."""

from __future__ import annotations

from wimble.genes.base import Gene


class ReferenceGene(Gene, frozen=True):
    """The value at `pointer` in the response to call `call` of the same test case.

    pointer: a JSON pointer into the body (`/id`, `/items/0/id`), or `header:location` for the last path segment of the
    Location header. The fallback is used where nothing is there; it is not a child, so mutation leaves it alone.
    """

    call: int
    pointer: str
    fallback: Gene
