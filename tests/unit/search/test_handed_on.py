"""Inputs that take what another operation was answered, by their names and by calls that have succeeded."""

import json
from random import Random

import msgspec
import pytest
from fake_sut import operation

from wimble.genes import AffixedGene, AnyGene, ObjectGene, ReferenceGene, StringGene
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.http.undeclared_room import with_undeclared_inputs
from wimble.model.evaluation import Evaluation
from wimble.model.learned_input import LearnedInput
from wimble.model.testcase import Call, TestCase
from wimble.search.archive.archive import Improvement
from wimble.search.generators.generator import Outcome
from wimble.search.generators.probes.handed_on_inputs import HandedOnInputs
from wimble.search.learned.handed_on import Pair, Source, likeness
from wimble.search.learned.members import with_input
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings

VISITS, PAGES, CARTS, CART = with_undeclared_inputs(
    [
        operation("POST", "/visits"),
        operation("POST", "/pages"),
        operation("POST", "/carts"),
        operation("PATCH", "/carts/{id}", id=StringGene()),
    ]
)
X_VISIT = LearnedInput(location="header", path=("x-visit",))
IF_MATCH = LearnedInput(location="header", path=("if-match",))


def sampler() -> Sampler:
    return Sampler((VISITS, PAGES, CARTS, CART), Settings(), Random(1))


def answered(*calls, body=None, status=201) -> Evaluation:
    answer = HttpResponse(status, (("content-type", "application/json"),), json.dumps(body or {}).encode())
    seen = [http_observation(index, HttpRequest("POST", "/"), answer) for index in range(len(calls))]
    return Evaluation(test_case=TestCase(tuple(calls)), observations=tuple(seen), reached={})


def bare(one) -> Call:
    return Call(one, tuple(given.template for given in one.inputs))


def sent_in(test_case: TestCase) -> list[str]:
    return [call.operation.id for call in test_case.calls]


def header_of(call: Call, name: str):
    given = next(gene for gene in call.genes if name in dict(getattr(gene, "fields", ())))
    return dict(given.fields)[name].gene


@pytest.mark.parametrize(
    ("one", "name", "noun", "rank"),
    [
        (X_VISIT, "visit", "visit", 4),
        (LearnedInput(location="header", path=("x-station-key",)), "key", "station", 3),
        (LearnedInput(location="header", path=("x-write-key",)), "writeKey", "station", 4),
        (LearnedInput(location="header", path=("x-confirmation",)), "X-Confirmation", "order", 4),
        (IF_MATCH, "revision", "cart", 2),
        (LearnedInput(location="query", path=("cursor",)), "nextCursor", "order", 1),
        (LearnedInput(location="body", path=("cursor",)), "nextCursor", "order", 0),
        (LearnedInput(location="query", path=("id",)), "id", "order", 0),
        (LearnedInput(location="header", path=("x-visit",)), "name", "visit", 2),
        (LearnedInput(location="header", path=("x-visit",)), "note", "visit", 0),
        (LearnedInput(location="query", path=("workspace",)), "slug", "workspace", 2),
        (LearnedInput(location="header", path=("x-workspace",)), "slug", "project", 0),
    ],
)
def test_names_tell_what_an_input_may_take(one, name, noun, rank):
    assert likeness(one, name, noun) == rank


@pytest.mark.parametrize("is_read_first", [True, False])
def test_an_input_is_paired_with_an_answer_whichever_is_known_first(is_read_first):
    handed_on = sampler().handed_on
    given = answered(bare(VISITS), body={"visit": "c6c9852fe4b71f"})
    if is_read_first:
        pairs = [*handed_on.wanted(PAGES, X_VISIT), *handed_on.given(given)]
    else:
        pairs = [*handed_on.given(given), *handed_on.wanted(PAGES, X_VISIT)]
    assert pairs == [Pair(PAGES, X_VISIT, Source(VISITS, "/visit"))]
    assert handed_on.wanted(PAGES, X_VISIT) == []
    assert handed_on.given(given) == []


def test_refused_calls_give_nothing():
    handed_on = sampler().handed_on
    handed_on.wanted(PAGES, X_VISIT)
    assert handed_on.given(answered(bare(VISITS), body={"visit": "c6c9852fe4b71f"}, status=403)) == []


