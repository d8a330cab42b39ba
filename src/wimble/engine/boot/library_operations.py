"""Makes operations of what a library exports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from wimble.agent.protocol.library_messages import FunctionMessage, LibraryMessage
from wimble.engine.boot.alike_parameters import kinds_by_name, shapes_by_name, with_more_members
from wimble.engine.boot.declared_classes import NO_CLASSES, DeclaredClasses, InternalNames
from wimble.engine.boot.library_parameters import (
    MAX_STEP_METHODS,
    KnownArguments,
    Signatures,
    makers_of,
    needs_object,
    parameters_of,
    receiver_of,
)
from wimble.library.argument_literals import DEFAULT, written_name
from wimble.library.example_calls import NOTHING_SHOWN, Documentation, examples_of, texts_of
from wimble.library.function_binding import (
    END,
    LATER_ITEMS,
    WRITE,
    FunctionBinding,
    MethodParameters,
    Parameter,
    function_operation,
)
from wimble.library.made_objects import NEW
from wimble.model.operation import Operation

Results = Mapping[str, Sequence[FunctionMessage]]
"""Name of an operation -> the methods of what it returns."""


def operations_of(
    exported: LibraryMessage,
    package: str,
    declared: Signatures,
    observed: Signatures,
    documentation: Documentation = NOTHING_SHOWN,
    *,
    results: Results = MappingProxyType({}),
    only_methods: frozenset[str] = frozenset(),
    changing: frozenset[str] = frozenset(),
    later: frozenset[str] = frozenset(),
    classes: DeclaredClasses = NO_CLASSES,
) -> tuple[Operation, ...]:
    """Returns the operations of a library.

    declared, observed: shapes of arguments by name of the operation.
    results: methods of the objects that operations return.
    only_methods: exported functions that are among these, and not called by themselves.
    changing: names of methods that were seen to change their object.
    later: names of methods that returned promises, which are not called on an argument before it is passed.
    """
    functions = [*exported.operations, *(one for methods in results.values() for one in methods)]
    # Of the overloads that the runtime declares, the first one is known: `end(callback)`.
    declared = {name: shapes for name, shapes in declared.items() if name not in set(_ends_of_streams(functions))}
    arguments = KnownArguments(declared, with_more_members(observed), documentation, texts_of(documentation))
    arguments = arguments._replace(
        changing=changing,
        by_name=shapes_by_name(functions, arguments.observed),
        kinds_by_name=kinds_by_name(functions, declared, arguments.observed),
    )
    called = [one for one in exported.operations if one.name not in later]
    methods = _methods_of_makers(called, package, results, classes)
    arguments = arguments._replace(makers=makers_of(exported.operations, package, arguments, methods, exported.values))
    known = KnownLibrary(exported, package, arguments, classes, InternalNames(classes))
    made: list[tuple[str, FunctionBinding]] = []
    for index, function in enumerate(exported.operations):
        if function.name in only_methods:
            continue
        if function.kind == "constructor" and known.is_hidden(function) and known.object_of(function) is not None:
            continue
        binding = _binding(index, function, known)
        made.append((function.name, binding))
        if function.kind != "method":
            made += _of_results(binding, results.get(function.name, ()), known)
    made += [one for name, binding in made for one in _of_produced(binding, results.get(name, ()), known, made)]
    operations: list[Operation] = []
    for name, binding in _with_steps(made, changing):
        operations.append(function_operation(binding, _unique(written_name(name, binding), operations)))
    return tuple(operations)


def _ends_of_streams(functions: Sequence[FunctionMessage]) -> Iterator[str]:
    """Yields the names of the methods by which streams are written and ended; the host gives them one parameter."""
    for one in functions:
        if one.method == END and [parameter.name for parameter in one.parameters] == ["chunk"]:
            yield one.name


def _methods_of_makers(
    functions: Sequence[FunctionMessage], package: str, results: Results, classes: DeclaredClasses
) -> dict[str, list[FunctionMessage]]:
    """Returns the methods that users may call on what a constructor or a function makes, by its name."""
    internal = InternalNames(classes)
    found: dict[str, list[FunctionMessage]] = {}
    for one in functions:
        if one.kind == "method" and one.access == "call" and not internal.has(one.name):
            owner = ".".join(one.path) or package
            for maker in (f"{NEW}{owner}", *classes.makers.get(owner, ())):
                found.setdefault(maker, []).append(one)
    for maker, methods in results.items():
        known = [one for one in methods if one.access == "call" and one.method and not internal.has(one.name)]
        found.setdefault(maker, []).extend(known)
    return found


class KnownLibrary(NamedTuple):
    """The parts of which the bindings of a library's operations are made."""

    exported: LibraryMessage
    package: str
    arguments: KnownArguments
    classes: DeclaredClasses
    internal: InternalNames

    def name_of(self, function: FunctionMessage) -> str:
        """Returns the name of a function or of a method's class."""
        return ".".join(function.path) or self.package

    def class_name_of(self, path: tuple[str, ...]) -> str:
        """Returns how users call the class that the library exports there, as a whole or as its default."""
        return next((one.class_name for one in self.exported.operations if one.path == path and one.class_name), "")

    def object_of(self, function: FunctionMessage) -> Parameter | None:
        """Returns the parameter for an object of the class of a method or constructor, if no user may construct it, or
        only with another object of the library, and functions return one.
        """
        name = self.name_of(function)
        makers, new = self.classes.makers.get(name, ()), f"{NEW}{name}"
        others = [one for one in makers if one != new]
        if self.internal.has(new) and others:
            return receiver_of(others, self.arguments.makers)
        is_easier = needs_object(self.arguments.declared.get(new, ())) and bool(others)
        return receiver_of(makers, self.arguments.makers) if self.is_hidden(function) or is_easier else None

    def is_hidden(self, function: FunctionMessage) -> bool:
        """Whether no user may construct the class of a method or constructor."""
        return f"{NEW}{self.name_of(function)}" in self.classes.hidden


