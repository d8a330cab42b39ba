"""Targets and the table that gives them dense ids. Grows during a session, never shrinks; knows no I/O."""

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
    "shape",
    "part",
]
"""`file` to `catch` come from the agent (protocol/README.md); `query` (a command found rows, or none), `status`,
`fault` and `limit` (a declared limit of an answer, covered when it is broken) are the core's own. So are those that
searches have that see nothing else: `shape` (an answer looked so) and `part` (a declared part of a request was
accepted, or of an answer shown)."""
OWN_KINDS: Final = frozenset({"status", "fault", "limit", "shape", "part"})
"""Kinds that stand in no file."""
SIDE_KINDS: Final = frozenset({"limit", "part"})
"""Kinds that most programs keep open forever, whatever they are sent: the search gives them a turn now and then."""
OPEN_H: Final = 0.5
"""h of what was met and may go another way, where nothing tells how near that is."""
UNCOUNTED_KINDS: Final = frozenset({"limit"})
"""Kinds that no total counts and no test is there for: what breaks a limit is a fault, which is counted, and most keep
their limits forever."""


class Target(msgspec.Struct, frozen=True):
    """One thing to cover.

    For code targets `file` is an absolute path, `line` is 1-based, `column` 0-based. `detail` tells targets at one
    place apart and says which outcome: `=== true`, `&& false`, `if true`, `case 2`, `startsWith true`.
    """

    kind: TargetKind
    file: str
    line: int
    column: int
    detail: str = ""
    operation: str = ""
    """Id of the operation, of targets that belong to one (`status`, `query`); as in `detail`."""
    outcome: str = ""
    """Of these targets: `200`, `success`, `found`, `not found`; as in `detail`."""

    @property
    def operator(self) -> str:
        """Of code targets: what is evaluated, such as `===` of `=== true`, or `key` of `key true`."""
        return self.detail.partition(" ")[0]

    def name(self) -> str:
        """Stable, readable, unique within a session."""
        if self.kind in OWN_KINDS:
            return f"{self.kind} {self.detail}"
        place = f"{self.file}:{self.line}" if self.kind != "file" else self.file
        if self.kind in ("file", "line"):
            return f"{self.kind} {place}"
        return f"{self.kind} {place}:{self.column} {self.detail}".rstrip()


class TargetTable:
    """Target <-> id. Registering a target again answers the same id."""

    def __init__(self) -> None:
        self._targets: list[Target] = []
        self._ids: dict[Target, TargetId] = {}
        self._counts: Counter[str] = Counter()
        self.constants = ConstantTable()
        """Of the files in which the targets stand."""

    def register(self, target: Target) -> TargetId:
        known = self._ids.get(target)
        if known is not None:
            return known
        new = TargetId(len(self._targets))
        self._targets.append(target)
        self._ids[target] = new
        self._counts[target.kind] += 1
        return new

    def count(self, kind: TargetKind) -> int:
        """How many targets of a kind are registered; constant time."""
        return self._counts[kind]

    @property
    def n_counted(self) -> int:
        """Targets that totals count."""
        return len(self._targets) - sum(self._counts[kind] for kind in UNCOUNTED_KINDS)

    def __getitem__(self, target_id: TargetId) -> Target:
        return self._targets[target_id]

    def __len__(self) -> int:
        return len(self._targets)

    def __iter__(self) -> Iterator[Target]:
        return iter(self._targets)
