"""Comments beside the commands of a report say which values come from the answers to commands before."""

from __future__ import annotations

from wimble.genes.fixed import ConstantGene
from wimble.genes.reference import ReferenceGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.http.ids_in_commands import taken_values
from wimble.model.testcase import Call, TestCase
from wimble.types import OperationId

MADE = (
    HttpRequest("POST", "/tools"),
    HttpResponse(
        201,
        (("location", "/tools/7"), ("content-type", "application/json")),
        b'{"id": 7, "token": "9f2c4b6d8e0a1c3e5f7a"}',
    ),
)


def comments(pointer: str, request: HttpRequest) -> list[str]:
    make = http_operation(id=OperationId("POST /tools"), method="POST", path="/tools")
    given = HttpInput(name="id", location="path", required=True, template=ConstantGene(0))
    read = http_operation(id=OperationId("GET /tools/{id}"), method="GET", path="/tools/{id}", inputs=(given,))
    test_case = TestCase((Call(make, ()), Call(read, (ReferenceGene(0, pointer, ConstantGene(0)),))))
    exchanges = (MADE, (request, HttpResponse(500, (), b"")))
    return taken_values(test_case, [http_observation(number, *one) for number, one in enumerate(exchanges)])


def test_an_id_of_an_earlier_answer_is_told_with_its_place():
    told = comments("/id", HttpRequest("GET", "/tools/7"))
    assert told == ["# 7 in command 2: /id in the answer to command 1"]


def test_an_id_at_the_end_of_a_header_is_told_too():
    told = comments("header:location", HttpRequest("GET", "/tools/7"))
    assert told == ["# 7 in command 2: header location in the answer to command 1"]


def test_a_value_that_was_not_sent_is_not_told():
    assert comments("/id", HttpRequest("GET", "/tools/8")) == []
    assert comments("/no", HttpRequest("GET", "/tools/0")) == []


def test_a_token_is_a_variable_of_the_commands_and_not_told():
    assert comments("/token", HttpRequest("GET", "/tools/9f2c4b6d8e0a1c3e5f7a")) == []
