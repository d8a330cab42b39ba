"""Scenarios: a call with inputs, what the SUT compared, and what the edited inputs become."""

from __future__ import annotations

import base64
import json
import re
from random import Random
from typing import Any

import pytest

from hint_samples import UNDEFINED, hint
from wimble.feedback import apply_edit, edits_from_hints
from wimble.feedback.hint_readers import MAX_EDITS_PER_TARGET
from wimble.feedback.input_to_state.input_sites import iter_sites
from wimble.genes import (
    AnyGene,
    ArrayGene,
    BooleanGene,
    ChoiceGene,
    ConstantGene,
    EnumGene,
    Gene,
    IntegerGene,
    NullableGene,
    NumberGene,
    ObjectGene,
    OptionalGene,
    ReferenceGene,
    SeededGene,
    StringGene,
)
from wimble.genes.string_specialisation import SPECIALISATIONS
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.model.hints import OperandHint, SplitHint
from wimble.model.operands import DateValue
from wimble.model.testcase import Call, TestCase
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.solve.patterns.regex import matches
from wimble.types import ABSENT, Json, OperationId, TargetId


def call_of(**inputs: Gene) -> Call:
    declared = tuple(HttpInput(name=name, location="query", template=gene) for name, gene in inputs.items())
    return Call(
        http_operation(id=OperationId("GET /x"), method="GET", path="/x", inputs=declared), tuple(inputs.values())
    )


def case_of(**inputs: Gene) -> TestCase:
    return TestCase((call_of(**inputs),))


def outcomes(test_case: TestCase, *hints: OperandHint, seed: int = 0) -> list[dict[str, Json]]:
    """Phenotypes of the (first) call after each edit, best first."""
    edits = edits_from_hints(test_case, hints, Random(seed), JAVASCRIPT)
    return [phenotypes(apply_edit(test_case, edit)) for edit in edits]


def phenotypes(test_case: TestCase, call: int = 0) -> dict[str, Json]:
    one = test_case.calls[call]
    names = (declared.name for declared in one.operation.inputs)
    return {name: gene.phenotype() for name, gene in zip(names, one.genes, strict=True)}


