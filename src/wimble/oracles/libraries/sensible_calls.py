"""Calls that users may make. In other calls, an error of the engine is no fault.

Users may call the function, and each argument has a type that its parameter takes, by its declaration or by what the
function did with it, down to members and elements. Of a parameter of which nothing is known, only texts are sensible.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wimble.library.argument_fit import PLAUSIBLE_INSIDE, UNDEFINED, has_unknown_object, iter_numbers, type_of
from wimble.library.argument_shape import Shape
from wimble.library.function_binding import FunctionBinding, Parameter
from wimble.library.invocation import FunctionExchange
from wimble.oracles.libraries.engine_messages import (
    LACKING,
    MISMATCH,
    NO_ELEMENT,
    NO_FUNCTION,
    NO_METHOD,
    NOT_EXTENSIBLE,
    OF_TEXTS,
)
from wimble.oracles.libraries.given_arguments import fits_signature, is_taken, pairs_of
from wimble.types import Json


def is_sensible(binding: FunctionBinding, exchange: FunctionExchange) -> bool:
    """Whether users may make the call, and each argument has a type that its parameter takes, as far as known."""
    if binding.is_internal or _has_marks(exchange.invocation.values()):
        return False
    pairs = pairs_of(binding, exchange.invocation)
    message = exchange.thrown.message if exchange.thrown is not None else ""
    if NO_FUNCTION.match(message):
        return False
    if _is_out_of_range(message, exchange.invocation.values()):
        return False
    # A class that is called as a function sets members of what it is called on: of the exports.
    if binding.kind == "function" and NOT_EXTENSIBLE.match(message):
        return False
    # Only a declaration, or a look at the function, tells what `(...args) => other(...args)` takes.
    if not exchange.invocation.arguments and _takes_only_unknown(binding) and LACKING.search(message):
        return False
    if _wants_another_type(message, pairs) or _wants_unknown_members(message, pairs):
        return False
    if not fits_signature(binding, exchange.invocation):
        return False
    return all(is_taken(parameter, value) for parameter, value in pairs)


def has_to_return(binding: FunctionBinding, exchange: FunctionExchange) -> bool:
    """Whether users may make a call that should come to its end: like `is_sensible`, but a number is sensible as well
    where nothing is known of a parameter, for a function may count to it."""
    invocation = exchange.invocation
    if binding.is_internal or _has_marks(invocation.values()):
        return False
    if not fits_signature(binding, invocation):
        return False
    return all(
        is_taken(parameter, value) or (_is_unknown(parameter) and type_of(value) in PLAUSIBLE_INSIDE)
        for parameter, value in pairs_of(binding, invocation)
    )


def _is_out_of_range(message: str, given: Sequence[Json]) -> bool:
    """Whether the call gives an index within what an index before it has not found: `matrix.get(9, 2)` of two rows."""
    found = NO_ELEMENT.match(message)
    if found is None:
        return False
    numbers = list(iter_numbers(given))
    return len(numbers) > 1 and float(found["index"]) in numbers


def _is_unknown(parameter: Parameter | None) -> bool:
    return parameter is None or not (parameter.shape.kinds or parameter.is_no_text)


def _wants_another_type(message: str, pairs: Sequence[tuple[Parameter | None, Json]]) -> bool:
    """Whether the error says that an argument has another type than the function wants, where that is not known."""
    given = [parameter for parameter, value in pairs if value != UNDEFINED]
    is_mismatch = MISMATCH.search(message) is not None
    # Of a text where nothing is known, this says that it was no text that the function wanted.
    if is_mismatch and any(one is None or not _is_known(one.shape) for one in given):
        return True
    if (is_mismatch or OF_TEXTS.search(message)) and any(one is not None and _may_be_text(one) for one in given):
        return True
    lacking = NO_METHOD.match(message)
    return lacking is not None and any(_is_guessed(one, value, lacking["value"]) for one, value in pairs)


def _wants_unknown_members(message: str, pairs: Sequence[tuple[Parameter | None, Json]]) -> bool:
    """Whether an object lacks a member. Which ones such an object needs, only the documentation says, if anything."""
    objects = (one is not None and has_unknown_object(one.shape, value) for one, value in pairs)
    return LACKING.search(message) is not None and any(objects)


def _takes_only_unknown(binding: FunctionBinding) -> bool:
    """Whether all that is known of a function's arguments is that there may be any number of them."""
    return len(binding.parameters) == 1 and binding.parameters[0].is_rest and not binding.parameters[0].is_declared


def _has_marks(values: Iterable[Json]) -> bool:
    """Whether an object has a member by which libraries know objects of their own: `__isYupRef`."""
    for value in values:
        if isinstance(value, list) and _has_marks(value):
            return True
        if isinstance(value, dict) and (any(name.startswith("__") for name in value) or _has_marks(value.values())):
            return True
    return False


def is_misfit(binding: FunctionBinding, exchange: FunctionExchange) -> bool:
    """Whether an argument has another type than the one that somebody has declared for its parameter."""
    pairs = pairs_of(binding, exchange.invocation)
    return any(one is not None and one.is_declared and not is_taken(one, value) for one, value in pairs)


def _is_known(shape: Shape) -> bool:
    """Whether something is known of the values that a parameter takes, down to members and elements."""
    inner = [*shape.members.values(), *shape.places, *(one for one in (shape.items, shape.others) if one is not None)]
    return bool(shape.kinds) and all(map(_is_known, inner))


def _may_be_text(parameter: Parameter) -> bool:
    """Whether a run has left open whether an argument is a text or something else."""
    return "string" in parameter.shape.kinds and len(parameter.shape.kinds) > 1 and not parameter.is_declared


def _is_guessed(parameter: Parameter | None, value: Json, name: str) -> bool:
    """Whether the value is an object for a parameter of this name, of which only a run has told something."""
    is_named = parameter is not None and parameter.name == name and not parameter.is_declared
    return is_named and type_of(value) == "object"
