"""Headers without which operations never succeed are sent to all that may need them."""

from random import Random

from fake_sut import operation

from wimble.genes import ReferenceGene, StringGene
from wimble.http.undeclared_room import with_undeclared_inputs
from wimble.model.learned_input import LearnedInput
from wimble.model.observation import Exchange, Observation
from wimble.model.testcase import Call
from wimble.search.learned.members import value_of_input, with_input
from wimble.search.learned.needed_inputs import NeededInputs

A, B, C = with_undeclared_inputs([operation("GET", "/a"), operation("GET", "/b"), operation("GET", "/c")])
TENANT = LearnedInput(location="header", path=("x-tenant",))
SORT = LearnedInput(location="query", path=("sort",))
OK = Observation(call_index=0, outcome="ok", outcome_keys=("200",), exchange=Exchange())
N_CALLS = 100


def bare(one) -> Call:
    return Call(one, tuple(given.template for given in one.inputs))


def sending(one, learned: LearnedInput, gene) -> Call:
    made = with_input(bare(one), learned, gene)
    assert made is not None
    return made


def share(needed: NeededInputs, one, read=(), earlier=()) -> float:
    calls = [needed.applied(bare(one), earlier, read) for _ in range(N_CALLS)]
    return sum(value_of_input(call, TENANT) == "acme" for call in calls) / N_CALLS


def test_an_operation_that_never_succeeds_without_a_header_nearly_always_has_it():
    needed = NeededInputs(Random(1))
    assert share(needed, A, [TENANT]) == 0
    needed.observe(sending(A, TENANT, StringGene("acme")), OK, [TENANT])
    assert share(needed, A, [TENANT]) > 0.8
    needed.observe(bare(A), OK, [TENANT])
    assert share(needed, A, [TENANT]) == 0


def test_operations_that_have_not_succeeded_get_what_others_need():
    needed = NeededInputs(Random(1))
    needed.observe(sending(A, TENANT, StringGene("acme")), OK, [TENANT])
    assert share(needed, C, [TENANT]) > 0.8
    assert share(needed, C) == 0, "one operation is no evidence for those that were not seen to read it"
    needed.observe(sending(B, TENANT, StringGene("acme")), OK, [TENANT])
    assert 0.4 < share(needed, C) < 0.8
    needed.observe(bare(C), OK, [])
    assert share(needed, C) == 0


def test_an_input_that_only_one_operation_reads_does_not_count_against_others():
    needed = NeededInputs(Random(1))
    needed.observe(sending(A, TENANT, StringGene("acme")), OK, [TENANT])
    for one in (B, C):
        needed.observe(bare(one), OK, [SORT])
    assert share(needed, A, [TENANT]) > 0.8
    assert share(needed, B, [TENANT]) == 0


def test_calls_of_one_test_case_have_the_same_value():
    needed = NeededInputs(Random(1))
    for name in ("acme", "globex", "initech"):
        needed.observe(sending(A, TENANT, StringGene(name)), OK, [TENANT])
    assert share(needed, A, [TENANT]) < 0.6
    assert share(needed, A, [TENANT], [sending(B, TENANT, StringGene("acme"))]) > 0.75


def test_what_an_earlier_call_has_answered_stays_a_reference():
    needed = NeededInputs(Random(1))
    needed.observe(sending(A, TENANT, ReferenceGene(0, "/id", StringGene("zzz"))), OK, [TENANT])
    call = sending(A, TENANT, ReferenceGene(0, "/id", StringGene("yyy")))
    needed.observe(sending(A, TENANT, StringGene("acme")), OK, [TENANT])
    assert all(needed.applied(call, (), [TENANT]) == call for _ in range(N_CALLS))
