"""Finds which of many earlier steps something needs in order to show, with few fresh starts for each that is needed.

On a fresh start, what is to show runs after one step more each time, in their order, so that the state of all steps so
far is there. The first time that it shows, this step is needed, and none after it is. The next fresh start begins with
the steps that are known to be needed, and so on, until they are enough. If their own repetition makes it show, the
shortest series of steps that is enough before them is found by halving, which takes a start for each try.

It finds nothing if the state of the steps is put back between runs, as that of a database, or if what is to show
prevents itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

MAX_NEEDED: Final = 5
"""Maximum number of steps that are found: each takes a start and a run of what is to show after each other step."""


def find_needed(
    n_steps: int,
    start: Callable[[], None],
    shows_after: Callable[[list[int]], bool],
    should_stop: Callable[[], bool],
    *,
    was_refuted: bool = False,
    is_costly: bool = False,
) -> list[int] | None:
    """Returns the numbers of steps that are enough on a fresh start, in their order; None if that was not found.

    start: makes a fresh start. shows_after: runs what is to show after these steps, on the SUT as it is. was_refuted:
    whether it has just run on a fresh start after no step, and did not show. is_costly: whether a run of what is to
    show takes long, or ends the SUT, so that it is not run after each step in turn; each step that is needed then takes
    as many starts as there are halves.
    """

    def shows_fresh_after(steps: list[int]) -> bool:
        start()
        return shows_after(steps)

    needed: list[int] = []
    before: int | None = n_steps
    while before is not None and not should_stop():
        if not (was_refuted and not needed) and shows_fresh_after(needed):
            return needed
        if len(needed) >= MAX_NEEDED:
            return None
        if is_costly or shows_after(needed):
            before = _by_halving(before, needed, shows_fresh_after, should_stop)
        else:
            one_by_one = (step for step in range(before) if not should_stop() and shows_after([step, *needed]))
            before = next(one_by_one, None)
        if before is not None:
            needed = [before, *needed]
    return None


def _by_halving(
    n_steps: int, needed: list[int], shows_fresh_after: Callable[[list[int]], bool], should_stop: Callable[[], bool]
) -> int | None:
    """Returns the last step of the shortest series, from the first step on, that is enough before the needed ones."""
    if n_steps == 0 or not shows_fresh_after([*range(n_steps), *needed]):
        return None
    too_few, enough = 0, n_steps
    while enough - too_few > 1:
        if should_stop():
            return None
        length = (too_few + enough) // 2
        if shows_fresh_after([*range(length), *needed]):
            enough = length
        else:
            too_few = length
    return enough - 1
