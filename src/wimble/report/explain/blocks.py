"""Computes, from a file's regions and functions, which code an outcome blocks and which outcome blocks a target.

A part of a file is closed if it is the region of an outcome that never happened, or a function that was never entered.
A statement that never ran is blocked by the outermost closed part around it. Code that ran while the SUT started is not
blocked.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import Literal, TypeAlias

import msgspec

from wimble.model.explain_data import ExplainedFile, TargetRow
from wimble.model.structure import FunctionBody, Region
from wimble.model.targets import BRANCH_KINDS, OWN_KINDS

PLAIN_KINDS = frozenset({"file", "line", "statement", "ternary", "function", *OWN_KINDS})
"""The kinds of targets that are not outcomes of branches. The arms of `?:` are among them, since their condition has
outcomes."""

Around: TypeAlias = Region | FunctionBody


class Blocker(msgspec.Struct, frozen=True):
    """The reason why a target was not reached."""

    kind: Literal["branch", "function", "statement"]
    """`branch`: an outcome around the target never happened. `function`: the target's function was never entered.
    `statement`: a statement before the target never completes."""
    line: int
    text: str
    """The outcome (`if true`), or the function's name."""
    target: int | None = None
    """Index of the outcome or statement among the file's targets; None for a function."""
    is_reached: bool = False
    """Whether the outcome's condition was evaluated."""


class NeverEntered(msgspec.Struct, frozen=True):
    """A function that was entered neither in calls nor during the SUT's start."""

    name: str
    line: int
    n_statements: int


class Blocks:
    """The regions, functions and statements of one file, and which of them are closed or blocked."""

    def __init__(self, file: ExplainedFile) -> None:
        self.file = file

    def is_counted(self, index: int) -> bool:
        """Returns whether the summary counts a target as a branch outcome.

        It does not count methods of which no call was seen to be one that the agent replaces.
        """
        row = self.file.targets[index]
        return row.kind in BRANCH_KINDS and (row.kind != "method" or (row.line, row.column) in self._replaced)

    @cached_property
    def _replaced(self) -> set[tuple[int, int]]:
        rows = self.file.targets
        return {(row.line, row.column) for row in rows if row.kind == "method" and (row.h or row.boot_h)}

    def is_branch(self, index: int) -> bool:
        """Returns whether a target is an outcome of a branch."""
        return self.file.targets[index].kind not in PLAIN_KINDS

    @cached_property
    def around(self) -> list[tuple[Around, ...]]:
        """The regions and functions around each target, outermost first."""
        file = self.file
        parts: list[Around] = sorted(
            [*file.functions, *file.regions], key=lambda part: (part.start, (-part.end_line, -part.end_column))
        )
        order = sorted(range(len(file.targets)), key=lambda i: (file.targets[i].line, file.targets[i].column))
        found: list[tuple[Around, ...]] = [()] * len(file.targets)
        active: list[Around] = []
        n_begun = 0
        for index in order:
            target = file.targets[index]
            if target.kind in ("file", "line"):
                continue
            place = (target.line, target.column)
            while n_begun < len(parts) and parts[n_begun].start <= place:
                active.append(parts[n_begun])
                n_begun += 1
            active = [part for part in active if part.end > place]
            found[index] = tuple(active)
        return found

    @cached_property
    def statements(self) -> list[int]:
        """Indexes of the statements, in the order of their places."""
        targets = self.file.targets
        own = [index for index, target in enumerate(targets) if target.kind == "statement"]
        return sorted(own, key=lambda index: (targets[index].line, targets[index].column))

    @cached_property
    def _function_entered(self) -> dict[FunctionBody, bool]:
        """Function -> whether a statement directly in its body was reached.

        Functions without statements are left out.
        """
        entered: dict[FunctionBody, bool] = {}
        for index in self.statements:
            function = self.function_of(index)
            if function is not None:
                entered[function] = entered.get(function, False) or _was_reached(self.file.targets[index])
        return entered

    def function_of(self, index: int) -> FunctionBody | None:
        """Returns the innermost function around a target; None if there is none."""
        return next((part for part in reversed(self.around[index]) if isinstance(part, FunctionBody)), None)

    def is_closed(self, part: Around) -> bool:
        """Returns whether a function was never entered, or the outcome of a region never happened."""
        if isinstance(part, FunctionBody):
            return not self._function_entered.get(part, True)
        return not self.file.targets[part.target].was_run

    @cached_property
    def _closed_by(self) -> dict[int, Around]:
        """Statement that never ran -> the outermost closed part around it; without statements in no closed part."""
        closed = {}
        for index in self.statements:
            if not self.file.targets[index].was_run:
                part = next((part for part in self.around[index] if self.is_closed(part)), None)
                if part is not None:
                    closed[index] = part
        return closed

    @cached_property
    def blocked(self) -> Counter[int]:
        """Outcome -> the number of statements that it blocks."""
        return Counter(part.target for part in self._closed_by.values() if isinstance(part, Region))

    @cached_property
    def behind(self) -> Counter[int]:
        """Outcome -> the number of statements in its regions that never ran, whether or not it blocks them."""
        count: Counter[int] = Counter()
        for index in self.statements:
            if not self.file.targets[index].was_run:
                count.update({part.target for part in self.around[index] if isinstance(part, Region)})
        return count

    def never_entered(self) -> list[NeverEntered]:
        """Returns the functions that block statements, those that block most first."""
        count = Counter(part for part in self._closed_by.values() if isinstance(part, FunctionBody))
        found = [NeverEntered(part.name, part.line, number) for part, number in count.items()]
        return sorted(found, key=lambda function: (-function.n_statements, function.line))

    @cached_property
    def stuck(self) -> Counter[int]:
        """Statement that is entered and never completes -> the number of statements that never ran because of it.

        They are those after it in its function.
        """
        targets = self.file.targets
        latest: dict[FunctionBody | None, int] = {}
        count: Counter[int] = Counter()
        for index in self.statements:
            row, function = targets[index], self.function_of(index)
            if row.was_run:
                latest.pop(function, None)  # the statement before did not prevent this one
            elif _was_reached(row):
                latest[function] = index
            elif function in latest and index not in self._closed_by:
                count[latest[function]] += 1
        return count

    def blocker(self, index: int) -> Blocker | None:
        """Returns why a target was not reached; None if it was reached, or no reason is known."""
        targets = self.file.targets
        for part in self.around[index]:
            if not self.is_closed(part):
                continue
            if isinstance(part, FunctionBody):
                return Blocker("function", part.line, part.name)
            row = targets[part.target]
            return Blocker("branch", row.line, row.detail or row.kind, part.target, is_reached=_was_reached(row))
        if _was_reached(targets[index]):
            return None
        function, place = self.function_of(index), (targets[index].line, targets[index].column)
        for other in reversed(self.statements):
            row = targets[other]
            is_before = (row.line, row.column) <= place and other != index
            if is_before and _was_reached(row) and not row.was_run and self.function_of(other) is function:
                return Blocker("statement", row.line, "", other, is_reached=True)
        return None

    def condition_in(self, text: str, index: int) -> str:
        """Returns the target's line, up to the code that the target guards. text: the whole line."""
        row = self.file.targets[index]
        ends = [
            part.column
            for part in self.file.regions
            if part.line == row.line and part.column > row.column and abs(part.target - index) <= 1
        ]
        return text[: min(ends)] if ends else text

    @cached_property
    def did_anything_run(self) -> bool:
        return any(target.was_run for target in self.file.targets if target.kind in ("statement", "line"))


def _was_reached(target: TargetRow) -> bool:
    return target.h > 0.0 or target.boot_h > 0.0
