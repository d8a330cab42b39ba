"""Which functions are pairs, which values are the same, and which texts that do not come back are faults."""

import pytest

from wimble.engine.round_trips.round_trip_phase import Trip, fault_among
from wimble.engine.round_trips.written_again import can_be_passed, is_same, iter_pairs, writers_of
from wimble.genes import StringGene
from wimble.library.function_binding import FunctionBinding, Parameter, function_operation
from wimble.library.invocation import FunctionExchange, Invocation, Thrown
from wimble.types import ABSENT


def _function(*path: str, kind: str = "function"):
    parameters = (Parameter(name="value", template=StringGene()),)
    binding = FunctionBinding(index=0, package="lib", kind=kind, path=path, parameters=parameters)
    return function_operation(binding, ".".join(path))


def test_pairs_are_functions_of_one_object_by_their_names():
    operations = [
        _function("parse"), _function("stringify"), _function("text", "decode"), _function("text", "encode"),
        _function("other", "load"), _function("dump"), _function("format"), _function(),
    ]  # fmt: skip
    found = [(pair.reader.id, pair.writer.id) for pair in iter_pairs(operations)]
    assert found == [("parse", "stringify"), ("text.decode", "text.encode")]


@pytest.mark.parametrize(
    ("reader", "writers"),
    [
        ("parse", ["stringify", "serialize", "unparse"]),
        ("parseCookie", ["stringifyCookie", "serializeCookie", "unparseCookie"]),
        ("decode_utf8", ["encode_utf8"]),
        ("xml2js", ["js2xml"]),
        ("hexToBytes", ["bytesToHex"]),
        ("loads", []),
        ("toString", []),
        ("parser", []),
    ],
)
def test_names_of_writers_follow_from_the_name_of_the_reader(reader, writers):
    assert writers_of(reader) == writers


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ({"a": 1, "b": [True]}, {"b": [True], "a": 1.0}, True),
        ({"a": {"$number": "-0"}}, {"a": 0}, True),
        ({"$bare": {"a": "x"}}, {"a": "x"}, True),
        ({"a": "1"}, {"a": 1}, False),
        ({"a": True}, {"a": 1}, False),
        ([1, 2], [1], False),
        ({"a": 1}, {"a": 1, "b": None}, False),
    ],
)
def test_values_are_the_same_but_for_order_prototypes_and_the_sign_of_zero(first, second, same):
    assert is_same(first, second) is same


def test_what_a_notation_does_not_hold_cannot_be_passed_again():
    assert can_be_passed({"at": {"$date": 0}, "list": [{"$number": "NaN"}]})
    assert not can_be_passed([{"$instance": {"class": "A", "members": {}}}])
    assert not can_be_passed({"a": {"$opaque": "circular"}})
    assert not can_be_passed({"section": {}})


def _trip(text: str, value, again=ABSENT):
    thrown = Thrown(name="Error") if again is ABSENT else None
    exchange = FunctionExchange(Invocation(operation="parse", arguments=(text,)), again, thrown)
    return Trip(text, value, text, exchange, ())


def test_a_value_that_does_not_come_back_is_a_fault_if_most_others_do():
    good = [_trip(text, {text: 1}, {text: 1}) for text in "abcdefgh"]
    lost, refused = _trip("a=[]", {"a": []}, {}), _trip("long one", {"a": 1})
    assert fault_among([*good, refused, lost]) is lost
    assert fault_among([*good, refused]) is refused
    assert fault_among(good) is None
    assert fault_among([*good[:3], lost]) is None  # three of four: the functions may be no pair
    assert fault_among([good[0]] * 9 + [lost]) is None  # one value says little
