"""Answers that programs and their clients ask for in other words: kinds of errors, metadata, files, unchanged ones."""

from random import Random

import pytest
from fake_sut import operation
from proposed import proposed_after

from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest
from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest
from wimble.model.hints import ComparisonHint, InputHint, KeyHint, SubstringHint, TruthinessHint
from wimble.model.setup_kinds.answer import BODY, answers_in, new_answer
from wimble.model.testcase import Call, TestCase
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.search.archive.archive import Improvement
from wimble.search.external.service_knowledge import ServiceKnowledge
from wimble.search.external.standard_answers import standard_answers
from wimble.search.generators.generator import Outcome, Proposal
from wimble.search.generators.services.answer_forms import AnswerForms
from wimble.search.generators.services.answer_members import AnswerMembers
from wimble.search.generators.services.first_answers import FirstAnswers, SeenRequests
from wimble.search.generators.services.headers_of_answers import AnswerHeaders
from wimble.search.generators.services.member_kinds import kinds_for
from wimble.search.generators.services.named_failures import NamedFailures
from wimble.types import TargetId

ORIGIN = "https://api.payments.example:443"
PLAIN = {"target": TargetId(1), "call": 0}
ORDER = operation("GET", "/orders")
REFUSED = {"error": {"type": "error-type", "code": "error-code", "message": "error-message"}}


def asked(path="/charges", *, origin=ORIGIN, answered_by=0, headers=()):
    return ExternalRequest(
        call=0, site="", n=0, origin=origin, method="GET", target=path, answered_by=answered_by, headers=headers
    )


def proposed(generator, answers, requests, *hints):
    """The test cases that are proposed after one with these answers; each once."""
    test_case = TestCase((Call(ORDER, ()),), tuple(answers))
    evaluation = Evaluation(
        test_case=test_case,
        observations=(http_observation(0, HttpRequest("GET", "/orders")),),
        reached={},
        hints=hints,
        interactions=tuple(requests),
    )
    for _ in range(2):
        generator.observe(Outcome(Proposal(test_case, None), evaluation, Improvement()))
    return proposed_after(generator, ())


def answer(body, **options):
    return new_answer(ORIGIN, "GET", "/charges", body=body, **options)


def unread(name):
    return ComparisonHint(
        **PLAIN, operator="identical", left={"$undefined": True}, right="kept", wanted=True, name=name
    )


@pytest.mark.parametrize(
    "hint",
    [
        ComparisonHint(**PLAIN, operator="identical", left="StripeAPIError", right="StripeCardError", wanted=True),
        KeyHint(**PLAIN, key="Error", other="StripeCardError"),
    ],
)
def test_a_class_of_errors_is_asked_for_by_its_words_where_a_refusal_names_its_kind(hint):
    made = proposed(NamedFailures(Random(1), JAVASCRIPT), [answer(REFUSED, status=402)], [asked()], hint)
    errors = [one.setup[0].genes[BODY].phenotype()["error"] for one in made]
    assert {one.setup[0].status for one in made} == {402}
    assert errors[0] == REFUSED["error"] | {"type": "card_error"}
    assert [(one["type"], one["code"]) for one in errors] == [
        ("card_error", "error-code"),
        ("error-type", "card_error"),
        ("stripe_card_error", "error-code"),
        ("error-type", "stripe_card_error"),
    ]


def test_a_client_that_may_follow_a_redirect_gets_one():
    hint = TruthinessHint(**PLAIN, value=False, wanted=True, name="response.redirected")
    made = proposed(NamedFailures(Random(1), JAVASCRIPT), [answer({})], [asked()], hint)
    assert [(one.status, one.headers) for case in made for one in answers_in(case)] == [
        (302, (("location", "/moved"),))
    ]


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("StripeCardError", 402),
        ("RateLimitError", 429),
        ("UnprocessableEntityError", 422),
        ("InvalidRequestError", 400),
        ("NotFoundError", 404),
        ("PermissionDeniedError", 403),
    ],
)
def test_the_words_of_a_class_of_errors_tell_the_status_for_which_clients_make_it(name, status):
    hint = KeyHint(**PLAIN, key="Error", other=name)
    made = proposed(NamedFailures(Random(1), JAVASCRIPT), [answer({})], [asked()], hint)
    assert [one.setup[0].status for one in made] == [status]


def test_a_code_of_errors_that_a_client_has_made_of_another_one_is_tried_where_a_refusal_names_its_kind():
    def codes(left, right, name="err.code"):
        hint = ComparisonHint(**PLAIN, operator="identical", left=left, right=right, wanted=True, name=name)
        made = proposed(
            NamedFailures(Random(1), JAVASCRIPT), [answer({"code": 5, "n": 1}, status=404)], [asked()], hint
        )
        return [one.setup[0].genes[BODY].phenotype() for one in made if one.setup[0].status == 404]

    assert codes("unknown_error", "restricted") == [{"code": "restricted", "n": 1}]
    assert codes("unknown_error", "restricted", name="row.state") == []
    assert codes("unknown_error", 7) == []
    assert {"code": "ECONNRESET", "n": 1} not in codes("unknown_error", "ECONNRESET")