def test_a_pair_is_tried_behind_the_call_that_gives_it():
    one = sampler()
    one.handed_on.given(answered(bare(VISITS), body={"visit": "c6c9852fe4b71f"}))
    (pair,) = one.handed_on.wanted(PAGES, X_VISIT)
    tried = one.handed_on.sampled(pair, TestCase((bare(PAGES),)), one.call)
    assert sent_in(tried) == ["POST /visits", "POST /pages"]
    reference = header_of(tried.calls[1], "x-visit")
    assert isinstance(reference, ReferenceGene)
    assert (reference.call, reference.pointer) == (0, "/visit")


def test_a_call_that_gives_it_already_is_taken():
    one = sampler()
    one.handed_on.given(answered(bare(CARTS), body={"id": "a", "revision": "c6c9852fe4b71f"}))
    (pair,) = one.handed_on.wanted(CART, IF_MATCH)
    tried = one.handed_on.sampled(pair, TestCase((bare(VISITS), bare(CARTS), bare(CART))), one.call)
    assert sent_in(tried) == ["POST /visits", "POST /carts", "PATCH /carts/{id}"]
    assert header_of(tried.calls[2], "if-match").call == 1


def test_new_test_cases_follow_what_has_succeeded():
    one = sampler()
    reference = AffixedGene('"', ReferenceGene(0, "/visit", StringGene("x")), '"')
    worked = with_input(bare(PAGES), X_VISIT, reference)
    one.handed_on.given(answered(bare(VISITS), body={"visit": "c6c9852fe4b71f"}))
    one.handed_on.prove(answered(bare(VISITS), worked))
    sampled = [one.sample_for(PAGES) for _ in range(40)]
    behind = [case for case in sampled if sent_in(case)[:1] == ["POST /visits"]]
    assert len(behind) > 20
    genes = [dict(call.genes[i].fields) for case in behind for call in case.calls if call.operation is PAGES
             for i, given in enumerate(PAGES.inputs) if given.sent_in == "header"]  # fmt: skip
    carried = [fields["x-visit"].gene for fields in genes if "x-visit" in fields]
    assert len(carried) > 20
    assert [gene for gene in carried if not isinstance(gene, AffixedGene) or gene.prefix != '"'] == []


def test_without_proof_test_cases_stay_as_they_are():
    one = sampler()
    one.handed_on.given(answered(bare(VISITS), body={"visit": "c6c9852fe4b71f"}))
    one.handed_on.wanted(PAGES, X_VISIT)
    assert one.handed_on.begun(PAGES, TestCase(()), one.call) == TestCase(())
    assert one.handed_on.applied(bare(PAGES), [bare(VISITS)]) == bare(PAGES)


def test_members_of_contents_are_proven_only_as_parameters():
    one = sampler()
    literal = with_input(bare(PAGES), X_VISIT, AnyGene("x"))
    one.handed_on.prove(answered(bare(VISITS), literal))
    assert one.handed_on.begun(PAGES, TestCase(()), one.call) == TestCase(())


def test_what_one_operation_takes_is_sent_by_others_that_read_it_and_have_not_succeeded():
    one = sampler()
    given = answered(bare(VISITS), body={"visit": "c6c9852fe4b71f"})
    one.handed_on.given(given)
    worked = with_input(bare(PAGES), X_VISIT, ReferenceGene(0, "/visit", StringGene("x")))
    one.handed_on.prove(answered(bare(VISITS), worked))
    assert one.handed_on.begun(CARTS, TestCase(()), one.call) == TestCase(())
    one.handed_on.wanted(CARTS, X_VISIT)
    begun = [one.handed_on.begun(CARTS, TestCase(()), one.call) for _ in range(20)]
    assert [sent_in(case) for case in begun].count(["POST /visits"]) > 10
    sent = [one.handed_on.applied(bare(CARTS), [bare(VISITS)]) for _ in range(20)]
    assert sum(call != bare(CARTS) for call in sent) > 10
    one.handed_on.given(answered(bare(CARTS), body={"id": "a"}))
    assert one.handed_on.applied(bare(CARTS), [bare(VISITS)]) == bare(CARTS), "it needs none"


def proven() -> Sampler:
    """Returns what knows that pages take a visit, as carts may."""
    one = sampler()
    one.handed_on.given(answered(bare(VISITS), body={"visit": "c6c9852fe4b71f"}))
    one.handed_on.wanted(CARTS, X_VISIT)
    one.handed_on.prove(
        answered(bare(VISITS), with_input(bare(PAGES), X_VISIT, ReferenceGene(0, "/visit", StringGene("x"))))
    )
    return one


