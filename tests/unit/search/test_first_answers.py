"""Answers are proposed for requests to services that were seen, and those that help are given to new test cases."""

import base64
import json
import re
from random import Random

import msgspec
import pytest
from proposed import proposed_after

from wimble.genes import StringGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest
from wimble.model.evaluation import Crash, Evaluation
from wimble.model.external import INTERNAL_ERROR, ExternalRequest
from wimble.model.hints import ComparisonHint, InputHint, PatternHint, SplitHint
from wimble.model.observation import Cause
from wimble.model.setup_kinds.answer import answers_in, new_answer
from wimble.model.testcase import Call, TestCase
from wimble.model.validation import AppliedSchema, Validation
from wimble.own_keys import holds_own_token, own_token
from wimble.search.access.own_tokens import issued_token
from wimble.search.archive.archive import Improvement
from wimble.search.external.known_answers import KnownAnswers
from wimble.search.external.request_templates import service_of, template_of
from wimble.search.external.service_knowledge import ServiceKnowledge
from wimble.search.generators.generator import Outcome, Proposal
from wimble.search.generators.probes.host_probes import HostProbes
from wimble.search.generators.services.answer_forms import AnswerForms
from wimble.search.generators.services.answer_members import AnswerMembers
from wimble.search.generators.services.answer_schemas import AnswerSchemas
from wimble.search.generators.services.first_answers import (
    MAX_HUNG,
    MAX_OF_OPERATION,
    FirstAnswers,
    OtherAnswers,
    SeenRequests,
)
from wimble.search.generators.services.headers_of_answers import AnswerHeaders
from wimble.search.generators.services.member_kinds import MAX_KINDS, kinds_for
from wimble.search.generators.services.service_results import (
    EARLY,
    FIRST,
    MALFORMED_EVENT,
    OF_MAIL,
    OF_WEB_SOCKET,
    OTHERS,
    answer_with,
    first_results,
    other_results,
)
from wimble.types import OperationId, TargetId

ORIGIN = "https://api.payments.example:443"


def operation(name="GET /orders"):
    given = HttpInput(name="id", location="query", template=StringGene())
    return http_operation(id=OperationId(name), method="GET", path="/orders", inputs=(given,))


def case(value="k3x9q", *answers, name="GET /orders"):
    return TestCase((Call(operation(name), (StringGene(value),)),), answers)


N_OTHERS = len(OTHERS) - 1
"""Other results of a request that asks for no events."""


def request(target="/v1/charges", *, answered_by=None, occurrence=0, n=0, is_guarded=False):
    return ExternalRequest(
        call=0,
        site="",
        n=n,
        origin=ORIGIN,
        method="GET",
        target=target,
        occurrence=occurrence,
        answered_by=answered_by,
        is_guarded=is_guarded,
    )


def evaluation(test_case, *interactions, hints=(), validations=()):
    observation = http_observation(0, HttpRequest(method="GET", target="/orders", headers=(), body=None))
    return Evaluation(
        test_case=test_case,
        observations=(observation,),
        reached={},
        interactions=interactions,
        hints=hints,
        validations=validations,
    )


def outcome(one, *, generator=None, newly_covered=frozenset()):
    improvement = msgspec.structs.replace(Improvement(), newly_covered=newly_covered)
    return Outcome(Proposal(one.test_case, generator), one, improvement)


def all_of(generator):
    return proposed_after(generator, ())


def test_success_and_unavailability_come_first_then_the_other_results_once():
    requests = SeenRequests(ServiceKnowledge(Random(1)))
    first, others = FirstAnswers(requests), OtherAnswers(requests)
    first.observe(outcome(evaluation(case(), request())))
    first.observe(outcome(evaluation(case("other"), request())))
    tried = [answers_in(one)[0] for one in all_of(first)]
    assert [(one.status, one.path) for one in tried] == [(200, "/v1/charges"), (503, "/v1/charges")]
    assert tried[0].body == "{}\n"
    assert INTERNAL_ERROR in tried[1].body, "so that an answer of the API that holds it is seen at once"
    assert len(all_of(others)) == N_OTHERS


def test_a_program_that_ends_after_its_request_gets_the_first_results():
    requests = SeenRequests(ServiceKnowledge(Random(1)))
    first, others = FirstAnswers(requests), OtherAnswers(requests)
    crash = Crash(kind="died", cause=Cause(message="TypeError"), call_index=0)
    one = evaluation(case(), request())
    lost = msgspec.structs.replace(one, crashes=(crash,))
    assert lost.is_sut_lost
    for _ in range(2):
        first.observe(outcome(lost))
    assert [answers_in(made)[0].status for made in all_of(first)] == [200, 503]
    assert not others.is_ready()
    first.observe(outcome(one))
    assert len(all_of(others)) == N_OTHERS


GRPC = (("content-type", "application/grpc+proto"),)
PRICES = "message Price { double amount = 1; } service Prices { rpc Get (Price) returns (Price); }"


def grpc_request(**more):
    return msgspec.structs.replace(request("/Prices/Get", **more), method="POST", headers=GRPC)


def statuses(made):
    return [dict(answers_in(one)[-1].headers).get("grpc-status") for one in made]


def test_a_request_of_grpc_gets_messages_refusals_and_failures_of_connections():
    knowledge = ServiceKnowledge(Random(1))
    requests = SeenRequests(knowledge)
    first, others = FirstAnswers(requests), OtherAnswers(requests)
    first.observe(outcome(evaluation(case(), grpc_request())))
    made = all_of(first)
    assert sorted(statuses(made), key=int) == [str(status) for status in range(17)]
    assert base64.b64decode(answers_in(made[0])[0].body) == bytes(5), "the empty message, which any definition reads"
    outcomes = [answers_in(one)[0].outcome for one in all_of(others)]
    assert "answer" not in outcomes and {"refused", "hang", "truncated"} <= set(outcomes)
    knowledge.add_definitions(["no definition", PRICES])
    defined = all_of(first)
    assert statuses(defined) == ["0"] * 3
    assert any(len(base64.b64decode(answers_in(one)[0].body)) == 5 + 9 for one in defined), "one field of 8 bytes"


def test_a_program_that_ends_after_its_request_of_grpc_gets_what_is_known_of_it():
    knowledge = ServiceKnowledge(Random(1))
    first = FirstAnswers(SeenRequests(knowledge))
    crash = Crash(kind="died", cause=Cause(message="Error"), call_index=0)
    first.observe(outcome(msgspec.structs.replace(evaluation(case(), grpc_request()), crashes=(crash,))))
    knowledge.add_definitions([PRICES])
    assert statuses(all_of(first)) == ["0"] * 3


