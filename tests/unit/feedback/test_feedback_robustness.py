"""Whatever the agent sends, feedback answers edits that can be applied, or none."""

from __future__ import annotations

from random import Random

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
from wimble.model.evaluation import CompareHint
from wimble.model.operation import Input, Operation
from wimble.model.testcase import Call, TestCase
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
OPERATION = Operation(
    id=OperationId("POST /x"),
    method="POST",
    path="/x",
    inputs=(
        Input(name="q", location="query", template=OptionalGene(IntegerGene())),
        Input(name="body", location="body", template=BODY, media_type="application/json"),
    ),
)
OPERATORS = [
    "===",
    "==",
    "<",
    "<=",
    ">",
    ">=",
    "switch",
    "startsWith",
    "endsWith",
    "includes",
    "regex",
    "truthy",
    "key",
    "split",
    "groups",
    "length",
    "type",
    "format",
    "new",
]
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


@given(st.integers(0, 2**32), st.data())
@settings(max_examples=300, deadline=None)
def test_any_hint_gives_edits_that_apply_or_none(seed: int, data: st.DataObject) -> None:
    case = drawn_case(Random(seed))
    operands = st.one_of(
        st.sampled_from(scalars(case)),
        STRANGE,
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=8),
    )
    hints = [
        CompareHint(
            target=TargetId(data.draw(st.integers(0, 2))),
            call=data.draw(st.integers(-1, 2)),
            operator=data.draw(st.sampled_from(OPERATORS)),
            left=data.draw(operands),
            right=data.draw(operands),
            wanted=data.draw(st.booleans()),
            flags=data.draw(st.sampled_from(["", "i", "gu", "?"])),
        )
        for _ in range(3)
    ]
    edits = edits_from_hints(case, hints, Random(seed))
    assert edits == edits_from_hints(case, hints, Random(seed))
    for edit in edits:
        edited = apply_edit(case, edit)
        assert edited != case
        assert sum(new is not old for new, old in zip(edited.calls, case.calls, strict=True)) == 1
