"""Merges the descriptions of one API, such as one document per module, into one specification."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from wimble.model.operation import Operation, Specification
from wimble.types import OperationId

MAX_NAMED = 3
"""Maximum number of operations or documents that a text names."""


def merged(specifications: Sequence[Specification]) -> Specification:
    """Returns one specification with the operations of all; of an operation described twice, the first description.

    specifications: one or more, the one with priority first.
    """
    first = specifications[0]
    if len(specifications) == 1:
        return first
    operations: dict[OperationId, Operation] = {}
    warnings: list[str] = []
    for one in specifications:
        twice = [operation.id for operation in one.operations if operation.id in operations]
        for operation in one.operations:
            operations.setdefault(operation.id, operation)
        warnings += one.warnings
        if twice:
            warnings.append(
                f"{one.source}: an earlier document describes {_listed(twice)}, too; the first description is used"
            )
    kinds = {one.kind for one in specifications}
    return msgspec.structs.replace(
        first,
        operations=tuple(operations.values()),
        source=_listed([one.source for one in specifications]),
        kind=first.kind if len(kinds) == 1 else "openapi",
        version=", ".join(dict.fromkeys(one.version for one in specifications if one.version)),
        warnings=tuple(dict.fromkeys(warnings)),
    )


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    return ", ".join(names[:MAX_NAMED]) + more
