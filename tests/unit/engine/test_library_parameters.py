"""Which parameters a library's function has, where its text and a declaration tell different things."""

from random import Random

import msgspec
import pytest

from wimble.agent.protocol.library_messages import FunctionMessage, LibraryMessage, ParameterMessage
from wimble.engine.boot.declared_classes import DeclaredClasses
from wimble.engine.boot.library_operations import operations_of
from wimble.library.argument_fit import is_fitting
from wimble.library.argument_literals import call_text
from wimble.library.argument_shape import Shape
from wimble.library.example_calls import Documentation, ExampleCall
from wimble.library.function_binding import LATER_ITEMS, function_of
from wimble.library.invocation import Invocation, Step, invocation_of, made_names
from wimble.model.testcase import Call

TEXT = Shape(kinds=("string",))
OPTIONS = Shape(kinds=("object",), members={"deep": Shape(kinds=("boolean",))}, is_optional=True)


@pytest.mark.parametrize(
    ("declared", "names"),
    [
        ((TEXT, OPTIONS), [("arg1", False), ("arg2", False)]),
        ((Shape(kinds=("string",), is_optional=True),), [("args", True)]),
        ((TEXT,), [("arg1", False)]),
    ],
)
def test_what_a_declaration_names_is_not_an_element_of_the_rest(declared, names):
    function = FunctionMessage(
        name="scan", kind="function", path=("scan",), parameters=(ParameterMessage(name="args", is_rest=True),)
    )
    exported = LibraryMessage(operations=[function])
    (operation,) = operations_of(exported, "lib", {"scan": list(declared)}, {}, Documentation())
    assert [(one.name, one.is_rest) for one in function_of(operation).parameters] == names
    rng = Random(1)
    calls = [Call(operation, tuple(one.template.sampled(rng) for one in operation.inputs)) for _ in range(50)]
    firsts = [given[0] for call in calls if (given := invocation_of(call).arguments)]
    assert sum(isinstance(one, str) for one in firsts) > 0.7 * len(firsts), "samples go beyond the types now and then"


def test_a_declared_list_has_the_elements_that_the_function_reads_one_by_one():
    function = FunctionMessage(
        name="drawn", kind="function", path=("drawn",), parameters=(ParameterMessage(name="token"),)
    )
    exported = LibraryMessage(operations=[function])
    declared = [Shape(kinds=("array",), items=TEXT)]
    observed = [Shape(kinds=("array",), needed=frozenset({"1", "length"}))]
    (operation,) = operations_of(exported, "lib", {"drawn": declared}, {"drawn": observed}, Documentation())
    (parameter,) = function_of(operation).parameters
    assert is_fitting(parameter.shape, ["a", "b"])
    assert not is_fitting(parameter.shape, ["a"])
    declared = [Shape(kinds=("array",), items=TEXT, needed=frozenset({"0"}))]
    (operation,) = operations_of(exported, "lib", {"drawn": declared}, {"drawn": [Shape()]}, Documentation())
    assert not is_fitting(function_of(operation).parameters[0].shape, []), "`[string, ...string[]]` is not empty"


def test_an_argument_that_nothing_is_known_of_may_be_an_object_of_the_library():
    maker = FunctionMessage(name="new Point", kind="constructor", path=("Point",))
    method = FunctionMessage(
        name="Point#plus", kind="method", path=("Point",), method="plus", parameters=(ParameterMessage(name="other"),)
    )
    exported = LibraryMessage(operations=[maker, method])

    def share_of_objects(shape: Shape) -> float:
        operations = operations_of(exported, "lib", {"Point#plus": [shape]}, {}, Documentation())
        rng = Random(1)
        of_method = operations[1]
        calls = [Call(of_method, tuple(one.template.sampled(rng) for one in of_method.inputs)) for _ in range(200)]
        return sum(made_names(invocation_of(call)) == {"new Point"} for call in calls) / len(calls)

    assert 0.1 < share_of_objects(Shape()) < 0.6
    assert share_of_objects(TEXT) == 0


def test_numbers_that_make_an_object_are_mostly_small_and_others_are_not():
    rows = Shape(kinds=("number",))
    new = FunctionMessage(
        name="new Matrix", kind="constructor", path=("Matrix",), parameters=(ParameterMessage(name="rows"),)
    )
    method = FunctionMessage(
        name="Matrix#resize",
        kind="method",
        path=("Matrix",),
        method="resize",
        receiver=new.parameters,
        parameters=new.parameters,
    )
    exported = LibraryMessage(operations=[new, method])
    declared = {"new Matrix": [rows], "Matrix#resize": [rows]}
    resize = function_of(operations_of(exported, "lib", declared, {}, Documentation())[1])

    def share_of_small(parameter) -> float:
        rng = Random(1)
        values = [parameter.template.sampled(rng).phenotype() for _ in range(500)]
        numbers = [abs(one) for one in values if isinstance(one, (int, float)) and not isinstance(one, bool)]
        return sum(one <= 16 for one in numbers) / len(numbers)

    assert share_of_small(resize.receiver[0]) > 0.65
    assert 0.25 < share_of_small(resize.parameters[0]) < 0.55


