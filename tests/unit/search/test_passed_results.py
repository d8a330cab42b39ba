"""Results of functions become arguments of others."""

from random import Random

from wimble.genes import ChoiceGene, EnumGene, IntegerGene, MapGene, StringGene
from wimble.library.invocation import FunctionExchange, Invocation, function_observation
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


def test_results_are_not_passed_to_the_same_function_nor_if_they_are_cut_or_say_nothing():
    assert passed_to(call_of("stringify", StringGene("")), "stringify", "text") == []
    assert passed_to(call_of("parse", StringGene("")), "stringify", "text", is_whole=False) == []
    assert passed_to(call_of("parse", StringGene("a")), "stringify", "") == []
    assert passed_to(call_of("parse", IntegerGene(1)), "stringify", "text") == []


def test_values_that_json_has_no_notation_for_are_not_passed():
    assert passed_again([1, {"a": {"$instance": {"class": "A", "members": {}}}}]) is ABSENT
    assert passed_again({"$bare": {"a": {"$undefined": True}}}) is ABSENT
    assert passed_again({"$bare": {"a": [{"$bare": {}}]}}) == {"a": [{}]}