def test_a_request_of_grpc_that_is_sent_again_gets_another_answer():
    first = FirstAnswers(SeenRequests(ServiceKnowledge(Random(1))))
    away = new_answer(ORIGIN, "POST", "/Prices/Get", headers={"grpc-status": "14"})
    first.observe(outcome(evaluation(case("a", away), grpc_request(answered_by=0, occurrence=1))))
    made = all_of(first)
    assert statuses(made)[0] == "0" and [one.occurrence for one in answers_in(made[0])] == [0, None]


def test_another_operation_that_sends_the_request_has_its_turn():
    requests = SeenRequests(ServiceKnowledge(Random(1)))
    first = FirstAnswers(requests)
    first.observe(outcome(evaluation(case(), request())))
    first.observe(outcome(evaluation(case(name="POST /orders"), request())))
    assert len(all_of(first)) == 2 * len(FIRST)


def test_random_requests_of_one_operation_leave_room_for_others():
    requests = SeenRequests(ServiceKnowledge(Random(1)))
    first = FirstAnswers(requests)
    first.observe(outcome(evaluation(case(), *(request(f"/a{number}x") for number in range(500)))))
    assert len(all_of(first)) == MAX_OF_OPERATION * len(FIRST)
    first.observe(outcome(evaluation(case(name="POST /orders"), request("/b"))))
    assert len(all_of(first)) == len(FIRST)


def test_an_answered_request_leads_to_the_next_one():
    requests = SeenRequests(ServiceKnowledge(Random(1)))
    first = FirstAnswers(requests)
    answered = case("k3x9q", new_answer(ORIGIN, "GET", "/v1/token", body={"token": "zz81kq"}))
    first.observe(outcome(evaluation(answered, request("/v1/token", answered_by=0), request("/v1/zz81kq", n=1))))
    made = [answers_in(one) for one in all_of(first)]
    assert [(len(one), one[1].path, one[1].status) for one in made] == [(2, "/v1/*", 200), (2, "/v1/*", 503)]


def test_a_request_that_is_sent_again_gets_a_second_answer():
    requests = SeenRequests(ServiceKnowledge(Random(1)))
    first = FirstAnswers(requests)
    retried = case("k3x9q", new_answer(ORIGIN, "GET", "/v1/charges", status=503, body={}))
    first.observe(outcome(evaluation(retried, request(answered_by=0), request(answered_by=0, occurrence=1, n=1))))
    made = [answers_in(one) for one in all_of(first)]
    assert [[(one.occurrence, one.status) for one in answers] for answers in made] == [
        [(0, 503), (None, 200)],
        [(0, 503), (None, 503)],
        [(0, 503), (None, 503)],
    ]


@pytest.mark.parametrize(
    ("body", "target", "last"),
    [
        ({"meta": {"next": "zz81kq"}, "data": []}, "/v1/charges?cursor=zz81kq", {"meta": {"next": None}, "data": []}),
        ({"links": {"next": "https://a.example/v1/charges?p=zq81k"}}, "/v1/charges?p=zq81k", {"links": {"next": None}}),
        ({"page": 1, "next": 2}, "/v1/charges?page=2", {"page": 1, "next": None}),
    ],
)
def test_the_last_page_does_not_lead_on(body, target, last):
    first = FirstAnswers(SeenRequests(ServiceKnowledge(Random(1))))
    paged = case("k3x9q", new_answer(ORIGIN, "GET", "/v1/charges", body=body))
    sent = msgspec.structs.replace(request(answered_by=0, occurrence=1, n=1), target=target)
    first.observe(outcome(evaluation(paged, request(answered_by=0), sent)))
    bodies = [[one.genes[2].phenotype() for one in made.setup] for made in all_of(first)]
    assert bodies[0] == [body, last]


def two_calls(*answers):
    return TestCase(tuple(Call(operation(), (StringGene(value),)) for value in ("k3x9q", "p2w7e")), answers)


def test_a_third_try_gets_an_answer_of_its_own_too():
    failed = new_answer(ORIGIN, "GET", "/v1/charges", status=503)
    own = msgspec.structs.replace(failed, occurrence=0)
    requests = SeenRequests(ServiceKnowledge(Random(1)))
    first = FirstAnswers(requests)
    sent = [request(answered_by=min(n, 1), occurrence=n, n=n) for n in range(3)]
    first.observe(outcome(evaluation(case("k3x9q", own, failed), *sent[:2])))
    assert all_of(first) == []
    first.observe(outcome(evaluation(case("k3x9q", own, failed), *sent)))
    tried = [[(one.occurrence, one.status) for one in made.setup] for made in all_of(first)]
    assert tried[0] == [(0, 503), (1, 503), (None, 200)]


def test_the_same_operation_called_twice_does_not_send_its_request_again():
    requests = SeenRequests(ServiceKnowledge(Random(1)))
    answer = new_answer(ORIGIN, "GET", "/v1/charges", body={})
    again = msgspec.structs.replace(request(answered_by=0, occurrence=1), call=1)
    first = FirstAnswers(requests)
    first.observe(outcome(evaluation(two_calls(answer), request(answered_by=0), again)))
    assert all_of(first) == []
    poll = msgspec.structs.replace(again, occurrence=2)
    first.observe(outcome(evaluation(two_calls(answer), request(answered_by=0), again, poll)))
    assert [len(one.setup) for one in all_of(first)] == [2, 2, 2]


def with_status(text):
    return new_answer(ORIGIN, "GET", "/v1/charges", body={"status": text})


def statuses_in_turn(test_case):
    return [one.genes[2].phenotype().get("status") for one in test_case.setup if one.genes[2].phenotype()]


@pytest.mark.parametrize("is_poll_first", [True, False])
def test_answers_that_have_led_on_follow_each_other_where_a_request_is_sent_again(is_poll_first):
    first = FirstAnswers(SeenRequests(ServiceKnowledge(Random(1))))
    again = request(answered_by=0, occurrence=1)
    poll = outcome(evaluation(case("a", with_status("pending")), request(answered_by=0), again))
    done = outcome(evaluation(case("a", with_status("done")), request(answered_by=0)), newly_covered=frozenset({1}))
    made = []
    for one in (poll, done) if is_poll_first else (done, poll):
        first.observe(one)
        made += all_of(first)
    in_turn = [one for one in made if statuses_in_turn(one) == ["pending", "done"]]
    assert [one.occurrence for one in in_turn[0].setup] == [0, None]
    assert len(in_turn) == 1


def occurrences(test_case):
    return [(one.occurrence, one.genes[2].phenotype().get("status")) for one in test_case.setup]