def test_functions_of_an_exported_prototype_are_methods_of_what_is_returned():
    function = FunctionMessage(name="lib", kind="function")
    of_prototype = FunctionMessage(name="fn.format", kind="function", path=("fn", "format"))
    method = FunctionMessage(name="lib()#format", kind="method", method="format")
    operations = operations_of(
        LibraryMessage(operations=[function, of_prototype]), "lib", {}, {}, results={"lib": [method]},
        only_methods=frozenset({"fn.format"}),
    )  # fmt: skip
    assert [one.id for one in operations] == ["lib", "lib()#format"]


def test_methods_of_what_a_method_returns_are_called_behind_it():
    new = FunctionMessage(name="new Tree", kind="constructor", path=("Tree",))
    insert, find = (
        FunctionMessage(
            name=f"Tree#{name}", kind="method", path=("Tree",), method=name, parameters=(ParameterMessage(name="key"),)
        )
        for name in ("insert", "find")
    )
    following, size = (
        FunctionMessage(name=f"Tree#find()#{name}", kind="method", method=name, access=access)
        for name, access in (("next", "call"), ("size", "read"))
    )
    *_, after, read = operations_of(
        LibraryMessage(operations=[new, insert, find]), "lib", {}, {}, results={"Tree#find": [following, size]}
    )
    assert [after.id, read.id] == ["Tree#find()#next", "Tree#find()#size"]
    assert function_of(after).index == 0
    assert function_of(after).is_of_object, "the host makes the object, and calls the method on what a step returns"
    rng = Random(1)
    steps = [invocation_of(Call(after, tuple(one.template.sampled(rng) for one in after.inputs))) for _ in range(100)]
    names = [[step.method for step in one.steps] for one in steps]
    assert all("find" in one for one in names)
    assert ["find"] in names
    assert any(one[-1] == "next" and "insert" in one for one in names)
    method = invocation_of(Call(read, tuple(one.template.sampled(rng) for one in read.inputs)))
    tree = msgspec.structs.replace(method, chained=(False, True), steps=(Step(method="find", arguments=("a",)),))
    assert call_text(function_of(read), tree) == "new Tree().find('a').size"


def test_what_one_function_takes_apart_others_take_as_well():
    numbers = {name: Shape(kinds=("number",)) for name in ("left", "right", "top")}
    box = Shape(kinds=("object",), members=numbers, needed=frozenset(numbers))
    part = Shape(kinds=("object",), members={"left": numbers["left"]}, needed=frozenset({"left"}))
    observed = {"insert": [box], "search": [part], "drop": [Shape()], "other": [Shape()]}
    names = {"insert": "item", "search": "area", "drop": "item", "other": "thing"}
    functions = [
        FunctionMessage(name=name, kind="function", path=(name,), parameters=(ParameterMessage(name=of),))
        for name, of in names.items()
    ]
    operations = operations_of(LibraryMessage(operations=functions), "lib", {}, observed, Documentation())
    by_name = {operation.id: function_of(operation).parameters[0] for operation in operations}
    assert by_name["search"].shape.members.keys() == numbers.keys()
    assert by_name["search"].shape.needed == {"left"}, "what the function itself does nothing with may be missing"
    assert by_name["drop"].shape == Shape(), "a guess is nothing that callers have to know"

    def share_of_boxes(name: str) -> float:
        rng = Random(1)
        values = [by_name[name].template.sampled(rng).phenotype() for _ in range(200)]
        return sum(isinstance(one, dict) and bool(one.keys() & numbers.keys()) for one in values) / len(values)

    assert share_of_boxes("drop") > 0.3
    assert share_of_boxes("other") == 0.0


def test_methods_that_a_constructor_gives_each_object_are_called_on_new_ones():
    maker = FunctionMessage(name="new View", kind="constructor", path=("View",))
    own = FunctionMessage(name="View#show", kind="method", path=("View",), method="show")
    reset = FunctionMessage(name="View#reset", kind="method", path=("View",), method="reset")
    exported = LibraryMessage(operations=[maker, reset])
    operations = operations_of(exported, "lib", {}, {}, Documentation(), results={"new View": [own]})
    show = function_of(next(one for one in operations if one.id == "View#show"))
    assert (show.index, show.is_of_object, show.is_of_result) == (0, True, False)
    assert [one.name for one in show.steps] == ["show", "reset"]
    assert call_text(show, Invocation(operation="View#show", arguments=(), receiver=())) == "new View().show()"


