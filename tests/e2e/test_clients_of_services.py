"""Every client library reaches the mock server, and gets the planned answers over its own protocol."""

import json
import os
from functools import cache
from pathlib import Path

import pytest

from database_servers import installed
from namespaces import run_in_namespace

pytestmark = pytest.mark.e2e

FOLDER = Path(__file__).parent / "clients"
REDIRECTED = Path(__file__).parents[1] / "shared" / "services" / "redirected_program.py"
JSON = [["content-type", "application/json"]]
BOOK = {"book": "Emma"}
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
    {"origin": "https://stream.example:443", "method": "GET", "path": "/live", "status": 101, "chunks": ["hello"]},
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
    "ws": "hello",
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
    mail = next(one for one in clients()[1] if one["origin"].startswith("smtp:"))
    assert (mail["origin"], mail["target"], mail["reply"]) == ("smtp://mail.example:587", "/b@other.example", "250")
    assert "Subject: Hello" in mail["body"]


def test_the_package_that_opened_the_connection_is_known():
    by_target = {one["target"]: one["client"] for one in clients()[1]}
    assert by_target["/v1/axios"] == "axios" and by_target["/v1/customers/cus_1"] == "stripe"