# (genes, hint, name of the input, value it must get by the first edit)
FIRST: list[tuple[dict[str, Gene], OperandHint, str, Json]] = [
    ({"a": StringGene("qx3f1"), "b": StringGene("other")}, hint("qx3f1", "===", "admin"), "a", "admin"),
    ({"a": StringGene("qx3f1")}, hint("admin", "===", "qx3f1"), "a", "admin"),
    ({"a": StringGene("qx3f1")}, hint("qx3f1", "key", "red"), "a", "red"),
    ({"a": StringGene("X-qx3f1")}, hint("qx3f1", "key", "red"), "a", "X-red"),
    ({"a": IntegerGene(48213)}, hint(48213, "==", 7), "a", 7),
    ({"a": IntegerGene(48213)}, hint("48213", "===", "7"), "a", 7),
    ({"a": StringGene("48213")}, hint(48213, "===", 5000), "a", "5000"),
    ({"a": StringGene("00482")}, hint(482, "===", 5000), "a", "5000"),
    ({"a": NumberGene(48213.5)}, hint(48213.5, "===", 0.25), "a", 0.25),
    ({"a": IntegerGene(48213)}, hint({"$bigint": "48213"}, "===", {"$bigint": "99"}), "a", 99),
    ({"a": BooleanGene(False)}, hint(False, "===", True), "a", True),
    ({"a": BooleanGene(False)}, hint("false", "===", "true"), "a", True),
    ({"a": EnumGene(("red", "green"))}, hint("red", "===", "green"), "a", "green"),
    ({"a": EnumGene(("red", "green"))}, hint("red", "===", "blue"), "a", "blue"),
    ({"a": SeededGene(StringGene("qx3f1"), ("s",))}, hint("qx3f1", "===", "admin"), "a", "admin"),
    ({"a": NullableGene(StringGene("qx3f1"))}, hint("qx3f1", "===", None), "a", None),
    ({"a": OptionalGene(StringGene("qx3f1"))}, hint("qx3f1", "===", UNDEFINED), "a", ABSENT),
    ({"a": ChoiceGene((IntegerGene(48213), StringGene("")))}, hint(48213, "==", "admin"), "a", "admin"),
    ({"a": AnyGene({"k": [1, "qx3f1"]})}, hint("qx3f1", "===", "admin"), "a", {"k": [1, "admin"]}),
    ({"a": AnyGene("qx3f1")}, hint("qx3f1", "===", 5), "a", 5),
    ({"a": ReferenceGene(0, "/id", IntegerGene(48213))}, hint(48213, "===", 5), "a", 5),
    # transformed on the way
    ({"a": StringGene("qx3F1")}, hint("qx3f1", "===", "admin"), "a", "admin"),
    ({"a": StringGene("qx3f1")}, hint("QX3F1", "===", "ADMIN"), "a", "ADMIN"),
    ({"a": StringGene(" qx3f1 ")}, hint("qx3f1", "===", "admin"), "a", "admin"),
    ({"a": StringGene("qx3f1")}, hint("cXgzZjE=", "===", "YWRtaW4="), "a", "admin"),
    ({"a": StringGene("cXgzZjE=")}, hint("qx3f1", "===", "admin"), "a", "YWRtaW4="),
    ({"a": StringGene("6b31663278")}, hint("k1f2x", "===", "ok"), "a", "6f6b"),
    ({"a": StringGene("qx 3f1")}, hint("qx%203f1", "===", "a%20b"), "a", "a b"),
    ({"a": StringGene("2024-03-05")}, hint({"$date": 1709596800000}, "===", {"$date": 0}), "a", "1970-01-01"),
    ({"a": StringGene("2024-03-05T00:00:00Z")}, hint(1709596800000, "===", 1000), "a", "1970-01-01T00:00:01.000Z"),
    ({"a": StringGene("qx3f1")}, hint('"qx3f1"', "===", '"ok"'), "a", "ok"),
    ({"a": StringGene("2024-03-05T00:00:00Z")}, hint(1709596800000, "===", -30610224000000), "a", "1000-01-01T00:00:00.000Z"),
    # parts and templates
    ({"a": StringGene("Bearer qx3f1")}, hint("qx3f1", "===", "secret"), "a", "Bearer secret"),
    ({"a": StringGene("2024-03-05")}, hint(3, "===", 12), "a", "2024-12-05"),
    ({"a": StringGene("2024-03-05")}, hint(2024, "===", 1999), "a", "1999-03-05"),
    ({"a": StringGene("x=y")}, hint("y", "===", "no"), "a", "x=no"),
    ({"a": StringGene("qx3f1")}, hint("user:qx3f1!", "===", "user:root!"), "a", "root"),
    ({"a": IntegerGene(48213)}, hint("order-48213", "===", "order-5"), "a", 5),
    # lengths
    ({"a": StringGene("qx3f1kk")}, hint(7, "===", 3), "a", "qx3"),
    ({"a": StringGene("qx3f1kk")}, hint(7, ">=", 10), "a", "qx3f1kkqx3"),
    ({"a": ArrayGene(ConstantGene("z"), (ConstantGene("z"),) * 2)}, hint(2, ">", 4), "a", ["z"] * 5),
    # order: the boundary first
    ({"a": IntegerGene(48213)}, hint(48213, "<", 100), "a", 99),
    ({"a": IntegerGene(48213)}, hint(48213, "<=", 100), "a", 100),
    ({"a": IntegerGene(3000)}, hint(3000, ">", 5000), "a", 5001),
    ({"a": IntegerGene(3000)}, hint(5000, "<", 3000), "a", 5001),
    ({"a": IntegerGene(3000)}, hint(3000, ">", 9.5), "a", 10),
    ({"a": IntegerGene(3000)}, hint(3000, ">=", 100, wanted=False), "a", 99),
    ({"a": IntegerGene(3000)}, hint(100, ">=", 3000), "a", 100),
    ({"a": StringGene("2024-03-05")}, hint({"$date": 1709596800000}, "<", {"$date": 86400000}), "a", "1970-01-01"),
    ({"a": StringGene("qx3f1")}, hint("qx3f1", ">", "zzz"), "a", "zzza"),
    # strings' methods
    ({"a": StringGene("qx3f1")}, hint("qx3f1", "startsWith", "adm-"), "a", "adm-qx3f1"),
    ({"a": StringGene("qx3f1")}, hint("qx3f1", "endsWith", ".js"), "a", "qx3f1.js"),
    ({"a": StringGene("qx3f1")}, hint("qx3f1", "includes", "@"), "a", "@qx3f1"),
    ({"a": StringGene("qx3f1")}, hint("constant", "startsWith", "qx3f1"), "a", "constant"),
    ({"a": StringGene("Basic qx3f1")}, hint("qx3f1", "startsWith", "adm-"), "a", "Basic adm-qx3f1"),
    # truth
    ({"a": IntegerGene(48213)}, hint(48213, "truthy", wanted=False), "a", 0),
    ({"a": BooleanGene(True)}, hint(True, "truthy", wanted=False), "a", False),
    ({"a": StringGene("qx3f1")}, hint("qx3f1", "truthy", wanted=False), "a", ""),
    ({"a": IntegerGene(0)}, hint(0, "truthy"), "a", 1),
    # arithmetic
    ({"a": IntegerGene(48213)}, hint(96426, "===", 500), "a", 250),
    ({"a": IntegerGene(48213)}, hint(48220, "===", 500), "a", 493),
    ({"a": IntegerGene(48213)}, hint(-48213, "===", 500), "a", -500),
    ({"a": NumberGene(4000)}, hint(40, "===", 7), "a", 700),
]  # fmt: skip


@pytest.mark.parametrize(("inputs", "seen", "name", "expected"), FIRST)
def test_the_first_edit_writes_what_is_wanted(
    inputs: dict[str, Gene], seen: OperandHint, name: str, expected: Json
) -> None:
    before = phenotypes(case_of(**inputs))
    first = outcomes(case_of(**inputs), seen)[0]
    assert first == {**before, name: expected}
    assert type(first[name]) is type(expected) or not isinstance(expected, bool)


def test_two_inputs_compared_with_each_other_are_copied_either_way() -> None:
    found = outcomes(case_of(a=StringGene("qx3f1"), b=StringGene("k92jd")), hint("qx3f1", "===", "k92jd"))
    assert found[:2] == [{"a": "k92jd", "b": "k92jd"}, {"a": "qx3f1", "b": "qx3f1"}]


@pytest.mark.parametrize("name", ["body.password.length", "password.length"])
def test_of_many_inputs_of_one_length_the_one_that_was_read_comes_first(name: str) -> None:
    inputs = {one: StringGene(f"{one[:2]}xyz") for one in ("sid", "name", "zone", "note", "password")}
    first, *_ = outcomes(case_of(**inputs), hint(5, "<", 8, wanted=False, name=name))
    assert len(first["password"]) >= 8
    first, *_ = outcomes(case_of(**inputs), hint(5, "<", 8, wanted=False))
    assert len(first["password"]) == 5


