"""Objects of a library's own classes: as arguments, as objects of methods, and what is hidden from users."""

import random

import pytest

from wimble.agent.protocol.library_messages import FunctionMessage, LibraryMessage, ParameterMessage
from wimble.engine.boot.declared_classes import DeclaredClasses, InternalNames
from wimble.engine.boot.library_operations import operations_of
from wimble.genes import AnyGene, OptionalGene, StringGene
from wimble.library.argument_literals import call_text, import_of
from wimble.library.argument_shape import Overload, Shape
from wimble.library.function_binding import (
    FunctionBinding,
    MethodParameters,
    Parameter,
    function_of,
    function_operation,
)
from wimble.library.invocation import Invocation, invocation_of, made_names
from wimble.library.made_objects import Maker, gene_of_made, iter_calls, iter_made
from wimble.model.testcase import Call

TEXT = Shape(kinds=("string",))
DAY = Shape(kinds=("instance",), makers=("Day.of", "Day.today"))
EXPORTED = LibraryMessage(
    operations=[
        FunctionMessage(name="new Day", kind="constructor", path=("Day",), parameters=(ParameterMessage("parts"),)),
        FunctionMessage(name="Day.of", kind="function", path=("Day", "of"), parameters=(ParameterMessage("text"),)),
        FunctionMessage(name="Day.today", kind="function", path=("Day", "today")),
        FunctionMessage(
            name="Day#isBefore",
            kind="method",
            path=("Day",),
            method="isBefore",
            parameters=(ParameterMessage("other"),),
        ),
    ]
)
DECLARED = {"Day.of": [TEXT], "Day.today": [], "Day#isBefore": [DAY]}
CLASSES = DeclaredClasses(makers={"Day": ("Day.of", "Day.today")}, hidden=frozenset({"new Day"}))


def _invocations(operation, count=40):
    rng = random.Random(1)
    for _ in range(count):
        yield invocation_of(Call(operation, tuple(one.template.sampled(rng) for one in operation.inputs)))


def test_a_private_constructor_is_not_called_and_functions_make_the_objects():
    operations = operations_of(EXPORTED, "days", DECLARED, {}, classes=CLASSES)
    assert [one.id for one in operations] == ["Day.of", "Day.today", "Day#isBefore"]
    assert function_of(operations[2]).is_made
    for invocation in _invocations(operations[2]):
        assert invocation.receiver is not None
        assert invocation.receiver[0]["$made"][0] in DAY.makers
    assert any(len(made_names(one)) == 2 for one in _invocations(operations[2]))


def test_methods_know_the_signatures_of_the_constructor_of_their_object():
    overloads = {"new Day": [Overload((TEXT,)), Overload((TEXT, TEXT))], "Day.of": [Overload((TEXT,))]}
    operations = operations_of(EXPORTED, "days", {}, {}, classes=DeclaredClasses(overloads=overloads))
    known = {one.id: len(function_of(one).receiver_overloads) for one in operations}
    assert known == {"new Day": 0, "Day.of": 0, "Day.today": 0, "Day#isBefore": 2}


def test_a_constructor_that_nothing_replaces_is_called_but_not_judged():
    classes = DeclaredClasses(hidden=CLASSES.hidden)
    operations = operations_of(EXPORTED, "days", DECLARED, {}, classes=classes)
    internal = {one.id: function_of(one).is_internal for one in operations}
    assert internal == {"new Day": True, "Day.of": False, "Day.today": False, "Day#isBefore": True}


@pytest.mark.parametrize(
    ("path", "imported", "text"),
    [
        (("Day",), "import * as days from 'days';", "days.Day.of('x').isBefore(days.Day.today())"),
        (("default", "Day"), "import days from 'days';", "days.Day.of('x').isBefore(days.Day.today())"),
    ],
)
def test_tests_write_the_functions_that_make_objects(path, imported, text):
    prefix = "".join(f"{name}." for name in path[:-1])
    binding = FunctionBinding(
        index=0, package="days", kind="method", path=path, method="isBefore", is_made=True, is_module=True
    )
    invocation = Invocation(
        operation="Day#isBefore",
        arguments=({"$made": [f"{prefix}Day.today"]},),
        receiver=({"$made": [f"{prefix}Day.of", "x"]},),
    )
    statement, _, (called,) = import_of([binding], "days", sorted(made_names(invocation)))
    assert statement == imported
    assert call_text(called, invocation, "days") == text


