"""Every client library reaches the mock server, and gets the planned answers over its own protocol."""

import base64
import json
import os
from functools import cache
from pathlib import Path

import pytest

from database_servers import installed
from namespaces import run_in_namespace
from wimble.model.protobuf_messages import grpc_frames
from wimble.spec.protobuf.grpc_methods import GrpcMethods

pytestmark = pytest.mark.e2e

FOLDER = Path(__file__).parent / "clients"
REDIRECTED = Path(__file__).parents[1] / "shared" / "services" / "redirected_program.py"
JSON = [["content-type", "application/json"]]
BOOK = {"book": "Emma"}
ITEM = {
    "itemName": "Émile",
    "nPieces": "9007199254740993",
    "place": "STORE",
    "batches": [{"change": -3, "arrived": {"seconds": "1700000000", "nanos": 5}}, {"change": 4}],
    "priceByCurrency": {"EUR": 9.99},
}


def defined(method, body):
    """Returns an answer of the service in `stock.proto`."""
    methods = GrpcMethods()
    assert methods.add((FOLDER / "stock.proto").read_text())
    path = f"/shop.v1.Stock/{method}"
    frames = grpc_frames(methods.answer_of(path).shape, body)
    return {
        "origin": "http://stock.example:50051",
        "method": "POST",
        "path": path,
        "headers": [["content-type", "application/grpc"], ["grpc-status", "0"]],
        "body": base64.b64encode(frames).decode(),
        "body_encoding": "base64",
    }


PLAN = [
    {"origin": "https://api.example:443", "method": "GET", "path": "/v1/*", "headers": JSON, "body": '{"book":"Emma"}'},
    {
        "origin": "https://api.example:443",
        "method": "POST",
        "path": "/graphql",
        "headers": JSON,
        "body": '{"data":{"book":{"title":"Emma"}}}',
    },
    {
        "origin": "https://dynamodb.eu-west-1.amazonaws.com:443",
        "method": "POST",
        "path": "/",
        "headers": [["content-type", "application/x-amz-json-1.0"]],
        "body": '{"Item":{"title":{"S":"Emma"}}}',
    },
    {
        "origin": "https://api.stripe.com:443",
        "method": "GET",
        "path": "/v1/customers/*",
        "headers": JSON,
        "body": '{"id":"cus_7","object":"customer"}',
    },
    {
        "origin": "http://prices.example:50051",
        "method": "POST",
        "path": "/shop.Prices/Get",
        "headers": [["content-type", "application/grpc"], ["grpc-status", "0"]],
        "body": "AAAAAAQ5Ljk5",  # one message: no compression, 4 bytes, `9.99`
        "body_encoding": "base64",
    },
    {
        "origin": "https://prices.example:443",
        "method": "POST",
        "path": "/shop.Prices/Get",
        "headers": [["content-type", "application/grpc"], ["grpc-status", "5"]],
    },
    defined("Get", ITEM),
    defined("Watch", [{"item_name": "a"}, {}, {"item_name": "c"}]),
    {"origin": "https://stream.example:443", "method": "GET", "path": "/live", "status": 101, "chunks": ["hello"]},
    {
        "origin": "http://calls.example:80",
        "method": "GET",
        "path": "/rpc",
        "status": 101,
        "headers": [["connection", "close"]],
        "chunks": ["a", "b"],
        "is_reply": True,
    },
    {"origin": "smtp://mail.example:587", "method": "MAIL", "path": "/full@other.example", "status": 552},
]
EXPECTED = {
    **dict.fromkeys(
        ("axios", "fetch", "got", "got over http2", "ky", "needle", "node-fetch", "node-fetch 2", "request"), BOOK
    ),
    **dict.fromkeys(("superagent", "undici", "undici over http2"), BOOK),
    "axios without a host": [True, "ENOTFOUND"],
    "graphql-request": {"book": {"title": "Emma"}},
    "aws": "Emma",
    "stripe": "cus_7",
    "grpc": "9.99",
    "grpc over tls": 5,
    "grpc by definition": ITEM,
    "grpc as a stream": ["a", None, "c"],
    "ws": "hello",
    "ws in reply": ["rpc.v2", ["a", "b"], 1000],
    "mail that is refused": 552,
    "nodemailer": ["b@other.example"],
}


@cache
def clients():
    installed(FOLDER)
    os.environ["PLANNED_OUTCOMES"] = json.dumps([{"host": "gone.example", "port": 443, "outcome": "no_host"}])
    plan = json.dumps([{"id": number, **answer} for number, answer in enumerate(PLAN)])
    printed = run_in_namespace(REDIRECTED, str(FOLDER / "clients.mjs"), plan, "[]", "[]", timeout_s=100)
    found = json.loads(printed)
    return dict(found["printed"]), found["requests"]


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_clients_get_the_planned_answers(name):
    assert clients()[0][name] == EXPECTED[name]


def test_mails_are_requests():
    mail = next(one for one in clients()[1] if one["target"] == "/b@other.example")
    assert (mail["origin"], mail["target"], mail["reply"]) == ("smtp://mail.example:587", "/b@other.example", "250")
    assert "Subject: Hello" in mail["body"]


def test_the_package_that_opened_the_connection_is_known():
    by_target = {one["target"]: one["client"] for one in clients()[1]}
    assert by_target["/v1/axios"] == "axios" and by_target["/v1/customers/cus_1"] == "stripe"


PROXIED_ORIGINS = ("https://api.example:443", "http://api.example:80")
PROXIED_CLIENTS = (
    "axios", "axios without TLS", "fetch", "got", "http", "https", "undici", "undici by environment",
    "undici without TLS",
)  # fmt: skip


@pytest.mark.parametrize("proxy", ["http://127.0.0.1:3128", "http://proxy.corp.example:8080"])
def test_a_proxy_of_the_environment_leads_to_the_same_answers(proxy):
    installed(FOLDER)
    answers = [{"id": number, **PLAN[0], "origin": origin} for number, origin in enumerate(PROXIED_ORIGINS)]
    denied = {"id": 7, "origin": f"{proxy}", "method": "CONNECT", "path": "/denied.example:443", "status": 407}
    plan = json.dumps([*answers, denied])
    variables = {"HTTP_PROXY": proxy, "HTTPS_PROXY": proxy, "NODE_USE_ENV_PROXY": "1"}
    down = {"gone.example": "refused", "silent.example": "timed_out"}
    outcomes = [{"host": host, "port": 443, "outcome": outcome} for host, outcome in down.items()]
    outcomes.append({"host": "away.example", "port": 8080, "outcome": "refused"})
    variables["PLANNED_OUTCOMES"] = json.dumps(outcomes)
    printed = run_in_namespace(REDIRECTED, str(FOLDER / "proxied.mjs"), plan, "[]", "[]", timeout_s=100, **variables)
    found = json.loads(printed)
    seen = dict(found["printed"])
    assert "(407)" in str(seen.pop("undici at a host that the proxy denies"))
    assert seen.pop("a proxy that is away")[0] == "ECONNREFUSED"
    away = {"a host that is away": 502, "a host that does not answer": 504, "a host that the proxy denies": 407}
    assert seen == {**dict.fromkeys(PROXIED_CLIENTS, BOOK), **away}
    assert {one["origin"] for one in found["requests"]} == {*PROXIED_ORIGINS, proxy}
    asked = {(one["target"], one["reply"]) for one in found["requests"] if one["method"] == "CONNECT"}
    assert {("/api.example:443", "200"), ("/denied.example:443", "407"), ("/gone.example:443", "200")} <= asked