def test_sums_and_products_of_two_inputs_are_solved_for_each() -> None:
    case = case_of(a=IntegerGene(3000), b=IntegerGene(456))
    assert {"a": 4544, "b": 456} in outcomes(case, hint(3456, "===", 5000))
    assert {"a": 3000, "b": 2000} in outcomes(case, hint(3456, "===", 5000))
    assert {"a": 5, "b": 456} in outcomes(case, hint(3000 * 456, "===", 5 * 456))
    assert {"a": 3000, "b": 2999} in outcomes(case, hint(2544, "===", 1))


def test_a_number_computed_in_an_unknown_way_moves_by_what_is_missing() -> None:
    assert outcomes(case_of(a=IntegerGene(48213)), hint(144647, "===", 144650)) == [{"a": 48216}, {"a": 48210}]


def test_a_date_moves_by_what_is_missing_of_a_difference_with_the_clock() -> None:
    found = outcomes(case_of(at=StringGene("2024-03-01T00:00:00.000Z")), hint(-86_400_000 * 3, ">", 0))
    assert {"at": "2024-03-04T00:01:00.001Z"} in found


def test_a_date_moves_by_days_where_days_are_counted() -> None:
    assert {"to": "2024-03-31"} in outcomes(case_of(to=StringGene("2024-03-01")), hint(-1, "===", 29))
    in_ms = 1_709_251_200_000
    assert {"to": in_ms + 30 * 86_400_000} in outcomes(case_of(to=IntegerGene(in_ms)), hint(-1, "===", 29))


def test_a_text_in_one_part_is_put_in_parts() -> None:
    found = outcomes(case_of(ip=StringGene("qx3f1")), hint(1, "===", 4))
    assert {"ip": "qx3f1.qx3f1.qx3f1.qx3f1"} in found
    assert {"ip": "qx3f1;qx3f1;qx3f1;qx3f1"} in found


SIGNED = "eyJhbGciOiJIUzI1NiJ9.eyJpZCI6MjEsImlhdCI6MTc5NTc2OTY5MH0.6gUS__Xp4Gt3kyfsAXab6LGKwm-cJr4IHz__BflGTUE"


@pytest.mark.parametrize(
    "gene", [StringGene(f"Token {SIGNED}"), ReferenceGene(0, "/sid", StringGene("x4-9f8e7d6c5b4a3"))]
)
@pytest.mark.parametrize("text", ["4", "x", "e"])
def test_short_texts_are_no_parts_of_what_the_program_makes_at_random(gene: Gene, text: str) -> None:
    others = {"beside": StringGene("none")}
    with_token = outcomes(case_of(sid=gene, **others), hint("undefined", "===", text))
    assert {one["sid"] for one in with_token} <= {gene.phenotype(), text, "undefined"}


def test_a_short_text_is_a_part_of_what_is_sent() -> None:
    assert {"a": "x4-9f8e7d6c5b4az"} in outcomes(case_of(a=StringGene("x4-9f8e7d6c5b4a3")), hint("3", "===", "z"))


@pytest.mark.parametrize(("wanted", "expected"), [
    ("8443", "https://a.internal:8443/x"),
    ("#top", "https://a.internal/x#top"),
    ("?q=1", "https://a.internal/x?q=1"),
    ("root", "https://root@a.internal/x"),
])  # fmt: skip
def test_a_part_that_a_url_lacks_is_put_in(wanted: str, expected: str) -> None:
    assert {"url": expected} in outcomes(case_of(url=StringGene("https://a.internal/x")), hint("", "===", wanted))


@pytest.mark.parametrize(("mine", "operator", "limit", "expected"), [
    (60.5, "<", 51.3, 51.299),
    (-1, ">", -0.2, -0.199),
    (0.5, ">", 1, 1.01),
    (2, "<", 2, 1.99),
    (1, ">", 1, 1.01),
])  # fmt: skip
def test_fractions_go_just_beyond_the_limit(mine: float, operator: str, limit: float, expected: float) -> None:
    assert {"x": expected} in outcomes(case_of(x=NumberGene(mine)), hint(mine, operator, limit))


def test_parts_that_are_no_numbers_become_numbers() -> None:
    found = outcomes(case_of(ip=StringGene("qx3f1.7.qx3f1")), hint({"$number": "NaN"}, ">=", 0))
    assert {"ip": "0.7.0"} in found


def test_whole_numbers_stay_whole() -> None:
    assert all(isinstance(found["x"], int) for found in outcomes(case_of(x=IntegerGene(5)), hint(5, ">", 7)))


@pytest.mark.parametrize(("text", "read", "base", "expected"), [
    ("51966", 0x51966, 0xCAFE, "cafe"),
    ("3341R,.y", 0x3341, 0xCAFE, "cafe"),
    ("0x1f", 0x1F, 0xCAFE, "0xcafe"),
    ("0777;", 0o777, 0o644, "644"),
])  # fmt: skip
def test_digits_of_another_base(text: str, read: int, base: int, expected: str) -> None:
    assert {"id": expected} in outcomes(case_of(id=StringGene(text)), hint(read, "===", base))