@pytest.mark.parametrize(
    ("name", "is_internal"),
    [
        ("parse", False),
        ("new Reader", False),
        ("Reader#next", False),
        ("Reader#rest", True),
        ("lexer.lex", True),
        ("lexer.lex()#back", True),
        ("helpers.each", False),
        ("open.anything", False),
    ],
)
def test_what_declarations_leave_out_is_internal(name, is_internal):
    names = frozenset({"parse", "Reader", "Reader#next", "helpers", "helpers.each", "open"})
    assert InternalNames(DeclaredClasses(names=names)).has(name) is is_internal
    assert not InternalNames(DeclaredClasses()).has(name)


def test_no_edit_and_no_mutation_changes_what_makes_an_object():
    made = gene_of_made(["Cache.of"], {"Cache.of": Maker("Cache.of", (StringGene(),))})
    assert made is not None
    rng = random.Random(1)
    for _ in range(50):
        made = made.mutated(rng, 0.5)
        assert made.phenotype()["$made"][0] == "Cache.of"
    name = made.children()[0].children()[0]
    assert name.with_value("rpo8x") is None
    assert not name.is_mutable()


GRAPHS = LibraryMessage(
    operations=[
        FunctionMessage(name="new Graph", kind="constructor", path=("Graph",)),
        FunctionMessage(
            name="Graph#setEdge",
            kind="method",
            path=("Graph",),
            method="setEdge",
            parameters=(ParameterMessage("v"), ParameterMessage("w")),
        ),
        FunctionMessage(name="Graph#nodes", kind="method", path=("Graph",), method="nodes"),
        FunctionMessage(name="walk", kind="function", path=("walk",), parameters=(ParameterMessage("g"),)),
        FunctionMessage(name="show", kind="function", path=("show",), parameters=(ParameterMessage("options"),)),
    ]
)
READ = {
    "walk": [Shape(kinds=("object",), members={"nodes": Shape()})],
    "show": [Shape(kinds=("object",), members={"width": Shape()})],
}


def _walks(name, **more):
    operations = operations_of(GRAPHS, "graphs", {}, READ, **more)
    return list(_invocations(next(one for one in operations if one.id == name), 400))


def test_an_argument_whose_methods_are_read_is_an_object_with_calls_on_it():
    walks = _walks("walk", changing=frozenset({"Graph#setEdge"}))
    used = [one for one in walks if any(held[0] == "new Graph" for held in iter_made(one.arguments))]
    assert len(used) > 250
    calls = [call for one in used for _, call in iter_calls(one.arguments)]
    assert {call[0] for call in calls} == {"setEdge", "nodes"}
    # Calls agree in the names of what they put into it.
    assert sum(call[1:] in (["a", "b"], ["b", "c"], ["a", "c"]) for call in calls) > 5


def test_methods_that_change_their_object_are_called_more_often_before_it_is_passed():
    invocations = _walks("walk", changing=frozenset({"Graph#setEdge"}))
    names = [call[0] for one in invocations for _, call in iter_calls(one.arguments)]
    assert names.count("setEdge") > 4 * names.count("nodes")


def test_methods_that_return_promises_are_not_called_before_an_object_is_passed():
    invocations = _walks("walk", later=frozenset({"Graph#nodes"}))
    assert {call[0] for one in invocations for _, call in iter_calls(one.arguments)} == {"setEdge"}


def test_options_are_no_objects_of_the_library():
    used = [one for one in _walks("show") if list(iter_made(one.arguments))]
    assert len(used) < 250