def _binding(index: int, function: FunctionMessage, known: KnownLibrary) -> FunctionBinding:
    arguments, plain = known.arguments, known.name_of(function)
    # A function that is called with `new` or without it may be declared once.
    is_declared_once = plain in arguments.declared and f"{NEW}{plain}" not in arguments.declared
    maker = plain if is_declared_once else f"{NEW}{plain}"
    shown_calls, class_name = arguments.documentation.calls, known.class_name_of(function.path)
    shown = examples_of(function.kind, function.path, function.method, shown_calls, class_name)
    is_method = function.kind == "method"
    made = known.object_of(function) if is_method else None
    made_by = (
        examples_of("constructor", function.path, "", shown_calls, class_name) if is_method and made is None else ()
    )
    receiver: tuple[Parameter, ...] = ()
    if is_method:
        # A function that is declared has parameters of its own, and no object.
        receiver = (
            (made,) if made else parameters_of(maker, function.receiver, None, arguments, made_by, makes_object=True)
        )
    return FunctionBinding(
        index=index,
        package=known.package,
        kind=function.kind,
        path=function.path,
        method=function.method,
        access=function.access,
        is_class=function.kind == "function" and _is_constructed(function.path, known.exported),
        parameters=parameters_of(function.name, function.parameters, function, arguments, shown),
        overloads=tuple(known.classes.overloads.get(function.name, ())),
        receiver=receiver,
        receiver_overloads=tuple(known.classes.overloads.get(maker, ())) if is_method and made is None else (),
        is_made=made is not None,
        is_internal=known.internal.has(function.name) or (is_method and made is None and known.internal.has(maker)),
        may_exit=arguments.documentation.tells_exit,
        is_module=known.exported.is_module,
        whole_name=known.class_name_of(()),
        default_name=known.class_name_of((DEFAULT,)),
        examples=shown,
        made_by=made_by,
        makers={name: one.parameters for name, one in arguments.makers.items()},
        calls_on_made={
            (name, method.name): method.parameters for name, one in arguments.makers.items() for method in one.methods
        },
    )


