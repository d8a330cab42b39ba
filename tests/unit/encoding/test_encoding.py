"""Test cases are decoded as they were encoded, and what does not fit another run's operations is told."""

from __future__ import annotations

import json
import string
from functools import cache
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from wimble.encoding import GENES, SETUP_KINDS, TAG, decode_test_case, encode_test_case, n_parts, to_text
from wimble.errors import UsageError
from wimble.genes import ChoiceGene, Gene, IntegerGene, LinkedGene, StringGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.model.operation import Operation
from wimble.model.setup_kinds.database_action import DatabaseAction
from wimble.model.testcase import Call, SetupAction, TestCase
from wimble.types import ABSENT, Absent, Json

# ---- arbitrary test cases: any value that the type of a field allows, so a new kind or field takes part --------------

TEXTS = st.text(st.characters(exclude_categories=()), max_size=4)  # lone surrogates, too
FLOATS = st.floats(allow_nan=False)
SCALARS: SearchStrategy[Json] = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | FLOATS | TEXTS
JSON: SearchStrategy[Json] = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS | st.just("type"), inner, max_size=3)
)
PLAIN = {int: st.integers(), float: FLOATS, str: TEXTS, bool: st.booleans(), NoneType: st.none()}


def values(hint: Any) -> SearchStrategy[Any]:
    """Whatever a field with that type hint may hold."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is Any:
        return JSON
    if hint in PLAIN:
        return PLAIN[hint]
    if hint is Absent:
        return st.just(ABSENT)
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin is frozenset:
        return st.frozensets(values(arguments[0]), max_size=3)
    if origin is tuple and arguments[-1] is Ellipsis:
        return st.lists(values(arguments[0]), max_size=3).map(tuple)
    if origin is tuple:
        return st.tuples(*map(values, arguments))
    if arguments:
        return st.one_of(*map(values, arguments))
    return genes() if hint is Gene else structs(hint)


@cache
def structs(kind: type[msgspec.Struct]) -> SearchStrategy[Any]:
    hints = {name: get_type_hints(kind)[name] for name in kind.__struct_fields__}
    # Behind `deferred`, as the fields of a gene hold genes.
    return st.builds(kind, **{name: st.deferred(lambda hint=hints[name]: values(hint)) for name in hints})


@cache
def genes() -> SearchStrategy[Gene]:
    leaves = [kind for kind in GENES.values() if not any(holds_genes(hint) for hint in field_types(kind))]
    return st.one_of(*map(structs, leaves)) | st.deferred(lambda: st.one_of(*map(structs, GENES.values())))


def field_types(kind: type[msgspec.Struct]) -> list[Any]:
    return [get_type_hints(kind)[name] for name in kind.__struct_fields__]


def holds_genes(hint: Any) -> bool:
    return hint is Gene or any(map(holds_genes, get_args(hint)))


@st.composite
def any_test_case(draw: st.DrawFn) -> TestCase:
    calls = [
        Call(operation(f"GET /{number}", *string.ascii_lowercase[: len(inputs)]), tuple(inputs), draw(TEXTS))
        for number, inputs in enumerate(draw(st.lists(st.lists(genes(), max_size=2), max_size=2)))
    ]
    setup = draw(st.lists(st.one_of(*map(structs, SETUP_KINDS.values())), max_size=2))
    return TestCase(tuple(calls), tuple(setup))


def operation(operation_id: str, *names: str) -> Operation:
    inputs = tuple(HttpInput(name=name, location="query", template=StringGene()) for name in names)
    return http_operation(id=operation_id, method="GET", path=operation_id.partition(" ")[2], inputs=inputs)


def operations_of(test_case: TestCase) -> list[Operation]:
    return [call.operation for call in test_case.calls]


@given(any_test_case())
@settings(max_examples=200, deadline=None)
def test_a_test_case_is_decoded_as_it_was_encoded(test_case: TestCase) -> None:
    text = to_text(encode_test_case(test_case))
    decoded = decode_test_case(json.loads(text), operations_of(test_case))
    assert decoded == test_case
    assert to_text(encode_test_case(decoded)) == text  # where == is too kind: 1, 1.0 and True


def subclasses(kind: type) -> set[type]:
    return {kind}.union(*(subclasses(child) for child in kind.__subclasses__()))


@pytest.mark.parametrize(("table", "base"), [(GENES, Gene), (SETUP_KINDS, SetupAction)])
def test_each_kind_has_a_tag_and_no_field_of_its_name(table: dict[str, type], base: type) -> None:
    shared = {base, DatabaseAction}  # bases, of which there are no instances
    ours = {kind for kind in subclasses(base) - shared if kind.__module__.startswith("wimble.")}
    assert ours == set(table.values())
    assert not [kind for kind in ours if TAG in kind.__struct_fields__]


def test_what_is_written_is_short_and_has_names() -> None:
    call = Call(
        operation("GET /books", "page", "q"), (IntegerGene(3), LinkedGene(0, 0, (1, 2), StringGene("x"))), "ann"
    )
    assert encode_test_case(TestCase((call,))) == {
        "version": 1,
        "setup": [],
        "calls": [
            {
                "operation": "GET /books",
                "inputs": {
                    "query page": {"type": "integer", "value": 3},
                    "query q": {
                        "type": "linked",
                        "call": 0,
                        "input": 0,
                        "path": [1, 2],
                        "fallback": {"type": "string", "value": "x"},
                    },
                },
                "user": "ann",
            }
        ],
    }


def encoded(**changes: Json) -> Json:
    call = Call(operation("GET /books", "page"), (IntegerGene(3),))
    return encode_test_case(TestCase((call,))) | changes


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([], "version 'list'"),
        (encoded(version=2), "version 2, this wimble reads version 1"),
        (encoded(calls=[{"operation": "GET /book", "inputs": {}}]), "there is no operation GET /book"),
        (encoded(calls=[{"operation": "GET /books", "inputs": {}}]), "new input, `query page`"),
        (encoded(calls=[{"operation": "GET /books", "inputs": {"query q": {}}}]), "no input `query q`"),
        (encoded(calls=[{"operation": "GET /books", "inputs": {"query page": {"type": "qubit"}}}]), "'qubit'"),
        (
            encoded(calls=[{"operation": "GET /books", "inputs": {"query page": {"type": "integer", "value": "x"}}}]),
            "int",
        ),
        (encoded(calls=[{"operation": "GET /books", "inputs": {"query page": {"type": "integer", "odd": 1}}}]), "odd"),
        (encoded(calls=[{"operation": "GET /books", "inputs": {"query page": {"type": "array"}}}]), "element"),
        (encoded(calls=[{"operation": "GET /books", "inputs": {"query page": 3}}]), "int"),
        (encoded(setup=[{"type": "row", "columns": "id"}]), "no list"),
        ({"version": 1}, "calls"),
    ],
)
def test_what_does_not_fit_is_told(value: Json, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        decode_test_case(value, [operation("GET /books", "page")])
    assert caught.value.slug == "test-case-does-not-fit"
    assert words in "\n".join(caught.value.details)


def test_the_nearest_operation_is_named() -> None:
    with pytest.raises(UsageError) as caught:
        decode_test_case(encoded(), [operation("GET /book", "page"), operation("POST /x")])
    assert caught.value.details == ("there is no operation GET /books", "nearest: GET /book")


def test_parts_that_many_alternatives_share_are_counted_each_time_but_looked_at_once():
    gene: Gene = StringGene("a")
    for _ in range(60):
        gene = ChoiceGene((gene, gene))
    test_case = TestCase((Call(operation("GET /items", "name"), (gene,)),))
    assert n_parts(test_case, 2**70) == 2**61 - 1
    assert n_parts(test_case, 1000) == 1000
