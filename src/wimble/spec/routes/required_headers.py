"""Gives operations the headers that their routes require, and that no document names: mostly its version.

A framework answers 404 if such a header is not there, whatever else the call holds. No code of the program reads it, so
nothing but the route tells its name and its values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from wimble.genes import EnumGene, Gene, OptionalGene
from wimble.http.binding import HttpBinding, binding_of, inputs_of
from wimble.http.declarations import HttpInput
from wimble.model.operation import Operation
from wimble.spec.routes.route_comparison import path_shape
from wimble.spec.routes.route_operations import RoutedOperation, required_values
from wimble.types import Json

_Values = dict[str, tuple[tuple[str, ...], bool]]
"""As from `required_values`."""


def with_required_headers(operations: Iterable[Operation], routed: Sequence[RoutedOperation]) -> tuple[Operation, ...]:
    """Returns the operations, each with the headers that its routes require and that it does not have yet."""
    required = {
        (one.method, path_shape(one.template.path)): values for one in routed if (values := required_values(one.routes))
    }
    return tuple(_with_headers(one, required) for one in operations) if required else tuple(operations)


def told_headers(before: Iterable[Operation], after: Iterable[Operation]) -> list[str]:
    """Returns what is worth telling of the headers that operations have been given: a line per header."""
    counts: Counter[str] = Counter()
    values: dict[str, dict[Json, None]] = {}
    for old, new in zip(before, after, strict=True):
        for given in new.inputs[len(old.inputs) :]:
            gene = given.template.gene if isinstance(given.template, OptionalGene) else given.template
            if isinstance(gene, EnumGene):
                counts[given.name] += 1
                values.setdefault(given.name, {}).update(dict.fromkeys(gene.options))
    return [
        f"{_operations(count)} the header {name} ({' or '.join(map(str, values[name]))}), which the document does not "
        "name"
        for name, count in counts.items()
    ]


def _operations(count: int) -> str:
    return "1 operation looks for" if count == 1 else f"{count} operations look for"


def _with_headers(operation: Operation, required: dict[tuple[str, str], _Values]) -> Operation:
    binding = binding_of(operation)
    values = required.get((binding.method, path_shape(binding.path)), {})
    declared = {given.name.lower() for given in binding.inputs if given.location == "header"}
    added = [
        _header(name, EnumGene(wanted), is_required=is_required)
        for name, (wanted, is_required) in values.items()
        if name.lower() not in declared
    ]
    return _with_inputs(operation, binding, added) if added else operation


def _header(name: str, gene: Gene, *, is_required: bool) -> HttpInput:
    return HttpInput(
        name=name, location="header", template=gene if is_required else OptionalGene(gene), required=is_required
    )


def _with_inputs(operation: Operation, binding: HttpBinding, added: Sequence[HttpInput]) -> Operation:
    # After the declared ones, so that the positions of these stay as they are.
    new = msgspec.structs.replace(binding, inputs=(*binding.inputs, *added))
    return msgspec.structs.replace(operation, binding=new, inputs=inputs_of(new))
