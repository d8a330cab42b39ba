"""Calls on the object of a method before it, and values whose notation a mutant has broken."""

from random import Random

import msgspec
import pytest

from wimble.genes import AnyGene, ArrayGene, OptionalGene, StringGene
from wimble.library.function_binding import FunctionBinding, MethodParameters, Parameter, function_operation
from wimble.library.invocation import Invocation, Step, invocation_of
from wimble.model.testcase import Call

TEXT = Parameter(name="text", template=OptionalGene(StringGene("a"), True))
REST = Parameter(name="items", template=OptionalGene(ArrayGene(StringGene()), True), is_rest=True)
BINDING = FunctionBinding(
    index=0,
    package="lib",
    kind="method",
    path=("Stack",),
    method="pop",
    parameters=(TEXT,),
    receiver=(TEXT,),
    steps=(MethodParameters(name="push", parameters=(TEXT, REST)), MethodParameters(name="clear")),
)
OPERATION = function_operation(BINDING, "Stack#pop")


def called(steps):
    genes = [one.template for one in OPERATION.inputs]
    genes[-1] = genes[-1].with_value(steps)
    return invocation_of(Call(OPERATION, tuple(genes)))


def test_steps_are_sampled_and_may_be_left_out():
    sampled = [
        invocation_of(Call(OPERATION, tuple(one.template.sampled(Random(seed)) for one in OPERATION.inputs))).steps
        for seed in range(40)
    ]
    assert () in sampled
    assert {step.method for steps in sampled for step in steps} == {"push", "clear"}
    assert max(map(len, sampled)) > 1


def test_arguments_of_steps_are_passed_as_those_of_calls():
    steps = called([["push", "x", ["y", "z"]], ["clear"]]).steps
    assert steps == (Step(method="push", arguments=("x", "y", "z")), Step(method="clear"))


def test_a_step_without_a_known_name_is_left_out():
    genes = [one.template for one in OPERATION.inputs]
    genes[-1] = AnyGene([["pull", "x"], "push", [], ["clear"]])
    assert invocation_of(Call(OPERATION, tuple(genes))).steps == (Step(method="clear"),)


@pytest.mark.parametrize(
    ("value", "passed"),
    [
        ({"$number": ""}, {"$number": "NaN"}),
        ({"$number": "-0"}, {"$number": "-0"}),
        ([{"a": {"$bigint": "1x"}}], [{"a": {"$bigint": "0"}}]),
        ({"$bigint": "-12"}, {"$bigint": "-12"}),
        ([{"$function": {"a": 1}}, {"$function": "yes"}], [{"$function": "nothing"}, {"$function": "yes"}]),
        ([{"$regexp": "a"}, {"$regexp": ["a", "g"]}], [{"$regexp": ["", ""]}, {"$regexp": ["a", "g"]}]),
    ],
)
def test_a_broken_notation_is_passed_as_a_number(value, passed):
    genes = [one.template for one in OPERATION.inputs]
    genes[1] = AnyGene(value)
    assert invocation_of(Call(OPERATION, tuple(genes))).arguments == (passed,)


def test_a_call_that_ends_in_a_step_is_told_from_the_call_itself():
    step = Step(method="push", arguments=(1,))
    call = Invocation(operation="S#pop", arguments=(), receiver=(), steps=(step,))
    assert not call.has_ended_in_step()
    for chained, is_step in (((False,), True), ((False, False), False)):
        assert msgspec.structs.replace(call, chained=chained).has_ended_in_step() is is_step
