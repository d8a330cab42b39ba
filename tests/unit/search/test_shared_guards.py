"""Guards that several operations share are passed by each of them, though all of their outcomes are covered."""

import re
from random import Random

from fake_sut import operation

from wimble.genes import ObjectGene, StringGene
from wimble.model.evaluation import Evaluation, Reached
from wimble.model.hints import ComparisonHint, PatternHint
from wimble.model.observation import Exchange, Observation
from wimble.model.testcase import Call, GeneAddress, TestCase
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.search.archive.archive import Improvement
from wimble.search.generators.edits.entry_edits import EntryEdits
from wimble.search.generators.edits.shared_guards import LEAST_REFUSALS, MAX_CHANGES, SharedGuards
from wimble.search.generators.generator import Outcome, Proposal

OPERATION = operation(
    "POST", "/exports", body=ObjectGene((("plan", StringGene("a1b2c")), ("area", StringGene("d3e4f"))))
)
CALL = TestCase((Call(OPERATION, tuple(given.template for given in OPERATION.inputs)),))
WANTED = {"plan": "gold", "area": "north"}


def run(generator: SharedGuards, proposal: Proposal, *, outcome: str = "", wanted=WANTED) -> str:
    """Evaluates a proposal as a program that checks one member after the other with one function."""
    body = proposal.test_case.calls[-1].genes[0].phenotype()
    missed = next((name for name in wanted if body[name] != wanted[name]), None)
    outcome = outcome or ("refused" if missed else "ok")
    hints = ()
    if missed and proposal.wants_all:
        hint = ComparisonHint(
            target=7, call=0, operator="identical", left=body[missed], right=wanted[missed], wanted=True
        )
        hints = (hint,)
    answer = Observation(call_index=0, outcome=outcome, outcome_keys=("403",), exchange=Exchange())
    evaluation = Evaluation(test_case=proposal.test_case, observations=(answer,), reached={}, hints=hints)
    generator.observe(Outcome(proposal, evaluation, Improvement()))
    return outcome


def refusing(n_refusals: int = LEAST_REFUSALS) -> SharedGuards:
    generator = SharedGuards(EntryEdits(Random(1), JAVASCRIPT))
    for _ in range(n_refusals):
        run(generator, Proposal(CALL))
    return generator


def test_a_guard_after_the_other_is_passed_with_what_all_its_hints_tell():
    generator = refusing()
    outcomes = []
    while generator.is_ready() and len(outcomes) < 20:
        outcomes.append(run(generator, generator.propose(0.5)))
    assert outcomes[-1] == "ok"
    assert len(outcomes) < 10


def test_operations_that_have_let_a_call_in_or_have_failed_are_left_to_others():
    assert not refusing(LEAST_REFUSALS - 1).is_ready()
    for outcome in ("ok", "failed", "crashed"):
        generator = refusing()
        assert generator.is_ready()
        run(generator, Proposal(CALL), outcome=outcome)
        assert not generator.is_ready()


def test_the_calls_for_one_operation_are_bounded():
    generator = refusing()
    for number in range(4 * MAX_CHANGES):
        proposal = generator.propose(0.5)
        if proposal is None:
            break
        run(generator, proposal, outcome="refused", wanted={"plan": f"gold{number}", "area": ""})
    assert not generator.is_ready()


CODES = operation("POST", "/trips", body=ObjectGene((("from", StringGene("a1b2c")), ("to", StringGene("d3e4f")))))
CODE = "^[A-Z]{3}$"


def run_trip(generator: SharedGuards, proposal: Proposal, *, is_found: bool, covered: tuple[int, ...] = ()) -> str:
    """Evaluates a proposal as a program that looks both codes up with one function, which checks their pattern.

    is_found: whether the first code names something, so that the second one is looked up.
    """
    body = proposal.test_case.calls[-1].genes[0].phenotype()
    checked = [body["from"], *([body["to"]] if is_found else [])]
    wrong = [code for code in checked if not re.search(CODE, code)]
    hints = [PatternHint(target=7, call=0, text=code, source=CODE, wanted=True) for code in wrong]
    outcome = "ok" if is_found and not wrong else "refused"
    answer = Observation(call_index=0, outcome=outcome, outcome_keys=("404",), exchange=Exchange())
    reached = {target: Reached(1.0, 0) for target in covered}
    told = tuple(hints) if proposal.wants_all else ()
    evaluation = Evaluation(test_case=proposal.test_case, observations=(answer,), reached=reached, hints=told)
    generator.observe(Outcome(proposal, evaluation, Improvement(newly_covered=covered)))
    return outcome


def test_what_one_input_needed_is_tried_on_another_one_that_the_same_function_checks():
    refused = TestCase((Call(CODES, tuple(given.template for given in CODES.inputs)),))
    passes_first = refused.with_gene(GeneAddress(0, 0, (0,)), StringGene("ABC"))
    generator = SharedGuards(EntryEdits(Random(1), JAVASCRIPT))
    for _ in range(LEAST_REFUSALS):
        run_trip(generator, Proposal(refused), is_found=False)
    while generator.is_ready():
        run_trip(generator, generator.propose(0.5), is_found=False)
    run_trip(generator, Proposal(passes_first), is_found=True, covered=(9,))
    outcomes = []
    while generator.is_ready():
        outcomes.append(run_trip(generator, generator.propose(0.5), is_found=True))
    assert outcomes == ["refused", "ok"]  # the look at the call, and the change