def test_a_refusal_without_a_kind_gets_one_where_most_services_have_it():
    hint = KeyHint(**PLAIN, key="Error", other="CardError")
    made = proposed(NamedFailures(Random(1), JAVASCRIPT), [answer({"error": {}}, status=503)], [asked()], hint)
    bodies = [one.setup[0].genes[BODY].phenotype() for one in made if one.setup[0].status == 503]
    assert bodies == [{"error": {"type": "card_error"}}]


@pytest.mark.parametrize(("name", "status"), [("ParcelLostError", 200), ("Defect", 402)])
def test_no_kind_is_asked_for_of_answers_that_are_none_or_of_other_errors(name, status):
    hint = KeyHint(**PLAIN, key="Error", other=name)
    made = proposed(NamedFailures(Random(1), JAVASCRIPT), [answer(REFUSED, status=status)], [asked()], hint)
    assert [one for one in made if "error" in str(one.setup[0].genes[BODY].phenotype())] == []


@pytest.mark.parametrize(
    ("sent", "header"),
    [
        ("x-amz-date", "x-amz-meta-retention"),
        ("X-Goog-Api-Client", "x-goog-meta-retention"),
        ("x-ms-version", "x-ms-meta-retention"),
        ("accept", None),
    ],
)
def test_metadata_of_an_object_is_sent_as_headers_of_its_store(sent, header):
    made = proposed(
        AnswerHeaders(Random(1)),
        [answer({})],
        [asked(headers=((sent, "1"),))],
        unread("head.Metadata.retention"),
    )
    added = {name for one in made for name, _ in answers_in(one)[0].headers} - {"content-type"}
    assert added == ({header} if header else set())


def test_an_answer_that_clients_keep_is_asked_for_once_more_and_has_not_changed():
    missed = InputHint(**PLAIN, location="header", path=("etag",))
    made = proposed(AnswerHeaders(Random(1)), [answer({})], [asked()], missed)
    (again,) = (one for one in made if len(one.calls) == 2)
    assert [(one.occurrence, one.status) for one in answers_in(again)] == [(0, 200), (None, 304)]
    assert "etag" in dict(answers_in(again)[0].headers)


def test_one_of_three_services_works_while_all_others_fail():
    first = FirstAnswers(SeenRequests(ServiceKnowledge(Random(1))))
    origins = [f"https://{name}.example:443" for name in "abc"]
    made = proposed(first, [], [asked("/ping", origin=one, answered_by=None) for one in origins])
    outcomes = [[one.outcome for one in answers_in(test_case)] for test_case in made]
    assert outcomes.count(["answer", "refused", "refused"]) == 3
    working = [answers_in(one)[0].origin for one in made if answers_in(one)[-1].outcome == "refused"]
    assert working == origins


def test_what_is_searched_for_behind_names_tells_the_form():
    def first_form(part):
        found = SubstringHint(**PLAIN, place="anywhere", text="k3x9q", part=part, wanted=True)
        made = proposed(AnswerForms(Random(1)), [answer("k3x9q", form="text")], [asked()], found)
        return made[0].setup[0].form

    assert first_form(":") == "colons"
    assert first_form("=") == "ini"
    assert first_form("a") == "xml"


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        ("form", [("form", "application/x-www-form-urlencoded")]),
        ("gzip", [(form, "application/gzip") for form in ("json", "lines", "text")]),
        ("list", []),
    ],
)
def test_an_error_says_which_form_an_answer_should_have_had(use, expected):
    failed = InputHint(**PLAIN, location="answer", path=(), uses=(use,))
    made = proposed(AnswerForms(Random(1)), [answer({})], [asked()], failed)
    assert [(one.setup[0].form, answers_in(one)[0].headers[0][1]) for one in made] == expected


def test_the_fields_of_a_form_are_those_of_an_answer_too():
    missed = InputHint(**PLAIN, location="body", path=("verdict",))
    made = proposed(AnswerMembers(Random(1)), [answer({}, form="form")], [asked()], missed)
    assert made[0].setup[0].genes[BODY].phenotype().keys() == {"verdict"}


def test_a_list_may_be_one_of_numbers():
    assert any(all(isinstance(one, int) for one in kind(Random(1))) for kind in kinds_for(("list",)))


@pytest.mark.parametrize(
    ("path", "forms"),
    [
        ("/2026-01-01.csv.gz", ["csv"]),
        ("/day.jsonl.gz", ["lines"]),
        ("/day.json.gz", ["json", "lines", "text"]),
        ("/day.json", []),
    ],
)
def test_a_compressed_file_is_told_by_its_name(path, forms):
    made = standard_answers(asked(path), path, Random(1))
    packed = [one for one in made if ("content-type", "application/gzip") in one.headers(case_with(one)).items()]
    assert [one.form for one in packed] == forms
    for one in packed:
        planned = one.planned(case_with(one), 0)
        assert planned.body_encoding == "base64"
        assert planned.text == one.text(case_with(one))


def case_with(one):
    return TestCase((Call(operation("GET", "/orders"), ()),), (one,))
