"""A search that sees nothing but answers gets further with what answers look like than without."""

from random import Random

from fake_sut import FakeSut, operation

from wimble.engine.evaluator.black_box_targets import BlackBoxTargets
from wimble.genes import BooleanGene, EnumGene, IntegerGene, ObjectGene, OptionalGene, StringGene
from wimble.model.evaluation import Evaluation, Reached, with_additions
from wimble.model.testcase import TestCase
from wimble.oracles import Judge
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.search.archive.rarity import Rarity
from wimble.search.mio import MioStrategy
from wimble.settings import Settings
from wimble.techniques import switched_off
from wimble.types import TargetId

LOANS = [
    operation("GET", "/health"),
    operation(
        "POST",
        "/loans",
        body=ObjectGene(
            (
                ("amount", IntegerGene(minimum=0, maximum=1_000)),
                ("income", IntegerGene(minimum=0, maximum=1_000)),
                ("years", IntegerGene(minimum=1, maximum=60)),
                ("kind", EnumGene(("house", "car", "trip", "other"))),
                ("guarantor", OptionalGene(BooleanGene())),
                ("note", OptionalGene(StringGene())),
            )
        ),
    ),
]


def answered(loan):
    """What it is answered, and how deep the code was that did."""
    if loan["amount"] < 700:
        return 0, {"state": "granted"}
    if loan["kind"] != "car":
        return 1, {"state": "granted", "fee": 1}
    if loan["years"] < 50:
        return 2, {"state": "granted", "fee": 1, "insurance": "basic"}
    if not loan.get("guarantor"):
        return 3, {"state": "open", "missing": ["guarantor"]}
    if loan["income"] > 150:
        return 4, {"state": "granted", "guarantor": {"liable": True}}
    return 5, {"state": "manual", "reason": None}


def evaluations_to_the_depth(seed, off, limit=1_500):
    """limit: where it has not been reached."""
    depths = []

    def handler(operation_id, values, probe, state):
        if operation_id == "GET /health":
            return 200, {}
        depth, answer = answered(values["body"])
        depths.append(depth)
        return 201, answer

    sut = FakeSut(handler)
    search = MioStrategy(LOANS, sut.table, Settings(url="http://127.0.0.1", switched_off=off), Random(seed), JAVASCRIPT)
    black_box = BlackBoxTargets(sut.table, Judge())
    for count in range(limit):
        evaluation = sut.evaluate(search.next_test_case(count / limit))
        search.observe(with_additions(evaluation, [black_box.additions(evaluation)]), count / limit)
        if 5 in depths:
            return count + 1
    return limit


def test_rare_answers_lead_to_rarer_ones():
    without = switched_off(["response-shapes", "schema-parts"])
    n_with = sum(evaluations_to_the_depth(seed, frozenset()) for seed in range(8))
    n_without = sum(evaluations_to_the_depth(seed, without) for seed in range(8))
    assert n_with < n_without / 2


def test_of_what_is_covered_the_rarest_is_chosen_mostly():
    rarity = Rarity()
    case = TestCase(())
    for common in range(20):
        rarity.note(Evaluation(test_case=case, observations=(), reached={TargetId(common % 3): Reached(1.0, 0)}))
    open_only = {TargetId(3): Reached(0.5, 0)}
    rarity.note(Evaluation(test_case=case, observations=(), reached={**open_only, TargetId(4): Reached(1.0, 0)}))
    rng = Random(1)
    chosen = [rarity.choose([TargetId(target) for target in (0, 1, 2, 4)], rng) for _ in range(100)]
    assert chosen.count(4) > 80
