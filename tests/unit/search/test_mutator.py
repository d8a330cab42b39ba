from random import Random

import pytest
from api import API
from fake_sut import operation

from wimble.genes import BooleanGene, IntegerGene, ObjectGene
from wimble.model.testcase import Call, TestCase
from wimble.search.archive.focus_schedule import Schedule
from wimble.search.mutation.acceleration import Step, accelerated
from wimble.search.mutation.mutator import Mutator
from wimble.search.resources.references import has_valid_references
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings
from wimble.techniques import switched_off


def mutator(seed=1, schedule=None, operations=API, **settings):
    rng = Random(seed)
    given = Settings(**settings)
    sampler = Sampler(operations, given, rng)
    return Mutator(sampler, given, schedule or Schedule(), rng), sampler


ONLY_VALUES = Schedule(structure_probability_start=0.0, structure_probability_end=0.0)
ONLY_STRUCTURE = Schedule(structure_probability_start=10.0, structure_probability_end=10.0)


@pytest.mark.parametrize("limit", [1, 2, 5, 10])
@pytest.mark.parametrize("schedule", [ONLY_VALUES, ONLY_STRUCTURE, Schedule()])
def test_mutants_of_mutants_stay_valid(limit, schedule):
    change, sampler = mutator(limit, schedule, max_test_calls=limit)
    test_case = sampler.sample()
    kinds = set()
    for turn in range(400):
        mutation = change.mutate(test_case, len(test_case.calls) - 1, turn / 400)
        kinds.add(mutation.kind)
        assert 1 <= len(mutation.test_case.calls) <= limit
        assert has_valid_references(mutation.test_case)
        for call in mutation.test_case.calls:
            assert len(call.genes) == len(call.operation.inputs)
        test_case = mutation.test_case
    assert "structure" not in kinds or schedule is not ONLY_VALUES


def test_values_change_and_everything_else_is_shared():
    change, sampler = mutator(3, ONLY_VALUES)
    parent = TestCase((sampler.call(API[4], ()), sampler.call(API[4], ())))
    mutant = change.mutate(parent, 0, 1.0).test_case
    assert mutant.calls[1] is parent.calls[1]
    assert mutant.calls[0] != parent.calls[0]


def n_changed(schedule, progress, n_fields=20, turns=300):
    op = operation("POST", "/many", body=ObjectGene(tuple((f"f{i}", IntegerGene()) for i in range(n_fields))))
    change, _ = mutator(1, schedule, [op], switched_off=switched_off(["correlated-mutation"]))
    parent = TestCase((Call(op, (op.inputs[0].template,)),))
    total = 0
    for _ in range(turns):
        old, new = (
            parent.calls[0].genes[0].fields,
            change.mutate(parent, 0, progress).test_case.calls[0].genes[0].fields,
        )
        total += sum(a != b for a, b in zip(old, new, strict=True))
    return total / turns


def test_many_genes_change_early_and_one_in_the_focused_search():
    assert 4.0 < n_changed(ONLY_VALUES, 0.0) < 9.0
    assert 1.5 < n_changed(ONLY_VALUES, 0.4) < 4.5
    assert n_changed(ONLY_VALUES, 0.9) == 1.0


def test_test_case_without_inputs_and_room_comes_back_unchanged():
    health = API[-1]
    change, _ = mutator(1, ONLY_VALUES, [health])
    parent = TestCase((Call(health, ()),))
    assert change.mutate(parent, 0, 0.5).test_case is parent


def test_missing_creator_is_added_before_the_target_call():
    change, sampler = mutator(2, ONLY_STRUCTURE)
    parent = TestCase((sampler.call(API[5], ()),))
    shapes = [tuple(c.operation.id for c in change.mutate(parent, 0, 0.0).test_case.calls) for _ in range(200)]
    assert shapes.count(("POST /books", "GET /books/{id}")) >= 10


def test_kind_of_mutation_that_pays_is_used_more():
    def share(successful):
        change, sampler = mutator(4)
        parent = TestCase((sampler.call(API[4], ()), sampler.call(API[6], ())))
        for _ in range(300):
            change.credit("structure", is_success=successful == "structure")
            change.credit("values", is_success=successful == "values")
        return sum(change.mutate(parent, 1, 0.0).kind == "structure" for _ in range(500)) / 500

    assert share("values") < 0.1 < 0.4 < share("structure")


def test_single_number_change_tells_its_step_and_can_be_continued():
    op = operation("GET", "/n", a=IntegerGene(100, minimum=0, maximum=1_000))
    change, _ = mutator(1, ONLY_VALUES, [op])
    parent = TestCase((Call(op, (IntegerGene(100, minimum=0, maximum=1_000),)),))
    mutation = change.mutate(parent, 0, 1.0)
    assert mutation.step is not None
    new = mutation.test_case.calls[0].genes[0]
    assert new.value == 100 + mutation.step.delta
    further, step = accelerated(parent, Step(mutation.step.address, 10))
    assert further.calls[0].genes[0].value == 120
    assert step.delta == 20
    assert accelerated(parent, Step(mutation.step.address, 600)) is None


def test_step_is_only_for_numbers():
    op = operation("GET", "/b", a=BooleanGene())
    change, _ = mutator(1, ONLY_VALUES, [op])
    assert change.mutate(TestCase((Call(op, (BooleanGene(False),)),)), 0, 1.0).step is None
