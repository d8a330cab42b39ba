"""Values that opened one operation, tried on others with inputs of the same name."""

from random import Random

from fake_sut import FakeSut, Probe, operation, searched
from msgspec.structs import replace

from wimble.genes import EnumGene, IntegerGene, ObjectGene, OptionalGene, ReferenceGene, StringGene
from wimble.http.binding import binding_of
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import Call, TestCase
from wimble.search.archive.archive import Improvement
from wimble.search.generators.generator import Outcome, Proposal
from wimble.search.generators.variations.similar_operations import SimilarOperations
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings
from wimble.types import TargetId

A, B, C = (operation("GET", f"/{name}", mode=OptionalGene(StringGene()), bookId=IntegerGene()) for name in "abc")
OTHER = operation("GET", "/other", kind=EnumGene(("x", "y")))
NESTED = operation("POST", "/nested", body=ObjectGene((("mode", StringGene()), ("n", IntegerGene()))))


def generator(*operations) -> SimilarOperations:
    return SimilarOperations(operations, Sampler(operations, Settings(), Random(1)))


def outcome_of(call: Call, status: int, proposal: Proposal | None = None, *, covers: bool = False) -> Outcome:
    binding = binding_of(call.operation)
    observation = http_observation(
        call_index=0, request=HttpRequest(binding.method, binding.path), response=HttpResponse(status, (), b"")
    )
    test_case = TestCase((call,))
    newly_covered = (TargetId(1),) if covers else ()
    return Outcome(
        proposal or Proposal(test_case),
        Evaluation(test_case=test_case, observations=(observation,), reached={}),
        replace(Improvement(), newly_covered=newly_covered),
    )


def sent(proposal: Proposal) -> tuple[str, dict[str, object]]:
    call = proposal.test_case.calls[-1]
    names = [given.name for given in call.operation.inputs]
    return call.operation.id, dict(zip(names, (gene.phenotype() for gene in call.genes), strict=True))


def call_of(which, mode: str) -> Call:
    return Call(which, (OptionalGene(StringGene(mode)), IntegerGene(7)))


def test_a_first_success_is_tried_on_operations_that_have_not_succeeded():
    similar = generator(A, B, C, OTHER, NESTED)
    similar.observe(outcome_of(call_of(C, "slow"), 200))
    assert similar.is_ready()
    while similar.is_ready():
        similar.propose(0.0)
    similar.observe(outcome_of(call_of(A, "fast"), 404))
    assert not similar.is_ready(), "it did not succeed"
    similar.observe(outcome_of(call_of(A, "fast"), 200))
    tried = []
    while similar.is_ready():
        tried.append(sent(similar.propose(0.0)))
    assert [name for name, _ in tried] == ["GET /b", "POST /nested"]
    assert tried[0][1]["mode"] == "fast"
    assert tried[1][1]["body"]["mode"] == "fast"
    similar.observe(outcome_of(call_of(A, "other"), 200))
    assert not similar.is_ready(), "only the first success counts"


def test_ids_are_not_carried_over():
    similar = generator(A, B)
    similar.observe(outcome_of(call_of(A, "fast"), 200))
    assert sent(similar.propose(0.0))[1]["bookId"] != 7


def test_a_path_parameter_that_has_worked_is_tried_at_the_same_place_whatever_its_name():
    names = StringGene()
    one = operation("GET", "/pitches/{id}", id=names)
    reviews = operation("GET", "/pitches/{pitchId}/reviews", pitchId=names)
    review = operation("GET", "/pitches/{pitchId}/reviews/{id}", pitchId=names, id=names)
    other = operation("GET", "/boats/{id}", id=names)
    similar = generator(one, reviews, review, other)
    similar.observe(outcome_of(Call(one, (StringGene("A01"),)), 200))
    tried = []
    while similar.is_ready():
        tried.append(sent(similar.propose(0.0)))
    assert [(name, values["pitchId"]) for name, values in tried] == [(reviews.id, "A01"), (review.id, "A01")]
    assert tried[1][1]["id"] != "A01"