@pytest.mark.parametrize("is_poll_first", [True, False])
def test_an_answer_that_has_led_on_follows_several_others(is_poll_first):
    """A program that counts its requests may wait for the third one to be `done`."""
    first = FirstAnswers(SeenRequests(ServiceKnowledge(Random(1))))
    own = [msgspec.structs.replace(with_status("pending"), occurrence=0), with_status("waiting")]
    sent = [request(answered_by=min(n, 1), occurrence=n, n=n) for n in range(3)]
    poll = outcome(evaluation(case("a", *own), *sent))
    ended = [msgspec.structs.replace(with_status("done"), occurrence=0), with_status("waiting")]
    done = outcome(evaluation(case("a", *ended), request(answered_by=0)), newly_covered=frozenset({1}))
    made = []
    for one in (poll, done) if is_poll_first else (done, poll):
        first.observe(one)
        made += [occurrences(one) for one in all_of(first)]
    assert [(0, "pending"), (None, "done")] in made
    assert [(0, "pending"), (1, "waiting"), (None, "done")] in made


def test_requests_that_are_sent_at_once_get_answers_together():
    first = FirstAnswers(SeenRequests(ServiceKnowledge(Random(1))))
    first.observe(outcome(evaluation(case(), request("/a"), request("/b"))))
    together = [one for one in all_of(first) if len(one.setup) == 2]
    assert [[answer.path for answer in one.setup] for one in together] == [["/a", "/b"]]


def test_a_service_fails_while_the_others_work():
    requests = SeenRequests(ServiceKnowledge(Random(1)))
    first, others = FirstAnswers(requests), OtherAnswers(requests)
    first.observe(outcome(evaluation(case(), request("/a"))))
    works = case("k3x9q", new_answer(ORIGIN, "GET", "/b", body={"ok": "k3x9q"}))
    first.observe(outcome(evaluation(works, request("/b", answered_by=0)), newly_covered=frozenset({1})))
    assert all([one.path for one in made.setup] == ["/a", "/b"] for made in all_of(others))


def test_one_of_several_services_that_work_fails_each_time_that_more_is_known_of_them():
    requests = SeenRequests(ServiceKnowledge(Random(1)))
    first = FirstAnswers(requests)
    places = [(ORIGIN, "/a"), ("https://b.example:443", "/b")]
    asked = [
        msgspec.structs.replace(request(path, answered_by=at, n=at), origin=origin)
        for at, (origin, path) in enumerate(places)
    ]
    failing = []
    for number in range(5):
        works = case("k3x9q", *(new_answer(origin, "GET", path, body={"n": number}) for origin, path in places))
        first.observe(outcome(evaluation(works, *asked), newly_covered=frozenset({number})))
        failing += [outcomes_of(one) for one in all_of(first)]
    refused, works = ("refused", 200), ("answer", 200)
    assert failing.count([refused, works]) == failing.count([works, refused]) == 3


def test_a_member_that_answers_lack_together_is_added_to_all_of_them():
    members = AnswerMembers(Random(1))
    answers = [new_answer(ORIGIN, "GET", path, body={}) for path in ("/a", "/b")]
    alone = evaluation(
        case("k3x9q", answers[0]), request("/a", answered_by=0), hints=(hint("price", uses=("number",)),)
    )
    members.observe(outcome(alone))
    all_of(members)
    requests = [request(path, answered_by=at, n=at) for at, path in enumerate(("/a", "/b"))]
    missed = hint("price", answers=(0, 1), uses=("number",))
    members.observe(outcome(evaluation(case("k3x9q", *answers), *requests, hints=(missed,))))
    together = all_of(members)[0]
    assert all(isinstance(one.genes[2].phenotype()["price"], int) for one in together.setup)
    members.observe(outcome(evaluation(case("k3x9q", *answers), *requests, hints=(missed,))))
    assert not members.is_ready()


def outcomes_of(test_case):
    return [(one.outcome, one.status) for one in answers_in(test_case)]


IMPROVES_NOTHING = Improvement()


def others_of(n_operations):
    """Returns the generator, with a request of each operation to one service."""
    requests = SeenRequests(ServiceKnowledge(Random(1)))
    for number in range(n_operations):
        requests.observe(evaluation(case(name=f"GET /{number}"), request()))
    return OtherAnswers(requests)


def taken_from(others, n, improvement=IMPROVES_NOTHING):
    taken = []
    for _ in range(n):
        proposal = others.propose(0.0)
        others.observe(Outcome(proposal, evaluation(proposal.test_case), improvement))
        taken.append(proposal.test_case)
    return taken


def test_other_results_take_turns_by_kind_and_by_operation():
    taken = taken_from(others_of(3), 2 * N_OTHERS)
    outcomes = [outcomes_of(one)[0][0] for one in taken]
    rest = [one for one, outcome in zip(taken, outcomes, strict=True) if outcome not in EARLY]
    n_kinds = N_OTHERS - len(EARLY)
    assert len({str(answers_in(one)) for one in rest[:n_kinds]}) == n_kinds
    assert [one.calls[0].operation.id for one in rest[:6]] == ["GET /0", "GET /1", "GET /2"] * 2


def test_each_operation_meets_the_failures_of_connections_early():
    taken = taken_from(others_of(3), 6 * len(EARLY))
    met = {(one.calls[0].operation.id, outcomes_of(one)[0][0]) for one in taken}
    assert len([one for one in met if one[1] in EARLY]) == 3 * len(EARLY)


def test_a_kind_of_result_that_covers_something_new_is_tried_again_soon():
    others = others_of(3)
    taken_from(others, 1)  # a failure of the connection
    improvement = msgspec.structs.replace(Improvement(), newly_covered=frozenset({TargetId(1)}))
    (first,) = taken_from(others, 1, improvement)
    _, second = taken_from(others, 2)
    assert outcomes_of(second) == outcomes_of(first)
    assert second.calls != first.calls


def hangs_tried(guarded, *, ends=frozenset()):
    """For a request of each operation, guarded or not: the operations in which it hangs, in the order of all tries.

    ends: the operations that end in time.
    """
    requests = SeenRequests(ServiceKnowledge(Random(1)))
    others = OtherAnswers(requests)
    for number, is_guarded in enumerate(guarded):
        requests.observe(evaluation(case(name=f"GET /{number}"), request(is_guarded=is_guarded)))
    made = []
    while others.is_ready():
        proposal = others.propose(0.0)
        number = int(proposal.test_case.calls[0].operation.id.removeprefix("GET /"))
        hangs = outcomes_of(proposal.test_case)[0][0] == "hang"
        made.append(number if hangs else None)
        failure = "timeout" if hangs and number not in ends else None
        observation = http_observation(0, HttpRequest(method="GET", target="/"), failure=failure)
        one = msgspec.structs.replace(evaluation(proposal.test_case), observations=(observation,))
        others.observe(Outcome(proposal, one, Improvement()))
    return made


