"""Texts that have helped one input are tried as others."""

from random import Random

from fake_sut import FakeSut, operation, searched

from wimble.genes import IntegerGene, StringGene
from wimble.model.targets import Target
from wimble.model.testcase import Call, TestCase
from wimble.search.sampling.dictionary import MAX_LENGTH, Dictionary

GET = operation("GET", "/x", a=StringGene(), b=StringGene())


def case(a, b):
    return TestCase((Call(GET, (StringGene(a), StringGene(b))),))


def test_what_an_edit_wrote_is_learnt_once():
    texts = Dictionary()
    assert not texts
    texts.learn(case("a", "b"), case("a", "GOLD"))
    texts.learn(case("a", "b"), case("GOLD", "x" * (MAX_LENGTH + 1)))
    assert {texts.applied(StringGene(), Random(seed)).value for seed in range(9)} == {"GOLD"}
    assert texts.applied(IntegerGene(), Random(1)) is None


def discount(operation_id, values, probe, state):
    """Both operations run the same comparison, and only the first one is told of it."""
    text = values["coupon" if operation_id == "GET /orders" else "code"]
    if not probe.equals(1, text, "SPRING"):
        return 400, {}
    if operation_id == "GET /check":
        probe.line(99)
    return 200, {}


def orders_alone(operation_id, values, probe, state):
    outcome = discount(operation_id, values, probe, state)
    if operation_id == "GET /check":
        probe.hints.clear()
        branches = (probe.table.register(Target("branch", "app.js", 1, 0, f"=== {way}")) for way in ("true", "false"))
        for branch in branches:
            probe.reached.pop(branch, None)
    return outcome


def test_an_operation_gets_past_what_another_one_has_covered():
    apis = [operation("GET", "/orders", coupon=StringGene()), operation("GET", "/check", code=StringGene())]
    used = [
        searched(FakeSut(orders_alone, with_hints=True), apis, seed=seed, evaluations=300, stop_at=99)[1]
        for seed in range(10)
    ]
    assert sum(count < 300 for count in used) >= 9, used
