"""Numbers that JSON does not know reach the library as they are written in tests."""

import math

from wimble.genes import AnyGene
from wimble.library.argument_literals import literal
from wimble.library.argument_shape import ANYTHING
from wimble.library.function_binding import FunctionBinding, Parameter, function_operation
from wimble.library.invocation import invocation_of
from wimble.model.testcase import Call


def test_they_are_passed_in_the_notation_of_such_numbers():
    given = Parameter(name="given", template=AnyGene(1), shape=ANYTHING)
    binding = FunctionBinding(index=0, package="lib", kind="function", path=("f",), parameters=(given,))
    gene = AnyGene([math.inf, {"a": -math.inf}, math.nan, 1.5])
    (value,) = invocation_of(Call(function_operation(binding, "f"), (gene,))).arguments
    assert value == [{"$number": "Infinity"}, {"a": {"$number": "-Infinity"}}, {"$number": "NaN"}, 1.5]
    assert literal(value) == "[Infinity, { a: -Infinity }, NaN, 1.5]"
