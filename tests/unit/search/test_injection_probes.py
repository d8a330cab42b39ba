"""What is sent to an injection target, one probe after the other, until one has become syntax."""

from random import Random

import msgspec

from wimble.databases.injections.probes import HEAD, TAIL, has_mark
from wimble.genes import AnyGene, ObjectGene, StringGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.hints import InjectionHint
from wimble.model.observation import Cause
from wimble.model.testcase import Call, GeneAddress, TestCase
from wimble.search.archive.archive import Improvement
from wimble.search.generators.generator import Outcome, Proposal
from wimble.search.generators.probes.injection_probes import MAX_WAITING, InjectionProbes

BODY = HttpInput(name="body", location="body", template=ObjectGene((("name", StringGene("a")),)), required=True)
FIND = http_operation(id="POST /find", method="POST", path="/find", inputs=(BODY,))
TEST_CASE = TestCase((Call(FIND, (ObjectGene((("name", StringGene("zqname")),)),)),) * 2)


def hint(*templates, key="a", place=""):
    """key: of the operation; place: of the command that the input stands in."""
    return InjectionHint(
        key=(key, place or key), call=0, address=GeneAddress(0, 0, (0,)), inner=(), templates=templates
    )


def evaluation(*hints, test_case=TEST_CASE, findings=()):
    return Evaluation(test_case=test_case, observations=(), reached={}, injections=hints, findings=findings)


def seen(generator, *hints):
    generator.observe(Outcome(Proposal(TEST_CASE), evaluation(*hints), Improvement()))
    return generator


def sent(proposal):
    (gene,) = proposal.test_case.calls[0].genes
    return gene.fields[0][1].phenotype() if isinstance(gene, ObjectGene) else gene.phenotype()


def test_each_probe_is_sent_once_with_new_marks_and_without_later_calls():
    generator = seen(InjectionProbes(Random(1)), hint(f"{HEAD}'{TAIL}", {HEAD: TAIL}))
    first, second = generator.propose(0.0), generator.propose(0.0)
    assert len(first.test_case.calls) == 1
    head, _, tail = sent(first).partition("'")
    assert has_mark(head)
    assert has_mark(tail)
    assert head != tail
    assert isinstance(second.test_case.gene_at(GeneAddress(0, 0, (0,))), AnyGene)
    assert generator.propose(0.0) is None
    assert not generator.is_ready()


def test_a_proof_ends_the_probes_of_the_target_also_those_of_other_test_cases():
    generator = seen(InjectionProbes(Random(1)), hint("1", "2"), hint("3"), hint("4", key="b"))
    proposal = generator.propose(0.0)
    proof = Finding(
        oracle="sql-injection", key=(), operation="", status=500, title="", observed="", expected="", cause=Cause(),
        call_index=0,
    )  # fmt: skip
    generator.observe(Outcome(proposal, evaluation(findings=(proof,)), Improvement()))
    assert sent(generator.propose(0.0)) == "4"
    seen(generator, hint("5"))
    assert generator.propose(0.0) is None


def test_each_target_has_a_first_probe_before_any_has_a_second_one():
    generator = seen(InjectionProbes(Random(1)), hint("1", "2", "3"), hint("4", "5", key="b"))
    seen(generator, hint("6", key="a", place="elsewhere"), hint("7", key="c"))
    assert [sent(generator.propose(0.0)) for _ in range(7)] == ["1", "4", "7", "6", "5", "2", "3"]


def test_an_input_at_a_place_that_other_operations_share_waits_for_those_of_its_own():
    shared = [hint("1", "2", "3", key=key, place="guard") for key in "ab"]
    generator = seen(InjectionProbes(Random(1)), *shared, hint("4", "5", "6", key="c"))
    assert [sent(generator.propose(0.0)) for _ in range(9)] == ["1", "4", "2", "5", "3", "6", "1", "2", "3"]


def test_another_finding_proves_nothing():
    generator = seen(InjectionProbes(Random(1)), hint("1", "2"))
    proposal = generator.propose(0.0)
    other = Finding(
        oracle="server-error", key=(), operation="", status=500, title="", observed="", expected="", cause=Cause(),
        call_index=0,
    )  # fmt: skip
    generator.observe(Outcome(proposal, evaluation(findings=(other,)), Improvement()))
    assert sent(generator.propose(0.0)) == "2"


def test_the_same_seed_sends_the_same():
    one, other = (seen(InjectionProbes(Random(5)), hint(f"{HEAD}'{TAIL}")).propose(0.0) for _ in range(2))
    assert one.test_case == other.test_case


def test_targets_that_wait_are_limited():
    generator = seen(InjectionProbes(Random(1)), *(hint("1", key=str(number)) for number in range(MAX_WAITING + 9)))
    n_sent = 0
    while generator.propose(0.0) is not None:
        n_sent += 1
    assert n_sent == MAX_WAITING


def test_an_input_in_the_query_can_be_sent_against_its_schema():
    given = HttpInput(name="limit", location="query", template=StringGene("a", max_length=3), required=True)
    operation = http_operation(id="GET /page", method="GET", path="/page", inputs=(given,))
    test_case = TestCase((Call(operation, (StringGene("a", max_length=3),)),))
    one = msgspec.structs.replace(hint(f"7 OR ({HEAD})"), address=GeneAddress(0, 0, ()))
    generator = InjectionProbes(Random(1))
    generator.observe(Outcome(Proposal(test_case), evaluation(one, test_case=test_case), Improvement()))
    assert sent(generator.propose(0.0)).startswith("7 OR (zq")


def test_marks_are_shorter_if_the_input_is():
    def probe_of(max_length):
        gene = StringGene("a", max_length=max_length)
        given = HttpInput(name="code", location="query", template=gene, required=True)
        operation = http_operation(id="GET /page", method="GET", path="/page", inputs=(given,))
        test_case = TestCase((Call(operation, (gene,)),))
        one = msgspec.structs.replace(hint(f"{HEAD}'{TAIL}"), address=GeneAddress(0, 0, ()))
        generator = InjectionProbes(Random(1))
        generator.observe(Outcome(Proposal(test_case), evaluation(one, test_case=test_case), Improvement()))
        return sent(generator.propose(0.0))

    assert [len(probe_of(length)) for length in (None, 15, 10, 7, 3)] == [15, 15, 9, 7, 7]
    assert all(has_mark(part) for part in probe_of(7).split("'"))
