"""Counts the equal requests that one call sends to services, while its answer is waited for.

A program that asks the same again and again is in a loop that its own answers do not end, so its answer is not waited
for as long as others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final, TypeAlias

from wimble.agent.protocol.mock_messages import MockRequest

MANY: Final = 10
"""Requests of one kind in a call of an operation that is known to loop."""
VERY_MANY: Final = 50
"""Requests of one kind: clients that try again send fewer, and few programs ask a job for its state more often."""
SURELY_ENDLESS: Final = 200
"""Equal requests. Loops that end by themselves give up sooner."""

_Kind: TypeAlias = tuple[str, str, str, int | None]
"""(origin, method, path, planned answer). The query may count pages, and the body as well."""


class RepeatedRequests:
    """The requests of the call that is waited for."""

    def __init__(self) -> None:
        self._of_kind: Counter[_Kind] = Counter()
        self._equal: Counter[tuple[_Kind, str, str]] = Counter()
        self.n_of_kind = 0
        """Most requests of one kind."""
        self.n_equal = 0
        """Most requests that are equal, with their queries and bodies."""

    def forget(self) -> None:
        """Begins another call."""
        if self.n_of_kind:
            self._of_kind.clear()
            self._equal.clear()
            self.n_of_kind = self.n_equal = 0

    def add(self, requests: Iterable[MockRequest]) -> None:
        for one in requests:
            kind = (one.origin, one.method, one.target.partition("?")[0], one.matched)
            whole = (kind, one.target, one.body)
            self._of_kind[kind] += 1
            self._equal[whole] += 1
            self.n_of_kind = max(self.n_of_kind, self._of_kind[kind])
            self.n_equal = max(self.n_equal, self._equal[whole])