def test_hangs_end_once_many_have_lasted():
    made = hangs_tried([False] * (MAX_HUNG + 5))
    assert len([one for one in made if one is not None]) == MAX_HUNG


def test_requests_with_a_time_out_hang_early_whatever_has_lasted_before():
    last = MAX_HUNG + 5
    made = hangs_tried([False] * last + [True], ends={last})
    assert made.index(last) < 2 * (len(EARLY) + 1) * (last + 1)


def test_hangs_of_requests_with_a_time_out_end_once_more_have_lasted_than_ended():
    n_ending = 3
    made = hangs_tried([True] * (2 * MAX_HUNG), ends=set(range(n_ending)))
    tried = [one for one in made if one is not None]
    assert len(tried) == MAX_HUNG + 2 * n_ending
    assert len(set(tried)) == len(tried)


def test_segments_that_hold_a_value_are_wildcards():
    test_case = case("k3x9q", new_answer(ORIGIN, "GET", "/a", body={"id": 41, "list": [{"ref": "pq7"}]}))
    assert template_of("/users/k3x9q/cards", test_case) == "/users/*/cards"
    assert template_of("/users/u-k3x9q.json?x=1", test_case) == "/users/*"
    assert template_of("/v1/41/pq7/", test_case) == "/v1/*/*/"
    assert template_of("/v1/123e4567-e89b-12d3-a456-426614174000", test_case) == "/v1/*"
    assert template_of("/jobs/undefined", test_case) == "/jobs/*", "the answer that holds it comes later"
    assert template_of("/prices/pq7.csv", test_case) == "/prices/*", "short as it is"
    assert template_of("/prices/pq7s.csv", test_case) == "/prices/pq7s.csv"
    assert template_of("/jobs/%20/state.txt", test_case) == "/jobs/*/state.txt", "signs are what is left of an input"


def test_labels_of_a_host_that_hold_an_input_are_told_as_wildcards():
    test_case = case("k3x9q")
    assert service_of("https://k3x9q.tenants.example:443", test_case) == "https://*.tenants.example"
    assert service_of("https://tenants.example:443", test_case) == "https://tenants.example"
    assert service_of("http://pq7rs:8080", test_case) == "http://pq7rs:8080"


def test_a_host_that_an_input_names_is_told_as_a_wildcard():
    test_case = case("https://k3x9q.example:8443/hook")
    assert service_of("https://k3x9q.example:8443", test_case) == "https://*"
    assert service_of("https://api.payments.example:443", test_case) == "https://api.payments.example"
    assert service_of("http://k3x9q:8080", case("k3x9q")) == "http://*"


def test_hosts_that_an_input_names_get_the_results_once():
    """Each is another one, and what one of them answers tells of all."""
    requests = SeenRequests(ServiceKnowledge(Random(1)))
    first = FirstAnswers(requests)
    for host in ("k3x9q.example", "10.0.7.9", "pq7rs.example"):
        asked = msgspec.structs.replace(request("/"), origin=f"https://{host}:443")
        first.observe(outcome(evaluation(case(f"https://{host}/"), asked)))
    assert len(all_of(first)) == len(FIRST)


def test_new_test_cases_get_the_answers_that_have_helped():
    known = KnownAnswers(Random(1))
    answer, unused = new_answer(ORIGIN, "GET", "/v1/charges", body={}), new_answer(ORIGIN, "GET", "/other", body={})
    known.observe(evaluation(case("k3x9q", unused, answer), request(answered_by=1)))
    given = [known.given_to(case()).setup for _ in range(20)]
    assert (answer,) in given
    assert () in given
    assert {len(setup) for setup in given} == {0, 1}
    assert known.given_to(case(name="GET /else")).setup == ()


def test_an_answer_after_which_a_call_never_ended_is_not_given_to_others():
    known = KnownAnswers(Random(1))
    answer = new_answer(ORIGIN, "GET", "/v1/charges", outcome="hang")
    silent = http_observation(0, HttpRequest(method="GET", target="/"), failure="timeout")
    one = evaluation(case("k3x9q", answer), request(answered_by=0))
    known.observe(msgspec.structs.replace(one, observations=(silent,)))
    assert {known.given_to(case()).setup for _ in range(20)} == {()}


def hint(*path, answers=(0,), uses=()):
    return InputHint(target=TargetId(1), call=0, location="answer", path=path, answers=answers, uses=uses)


def test_members_that_were_missed_are_added_with_each_type():
    members = AnswerMembers(Random(1))
    test_case = case("k3x9q", new_answer(ORIGIN, "GET", "/v1/charges", body={}))
    one = evaluation(test_case, request(answered_by=0), hints=(hint("data", "items", "1", "sku"), hint("total")))
    members.observe(outcome(one))
    bodies = [made.setup[0].genes[2].phenotype() for made in all_of(members)]
    together = bodies[0]
    assert set(together) == {"data", "total"}
    assert len(together["data"]["items"]) == 2
    assert set(together["data"]["items"][1]) == {"sku"}
    assert {type(body["total"]) for body in bodies if "data" not in body} == {str, list, dict, int, bool}
    members.observe(outcome(one))
    assert not members.is_ready()


def test_members_that_may_let_an_operation_succeed_for_the_first_time_have_turns_ahead():
    succeeded = set()
    members = AnswerMembers(Random(1), succeeded.__contains__)
    test_case = case("k3x9q", new_answer(ORIGIN, "GET", "/v1/charges", body={}))
    assert not members.may_open()
    members.observe(outcome(evaluation(test_case, request(answered_by=0), hints=(hint("total"),))))
    assert members.may_open()
    succeeded.add(test_case.calls[-1].operation.id)
    assert members.is_ready() and not members.may_open()


def test_members_are_what_the_program_takes_them_for_and_nothing_else():
    members = AnswerMembers(Random(1))
    test_case = case("k3x9q", new_answer(ORIGIN, "GET", "/v1/charges", body={}))
    hints = (hint("items", uses=("list",)), hint("total", uses=("number",)), hint("done", uses=("boolean",)))
    members.observe(outcome(evaluation(test_case, request(answered_by=0), hints=hints)))
    bodies = [made.setup[0].genes[2].phenotype() for made in all_of(members)]
    together = bodies[0]
    assert together["items"] == [{}]
    assert together["total"] > 1
    assert together["done"] is True
    assert {type(body["items"]) for body in bodies if "items" in body} == {list}
    assert [body["done"] for body in bodies if list(body) == ["done"]] == [True]
    assert len(bodies) < 12, "eleven kinds of three members would be more than thirty"