def _is_constructed(path: tuple[str, ...], exported: LibraryMessage) -> bool:
    return any(one.kind == "constructor" and one.path == path for one in exported.operations)


def _of_results(
    maker: FunctionBinding, methods: Sequence[FunctionMessage], known: KnownLibrary
) -> Iterator[tuple[str, FunctionBinding]]:
    """Yields operations for the methods of what a function returns, or for the function that it returns; of a
    constructor, for those that it gives each object."""
    for method in methods:
        shown = examples_of("method", (), method.method, known.arguments.documentation.calls) if method.method else ()
        binding = msgspec.structs.replace(
            maker,
            kind="method",
            method=method.method,
            access=method.access,
            parameters=parameters_of(method.name, method.parameters, method, known.arguments, shown),
            overloads=tuple(known.classes.overloads.get(method.name, ())),
            receiver=maker.parameters,
            receiver_overloads=maker.overloads,
            is_of_result=maker.kind == "function",
            is_of_object=maker.kind == "constructor",
            is_internal=maker.is_internal
            or known.internal.has(method.name)
            or (method.access == "call" and method.name in known.classes.data),
            examples=shown,
            made_by=maker.examples,
        )
        yield method.name, binding


def _of_produced(
    producer: FunctionBinding,
    methods: Sequence[FunctionMessage],
    known: KnownLibrary,
    made: Sequence[tuple[str, FunctionBinding]],
) -> Iterator[tuple[str, FunctionBinding]]:
    """Yields operations for the methods of what a method returns.

    made: all others, with the constructor of the producer's class.
    """
    if producer.kind != "method" or producer.access != "call" or producer.is_made:
        return
    constructors = (one for _, one in made if one.kind == "constructor" and one.path == producer.path)
    maker = producer if producer.is_of_result or producer.is_of_object else next(constructors, None)
    if maker is None:
        return
    by_name = {one.method: parameters_of(one.name, one.parameters, one, known.arguments, ()) for one in methods}
    siblings = tuple(
        MethodParameters(name=one.method, parameters=by_name[one.method]) for one in methods if one.access == "call"
    )
    for method in methods:
        binding = msgspec.structs.replace(
            producer,
            index=maker.index,
            method=method.method,
            access=method.access,
            parameters=by_name[method.method],
            overloads=(),
            is_of_object=not producer.is_of_result,
            is_internal=producer.is_internal or known.internal.has(method.name),
            examples=(),
            producer=MethodParameters(name=producer.method, parameters=producer.parameters),
            siblings=siblings,
        )
        yield method.name, binding


def _with_steps(
    made: Sequence[tuple[str, FunctionBinding]], changing: frozenset[str]
) -> Iterator[tuple[str, FunctionBinding]]:
    """Yields the operations, methods with all methods of their objects as steps before them."""
    methods: dict[tuple[bool, tuple[str, ...]], list[MethodParameters]] = {}
    for name, binding in made:
        if binding.kind == "method" and binding.access == "call" and binding.producer is None:
            known = methods.setdefault((binding.is_of_result, binding.path), [])
            one = MethodParameters(name=binding.method, parameters=binding.parameters, changes=name in changing)
            known.append(one)
    for name, binding in made:
        steps = methods.get((binding.is_of_result, binding.path), []) if binding.kind == "method" else []
        end = next((one for one in steps if one.name == END), None) if binding.method == LATER_ITEMS else None
        # Who reads a stream has written to it before, and ended that.
        known = steps[:MAX_STEP_METHODS] if end is None else [msgspec.structs.replace(end, name=WRITE), end]
        yield name, msgspec.structs.replace(binding, steps=tuple(known), is_stream=end is not None)


def _unique(name: str, operations: Sequence[Operation]) -> str:
    known = {operation.id for operation in operations}
    return name if name not in known else next(f"{name} ({n})" for n in range(2, 999) if f"{name} ({n})" not in known)
