"""The binding of operations to functions that a library exports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import msgspec

from wimble.genes import ArrayGene, ChoiceGene, EnumGene, Gene, NeededGene, OptionalGene, TupleGene
from wimble.library.argument_shape import ANYTHING, Overload, Shape
from wimble.model.operation import Binding, Input, Operation
from wimble.types import Json, OperationId

FunctionKind = Literal["function", "constructor", "method"]
Access = Literal["call", "read", "items"]
"""How a method is used: a getter is read, and an object that yields something is gone through."""
STEPS: Final = "steps"
"""The name of the input with the calls before the call."""
MAX_STEPS: Final = 6
LATER_ITEMS: Final = "[Symbol.asyncIterator]"
"""The name under which a program waits for what an object yields, such as a stream."""
END: Final = "end"
"""The method that ends what is written to a stream, and may write a last piece."""
WRITE: Final = "write"
MAX_WRITES: Final = 2
"""Pieces that are written to a stream before the last one."""
BEFORE_PRODUCER: Final = (0, 1, 3, 5)
"""Calls on an object before one whose result has the method of an operation."""
CHANGING_PROBABILITY: Final = 0.75
"""Probability that a call before another one, or before its object is passed, is in any case of a method that is known
to change the object."""


class Parameter(msgspec.Struct, frozen=True, kw_only=True):
    """A parameter of a function. `template` is the gene of its argument, ABSENT if a call may leave it out."""

    name: str
    template: Gene
    shape: Shape = ANYTHING
    """What is known about its argument, apart from guesses."""
    is_declared: bool = False
    """Whether somebody has declared its type, rather than that a run has shown it."""
    is_no_text: bool = False
    """Whether nothing is known of its shape, but what others pass for it is known, and none of that is a text."""
    is_rest: bool = False


class MethodParameters(msgspec.Struct, frozen=True, kw_only=True):
    """A method that may be called on an object before the call of an operation."""

    name: str
    parameters: tuple[Parameter, ...] = ()
    changes: bool = False
    """Whether a look at the object has shown that the method changes it."""


class FunctionBinding(Binding, frozen=True, kw_only=True):
    """The function side of one operation.

    The operation's inputs are those of `receiver`, then of `parameters`, then one for the steps, if there are any.
    """

    index: int
    """Its place in the list of the library's host."""
    package: str
    """As a program imports it."""
    kind: FunctionKind
    path: tuple[str, ...]
    """Names that lead from what the package exports to the function, or to the class of the method."""
    method: str = ""
    access: Access = "call"
    is_class: bool = False
    """For a function: whether it is called with `new` as well."""
    parameters: tuple[Parameter, ...] = ()
    overloads: tuple[Overload, ...] = ()
    """Its declared signatures, if there are several: `parameters` take what any of them takes there."""
    receiver: tuple[Parameter, ...] = ()
    """For a method: parameters of the constructor, or of the function, that makes its object."""
    receiver_overloads: tuple[Overload, ...] = ()
    """The declared signatures of what makes the object, if there are several."""
    is_made: bool = False
    """For a method: whether its object is an argument (`$made`), the only one of `receiver`."""
    is_internal: bool = False
    """Whether declarations say, or imply, that users may not call it: what happens then is no fault."""
    may_exit: bool = False
    """Whether the documentation says that the library may end the process."""
    is_of_result: bool = False
    """For a method: whether a call of the function at `index` makes its object, which may be a function: then `method`
    is empty."""
    is_of_object: bool = False
    """For a method: whether its class does not have it, but the constructor at `index` gives it to each object."""
    steps: tuple[MethodParameters, ...] = ()
    """For a method: what may be called on its object before."""
    producer: MethodParameters | None = None
    """For a method of what another method returns, such as of an iterator: that one."""
    siblings: tuple[MethodParameters, ...] = ()
    """With it: methods of what that returns, which may be called between the two."""
    is_stream: bool = False
    """Whether it goes through what a stream yields, which has to be written and ended before."""
    is_module: bool = False
    """Whether the package can only be imported as an ES module."""
    whole_name: str = ""
    """How users call what the package exports as a whole, if this is a class: `Decimal` of decimal.js."""
    default_name: str = ""
    """The same, for what it exports as its default."""
    is_default_import: bool = False
    """Whether a program imports the default export, so that `path` begins there."""
    examples: tuple[tuple[Json, ...], ...] = ()
    """Arguments of calls in the package's documentation."""
    makers: Mapping[str, tuple[Parameter, ...]] = {}
    """The parameters of each function that makes objects for arguments (`$made`), by its name."""
    calls_on_made: Mapping[tuple[str, str], tuple[Parameter, ...]] = {}
    """The parameters of methods that are called on these objects (`$used`), by the names of maker and method."""
    made_by: tuple[tuple[Json, ...], ...] = ()
    """The same, for the constructor of a method's object."""

    @property
    def own_name(self) -> str:
        """The name of the function or method alone; empty for what the package itself is."""
        return self.method or "".join(self.path[-1:])