def test_two_uses_of_a_member_take_turns_and_an_unknown_one_leaves_all_kinds():
    first, second, *_ = (kind(Random(1)) for kind in kinds_for(("object", "list")))
    assert (first, second) == ({}, [{}])
    assert len(kinds_for(())) > 8
    by_use = {use: kinds_for((use,))[0](Random(1)) for use in ("record", "date", "json", "token", "condition")}
    assert len(by_use["record"]) == 3
    assert by_use["date"] > "2999"
    assert by_use["json"] == "{}"
    assert holds_own_token(by_use["token"]), "our public keys show it to be right"
    assert isinstance(by_use["condition"], str)


def test_a_name_that_functions_follow_through_objects_is_a_path():
    for path in (("root", "items[0]", "meta"), ("root.items[0].meta",), ("*", "root", "items[0]", "meta")):
        members = AnswerMembers(Random(1))
        test_case = case("k3x9q", new_answer(ORIGIN, "GET", "/v1/charges", body={}))
        members.observe(outcome(evaluation(test_case, request(answered_by=0), hints=(hint(*path),))))
        body = all_of(members)[0].setup[0].genes[2].phenotype()
        assert list(body["root"]["items"][0]) == ["meta"]


def test_what_its_name_says_a_text_is_follows_a_text_that_is_recognised():
    first, named, *others = kinds_for((), "version")
    assert "." in named(Random(1)) and "." not in first(Random(1)) and len(others) > 8
    assert kinds_for(("number",), "total") == kinds_for(("number",))
    assert len(kinds_for((), "version")) <= MAX_KINDS


def test_members_are_added_without_those_of_which_only_the_truth_is_read():
    members = AnswerMembers(Random(1))
    test_case = case("k3x9q", new_answer(ORIGIN, "GET", "/v1/charges", body={}))
    hints = (hint("occupied", uses=("condition",)), hint("depth", uses=("number",)), hint("tide", uses=("number",)))
    members.observe(outcome(evaluation(test_case, request(answered_by=0), hints=hints)))
    keys = [set(made.setup[0].genes[2].phenotype()) for made in all_of(members)]
    assert keys[:2] == [{"occupied", "depth", "tide"}, {"depth", "tide"}]


def test_an_answer_that_is_spread_becomes_a_list():
    members = AnswerMembers(Random(1))
    one = evaluation(case("k3x9q", new_answer(ORIGIN, "GET", "/orders", body={})), request("/orders", answered_by=0))
    members.observe(outcome(msgspec.structs.replace(one, hints=(hint("*", uses=("list",)),))))
    assert next(made.setup[0].genes[2].phenotype() for made in all_of(members)) == [{}]


def test_an_answer_that_is_read_as_a_list_becomes_one():
    members = AnswerMembers(Random(1))
    first, second = (new_answer(ORIGIN, "GET", path, body={}) for path in ("/orders", "/users"))
    requests = (request("/orders", answered_by=0), request("/users", answered_by=1))
    one = evaluation(case("k3x9q", first, second), *requests, hints=(hint("*", "users", uses=("list",)),))
    members.observe(outcome(one))
    found = [tuple(answer.genes[2].phenotype() for answer in made.setup) for made in all_of(members)]
    assert found[0] == ({"users": [{}]}, {}), "it may be a member of that name as well"
    lists = [bodies for bodies in found if list in map(type, bodies)]
    assert lists[0] == ([{}], [{}]), "the object is not known, and most programs that read one list read others, too"
    assert ({}, [{}]) in found and ([{}], {}) in found
    assert any(isinstance(orders, list) and len(orders) == 3 and orders[0] for orders, _ in found)
    members.observe(outcome(one))
    assert not members.is_ready()


def test_what_a_parser_hands_out_is_in_the_answers_that_the_call_got():
    members = AnswerMembers(Random(1))
    test_case = case("k3x9q", new_answer(ORIGIN, "GET", "/v1/charges", body={}))
    handed = hint("rows", "0", "doc", answers=())
    members.observe(outcome(evaluation(test_case, request("/other"), hints=(handed,))))
    assert not members.is_ready(), "the call has not got the answer"
    members.observe(outcome(evaluation(test_case, request(answered_by=0), hints=(handed,))))
    bodies = [made.setup[0].genes[2].phenotype() for made in all_of(members)]
    assert all(list(body) == ["rows"] and list(body["rows"][0]) == ["doc"] for body in bodies)
    docs = [body["rows"][0]["doc"] for body in bodies]
    assert any(isinstance(one, dict) and one for one in docs), "an object that is known by its text"
    assert max(len(one) for one in docs if isinstance(one, list)) == 3


def test_a_member_missed_in_the_second_answer_is_new_there():
    members = AnswerMembers(Random(1))
    body = {"next": "k3x9q"}
    alone = case("k3x9q", new_answer(ORIGIN, "GET", "/items", body=body))
    members.observe(outcome(evaluation(alone, request("/items", answered_by=0), hints=(hint("items"),))))
    all_of(members)
    first, later = (new_answer(ORIGIN, "GET", "/items", body=body, occurrence=at) for at in (0, None))
    apart = case("k3x9q", first, later)
    members.observe(outcome(evaluation(apart, request("/items", answered_by=1), hints=(hint("items", answers=(1,)),))))
    assert "items" in all_of(members)[0].setup[1].genes[2].phenotype()


def forms_after(*hints, body=None):
    generator = AnswerForms(Random(1))
    test_case = case("k3x9q", new_answer(ORIGIN, "GET", "/v1/charges", body=body or {}))
    one = outcome(evaluation(test_case, request(answered_by=0), hints=hints))
    generator.observe(one)
    found = [made.setup[0].form for made in all_of(generator)]
    generator.observe(one)
    assert not generator.is_ready()
    return found


def compared(left, right):
    return ComparisonHint(target=TargetId(1), call=0, operator="identical", left=left, right=right, wanted=True)


def test_an_answer_that_is_parsed_split_or_compared_is_sent_in_other_forms():
    others = ["text", "xml", "csv", "ini", "form", "csv", "semicolons", "tabs"]
    assert forms_after(hint()) == others
    assert forms_after(SplitHint(target=TargetId(1), call=0, text="{}", separator=";")) == others
    assert forms_after(PatternHint(target=TargetId(1), call=0, text="{}\n", source="a", wanted=True)) == others
    assert forms_after(compared("{}", "PONG")) == others
    assert forms_after(compared("scope", "{}\n")) == others, "a field of a form"
    assert forms_after(compared("", "PONG")) == []
    assert forms_after(SplitHint(target=TargetId(1), call=0, text="k3x9q", separator="=")) == []
    assert forms_after(hint("total")) == []


