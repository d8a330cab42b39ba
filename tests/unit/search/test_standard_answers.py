"""What standards say of the answer to a request is tried at once: GraphQL, tokens, key sets, discovery, XML of AWS."""

import json
from hashlib import md5
from random import Random

import pytest

from wimble.genes.signed_token import claims_in
from wimble.model.external import ExternalRequest
from wimble.model.setup_kinds.answer import BODY, HEADERS
from wimble.own_keys import certificates, key_set
from wimble.search.external.standard_answers import public_keys, standard_answers

FORM = (("Content-Type", "application/x-www-form-urlencoded;charset=UTF-8"),)


def bodies(method, target, body="", headers=()):
    request = ExternalRequest(
        call=0, site="", n=0, origin="https://a.example:443", method=method, target=target, headers=headers, body=body
    )
    return [(one.status, one.genes[BODY].phenotype(), one.form) for one in standard_answers(request, target, Random(1))]


def asked(query, **sent):
    return [body for _, body, _ in bodies("POST", "/graphql", json.dumps({"query": query, **sent}))]


def test_answers_to_graphql_have_the_fields_of_the_query():
    query = """
        query One($id: ID!) { product(id: $id) { name: title ...Rest variants { sku } ... on Book { pages } } }
        fragment Rest on Product { price { amount } }
    """
    several, single, nothing, failed = asked(query)
    product = several["data"]["product"]
    assert product.keys() == {"name", "price", "variants", "pages"}
    assert product["price"].keys() == {"amount"}
    assert [one.keys() for one in product["variants"]] == [{"sku"}]
    assert single["data"]["product"]["variants"].keys() == {"sku"}
    texts = [product["name"], product["pages"], product["price"]["amount"]]
    assert len(set(texts)) == 3, "each is recognised by its value"
    assert nothing == {"data": {"product": None}}
    assert failed["data"] is None and failed["errors"][0]["extensions"]["code"] == "error-code"


def test_of_several_graphql_operations_the_named_one_is_answered():
    query = "query A { users { id } } mutation B { rename { status } }"
    assert asked(query, operationName="B")[0]["data"].keys() == {"rename"}
    assert "status" in asked(query, operationName="B")[0]["data"]["rename"]


@pytest.mark.parametrize("query", ["{ users {", "SELECT 1", "", "fragment A on B { c }", "{" * 30_000])
def test_what_is_no_graphql_gets_no_such_answer(query):
    assert asked(query) == []


def test_fragments_that_refer_to_themselves_end():
    assert asked("{ a { ...F } } fragment F on A { a { ...F } }")[0]["data"]["a"]


@pytest.mark.parametrize(
    ("body", "headers"),
    [("grant_type=client_credentials&scope=crm.read", FORM), ('{"grant_type":"password","username":"a"}', ())],
)
def test_requests_for_a_token_get_one(body, headers):
    (status, token, _), *_, (refused, why, _) = bodies("POST", "/oauth2/token", body, headers)
    assert (status, token["token_type"], token["expires_in"] > 60) == (200, "Bearer", True)
    assert ("refresh_token" in token) == ("password" in body)
    assert token.get("scope") == ("crm.read" if "scope" in body else None)
    assert (refused, why["error"]) == (400, "invalid_grant")


def test_requests_for_the_token_of_a_user_get_an_id_token_that_our_keys_have_signed():
    def id_tokens(sent):
        found = [body.get("id_token") for _, body, _ in bodies("POST", "/oauth2/token", sent, FORM)]
        return [claims_in(token.split(".")[1]) for token in found if token is not None]

    (claims,) = id_tokens("grant_type=authorization_code&code=c&client_id=web")
    assert (claims["iss"], claims["aud"]) == ("https://a.example", "web")
    assert claims["exp"] > 4_000_000_000
    assert id_tokens("grant_type=client_credentials&client_id=web") == []
    assert len(id_tokens("grant_type=client_credentials&scope=openid+email")) == 1


@pytest.mark.parametrize("path", ["/.well-known/jwks.json", "/oauth2/v3/certs", "/discovery/v2.0/keys"])
def test_requests_for_keys_get_a_set_with_a_key_then_an_empty_one(path):
    (_, keys, _), (_, none, _) = bodies("GET", path)
    assert keys == key_set() and none == {"keys": []}


def test_requests_of_any_name_may_be_for_the_keys_of_a_token():
    request = ExternalRequest(call=0, site="", n=0, origin="https://a.example:443", method="GET", target="/x509/sign")
    found = [one.genes[BODY].phenotype() for one in public_keys(request, "/x509/sign")]
    assert found == [key_set(), certificates()]


def test_discovery_names_places_of_the_same_issuer():
    [(_, found, _)] = bodies("GET", "/tenant/.well-known/openid-configuration")
    assert found["issuer"] == "https://a.example/tenant"
    assert found["jwks_uri"].startswith("https://a.example/tenant/")


