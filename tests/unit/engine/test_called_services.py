"""The table of services tells what was asked of each and what was tried, failed connections among it."""

from msgspec.structs import replace

from wimble.engine.session.called_services import CalledServices
from wimble.genes import StringGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest
from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest, Unmockable
from wimble.model.setup_kinds.answer import new_answer
from wimble.model.testcase import Call, TestCase
from wimble.types import OperationId

ORIGIN = "https://api.payments.example:443"
OPERATION = http_operation(id=OperationId("GET /orders"), method="GET", path="/orders", inputs=())


def evaluation(*setup, requests=(), call=None):
    observation = http_observation(0, HttpRequest(method="GET", target="/orders", headers=(), body=None))
    test_case = TestCase((call or Call(OPERATION, ()),), setup)
    return Evaluation(test_case=test_case, observations=(observation,), reached={}, interactions=requests)


def request(reply="404"):
    return ExternalRequest(call=0, site="", n=0, origin=ORIGIN, method="GET", target="/v1/charges", reply=reply)


def test_the_lines_that_call_a_service_are_told_in_order():
    services = CalledServices()
    sites = ["/srv/b.js:9", "/srv/a.js:10", "", "/srv/a.js:9", "/srv/b.js:9"]
    services.note(evaluation(requests=tuple(replace(request(), site=site) for site in sites)))
    (service,) = services.all()
    assert service.sites == ("/srv/a.js:9", "/srv/a.js:10", "/srv/b.js:9")


def test_a_refused_connection_is_among_what_was_tried():
    services = CalledServices()
    refused = new_answer(ORIGIN, "GET", "/v1/charges", outcome="refused")
    services.note(evaluation(requests=(request(),)))
    services.note(evaluation(refused))
    (service,) = services.all()
    assert service.origin == "https://api.payments.example"
    assert service.replies == ("404", "refused")


def test_a_connection_is_not_told_as_failed_if_a_request_came():
    services = CalledServices()
    services.note(evaluation(requests=(request(),)))
    services.note(evaluation(new_answer(ORIGIN, "GET", "/other", outcome="refused"), requests=(request("200"),)))
    services.note(evaluation(new_answer("https://never.example:443", "GET", "/", outcome="no_host")))
    (service,) = services.all()
    assert service.replies == ("200", "404")


def test_a_service_keeps_its_name_if_an_input_is_equal_to_it_by_chance():
    note = HttpInput(name="note", location="query", template=StringGene())
    named = http_operation(id=OperationId("GET /orders"), method="GET", path="/orders", inputs=(note,))
    services = CalledServices()
    by_chance = Call(named, (StringGene("api.payments.example"),))
    services.note(evaluation(requests=(request(),)))
    services.note(evaluation(requests=(request("200"),), call=by_chance))
    (service,) = services.all()
    assert service.origin == "https://api.payments.example"


def test_what_an_input_names_as_a_whole_address_is_one_request():
    url = HttpInput(name="url", location="query", template=StringGene())
    named = http_operation(id=OperationId("GET /orders"), method="GET", path="/orders", inputs=(url,))
    services = CalledServices()
    for path in ("/bgpsw", "/vx92k"):
        sent = replace(request(), origin="https://example.com:443", target=path)
        services.note(evaluation(requests=(sent,), call=Call(named, (StringGene(f"https://example.com{path}"),))))
    host = Call(named, (StringGene("example.com"),))
    sent = replace(request(), origin="https://example.com:443", target="/status")
    services.note(evaluation(requests=(sent,), call=host))
    (service,) = services.all()
    assert (service.origin, service.requests) == ("https://*", ("GET /*", "GET /status"))


def test_a_host_that_was_served_is_not_told_as_one_that_no_mock_can_serve():
    services = CalledServices()
    reason = "the client does not accept the certificate: it may pin another one"
    for host in ("api.payments.example", "pinned.example"):
        services.note(evaluation(requests=(Unmockable(call=0, site="", host=host, port=443, reason=reason),)))
    services.note(evaluation(requests=(request(),)))
    assert [one.origin for one in services.all() if one.problem] == ["pinned.example:443"]


def test_notes_about_repeated_requests_name_no_input():
    given = HttpInput(name="id", location="query", template=StringGene())
    polling = http_operation(id=OperationId("GET /orders"), method="GET", path="/orders", inputs=(given,))
    services = CalledServices()
    for value in ("mxbgn", "t206e"):
        polls = tuple(replace(request(), n=n, target=f"/v1/charges/{value}") for n in range(10))
        services.note(evaluation(requests=polls, call=Call(polling, (StringGene(value),))))
    (service,) = services.all()
    assert service.notes == ("GET /orders sends GET /v1/charges/* 10 times or more in one call",)
