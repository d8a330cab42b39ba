"""Whatever the agent sends, feedback answers edits that can be applied, or none."""

from __future__ import annotations

from random import Random
from typing import Any, get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from wimble.feedback import apply_edit, edits_from_hints
from wimble.genes import (
    AnyGene,
    ArrayGene,
    BooleanGene,
    ChoiceGene,
    EnumGene,
    IntegerGene,
    MapGene,
    NullableGene,
    NumberGene,
    ObjectGene,
    OptionalGene,
    SeededGene,
    StringGene,
)
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.model.hints import (
    ComparisonHint,
    FormatHint,
    GroupHint,
    KeyHint,
    ListHint,
    OperandHint,
    PatternHint,
    Requirement,
    SchemaHint,
    SplitHint,
    SubstringHint,
    TruthinessHint,
)
from wimble.model.testcase import Call, TestCase
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.types import ABSENT, Json, OperationId, TargetId

BODY = ObjectGene(
    (
        ("name", StringGene()),
        ("when", OptionalGene(StringGene(format="date-time"))),
        ("tags", ArrayGene(EnumGene(("red", "green", "blue")))),
        ("extra", MapGene(AnyGene())),
        ("size", NullableGene(NumberGene())),
        ("either", ChoiceGene((IntegerGene(), ObjectGene((("deep", BooleanGene()),))))),
        ("seeded", SeededGene(StringGene(), ("one", "two"))),
    )
)
OPERATION = http_operation(
    id=OperationId("POST /x"),
    method="POST",
    path="/x",
    inputs=(
        HttpInput(name="q", location="query", template=OptionalGene(IntegerGene())),
        HttpInput(name="body", location="body", template=BODY, media_type="application/json"),
    ),
)
STRANGE = st.sampled_from(
    [
        {"$number": "NaN"}, {"$number": "-Infinity"}, {"$number": "-0"}, {"$bigint": "9" * 30}, {"$bigint": "9" * 400}, {"$bigint": "x"}, {"$date": -(10**14)}, {"$undefined": True},
        {"$date": 0}, {"$date": 1e17}, {"$date": None}, {"$what": 1}, "", "(", "\\", "\ud800", "\u0130", "a" * 1024, 1e308, 2**70,
    ]
)  # fmt: skip


def drawn_case(rng: Random) -> TestCase:
    return TestCase(
        tuple(Call(OPERATION, tuple(one.template.sampled(rng) for one in OPERATION.inputs)) for _ in range(2))
    )


def scalars(test_case: TestCase) -> list[Json]:
    values = [gene.phenotype() for _, gene in test_case.iter_genes()]
    return [value for value in values if value is not ABSENT and not isinstance(value, (list, dict))]


KINDS: tuple[type[OperandHint], ...] = (
    ComparisonHint, SubstringHint, PatternHint, FormatHint, TruthinessHint, KeyHint, SplitHint, GroupHint, ListHint,
)  # fmt: skip
FIELDS = {
    "target": st.integers(0, 2).map(TargetId),
    "call": st.integers(-1, 2),
    "operator": st.sampled_from(["identical", "equal", "less", "less-or-equal", "greater", "greater-or-equal"]),
    "place": st.sampled_from(["start", "end", "anywhere"]),
    "wanted": st.booleans(),
    "parts": st.integers(0, 10**9),
    "are_numbers": st.booleans(),
    "flags": st.sampled_from(["", "i", "gu", "?"]),
    "name": st.sampled_from(["", "q", "body.extra.level", "size"]),
    "format": st.sampled_from(["email", "json", "date", "new"]),
    "path": st.sampled_from(["q", "name", "/tags", "tags.0", "extra.deep.er", "new", ""]),
}
"""The other fields are values."""
REQUIREMENTS = get_args(Requirement)


def drawn_struct(data: st.DataObject, kind: type[Any], values: st.SearchStrategy[Json]) -> Any:
    return kind(**{field: data.draw(FIELDS.get(field, values)) for field in kind.__struct_fields__})


def drawn_operands(case: TestCase) -> st.SearchStrategy[Json]:
    return st.one_of(
        st.sampled_from(scalars(case)),
        STRANGE,
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=8),
    )


@given(st.integers(0, 2**32), st.data())
@settings(max_examples=300, deadline=None)
def test_any_hint_gives_edits_that_apply_or_none(seed: int, data: st.DataObject) -> None:
    case = drawn_case(Random(seed))
    operands = drawn_operands(case)
    hints = [drawn_struct(data, data.draw(st.sampled_from(KINDS)), operands) for _ in range(3)]
    edits = edits_from_hints(case, hints, Random(seed), JAVASCRIPT)
    assert edits == edits_from_hints(case, hints, Random(seed), JAVASCRIPT)
    for edit in edits:
        edited = apply_edit(case, edit)
        assert edited != case
        assert sum(new is not old for new, old in zip(edited.calls, case.calls, strict=True)) == 1


@given(st.integers(0, 2**32), st.data())
@settings(max_examples=100, deadline=None)
def test_any_requirement_of_a_schema_gives_edits_that_apply_or_none(seed: int, data: st.DataObject) -> None:
    case = drawn_case(Random(seed))
    operands = drawn_operands(case)
    hints = [
        SchemaHint(
            target=TargetId(1),
            call=data.draw(FIELDS["call"]),
            path=data.draw(FIELDS["path"]),
            requirement=drawn_struct(data, data.draw(st.sampled_from(REQUIREMENTS)), operands),
        )
        for _ in range(3)
    ]
    edits = edits_from_hints(case, hints, Random(seed), JAVASCRIPT)
    assert edits == edits_from_hints(case, hints, Random(seed), JAVASCRIPT)
    assert all(apply_edit(case, edit) != case for edit in edits)
