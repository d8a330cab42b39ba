import json
from random import Random

import msgspec
from fake_sut import operation

from wimble.genes import ObjectGene, OptionalGene, StringGene
from wimble.model.testcase import Call
from wimble.search.sampling.optional_inputs import (
    EXPECTED_PRESENT,
    FULL_PROBABILITY,
    MAX_FILLED_DEPTH,
    bare,
    full,
    thinned,
    with_fewer,
)
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings

N_FILTERS = 20
LIST = operation("GET", "/readers", **{f"f{number}": OptionalGene(StringGene()) for number in range(N_FILTERS)})
FEW = operation("GET", "/books", **{f"f{number}": OptionalGene(StringGene()) for number in range(3)})


def n_present(call):
    return sum(gene.is_present for gene in call.genes)


def sampled(one, rng):
    return Call(one, tuple(given.template.sampled(rng) for given in one.inputs))


def test_many_optional_parameters_are_mostly_left_out():
    rng = Random(1)
    counts = [n_present(thinned(sampled(LIST, rng), rng)) for _ in range(1_000)]
    assert sum(counts) / 1_000 < FULL_PROBABILITY * N_FILTERS / 2 + EXPECTED_PRESENT
    assert counts.count(0) > 150  # none at all
    assert sum(count >= 6 for count in counts) > 100  # and many at once stay possible


def test_few_are_left_as_sampled():
    rng = Random(1)
    for _ in range(50):
        call = sampled(FEW, rng)
        assert thinned(call, rng) is call


def test_a_bare_call_keeps_what_is_required():
    body = ObjectGene((("name", StringGene("a")), ("note", OptionalGene(StringGene("b")))))
    call = Call(
        operation("POST", "/x", limit=OptionalGene(StringGene("c")), body=body), (OptionalGene(StringGene("c")), body)
    )
    without = bare(call)
    assert [gene.is_present for gene in without.genes[:1]] == [False]
    assert without.genes[1] is body
    assert bare(without) is without


def test_a_full_call_carries_all_that_its_body_may_carry():
    options = ObjectGene((("mode", OptionalGene(StringGene("a"), False)),))
    body = ObjectGene((("name", StringGene("a")), ("options", OptionalGene(options, False))))
    one = operation("POST", "/x", limit=OptionalGene(StringGene("c")), body=body)
    one = msgspec.structs.replace(one, inputs=(one.inputs[0], msgspec.structs.replace(one.inputs[1], role="content")))
    filled = full(Call(one, (OptionalGene(StringGene("c"), False), body)), Random(1))
    assert filled.genes[0].is_present
    assert list(filled.genes[1].phenotype()) == ["name", "options"]
    assert list(filled.genes[1].phenotype()["options"]) == ["mode"]
    assert full(filled, Random(1)) is filled


def test_a_deep_body_is_filled_to_a_bounded_depth():
    body = StringGene("leaf")
    for _ in range(2 * MAX_FILLED_DEPTH):
        body = ObjectGene((("child", OptionalGene(body, False)),))
    one = operation("POST", "/x", body=body)
    one = msgspec.structs.replace(one, inputs=(msgspec.structs.replace(one.inputs[0], role="content"),))
    depths = {
        json.dumps(full(Call(one, (body,)), Random(seed)).genes[0].phenotype()).count("child") for seed in range(50)
    }
    assert min(depths) == MAX_FILLED_DEPTH
    assert max(depths) > MAX_FILLED_DEPTH  # what is put in is sampled, and may hold more


def test_many_optional_parameters_are_not_filled():
    call = bare(sampled(LIST, Random(1)))
    assert full(call, Random(1)) is call


def test_smart_start_calls_each_operation_without_optional_inputs_and_with_all():
    initial = list(Sampler((LIST, FEW), Settings(), Random(1)).iter_initial())
    last = [test_case.calls[-1] for test_case in initial]
    assert any(n_present(call) == 3 for call in last if call.operation is FEW)
    assert [n_present(call) for call in last if call.operation is LIST].count(0) >= 1
    assert [n_present(call) for call in last if call.operation is FEW].count(0) >= 1


def test_a_call_with_fewer_leaves_out_a_part_of_the_optional_members_of_its_content_only():
    at = ObjectGene((("lat", OptionalGene(StringGene("a"))), ("lon", StringGene("b"))))
    body = OptionalGene(ObjectGene((("name", StringGene("a")), ("at", OptionalGene(at)))))
    one = operation("POST", "/x", limit=OptionalGene(StringGene("c")), body=body)
    call, rng = Call(one, (OptionalGene(StringGene("c")), body)), Random(1)
    made = [with_fewer(call, rng) for _ in range(60)]
    assert {fewer.genes[0].phenotype() for fewer in made} == {"c"}
    bodies = {json.dumps(fewer.genes[1].phenotype()) for fewer in made}
    kept = [{"name": "a", "at": {"lat": "a", "lon": "b"}}, {"name": "a", "at": {"lon": "b"}}, {"name": "a"}]
    assert bodies == set(map(json.dumps, kept))
    few = Call(FEW, tuple(given.template for given in FEW.inputs))
    assert with_fewer(few, rng) is few
