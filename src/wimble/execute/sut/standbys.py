"""Starts of the SUT ahead of their use, for phases in which nearly every test case needs a fresh start.

A standby loads everything while other tests run, and waits before it listens, so it needs no port of its own. It is
used only where a start can neither observe nor disturb the tests that run at the same time: the SUT has connected to no
database outside of its process, writes no files in its folder, calls no services before it serves, and has no reset of
the user's.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Final

import psutil

from wimble.agent.processes.launch import ProcessTree
from wimble.agent.processes.standby import Standby
from wimble.agent.processes.tree_members import SOCKET_VARIABLE
from wimble.agent.processes.usable_cores import usable_cores

MAX_STANDBYS: Final = min(3, usable_cores())
"""Starting is work for the processor, so more starts at once than it has cores do not end earlier."""
MEMORY_SHARE: Final = 0.25
"""Largest share of the available memory that all standbys may take."""

Environment = Mapping[str, str]


class Standbys:
    """The standbys of one SUT, in the order of their use."""

    def __init__(self, start: Callable[[dict[str, str]], Standby]) -> None:
        """start: starts the command in an environment."""
        self._start = start
        self._ready: deque[tuple[Environment, Standby]] = deque()
        self._n_wanted = 0

    @property
    def is_on(self) -> bool:
        return self._n_wanted > 0

    @property
    def has_any(self) -> bool:
        """Whether one was begun that has not been taken. The first start after `keep` finds none."""
        return bool(self._ready)

    def keep(self, tree: ProcessTree, most: int = MAX_STANDBYS) -> None:
        """Keeps standbys from now on, as many as there is memory for. tree: a running start, whose size they have."""
        size = max(1, tree.resident_bytes())
        self._n_wanted = min(most, int(MEMORY_SHARE * psutil.virtual_memory().available / size))

    def take(self, environment: Environment) -> Standby | None:
        """Returns the next standby, or None if there is none. Discards all if they have another environment."""
        while self._ready:
            own, standby = self._ready.popleft()
            if _without_socket(own) == _without_socket(environment) and standby.is_alive:
                return standby
            standby.discard()
            self.discard()
        return None

    def refill(self, environment_after: Callable[[int], dict[str, str]]) -> None:
        """Starts as many standbys as are missing. environment_after: that of the start after so many others."""
        while len(self._ready) < self._n_wanted:
            environment = environment_after(len(self._ready))
            self._ready.append((environment, self._start(environment)))

    def discard(self) -> None:
        """Ends all standbys; `refill` starts others."""
        while self._ready:
            self._ready.popleft()[1].discard()

    def close(self) -> None:
        """Ends all standbys, and keeps none any more."""
        self._n_wanted = 0
        self.discard()


def _without_socket(environment: Environment) -> Environment:
    return {name: value for name, value in environment.items() if name != SOCKET_VARIABLE}
