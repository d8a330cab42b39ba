"""A condition that names an error of a client leads to a service that fails so."""

from random import Random

import msgspec
import pytest

from wimble.genes import StringGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest
from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest
from wimble.model.hints import ComparisonHint, KeyHint, PatternHint, SubstringHint
from wimble.model.setup_kinds.answer import answers_in, new_answer
from wimble.model.testcase import Call, TestCase
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.search.archive.archive import Improvement
from wimble.search.generators.generator import Outcome, Proposal
from wimble.search.generators.services.named_failures import FAILURES, NamedFailures
from wimble.types import OperationId, TargetId

ORIGIN = "https://api.payments.example:443"
REFUSED = new_answer(ORIGIN, "GET", "/charges", outcome="refused")
PLAIN = {"target": TargetId(1), "call": 0}


def compared(code, *, wanted=True, target=1):
    return ComparisonHint(
        target=TargetId(target), call=0, operator="identical", left="ECONNREFUSED", right=code, wanted=wanted
    )


def proposed(*hints, setup=(REFUSED,), requests=()):
    """The outcomes and statuses of the answers in each test case that is proposed."""
    given = HttpInput(name="id", location="query", template=StringGene())
    operation = http_operation(id=OperationId("GET /orders"), method="GET", path="/orders", inputs=(given,))
    evaluation = Evaluation(
        test_case=TestCase((Call(operation, (StringGene("a"),)),), setup),
        observations=(http_observation(0, HttpRequest(method="GET", target="/orders")),),
        reached={},
        hints=hints,
        interactions=requests,
    )
    failures = NamedFailures(Random(1), JAVASCRIPT)
    for _ in range(2):  # what is known is not proposed again
        failures.observe(Outcome(Proposal(evaluation.test_case, None), evaluation, Improvement()))
    made = []
    while failures.is_ready():
        made.append([(one.outcome, one.status) for one in answers_in(failures.propose(0.0).test_case)])
    return made


@pytest.mark.parametrize(
    ("hint", "outcomes"),
    [
        (compared("EAI_AGAIN"), ["try_again"]),
        (compared("ETIMEDOUT"), ["timed_out", "hang"]),
        (compared("UND_ERR_HEADERS_TIMEOUT"), ["hang"]),
        (KeyHint(**PLAIN, key="ECONNREFUSED", other="ENOTFOUND"), ["no_host"]),
        (
            SubstringHint(**PLAIN, place="within", text="connect", part="socket hang up", wanted=True),
            ["closed", "reset"],
        ),
        (compared("CERT_HAS_EXPIRED"), ["expired"]),
        (PatternHint(**PLAIN, text="x", source="self-signed", wanted=True), ["self_signed", "own_authority"]),
        (PatternHint(**PLAIN, text="connect", source="ENOTFOUND|EAI_AGAIN", wanted=True), ["no_host", "try_again"]),
        (PatternHint(**PLAIN, text="connect", source="time(d )?out|aborted", wanted=True), ["hang", "truncated"]),
    ],
)
def test_the_service_fails_as_the_condition_names_the_error(hint, outcomes):
    assert [made[0][0] for made in proposed(hint)] == outcomes


def test_answers_that_clients_make_errors_of_are_failures_too():
    assert proposed(compared("ERR_BODY_PARSE_FAILURE")) == [[("answer", 200)]]
    assert proposed(compared("ERR_BAD_RESPONSE"))[0] == [("answer", 500)]


def test_a_service_without_tls_has_no_certificate():
    plain = new_answer("http://api.payments.example:80", "GET", "/charges", outcome="refused")
    assert proposed(compared("CERT_HAS_EXPIRED"), setup=(plain,)) == []


@pytest.mark.parametrize("hint", [compared("EAI_AGAIN", wanted=False), compared("paid"), compared(7)])
def test_other_conditions_ask_for_no_failure(hint):
    assert proposed(hint) == []


def test_the_name_may_stand_on_either_side():
    hint = msgspec.structs.replace(compared("ECONNREFUSED"), left="ENOTFOUND")
    assert proposed(hint) == [[("no_host", 200)]]


def test_each_condition_has_its_own_turn():
    hints = [compared("EPIPE", target=1), compared("EPIPE", target=1), compared("EPIPE", target=2)]
    assert proposed(*hints) == [[("reset", 200)]] * 2


def test_a_request_without_an_answer_fails_beside_those_that_have_one():
    request = ExternalRequest(call=0, site="", n=0, origin=ORIGIN, method="POST", target="/refunds")
    later = msgspec.structs.replace(request, call=1)
    made = proposed(compared("EPIPE"), requests=(request, later))
    assert sorted(made) == [[("refused", 200), ("reset", 200)], [("reset", 200)]]


def test_a_redirect_leads_to_itself():
    (redirect,) = (FAILURES[one] for one in JAVASCRIPT.failures_by_name("ERR_FR_TOO_MANY_REDIRECTS"))
    assert redirect.status == 302 and dict(redirect.headers) == {"location": "?"}
