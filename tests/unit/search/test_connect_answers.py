"""Methods that are called by Connect get one message, in the form that the client asks for, or an error."""

import base64
import json
from random import Random

import pytest

from wimble.emit.mock_answers import mock_line
from wimble.model.external import ExternalRequest
from wimble.model.setup_kinds.answer import answers_in
from wimble.model.testcase import TestCase
from wimble.search.external.service_knowledge import ServiceKnowledge
from wimble.search.generators.services.service_results import first_results

PROTO = """syntax = "proto3"; package shop;
service Prices { rpc Get (Query) returns (Price); rpc Watch (Query) returns (stream Price); }
message Query {} message Price { string currency = 1; }"""


def asked(content_type, path="/shop.Prices/Get", *, version=(("connect-protocol-version", "1"),)):
    headers = (("content-type", content_type), *version)
    return ExternalRequest(
        call=0, site="", n=0, origin="https://a.example:443", method="POST", target=path, headers=headers
    )


def known(request):
    knowledge = ServiceKnowledge(Random(1))
    knowledge.add_definitions([PROTO])
    return [sent(one) for one in knowledge.answers_for(request, request.path)]


def standard(request):
    return [sent(one) for one in ServiceKnowledge(Random(1)).standard_answers_for(request, request.path)]


def sent(answer):
    (planned,) = answers_in(TestCase((), (answer,)))
    return planned.status, dict(planned.headers)["content-type"], planned.body


def test_a_binary_client_gets_the_bytes_of_a_message():
    for status, content_type, body in known(asked("application/proto")):
        message = base64.b64decode(body)
        assert (status, content_type) == (200, "application/proto")
        assert not message or (message[:1] == b"\x0a" and len(message) == 2 + message[1])


def test_a_json_client_gets_its_members():
    found = known(asked("application/json"))
    assert len(found) == 3
    for status, content_type, body in found:
        assert (status, content_type) == (200, "application/json")
        assert json.loads(body).keys() <= {"currency"}


@pytest.mark.parametrize(("content_type", "empty"), [("application/json", "{}\n"), ("application/proto", "")])
def test_without_definitions_it_gets_the_empty_message_and_all_errors(content_type, empty):
    first, *errors = standard(asked(content_type))
    assert first == (200, content_type, empty)
    assert len(errors) == 16
    assert {one[1] for one in errors} == {"application/json"}
    assert json.loads(errors[0][2])["code"] == "not_found"
    assert errors[0][0] == 404


def test_streams_and_other_requests_get_none_of_it():
    assert known(asked("application/json", "/shop.Prices/Watch")) == []
    plain = asked("application/json", version=())
    assert first_results(plain) and not first_results(asked("application/json"))
    assert all(one[0] != 404 for one in standard(plain))


def test_a_test_has_the_bytes_and_says_what_they_are():
    request = asked("application/proto")
    knowledge = ServiceKnowledge(Random(1))
    knowledge.add_definitions([PROTO])
    answer = knowledge.answers_for(request, request.path)[0]
    line = mock_line(answer, TestCase((), (answer,)))
    assert line.name[0] == "replyBytes"
    assert line.headers == {"content-type": "application/proto"}
    assert isinstance(line.message, dict)
