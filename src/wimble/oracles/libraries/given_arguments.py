"""The arguments of a call, each with the parameter that takes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from wimble.library.argument_fit import UNDEFINED, is_fitting
from wimble.library.argument_shape import ANYTHING, Overload
from wimble.library.function_binding import FunctionBinding, Parameter
from wimble.library.invocation import Invocation
from wimble.library.made_objects import iter_calls, iter_made
from wimble.types import Json

LARGE: Final = 1e4
"""Work, or memory, in proportion to a larger number is what the caller has asked for: `pad('a', 183423171)`."""
WRITTEN_UNDEFINED: Final[Json] = {"$undefined": True}
"""`undefined` as an argument that others follow; it is told by its identity."""


def pairs_of(binding: FunctionBinding, invocation: Invocation) -> list[tuple[Parameter | None, Json]]:
    """Returns the values of a call with their parameters, as far as they are known."""
    known = {one.name: one.parameters for one in binding.steps}
    return [
        *_paired(binding.receiver, invocation.receiver or ()),
        *_paired(binding.parameters, invocation.arguments),
        *(pair for one in invocation.steps for pair in _paired(known.get(one.method, ()), one.arguments)),
        *(
            pair
            for name, *given in iter_made(invocation.values())
            for pair in _paired(binding.makers.get(name, ()), tuple(given))
        ),
        *(
            pair
            for maker, (method, *given) in iter_calls(invocation.values())
            for pair in _paired(binding.calls_on_made.get((maker, method), ()), tuple(given))
        ),
    ]


def _paired(parameters: tuple[Parameter, ...], values: tuple[Json, ...]) -> list[tuple[Parameter | None, Json]]:
    pairs: list[tuple[Parameter | None, Json]] = []
    for index, value in enumerate(values):
        last = parameters[-1] if parameters and parameters[-1].is_rest else None
        is_written = value == UNDEFINED and index < len(parameters)
        value = WRITTEN_UNDEFINED if is_written else value
        pairs.append((parameters[index] if index < len(parameters) else last, value))
    # What a call leaves out is undefined.
    left_out = parameters[len(values) :]
    return pairs + [(one, {"$undefined": True}) for one in left_out if not one.is_rest]


def fits_signature(binding: FunctionBinding, invocation: Invocation) -> bool:
    """Whether all arguments of the call itself have types of the same declared signature, if there are several; and so
    for those of what makes its object."""
    given = ((binding.overloads, invocation.arguments), (binding.receiver_overloads, invocation.receiver or ()))
    return all(not overloads or any(_fits(one, values) for one in overloads) for overloads, values in given)


def _fits(signature: Overload, arguments: Sequence[Json]) -> bool:
    shapes = signature.shapes[:-1] if signature.is_rest else signature.shapes
    others = arguments[len(shapes) :]
    if others and not signature.is_rest:
        return False
    given = [*arguments[: len(shapes)], *[UNDEFINED] * (len(shapes) - len(arguments))]
    return all(is_fitting(shape, value) for shape, value in zip(shapes, given, strict=True)) and all(
        is_fitting(signature.shapes[-1], value) for value in others
    )


def is_taken(parameter: Parameter | None, value: Json) -> bool:
    # Overloads let a caller leave out what follows, rather than write `undefined` in front of other arguments.
    if value is WRITTEN_UNDEFINED:
        if parameter is None or (parameter.is_declared and "undefined" in parameter.shape.kinds):
            return True
        return not parameter.is_declared and is_fitting(parameter.shape, UNDEFINED)
    if parameter is not None and parameter.is_no_text and isinstance(value, str):
        return False
    return is_fitting(ANYTHING if parameter is None else parameter.shape, value)
