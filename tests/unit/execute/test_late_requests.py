"""Requests that a call sends behind its answer are those of that call, whenever they arrive."""

from wimble.agent.protocol.messages import SentRequest
from wimble.execute.late_requests import LateRequests
from wimble.model.external import ExternalRequest, Unmockable


def arrived(*calls_and_targets):
    return [
        ExternalRequest(call=call, site="", n=n, origin="https://a.example:443", method="POST", target=target)
        for n, (call, target) in enumerate(calls_and_targets)
    ]


def late(target, call=None):
    return SentRequest("POST", target, call, late=True)


def told(found):
    return [(one.n, one.call, one.target) for one in found]


def test_a_request_that_arrives_while_a_newer_call_runs_is_one_of_the_call_that_has_sent_it():
    found = LateRequests().credited(arrived((0, "/pay"), (1, "/events"), (2, "/events")), [late("/events", 0)])
    assert told(found) == [(0, 0, "/pay"), (1, 0, "/events"), (2, 2, "/events")]


def test_a_request_of_an_earlier_evaluation_is_left_out():
    found = LateRequests().credited(arrived((0, "/events"), (0, "/pay")), [late("/events")])
    assert told(found) == [(0, 0, "/pay")]


def test_a_request_that_was_sent_late_and_arrives_in_the_next_evaluation_is_left_out_there():
    requests = LateRequests()
    assert requests.credited([], [late("/events", 0)]) == []
    assert told(requests.credited(arrived((0, "/events"), (0, "/events")), [])) == [(0, 0, "/events")]
    assert told(requests.credited(arrived((0, "/events")), [])) == [(0, 0, "/events")], "and in no evaluation after it"


def test_other_interactions_stay():
    other = Unmockable(call=0, site="", host="a.example", port=25, reason="none")
    assert LateRequests().credited([other, *arrived((0, "/events"))], [late("/events")]) == [other]