def _used(*calls):
    return {"$used": [{"$made": ["new Graph"]}, [list(call) for call in calls]]}


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (
            (_used(["setEdge", "a", "b"], ["nodes"]), "a"),
            "const graph = new graphs.Graph(); graph.setEdge('a', 'b'); graph.nodes(); graphs.walk(graph, 'a')",
        ),
        # In the order in which they are passed: either of them may throw.
        (
            ({"$made": ["new Graph", "x"]}, _used(["nodes"])),
            (
                "const graph = new graphs.Graph('x'); const graph2 = new graphs.Graph(); graph2.nodes(); "
                "graphs.walk(graph, graph2)"
            ),
        ),
        (
            ([_used(["nodes"]), _used(["setEdge", _used(["nodes"])])],),
            (
                "const graph = new graphs.Graph(); graph.nodes(); const graph2 = new graphs.Graph(); "
                "const graph3 = new graphs.Graph(); graph3.nodes(); graph2.setEdge(graph3); graphs.walk([graph, graph2])"
            ),
        ),
    ],
)
def test_tests_write_calls_on_arguments_as_statements(arguments, text):
    binding = FunctionBinding(index=0, package="graphs", kind="function", path=("walk",))
    assert call_text(binding, Invocation(operation="walk", arguments=arguments), "graphs") == text


def test_the_variable_of_an_argument_has_no_name_that_is_taken():
    binding = FunctionBinding(index=0, package="graph", kind="function", path=("walk",))
    text = call_text(binding, Invocation(operation="walk", arguments=(_used(["nodes"]),)), "graph")
    assert text == "const graph2 = new graph.Graph(); graph2.nodes(); graph.walk(graph2)"


def test_what_calls_on_arguments_leave_out_is_not_passed():
    template = OptionalGene(StringGene("x"), True)
    method = MethodParameters(name="set", parameters=(Parameter(name="key", template=template),) * 2)
    maker = Maker("new Store", (), methods=(method,))
    binding = FunctionBinding(
        index=0, package="p", kind="function", path=("f",), parameters=(Parameter(name="s", template=maker.gene()),)
    )
    undefined = {"$undefined": True}
    for calls, passed in [
        ([["set", "a", undefined]], {"$used": [{"$made": ["new Store"]}, [["set", "a"]]]}),
        ([["set", undefined, "a"]], {"$used": [{"$made": ["new Store"]}, [["set", undefined, "a"]]]}),
        ([], {"$made": ["new Store"]}),
    ]:
        gene = maker.gene().with_value({"$used": [{"$made": ["new Store"]}, calls]})
        operation = function_operation(binding, "f")
        assert invocation_of(Call(operation, (gene,))).arguments == (passed,)


def test_an_exported_object_is_an_argument_and_tests_write_its_name():
    function = FunctionMessage(name="listOf", kind="function", path=("listOf",), parameters=(ParameterMessage("type"),))
    exported = LibraryMessage(operations=[function], values=["value types.Text", "value no-name"])
    shape = Shape(kinds=("instance",), makers=("value types.Text", "listOf"))
    (operation,) = operations_of(exported, "lib", {"listOf": [shape]}, {})
    calls = [one for one in _invocations(operation) if made_names(one) == {"value types.Text"}]
    assert calls
    texts = {call_text(function_of(operation), one) for one in calls}
    assert "lib.listOf(lib.types.Text)" in texts or "listOf(types.Text)" in texts
    (undeclared,) = operations_of(exported, "lib", {}, {})
    assert any("value types.Text" in made_names(one) for one in _invocations(undeclared, 200))


def test_exported_objects_leave_room_for_what_makes_others():
    names = [f"value types.T{number}" for number in range(9)]
    makers = {name: Maker(name, ()) for name in [*names, "listOf", "new Type"]}
    gene = gene_of_made([*names, "listOf", "new Type"], makers)
    rng = random.Random(1)
    assert gene is not None
    made = {held[0] for _ in range(300) for held in iter_made([gene.sampled(rng).phenotype()])}
    assert made == {*names[:4], "listOf", "new Type"}


def test_members_that_a_mutant_adds_to_a_made_object_are_left_out():
    binding = FunctionBinding(
        index=0,
        package="graphs",
        kind="function",
        path=("clone",),
        parameters=(Parameter(name="graph", template=AnyGene(None)),),
    )
    made, calls = {"$made": ["new Graph"], "s": None}, [["add", "a"]]
    for value, passed in (
        (made, {"$made": ["new Graph"]}),
        ({"$used": [made, calls]}, {"$used": [{"$made": ["new Graph"]}, calls]}),
        ({"$used": [made, []], "t": 1}, {"$made": ["new Graph"]}),
        ({"$made": "a", "t": 1}, {"$made": "a", "t": 1}),
    ):
        call = Call(function_operation(binding, "clone"), (AnyGene(value),))
        assert invocation_of(call).arguments == (passed,)
