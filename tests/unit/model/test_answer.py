"""Answers of services as setup actions: what is sent, described and written for them."""

import base64
import gzip
import json
from hashlib import md5
from random import Random

import pytest

from wimble.emit.mock_answers import mock_line
from wimble.encoding import decode_test_case, encode_test_case
from wimble.genes import (
    AnyGene,
    JsonTextGene,
    LinkedGene,
    ObjectGene,
    OptionalGene,
    StringGene,
    iter_genes,
    replaced_at,
)
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.model.external import PlannedAnswer, shown_origin
from wimble.model.protobuf_messages import MessageField, MessageShape, MessageType
from wimble.model.setup_kinds.answer import BODY, HEADERS, Answer, answers_in, gene_of, grpc_answer, new_answer, opened
from wimble.model.setup_kinds.body_forms import CONTENT_TYPES
from wimble.model.testcase import Call, GeneAddress, TestCase
from wimble.types import OperationId

ORIGIN = "https://api.payments.example:443"
START, END = "<!DOCTYPE html><html><head></head><body>", "</body></html>"
OPERATION = http_operation(
    id=OperationId("GET /x"),
    method="GET",
    path="/x",
    inputs=(HttpInput(name="name", location="query", template=StringGene()),),
)


def case(*answers: Answer, name: str = "ann") -> TestCase:
    return TestCase((Call(OPERATION, (StringGene(name),)),), answers)


def sent(answer: Answer) -> PlannedAnswer:
    return answers_in(case(answer))[0]


def test_json_ends_with_a_mark_and_has_its_content_type():
    one = sent(new_answer(ORIGIN, "GET", "/a", body={"a": [1, "ä"]}))
    assert one.body == '{"a":[1,"ä"]}\n'
    assert one.headers == (("content-type", "application/json"),)


@pytest.mark.parametrize(
    ("form", "value", "body"),
    [
        ("text", '{"a":', '{"a":'),
        ("form", {"a": "b c"}, "a=b+c"),
        ("lines", [{"a": 1}, 2], '{"a":1}\n2\n'),
        ("events", [{"a": 1}, "x"], 'data: {"a":1}\n\ndata: x\n\n'),
        ("xml", {"r": {"a": [1, 2], "b": "<"}}, '<?xml version="1.0"?><r><a>1</a><a>2</a><b>&lt;</b></r>'),
        ("base64", "AQI=", "AQI="),
    ],
)
def test_each_form_of_a_body_is_written(form, value, body):
    one = sent(new_answer(ORIGIN, "GET", "/a", body=value, form=form))
    assert one.body == body
    assert (one.chunks is not None) == (form in ("lines", "events"))
    assert one.body_encoding == ("base64" if form == "base64" else "utf8")


def test_a_body_is_packed_if_its_header_says_so():
    one = sent(new_answer(ORIGIN, "GET", "/a", body={"a": 1}, headers={"content-encoding": "gzip"}))
    assert one.body_encoding == "base64"
    assert gzip.decompress(base64.b64decode(one.body)) == b'{"a":1}\n'


@pytest.mark.parametrize(
    ("form", "body", "text"),
    [
        ("csv", [{"id": 1, "note": 'a "b", c'}, {"zone": "x\ny"}], 'id,note,zone\n1,"a ""b"", c",\n,,"x\ny"'),
        ("csv", [["a", 1], ["b", True]], "a,1\nb,true"),
        ("semicolons", [{"id": 1, "note": "a;b"}], 'id;note\n1;"a;b"'),
        ("tabs", [{"id": 1, "note": "a,b"}], "id\tnote\n1\ta,b"),
        ("ini", {"mode": "on", "label": {"format": "z\np"}, "level": 2}, "mode=on\nlevel=2\n[label]\nformat=z\np\n"),
        ("colons", {"Mode": "on", "level": 2}, "Mode: on\nlevel: 2"),
        ("xml", {"a": {"@id": 'x"<', "#text": "1 & 2"}}, '<?xml version="1.0"?><a id="x&quot;&lt;">1 &amp; 2</a>'),
        ("xml", {"a": [{"b": 1}, {"b": 2}]}, '<?xml version="1.0"?><a><item><b>1</b></item><item><b>2</b></item></a>'),
        ("html", {"h1": "a < b"}, f"{START}<h1>a &lt; b</h1>{END}"),
        ("events", [{"event": "end", "data": {"a": 1}}], 'event: end\ndata: {"a":1}\n\n'),
        ("messages", [{"a": 1}, "x"], '{"a":1}x'),
        ("events", [{"event": "end", "kind": 1}], 'data: {"event":"end","kind":1}\n\n'),
    ],
)
def test_a_body_is_written_in_its_form(form, body, text):
    assert sent(new_answer(ORIGIN, "GET", "/a", body=body, form=form)).body == text


