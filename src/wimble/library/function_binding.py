"""The binding of operations to functions that a library exports."""

from __future__ import annotations

from typing import Literal

import msgspec

from wimble.genes.gene import Gene
from wimble.library.argument_shape import ANYTHING, Shape
from wimble.model.operation import Binding, Input, Operation
from wimble.types import Json, OperationId

FunctionKind = Literal["function", "constructor", "method"]


class Parameter(msgspec.Struct, frozen=True, kw_only=True):
    """A parameter of a function. `template` is the gene of its argument, ABSENT if a call may leave it out."""

    name: str
    template: Gene
    shape: Shape = ANYTHING
    """What is known about its argument, apart from guesses."""
    is_rest: bool = False


class FunctionBinding(Binding, frozen=True, kw_only=True):
    """The function side of one operation. The operation's inputs are those of `receiver`, then of `parameters`."""

    index: int
    """Its place in the list of the library's host."""
    package: str
    """As a program imports it."""
    kind: FunctionKind
    path: tuple[str, ...]
    """Names that lead from what the package exports to the function, or to the class of the method."""
    method: str = ""
    parameters: tuple[Parameter, ...] = ()
    receiver: tuple[Parameter, ...] = ()
    """For a method: parameters of the constructor of its object."""
    is_module: bool = False
    """Whether the package can only be imported as an ES module."""
    examples: tuple[tuple[Json, ...], ...] = ()
    """Arguments of calls in the package's documentation."""
    made_by: tuple[tuple[Json, ...], ...] = ()
    """The same, for the constructor of a method's object."""


def function_operation(binding: FunctionBinding, name: str) -> Operation:
    """Returns the operation that calls the function of the binding."""
    group = ".".join(binding.path)
    given = [*(("receiver", one) for one in binding.receiver), *(("argument", one) for one in binding.parameters)]
    return Operation(
        id=OperationId(name),
        binding=binding,
        inputs=tuple(Input(name=one.name, template=one.template, required=False, sent_in=part) for part, one in given),
        is_safe=True,
        group=group,
        action=binding.method or (binding.path[-1] if binding.path else binding.package),
    )


def function_of(operation: Operation) -> FunctionBinding:
    """Returns the operation's function. Raises TypeError if it has another kind of binding."""
    binding = operation.binding
    if not isinstance(binding, FunctionBinding):
        raise TypeError(f"not a function of a library: {operation.id}")
    return binding
