from random import Random

from fake_sut import operation

from wimble.genes import IntegerGene, OptionalGene, ReferenceGene, StringGene
from wimble.model.testcase import Call, TestCase
from wimble.search.archive.focus_schedule import Schedule
from wimble.search.mutation.mutator import Mutator
from wimble.search.sampling.same_names import NAMING_PROBABILITY, SAME_VALUE_PROBABILITY, SameNames, with_same_values
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings
from wimble.types import ABSENT

CREATE = operation("POST", "/createPad", padID=StringGene(), text=StringGene())
READ = operation("GET", "/getText", padID=StringGene(), text=StringGene())
LIST = operation("GET", "/listAuthors", authorID=StringGene())
PADS = (CREATE, READ, LIST)


def test_operations_with_an_input_of_one_name_are_mates():
    names = SameNames(PADS)
    assert names.mate(READ, Random(1)) is CREATE
    assert names.mate(CREATE, Random(1)) is READ
    assert names.mate(LIST, Random(1)) is None


def test_what_makes_something_is_preferred():
    others = [operation("GET", f"/get{number}", padID=StringGene()) for number in range(20)]
    names, rng = SameNames((*PADS, *others)), Random(1)
    chosen = [names.mate(READ, rng) for _ in range(200)]
    assert chosen.count(CREATE) > 80
    assert len(set(map(id, chosen))) > 5


def test_only_names_of_resources_take_the_same_value():
    made = Call(CREATE, (StringGene("kf3ab"), StringGene("hello")))
    rng = Random(1)
    taken = [with_same_values(Call(READ, (StringGene("other"), StringGene("own"))), (made,), rng) for _ in range(300)]
    same = [call for call in taken if call.genes[0].phenotype() == "kf3ab"]
    assert abs(len(same) / 300 - SAME_VALUE_PROBABILITY) < 0.1
    assert {call.genes[1].phenotype() for call in taken} == {"own"}


def test_a_value_that_the_input_cannot_hold_is_left():
    made = Call(CREATE, (StringGene("kf3ab"), StringGene("hello")))
    read = operation("GET", "/getText", padID=IntegerGene())
    call = Call(read, (IntegerGene(7),))
    assert all(with_same_values(call, (made,), Random(seed)) == call for seed in range(20))


def test_an_input_bound_to_an_answer_stays_bound():
    bound = ReferenceGene(0, "/id", StringGene("x"))
    made = Call(CREATE, (StringGene("kf3ab"), StringGene("hello")))
    call = Call(READ, (bound, StringGene("own")))
    assert all(with_same_values(call, (made,), Random(seed)) == call for seed in range(20))


def test_what_both_operations_name_is_not_left_out():
    left_out = {"padID": OptionalGene(StringGene(), False), "text": OptionalGene(StringGene(), False)}
    create, read = operation("POST", "/createPad", **left_out), operation("GET", "/getText", **left_out)
    names, rng = SameNames((create, read)), Random(1)
    made = [names.naming(Call(create, tuple(left_out.values())), read, rng) for _ in range(300)]
    named = [call for call in made if call.genes[0].phenotype() is not ABSENT]
    assert abs(len(named) / 300 - NAMING_PROBABILITY) < 0.1
    assert all(call.genes[1].phenotype() is ABSENT for call in made)
    bare = Call(read, tuple(left_out.values()))
    taken = [with_same_values(bare, named[:1], rng, are_sent_kept=True).genes[0].phenotype() for _ in range(300)]
    assert set(taken) == {ABSENT, named[0].genes[0].phenotype()}
    own = Call(read, (StringGene("own"), left_out["text"]))
    assert all(with_same_values(own, named[:1], rng, are_sent_kept=True) == own for _ in range(20))


def test_mutation_makes_first_what_the_call_did_not_name_so_far():
    left_out = {"padID": OptionalGene(StringGene(), False)}
    create, read = operation("POST", "/createPad", **left_out), operation("GET", "/getText", **left_out)
    rng = Random(1)
    mutator = Mutator(Sampler((create, read), Settings(), rng), Settings(), Schedule(), rng)
    parent, together = TestCase((Call(read, tuple(left_out.values())),)), 0
    for _ in range(300):
        calls = mutator.mutate(parent, 0, 0.0).test_case.calls
        made = {call.genes[0].phenotype() for call in calls[:-1] if call.operation is create} - {ABSENT}
        together += calls[-1].operation is read and calls[-1].genes[0].phenotype() in made
    assert together > 8


def test_samples_make_and_use_what_the_client_names():
    sampler = Sampler(PADS, Settings(), Random(1))
    together = 0
    for _ in range(200):
        calls = sampler.sample_for(READ).calls
        made = {call.genes[0].phenotype() for call in calls[:-1] if call.operation is CREATE}
        together += calls[-1].operation is READ and calls[-1].genes[0].phenotype() in made
    assert together > 40