def test_where_an_answer_is_split_tells_its_form():
    assert forms_after(SplitHint(target=TargetId(1), call=0, text="{}", separator="\n"))[0] == "lines"
    assert forms_after(SplitHint(target=TargetId(1), call=0, text="{}", separator=": "))[:2] == ["colons", "text"]
    assert forms_after(SplitHint(target=TargetId(1), call=0, text="{}", separator="="))[:2] == ["ini", "text"]
    assert "lines" not in forms_after(SplitHint(target=TargetId(1), call=0, text="{}", separator=";"))


def test_an_object_made_of_an_answer_is_recognised_by_what_it_holds():
    members = AnswerMembers(Random(1))
    answer = new_answer(ORIGIN, "GET", "/status", body={"ltt8r": "lp0bf"}, form="ini")
    held = InputHint(target=TargetId(1), call=0, location="", path=("MODE",), held={"ltt8r": "lp0bf"})
    other = msgspec.structs.replace(held, held={"ltt8r": "another", "n": 1})
    members.observe(outcome(evaluation(case("k3x9q", answer), request(answered_by=0), hints=(other,))))
    assert not members.is_ready()
    members.observe(outcome(evaluation(case("k3x9q", answer), request(answered_by=0), hints=(held,))))
    assert "MODE" in members.propose(0.5).test_case.setup[0].genes[2].phenotype()


def test_an_object_made_of_an_answer_is_recognised_by_its_numbers():
    answer = new_answer(ORIGIN, "GET", "/rates", body={"rates": {"k3x9q": {"mid": 7.25}, "EUR": {"mid": 1}}})

    def found(held):
        members = AnswerMembers(Random(1))
        read = InputHint(target=TargetId(1), call=0, location="", path=("ask",), uses=("number",), held=held)
        members.observe(outcome(evaluation(case("k3x9q", answer), request(answered_by=0), hints=(read,))))
        return members.propose(0.5).test_case.setup[0].genes[2].phenotype()

    assert "ask" in found({"mid": 7.25})["rates"]["k3x9q"]
    assert "ask" in found({"mid": 1}), "a small number may be any"
    assert "ask" in found({"mid": float("inf"), "bid": float("nan")}), "numbers of JavaScript need not be finite"


def members_after_error(message):
    members = AnswerMembers(Random(1))
    answer = new_answer(ORIGIN, "GET", "/status", body={})
    observed = http_observation(0, HttpRequest("GET", "/orders"), failure="timeout")
    observed = msgspec.structs.replace(observed, cause=Cause(message=message))
    one = evaluation(case("k3x9q", answer), request(answered_by=0))
    members.observe(outcome(msgspec.structs.replace(one, observations=(observed,))))
    return [one.setup[0].genes[2].phenotype() for one in all_of(members)]


def test_members_that_errors_of_libraries_name_are_tried():
    assert members_after_error("Error: the response does not have a well-formed `data` array.")[0] == {"data": [{}]}
    (first, *_) = members_after_error('OPError: response body "token_type" property must be a string')
    assert list(first) == ["token_type"] and isinstance(first["token_type"], str)
    assert members_after_error("TypeError: Cannot read properties of undefined (reading 'name')") == []
    assert members_after_error("TypeError: data.map is not a function") == []


def members_after(answer, answered_by, path=("errorCode",)):
    members = AnswerMembers(Random(1))
    read = InputHint(target=TargetId(1), call=0, location="", path=path, held={"$metadata": {}})
    members.observe(outcome(evaluation(case("k3x9q", answer), request(answered_by=answered_by), hints=(read,))))
    return [one.setup[0].genes[2].phenotype() for one in all_of(members)]


def test_a_member_of_an_object_that_a_library_has_made_is_one_of_the_answer_that_the_call_got():
    plain = new_answer(ORIGIN, "GET", "/status", body={})
    names = {name for body in members_after(plain, 0) for name in body}
    assert names == {"errorCode", "error_code"}
    assert members_after(plain, None) == []
    assert members_after(new_answer(ORIGIN, "GET", "/status", status=204, body={}), 0) == []
    in_xml = members_after(new_answer(ORIGIN, "GET", "/status", body={"root": {}}, form="xml"), 0, ("Contents",))
    assert {(root, name) for body in in_xml for root in body for name in body[root]} == {("root", "Contents")}


def test_what_a_request_says_decides_the_first_answers():
    first = FirstAnswers(SeenRequests(ServiceKnowledge(Random(1))))
    first.observe(outcome(evaluation(case(), request("/.well-known/jwks.json"))))
    assert "keys" in all_of(first)[0].setup[0].genes[2].phenotype()


PROFILE = {
    "type": "object",
    "properties": {"id": {"type": "integer", "minimum": 1}, "plan": {"enum": ["free", "team"]}},
    "required": ["id", "plan"],
}


def applied(value, *place, library="zod"):
    return Validation(call=0, applied=AppliedSchema.of(library, PROFILE), value=value, place=place, is_valid=False)


def is_profile(value):
    return isinstance(value["id"], int) and value["id"] >= 1 and value["plan"] in ("free", "team")


def test_answers_meet_the_schemas_that_are_applied_to_them():
    schemas = AnswerSchemas(Random(1))
    test_case = case("k3x9q", new_answer(ORIGIN, "GET", "/users", body={"data": {"name": "x"}, "ok": True}))
    one = evaluation(test_case, validations=(applied({"name": "x"}, "answer", "0", "data"),))
    schemas.observe(outcome(one))
    made = all_of(schemas)
    bodies = [one.setup[0].genes[2].phenotype() for one in made]
    assert bodies
    assert all(is_profile(body["data"]) and body["ok"] is True for body in bodies)
    # Mutation keeps to the schema.
    rng = Random(2)
    sampled = [made[0].setup[0].genes[2].sampled(rng).phenotype() for _ in range(20)]
    assert all(is_profile(body["data"]) for body in sampled if isinstance(body, dict) and "data" in body)
    schemas.observe(outcome(one))
    assert not schemas.is_ready()