@pytest.mark.parametrize("operator", ["===", "=="])
def test_a_difference_is_made_where_equality_is_unwanted(operator: str) -> None:
    for gene, value in ((StringGene("admin"), "admin"), (EnumGene(("x", "y")), "x"), (IntegerGene(500), 500)):
        found = outcomes(case_of(a=gene), hint(value, operator, value, wanted=False))
        assert found and all(outcome["a"] != value for outcome in found)
    assert all(
        outcome["a"] in ("x", "y")
        for outcome in outcomes(case_of(a=EnumGene(("x", "y"))), hint("x", operator, "x", wanted=False))[:1]
    )


@pytest.mark.parametrize(("operator", "literal"), [("startsWith", "adm"), ("endsWith", "min"), ("includes", "dmi")])
def test_strings_methods_are_made_to_fail(operator: str, literal: str) -> None:
    found = outcomes(case_of(a=StringGene("admin")), hint("admin", operator, literal, wanted=False))
    assert len(found) >= 2 and all(literal not in outcome["a"] for outcome in found[:2])


@pytest.mark.parametrize(
    ("source", "text", "wanted"),
    [
        ("qx3f1", "Dr. Lou (Pham)", {r"Dr\. Lou \(Pham\)", "Dr"}),
        (r"^Dr\. qx3f1", "Dr. Lou Pham", {"Lou Pham"}),
        ("qx3f1$", "oak table", {"oak table", "table"}),
    ],
)
def test_an_input_in_an_expression_becomes_a_part_of_the_text(source: str, text: str, wanted: set[str]) -> None:
    found = outcomes(case_of(a=StringGene("qx3f1")), hint(text, "regex", source))
    assert wanted <= {one["a"] for one in found}


def test_a_regex_is_matched_and_missed() -> None:
    source = r"^[A-Z]{2}\d+$"
    case = case_of(a=StringGene("qx3f1"))
    for wanted in (True, False):
        found = outcomes(case, hint("qx3f1", "regex", source, wanted=wanted))
        assert found and all(matches(source, "", outcome["a"]) is wanted for outcome in found)
    assert outcomes(case, hint("qx3f1", "regex", "(")) == []


def test_a_regex_on_a_part_replaces_that_part() -> None:
    first = outcomes(case_of(a=StringGene("Bearer qx3f1")), hint("qx3f1", "regex", r"^\d{3}$"))[0]["a"]
    assert first.startswith("Bearer ") and matches(r"^Bearer \d{3}$", "", first)


def test_an_undefined_operand_switches_on_inputs_left_out() -> None:
    case = case_of(a=OptionalGene(StringGene("x"), False), b=OptionalGene(IntegerGene(3), False), c=StringGene("qx3f1"))
    found = outcomes(case, hint(UNDEFINED, "===", "admin"))
    assert {"a": "admin", "b": ABSENT, "c": "qx3f1"} in found
    assert all(outcome["c"] == "qx3f1" for outcome in found)


@pytest.mark.parametrize("name", ["query.due_before", "dueBefore", "req.query.dueBefore", "headers.due-before"])
def test_of_many_inputs_left_out_the_one_that_was_read_comes_first(name: str) -> None:
    left_out: dict[str, Gene] = {f"filter{n}": OptionalGene(StringGene("x"), False) for n in range(40)}
    case = case_of(
        **left_out, due_before=OptionalGene(StringGene("x"), False), before=OptionalGene(StringGene("x"), False)
    )
    for one in (hint(UNDEFINED, "===", "soon", name=name), hint(UNDEFINED, "truthy", name=name)):
        first, *others = outcomes(case, one)
        assert [key for key, value in first.items() if value is not ABSENT] == ["due_before"]
        # Names may mislead: others are tried, too.
        assert any(value is not ABSENT for other in others for key, value in other.items() if key != "due_before")


def test_a_default_is_known_by_the_name_of_the_input_that_is_left_out() -> None:
    left_out: dict[str, Gene] = {f"filter{n}": OptionalGene(StringGene("x"), False) for n in range(40)}
    case = case_of(**left_out, limit=OptionalGene(IntegerGene(3), False), all=OptionalGene(BooleanGene(False), False))
    assert [one["limit"] for one in outcomes(case, hint(10, ">", 50, name="query.limit"))][:1] == [51]
    assert outcomes(case, hint(False, "truthy", name="query.all"))[0]["all"] is True
    # Where it is given, the input is not the default.
    given = case_of(limit=OptionalGene(IntegerGene(48213)))
    assert outcomes(given, hint(48213, "===", 50, name="query.limit"))[0]["limit"] == 50


def test_a_field_left_out_of_a_body_is_known_by_its_name() -> None:
    fields = tuple((key, OptionalGene(StringGene("x"), False)) for key in (*"abcdefghijklmnop", "coupon"))
    first, *_ = outcomes(case_of(order=ObjectGene(fields)), hint(UNDEFINED, "===", "S20", name="body.order.coupon"))
    assert first["order"] == {"coupon": "S20"}


def test_a_truthy_undefined_operand_switches_on_inputs_left_out() -> None:
    case = case_of(a=OptionalGene(EnumGene(("u", "v")), False))
    assert any(outcome["a"] in ("u", "v") for outcome in outcomes(case, hint(UNDEFINED, "truthy")))


def test_few_inputs_are_switched_on_for_one_hint() -> None:
    case = case_of(**{f"o{i}": OptionalGene(StringGene("x"), False) for i in range(30)})
    found = outcomes(case, hint(UNDEFINED, "===", "admin"))
    assert 1 <= len(found) <= 4