def is_setter(method: str) -> bool:
    """Whether a method is a setter (`size=`), which an assignment calls."""
    return method.endswith("=")


def function_operation(binding: FunctionBinding, name: str) -> Operation:
    """Returns the operation that calls the function of the binding."""
    group = ".".join(binding.path)
    template = _template_of_steps(binding)
    steps = (Input(name=STEPS, template=template, required=False),) if binding.steps else ()
    given = [*(("receiver", one) for one in binding.receiver), *(("argument", one) for one in binding.parameters)]
    return Operation(
        id=OperationId(name),
        binding=binding,
        inputs=(
            *(Input(name=one.name, template=one.template, required=False, sent_in=part) for part, one in given),
            *steps,
        ),
        is_safe=True,
        group=group,
        action=binding.method or (binding.path[-1] if binding.path else binding.package),
    )


def _template_of_steps(binding: FunctionBinding) -> Gene:
    if binding.producer is not None:
        return _produced_gene(binding.steps, binding.producer, binding.siblings)
    return _stream_gene(binding.steps) if binding.is_stream else _steps_gene(binding.steps)


def _produced_gene(
    methods: Sequence[MethodParameters], producer: MethodParameters, siblings: Sequence[MethodParameters]
) -> Gene:
    """Returns the gene of the calls before a method of what `producer` returns: others on the first object, then that,
    then others on what it has returned."""
    before, made = gene_of_calls(methods), _gene_of_call(producer)
    after = gene_of_calls(siblings) if siblings else None
    counts = [(n_before, 0) for n_before in BEFORE_PRODUCER]
    counts += [(n_before, n_after) for n_before in BEFORE_PRODUCER[1:] for n_after in (1, 2)] if after else []
    return ChoiceGene(
        tuple(
            TupleGene((*(before,) * n_before, made, *((after,) * n_after if after is not None else ())))
            for n_before, n_after in counts
        )
    )


def _steps_gene(methods: Sequence[MethodParameters]) -> Gene:
    """Returns the gene of a list of calls, each a list of a method's name and its arguments."""
    return OptionalGene(ArrayGene(gene_of_calls(methods), min_items=1, max_items=MAX_STEPS), False)


def _stream_gene(methods: Sequence[MethodParameters]) -> Gene:
    """Returns the gene of the calls that write to a stream: up to three pieces, with the last of which it ends.

    methods: `write` and `end`.
    """
    write, last = map(_gene_of_call, methods)
    return ChoiceGene(tuple(TupleGene((*(write,) * count, last)) for count in range(MAX_WRITES + 1)))


def gene_of_calls(methods: Sequence[MethodParameters]) -> Gene:
    """Returns the gene of a call of one of these methods: its name, and its arguments.

    Those that change their object are preferred: another one has an effect on what follows by chance only.
    """
    options = tuple(_gene_of_call(one) for one in methods)
    changing = tuple(gene for one, gene in zip(methods, options, strict=True) if one.changes)
    if not changing or len(changing) == len(options):
        return ChoiceGene(options)
    return ChoiceGene((ChoiceGene(changing), *options), first_probability=CHANGING_PROBABILITY)


def _gene_of_call(method: MethodParameters) -> Gene:
    return TupleGene((EnumGene((method.name,)), *map(template_in_place, method.parameters)))


def template_in_place(parameter: Parameter) -> Gene:
    """Returns the gene of an argument that keeps its place: what is left out in front of another one is undefined."""
    template = parameter.template
    if isinstance(template, NeededGene):
        return template.gene
    return ChoiceGene((template.gene, _NOT_GIVEN)) if isinstance(template, OptionalGene) else template


_NOT_GIVEN: Final = EnumGene(({"$undefined": True},))


def function_of(operation: Operation) -> FunctionBinding:
    """Returns the operation's function. Raises TypeError if it has another kind of binding."""
    binding = operation.binding
    if not isinstance(binding, FunctionBinding):
        raise TypeError(f"not a function of a library: {operation.id}")
    return binding