def test_clients_of_aws_get_xml_unless_they_speak_json():
    sdk = ("amz-sdk-invocation-id", "1")
    assert [(status, form) for status, _, form in bodies("GET", "/", headers=(sdk,))] == [(200, "xml"), (404, "xml")]
    assert bodies("POST", "/", "{}", (sdk, ("X-Amz-Target", "DynamoDB.GetItem"))) == []


@pytest.mark.parametrize(
    ("target", "accept", "form"),
    [
        ("/export.ndjson", "*/*", "lines"),
        ("/list.csv?day=1", "", "csv"),
        ("/feed.RSS", "*/*", "xml"),
        ("/feed", "application/rss+xml, */*;q=0.1", "xml"),
        ("/report", "text/csv;header=present", "csv"),
        ("/live", "text/event-stream", "events"),
        ("/export", "application/x-ndjson", "lines"),
    ],
)
def test_what_a_request_accepts_and_how_its_path_ends_decide_the_form(target, accept, form):
    (status, body, found), *named = bodies("GET", target, headers=(("Accept", accept),))
    assert (status, found) == (200, form)
    assert [one[0].keys() for _, one, _ in named] == ([{"event", "data"}] if form == "events" else [])
    assert len(body) == (3 if form in ("lines", "events") else 1)


def test_who_asks_for_a_stream_gets_events_and_their_end():
    [(status, body, form)] = bodies("POST", "/v1/chat", '{"stream":true}', (("Accept", "application/json"),))
    assert (status, form, body[-1]) == (200, "events", "[DONE]") and body[0] == {}
    assert bodies("POST", "/v1/chat", '{"stream":false}') == []


@pytest.mark.parametrize(
    ("target", "accept"),
    [
        ("/a", "*/*"),
        ("/a.csv", "application/json"),
        ("/a", "application/json, text/plain, */*"),
        ("/csv", "*/*"),
        ("/a.csv/b", "*/*"),
        ("/a", "text/html,application/xhtml+xml"),
    ],
)
def test_json_is_what_most_ask_for(target, accept):
    assert bodies("GET", target, headers=(("Accept", accept),)) == []


@pytest.mark.parametrize(
    ("method", "target", "body"),
    [("GET", "/keys/7", ""), ("POST", "/v1/charges", '{"amount":7}'), ("POST", "/a", "query=x"), ("POST", "/a", "{")],
)
def test_other_requests_have_no_standard(method, target, body):
    assert bodies(method, target, body) == []


def test_messages_of_sqs_have_the_checksums_that_clients_look_for():
    def answers(target, **sent):
        return bodies("POST", "/", json.dumps(sent), (("X-Amz-Target", f"AmazonSQS.{target}"),))

    checksum = md5(b"hello").hexdigest()
    sent, refused = answers("SendMessage", QueueUrl="q", MessageBody="hello")
    assert sent[1]["MD5OfMessageBody"] == checksum
    assert refused[0] == 400
    batch, _ = answers("SendMessageBatch", Entries=[{"Id": "a", "MessageBody": "hello"}, 5])
    assert [(one["Id"], one["MD5OfMessageBody"]) for one in batch[1]["Successful"]] == [("a", checksum)]
    received, _ = answers("ReceiveMessage", QueueUrl="q")
    (message,) = received[1]["Messages"]
    assert message["MD5OfBody"] == md5(message["Body"].encode()).hexdigest()
    assert len(answers("PurgeQueue")) == 1


@pytest.mark.parametrize(
    ("asked", "sent", "first"),
    [
        ("GetItem", {}, {"Item": {}}),
        ("Query", {}, {"Items": [{}], "Count": 1, "ScannedCount": 1}),
        ("BatchGetItem", {"RequestItems": {"orders": {}}}, {"Responses": {"orders": [{}]}, "UnprocessedKeys": {}}),
        ("TransactGetItems", {}, {"Responses": [{"Item": {}}]}),
        ("UpdateItem", {}, {"Attributes": {}}),
    ],
)
def test_tables_of_amazon_have_items(asked, sent, first):
    made = bodies("POST", "/", json.dumps(sent), (("X-Amz-Target", f"DynamoDB_20120810.{asked}"),))
    assert next(body for _, body, form in made if form == "attributes") == first
    refused = [body["__type"] for status, body, _ in made if status == 400]
    assert len(refused) == (asked == "UpdateItem")


def test_elasticsearch_says_what_it_is():
    request = ExternalRequest(
        call=0,
        site="",
        n=0,
        origin="https://a.example:443",
        method="POST",
        target="/tickets/_search",
        headers=(("Accept", "application/vnd.elasticsearch+json; compatible-with=9"),),
    )
    made = standard_answers(request, request.target, Random(1))
    assert made[0].genes[BODY].phenotype()["hits"]["total"]["value"] == 1
    assert all(dict(one.genes[HEADERS].phenotype())["x-elastic-product"] == "Elasticsearch" for one in made)