def test_nan_comes_from_text_that_is_no_number() -> None:
    found = outcomes(case_of(page=StringGene("qx3f1")), hint({"$number": "NaN"}, ">", 10))
    assert found[0] == {"page": "11"}


def test_a_literal_that_met_no_input_is_tried_on_few_strings() -> None:
    case = case_of(**{f"s{i}": StringGene(f"qx3f{i}") for i in range(9)})
    found = outcomes(case, hint("hash-of-something", "===", "d41d8cd98f"))
    assert 1 <= len(found) <= 6
    assert any("d41d8cd98f" in outcome.values() for outcome in found)


def test_inputs_of_earlier_calls_are_recognised_after_those_of_the_call() -> None:
    case = TestCase((call_of(a=StringGene("qx3f1")), call_of(b=StringGene("qx3f1"))))
    edits = edits_from_hints(case, [hint("qx3f1", "===", "admin", call=1)], Random(0), JAVASCRIPT)
    assert [edit.address.call for edit in edits] == [1, 0]
    early = edits_from_hints(case, [hint("qx3f1", "===", "admin", call=0)], Random(0), JAVASCRIPT)
    assert [edit.address.call for edit in early] == [0]


def test_references_are_recognised_by_their_resolved_value() -> None:
    case = case_of(a=ReferenceGene(0, "/id", IntegerGene(1)))
    edits = edits_from_hints(case, [hint("k7", "===", "k8")], Random(0), JAVASCRIPT, resolve=lambda call, pointer: "k7")
    assert [edit.gene for edit in edits] == [StringGene("k8")]  # whatever the schema says: it is sent as text
    edits = edits_from_hints(case, [hint(977, "===", 5)], Random(0), JAVASCRIPT, resolve=lambda call, pointer: 977)
    assert edits[0].gene == IntegerGene(5)


def test_a_query_parameter_is_sent_twice_where_a_list_is_asked_for() -> None:
    case = case_of(a=StringGene("other"), q=OptionalGene(StringGene("qx3f1")))
    first, *_ = outcomes(case, hint("qx3f1", "list"))
    assert isinstance(first["q"], list)
    assert (len(first["q"]), first["q"][0], first["a"]) == (2, "qx3f1", "other")
    left_out = case_of(q=OptionalGene(StringGene("qx3f1"), False))
    assert isinstance(outcomes(left_out, hint(UNDEFINED, "list"))[0]["q"], list)


def test_a_member_of_a_json_body_becomes_a_list_where_one_is_asked_for() -> None:
    given = HttpInput(name="body", location="body", template=StringGene(), media_type="application/json")
    operation = http_operation(id=OperationId("POST /x"), method="POST", path="/x", inputs=(given,))
    case = TestCase((Call(operation, (ObjectGene((("tags", StringGene("qx3f1")),)),)),))
    assert outcomes(case, hint("qx3f1", "list"))[0]["body"] == {"tags": ["qx3f1"]}


@pytest.mark.parametrize("more", [{"location": "header"}, {"style": "pipeDelimited"}, {"explode": False}])
def test_what_can_be_sent_once_only_becomes_no_list(more: dict[str, Any]) -> None:
    given = HttpInput(**{"name": "q", "location": "query", "template": StringGene(), **more})
    operation = http_operation(id=OperationId("GET /x"), method="GET", path="/x", inputs=(given,))
    assert outcomes(TestCase((Call(operation, (StringGene("qx3f1"),)),)), hint("qx3f1", "list")) == []


@pytest.mark.parametrize(("right", "wanted"), [("string", False), ("object", True)])
def test_typeof_a_query_parameter_may_be_that_of_a_list(right: str, *, wanted: bool) -> None:
    changed = outcomes(case_of(q=StringGene("qx3f1")), hint("string", "===", right, wanted=wanted))
    assert any(isinstance(one["q"], list) for one in changed)


@pytest.mark.parametrize(("now", "type_now", "wanted", "kinds"), [
    ("5434", "number", True, {dict}),
    ("5434", "number", False, {list, dict, str, bool, type(None)}),
    ('{"a": 1}', "object", False, {str, int, bool}),
    ("qx3f1", "number", True, set()),
])  # fmt: skip
def test_a_text_that_holds_json_of_the_compared_type_holds_another(
    now: str, type_now: str, kinds: set[type], *, wanted: bool
) -> None:
    right = "object" if wanted else type_now
    changed = outcomes(case_of(q=StringGene(now)), hint(type_now, "===", right, wanted=wanted))
    held = {type(json.loads(one["q"])) for one in changed}
    assert held <= kinds and bool(held) is bool(kinds)


def test_typeof_makes_inputs_change_their_type() -> None:
    case = case_of(
        a=OptionalGene(StringGene("x"), False), b=ChoiceGene((IntegerGene(5), StringGene("y"))), c=AnyGene(True)
    )
    found = outcomes(case, hint("undefined", "===", "string"))
    assert len(found) == 1 and isinstance(found[0]["a"], str)
    found = outcomes(case, hint("number", "===", "string"))
    assert len(found) == 1 and isinstance(found[0]["b"], str)
    assert outcomes(case, hint("boolean", "===", "number")) == [{"a": ABSENT, "b": 5, "c": 1}]
    assert [one["c"] for one in outcomes(case, hint("boolean", "===", "boolean", wanted=False))] == [ABSENT]


def test_a_date_object_of_the_program_is_written_into_no_input() -> None:
    sites = list(iter_sites(case_of(c=AnyGene({"k": ["abc"]}), d=AnyGene("x")), 0, None))
    assert len(sites) >= 2
    assert [site.put(DateValue(0)) for site in sites] == [None] * len(sites)
    assert all(site.put("other") is not None for site in sites)


