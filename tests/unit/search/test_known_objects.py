"""What has made an object once makes the objects of other calls of its class."""

from __future__ import annotations

from random import Random

from wimble.genes import StringGene
from wimble.library.function_binding import FunctionBinding, FunctionKind, Parameter, function_operation
from wimble.library.invocation import FunctionExchange, Invocation, Thrown, function_observation, invocation_of
from wimble.model.evaluation import Evaluation
from wimble.model.operation import Operation
from wimble.model.testcase import Call, TestCase
from wimble.search.archive.archive import Improvement
from wimble.search.generators.generator import Outcome, Proposal
from wimble.search.generators.samples.known_objects import MAX_KEPT, KnownObjects
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings

OPTIONS = Parameter(name="options", template=StringGene())
KEY = Parameter(name="key", template=StringGene())


def operation(name: str, kind: FunctionKind, method: str = "") -> Operation:
    binding = FunctionBinding(
        index=0, package="lib", kind=kind, path=("Cache",), method=method,
        parameters=(OPTIONS,) if kind == "constructor" else (KEY,),
        receiver=(OPTIONS,) if kind == "method" else (),
    )  # fmt: skip
    return function_operation(binding, name)


MAKE = operation("new Cache", "constructor")
GET, SET = operation("Cache#get", "method", "get"), operation("Cache#set", "method", "set")
OTHER = function_operation(
    FunctionBinding(index=1, package="lib", kind="function", path=("f",), parameters=(KEY,)), "f"
)


def generator() -> KnownObjects:
    operations = [MAKE, GET, SET, OTHER]
    rng = Random(1)
    return KnownObjects(operations, Sampler(operations, Settings(command=("node",)), rng, None), rng)


def observed(objects: KnownObjects, of: Operation, *texts: str, fails: bool = False) -> None:
    thrown = Thrown(name="TypeError", message="max is required", is_on_purpose=True) if fails else None
    exchange = FunctionExchange(Invocation(operation=of.id, arguments=()), None if fails else "x", thrown=thrown)
    call = Call(of, tuple(map(StringGene, texts)))
    evaluation = Evaluation(test_case=TestCase((call,)), observations=(function_observation(0, exchange),), reached={})
    objects.observe(Outcome(Proposal(evaluation.test_case), evaluation, Improvement()))


def proposed(objects: KnownObjects) -> tuple[str, object]:
    proposal = objects.propose(0.5)
    assert proposal is not None
    call = proposal.test_case.calls[-1]
    receiver = invocation_of(call).receiver
    return call.operation.id, receiver and receiver[0]


def test_methods_of_a_class_that_is_hard_to_make_get_objects_that_were_made() -> None:
    objects = generator()
    assert not objects.is_ready()
    observed(objects, GET, "bad", "k", fails=True)
    assert not objects.is_ready()
    observed(objects, MAKE, "good")
    assert objects.is_ready()
    assert {proposed(objects) for _ in range(2)} == {("Cache#get", "good"), ("Cache#set", "good")}


def test_a_class_that_is_made_by_nearly_all_arguments_needs_none() -> None:
    objects = generator()
    for number in range(5):
        observed(objects, SET, f"options {number}", "k")
    observed(objects, GET, "bad", "k", fails=True)
    assert objects.propose(0.5) is None


def test_the_newest_objects_are_kept_and_functions_are_none() -> None:
    objects = generator()
    observed(objects, OTHER, "text")
    assert not objects.is_ready()
    for number in range(2 * MAX_KEPT):
        observed(objects, MAKE, f"{number}")
        observed(objects, GET, "bad", "k", fails=True)
    seen = {proposed(objects)[1] for _ in range(100)}
    assert seen == {f"{number}" for number in range(MAX_KEPT, 2 * MAX_KEPT)}


def test_a_constructor_may_take_more_than_its_methods_know_of() -> None:
    binding = FunctionBinding(
        index=0, package="lib", kind="constructor", path=("Cache",), parameters=(OPTIONS, KEY, KEY, KEY)
    )
    make, rng = function_operation(binding, "new Cache"), Random(1)
    objects = KnownObjects([make, GET], Sampler([make, GET], Settings(command=("node",)), rng, None), rng)
    observed(objects, GET, "bad", "k", fails=True)
    observed(objects, make, "good", "b", "c", "d")
    assert proposed(objects) == ("Cache#get", "good")
