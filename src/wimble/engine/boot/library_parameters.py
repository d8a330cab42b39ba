"""What is known of the arguments of a library's functions, and the parameters that follow from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

import msgspec

from wimble.agent.protocol.library_messages import FunctionMessage, ParameterMessage
from wimble.genes import ArrayGene, OptionalGene
from wimble.library.argument_fit import type_of
from wimble.library.argument_genes import NO_MAKERS, Makers, gene_of, guessed, parameter_of
from wimble.library.argument_shape import ANYTHING, Shape
from wimble.library.example_calls import Documentation, examples_of, values_for
from wimble.library.function_binding import MethodParameters, Parameter, template_in_place
from wimble.library.made_objects import NEW, VALUE, Maker, path_of
from wimble.types import Json

MAX_EXTRA: Final = 2
"""Number of parameters that are added to a function that reads `arguments`."""
MAX_STEP_METHODS: Final = 60
"""Maximum number of methods of one object that are called on it before another call."""
MAX_NESTED: Final = 3
"""Objects of the library within the arguments of what makes others: `createMachine({ a: state(transition('b')) })`."""
LEAST_SHARED: Final = 0.5
"""Share of the members that a function reads of an argument that are methods of a class, from which on the argument is
likely one of its objects."""
KEYS: Final = ("a", "b", "c")
"""Texts for what refers to what an earlier call has put into an object: its nodes, keys and names."""
_SAYS_NOTHING: Final = frozenset({"undefined", "null"})
"""Types that any parameter may be given."""

Signatures = Mapping[str, Sequence[Shape]]
"""Name of an operation -> the shapes of its parameters, in order."""


class KnownArguments(NamedTuple):
    """What is known of the arguments of all operations."""

    declared: Signatures
    observed: Signatures
    documentation: Documentation
    texts: Sequence[str]
    """Texts that the documentation shows."""
    makers: Makers = NO_MAKERS
    changing: frozenset[str] = frozenset()
    """Names of methods that were seen to change their object."""
    by_name: Mapping[str, Shape] = MappingProxyType({})
    """What was seen of parameters, by their names."""
    kinds_by_name: Mapping[str, frozenset[str]] = MappingProxyType({})
    """Types that parameters take, by their names."""

    def has_changing(self, method: str) -> bool:
        """Whether a method belongs to a class whose objects change."""
        owner, sign, _ = method.rpartition("#")
        return bool(sign) and any(one.startswith(f"{owner}#") for one in self.changing)


def makers_of(
    functions: Sequence[FunctionMessage],
    package: str,
    arguments: KnownArguments,
    methods: Mapping[str, Sequence[FunctionMessage]],
    values: Sequence[str] = (),
) -> Makers:
    """Returns what makes objects for arguments, by name: first those that need no such object themselves.

    values: names of exported objects. methods: those of the objects, by the name of what makes them.
    """
    able = [one for one in functions if one.kind != "method" and path_of(one.name, package) is not None]
    simple = {
        one.name: _maker(one, arguments) for one in able if not needs_object(arguments.declared.get(one.name, ()))
    }
    simple |= {one: Maker(one, ()) for one in values if path_of(one, package) is not None}
    makers: Makers = simple
    # Only these: a class whose constructor also takes its own objects would have as many options as its power.
    taking = [
        one for one in able if one.name not in simple or any(map(may_hold_data, arguments.declared.get(one.name, ())))
    ]
    for _ in range(MAX_NESTED if taking else 0):
        known = arguments._replace(makers=makers)
        makers = {**makers, **{one.name: _maker(one, known) for one in taking}}
    known = arguments._replace(makers=makers)
    return {name: one._replace(methods=_called_on(methods.get(name, ()), known)) for name, one in makers.items()}


def _called_on(methods: Sequence[FunctionMessage], arguments: KnownArguments) -> tuple[MethodParameters, ...]:
    """Returns the methods that may be called on an object before it is an argument."""
    return tuple(
        MethodParameters(
            name=one.method,
            parameters=tuple(map(_single, method_parameters(one, arguments))),
            changes=one.name in arguments.changing,
        )
        for one in methods[:MAX_STEP_METHODS]
    )


def method_parameters(method: FunctionMessage, arguments: KnownArguments) -> tuple[Parameter, ...]:
    shown = examples_of("method", method.path, method.method, arguments.documentation.calls) if method.method else ()
    return parameters_of(method.name, method.parameters, method, arguments, shown)


def _single(parameter: Parameter) -> Parameter:
    """Returns a parameter for one argument, where a rest parameter would take any number."""
    template = parameter.template
    if not (parameter.is_rest and isinstance(template, OptionalGene) and isinstance(template.gene, ArrayGene)):
        return parameter
    element = OptionalGene(template.gene.element, True)
    return msgspec.structs.replace(parameter, template=element, is_rest=False)


def needs_object(shapes: Sequence[Shape]) -> bool:
    """Whether one of these parameters takes an object of the library's classes only."""
    return any(shape.kinds == ("instance",) and not shape.is_optional for shape in shapes)


def may_hold_data(shape: Shape) -> bool:
    """Whether a parameter may take data that functions of the library return, or something that holds some."""
    inner = [*shape.members.values(), *shape.places, *shape.choices]
    return {"instance", "object"} <= set(shape.kinds) or any(
        may_hold_data(one) for one in (*inner, shape.items, shape.others) if one is not None
    )