def test_a_json_body_may_hold_a_type_that_the_schema_forbids() -> None:
    body = ObjectGene((("name", StringGene("qx3f1")), ("size", IntegerGene(48213))))
    declared = (HttpInput(name="body", location="body", template=body, media_type="application/json"),)
    operation = http_operation(id=OperationId("POST /x"), method="POST", path="/x", inputs=declared)
    case = TestCase((Call(operation, (body,)),))
    assert outcomes(case, hint("string", "===", "string", wanted=False)) == [{"body": {"size": 48213}}]
    assert outcomes(case, hint("number", "===", "string"))[0]["body"]["name"] == "qx3f1"
    assert isinstance(outcomes(case, hint("number", "===", "string"))[0]["body"]["size"], str)
    assert outcomes(case, hint("qx3f1", "===", None)) == [{"body": {"name": None, "size": 48213}}]
    assert outcomes(case_of(a=StringGene("qx3f1")), hint("qx3f1", "===", None)) == []


def test_outside_of_json_any_text_can_be_sent_whatever_the_schema_says() -> None:
    case = case_of(n=IntegerGene(48213))
    missed = outcomes(case, hint(48213, "format", "number", wanted=False))
    assert missed and all(isinstance(one["n"], str) for one in missed)
    assert outcomes(case, hint(48213, "===", 48213.5))[0] == {"n": 48213.5}


def test_what_is_required_can_be_left_out_but_for_parts_of_the_path() -> None:
    declared = (
        HttpInput(name="q", location="query", template=StringGene("qx3f1"), required=True),
        HttpInput(name="id", location="path", template=StringGene("ab9k2"), required=True),
    )
    operation = http_operation(id=OperationId("GET /x/{id}"), method="GET", path="/x/{id}", inputs=declared)
    case = TestCase((Call(operation, tuple(one.template for one in declared)),))
    assert {"q": ABSENT, "id": "ab9k2"} in outcomes(case, hint("qx3f1", "truthy", wanted=False))
    assert all(one["id"] is not ABSENT for one in outcomes(case, hint("ab9k2", "truthy", wanted=False)))
    array = case_of(a=ArrayGene(StringGene(""), (StringGene("qx3f1"), StringGene("b"))))
    assert all(len(one["a"]) == 2 for one in outcomes(array, hint("qx3f1", "truthy", wanted=False)))


def test_all_lists_of_a_list_get_the_length_that_the_program_wants_of_one():
    rows = tuple(ArrayGene(ConstantGene(7), (ConstantGene(7),) * n) for n in (0, 2))
    declared = case_of(rows=ArrayGene(rows[0], rows))
    assert {"rows": [[7, 7, 7], [7, 7, 7]]} in outcomes(declared, hint(0, "===", 3))
    undeclared = case_of(rows=ArrayGene(AnyGene([]), (AnyGene([]), AnyGene([1, 2]), AnyGene("x"))))
    assert {"rows": [[0, 0, 0], [1, 2, 2], "x"]} in outcomes(undeclared, hint(2, "===", 3))


def test_constants_are_never_edited() -> None:
    assert outcomes(case_of(a=ConstantGene("qx3f1")), hint("qx3f1", "===", "admin")) == []


def test_nested_fields_are_addressed() -> None:
    body = ObjectGene((("user", ObjectGene((("role", OptionalGene(StringGene("qx3f1"))), ("n", IntegerGene(4))))),))
    assert outcomes(case_of(body=body), hint("qx3f1", "===", "admin"))[0] == {
        "body": {"user": {"role": "admin", "n": 4}}
    }


def test_edits_are_bounded_distinct_and_deterministic() -> None:
    case = case_of(**{f"i{k}": IntegerGene(1) for k in range(40)})
    hints = [hint(1, "<", limit) for limit in range(-30, 0)]
    edits = edits_from_hints(case, hints, Random(3), JAVASCRIPT)
    assert len(edits) == MAX_EDITS_PER_TARGET
    assert len({(edit.address, edit.gene) for edit in edits}) == len(edits)
    assert edits == edits_from_hints(case, hints, Random(3), JAVASCRIPT)
    other = [hint(1, "<", limit, target=TargetId(2)) for limit in range(-30, 0)]
    assert {edit.target for edit in edits_from_hints(case, hints + other, Random(3), JAVASCRIPT)} == {1, 2}


def test_unknown_calls_are_ignored() -> None:
    case = case_of(a=StringGene("qx3f1"))
    assert outcomes(case, hint("qx3f1", "===", "admin", call=7)) == []


def test_every_edit_changes_the_test_case_and_says_why() -> None:
    case = case_of(a=StringGene("qx3f1"), b=IntegerGene(48213), c=OptionalGene(BooleanGene(True)))
    seen = [
        hint("qx3f1", "===", "qx3f1"),
        hint(48213, "<=", 48213),
        hint(True, "truthy", wanted=False),
        hint(5, ">", 3),
    ]
    edits = edits_from_hints(case, seen, Random(0), JAVASCRIPT)
    assert edits
    for edit in edits:
        assert apply_edit(case, edit) != case
        assert edit.why


