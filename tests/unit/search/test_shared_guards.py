"""Guards that several operations share are passed by each of them, though all of their outcomes are covered."""

import re
from random import Random

from fake_sut import operation

from wimble.genes import ObjectGene, StringGene
from wimble.http.undeclared_room import with_undeclared_inputs
from wimble.model.evaluation import Evaluation, Reached
from wimble.model.hints import ComparisonHint, InputHint, PatternHint
from wimble.model.learned_input import LearnedInput
from wimble.model.observation import Exchange, Observation
from wimble.model.testcase import Call, GeneAddress, TestCase
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.search.archive.archive import Improvement
from wimble.search.generators.edits.entry_edits import EntryEdits
from wimble.search.generators.edits.shared_guards import LEAST_REFUSALS, MAX_CHANGES, SharedGuards
from wimble.search.generators.generator import Outcome, Proposal
from wimble.search.learned.members import value_of_input, with_input
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings

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
    generator = SharedGuards(EntryEdits(Random(1), JAVASCRIPT), Sampler((), Settings(), Random(1)))
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
    generator = SharedGuards(EntryEdits(Random(1), JAVASCRIPT), Sampler((), Settings(), Random(1)))
    for _ in range(LEAST_REFUSALS):
        run_trip(generator, Proposal(refused), is_found=False)
    while generator.is_ready():
        run_trip(generator, generator.propose(0.5), is_found=False)
    run_trip(generator, Proposal(passes_first), is_found=True, covered=(9,))
    outcomes = []
    while generator.is_ready():
        outcomes.append(run_trip(generator, generator.propose(0.5), is_found=True))
    assert outcomes == ["refused", "ok"]  # the look at the call, and the change


def test_known_inputs_that_a_call_lacks_are_added_before_its_other_inputs_change():
    (trips,) = with_undeclared_inputs([operation("POST", "/trips")])
    sampler = Sampler((), Settings(), Random(1))
    first, second = (LearnedInput(location="body", path=(name,)) for name in ("from", "to"))
    for one in (first, second):
        sampler.learned.learn(trips, one)
    bare = Call(trips, tuple(given.template for given in trips.inputs))
    call = with_input(bare, first, StringGene("ABC"), form=0)
    hints = (
        InputHint(target=3, call=0, location="body", path=("to",)),
        PatternHint(target=7, call=0, text="ABC", source="^[A-Z]{4}$", wanted=True),
    )
    generator = SharedGuards(EntryEdits(Random(1), JAVASCRIPT), sampler)
    answer = Observation(call_index=0, outcome="refused", outcome_keys=("400",), exchange=Exchange())
    evaluation = Evaluation(test_case=TestCase((call,)), observations=(answer,), reached={}, hints=hints)
    for _ in range(LEAST_REFUSALS):
        generator.observe(Outcome(Proposal(evaluation.test_case), evaluation, Improvement()))
    generator.observe(Outcome(generator.propose(0.5), evaluation, Improvement()))
    (tried,) = generator.propose(0.5).test_case.calls
    assert value_of_input(tried, first) == "ABC"
    assert isinstance(value_of_input(tried, second), str)


def test_a_value_that_is_looked_for_in_a_list_is_told_apart_by_the_input_that_has_it():
    """As `kinds.includes(body.to)`, where the members of the list stand on the left."""
    codes = TestCase((Call(CODES, tuple(given.template for given in CODES.inputs)),))
    generator = SharedGuards(EntryEdits(Random(1), JAVASCRIPT), Sampler((), Settings(), Random(1)))
    answer = Observation(call_index=0, outcome="refused", outcome_keys=("400",), exchange=Exchange())

    def n_changes(sent: str) -> int:
        """Returns how many changes are made after calls that looked for this value in vain."""
        hint = ComparisonHint(target=7, call=0, operator="identical", left="suite", right=sent, wanted=True)
        refused = Evaluation(test_case=codes, observations=(answer,), reached={7: Reached(1.0, 0)}, hints=(hint,))
        for _ in range(LEAST_REFUSALS):
            generator.observe(Outcome(Proposal(codes), refused, Improvement(newly_covered=(7,))))
        count = 0
        while generator.is_ready():
            proposal = generator.propose(0.5)
            count += bool(proposal.edit)
            if not proposal.edit:
                generator.observe(Outcome(proposal, refused, Improvement()))
        return count

    assert n_changes("a1b2c") > 0
    assert n_changes("d3e4f") > 0
    assert n_changes("a1b2c") == 0