def _maker(function: FunctionMessage, arguments: KnownArguments) -> Maker:
    shown = examples_of(function.kind, function.path, "", arguments.documentation.calls)
    parameters = parameters_of(function.name, function.parameters, function, arguments, shown, makes_object=True)
    given = tuple(one for one in parameters if not one.is_rest)
    return Maker(function.name, tuple(map(template_in_place, given)), given)


def receiver_of(makers: Sequence[str], known: Makers) -> Parameter | None:
    """Returns the parameter for the object of a method, if functions make such objects."""
    shape = Shape(kinds=("instance",), makers=tuple(name for name in makers if name in known))
    # Calls on it are the steps of the operation.
    plain = {name: one._replace(methods=()) for name, one in known.items()}
    return Parameter(name="object", template=gene_of(shape, plain), shape=shape) if shape.makers else None


def parameters_of(
    name: str,
    declared_in_text: Sequence[ParameterMessage],
    function: FunctionMessage | None,
    arguments: KnownArguments,
    examples: Sequence[Sequence[Json]],
    *,
    makes_object: bool = False,
) -> tuple[Parameter, ...]:
    """Returns the parameters of a function. makes_object: whether the call makes an object for another one."""
    documentation, makers = arguments.documentation, arguments.makers
    by_type, by_run = arguments.declared.get(name, ()), arguments.observed.get(name, ())
    n_extra = MAX_EXTRA if function is not None and function.reads_arguments else 0
    count = max(len(declared_in_text) + (n_extra if not by_type else 0), len(by_type))
    parameters = []
    likely = [() if index < len(by_type) else _used_as(shape, makers) for index, shape in enumerate(by_run)]
    has_keys = any(likely) or arguments.has_changing(name)
    for index in range(count):
        text = declared_in_text[index] if index < len(declared_in_text) else None
        typed = by_type[index] if index < len(by_type) else ANYTHING
        seen = by_run[index] if index < len(by_run) else ANYTHING
        shape = _with_members(typed, seen) if typed.kinds else seen
        is_guess = not shape.kinds
        objects = likely[index] if index < len(likely) else ()
        if is_guess and text is not None:
            shape = guessed(text.name, text.initial, text.members)
            shape = shape if shape.kinds else arguments.by_name.get(text.name, shape)
        if text is not None and text.is_optional:
            shape = msgspec.structs.replace(shape, is_optional=True)
        # `(...args) => other(...args)` and `(...[first]) => first` take what a declaration names, one by one: an
        # argument that has to be there is none of any number.
        is_needed = bool(typed.kinds) and not typed.is_optional
        is_rest = text is not None and text.is_rest and index == count - 1 and not is_needed
        is_named = text is not None and (is_rest or not text.is_rest)
        name_of_it = text.name if text is not None and is_named else f"arg{index + 1}"
        shown = [one[index] for one in examples if len(one) > index]
        others = arguments.kinds_by_name.get(text.name, frozenset[str]()) if text is not None else frozenset[str]()
        parameters.append(
            parameter_of(
                name_of_it,
                shape,
                is_guess=is_guess,
                is_rest=is_rest,
                # Of functions without declarations only the first argument is sure to be needed.
                is_needed=bool(objects) or (not (shape.is_optional or is_rest) and (index == 0 or not is_guess)),
                examples=[*shown, *values_for(shape, documentation)],
                texts=arguments.texts,
                usual=documentation.usual,
                keys=KEYS if has_keys else (),
                makers=makers,
                classes=() if typed.kinds else objects or _classes_for(shape, makers),
                is_object=bool(objects),
                is_declared=bool(typed.kinds),
                is_no_text=_is_no_text(shown, others, documentation),
                makes_object=makes_object,
            )
        )
    return tuple(parameters)


def _is_no_text(shown: Sequence[Json], others: frozenset[str], documentation: Documentation) -> bool:
    """Whether uses of a parameter speak against a text: calls that the documentation shows, or else other functions
    with a parameter of this name.

    shown: arguments of the calls. Data that stand for a variable without a value do not count. others: types that the
    other functions take.
    """
    kinds = {type_of(one) for one in shown if one not in documentation.values} or others
    return bool(kinds - _SAYS_NOTHING) and "string" not in kinds


def _used_as(shape: Shape, makers: Makers) -> Sequence[str]:
    """Returns what makes objects that have the members that a function has read of an undeclared argument."""
    if not shape.members or not set(shape.kinds) <= {"object"}:
        return ()
    names = shape.members.keys()
    methods = {name: {method.name for method in one.methods} for name, one in makers.items()}
    return [name for name, known in methods.items() if len(known & names) >= max(1, LEAST_SHARED * len(names))]


def _classes_for(shape: Shape, makers: Makers) -> Sequence[str]:
    """Returns what makes objects that an undeclared argument may be: programs in JavaScript pass them as `other`."""
    is_open = not shape.kinds or "object" in shape.kinds
    classes = (name for name in makers if name.startswith((NEW, VALUE)) and not name.endswith("Error"))
    return list(classes) if is_open else ()


def _with_members(shape: Shape, seen: Shape) -> Shape:
    """Returns a declared shape with members that were read of it, if the declaration names none; of an array, with the
    elements that were read one by one: `token: string[]` does not say how many there have to be."""
    if "array" in shape.kinds and not shape.places:
        read = frozenset(name for name in seen.needed if name.isdigit())
        shape = msgspec.structs.replace(shape, needed=shape.needed | read)
    if shape.members or "object" not in shape.kinds or not seen.members:
        return shape
    return msgspec.structs.replace(shape, members=seen.members)