def test_a_copy_of_an_answer_is_recognised_by_its_value():
    schemas = AnswerSchemas(Random(1))
    test_case = case("k3x9q", new_answer(ORIGIN, "GET", "/users", body=[{"name": "kk81s", "age": 7}]))
    got = request(answered_by=0)
    schemas.observe(outcome(evaluation(test_case, got, validations=(applied({"name": "kk81s", "age": 7}),))))
    assert all(is_profile(made.setup[0].genes[2].phenotype()[0]) for made in all_of(schemas))
    schemas.observe(outcome(evaluation(test_case, got, validations=(applied({"other": 1}),))))
    assert not schemas.is_ready()


def test_an_empty_content_is_no_copy_of_an_answer_that_its_call_has_not_got():
    for requests, is_found in (((), False), ((request(answered_by=0),), True)):
        schemas = AnswerSchemas(Random(1))
        test_case = case("k3x9q", new_answer(ORIGIN, "GET", "/users", body={}))
        schemas.observe(outcome(evaluation(test_case, *requests, validations=(applied({}),))))
        assert schemas.is_ready() is is_found


def test_a_text_that_holds_a_document_gets_one_that_meets_the_schema():
    schemas = AnswerSchemas(Random(1))
    test_case = case("k3x9q", new_answer(ORIGIN, "GET", "/next", body={"message": '{"kind":1}', "cursor": "e30="}))
    places = (applied({"kind": 1}, "answer", "0", "message"), applied({}, "answer", "0", "cursor"))
    schemas.observe(outcome(evaluation(test_case, validations=places)))
    made = [made.setup[0].genes[2].phenotype() for made in all_of(schemas)]
    assert any(is_profile(json.loads(body["message"])) for body in made if body["message"] != '{"kind":1}')
    assert any(is_profile(json.loads(base64.b64decode(body["cursor"]))) for body in made if body["cursor"] != "e30=")


def probed_hosts(value, target, name="id", accepted=()):
    probes = HostProbes(Random(1), accepted)
    given = HttpInput(name=name, location="query", template=StringGene())
    called = http_operation(id=OperationId("GET /orders"), method="GET", path="/orders", inputs=(given,))
    test_case = TestCase((Call(called, (StringGene(value),)),))
    probes.observe(outcome(evaluation(test_case, request(target))))
    return [made.calls[0].genes[0].phenotype() for made in all_of(probes)]


def test_inputs_that_stand_in_requests_are_tried_as_hosts():
    tried = probed_hosts("k3x9q", "/v1/k3x9q")
    assert len(tried) == len(set(tried)) > 4
    assert all("probe.example" in one for one in tried)
    assert probed_hosts("k3x9q", "/v1/users") == []
    assert probed_hosts("k3x9q", "/v1/users", name="callbackUrl") != []
    assert probed_hosts("k3x9q", "/v1/k3x9q", accepted=["GET /orders"]) == []


def test_inputs_that_are_called_like_addresses_are_tried_as_hosts_first_and_each_before_one_a_second_time():
    probes = HostProbes(Random(1))
    given = [
        HttpInput(name=name, location="query", template=StringGene()) for name in ("id", "callbackUrl", "feedLink")
    ]
    called = http_operation(id=OperationId("GET /orders"), method="GET", path="/orders", inputs=tuple(given))
    test_case = TestCase((Call(called, tuple(StringGene(f"k3x9{n}") for n in range(3))),))
    probes.observe(outcome(evaluation(test_case, request("/v1/k3x90"))))
    tried = [
        next(n for n, gene in enumerate(made.calls[0].genes) if "probe.example" in gene.phenotype())
        for made in all_of(probes)
    ]
    assert tried[:4] == [1, 2, 1, 2]
    assert set(tried[-4:]) == {0}


def test_hosts_are_tried_again_in_a_call_that_is_not_refused_for_the_sake_of_another_input():
    probes = HostProbes(Random(1))
    given = tuple(HttpInput(name=name, location="query", template=StringGene()) for name in ("callbackUrl", "events"))
    called = http_operation(id=OperationId("GET /orders"), method="GET", path="/orders", inputs=given)

    def observe(events, *requests):
        test_case = TestCase((Call(called, (StringGene("https://a.example/k3x9q"), StringGene(events))),))
        probes.observe(outcome(evaluation(test_case, *requests), newly_covered=frozenset([TargetId("t")])))

    def tried():
        return [made.calls[0].genes[1].phenotype() for made in all_of(probes)]

    observe("")
    refused = tried()
    assert set(refused) == {""}
    observe("")
    assert tried() == []
    for _ in range(2):
        observe("created", msgspec.structs.replace(request("/k3x9q"), origin="https://a.example:443"))
    assert tried() == ["created"] * len(refused)


def test_operations_take_turns_with_members_unless_they_lead_on():
    members = AnswerMembers(Random(1))
    many = evaluation(
        case("k3x9q", new_answer(ORIGIN, "GET", "/v1/many", body={})),
        request("/v1/many", answered_by=0),
        hints=tuple(hint(f"member{n}") for n in range(20)),
    )
    few = evaluation(
        case("k3x9q", new_answer(ORIGIN, "GET", "/v1/few", body={}), name="GET /few"),
        request("/v1/few", answered_by=0),
        hints=(hint("a"), hint("b")),
    )
    members.observe(outcome(few))
    members.observe(outcome(many))
    turns = []
    for _ in range(12):
        proposal = members.propose(0.0)
        made = proposal.test_case
        turns.append(made.calls[0].operation.id)
        members.observe(outcome(evaluation(made), generator=members))
    assert turns.count("GET /few") == 6


def test_headers_that_were_missed_are_added_to_the_answers_that_the_call_got():
    headers = AnswerHeaders(Random(1))
    test_case = case("k3x9q", new_answer(ORIGIN, "GET", "/v1/charges", body={}), new_answer(ORIGIN, "GET", "/no"))
    missed = InputHint(target=TargetId(1), call=0, location="header", path=("Link",))
    one = evaluation(test_case, request(answered_by=0), hints=(missed,))
    headers.observe(outcome(one))
    headers.observe(outcome(one))
    (made,) = all_of(headers)
    assert dict(answers_in(made)[0].headers) == {
        "content-type": "application/json",
        "link": '<https://api.payments.example/v1/charges?page=2>; rel="next"',
    }
    assert answers_in(made)[1] == answers_in(test_case)[1]


def test_a_header_of_no_known_form_is_a_text_that_is_recognised_then_a_number():
    headers = AnswerHeaders(Random(1))
    test_case = case("k3x9q", new_answer(ORIGIN, "GET", "/v1/charges", body={}))
    missed = InputHint(target=TargetId(1), call=0, location="header", path=("x-left",))
    headers.observe(outcome(evaluation(test_case, request(answered_by=0), hints=(missed,))))
    values = [dict(answers_in(one)[0].headers)["x-left"] for one in all_of(headers)]
    assert values[1] == "0"
    assert values[2].isdigit()
    assert values[3] == "true"
    assert re.fullmatch(r"[a-z][a-z0-9]+", values[0])


