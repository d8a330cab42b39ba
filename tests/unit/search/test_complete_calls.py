"""Numbers in the place of other values of a call, whatever genes hold these; texts in the place of lists."""

from random import Random
from types import SimpleNamespace

import pytest

from wimble.genes import AnyGene
from wimble.http.binding import http_operation
from wimble.http.undeclared_room import with_undeclared_inputs
from wimble.library.argument_shape import ANYTHING
from wimble.library.function_binding import FunctionBinding, Parameter, function_operation
from wimble.library.invocation import invocation_of
from wimble.model.learned_input import LearnedInput
from wimble.model.testcase import Call, TestCase
from wimble.search.learned.complete_calls import CompleteCalls
from wimble.search.learned.learned_inputs import LearnedInputs
from wimble.search.learned.members import JSON_FORM, value_of_input, with_input
from wimble.types import Json, OperationId

(POST,) = with_undeclared_inputs(
    [http_operation(id=OperationId("POST /words"), method="POST", path="/words", inputs=())]
)


def test_several_values_of_one_gene_become_numbers():
    given = Parameter(name="given", template=AnyGene(1), shape=ANYTHING)
    binding = FunctionBinding(index=0, package="lib", kind="function", path=("f",), parameters=(given,))
    gene = AnyGene({"a": "x", "b": [True, {"c": "y"}]})
    test_case = TestCase((Call(function_operation(binding, "f"), (gene,)),))
    numbered = CompleteCalls(SimpleNamespace(), Random(1)).numbered(test_case, 0, None)
    (value,) = invocation_of(numbered.calls[0]).arguments
    assert value["a"] != "x" and value["b"][0] is not True and value["b"][1]["c"] != "y"
    assert len({value["a"], value["b"][0], value["b"][1]["c"]}) == 3


@pytest.mark.parametrize(
    ("is_list", "may_be_text", "sent"),
    [(False, False, "ab7"), (True, True, "ab7"), (True, False, ["a", "b", 7])],
    ids=["of any type", "gone through", "a list"],
)
def test_a_list_becomes_a_text_unless_the_program_needs_one(is_list: bool, may_be_text: bool, sent: Json) -> None:
    learned = LearnedInputs(Random(1))
    word = LearnedInput(location="body", path=("word",), is_list=is_list, may_be_text=may_be_text)
    assert learned.learn(POST, word)
    call = Call(POST, tuple(given.template.sampled(Random(1)) for given in POST.inputs))
    call = with_input(call, word, AnyGene(["a", "b", 7]), form=JSON_FORM) or call
    made = CompleteCalls(learned, Random(1)).texted(TestCase((call,)), 0)
    assert (made is None) is isinstance(sent, list)
    assert value_of_input(call if made is None else made.calls[0], word) == sent


def test_what_is_gone_through_is_a_list_or_a_text_and_surely_a_list_once_that_is_known() -> None:
    learned = LearnedInputs(Random(1))
    word = LearnedInput(location="body", path=("word",), is_list=True, may_be_text=True)
    assert learned.learn(POST, word)
    call = Call(POST, tuple(given.template.sampled(Random(1)) for given in POST.inputs))
    assert {type(value_of_input(learned.carrying(call, learned.of(POST), is_anew=True), word)) for _ in range(20)} == {
        list,
        str,
    }
    learned.learn(POST, LearnedInput(location="body", path=("word",), is_list=True))
    assert {type(value_of_input(learned.carrying(call, learned.of(POST), is_anew=True), word)) for _ in range(20)} == {
        list
    }


@pytest.mark.parametrize(("before", "after"), [([], [10] * 5), (["x", 3], ["x", 3, 3, 3, 3]), ([1] * 5, None)])
def test_short_lists_become_longer(before: list[Json], after: list[Json] | None) -> None:
    learned = LearnedInputs(Random(1))
    steps = LearnedInput(location="body", path=("steps",), is_list=True)
    assert learned.learn(POST, steps)
    call = Call(POST, tuple(given.template.sampled(Random(1)) for given in POST.inputs))
    call = with_input(call, steps, AnyGene(before), form=JSON_FORM) or call
    made = CompleteCalls(learned, Random(1)).lengthened(TestCase((call,)), 0)
    assert (None if made is None else value_of_input(made.calls[0], steps)) == after
