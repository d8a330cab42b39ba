"""Which errors of a library are faults, and which calls are sensible."""

import pytest

from wimble.genes import StringGene
from wimble.library.function_binding import FunctionBinding, Parameter
from wimble.library.invocation import FunctionExchange, Invocation, Thrown
from wimble.oracles.library_faults import is_sensible, is_unexpected


@pytest.mark.parametrize(
    ("thrown", "is_fault"),
    [
        (Thrown(name="TypeError", message="Cannot read properties of undefined (reading 'x')"), True),
        (Thrown(name="TypeError", message="expected a string", is_on_purpose=True), False),
        (Thrown(name="ParseError", message="bad", is_on_purpose=True), False),
        (Thrown(name="string", message="no", is_error=False, is_on_purpose=True), False),
        (Thrown(name="AssertionError", message="never", is_on_purpose=True), True),
        (Thrown(name="SyntaxError", message="Unexpected token a in JSON at position 0"), False),
        (Thrown(name="SyntaxError", message="Invalid regular expression: /(/: Unterminated group"), True),
        (Thrown(name="Error", message="no", code="ERR_ACCESS_DENIED"), False),
        (Thrown(name="TypeError", message="fetch failed"), False),
    ],
)
def test_errors_of_the_engine_are_faults_and_rejections_are_not(thrown, is_fault):
    assert is_unexpected(thrown) is is_fault


@pytest.mark.parametrize(
    ("arguments", "kinds", "sensible"),
    [
        (("a",), frozenset(), True),
        ((1,), frozenset(), False),
        ((), frozenset(), False),
        ((1,), frozenset({"number"}), True),
        (({"$number": "NaN"},), frozenset({"number"}), False),
        ((), frozenset({"string", "undefined"}), True),
        ((), frozenset({"string"}), False),
        (("a", None), frozenset({"string"}), False),
    ],
)
def test_a_call_is_sensible_if_its_arguments_have_types_that_are_taken(arguments, kinds, sensible):
    parameter = Parameter(name="text", template=StringGene(), kinds=kinds)
    binding = FunctionBinding(index=0, package="lib", kind="function", path=("f",), parameters=(parameter,))
    exchange = FunctionExchange(invocation=Invocation(operation="f", arguments=arguments))
    assert is_sensible(binding, exchange) is sensible