@pytest.mark.parametrize(
    ("form", "lines"),
    [
        ("messages", ".openWebSocket(['{\"price\":7}', 'end'], { connection: 'close', });"),
        ("replies", ".replyToMessages(['{\"price\":7}', 'end'], { connection: 'close', });"),
    ],
)
def test_messages_of_a_web_socket_are_sent_one_by_one(form, lines):
    answer = new_answer(
        ORIGIN, "GET", "/live", status=101, body=[{"price": 7}, "end"], form=form, headers={"connection": "close"}
    )
    planned = sent(answer)
    assert (planned.status, planned.chunks) == (101, ('{"price":7}', "end"))
    assert planned.is_reply == (form == "replies")
    assert planned.headers == (("connection", "close"),), "a WebSocket has no content type"
    written = " ".join(line.strip() for line in mock_line(answer, case(answer)).js_lines())
    assert written == f"mocks.on('https://api.payments.example').get('/live'){lines}"


def test_only_what_opens_a_web_socket_has_its_status():
    assert new_answer(ORIGIN, "GET", "/a", status=101, body={}).status == 200


def test_a_content_type_does_not_grow():
    answer, rng = new_answer(ORIGIN, "GET", "/a", body={}), Random(2)
    headers = answer.genes[HEADERS]
    for _ in range(200):
        mutable = [(path, gene) for path, gene in iter_genes(headers) if path and gene.is_mutable()]
        path, gene = rng.choice(mutable)
        headers = replaced_at(headers, path, gene.mutated(rng, 0.5))
        assert headers.phenotype()["content-type"] in CONTENT_TYPES.values()
    (_, gene), *_ = headers.entries
    assert gene.with_value("image/png").phenotype() == "image/png", "what the program asks for"


def test_statuses_without_a_body_send_none():
    assert sent(new_answer(ORIGIN, "GET", "/a", status=204, body={"a": 1})).body == ""


def test_a_member_can_be_linked_to_an_input():
    answer = new_answer(ORIGIN, "GET", "/a", body={"user": {"name": "x"}})
    linked = LinkedGene(0, 0, (), StringGene("x"))
    test_case = case(answer).with_gene(GeneAddress(-1, BODY, (0, 0, 0, 0, 0)), linked)
    assert answers_in(test_case)[0].body == '{"user":{"name":"ann"}}\n'
    assert test_case.setup[0].description(test_case) == (
        'GET https://api.payments.example/a answers 200 {"user":{"name":"ann"}}'
    )


def test_headers_are_what_http_can_send():
    answer = new_answer(ORIGIN, "GET", "/a", headers={"X-Note": "a\r\nb: c", "not a name": "x"})
    assert dict(sent(answer).headers) == {"x-note": "a??b: c"}


def test_genes_of_a_document_hold_it_at_any_mutation():
    document = {"a": [{"b": 1}, {"b": 2.5}], "c": None, "d": True, "e": []}
    assert gene_of(document).phenotype() == document
    assert opened(AnyGene({"a": {"b": [1]}})).phenotype() == {"a": {"b": [1]}}
    within = ObjectGene(
        (("text", OptionalGene(JsonTextGene(AnyGene({"a": 1})))), ("plain", OptionalGene(AnyGene([2]))))
    )
    assert opened(within).phenotype() == {"text": '{"a":1}', "plain": [2]}
    rng = Random(1)
    for _ in range(100):
        assert json.dumps(gene_of(document).sampled(rng).phenotype())


