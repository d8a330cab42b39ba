"""Finds updates that two calls at once have computed from the same number, so that one of them is lost.

In turn, `SET seats_left = 36` is followed by `SET seats_left = 32`. If both calls send the first one when they come at
once, the second has read what the first was about to change. That shows without any operation that reads the number.
Updates that the database computes (`seats_left - 4`) are the same in turn, and a program that waits, or looks for what
it has read (`WHERE version = 1`), sends others or changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import Final, NamedTuple

from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Evaluation
from wimble.oracles.databases.kept_changes import Change, changes_of_call

MAX_NUMBER: Final = 10**9
"""Larger numbers may be times, which no two calls have in common unless they come at once."""
_NUMBER: Final = re.compile(r"(?<![\w.$])-?\d+(?:\.\d+)?(?![\w.])")


class LostWrite(NamedTuple):
    command: DatabaseCommand
    """The second of the two updates."""
    table: str
    written: float
    wanted: float
    """What the second call writes in turn."""


class _Update(NamedTuple):
    shape: Hashable
    """The update without its numbers."""
    numbers: tuple[float, ...]
    change: Change


def lost_write(at_once: Evaluation, in_turn: Evaluation, first: int) -> LostWrite | None:
    """Returns the update that both calls at once have sent, and only the first one in turn; None if there is none.

    first: index of the first of the two calls. Which of the two has sent an update is not asked: drivers that share
    connections hide it.
    """
    seen, expected = _updates(at_once, first), _updates(in_turn, first)
    for shape in dict.fromkeys(one.shape for one in seen):
        both, turns = ([one for one in of_run if one.shape == shape] for of_run in (seen, expected))
        if len(both) != 2 or len(turns) != 2 or {one.numbers for one in both} != {turns[0].numbers}:
            continue
        steps = zip(turns[0].numbers, turns[1].numbers, strict=True)
        changed = [(written, wanted) for written, wanted in steps if written != wanted]
        if len(changed) == 1 and max(map(abs, changed[0])) <= MAX_NUMBER:
            return LostWrite(both[1].change.command, both[1].change.change.table, *changed[0])
    return None


def _updates(evaluation: Evaluation, first: int) -> list[_Update]:
    changes = [*changes_of_call(evaluation, first), *changes_of_call(evaluation, first + 1)]
    return [_update(one) for one in changes if one.is_update]


def _update(change: Change) -> _Update:
    command = change.command
    numbers: list[float] = [float(one) for one in _NUMBER.findall(command.text)]
    others: list[str] = []
    for value in command.params:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        text = value if isinstance(value, str) else str(value) if is_number else ""
        if _NUMBER.fullmatch(text):
            numbers.append(float(text))
            others.append("")
        else:
            others.append(repr(value))
    return _Update((_NUMBER.sub("0", command.text), *others), tuple(numbers), change)
