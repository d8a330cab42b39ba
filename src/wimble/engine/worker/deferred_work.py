"""Work that is deferred until the next evaluation waits for the SUT; nothing needs its results before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVarTuple

Arguments = TypeVarTuple("Arguments")


class DeferredWork:
    """Functions that are still to be called, in order."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Callable[..., None], tuple[Any, ...]]] = []

    def add(self, work: Callable[[*Arguments], None], *arguments: *Arguments) -> None:
        """Defers `work(*arguments)` until `catch_up`."""
        self._waiting.append((work, arguments))

    def catch_up(self) -> None:
        """Does all work that was deferred."""
        waiting, self._waiting = self._waiting, []
        for work, arguments in waiting:
            work(*arguments)
