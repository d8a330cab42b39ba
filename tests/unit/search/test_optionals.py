from random import Random

from fake_sut import operation

from wimble.genes import ObjectGene, OptionalGene, StringGene
from wimble.model.testcase import Call
from wimble.search.optionals import EXPECTED_PRESENT, FULL_SHARE, bare, thinned
from wimble.search.sampling import Sampler
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
    assert sum(counts) / 1_000 < FULL_SHARE * N_FILTERS / 2 + EXPECTED_PRESENT
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


def test_smart_start_calls_each_operation_with_optional_inputs_without_them():
    initial = list(Sampler((LIST, FEW), Settings(), Random(1)).iter_initial())
    last = [test_case.calls[-1] for test_case in initial[-2:]]
    assert [call.operation for call in last] == [LIST, FEW]
    assert all(n_present(call) == 0 for call in last)
