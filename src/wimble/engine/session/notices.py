"""Warnings of a run, and events that wait until the phase yields them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final

from wimble.engine.events import Event, LimitsKnown, WarningRaised

MAX_WARNINGS: Final = 200


def tests_were(number: int) -> str:
    """Returns what messages begin with: `1 test was`, `12 tests were`."""
    return "1 test was" if number == 1 else f"{number} tests were"


class Notices:
    """Collects warnings and events; a phase yields `take_events()` between two evaluations."""

    def __init__(self) -> None:
        self._warnings: dict[str, None] = {}
        self._events: deque[Event] = deque()

    @property
    def warnings(self) -> tuple[str, ...]:
        """All warnings of the run, in order."""
        return tuple(self._warnings)

    def warn(self, message: str) -> None:
        """Adds a warning unless the same message was added before. It is shown at once and in the summary.

        message: "" for nothing to say.
        """
        if message and message not in self._warnings and len(self._warnings) < MAX_WARNINGS:
            self._warnings[message] = None
            self._events.append(WarningRaised(message=message))

    def tell_limits(self, messages: Iterable[str]) -> None:
        """Adds warnings that are shown together. Those that were added before are left out, and so is ""."""
        new = [one for one in dict.fromkeys(messages) if one and one not in self._warnings]
        if new:
            self._warnings.update(dict.fromkeys(new))
            self._events.append(LimitsKnown(messages=tuple(new)))

    def post(self, event: Event) -> None:
        """Adds an event that the phase will yield."""
        self._events.append(event)

    @property
    def has_events(self) -> bool:
        return bool(self._events)

    def take_events(self) -> Iterator[Event]:
        """Yields the waiting events and removes them."""
        while self._events:
            yield self._events.popleft()
