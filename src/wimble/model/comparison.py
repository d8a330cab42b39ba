"""How an API differs from its document, as far as calls have shown it. Plain data."""

from __future__ import annotations

from typing import Literal

import msgspec

DifferenceKind = Literal["operation", "parameter", "body member", "status", "media type", "answer member"]
"""`body member`: of a request; `answer member`: of an answer, as `200 $.items[].price`."""
KINDS: tuple[DifferenceKind, ...] = (
    "operation", "parameter", "body member", "status", "media type", "answer member",
)  # fmt: skip


class Difference(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """One thing that is on one side only."""

    operation: str
    kind: DifferenceKind
    detail: str = ""
    """What it is, within the operation; empty for the operation itself."""


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """The differences, each part sorted by operation."""

    undocumented: tuple[Difference, ...] = ()
    """What the API has, and the document lacks."""
    unseen: tuple[Difference, ...] = ()
    """What the document declares, and no call has shown. It may exist all the same."""
