"""Headers without which operations never succeed are sent to all that may need them."""

from random import Random

from fake_sut import operation

from wimble.genes import CarriedGene, ReferenceGene, StringGene
from wimble.genes.carried import CredentialGene
from wimble.http.entrances import with_entrances
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.http.undeclared_room import with_undeclared_inputs
from wimble.model.carried_credentials import with_carried
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


def test_a_key_among_the_credentials_is_an_input_that_calls_need():
    a, b, c = with_entrances([A, B, C])
    needed = NeededInputs(Random(1))
    carried = CarriedGene((("header X-Tenant", StringGene("acme")),))
    for one in (a, b):
        needed.observe(with_carried(bare(one), carried), OK, [TENANT])
    assert share(needed, a, [TENANT]) > 0.8
    assert 0.4 < share(needed, c) < 0.8


def test_a_call_that_carries_the_input_among_its_credentials_gets_no_other_value():
    (a,) = with_entrances([A])
    needed = NeededInputs(Random(1))
    needed.observe(sending(a, TENANT, StringGene("acme")), OK, [TENANT])
    call = with_carried(bare(a), CarriedGene((("header x-tenant", StringGene("globex")),)))
    assert all(needed.applied(call, (), [TENANT]) == call for _ in range(N_CALLS))


def test_credentials_of_an_earlier_answer_are_no_values_of_an_input():
    a, b = with_entrances([A, B])
    needed = NeededInputs(Random(1))
    token = CarriedGene((("header x-tenant", CredentialGene(0, "/token", StringGene("zzz"))),))
    for one in (a, b):
        needed.observe(with_carried(bare(one), token), OK, [TENANT])
    assert all(needed.applied(bare(one), (), [TENANT]) == bare(one) for one in (a, b) for _ in range(N_CALLS))


def test_an_operation_gets_the_value_that_it_has_accepted():
    needed = NeededInputs(Random(1))
    needed.observe(sending(A, TENANT, StringGene("acme")), OK, [TENANT])
    needed.observe(sending(B, TENANT, StringGene("reader")), OK, [TENANT])
    assert share(needed, A, [TENANT]) > 0.8


def test_a_value_that_is_forbidden_to_an_operation_is_left_to_others():
    needed = NeededInputs(Random(1))
    for name in ("reader", "acme"):
        needed.observe(sending(A, TENANT, StringGene(name)), OK, [TENANT])
    assert 0.3 < share(needed, B, [TENANT]) < 0.7
    request, response = HttpRequest("GET", "/b"), HttpResponse(403, (), b"only readers")
    forbidden = http_observation(0, request, response)
    needed.observe(sending(B, TENANT, StringGene("reader")), forbidden, [TENANT])
    assert share(needed, B, [TENANT]) > 0.8
    assert share(needed, B, [TENANT], [sending(A, TENANT, StringGene("reader"))]) > 0.8
    assert 0.3 < share(needed, C, [TENANT]) < 0.7
