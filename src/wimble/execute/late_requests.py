"""Credits requests that a call goes on sending behind its answer to that call, as agents tell of them.

The mock server tells when a request has arrived. A newer call may run then, in the same evaluation or in a later one,
which would be taken for the sender: its tests would expect the request, and fail whenever it comes sooner or later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from wimble.agent.protocol.messages import SentRequest
from wimble.model.external import ExternalRequest
from wimble.model.interaction import Interaction

OF_EARLIER: Final = -1
"""The call of a request that an earlier evaluation has sent."""


class LateRequests:
    """The late requests of one start of the SUT."""

    def __init__(self) -> None:
        self._on_their_way: Counter[tuple[str, str]] = Counter()
        """(method, target) of requests that the last evaluation has sent late, and that had not arrived at its end."""

    def credited(self, found: list[Interaction], late: Sequence[SentRequest]) -> list[Interaction]:
        """Returns what was found in an evaluation, with late requests credited to their calls.

        Those of earlier evaluations are left out. late: in the order in which they were sent.
        """
        expected, self._on_their_way = self._on_their_way, Counter()
        if not expected and not late:
            return found
        callers = _callers(expected, late)
        credited = [one for each in found for one in _credited(each, callers)]
        for kind, calls in callers.items():
            self._on_their_way[kind] += sum(call != OF_EARLIER for call in calls)
        return _numbered(credited)


def _callers(expected: Counter[tuple[str, str]], late: Iterable[SentRequest]) -> dict[tuple[str, str], list[int]]:
    """Returns the calls of the late requests of each kind."""
    callers = {kind: [OF_EARLIER] * count for kind, count in expected.items()}
    for one in late:
        callers.setdefault((one.method, one.target), []).append(OF_EARLIER if one.call is None else one.call)
    return callers


def _credited(found: Interaction, callers: dict[tuple[str, str], list[int]]) -> Iterable[Interaction]:
    """Yields the interaction, credited to the first call that is older than the one that it was counted for, if any."""
    calls = callers.get((found.method, found.target)) if isinstance(found, ExternalRequest) else None
    call = next((one for one in calls or () if one < found.call), None)
    if calls is None or call is None:
        yield found
        return
    calls.remove(call)
    if call != OF_EARLIER:
        yield msgspec.structs.replace(found, call=call)


def _numbered(found: Iterable[Interaction]) -> list[Interaction]:
    """Returns the interactions with the numbers of requests without gaps."""
    numbered: list[Interaction] = []
    for one in found:
        is_moved = isinstance(one, ExternalRequest) and one.n != len(numbered)
        numbered.append(msgspec.structs.replace(one, n=len(numbered)) if is_moved else one)
    return numbered
