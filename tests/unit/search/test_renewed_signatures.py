"""Behind a check of a signature: each change of what is signed needs another signature."""

import hashlib
import json
from random import Random

import msgspec
import pytest
from fake_sut import FakeSut, operation

from wimble.genes import EnumGene, IntegerGene, ObjectGene, StringGene
from wimble.model.evaluation import Evaluation, Reached
from wimble.model.hints import ComparisonHint
from wimble.model.testcase import Call, TestCase
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.search.archive.archive import Improvement
from wimble.search.generators.edits.entry_edits import EntryEdits
from wimble.search.generators.edits.renewed_signatures import MAX_VAIN, OF_PACKAGE, RenewedSignatures
from wimble.search.generators.generator import Outcome, Proposal
from wimble.search.mio import MioStrategy
from wimble.settings import Settings
from wimble.types import TargetId

HOOK = [
    operation(
        "POST",
        "/hooks",
        signature=StringGene(),
        body=ObjectGene((("kind", EnumGene(("paid", "refund"))), ("amount", IntegerGene()), ("note", StringGene()))),
    )
]


def signed(operation_id, values, probe, state):
    digest = hashlib.sha256(json.dumps(values["body"]).encode()).hexdigest()
    if not probe.equals(1, values["signature"], digest):
        return 400, {}
    if not probe.equals(2, values["body"]["note"], "mind the gap"):
        return 200, {}
    if probe.equals(3, values["body"]["amount"], 73_421):
        probe.line(99)
    return 200, {}


def covered_after(handler, operations, *, seed, evaluations):
    """Returns whether line 99 was covered. The SUT sends hints only about targets that it has to report."""
    sut = FakeSut(handler, with_hints=True)
    search = MioStrategy(operations, sut.table, Settings(), Random(seed), JAVASCRIPT)
    told = []
    for count in range(evaluations):
        progress = count / evaluations
        evaluation = sut.evaluate(search.next_test_case(progress))
        told += search.archive.covered_since(len(told))
        hints = tuple(hint for hint in evaluation.hints if hint.target not in told)
        search.observe(msgspec.structs.replace(evaluation, hints=hints), progress)
    return search.archive.is_covered(sut.target("line", 99)), told, sut


@pytest.mark.parametrize("seed", range(3))
def test_signed_inputs_are_explored(seed):
    is_covered, told, sut = covered_after(signed, HOOK, seed=seed, evaluations=400)
    assert is_covered
    # It stays open for the SUT, so that it goes on to say which signature it expected.
    assert sut.target("branch", 1, "=== true") not in told
    assert sut.target("branch", 2, "=== true") in told


def test_constant_texts_are_covered_as_always():
    def of_a_constant(operation_id, values, probe, state):
        if probe.equals(1, values["word"], "a-constant-of-the-source"):
            probe.line(99)
        return 200, {}

    sut = FakeSut(of_a_constant, with_hints=True)
    sut.table.constants.put("app.js", [(1, "a-constant-of-the-source")])
    search = MioStrategy([operation("GET", "/word", word=StringGene())], sut.table, Settings(), Random(1), JAVASCRIPT)
    for count in range(50):
        search.observe(sut.evaluate(search.next_test_case(count / 50)), count / 50)
    assert sut.target("branch", 1, "=== true") in search.archive.covered_since(0)


LOGIN = [
    operation("POST", "/login", body=ObjectGene((("password", StringGene()), ("stored", StringGene())))),
]


def test_hashes_of_what_is_sent_are_given_up():
    def hashed(operation_id, values, probe, state):
        body = values["body"]
        digest = hashlib.sha256(body["password"].encode()).hexdigest()
        # The stored hash is that of another password, as long as nobody sends it with its own text.
        known = "" if body["stored"] == body["password"] else hashlib.sha256(b"known").hexdigest()
        if known and not probe.equals(1, digest, known):
            return 403, {}
        return 200, {}

    sut = FakeSut(hashed, with_hints=True)
    search = MioStrategy(LOGIN, sut.table, Settings(), Random(1), JAVASCRIPT)
    check = sut.target("branch", 1, "=== true")
    repeated = []
    for count in range(600):
        test_case = search.next_test_case(count / 600)
        proposal = search._in_flight[id(test_case)]
        if isinstance(proposal.generator, RenewedSignatures):
            repeated.append(proposal)
        evaluation = sut.evaluate(test_case)
        if count == 20:  # as if a login had passed
            evaluation = msgspec.structs.replace(evaluation, reached={**evaluation.reached, check: Reached(1.0, 0)})
        search.observe(evaluation, count / 600)
    assert len(repeated) == MAX_VAIN


@pytest.mark.parametrize(
    ("operator", "left", "right", "is_signature"),
    [
        ("identical", "0f" * 20, None, True),  # the header is missing
        ("equal", None, "0f" * 20, True),
        ("equal", "0f" * 20, None, False),  # header ?? ""
        ("identical", "someone.with.a.name@example.com", "other@example.com", False),
        ("identical", "0f" * 20, "wrong", True),
        ("identical", "short", "wrong", False),
    ],
)
def test_only_a_comparison_with_a_long_text_that_is_not_just_there_is_a_check(operator, left, right, is_signature):
    sut = FakeSut(signed, with_hints=True)
    search = MioStrategy(HOOK, sut.table, Settings(), Random(1), JAVASCRIPT)
    generator = RenewedSignatures(search.archive, EntryEdits(Random(1), JAVASCRIPT), sut.table.constants)
    hint = ComparisonHint(target=1, call=0, operator=operator, left=left, right=right, wanted=True, name="signature")
    assert generator._is_computed(hint) is is_signature


def test_a_check_in_a_package_is_renewed_from_the_first_hint_on_and_edits_come_first():
    """Such a check has no target of its own: its hints are about the statement that calls the package."""
    constants = FakeSut(signed, with_hints=True).table.constants
    search = MioStrategy(HOOK, FakeSut(signed).table, Settings(), Random(1), JAVASCRIPT)
    renewed = RenewedSignatures(search.archive, EntryEdits(Random(1), JAVASCRIPT), constants)
    given, due = "a" * 64, "b" * 64
    sent = TestCase((Call(HOOK[0], (StringGene(f"t=1,v1={given}"), HOOK[0].inputs[1].template)),))
    for edit in ("event.type put in, 'paid'", ""):
        hint = ComparisonHint(
            target=TargetId(7), call=0, operator="identical", left=given, right=due, wanted=True, name=OF_PACKAGE
        )
        evaluation = Evaluation(test_case=sent, observations=(), reached={}, hints=(hint,))
        renewed.observe(Outcome(Proposal(sent, None, edit=edit), evaluation, Improvement()))
        assert renewed.has_edited()
    proposals = [renewed.propose(0.5), renewed.propose(0.5)]
    assert [one.test_case.calls[0].genes[0].phenotype() for one in proposals] == [f"t=1,v1={due}"] * 2
    assert not renewed.is_ready()