def test_a_format_that_is_asked_for_specialises_the_string() -> None:
    case = case_of(a=StringGene("qx3f1"))
    first = edits_from_hints(case, [hint("qx3f1", "format", "email")], Random(0), JAVASCRIPT)[0]
    assert isinstance(first.gene, StringGene) and first.gene.specialisation == "email" and "@" in first.gene.value
    missed = outcomes(case, hint("qx3f1", "format", "email", wanted=False))
    assert missed and not any(SPECIALISATIONS["email"].is_valid(one["a"]) for one in missed)
    assert isinstance(outcomes(case_of(n=IntegerGene(48213)), hint("48213", "format", "port"))[0]["n"], int)


def test_a_format_of_a_part_is_written_into_that_part() -> None:
    found = outcomes(case_of(a=StringGene("Bearer qx3f1")), hint("qx3f1", "format", "jwt"))
    assert found[0]["a"].startswith("Bearer ey")


def test_keys_and_leaves_of_a_json_text_are_learnt_from_hints() -> None:
    case = case_of(a=StringGene("qx3f1"))
    parsed = apply_edit(case, edits_from_hints(case, [hint("qx3f1", "format", "json")], Random(0), JAVASCRIPT)[0])
    ((key, value),) = json.loads(phenotypes(parsed)["a"]).items()
    renamed = apply_edit(parsed, edits_from_hints(parsed, [hint("type", "===", key)], Random(0), JAVASCRIPT)[0])
    assert json.loads(phenotypes(renamed)["a"]) == {"type": value}
    written = apply_edit(renamed, edits_from_hints(renamed, [hint(value, "===", 42)], Random(0), JAVASCRIPT)[0])
    assert phenotypes(written)["a"] == '{"type":42}'


def test_a_part_that_is_not_there_yet_is_put_behind_a_separator() -> None:
    found = [
        outcomes(case_of(a=StringGene("qx3f1")), hint(UNDEFINED, "===", "corp.internal"), seed=s) for s in range(60)
    ]
    texts = [one["a"] for outcome in found for one in outcome]
    assert "qx3f1@corp.internal" in texts and "qx3f1:corp.internal" in texts
    assert not any(text.endswith("..corp.internal") or text == "corp.internal" for text in texts)


def test_ends_of_a_range_move_together():
    # `date <= to`, behind a limit of what lies between from and to: to alone is refused.
    case = case_of(**{"from": StringGene("1990-01-01"), "to": StringGene("1990-06-01"), "name": StringGene("qx3f1")})
    found = outcomes(case, hint("2024-03-01", "<=", "1990-06-01"))
    assert found[0] == {"from": "1990-01-01", "to": "2024-03-01", "name": "qx3f1"}
    assert {"from": "2024-03-01", "to": "2024-03-01", "name": "qx3f1"} in found


def test_an_order_moves_no_input_of_another_shape_or_type():
    case = case_of(count=IntegerGene(48213), name=StringGene("qx3f1"), on=BooleanGene(True))
    assert all(one["name"] == "qx3f1" and one["on"] is True for one in outcomes(case, hint(48213, ">", 90_000)))


def test_a_text_that_was_split_gets_more_parts_also_within_its_coding():
    plain = outcomes(case_of(a=StringGene("7.14"), b=StringGene("qx3f1")), hint("7.14", "split", "."))
    assert {text.count(".") for one in plain for text in [str(one["a"])]} == {2, 3}
    assert all(str(one["a"]).startswith("7.14.") and one["b"] == "qx3f1" for one in plain)
    coded = outcomes(case_of(a=StringGene("cm9vdA==")), hint("root", "split", ":"))
    assert all(base64.b64decode(str(one["a"]) + "==").startswith(b"root:") for one in coded)


def test_a_text_that_was_split_gets_as_many_parts_as_the_program_names():
    wanted = SplitHint(target=TargetId(1), call=0, text="STUCK", separator="|", parts=4)
    words, digits, *_ = (str(one["a"]) for one in outcomes(case_of(a=StringGene("STUCK")), wanted))
    assert words.startswith("STUCK|") and words.count("|") == 3
    assert re.fullmatch(r"STUCK\|\d\|\d\|\d", digits)


def test_base64_is_read_as_node_does_which_passes_over_other_characters():
    edited = outcomes(case_of(a=StringGene("a2VlcGV}yv")), hint("keeper", "===", "warden"))
    assert {"a": base64.b64encode(b"warden").decode()} in edited


def test_what_was_split_need_not_be_known_also_within_its_coding():
    unknown = outcomes(case_of(a=StringGene("a2VlcGV}yv")), hint(UNDEFINED, "split", "/"))
    assert any(str(one["a"]).startswith(base64.b64encode(b"keeper/  ").decode()[:9]) for one in unknown)


def test_what_was_split_need_not_be_known():
    unknown = outcomes(case_of(a=StringGene("qx3f1"), n=IntegerGene(3)), hint(UNDEFINED, "split", ";"))
    assert unknown and all(str(one["a"]).startswith("qx3f1;") and one["n"] == 3 for one in unknown)
    assert outcomes(case_of(a=StringGene("qx3f1")), hint("elsewhere", "split", ";")) == []


def test_a_key_that_no_input_was_says_nothing():
    assert outcomes(case_of(a=StringGene("qx3f1")), hint("name", "key", "price")) == []


def test_a_match_without_some_group_becomes_one_with_all():
    edited = outcomes(case_of(a=StringGene("P3Y")), hint("P3Y", "groups", r"^P(?:(\d+)Y)?(?:(\d+)M)?$"))
    assert edited and all(re.fullmatch(r"P\d+Y\d+M", str(one["a"])) for one in edited)
    assert outcomes(case_of(a=StringGene("P3Y")), hint("P3Y", "groups", "(")) == []


