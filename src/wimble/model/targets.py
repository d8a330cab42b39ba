"""Targets, and the table that gives them dense ids. The table grows during a session and never shrinks. No I/O."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final, Literal

import msgspec

from wimble.model.source_constants import ConstantTable
from wimble.types import TargetId

TargetKind = Literal[
    "file",
    "line",
    "statement",
    "function",
    "branch",
    "case",
    "method",
    "ternary",
    "loop",
    "catch",
    "query",
    "status",
    "fault",
    "limit",
    "validation",
    "shape",
    "part",
]
"""The agent defines `file` to `catch` (protocol/README.md). The core defines the others: `query` (a command found
rows, or none), `status`, `fault`, `limit` (a declared limit of an answer, covered if it is broken), and `validation`
(a schema of a validation library found input valid, or invalid). Two kinds are for black-box runs: `shape` (the shape
of an answer) and `part` (a declared part of a request was accepted, or a declared part of an answer was shown)."""
OWN_KINDS: Final = frozenset({"status", "fault", "limit", "validation", "shape", "part"})
"""Kinds of targets that have no place in a file."""
CODE_KINDS: Final = frozenset({"line", "statement", "function"})
"""Kinds of targets that are covered when code runs, whatever its outcome is."""
BRANCH_KINDS: Final = frozenset({"branch", "case", "method", "loop"})
"""Kinds of targets that count as branch outcomes. An arm of `?:` has the outcomes of its condition, and a `catch` has
its lines, so these kinds do not count.
"""
SIDE_KINDS: Final = frozenset({"limit", "part"})
"""Kinds whose targets most programs never cover, whatever they are sent. The search works on them only occasionally."""
OPEN_H: Final = 0.5
"""h of a target that was reached and may still have another outcome, if no distance to that outcome is known."""
UNCOUNTED_KINDS: Final = frozenset({"limit"})
"""Kinds that are not part of totals, and for which no test is kept. Breaking a limit is a fault, which counts, and most
programs never break their limits."""


class Target(msgspec.Struct, frozen=True):
    """One thing to cover.

    For targets in code, `file` is an absolute path, `line` is 1-based, and `column` is 0-based. `detail` distinguishes
    targets at one place and names the outcome: `=== true`, `&& false`, `if true`, `case 2`, `startsWith true`.
    """

    kind: TargetKind
    file: str
    line: int
    column: int
    detail: str = ""
    operation: str = ""
    """Id of the operation, for kinds that belong to one (`status`, `query`); also part of `detail`."""
    outcome: str = ""
    """Outcome, for these kinds: `200`, `success`, `found`, `not found`; also part of `detail`."""

    @property
    def operator(self) -> str:
        """For targets in code: what is evaluated, such as `===` for `=== true`, or `key` for `key true`."""
        return self.detail.partition(" ")[0]

    def name(self) -> str:
        """Returns a stable, readable name, unique within a session."""
        if self.kind in OWN_KINDS:
            return f"{self.kind} {self.detail}"
        place = f"{self.file}:{self.line}" if self.kind != "file" else self.file
        if self.kind in ("file", "line"):
            return f"{self.kind} {place}"
        return f"{self.kind} {place}:{self.column} {self.detail}".rstrip()


class TargetTable:
    """Maps targets to ids and back. Registering a target again returns the same id."""

    def __init__(self) -> None:
        self._targets: list[Target] = []
        self._ids: dict[Target, TargetId] = {}
        self._counts: Counter[str] = Counter()
        self._outcomes: dict[tuple[str, str], TargetId] = {}
        self.constants = ConstantTable()
        """Constants of the files that contain the targets."""

    def register(self, target: Target) -> TargetId:
        """Returns the id of a target, a new one if the target is not registered yet."""
        known = self._ids.get(target)
        if known is not None:
            return known
        new = TargetId(len(self._targets))
        self._targets.append(target)
        self._ids[target] = new
        self._counts[target.kind] += 1
        return new

    def register_outcome(self, operation: str, outcome: str) -> TargetId:
        """Returns the id of the target that a call of the operation has this outcome; each call has two."""
        known = self._outcomes.get((operation, outcome))
        if known is None:
            known = self.register(Target("status", "", 0, 0, f"{operation} {outcome}", operation, outcome))
            self._outcomes[operation, outcome] = known
        return known

    def count(self, kind: TargetKind) -> int:
        """Returns the number of registered targets of a kind, in constant time."""
        return self._counts[kind]

    @property
    def n_counted(self) -> int:
        """Number of targets that totals include."""
        return len(self._targets) - sum(self._counts[kind] for kind in UNCOUNTED_KINDS)

    def __getitem__(self, target_id: TargetId) -> Target:
        return self._targets[target_id]

    def __len__(self) -> int:
        return len(self._targets)

    def __iter__(self) -> Iterator[Target]:
        return iter(self._targets)
