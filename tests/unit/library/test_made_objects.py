"""Objects of a library's own classes: as arguments, as objects of methods, and what is hidden from users."""

import random

import pytest

from wimble.agent.protocol.library_messages import FunctionMessage, LibraryMessage, ParameterMessage
from wimble.engine.boot.declared_classes import DeclaredClasses, InternalNames
from wimble.engine.boot.library_operations import operations_of
from wimble.genes import StringGene
from wimble.library.argument_literals import call_text, import_of
from wimble.library.argument_shape import Shape
from wimble.library.function_binding import FunctionBinding, function_of
from wimble.library.invocation import Invocation, invocation_of, made_names
from wimble.library.made_objects import Maker, gene_of_made
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