def test_a_stream_is_written_and_ended_before_it_is_read():
    chunk = (ParameterMessage(name="chunk"),)
    maker = FunctionMessage(name="split", kind="function", path=("split",))
    methods = [
        FunctionMessage(name="split()#end", kind="method", path=(), method="end", parameters=chunk),
        FunctionMessage(
            name="split()#[Symbol.asyncIterator]", kind="method", path=(), method=LATER_ITEMS, access="items"
        ),
    ]
    observed = {"split()#end": [Shape(kinds=("string", "Buffer"))]}
    exported = LibraryMessage(operations=[maker])
    of_node = {"split()#end": [Shape(kinds=("function",))]}
    operation = operations_of(exported, "lib", of_node, observed, Documentation(), results={"split": methods})[-1]
    rng = Random(1)
    calls = [Call(operation, tuple(one.template.sampled(rng) for one in operation.inputs)) for _ in range(50)]
    steps = [[one.method for one in invocation_of(call).steps] for call in calls]
    pieces = [given for call in calls for one in invocation_of(call).steps for given in one.arguments]
    assert sum(isinstance(one, str) for one in pieces) > 0.4 * len(pieces)
    assert {tuple(one) for one in steps} == {("end",), ("write", "end"), ("write", "write", "end")}
    invocation = invocation_of(next(call for call, of_call in zip(calls, steps, strict=True) if len(of_call) == 2))
    after = msgspec.structs.replace(invocation, chained=(False, False, False), awaited=(False,) * 4)
    *_, write, end, read = call_text(function_of(operation), after).split("; ")
    assert (write[:13], end[:11], read) == ("object.write(", "object.end(", "object")


SHOWN = {"name": "my object"}


@pytest.mark.parametrize(
    ("documentation", "observed", "is_no_text"),
    [
        (Documentation(), {}, False),
        (Documentation(calls=(ExampleCall(name="apply", arguments=(SHOWN,)),)), {}, True),
        (Documentation(calls=(ExampleCall(name="apply", arguments=("a",)),)), {"read": [OPTIONS]}, False),
        # The data that stand for a variable say nothing of its type.
        (Documentation(calls=(ExampleCall(name="apply", arguments=(SHOWN,)),), values=(SHOWN,)), {}, False),
        (Documentation(), {"read": [OPTIONS]}, True),
        (Documentation(), {"read": [Shape(kinds=("object", "string"))]}, False),
        (Documentation(), {"apply": [Shape(kinds=("string",))], "read": [OPTIONS]}, False),
    ],
)
def test_other_uses_of_a_parameter_tell_whether_it_may_be_a_text(documentation, observed, is_no_text):
    functions = [
        FunctionMessage(name=name, kind="function", path=(name,), parameters=(ParameterMessage(name="target"),))
        for name in ("apply", "read")
    ]
    operations = operations_of(LibraryMessage(operations=functions), "lib", {}, observed, documentation)
    (parameter,) = function_of(operations[0]).parameters
    assert parameter.is_no_text is is_no_text


def test_names_of_minified_programs_say_nothing_of_each_other():
    functions = [
        FunctionMessage(name=name, kind="function", path=(name,), parameters=(ParameterMessage(name="e"),))
        for name in ("apply", "read")
    ]
    operations = operations_of(LibraryMessage(operations=functions), "lib", {}, {"read": [OPTIONS]})
    assert not function_of(operations[0]).parameters[0].is_no_text


def test_objects_of_the_library_are_made_of_others_that_it_makes():
    made = {name: Shape(kinds=("object", "instance"), makers=(name,)) for name in ("step", "state", "machine")}
    declared = {
        "step": [TEXT],
        "state": [made["step"]],
        "machine": [Shape(kinds=("object",), others=made["state"])],
        "run": [made["machine"]],
    }
    functions = [
        FunctionMessage(name=name, kind="function", path=(name,), parameters=(ParameterMessage(name="one"),))
        for name in declared
    ]
    operations = operations_of(LibraryMessage(operations=functions), "lib", declared, {}, Documentation())
    run = next(one for one in operations if one.id == "run")
    rng = Random(1)
    calls = [Call(run, tuple(one.template.sampled(rng) for one in run.inputs)) for _ in range(200)]
    names = [made_names(invocation_of(call)) for call in calls]
    assert sum({"machine", "state", "step"} <= one for one in names) > 10


def test_what_is_declared_as_data_is_no_method_for_users():
    methods = [
        FunctionMessage(name=f"store()#{name}", kind="method", method=name, access=access)
        for name, access in (("guards", "call"), ("put", "call"), ("size", "read"))
    ]
    store = FunctionMessage(name="store", kind="function", path=("store",))
    operations = operations_of(
        LibraryMessage(operations=[store]),
        "lib",
        {},
        {},
        Documentation(),
        results={"store": methods},
        classes=DeclaredClasses(data=frozenset({"store()#guards", "store()#size"})),
    )
    internal = [one.id for one in operations if function_of(one).is_internal]
    assert internal == ["store()#guards"]