@pytest.mark.parametrize(
    ("answer", "javascript", "python"),
    [
        (
            new_answer(ORIGIN, "POST", "/v1/charges", body={"paid": True}),
            "mocks.on('https://api.payments.example').post('/v1/charges').reply(200, { paid: true });",
            'mocks.on("https://api.payments.example").post("/v1/charges").reply(200, {"paid": True})',
        ),
        (
            new_answer(ORIGIN, "GET", "/a/*", outcome="no_host"),
            "mocks.on('https://api.payments.example').get('/a/*').noHost();",
            'mocks.on("https://api.payments.example").get("/a/*").no_host()',
        ),
        (
            new_answer(ORIGIN, "GET", "/a", status=429, headers={"retry-after": "1"}, occurrence=0),
            "mocks.on('https://api.payments.example').get('/a').nth(1).reply(429, undefined, { 'retry-after': '1' });",
            'mocks.on("https://api.payments.example").get("/a").nth(1).reply(429, None, {"retry-after": "1"})',
        ),
        (
            new_answer("http://h:8080", "PURGE", "/a", status=204),
            "mocks.on('http://h:8080').request('PURGE', '/a').reply(204);",
            'mocks.on("http://h:8080").request("PURGE", "/a").reply(204)',
        ),
        (
            new_answer(ORIGIN, "GET", "/a", body="<b>", form="text", headers={"content-type": "text/html"}),
            "mocks.on('https://api.payments.example').get('/a').reply(200, '<b>', { 'content-type': 'text/html' });",
            'mocks.on("https://api.payments.example").get("/a").reply(200, "<b>", {"content-type": "text/html"})',
        ),
    ],
)
def test_an_answer_is_written_as_a_person_would(answer, javascript, python):
    line = mock_line(answer, case(answer))
    assert in_one_line(line.js_lines()) == javascript
    assert in_one_line(line.py_lines()) == python


def test_messages_of_grpc_are_sent_by_their_definition_and_written_with_what_they_say():
    field = MessageField(name="unit_price", number=2, kind="double")
    shape = MessageShape("shop.Price", (MessageType("shop.Price", (field,)),))
    answer = grpc_answer("http://h:50051", "POST", "/shop.Prices/Get", message=shape, gene=gene_of({"unit_price": 1.5}))
    one = sent(answer)
    assert base64.b64decode(one.body).hex() == "00" + "00000009" + "11000000000000f83f"
    assert (one.body_encoding, one.headers) == ("base64", (("content-type", "application/grpc"), ("grpc-status", "0")))
    comment, *line = mock_line(answer, case(answer)).js_lines()
    assert comment == '// the message {"unit_price": 1.5}'
    assert in_one_line(line) == (
        "mocks.on('http://h:50051').post('/shop.Prices/Get').replyBytes(200, 'AAAAAAkRAAAAAAAA+D8=',"
        " { 'content-type': 'application/grpc', 'grpc-status': '0' });"
    )
    known = decode_test_case(encode_test_case(case(answer)), [OPERATION])
    assert answers_in(known) == (one,)


def in_one_line(lines):
    """Returns a long line as it would be without its line breaks."""
    return " ".join(part.strip() for part in lines).replace(", }", " }")


def test_origins_are_shown_without_the_usual_port():
    assert shown_origin("http://a:80") == "http://a"
    assert shown_origin("http://a:8080") == "http://a:8080"
    assert shown_origin("https://a:80") == "https://a:80"


def test_checksums_follow_what_they_belong_to():
    body = {"Messages": [{"Body": "a", "MD5OfBody": "?"}, {"Body": {}, "MD5OfBody": "?"}, {"MD5OfBody": "?"}]}
    answer = new_answer("https://sqs.example:443", "POST", "/", body=body)
    found = answer.body(TestCase((), (answer,)))["Messages"]
    assert [one["MD5OfBody"] for one in found] == [md5(b"a").hexdigest(), "?", "?"]
