"""Numbers in the place of other values of a call, whatever genes hold these."""

from random import Random
from types import SimpleNamespace

from wimble.genes import AnyGene
from wimble.library.argument_shape import ANYTHING
from wimble.library.function_binding import FunctionBinding, Parameter, function_operation
from wimble.library.invocation import invocation_of
from wimble.model.testcase import Call, TestCase
from wimble.search.learned.complete_calls import CompleteCalls


def test_several_values_of_one_gene_become_numbers():
    given = Parameter(name="given", template=AnyGene(1), shape=ANYTHING)
    binding = FunctionBinding(index=0, package="lib", kind="function", path=("f",), parameters=(given,))
    gene = AnyGene({"a": "x", "b": [True, {"c": "y"}]})
    test_case = TestCase((Call(function_operation(binding, "f"), (gene,)),))
    numbered = CompleteCalls(SimpleNamespace(), Random(1)).numbered(test_case, 0, None)
    (value,) = invocation_of(numbered.calls[0]).arguments
    assert value["a"] != "x" and value["b"][0] is not True and value["b"][1]["c"] != "y"
    assert len({value["a"], value["b"][0], value["b"][1]["c"]}) == 3
