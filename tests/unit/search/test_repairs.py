"""Edits for a target whose documents a library refuses are put right for that target."""

import pytest
from fake_sut import operation

from wimble.genes import IntegerGene, StringGene
from wimble.model.database import Command, Database
from wimble.model.evaluation import CompareHint, Evaluation, QueryHint, Reached
from wimble.model.testcase import Call, TestCase
from wimble.search.repairs import MAX_REPAIRS_PER_TARGET, Repairs
from wimble.types import TargetId

SUCCESS, BEHIND = TargetId(1), TargetId(2)


def refused(*hints, reached=()):
    return Evaluation(
        test_case=TestCase((Call(operation("POST", "/pay"), ()),)),
        observations=(),
        reached={target: Reached(0.5, 0) for target in reached},
        hints=hints,
    )


def wrong(name):
    left = {"$undefined": True}
    return CompareHint(target=SUCCESS, call=0, operator="truthy", left=left, right=None, wanted=True, name=name)


def test_what_was_wrong_counts_for_the_target_of_the_edit():
    entry = Repairs().entry(BEHIND, refused(wrong(".number"), wrong("number")), serial=3)
    assert entry is not None
    assert [(hint.target, hint.name) for hint in entry.hints(BEHIND)] == [(BEHIND, ".number")]


def test_nothing_is_repaired_where_the_target_was_reached_or_nothing_said():
    assert Repairs().entry(BEHIND, refused(wrong(".number"), reached=[BEHIND]), serial=3) is None
    assert Repairs().entry(BEHIND, refused(wrong("number")), serial=3) is None


def test_repairs_are_bounded():
    repairs = Repairs()
    made = [repairs.entry(BEHIND, refused(wrong(".number")), serial=3) for _ in range(MAX_REPAIRS_PER_TARGET + 5)]
    assert sum(entry is not None for entry in made) == MAX_REPAIRS_PER_TARGET
    assert repairs.entry(SUCCESS, refused(wrong(".number")), serial=3) is not None


def missed(*, call=0, wanted=True, params=("air", 7), returned=0):
    return QueryHint(
        target=SUCCESS, call=call, wanted=wanted, command=Command(database="main", call=call, site="", text="select 1", params=params, returned=returned),
        database=Database(id="main", dialect="postgres"), tables={},
    )  # fmt: skip


def with_inputs(*genes):
    return TestCase((Call(operation("GET", "/freights", **{f"i{n}": gene for n, gene in enumerate(genes)}), genes),))


@pytest.mark.parametrize(("written", "params", "kept"), [("air", ("air", 7), {0}), ("80", ("rail", 80), {1})])
def test_rows_that_fit_no_longer_are_looked_for_with_what_the_edit_has_written(written, params, kept):
    before, after = (with_inputs(StringGene(text), IntegerGene(7)) for text in ("rail", written))
    evaluation = Evaluation(test_case=after, observations=(), reached={}, hints=(missed(params=params),))
    entry = Repairs().entry(BEHIND, evaluation, 3, before)

    assert entry is not None
    assert [(hint.target, hint.kept_params) for hint in entry.hints(BEHIND)] == [(BEHIND, kept)]


def test_commands_that_are_not_in_the_way_of_the_target_are_let_be():
    before, after = (TestCase((*with_inputs().calls, *with_inputs(StringGene(mode)).calls)) for mode in ("rail", "air"))
    for hint in (
        missed(call=0),
        missed(call=1, wanted=False),
        missed(call=1, params=("rail",)),
        missed(call=1, returned=1),
    ):
        evaluation = Evaluation(test_case=after, observations=(), reached={}, hints=(hint,))
        assert Repairs().entry(BEHIND, evaluation, 3, before) is None
