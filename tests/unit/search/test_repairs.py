"""Edits for a target whose documents a library refuses are put right for that target."""

from fake_sut import operation

from wimble.model.evaluation import CompareHint, Evaluation, Reached
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
