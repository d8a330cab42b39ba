"""Calls in a package's documentation become test cases of the operations that they name."""

from random import Random

import msgspec

from wimble.agent.protocol.library_messages import FunctionMessage, LibraryMessage, ParameterMessage
from wimble.engine.boot.library_operations import operations_of
from wimble.library.argument_genes import parameter_of
from wimble.library.argument_shape import Shape
from wimble.library.example_calls import Documentation, ExampleCall, examples_of, texts_of, values_for
from wimble.library.function_binding import function_of
from wimble.library.invocation import invocation_of
from wimble.search.generators.samples.shown_calls import ShownCalls

EXAMPLES = (
    ExampleCall(name="", arguments=("whole",)),
    ExampleCall(name="parse", is_method=True, arguments=("a=1", {"deep": {"list": [[1]]}})),
    ExampleCall(name="parse", arguments=("a=1", {"deep": {"list": [[1]]}})),
    ExampleCall(name="Mask", is_new=True, arguments=("10.0.0.0/8",)),
    ExampleCall(name="contains", is_method=True, arguments=("10.1.2.3",)),
)


def _function(name: str, kind: str, path: tuple[str, ...], method: str = "") -> FunctionMessage:
    parameters = (ParameterMessage(name="text"), ParameterMessage(name="options"))
    receiver = (ParameterMessage(name="mask"),) if kind == "method" else ()
    return FunctionMessage(
        name=name, kind=kind, path=path, method=method, parameters=parameters[:1] if method else parameters,
        receiver=receiver,
    )  # fmt: skip


def test_examples_are_found_by_name_and_each_once():
    assert examples_of("function", ("parse",), "", EXAMPLES) == (("a=1", {"deep": {"list": [[1]]}}),)
    assert examples_of("constructor", ("Mask",), "", EXAMPLES) == (("10.0.0.0/8",),)
    assert examples_of("function", (), "", EXAMPLES) == (("whole",),)
    assert examples_of("function", ("default",), "", EXAMPLES) == (("whole",),)


def test_a_class_that_is_all_of_a_package_has_the_name_and_the_examples_of_its_users():
    functions = [
        msgspec.structs.replace(_function("new decimal.js", "constructor", ()), class_name="Decimal"),
        _function("decimal.js", "function", ()),
        _function("decimal.js#plus", "method", (), "plus"),
        _function("max", "function", ("max",)),
    ]
    shown = Documentation(calls=(ExampleCall(name="Decimal", is_new=True, arguments=("0.1",)),))
    found = operations_of(LibraryMessage(operations=functions), "decimal.js", {}, {}, shown)
    assert [one.id for one in found] == ["new Decimal", "Decimal", "Decimal#plus", "Decimal.max"]
    assert function_of(found[0]).examples == function_of(found[2]).made_by == (("0.1",),)


def test_examples_are_the_first_calls_of_a_search_as_they_stand():
    exported = LibraryMessage(
        operations=(
            _function("parse", "function", ("parse",)),
            _function("Mask#contains", "method", ("Mask",), "contains"),
        ),
        is_module=False,
        error="",
    )
    generator = ShownCalls(operations_of(exported, "lib", {}, {}, Documentation(calls=EXAMPLES)))
    invocations = []
    while generator.is_ready():
        proposal = generator.propose(0.0)
        assert proposal is not None
        invocations.append(invocation_of(proposal.test_case.calls[0]))
    assert [(one.operation, one.receiver, one.arguments) for one in invocations] == [
        ("parse", None, ("a=1", {"deep": {"list": [[1]]}})),
        ("Mask#contains", ("10.0.0.0/8",), ("10.1.2.3",)),
    ]


def test_texts_of_examples_are_tried_at_parameters_without_examples_that_may_be_texts():
    shown = [
        ExampleCall(name="gt", is_method=True, arguments=("1.2.3", "9.8.7")),
        ExampleCall(name="valid", is_method=True, arguments=("1.2.3", {"loose": True}, "x" * 300)),
    ]
    texts = texts_of(Documentation(calls=tuple(shown), texts=("^1.2", "9.8.7")))
    assert texts == ("1.2.3", "9.8.7", "^1.2")
    rng = Random(1)

    def sampled(shape, **more):
        template = parameter_of("version", shape, is_guess=False, is_needed=True, texts=texts, **more).template
        return [template.sampled(rng).phenotype() for _ in range(60)]

    assert sum(value in texts for value in sampled(Shape(kinds=("string",)))) > 10
    assert not any(value in texts for value in sampled(Shape(kinds=("number",))))
    assert any(value in texts for value in sampled(Shape(kinds=("string",)), examples=["own"]))
    many = [f"own {number}" for number in range(5)]
    assert not any(value in texts for value in sampled(Shape(kinds=("string",)), examples=many))


def test_shown_values_are_tried_where_their_members_are_known_or_nothing_is():
    options, data, rows = {"boolean": ["x"]}, {"store": {"price": 8}}, [{"name": "London"}]
    documentation = Documentation(values=(options, data, rows))
    known = Shape(kinds=("object",), members={"boolean": Shape(), "alias": Shape()})
    assert values_for(known, documentation) == (options,)
    assert values_for(Shape(kinds=("object",)), documentation) == (options, data)
    assert values_for(Shape(kinds=("array",)), documentation) == (rows,)
    assert values_for(Shape(kinds=("string",)), documentation) == ()
    assert values_for(Shape(), documentation) == (options, data, rows)


def test_shown_values_are_arguments_of_a_search():
    exported = LibraryMessage(operations=(_function("parse", "function", ("parse",)),), is_module=False, error="")
    shown = {"boolean": ["x"], "alias": {"a": ["b"]}}
    observed = {"parse": [Shape(kinds=("string",)), Shape(kinds=("object",), members={"alias": Shape()})]}
    operation = operations_of(exported, "lib", {}, observed, Documentation(values=(shown,)))[0]
    rng = Random(1)
    assert any(operation.inputs[1].template.sampled(rng).phenotype() == shown for _ in range(60))


def test_a_declared_function_has_no_object_whose_arguments_are_searched():
    exported = LibraryMessage(
        operations=[_function("parse", "function", ("parse",)), _function("Reader#next", "method", ("Reader",), "next")]
    )
    text = [Shape(kinds=frozenset(["string"]))]
    parse, following = operations_of(exported, "lib", {"parse": text, "new Reader": text}, {})
    assert [one.name for one in parse.inputs] == ["text", "options"]
    assert len(function_of(following).receiver) == 1


def test_what_a_module_exports_as_its_default_is_named_as_a_program_that_imports_it_does():
    named = [("default", ()), ("new default.Day", ("Day",)), ("default.get.rgb", ("get", "rgb")), ("parse", None)]
    functions = [
        _function(name, "function", ("parse",) if path is None else ("default", *path)) for name, path in named
    ]
    exported = LibraryMessage(operations=functions, is_module=True)
    ids = [one.id for one in operations_of(exported, "color-string", {}, {})]
    assert ids == ["colorString", "new colorString.Day", "colorString.get.rgb", "parse"]
    of_common_js = LibraryMessage(operations=functions[2:3], is_module=False)
    assert [one.id for one in operations_of(of_common_js, "color-string", {}, {})] == ["default.get.rgb"]
