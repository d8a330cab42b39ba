"""Selects operations by filters: `path:/orders*`, `method:GET`, `tag:shop`, `operation:listBooks`, `!tag:admin`.

An operation is selected if, for each kind of filter that is given, at least one filter of this kind matches, and no
filter with `!` matches. Values are patterns: `*` matches any text, `?` one character.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase

import msgspec

from wimble.errors import SchemaError, UsageError
from wimble.http.binding import HttpBinding
from wimble.model.operation import Operation, Specification

KINDS = ("path", "method", "tag", "operation")


class Filter(msgspec.Struct, frozen=True):
    """One filter. `is_excluded`: it was written with `!`."""

    kind: str
    pattern: str
    is_excluded: bool = False

    def fits(self, operation: Operation) -> bool:
        binding = operation.binding
        if not isinstance(binding, HttpBinding):
            return self.kind == "operation" and fnmatchcase(operation.id, self.pattern)
        if self.kind == "method":
            return fnmatchcase(binding.method, self.pattern.upper())
        values: tuple[str, ...]
        if self.kind == "path":
            values = (binding.path,)
        elif self.kind == "tag":
            values = binding.tags
        else:
            values = (binding.operation_id, operation.id)
        return any(fnmatchcase(value, self.pattern) for value in values if value)


def parsed_filter(text: str) -> Filter:
    """Parses KIND:VALUE or !KIND:VALUE. Raises UsageError if it is neither."""
    match = re.fullmatch(r"(!?)(\w+):(.+)", text.strip(), re.DOTALL)
    if match is None or match[2] not in KINDS:
        raise UsageError(
            "bad-filter",
            f"{text!r} is not a filter of operations",
            where="--only",
            hint=f"Write KIND:VALUE, where KIND is one of {', '.join(KINDS)}: --only tag:shop, --only '!method:DELETE'",
        )
    # In a path, `[` is a literal, not the start of a set of characters.
    return Filter(match[2], match[3].replace("[", "[[]"), match[1] == "!")


def only(specification: Specification, filters: tuple[Filter, ...]) -> Specification:
    """Returns the specification with the selected operations only. Raises SchemaError if there are none."""
    if not filters:
        return specification
    kept = selected(specification.operations, filters)
    if not kept:
        names = ", ".join(operation.id for operation in specification.operations[:6])
        raise SchemaError(
            "filter-fits-nothing",
            f"none of the {len(specification.operations)} operations fits --only",
            where=specification.source,
            details=(f"there are {names}" + (", ..." if len(specification.operations) > 6 else ""),),
            hint="Values are matched as a whole; `*` stands for any text: --only 'path:/api/orders*'",
        )
    return msgspec.structs.replace(specification, operations=kept)


def selected(operations: Iterable[Operation], filters: tuple[Filter, ...]) -> tuple[Operation, ...]:
    """Returns the operations that the filters select; all if there are no filters."""
    return tuple(operation for operation in operations if _is_wanted(operation, filters))


def _is_wanted(operation: Operation, filters: tuple[Filter, ...]) -> bool:
    if any(one.fits(operation) for one in filters if one.is_excluded):
        return False
    wanted = [one for one in filters if not one.is_excluded]
    return all(any(one.fits(operation) for one in wanted if one.kind == kind) for kind in {one.kind for one in wanted})