def told(test_case: TestCase) -> list[str]:
    """Returns the operations, each with the index of the call from whose answer it takes the visit."""
    taken = [dict(pair for gene in call.genes for pair in getattr(gene, "fields", ())) for call in test_case.calls]
    visits = [f" {fields['x-visit'].gene.call}" if "x-visit" in fields else "" for fields in taken]
    return [name + visit for name, visit in zip(sent_in(test_case), visits, strict=True)]


@pytest.mark.parametrize(
    ("old", "brought"),
    [
        ([CARTS], ["POST /visits", "POST /carts 0"]),
        ([CARTS, CART], ["POST /visits", "POST /carts 0", "PATCH /carts/{id}"]),
        ([VISITS, PAGES, CARTS], ["POST /visits", "POST /pages 0", "POST /carts 0"]),
        ([CARTS, VISITS, PAGES], ["POST /visits", "POST /carts 0", "POST /pages 0"]),
        ([CART, CART], ["PATCH /carts/{id}", "PATCH /carts/{id}"]),
    ],
)
def test_old_test_cases_send_what_is_known_since(old, brought):
    one, made = proven(), TestCase(tuple(map(bare, old)))
    copies = [one.as_known_now(made) for _ in range(20)]
    assert [told(copy) for copy in copies].count(brought) > 10
    assert [copy for copy in copies if copy != made and told(copy) != brought] == []


def test_what_old_calls_take_already_stays_and_there_is_room_for_no_more_than_the_longest():
    one = proven()
    worked = with_input(bare(CARTS), X_VISIT, ReferenceGene(0, "/visit", StringGene("x")))
    taken = TestCase((bare(VISITS), bare(VISITS), worked))
    assert {one.as_known_now(taken) for _ in range(20)} == {taken}
    full = TestCase((bare(CARTS),) * Settings().max_test_calls)
    assert {one.as_known_now(full) for _ in range(20)} == {full}


def test_what_new_calls_send_anyway_is_not_tried():
    one = proven()
    generator = HandedOnInputs(one)
    for source, n_tried in (Source(VISITS, "/visit"), 0), (Source(VISITS, "/id"), 1):
        generator._waiting.append((Pair(CARTS, X_VISIT, source), 0))
        assert (generator.propose(0.0) is not None) == n_tried


def tries_after(status: int) -> int:
    """Returns how often a pair is tried if the call that gives its answer is answered so."""
    one = sampler()
    generator = HandedOnInputs(one)
    one.handed_on.given(answered(bare(VISITS), body={"visit": "c6c9852fe4b71f"}))
    (pair,) = one.handed_on.wanted(PAGES, X_VISIT)
    generator._waiting.append((pair, 0))
    n_tries = 0
    while generator.is_ready():
        proposal = generator.propose(0.0)
        n_tries += 1
        generator.observe(Outcome(proposal, answered(*proposal.test_case.calls, status=status), Improvement()))
    return n_tries


def test_a_pair_is_tried_again_only_if_its_answer_was_not_given():
    assert tries_after(201) == 1
    assert tries_after(409) == 3


def test_the_call_that_gives_it_often_has_inputs_that_have_succeeded():
    shops, items = with_undeclared_inputs(
        [operation("POST", "/shops", ObjectGene((("slug", StringGene()),))), operation("GET", "/items")]
    )
    one = Sampler((shops, items), Settings(), Random(1))
    refused = [one.call(shops, ()) for _ in range(20)]
    for call in refused:
        one.observe(answered(call, body={"error": "slug"}, status=400))
    body = ObjectGene((("slug", StringGene("good-slug")),))
    good = msgspec.structs.replace(refused[0], genes=(body, *refused[0].genes[1:]))
    given = answered(good, body={"slug": "good-slug"})
    one.observe(given)
    one.handed_on.given(given)
    by_slug = LearnedInput(location="header", path=("x-shop",))
    one.handed_on.wanted(items, by_slug)
    worked = with_input(bare(items), by_slug, ReferenceGene(0, "/slug", StringGene("x")))
    one.handed_on.prove(answered(good, worked))
    login = TestCase((one.call(items, ()),))
    begun = [one.handed_on.begun(items, login, one.producer) for _ in range(40)]
    sent = [case.calls[1].genes[0].phenotype() for case in begun if len(case.calls) == 2]
    assert sent.count({"slug": "good-slug"}) > 10
