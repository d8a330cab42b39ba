"""Requests to services that an earlier call goes on sending: a loop that tries again without a bound.

They would be taken for requests of the operations that are called meanwhile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from wimble.agent.protocol.mock_messages import MockRequest
from wimble.model.external import ExternalRequest

MANY: Final = 10
"""Equal requests of one call from which on it may be a loop."""

Kind: TypeAlias = tuple[str, str, str]
"""(origin, method, target)."""


class LeftoverRequests:
    """Tells which requests belong to an earlier evaluation: those of a kind that was sent often in it, and still was
    between it and the next one. They belong to it as long as they go on."""

    def __init__(self) -> None:
        self._often: frozenset[Kind] = frozenset()
        """Kinds of requests that one call of the last evaluation has sent often."""
        self._going_on: frozenset[Kind] = frozenset()
        self._seen: set[Kind] = set()
        """Those of `_going_on` that were seen in this evaluation."""

    def begin(self, early: Sequence[MockRequest]) -> None:
        """Begins an evaluation. early: the requests that have come since the last one."""
        if not (early and self._often) and not self._going_on:
            return
        between = frozenset(_kind(one) for one in early)
        self._going_on = (between & (self._often | self._going_on)) | (self._going_on & self._seen)
        self._seen = set()

    def has(self, request: MockRequest) -> bool:
        """Whether a request of this evaluation belongs to an earlier one."""
        if not self._going_on or _kind(request) not in self._going_on:
            return False
        self._seen.add(_kind(request))
        return True

    def end(self, requests: Iterable[ExternalRequest]) -> None:
        """Ends an evaluation with these requests of its own."""
        counts = Counter((one.call, _kind(one)) for one in requests)
        self._often = frozenset(kind for (_, kind), count in counts.items() if count >= MANY)


def _kind(request: MockRequest | ExternalRequest) -> Kind:
    return request.origin, request.method, request.target
