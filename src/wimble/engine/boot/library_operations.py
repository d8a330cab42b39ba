"""Makes operations of what a library exports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from wimble.agent.library_messages import FunctionMessage, LibraryMessage, ParameterMessage
from wimble.library.argument_genes import guessed, parameter_of
from wimble.library.argument_shape import ANYTHING, Shape
from wimble.library.example_calls import NOTHING_SHOWN, Documentation, ExampleCall, examples_of, texts_of, values_for
from wimble.library.function_binding import FunctionBinding, MethodParameters, Parameter, function_operation
from wimble.model.operation import Operation
from wimble.types import Json

MAX_EXTRA = 2
"""Number of parameters that are added to a function that reads `arguments`."""

MAX_STEP_METHODS = 60
"""Of one object."""

Signatures = Mapping[str, Sequence[Shape]]
"""Name of an operation -> the shapes of its parameters, in order."""
Results = Mapping[str, Sequence[FunctionMessage]]
"""Name of an operation -> the methods of what it returns."""


class KnownArguments(NamedTuple):
    """What is known of the arguments of all operations."""

    declared: Signatures
    observed: Signatures
    documentation: Documentation
    texts: Sequence[str]
    """Texts that the documentation shows."""


def operations_of(
    exported: LibraryMessage,
    package: str,
    declared: Signatures,
    observed: Signatures,
    documentation: Documentation = NOTHING_SHOWN,
    *,
    results: Results = MappingProxyType({}),
) -> tuple[Operation, ...]:
    """Returns the operations of a library.

    declared, observed: shapes of arguments by name of the operation.
    results: methods of the objects that operations return.
    """
    operations: list[Operation] = []
    examples = documentation.calls
    arguments = KnownArguments(declared, observed, documentation, texts_of(documentation))
    classes = {one.path for one in exported.operations if one.kind == "constructor"}
    made: list[tuple[str, FunctionBinding]] = []
    for index, function in enumerate(exported.operations):
        plain = ".".join(function.path) or package
        # A function that is called with `new` or without it may be declared once.
        maker = plain if plain in declared and f"new {plain}" not in declared else f"new {plain}"
        shown = examples_of(function.kind, function.path, function.method, examples)
        is_method = function.kind == "method"
        made_by = examples_of("constructor", function.path, "", examples) if is_method else ()
        binding = FunctionBinding(
            index=index,
            package=package,
            kind=function.kind,
            path=function.path,
            method=function.method,
            is_class=function.kind == "function" and function.path in classes,
            parameters=_parameters(function.name, function.parameters, function, arguments, shown),
            # A function that is declared has parameters of its own, and no object.
            receiver=_parameters(maker, function.receiver, None, arguments, made_by) if is_method else (),
            is_module=exported.is_module,
            examples=shown,
            made_by=made_by,
        )
        made.append((function.name, binding))
        if function.kind == "function":
            made += _of_results(binding, results.get(function.name, ()), arguments, examples)
    for name, binding in _with_steps(made):
        operations.append(function_operation(binding, _unique(name, operations)))
    return tuple(operations)


def _of_results(
    maker: FunctionBinding,
    methods: Sequence[FunctionMessage],
    arguments: KnownArguments,
    examples: Sequence[ExampleCall],
) -> Iterator[tuple[str, FunctionBinding]]:
    """Yields operations for the methods of what a function returns, or for the function that it returns."""
    for method in methods:
        shown = examples_of("method", (), method.method, examples) if method.method else ()
        binding = msgspec.structs.replace(
            maker,
            kind="method",
            method=method.method,
            parameters=_parameters(method.name, method.parameters, method, arguments, shown),
            receiver=maker.parameters,
            is_of_result=True,
            examples=shown,
            made_by=maker.examples,
        )
        yield method.name, binding


def _with_steps(made: Sequence[tuple[str, FunctionBinding]]) -> Iterator[tuple[str, FunctionBinding]]:
    """Yields the operations, methods with all methods of their objects as steps before them."""
    methods: dict[tuple[bool, tuple[str, ...]], list[MethodParameters]] = {}
    for _, binding in made:
        if binding.kind == "method":
            known = methods.setdefault((binding.is_of_result, binding.path), [])
            known.append(MethodParameters(name=binding.method, parameters=binding.parameters))
    for name, binding in made:
        steps = methods[binding.is_of_result, binding.path] if binding.kind == "method" else []
        yield name, msgspec.structs.replace(binding, steps=tuple(steps[:MAX_STEP_METHODS]))


def _unique(name: str, operations: Sequence[Operation]) -> str:
    known = {operation.id for operation in operations}
    return name if name not in known else next(f"{name} ({n})" for n in range(2, 999) if f"{name} ({n})" not in known)


def _parameters(
    name: str,
    declared_in_text: Sequence[ParameterMessage],
    function: FunctionMessage | None,
    arguments: KnownArguments,
    examples: Sequence[Sequence[Json]],
) -> tuple[Parameter, ...]:
    declared, observed, documentation, texts = arguments
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
        values = [*(one[index] for one in examples if len(one) > index), *values_for(shape, documentation)]
        is_rest = text is not None and text.is_rest
        parameters.append(
            parameter_of(
                name_of_it,
                shape,
                is_guess=is_guess,
                is_rest=is_rest,
                # Of functions without declarations only the first argument is sure to be needed.
                is_needed=not (shape.is_optional or is_rest) and (index == 0 or not is_guess),
                examples=values,
                texts=texts,
            )
        )
    return tuple(parameters)


def _with_members(shape: Shape, seen: Shape) -> Shape:
    """Returns a declared shape with members that were read of it, if the declaration names none."""
    if shape.members or "object" not in shape.kinds or not seen.members:
        return shape
    return msgspec.structs.replace(shape, members=seen.members)
