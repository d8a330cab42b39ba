"""Feedback goes by the language that it is handed: here one that writes `True` and counts code points."""

from random import Random

import msgspec

from wimble.feedback.comparison.type_names import retyped
from wimble.feedback.input_to_state.operand_sources import InputIndex
from wimble.genes import AnyGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.model.testcase import Call, TestCase
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.types import Json, OperationId

OTHER = msgspec.structs.replace(
    JAVASCRIPT,
    to_text=str,
    text_length=len,
    type_of=lambda value: type(value).__name__,
    type_names=frozenset(("str", "int", "bool", "dict", "list", "NoneType")),
    object_type="list",
)


def index_of(value: Json, language: object) -> InputIndex:
    declared = HttpInput(
        name="input", location="body", required=True, media_type="application/json", template=AnyGene(value)
    )
    call = Call(http_operation(id=OperationId("op"), method="POST", path="/op", inputs=(declared,)), (AnyGene(value),))
    return InputIndex(TestCase((call,)), 0, Random(1), language)


def ways(value: Json, operand: Json, language: object) -> list[str]:
    return [origin.how for origin in index_of(value, language).origins(operand, with_guesses=False)]


def test_an_operand_is_recognised_as_the_language_writes_it():
    assert "converted" in ways(True, "True", OTHER)
    assert "converted" not in ways(True, "True", JAVASCRIPT)


def test_lengths_are_counted_as_the_language_counts():
    assert "its length" in ways("\U0001f600" * 7, 7, OTHER)
    assert "its length" in ways("\U0001f600" * 7, 14, JAVASCRIPT)
    assert "its length" not in ways("\U0001f600" * 7, 14, OTHER)


def test_types_have_the_names_of_the_language():
    index = index_of("abc", OTHER)
    assert [why for _, why in retyped(index, "str", "int", wanted=True, rng=Random(1))] == ["type may become int"]
