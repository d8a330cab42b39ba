"""Constants of the SUT's code become values of inputs: near a target, of the right type, now and then."""

from collections import Counter
from random import Random

from api import API
from fake_sut import operation

from wimble.genes import ArrayGene, BooleanGene, IntegerGene, NumberGene, StringGene
from wimble.model.source_constants import ConstantTable
from wimble.model.targets import Target
from wimble.model.testcase import Call, TestCase
from wimble.search.archive.focus_schedule import Schedule
from wimble.search.mutation.mutator import Mutator
from wimble.search.sampling.constant_pool import (
    MUTATION_PROBABILITY,
    SAMPLING_PROBABILITY,
    ConstantChooser,
    ConstantInputs,
)
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings

ROWS = [(10, "near"), (12, 4711), (300, "far"), (301, -0.5)]
TARGET = Target("branch", "/app.js", 14, 2, "=== true")


def table() -> ConstantTable:
    made = ConstantTable()
    made.put("/app.js", ROWS)
    made.put("/other.js", [(1, "elsewhere"), (2, 99)])
    return made


def drawn(gene, target=TARGET, n=400):
    rng = Random(1)
    chooser = ConstantChooser(table())
    taken = [chooser.applied(gene, target, rng) for _ in range(n)]
    return Counter(one.phenotype() for one in taken if one is not None)


def test_each_constant_of_the_file_has_its_turn_the_nearest_first():
    made = ConstantTable()
    made.put("/app.js", [(line, f"at {line}") for line in (1, 5, 9, 13, 17)])
    texts = made.texts("/app.js")
    assert [texts.nth_nearest(10, n) for n in range(5)] == ["at 9", "at 13", "at 5", "at 17", "at 1"]
    assert {texts.nth_nearest(99, n) for n in range(5)} == set(texts.values)


def test_a_string_takes_texts_of_the_file_first_and_numbers_now_and_then():
    assert drawn(StringGene(value="x"), n=10).most_common(1)[0][0] in {"near", "far"}
    known = {"near", "far", "elsewhere", "4711", "-0.5", "99"}
    taken = drawn(StringGene(value="x"))
    assert set(taken) >= known
    # The others differ from one in a letter.
    assert {len(text) for text in set(taken) - known} <= {len("near"), len("far"), len("elsewhere")}


def test_numbers_take_numbers_that_they_can_hold():
    assert set(drawn(IntegerGene(value=1), n=2)) == {4711}
    assert set(drawn(NumberGene(value=1.0))) == {4711, -0.5, 99}


def test_other_kinds_take_none():
    assert not drawn(BooleanGene(value=True))
    assert not drawn(ArrayGene(element=StringGene(), items=()))


def test_without_constants_in_the_file_those_of_all_files_count():
    assert "elsewhere" in drawn(StringGene(value="x"), Target("line", "/none.js", 1, 0))
    assert 99 in drawn(IntegerGene(value=1), None)


def test_a_file_that_is_told_again_replaces_what_was_known():
    made = table()
    made.put("/app.js", [(1, "new")])
    assert made.texts("/app.js").values == ["new"]
    assert made.numbers("/app.js").values == []
    assert made.texts("/nowhere.js").values == []


def mutants(constants, seed=1):
    rng = Random(seed)
    api = (operation("GET", "/a", q=StringGene(value="x", min_length=1)),)
    mutator = Mutator(Sampler(api, Settings(), rng), Settings(max_test_calls=1), Schedule(), rng, constants)
    parent = TestCase((Call(api[0], (StringGene(value="x", min_length=1),)),))
    made = [mutator.mutate(parent, 0, 0.5, TARGET).test_case for _ in range(2000)]
    return [test_case.calls[0].genes[0].phenotype() for test_case in made]


def test_mutation_takes_them_with_the_documented_share():
    values = mutants(table())
    taken = sum(value in {"near", "far", "elsewhere", "4711", "-0.5", "99"} for value in values)
    assert MUTATION_PROBABILITY * 0.6 < taken / len(values) < MUTATION_PROBABILITY * 1.2
    assert values == mutants(table())
    assert "near" not in mutants(ConstantTable())


def test_a_table_that_is_filled_later_counts():
    constants = ConstantTable()
    sampler = Sampler(API, Settings(), Random(1), constants)
    constants.put("/app.js", ROWS)
    texts = [str(gene.phenotype()) for _ in range(3000) for call in sampler.sample().calls for gene in call.genes]
    assert (
        SAMPLING_PROBABILITY / 20
        < sum("near" in text or "far" in text for text in texts) / len(texts)
        < SAMPLING_PROBABILITY
    )


def test_an_input_with_a_pattern_takes_texts_of_the_program_that_have_it_now_and_then():
    made = ConstantTable()
    made.put("/app.js", [(1, text) for text in ("GET", "ST-0001", "ST-0002", "a", "b", "no such stay", "ST-1")])
    code = StringGene(value="ST-9876", pattern=r"^ST-\d{4}$")
    chooser = ConstantChooser(made)
    assert chooser.texts_of_form(code) == ("ST-0001", "ST-0002")
    assert chooser.texts_of_form(StringGene(value="x")) == ()
    assert chooser.texts_of_form(StringGene(value="x", pattern="^.+$")) == ()
    inputs = ConstantInputs(chooser, Random(1))
    call = Call(operation("GET", "/stays", code=code), (code,))
    taken = Counter(inputs.applied(call, ()).genes[0].phenotype() for _ in range(500))
    assert taken["ST-0001"] > 15 and taken["ST-0002"] > 15
    assert taken["ST-9876"] > 400
    made.put("/late.js", [(1, "ST-0003")])
    assert chooser.texts_of_form(code) == ("ST-0001", "ST-0002", "ST-0003")
