"""Starts of the SUT ahead of their use, for phases in which nearly every test case needs a fresh start.

A standby loads everything while other tests run, and waits before it listens or connects to a server, so it needs no
port of its own and sees no database. It is used only where a start can neither observe nor disturb the tests that run
at the same time: the SUT keeps no database in a file, writes no files in its folder, calls no services before it
serves, and has no reset of the user's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
    """The standbys of one SUT. Each is for starts in one environment."""

    def __init__(self, start: Callable[[dict[str, str]], Standby]) -> None:
        """start: starts the command in an environment."""
        self._start = start
        self._ready: list[tuple[Environment, Standby]] = []
        self._n_wanted = 0

    @property
    def is_on(self) -> bool:
        return self._n_wanted > 0

    def has_for(self, environment: Environment) -> bool:
        """Whether one was begun for that environment, and not taken. The first start after `keep` finds none."""
        return self._find(environment) is not None

    def keep(self, tree: ProcessTree, most: int = MAX_STANDBYS) -> None:
        """Keeps standbys from now on, as many as there is memory for. tree: a running start, whose size they have."""
        size = max(1, tree.resident_bytes())
        self._n_wanted = min(most, int(MEMORY_SHARE * psutil.virtual_memory().available / size))

    @property
    def n_wanted(self) -> int:
        """How many are kept."""
        return self._n_wanted

    def take(self, environment: Environment) -> Standby | None:
        """Returns a standby for that environment, or None if there is none."""
        found = self._find(environment)
        if found is None:
            return None
        self._ready.remove(found)
        if found[1].is_alive:
            return found[1]
        found[1].discard()
        self.discard()  # as those that were begun with it
        return None

    def take_any(self) -> Standby | None:
        """Returns a standby for whatever environment, first the one that nobody may want; None if there is none."""
        while self._ready:
            _, standby = self._ready.pop()
            if standby.is_alive:
                return standby
            standby.discard()
        return None

    @property
    def has_any(self) -> bool:
        """Whether one was begun, for whatever environment, and not taken."""
        return bool(self._ready)

    def _find(self, environment: Environment) -> tuple[Environment, Standby] | None:
        asked = _without_socket(environment)
        return next((one for one in self._ready if _without_socket(one[0]) == asked), None)

    def refill(self, environments: Sequence[dict[str, str]]) -> None:
        """Starts the standbys for these environments that are missing, and ends those for others, except for one: what
        was loaded may be of use yet.
        """
        kept = list[tuple[Environment, Standby]]()
        missing = list[dict[str, str]]()
        for environment in environments:
            found = self._find(environment)
            if found is None:
                missing.append(environment)
            else:
                self._ready.remove(found)
                kept.append(found)
        left, self._ready = [one for one in self._ready if one[1].is_alive], kept
        for _, standby in left[:-1]:
            standby.discard()
        n_new = max(1, len(missing) - len(left[-1:]))  # more at once would make each slower
        self._ready += [(environment, self._start(environment)) for environment in missing[:n_new]]
        self._ready += left[-1:]

    def discard(self) -> None:
        """Ends all standbys; `refill` starts others."""
        while self._ready:
            self._ready.pop()[1].discard()

    def close(self) -> None:
        """Ends all standbys, and keeps none any more."""
        self._n_wanted = 0
        self.discard()


def _without_socket(environment: Environment) -> Environment:
    return {name: value for name, value in environment.items() if name != SOCKET_VARIABLE}
