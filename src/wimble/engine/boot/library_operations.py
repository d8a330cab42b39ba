"""Makes operations of what a library exports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from wimble.agent.messages import FunctionMessage, LibraryMessage, ParameterMessage
from wimble.library.argument_genes import guessed, parameter_of
from wimble.library.argument_shape import ANYTHING, Shape
from wimble.library.example_calls import ExampleCall, examples_of
from wimble.library.function_binding import FunctionBinding, Parameter, function_operation
from wimble.model.operation import Operation
from wimble.types import Json

MAX_EXTRA = 2
"""Number of parameters that are added to a function that reads `arguments`."""

Signatures = Mapping[str, Sequence[Shape]]
"""Name of an operation -> the shapes of its parameters, in order."""


def operations_of(
    exported: LibraryMessage,
    package: str,
    declared: Signatures,
    observed: Signatures,
    examples: Sequence[ExampleCall] = (),
) -> tuple[Operation, ...]:
    """Returns the operations of a library.

    declared, observed: shapes of arguments by name of the operation. examples: calls in the documentation.
    """
    operations: list[Operation] = []
    for index, function in enumerate(exported.operations):
        maker = f"new {'.'.join(function.path) or package}"
        shown = examples_of(function.kind, function.path, function.method, examples)
        made_by = examples_of("constructor", function.path, "", examples) if function.kind == "method" else ()
        shapes = (declared, observed)
        binding = FunctionBinding(
            index=index,
            package=package,
            kind=function.kind,
            path=function.path,
            method=function.method,
            parameters=_parameters(function.name, function.parameters, function, shapes, shown),
            receiver=_parameters(maker, function.receiver, None, shapes, made_by),
            is_module=exported.is_module,
            examples=shown,
            made_by=made_by,
        )
        operations.append(function_operation(binding, _unique(function.name, operations)))
    return tuple(operations)


def _unique(name: str, operations: Sequence[Operation]) -> str:
    known = {operation.id for operation in operations}
    return name if name not in known else next(f"{name} ({n})" for n in range(2, 999) if f"{name} ({n})" not in known)


def _parameters(
    name: str,
    declared_in_text: Sequence[ParameterMessage],
    function: FunctionMessage | None,
    shapes: tuple[Signatures, Signatures],
    examples: Sequence[Sequence[Json]],
) -> tuple[Parameter, ...]:
    declared, observed = shapes
    by_type, by_run = declared.get(name, ()), observed.get(name, ())
    n_extra = MAX_EXTRA if function is not None and function.reads_arguments else 0
    count = max(len(declared_in_text) + (n_extra if not by_type else 0), len(by_type))
    parameters = []
    for index in range(count):
        text = declared_in_text[index] if index < len(declared_in_text) else None
        typed = by_type[index] if index < len(by_type) else ANYTHING
        seen = by_run[index] if index < len(by_run) else ANYTHING
        shape = _with_members(typed, seen) if typed.kinds else seen
        is_guess = not shape.kinds
        if is_guess and text is not None:
            shape = guessed(text.name, text.initial, text.members)
        if text is not None and text.is_optional:
            shape = msgspec.structs.replace(shape, is_optional=True)
        name_of_it = text.name if text is not None else f"arg{index + 1}"
        values = [one[index] for one in examples if len(one) > index]
        is_rest = text is not None and text.is_rest
        parameters.append(parameter_of(name_of_it, shape, is_guess=is_guess, is_rest=is_rest, examples=values))
    return tuple(parameters)


def _with_members(shape: Shape, seen: Shape) -> Shape:
    """Returns a declared shape with members that were read of it, if the declaration names none."""
    if shape.members or "object" not in shape.kinds or not seen.members:
        return shape
    return msgspec.structs.replace(shape, members=seen.members)