def test_numbers_of_a_text_in_one_unit():
    assert {"a": "17:05"} in outcomes(case_of(a=StringGene("23:42")), hint(23 * 60 + 42, "===", 17 * 60 + 5))
    assert {"a": "P3Y6M"} in outcomes(case_of(a=StringGene("P5Y9M")), hint(5 * 12 + 9, "===", 42))
    assert {"a": "0:02:03"} in outcomes(case_of(a=StringGene("1:01:01")), hint(3661, "===", 123))


def test_a_field_of_a_date_may_keep_the_other_ones():
    # 2024-02-13 is a Tuesday; the next 13th that is a Saturday is in April, the next Tuesday that is a 20th in August.
    saturdays = outcomes(case_of(a=StringGene("2024-02-13")), hint(2, "===", 6))
    assert {"a": "2024-02-17"} in saturdays
    assert {"a": "2024-04-13"} in saturdays
    assert {"a": "2024-08-20"} in outcomes(case_of(a=StringGene("2024-02-13")), hint(13, "===", 20))


def test_leaves_of_a_document_within_base64():
    cursor = base64.urlsafe_b64encode(b'{"offset":7123,"dir":"next"}').decode().rstrip("=")
    edited = outcomes(case_of(a=StringGene(cursor)), hint("next", "===", "prev"))
    assert any(base64.urlsafe_b64decode(str(one["a"]) + "==") == b'{"offset":7123,"dir":"prev"}' for one in edited)


@pytest.mark.parametrize(("name", "input_name"), [("opts.pageOffset", "page-offset"), ("limit", "limit")])
def test_of_inputs_with_one_value_the_one_that_is_called_as_what_was_read_is_changed_first(name, input_name):
    case = case_of(**{"first": IntegerGene(1), "limit": StringGene("1"), "page-offset": StringGene("1")})
    before = phenotypes(case)
    outcome = outcomes(case, hint(1, "<", 0, name=name))[0]
    assert {key for key, value in outcome.items() if value != before[key]} == {input_name}


def test_an_input_that_is_called_so_and_has_another_value_is_not_changed_before_the_one_that_has_it():
    outcome = outcomes(case_of(offset=IntegerGene(77), start=IntegerGene(123)), hint(123, "<", 0, name="offset"))[0]
    assert outcome["offset"] == 77 and outcome["start"] < 0


def test_an_unknown_number_may_come_from_each_of_several_inputs():
    """Also where a text has that length by chance, and first of the input that is called as what was read."""
    inputs: dict[str, Gene] = {f"n{at}": IntegerGene(50_003 + 10 * at) for at in range(6)}
    seen = hint(50_053 % 7, "===", 0)
    after = outcomes(case_of(text=StringGene("qx3"), **inputs), seen)
    assert all(any(one[name] == gene.phenotype() - 3 for one in after) for name, gene in inputs.items())
    (first, *_) = outcomes(case_of(**inputs), hint(50_053 % 7, "===", 0, name="row.n5"))
    assert first["n5"] == 50_050


def texts_for(pattern: str, own: str) -> list[Json]:
    edited = outcomes(case_of(a=StringGene(own)), hint(own, "regex", pattern))
    return [one["a"] for one in edited]


def test_a_match_stands_alone_and_after_and_before_what_the_text_has_already():
    texts = texts_for("<b>", "<a> x")
    assert texts[0] == "<b>"
    assert {"<a> x<b>", "<b><a> x"} <= set(texts)


@pytest.mark.parametrize("fixed", ["", "^", r"\b", r"^Dr\. "])
def test_an_input_that_becomes_an_expression_matches_all_texts_that_begin_alike(fixed):
    texts = [one["a"] for one in outcomes(case_of(a=StringGene("kqxhu")), hint("Dr. Lou", "regex", f"{fixed}kqxhu"))]
    assert ".*" in texts
    assert "Lou" in texts or fixed != r"^Dr\. "


@pytest.mark.parametrize(("pattern", "joined"), [("^b", "b<a>"), ("b$", "<a>b"), ("^b$", None)])
def test_an_anchor_decides_where_a_match_may_stand(pattern, joined):
    texts = [text for text in texts_for(pattern, "<a>") if isinstance(text, str)]
    assert {text for text in texts if "<a>" in text} == ({joined} if joined else set())


def test_nothing_is_added_to_a_text_that_was_made_up():
    assert not any("qx3f1" in str(text) for text in texts_for("b", "qx3f1"))


@pytest.mark.parametrize("gene", [AnyGene(True), BooleanGene(True)])
def test_two_inputs_that_a_validator_has_coerced_are_made_to_differ_though_a_row_has_the_number_too(gene):
    case = case_of(a=gene, b=gene, row=IntegerGene(1))
    changed = outcomes(case, hint(1, "===", 1, wanted=False))
    assert any(one["a"] != one["b"] for one in changed)


def test_a_coerced_input_becomes_another_number_or_the_other_truth():
    assert {"a": 7, "b": "x"} in outcomes(case_of(a=AnyGene(True), b=StringGene("x")), hint(1, "===", 7))
    assert {"a": False, "b": "x"} in outcomes(case_of(a=AnyGene(True), b=StringGene("x")), hint(1, "===", 0))
    assert {"a": 0, "b": "x"} in outcomes(case_of(a=AnyGene(1), b=StringGene("x")), hint(True, "===", False))
    assert outcomes(case_of(a=AnyGene(2), b=StringGene("x")), hint(True, "===", False)) == []
