"""Edits for a target whose documents a library refuses are put right for that target."""

import pytest
from fake_sut import operation

from hint_samples import UNDEFINED, hint, required
from wimble.genes import IntegerGene, StringGene
from wimble.model.database import Database, DatabaseCommand
from wimble.model.evaluation import Evaluation, Reached
from wimble.model.hints import QueryHint
from wimble.model.testcase import Call, TestCase
from wimble.search.generators.edits.edit_repairs import MAX_REPAIRS_PER_TARGET, EditRepairs
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
    return required(name, target=SUCCESS)


def undefined(name):
    """The same of a condition: nobody says that the name leads to a member."""
    return hint(UNDEFINED, "truthy", name=name, target=SUCCESS)


def test_what_was_wrong_counts_for_the_target_of_the_edit():
    entry = EditRepairs().entry(BEHIND, refused(wrong("number"), undefined("number")), serial=3)
    assert entry is not None
    assert [(hint.target, hint.path) for hint in entry.hints(BEHIND)] == [(BEHIND, "number")]


def test_nothing_is_repaired_where_the_target_was_reached_or_nothing_said():
    assert EditRepairs().entry(BEHIND, refused(wrong("number"), reached=[BEHIND]), serial=3) is None
    assert EditRepairs().entry(BEHIND, refused(undefined("number")), serial=3) is None


def test_repairs_are_bounded():
    repairs = EditRepairs()
    made = [repairs.entry(BEHIND, refused(wrong("number")), serial=3) for _ in range(MAX_REPAIRS_PER_TARGET + 5)]
    assert sum(entry is not None for entry in made) == MAX_REPAIRS_PER_TARGET
    assert repairs.entry(SUCCESS, refused(wrong("number")), serial=3) is not None


def missed(*, call=0, wanted=True, params=("air", 7), returned=0):
    return QueryHint(
        target=SUCCESS, call=call, wanted=wanted, command=DatabaseCommand(database="main", call=call, site="", text="select 1", params=params, returned=returned),
        database=Database(id="main", dialect="postgres"), tables={},
    )  # fmt: skip


def with_inputs(*genes):
    return TestCase((Call(operation("GET", "/freights", **{f"i{n}": gene for n, gene in enumerate(genes)}), genes),))


@pytest.mark.parametrize(("written", "params", "kept"), [("air", ("air", 7), {0}), ("80", ("rail", 80), {1})])
def test_rows_that_fit_no_longer_are_looked_for_with_what_the_edit_has_written(written, params, kept):
    before, after = (with_inputs(StringGene(text), IntegerGene(7)) for text in ("rail", written))
    evaluation = Evaluation(test_case=after, observations=(), reached={}, hints=(missed(params=params),))
    entry = EditRepairs().entry(BEHIND, evaluation, 3, before)

    assert entry is not None
    assert [(hint.target, hint.kept_params) for hint in entry.hints(BEHIND)] == [(BEHIND, kept)]


def test_commands_that_are_not_in_the_way_of_the_target_are_let_be():
    before, after = (TestCase((*with_inputs().calls, *with_inputs(StringGene(mode)).calls)) for mode in ("rail", "air"))
    for other in (
        missed(call=0),
        missed(call=1, wanted=False),
        missed(call=1, params=("rail",)),
        missed(call=1, returned=1),
    ):
        evaluation = Evaluation(test_case=after, observations=(), reached={}, hints=(other,))
        assert EditRepairs().entry(BEHIND, evaluation, 3, before) is None
