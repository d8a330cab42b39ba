"""Results of functions become arguments of others."""

from random import Random

import pytest

from wimble.genes import AnyGene, ChoiceGene, EnumGene, IntegerGene, MapGene, OptionalGene, StringGene
from wimble.library.argument_literals import call_text
from wimble.library.argument_shape import Shape
from wimble.library.function_binding import FunctionBinding, Parameter, function_operation
from wimble.library.invocation import (
    FunctionExchange,
    Invocation,
    Step,
    function_observation,
    invocation_of,
    made_names,
)
from wimble.library.made_objects import gene_of_argument
from wimble.library.passed_values import passed_again
from wimble.model.operation import Input, Operation
from wimble.model.testcase import Call
from wimble.search.sampling.passed_results import PassedResults
from wimble.types import ABSENT, Json, OperationId


def call_of(name, *genes):
    inputs = tuple(Input(role="argument", name=f"arg{index}", template=gene) for index, gene in enumerate(genes))
    return Call(Operation(id=OperationId(name), inputs=inputs), genes)


def passed_to(call, producer, returned: Json, *, is_whole=True):
    """Returns the values that arguments of 200 new calls have after the producer has returned something."""
    passed = PassedResults(Random(1))
    exchange = FunctionExchange(Invocation(operation=producer, arguments=()), returned, is_whole=is_whole)
    passed.observe(call_of(producer, StringGene()), function_observation(0, exchange))
    samples = (passed.applied(call, ()) for _ in range(200))
    return [[gene.phenotype() for gene in one.genes] for one in samples if one != call]


def test_the_first_argument_that_can_be_a_result_becomes_one_now_and_then():
    made = passed_to(call_of("parse", IntegerGene(1), StringGene("")), "stringify", "[a]\nb = 1")
    assert 5 < len(made) < 50
    assert all(one == [1, "[a]\nb = 1"] for one in made)
    parsed: Json = {"$bare": {"a": {"$bare": {"b": [1]}}}}
    nested = ChoiceGene((IntegerGene(), MapGene(MapGene(EnumGene(([1],))))))
    assert [{"a": {"b": [1]}}] in passed_to(call_of("stringify", nested), "parse", parsed)


PATCHES: Json = [{"$instance": {"class": "Patch", "members": {"start": 0, "texts": []}}}]
READS_PATCHES = Shape(kinds=("array",), items=Shape(kinds=("object",), members={"start": Shape(), "length": Shape()}))


def method_of(name, *shapes):
    parameters = tuple(Parameter(name="one", template=OptionalGene(AnyGene("a")), shape=shape) for shape in shapes)
    return function_operation(
        FunctionBinding(index=0, package="texts", kind="method", path=("Texts",), method=name, parameters=parameters),
        f"Texts#{name}",
    )


@pytest.mark.parametrize(
    ("shape", "is_passed"),
    [
        (READS_PATCHES, True),
        (Shape(kinds=("array",), items=Shape(kinds=("string",))), False),
        (Shape(kinds=("array",), items=Shape(members={"line": Shape(), "column": Shape(), "start": Shape()})), False),
        (Shape(kinds=("object",), members={"start": Shape()}), False),
    ],
)
def test_what_only_the_library_can_make_is_made_again_for_a_parameter_that_reads_its_members(shape, is_passed):
    passed, made = PassedResults(Random(1)), Call(method_of("made"), ())
    invocation = Invocation(
        operation="Texts#made",
        receiver=(),
        steps=(Step(method="begin", arguments=("a",)), Step(method="next")),
        arguments=("b",),
        chained=(False, True, False),
    )
    passed.observe(made, function_observation(0, FunctionExchange(invocation, PATCHES, is_whole=True)))
    call = Call(method_of("joined", shape), (OptionalGene(AnyGene("a")),))
    values = [invocation_of(passed.applied(call, ())).arguments[0] for _ in range(50)]
    begun = {"$used": [{"$made": ["#begin", {"$made": ["new Texts"]}, "a"]}, [["next"]]]}
    argument = {"$made": ["#made", begun, "b"]}
    assert (argument in values) is is_passed
    assert all(one in (argument, "a") for one in values)


def test_data_is_passed_to_a_parameter_that_reads_its_members():
    passed, rows = PassedResults(Random(1)), Shape(kinds=("array",), items=Shape(kinds=("array",)))
    tree = Shape(kinds=("object",), members={"type": Shape(), "body": Shape()})
    options = Shape(kinds=("object",), members={"width": Shape(), "depth": Shape()})
    for name, returned in (("parsed", {"type": "a", "body": []}), ("parts", [[0, "a"], [1, "b"]]), ("words", ["a"])):
        exchange = FunctionExchange(Invocation(operation=name, arguments=()), returned, is_whole=True)
        passed.observe(call_of(name, StringGene()), function_observation(0, exchange))
    for shape, least, most in ((tree, 12, 40), (rows, 12, 40), (options, 0, 10)):
        call = Call(method_of("joined", shape), (OptionalGene(AnyGene("a")),))
        values = [invocation_of(passed.applied(call, ())).arguments[0] for _ in range(80)]
        assert least <= sum(
            one == ({"type": "a", "body": []} if shape is tree else [[0, "a"], [1, "b"]]) for one in values
        )
        assert sum(one != "a" for one in values) <= most


def test_a_test_writes_the_calls_that_make_such_an_argument():
    used = {"$used": [{"$made": ["new Texts"]}, [["next", 1]]]}
    made: Json = {"$made": ["#made", used, {"$made": ["#first", {"$made": ["open", "x"]}]}]}
    binding = FunctionBinding(index=0, package="texts", kind="function", path=("joined",))
    invocation = Invocation(operation="joined", arguments=(made, 2))
    assert call_text(binding, invocation, "texts") == (
        "const texts2 = new texts.Texts(); texts2.next(1); const argument = texts.open('x'); "
        "const argument2 = argument.first(); const argument3 = texts2.made(argument2); texts.joined(argument3, 2)"
    )
    assert made_names(invocation) == {"new Texts", "open"}


def test_no_mutation_changes_what_makes_such_an_argument():
    gene, rng = (
        gene_of_argument({"$made": ["#made", {"$used": [{"$made": ["new Texts", "a"]}, [["next", 1]]]}]}),
        Random(1),
    )
    for _ in range(50):
        gene = gene.mutated(rng, 0.5)
        made, used = gene.phenotype()["$made"]
        assert (made, used["$used"][0]["$made"][0], used["$used"][1][0][0]) == ("#made", "new Texts", "next")


def test_results_are_not_passed_to_the_same_function_nor_if_they_are_cut_or_say_nothing():
    assert passed_to(call_of("stringify", StringGene("")), "stringify", "text") == []
    assert passed_to(call_of("parse", StringGene("")), "stringify", "text", is_whole=False) == []
    assert passed_to(call_of("parse", StringGene("a")), "stringify", "") == []
    assert passed_to(call_of("parse", IntegerGene(1)), "stringify", "text") == []


def test_values_that_json_has_no_notation_for_are_not_passed():
    assert passed_again([1, {"a": {"$instance": {"class": "A", "members": {}}}}]) is ABSENT
    assert passed_again({"$bare": {"a": {"$undefined": True}}}) is ABSENT
    assert passed_again({"$bare": {"a": [{"$bare": {}}]}}) == {"a": [{}]}