@pytest.mark.parametrize(
    ("name", "header"),
    [("ETag", "etag"), ("lastModified", "last-modified"), ("retry_after", "retry-after"), ("date", "")],
)
def test_a_header_that_a_client_library_hands_out_as_a_member_is_known_by_its_name(name, header):
    headers = AnswerHeaders(Random(1))
    test_case = case("k3x9q", new_answer(ORIGIN, "GET", "/v1/charges", body={}))
    missed = InputHint(target=TargetId(1), call=0, location="", path=(name,), held={"$metadata": {}})
    headers.observe(outcome(evaluation(test_case, request(answered_by=0), hints=(missed,))))
    assert {added for one in all_of(headers) for added, _ in answers_in(one)[0].headers} == (
        {"content-type", header} if header else set()
    )


@pytest.mark.parametrize(("name", "is_read"), [("answer.headers.x-left", True), ("req.headers.x-left", False)])
def test_a_header_that_is_compared_is_known_by_its_name(name, is_read):
    headers = AnswerHeaders(Random(1))
    test_case = case("k3x9q", new_answer(ORIGIN, "GET", "/v1/charges", body={}))
    compared = ComparisonHint(
        target=TargetId(1), call=0, operator="greater", left={"$undefined": True}, right=3, wanted=True, name=name
    )
    headers.observe(outcome(evaluation(test_case, request(answered_by=0), hints=(compared,))))
    assert headers.is_ready() == is_read


def test_success_of_head_has_headers_only():
    requests = SeenRequests(ServiceKnowledge(Random(1)))
    first = FirstAnswers(requests)
    asked = msgspec.structs.replace(request(), method="HEAD")
    first.observe(outcome(evaluation(case("k3x9q"), asked)))
    (answer,) = answers_in(all_of(first)[0])
    assert (answer.body, dict(answer.headers)["content-length"]) == ("", "7919")


def test_a_claim_of_a_token_that_was_missed_is_added_to_its_claims():
    members = AnswerMembers(Random(1))
    test_case = case("k3x9q", new_answer(ORIGIN, "GET", "/v1/token", body={"token": issued_token(Random(1))}))
    members.observe(outcome(evaluation(test_case, request("/v1/token", answered_by=0), hints=(hint("token", "role"),))))
    token = json.loads(answers_in(all_of(members)[0])[0].body)["token"]
    claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
    assert list(claims)[-1] == "role"
    assert token == own_token(claims, "RS256"), "signed as they are now"


def test_an_answer_that_has_no_body_is_sent_in_no_other_form():
    generator = AnswerForms(Random(1))
    test_case = case("k3x9q", new_answer(ORIGIN, "GET", "/v1/charges", status=204))
    generator.observe(outcome(evaluation(test_case, request(answered_by=0), hints=(hint(),))))
    assert not generator.is_ready()


def test_members_that_are_called_like_addresses_lead_to_the_service_again():
    members = AnswerMembers(Random(1))
    answer = new_answer(ORIGIN, "GET", "/v1/charges/*", body={})
    hints = (hint("links", "next"), hint("avatarUrl"), hint("curl"))
    members.observe(outcome(evaluation(case("k3x9q", answer), request(answered_by=0), hints=hints)))
    found = json.dumps([made.setup[0].genes[2].phenotype() for made in all_of(members)])
    address = r"https://api\.payments\.example/v1/charges/\w{5}\?page=\w{5}"
    assert re.search(rf'"next": "{address}"', found)
    assert re.search(rf'"avatarUrl": "{address}"', found)
    assert not re.search(rf'"curl": "{address}"', found)


@pytest.mark.parametrize(
    ("origin", "headers", "first"),
    [
        ("smtp://mail.example:587", (), OF_MAIL),
        ("https://a.example:443", (("Upgrade", "websocket"),), OF_WEB_SOCKET),
        ("https://a.example:443", (("Upgrade", "h2c"),), FIRST),
    ],
)
def test_mail_and_web_sockets_get_what_their_clients_understand(origin, headers, first):
    asked = ExternalRequest(call=0, site="", n=0, origin=origin, method="GET", target="/", headers=headers)
    assert first_results(asked) is first
    others = {result.outcome for _, result in other_results(asked)}
    assert ("answer" in others) == (first is FIRST) and {"refused", "reset", "hang"} <= others


def test_an_answer_with_which_one_operation_succeeds_is_tried_with_the_others_that_ask_for_it():
    first = FirstAnswers(SeenRequests(ServiceKnowledge(Random(1))))
    helped, other = new_answer(ORIGIN, "GET", "/v1/charges", body={"kind": "standard"}), case(name="GET /prices")
    first.observe(outcome(evaluation(other, request())))
    all_of(first)

    def succeeded(answer):
        seen = evaluation(case("k3x9q", answer), request(answered_by=0))
        ok = msgspec.structs.replace(seen.observations[0], outcome="ok")
        seen = msgspec.structs.replace(seen, observations=(ok,))
        first.observe(outcome(seen, newly_covered=frozenset({TargetId(1)})))
        return all_of(first)

    assert succeeded(helped) == [TestCase(other.calls, (helped,))]
    assert succeeded(helped) == succeeded(new_answer(ORIGIN, "GET", "/v1/charges", body={})) == []
    leads_on = new_answer(ORIGIN, "GET", "/v1/charges", body={"kind": "reduced"})
    went_on = evaluation(case("k3x9q", leads_on), request(answered_by=0), request("/v1/refunds", n=1))
    first.observe(outcome(went_on, newly_covered=frozenset({TargetId(2)})))
    assert TestCase(other.calls, (leads_on,)) in all_of(first)
    late = case(name="GET /bills")
    first.observe(outcome(evaluation(late, request())))
    assert all_of(first)[:2] == [TestCase(late.calls, (one,)) for one in (leads_on, helped)]


def test_a_client_that_reads_events_gets_one_that_is_no_json():
    def malformed(headers, body=""):
        asked = msgspec.structs.replace(request(), headers=headers, body=body)
        return any(result is MALFORMED_EVENT for _, result in other_results(asked))

    assert malformed((("Accept", "text/event-stream"),))
    assert malformed((), '{"model":"m","stream":true}')
    assert not malformed((("accept", "application/json"),))
    answer = answer_with(MALFORMED_EVENT, request(), "/v1/charges")
    assert answer.text(TestCase((), (answer,))) == 'data: {"a":\n\n'
