"""Genes that have moved a target's distance are changed rather than others."""

from random import Random

import pytest
from fake_sut import FakeSut, operation

from wimble.genes import IntegerGene, ObjectGene
from wimble.model.testcase import GeneAddress
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.search.mio import MioStrategy
from wimble.search.mutation.gene_impact import LEAST_FACTOR, MAX_PLACES, MAX_TARGETS, Impacts
from wimble.settings import Settings
from wimble.techniques import switched_off
from wimble.types import TargetId

TARGET = TargetId(7)
FIRST, SECOND = GeneAddress(2, 0, (1,)), GeneAddress(2, 0, (2,))


def test_what_moved_the_distance_weighs_more_than_what_never_did():
    impacts = Impacts()
    assert not impacts.knows(TARGET)
    assert impacts.factor(TARGET, FIRST, 2) == 1.0
    for _ in range(20):
        impacts.note(TARGET, FIRST, 2, has_moved=True)
        impacts.note(TARGET, SECOND, 2, has_moved=False)
    assert impacts.factor(TARGET, FIRST, 2) > 1.9
    assert impacts.factor(TARGET, SECOND, 2) == LEAST_FACTOR
    assert impacts.factor(TargetId(8), FIRST, 2) == 1.0


def test_places_are_told_by_how_far_they_stand_before_the_call_that_reached_the_target():
    impacts = Impacts()
    for _ in range(5):
        impacts.note(TARGET, FIRST, 2, has_moved=True)
    # The same call in a test case with one call less before it.
    assert impacts.factor(TARGET, GeneAddress(1, 0, (1,)), 1) > 1.5
    assert impacts.factor(TARGET, GeneAddress(1, 0, (1,)), 2) == 1.0


def test_memory_is_bounded_and_covered_targets_are_forgotten():
    impacts = Impacts()
    for number in range(MAX_TARGETS + 5):
        impacts.note(TargetId(number), FIRST, 2, has_moved=True)
    assert sum(impacts.knows(TargetId(number)) for number in range(MAX_TARGETS + 5)) == MAX_TARGETS
    last = TargetId(MAX_TARGETS + 4)
    for place in range(MAX_PLACES + 5):
        impacts.note(last, GeneAddress(0, place), 0, has_moved=True)
    assert impacts.factor(last, GeneAddress(0, MAX_PLACES + 4), 0) == 1.0
    impacts.forget(last)
    assert not impacts.knows(last)


FIELDS = tuple(f"f{number}" for number in range(12))


def far_number(operation_id, values, probe, state):
    """One of twelve inputs counts, and it cannot be what is asked for."""
    probe.equals(1, values["body"]["f7"], 500_000)
    return 200, {}


@pytest.mark.parametrize("is_weighted", [True, False])
def test_mutants_of_a_search_change_the_input_that_counts(is_weighted):
    off = switched_off(("violations",) if is_weighted else ("violations", "impact-weights"))
    sut = FakeSut(far_number)
    wide = IntegerGene(minimum=0, maximum=400_000)
    api = [operation("POST", "/x", body=ObjectGene(tuple((name, wide) for name in FIELDS)))]
    search = MioStrategy(api, sut.table, Settings(switched_off=off), Random(2), JAVASCRIPT)
    impacts = search.mutator.impacts
    changed = dict.fromkeys(FIELDS, 0)
    note = impacts.note

    def counted(target, address, call, *, has_moved):
        changed[FIELDS[address.path[0]]] += 1
        note(target, address, call, has_moved=has_moved)

    impacts.note = counted
    for _ in range(700):
        search.observe(sut.evaluate(search.next_test_case(0.7)), 0.7)
    others = (sum(changed.values()) - changed["f7"]) / 11
    assert sum(changed.values()) > 50
    assert (changed["f7"] > 3 * others) is is_weighted