def succeeded_last(test_case: TestCase) -> Outcome:
    last = test_case.calls[-1]
    outcome = outcome_of(last, 200)
    (seen,) = outcome.evaluation.observations
    evaluation = replace(
        outcome.evaluation, test_case=test_case, observations=(replace(seen, call_index=len(test_case.calls) - 1),)
    )
    return replace(outcome, evaluation=evaluation)


def test_what_follows_from_the_same_calls_is_tried_after_them():
    create = operation("POST", "/bookings", seats=IntegerGene())
    note = operation("PATCH", "/bookings/{id}", id=IntegerGene())
    cancel = operation("POST", "/bookings/{bookingId}/cancel", bookingId=IntegerGene())
    settle = operation("POST", "/settle", body=ObjectGene((("bookingId", IntegerGene()), ("n", IntegerGene()))))
    other = operation("GET", "/boats/{id}", id=IntegerGene())
    similar = generator(create, note, cancel, settle, other)
    made = ReferenceGene(0, "/id", IntegerGene())
    first = Call(create, (IntegerGene(2),))
    similar.observe(succeeded_last(TestCase((first, Call(note, (made,))))))
    tried = [similar.propose(0.0).test_case for _ in range(len(similar._waiting))]
    after = [one for one in tried if one.calls[0] is first]
    assert [one.calls[-1].operation for one in after] == [cancel]
    assert after[0].calls[-1].genes == (made,)
    similar.observe(succeeded_last(after[0]))
    assert not similar.is_ready(), "all of that place have succeeded"


def test_so_is_an_input_that_names_the_same_resource():
    create = operation("POST", "/hire", n=IntegerGene())
    extend = operation("POST", "/extend", body=ObjectGene((("loanId", IntegerGene()), ("days", IntegerGene()))))
    damage = operation("POST", "/damage", body=ObjectGene((("text", StringGene()), ("loan_id", IntegerGene()))))
    similar = generator(create, extend, damage)
    made = ReferenceGene(0, "/id", IntegerGene())
    first = Call(create, (IntegerGene(2),))
    hired = Call(extend, (ObjectGene((("loanId", made), ("days", IntegerGene(3)))),))
    similar.observe(succeeded_last(TestCase((first, hired))))
    tried = [similar.propose(0.0).test_case for _ in range(len(similar._waiting))]
    (after,) = [one for one in tried if one.calls[0] is first]
    assert after.calls[-1].operation is damage
    assert dict(after.calls[-1].genes[0].fields)["loan_id"] == made


def test_an_edit_that_covers_something_is_tried_on_all_others_once():
    similar = generator(A, B, C)
    for which in (A, B, C):
        similar.observe(outcome_of(call_of(which, "m"), 200))
    while similar.is_ready():
        similar.propose(0.0)
    edit = Proposal(TestCase((call_of(A, "secret"),)), edited_from=TestCase((call_of(A, "m"),)))
    similar.observe(outcome_of(call_of(A, "secret"), 200, edit))
    assert not similar.is_ready(), "nothing was covered"
    for _ in range(2):
        similar.observe(outcome_of(call_of(A, "secret"), 200, edit, covers=True))
    tried = []
    while similar.is_ready():
        tried.append(sent(similar.propose(0.0)))
    assert [(name, values["mode"]) for name, values in tried] == [("GET /b", "secret"), ("GET /c", "secret")]


def test_what_opens_one_operation_opens_its_likes():
    names = [f"/part{number}" for number in range(12)]
    operations = [operation("GET", name, tenant=StringGene(), n=IntegerGene()) for name in names]

    def handler(operation_id: str, values: dict[str, object], probe: Probe, state: dict[str, object]):
        number = int(operation_id.removeprefix("GET /part"))
        # The agent sees only the first handler's comparison.
        is_known = (
            probe.equals(1, values["tenant"], "acme-east-4") if number == 0 else values["tenant"] == "acme-east-4"
        )
        if is_known:
            probe.line(100 + number)
        return (200 if is_known else 403), {}

    for seed in (1, 2):
        sut = FakeSut(handler, with_hints=True)
        search, _ = searched(sut, operations, seed=seed, evaluations=65)  # 79 and 86 without similar operations
        assert all(search.archive.is_covered(sut.target("line", 100 + number)) for number in range(12))
