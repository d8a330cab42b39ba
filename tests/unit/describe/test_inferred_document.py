"""The inferred document says what calls have shown, names it as a person would, and holds no secret."""

import json
import random

import pytest
from msgspec.structs import replace

from described_calls import (
    ADD_BOOK,
    BOOK,
    GET_BOOK,
    GET_BOOKS,
    answers,
    body,
    body_room,
    document_of,
    evaluation,
    header,
    operation,
    path_input,
    query,
    recorded,
    room,
)
from wimble.describe.inferred_document import Subject, inferred_document
from wimble.genes import AnyGene, EnumGene, IntegerGene, MapGene, ObjectGene, OptionalGene, StringGene
from wimble.genes.undeclared import UnaskedGene, UndeclaredGene
from wimble.http.entrances import with_entrances
from wimble.users import AuthUser, Secrets

CALLS = [
    evaluation(GET_BOOKS, {"limit": 5}, answers(200, [BOOK, {**BOOK, "id": 2, "subtitle": "A novel"}])),
    evaluation(GET_BOOKS, {}, answers(200, [])),
    evaluation(GET_BOOKS, {"limit": 0}, answers(400, {"error": "limit must be from 1 to 100"})),
    evaluation(GET_BOOK, {"id": "1"}, answers(200, BOOK)),
    evaluation(GET_BOOK, {"id": "qx7"}, answers(404, {"error": "there is no such book"})),
    evaluation(ADD_BOOK, {"body": {"title": "Dune", "pages": 412}}, answers(201, BOOK, location="/books/1")),
    evaluation(ADD_BOOK, {"body": {"title": "k3j9x", "author": "lw0io"}}, answers(201, {**BOOK, "title": "k3j9x"})),
    evaluation(ADD_BOOK, {"body": {"title": ""}}, answers(422, {"error": "title is needed", "field": "title"})),
]


def test_the_whole_document(snapshot):
    document = document_of(CALLS, version="2.1.0", summary="A shop", url="http://127.0.0.1:3000", note="Inferred.")
    assert json.dumps(document, indent=2) == snapshot


def test_the_order_of_calls_makes_no_difference():
    shuffled = list(CALLS)
    random.Random(1).shuffle(shuffled)
    assert document_of(shuffled)["components"] == document_of(CALLS)["components"]
    assert list(document_of(shuffled)["paths"]) == ["/books", "/books/{id}"]


def of(document, method, path):
    return document["paths"][path][method]


def test_a_parameter_is_required_if_a_call_without_it_was_refused_and_none_accepted():
    search = operation("GET", "/books/search", query("q"), query("page"), query("sort"))
    document = document_of(
        [
            evaluation(search, {"q": "dune", "page": "1", "sort": "title"}, answers(200, [])),
            evaluation(search, {"q": "dune", "sort": "title"}, answers(200, [])),
            evaluation(search, {"page": "2", "sort": "title"}, answers(400, {"error": "q"})),
        ]
    )
    required = {one["name"]: one.get("required", False) for one in of(document, "get", "/books/search")["parameters"]}
    assert required == {"q": True, "page": False, "sort": False}  # nobody has tried without `sort`


def test_types_of_parameters_are_those_of_their_texts():
    search = operation("GET", "/books/search", query("page"), query("exact"), query("q"), query("ratio"))
    calls = [
        evaluation(search, {"page": "1", "exact": "true", "q": "5", "ratio": "0.5"}, answers(200, [])),
        evaluation(search, {"page": "20", "exact": "false", "q": "dune", "ratio": "2"}, answers(200, [])),
        evaluation(search, {"page": "x"}, answers(400, {"error": "page"})),
    ]
    parameters = of(document_of(calls), "get", "/books/search")["parameters"]
    assert {one["name"]: one["schema"]["type"] for one in parameters} == {
        "page": "integer", "exact": "boolean", "q": "string", "ratio": "number",
    }  # fmt: skip


def test_declared_rules_stay_unless_an_accepted_value_contradicts_them():
    gene = ObjectGene(
        (
            ("state", OptionalGene(EnumGene(("open", "closed")))),
            ("kind", OptionalGene(EnumGene(("a", "b")))),
            ("count", OptionalGene(IntegerGene(minimum=0, maximum=9))),
            ("code", OptionalGene(StringGene(pattern="^[A-Z]{3}$"))),
            ("note", OptionalGene(StringGene(max_length=5))),
            ("never", OptionalGene(StringGene())),
        )
    )
    post = operation("POST", "/orders", body(gene, required=True))
    values = {"state": "open", "kind": "other", "count": 3, "code": "ABC", "note": "longer than that"}
    document = document_of([evaluation(post, {"body": values}, answers(201, {"id": 1}))])
    assert of(document, "post", "/orders")["requestBody"]["content"]["application/json"]["schema"]["properties"] == {
        "state": {"type": "string", "enum": ["open", "closed"]},
        "kind": {"type": "string"},
        "count": {"type": "integer", "minimum": 0, "maximum": 9},
        "code": {"type": "string", "pattern": "^[A-Z]{3}$"},
        "note": {"type": "string"},
        "never": {"type": "string"},
    }


def test_a_type_that_is_declared_stays_although_an_api_without_checks_takes_others():
    post = operation("POST", "/posts", body(ObjectGene((("views", AnyGene()),)), required=True))
    typed = operation("POST", "/typed", body(ObjectGene((("views", IntegerGene()),)), required=True))
    calls = [evaluation(post, {"body": {"views": value}}, answers(201, {})) for value in (1, "k3j9x")]
    document = document_of([*calls, evaluation(typed, {"body": {"views": 4}}, answers(201, {}))])

    def views(path):
        return of(document, "post", path)["requestBody"]["content"]["application/json"]["schema"]["properties"]["views"]

    assert views("/posts") == {"type": ["string", "integer"]}
    assert views("/typed") == {"type": "integer"}


def test_undeclared_inputs_that_the_program_uses_are_parameters():
    get = operation("GET", "/books", room("query"), room("header"))
    calls = [
        evaluation(get, {"query": {"sort": "title", "k3j9x": "1"}, "header": {"X-Tenant": "acme"}}, answers(200, [])),
        evaluation(get, {"header": {"X-Tenant": "acme"}}, answers(200, [])),
        evaluation(get, {"query": {"sort": "title"}}, answers(400, {"error": "tenant"})),
    ]
    records = recorded(calls)
    records.note_learnt(get, [("query", "sort"), ("header", "X-Tenant")])
    document = inferred_document(Subject(title="", operations=[get]), records)
    assert [(one["name"], one["in"], one.get("required")) for one in of(document, "get", "/books")["parameters"]] == [
        ("X-Tenant", "header", True),
        ("sort", "query", None),
    ]


REGISTER = ObjectGene(
    (
        ("name", StringGene(min_length=3, max_length=20)),
        ("plan", OptionalGene(EnumGene(("free", "pro")))),
        ("referral", OptionalGene(ObjectGene((("code", StringGene()),)))),
    )
)


def test_what_a_validator_demands_of_an_undeclared_input_is_told():
    post = operation("POST", "/users", body_room(), room("query"))
    sent = {"name": "ada", "plan": "free", "k3j9x": "zzz", "city": "Rome"}
    gene = UnaskedGene(ObjectGene(tuple((name, AnyGene(value)) for name, value in sent.items())), True)
    calls = [evaluation(post, {"body": gene, "query": {"lang": "de"}}, answers(201, {})) for _ in range(6)]
    records = recorded(calls)
    validated = {("body", ""): REGISTER, ("query", "lang"): EnumGene(("de", "en"))}
    records.note_learnt(post, [("query", "lang"), ("body", "city")], validated)
    described = of(inferred_document(Subject(title="", operations=[post]), records), "post", "/users")
    (media,) = described["requestBody"]["content"].values()
    assert media["schema"]["properties"] == {
        "name": {"type": "string", "minLength": 3, "maxLength": 20},
        "plan": {"type": "string", "enum": ["free", "pro"]},
        "city": {"type": "string"},
        "referral": {"type": "object", "properties": {"code": {"type": "string"}}, "required": ["code"]},
    }
    assert media["example"] == {"name": "ada", "plan": "free", "city": "Rome"}
    assert [one["schema"] for one in described["parameters"]] == [{"type": "string", "enum": ["de", "en"]}]


def test_a_member_that_the_program_did_not_look_for_when_it_was_left_out_is_not_told():
    post = operation("POST", "/login", body_room())
    sent = [{"login": "ada", "pin": "1", "name": "a", "email": "b"}] * 5 + [{"login": "ada", "pin": "1", "email": "b"}]
    genes = [UnaskedGene(ObjectGene(tuple((name, AnyGene(one)) for name, one in body.items())), True) for body in sent]
    records = recorded([evaluation(post, {"body": gene}, answers(201, {})) for gene in genes])
    records.note_learnt(post, [("body", "pin")], members_read=frozenset(["pin", "email"]))
    described = of(inferred_document(Subject(title="", operations=[post]), records), "post", "/login")
    (media,) = described["requestBody"]["content"].values()
    assert list(media["schema"]["properties"]) == ["login", "pin", "email"]  # nobody has tried without `login`


def test_a_validator_tells_the_body_of_an_operation_that_no_call_has_got_through():
    post = operation("POST", "/users", body_room())
    gene = UnaskedGene(ObjectGene((("name", AnyGene("a")),)), True)
    for status, is_told in ((422, True), (201, False)):
        records = recorded([evaluation(post, {"body": gene} if is_told else {}, answers(status, {}))])
        records.note_learnt(post, [], {("body", ""): REGISTER})
        described = of(inferred_document(Subject(title="", operations=[post]), records), "post", "/users")
        assert ("requestBody" in described) is is_told
        if is_told:
            media = described["requestBody"]["content"]["application/json"]
            assert list(media["schema"]["properties"]) == ["name", "plan", "referral"]


def test_media_types_in_which_no_member_is_used_are_not_told():
    delete = operation("DELETE", "/policies", body_room())
    whole = delete.inputs[-1].template.gene
    reason, other, text = (
        ObjectGene((("reason", StringGene("moved")),)),
        ObjectGene((("k3j9x", StringGene("a")),)),
        StringGene("a text"),
    )
    sent = [
        replace(whole, options=(*whole.options[:at], one, *whole.options[at + 1 :]), index=at)
        for at, one in enumerate((reason, reason, other, text))
    ]
    calls = [evaluation(delete, {"body": UnaskedGene(gene)}, answers(204)) for gene in sent]
    records = recorded(calls)
    records.note_learnt(delete, [("body", "reason")])
    described = of(inferred_document(Subject(title="", operations=[delete]), records), "delete", "/policies")
    assert list(described["requestBody"]["content"]) == ["application/json", "application/x-www-form-urlencoded"]


SECRETS = {"password": "hunter2-hunter2", "token": "tok_5f1e0c9d8b7a6f5e"}
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl"


def test_no_secret_is_in_the_document():
    login = operation("POST", "/login", body(), header("X-API-Key"))
    given = Secrets()
    given.set("ADMIN_PASSWORD", "swordfish-of-admin", is_secret=True)
    answer = {
        **SECRETS,
        "nested": {"apiKey": SECRETS["token"]},
        "link": f"/verify?jwt={JWT}",
        "who": "swordfish-of-admin",
    }
    calls = [
        evaluation(
            login,
            {"body": {"user": "ada", **SECRETS}, "X-API-Key": SECRETS["token"]},
            answers(200, answer, set_cookie=f"sid={SECRETS['token']}"),
        ),
        evaluation(login, {"body": {"user": "ada", **SECRETS}}, answers(401, {"error": "no key"})),
    ] * 10
    constants = set(SECRETS.values())
    document = document_of(calls, secrets=given, constants=constants)
    text = json.dumps(document)
    for secret in (*SECRETS.values(), JWT, "swordfish"):
        assert secret not in text
    assert of(document, "post", "/login")["security"] == [{"apiKey": []}]
    assert document["components"]["securitySchemes"] == {
        "apiKey": {"type": "apiKey", "in": "header", "name": "X-API-Key"}
    }
    example = of(document, "post", "/login")["requestBody"]["content"]["application/json"]["example"]
    assert example == {"user": "ada", "password": "***", "token": "***"}


def test_security_is_what_calls_without_it_were_refused_for():
    users = [
        AuthUser(name="ada", headers=(("Authorization", "Bearer ${TOKEN}"),)),
        AuthUser(name="root", basic=("root", "${PASSWORD}")),
    ]
    closed, half, opened = (operation("GET", f"/{name}") for name in ("closed", "half", "open"))
    document = document_of(
        [
            evaluation(closed, {}, answers(200, {}), user="ada"),
            evaluation(closed, {}, answers(200, {}), user="root"),
            evaluation(closed, {}, answers(401, {})),
            evaluation(half, {}, answers(200, {}), user="ada"),
            evaluation(opened, {}, answers(200, {}), user="ada"),
            evaluation(opened, {}, answers(200, {})),
        ],
        users=users,
    )
    assert of(document, "get", "/closed")["security"] == [{"bearerAuth": []}, {"basicAuth": []}]
    assert "security" not in of(document, "get", "/half")  # no call without a user was refused
    assert "security" not in of(document, "get", "/open")
    assert document["security"] == []


def test_credentials_of_earlier_answers_are_a_scheme_where_no_call_was_accepted_without():
    closed, login, opened, own = with_entrances(
        [operation("GET", "/closed"), operation("POST", "/login"), operation("GET", "/open"), operation("GET", "/own")]
    )
    token, key = {"header Authorization": "Bearer t0p.s3cr3t"}, {"set-cookie visit": "t0p.s3cr3t"}
    document = document_of(
        [
            evaluation(closed, {}, answers(200, {}), carried=token),
            evaluation(closed, {}, answers(401, {})),
            evaluation(login, {}, answers(401, {})),
            evaluation(login, {}, answers(200, {}), carried=token),
            evaluation(login, {}, answers(200, {})),
            evaluation(opened, {}, answers(200, {}), carried=token),
            evaluation(own, {}, answers(200, {}), carried=key),
            evaluation(own, {}, answers(403, {})),
        ]
    )
    assert of(document, "get", "/closed")["security"] == [{"bearerAuth": []}]
    assert "security" not in of(document, "post", "/login")
    assert "security" not in of(document, "get", "/open"), "no call was refused"
    assert of(document, "get", "/own")["security"] == [{"visitCookie": []}]
    assert document["components"]["securitySchemes"]["bearerAuth"] == {"type": "http", "scheme": "bearer"}
    assert "s3cr3t" not in json.dumps(document)


def test_a_key_that_was_sent_as_an_input_is_a_credential_as_well():
    closed, half = with_entrances([operation("GET", path, room("header")) for path in ("/closed", "/half")])
    carried, sent = {"header x-session-token": "t0p.s3cr3t"}, {"header": {"x-session-token": "t0p.s3cr3t"}}
    records = recorded(
        [
            *(evaluation(one, {}, answers(200, {}), carried=carried) for one in (closed, half)),
            *(evaluation(one, sent, answers(200, {})) for one in (closed, half)),
            *(evaluation(one, {}, answers(401, {})) for one in (closed, half)),
            evaluation(half, {}, answers(200, {})),
        ]
    )
    for one in (closed, half):
        records.note_learnt(one, [("header", "x-session-token")])
    document = inferred_document(Subject(title="", operations=[closed, half]), records)
    assert of(document, "get", "/closed")["security"] == [{"sessionToken": []}]
    assert of(document, "get", "/half").get("security") in (None, [{"sessionToken": []}, {}])


def test_a_header_that_carries_a_key_is_a_scheme_and_no_parameter_of_any_operation():
    parcels, export = with_entrances(
        [operation("GET", "/parcels", header("X-Parcel-Of")), operation("GET", "/export", header("x-parcel-of"))]
    )
    carried = {"header x-auth": "pk_s3cr3t", "header x-parcel-of": "pk_s3cr3t"}
    document = document_of(
        [
            evaluation(parcels, {}, answers(200, {}), carried=carried),
            evaluation(
                parcels, {"X-Parcel-Of": "pk_s3cr3t"}, answers(200, {}), carried={"header x-parcel-of": "pk_s3cr3t"}
            ),
            evaluation(parcels, {}, answers(401, {})),
            evaluation(export, {"x-parcel-of": "pk_s3cr3t"}, answers(200, {})),
        ]
    )
    assert of(document, "get", "/parcels")["security"] == [{"parcelOf": []}]
    assert "parameters" not in of(document, "get", "/parcels")
    assert "parameters" not in of(document, "get", "/export")
    assert "s3cr3t" not in json.dumps(document)


def test_a_header_called_like_a_key_is_a_scheme_if_calls_without_it_were_turned_away():
    feed = operation("GET", "/feed", header("X-Partner-Key"), header("Idempotency-Key"), header("X-Region"))
    page = operation("GET", "/page", header("X-Layout-Key"))
    sent = {"X-Partner-Key": "pk_s3cr3t", "Idempotency-Key": "k7", "X-Region": "north"}
    document = document_of(
        [
            evaluation(feed, sent, answers(200, {})),
            evaluation(feed, {}, answers(401, {})),
            evaluation(page, {"X-Layout-Key": "wide"}, answers(200, {})),
            evaluation(page, {}, answers(400, {})),
        ]
    )
    assert of(document, "get", "/feed")["security"] == [{"partnerKey": []}]
    (learnt,) = with_entrances([operation("GET", "/learnt", room("header"))])
    sent = {"header": {"X-Partner-Key": "pk_s3cr3t"}}
    calls = [evaluation(learnt, sent, answers(200, {})), evaluation(learnt, {}, answers(401, {}))]
    records = recorded(calls)
    records.note_learnt(learnt, [("header", "X-Partner-Key")])
    inferred = inferred_document(Subject(title="", operations=[learnt]), records)
    assert of(inferred, "get", "/learnt")["security"] == [{"partnerKey": []}]
    assert [one["name"] for one in of(document, "get", "/feed")["parameters"]] == ["Idempotency-Key", "X-Region"]
    assert "security" not in of(document, "get", "/page")
    assert [one["name"] for one in of(document, "get", "/page")["parameters"]] == ["X-Layout-Key"]
    assert "s3cr3t" not in json.dumps(document)


def test_a_token_without_the_word_bearer_is_no_scheme_beside_it():
    first, second = (operation("GET", path, header("Authorization")) for path in ("/first", "/second"))
    document = document_of(
        [
            evaluation(first, {"Authorization": "t0p.s3cr3t"}, answers(200, {})),
            evaluation(second, {"Authorization": "Bearer t0p.s3cr3t"}, answers(200, {})),
            *(evaluation(one, {}, answers(401, {})) for one in (first, second)),
        ]
    )
    assert of(document, "get", "/first")["security"] == [{"bearerAuth": []}]
    assert of(document, "get", "/second")["security"] == [{"bearerAuth": []}]
    assert list(document["components"]["securitySchemes"]) == ["bearerAuth"]


@pytest.mark.parametrize(
    ("method", "alone", "required"),
    [
        ("POST", 403, ["sidCookie", "csrfToken"]),
        ("POST", 400, ["sidCookie"]),
        ("GET", 403, ["sidCookie"]),
    ],
)
def test_a_cookie_and_a_header_against_forged_requests_are_one_requirement_if_that_is_certain(method, alone, required):
    (one,) = with_entrances([operation(method, "/notes")])
    cookie, token = {"set-cookie sid": "t0p.s3cr3t"}, {"header x-csrf-token": "t0p.s3cr3t"}
    document = document_of(
        [
            evaluation(one, {}, answers(200, {}), carried={**cookie, **token}),
            evaluation(one, {}, answers(200, {}), carried={**cookie, **token}),
            evaluation(one, {}, answers(alone, {}), carried=cookie),
            evaluation(one, {}, answers(401, {})),
        ]
    )
    assert of(document, method.lower(), "/notes")["security"] == [{name: [] for name in required}]
    assert set(document["components"]["securitySchemes"]) == set(required)


def test_one_object_at_several_places_is_one_component():
    stock = operation("PUT", "/books/{id}/stock", path_input(), body())
    calls = [
        *CALLS,
        evaluation(stock, {"id": "1", "body": {"stock": 3}}, answers(200, BOOK)),
        evaluation(operation("GET", "/orders"), {}, answers(200, {"items": [{"no": 7, "book": BOOK}], "total": 1})),
    ]
    document = document_of(calls)
    schemas = document["components"]["schemas"]
    assert sorted(schemas) == ["Book", "Error", "Order", "OrderList"]
    assert schemas["Order"]["properties"]["book"] == {"$ref": "#/components/schemas/Book"}
    assert schemas["Book"]["required"] == ["id", "title", "author", "pages"]
    assert "subtitle" in schemas["Book"]["properties"]


def test_objects_that_contain_themselves():
    comment = {"id": 1, "text": "a", "replies": [{"id": 2, "text": "b", "replies": []}]}
    document = document_of([evaluation(operation("GET", "/comments"), {}, answers(200, [comment]))])
    schema = document["components"]["schemas"]["Comment"]
    assert schema["properties"]["replies"]["items"] in (
        {"$ref": "#/components/schemas/Comment"},
        {"$ref": "#/components/schemas/Reply"},
    )


def test_answers_that_are_no_json():
    get = operation("GET", "/export")
    document = document_of(
        [
            evaluation(get, {}, answers(200, b"id;title\n", content_type="text/csv")),
            evaluation(get, {}, answers(200, b"ok", content_type="text/plain")),
            evaluation(get, {}, answers(200, b"\x89PNG", content_type="image/png")),
            evaluation(get, {}, answers(200, b"{ cut", content_type="application/json")),
            evaluation(get, {}, answers(204)),
        ]
    )
    responses = of(document, "get", "/export")["responses"]
    assert responses["200"]["content"] == {
        "application/json": {"schema": {"type": "string"}},
        "image/png": {},
        "text/csv": {"schema": {"type": "string"}},
        "text/plain": {"schema": {"type": "string"}, "example": "ok"},
    }
    assert responses["204"] == {"description": "No Content"}


@pytest.mark.parametrize(
    ("method", "path", "answer", "operation_id", "summary"),
    [
        ("GET", "/books", [BOOK], "listBooks", "List books"),
        ("GET", "/api/v1/books", {"items": [BOOK]}, "listBooks", "List books"),
        ("GET", "/books/{id}", BOOK, "getBook", "Get a book"),
        ("POST", "/books", BOOK, "createBook", "Create a book"),
        ("PUT", "/books/{id}", BOOK, "replaceBook", "Replace a book"),
        ("PATCH", "/books/{id}", BOOK, "updateBook", "Update a book"),
        ("DELETE", "/books/{id}", None, "deleteBook", "Delete a book"),
        ("GET", "/books/search", [BOOK], "searchBooks", "Search books"),
        ("POST", "/orders/{id}/cancel", {}, "cancelOrder", "Cancel an order"),
        ("POST", "/coupons/check", {}, "checkCoupon", "Check a coupon"),
        ("POST", "/auth/login", {}, "login", "Log in"),
        ("POST", "/users/sign-up", {}, "signup", "Sign up"),
        ("GET", "/profile", {}, "getProfile", "Get the profile"),
        ("GET", "/v1/clients/me", {}, "getCurrentClient", "Get the current client"),
        ("GET", "/stats", {"n": 1}, "getStats", "Get stats"),
        ("GET", "/", {}, "getRoot", "Get the root"),
        ("GET", "/{tenant}/orderItems", [{}], "listOrderItems", "List order items"),
        ("HEAD", "/books", None, "checkBooks", "Check books"),
    ],
)  # fmt: skip
def test_names_of_operations(method, path, answer, operation_id, summary):
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    one = operation(method, path, *map(path_input, names))
    values = dict.fromkeys(names, "1")
    made = of(document_of([evaluation(one, values, answers(200, answer))]), method.lower(), path)
    assert (made["operationId"], made["summary"]) == (operation_id, summary)


def test_operation_ids_are_unique():
    paths = ["/reviews", "/books/{id}/reviews", "/users/{id}/reviews", "/v2/reviews"]
    calls = [
        evaluation(operation("GET", path, *([path_input()] if "{" in path else [])), {"id": "1"}, answers(200, []))
        for path in paths
    ]
    document = document_of(calls)
    assert {path: item["get"]["operationId"] for path, item in document["paths"].items()} == {
        "/reviews": "listReviews",
        "/books/{id}/reviews": "listBookReviews",
        "/users/{id}/reviews": "listUserReviews",
        "/v2/reviews": "listV2Reviews",
    }


def test_names_of_a_given_document_stay():
    named = operation("GET", "/books", operation_id="allBooks", summary="All the books", tags=("shop",))
    made = of(document_of([evaluation(named, {}, answers(200, []))]), "get", "/books")
    assert (made["operationId"], made["summary"], made["tags"]) == ("allBooks", "All the books", ["shop"])


def test_an_api_without_operations_over_http_has_no_document():
    field = operation("POST", "/graphql", body(), graphql="query")
    assert document_of([evaluation(field, {}, answers(200, {"data": {}}))]) == {}


def test_an_operation_without_an_answer_has_its_declared_inputs():
    document = inferred_document(Subject(title="", operations=[ADD_BOOK]), recorded([]))
    made = of(document, "post", "/books")
    assert made["requestBody"]["required"] is True
    assert list(made["requestBody"]["content"]["application/json"]["schema"]["properties"]) == [
        "title",
        "author",
        "pages",
    ]
    assert made["responses"] == {"default": {"description": "No answer was seen"}}


def test_headers_that_middleware_sends_everywhere_are_left_out():
    get, other = operation("GET", "/a"), operation("GET", "/b")
    document = document_of(
        [
            evaluation(get, {}, answers(200, {}, x_app="1", x_total_count="5", retry_after="2", etag="abc")),
            evaluation(other, {}, answers(200, {}, x_app="1", x_frame_options="DENY")),
        ]
    )
    assert list(of(document, "get", "/a")["responses"]["200"]["headers"]) == ["Retry-After", "X-Total-Count"]
    assert "headers" not in of(document, "get", "/b")["responses"]["200"]


def test_the_record_of_many_calls_is_bounded():
    post = operation("POST", "/things", body())
    records = recorded(
        evaluation(post, {"body": {f"key{n}": n}}, answers(201, {f"key{n}": "x" * 50, "id": n})) for n in range(3000)
    )
    (record,) = records.of([post])
    (answer,) = record.answers.values()
    assert answer.n == 3000
    assert answer.n_examined < 600
    assert len(answer.kinds) <= 64
    assert len(answer.shape.members) <= 300


def test_envelopes_of_different_things_are_not_one_object():
    paths = {"/pads": {"pad": 1, "rev": 2}, "/users": {"name": "a", "mail": "b"}, "/chats": {"head": 3}, "/stats": None}
    calls = [
        evaluation(operation("GET", path), {}, answers(200, {"code": 0, "message": "ok", "data": data}))
        for path, data in paths.items()
    ]
    schemas = document_of(calls)["components"]["schemas"]
    members = [set(one["properties"]["data"].get("properties", ())) for one in schemas.values()]
    assert sorted(map(sorted, members)) == [["head"], ["mail", "name"], ["pad", "rev"]]


def test_an_envelope_under_many_names_has_a_name_of_its_own():
    calls = [
        evaluation(operation("POST", f"/{name}"), {}, answers(200, {"code": 0, "message": "ok", "data": None}))
        for name in ("pads", "users", "chats", "stats", "groups")
    ]
    assert list(document_of(calls)["components"]["schemas"]) == ["Response"]


def test_an_object_with_one_member_is_named_after_it():
    calls = [
        evaluation(operation("GET", "/todos"), {}, answers(200, [{"id": 1, "title": "a"}])),
        evaluation(operation("GET", "/todos/count"), {}, answers(200, {"count": 1})),
        evaluation(operation("PATCH", "/todos"), {}, answers(200, {"count": 1})),
    ]
    assert sorted(document_of(calls)["components"]["schemas"]) == ["Todo", "TodoCount"]


def test_operations_of_routes_that_do_not_exist_are_left_out():
    ghost, thing, known = (
        operation("PUT", "/api"),
        operation("GET", "/things/{id}", path_input()),
        operation("GET", "/a"),
    )
    calls = [evaluation(one, {"id": "1"}, answers(404, {})) for one in (ghost, thing, known)]
    document = document_of(calls, unsure=["PUT /api", "GET /things/{id}"])
    assert list(document["paths"]) == ["/a", "/things/{id}"]


def test_a_document_that_the_api_serves_is_not_described():
    own = {"openapi": "3.0.0", "info": {"title": "x"}, "paths": {"/books": {"get": {}}}}
    made = of(
        document_of([evaluation(operation("GET", "/openapi.json"), {}, answers(200, own))]), "get", "/openapi.json"
    )
    assert made["responses"]["200"]["content"] == {"application/json": {"schema": {"type": "object"}}}
    assert made["operationId"] == "getOpenapi"


def test_a_key_in_the_query_is_a_scheme_and_its_declared_value_is_not_told():
    get = operation("GET", "/pads", query("apikey", EnumGene(("bench-key",)), required=True))
    document = document_of([evaluation(get, {"apikey": "bench-key"}, answers(200, {}))])
    assert "bench-key" not in json.dumps(document)
    assert of(document, "get", "/pads")["security"] == [{"apikey": []}]
    assert document["components"]["securitySchemes"] == {"apikey": {"type": "apiKey", "in": "query", "name": "apikey"}}


def test_made_up_members_of_free_bodies_are_left_out():
    post = operation("POST", "/notes", body(MapGene(AnyGene()), required=True))
    calls = [evaluation(post, {"body": {"text": "a", f"q{n}wex": n}}, answers(201, {})) for n in range(9)]
    told = of(document_of(calls), "post", "/notes")["requestBody"]["content"]["application/json"]
    assert told["schema"] == {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
    assert told["example"] == {"text": "a"}


def test_a_body_that_no_document_declares_is_told_if_it_is_used():
    post, ping = (operation("POST", path, room("query"), body_room()) for path in ("/notes", "/ping"))
    gene = post.inputs[-1].template.gene.with_child(0, ObjectGene((("text", StringGene("a")),)))
    calls = [
        evaluation(one, {"body": UnaskedGene(gene)} if sent else {}, answers(201 if sent or one is ping else 400, {}))
        for one in (post, ping)
        for sent in (True, False)
    ]
    document = document_of(calls)
    assert of(document, "post", "/notes")["requestBody"]["required"] is True
    assert list(of(document, "post", "/notes")["requestBody"]["content"]) == ["application/json"]
    assert "requestBody" not in of(document, "post", "/ping")


def test_a_body_has_the_media_type_under_which_it_was_accepted():
    post = operation("POST", "/rows", room("header"), body_room())
    gene = post.inputs[-1].template.gene.with_child(0, ObjectGene((("text", StringGene("a")),)))
    header = UndeclaredGene((("content-type", OptionalGene(StringGene("application/x-rows+json"), True)),))
    calls = [
        evaluation(post, {"body": UnaskedGene(gene), "header": header}, answers(201, {})),
        evaluation(post, {}, answers(415, {})),
    ]
    assert list(of(document_of(calls), "post", "/rows")["requestBody"]["content"]) == ["application/x-rows+json"]


def test_a_list_in_an_object_does_not_make_it_an_envelope():
    order = {"no": 7, "items": [{"sku": "a", "pieces": 1}], "total": 5}
    calls = [
        evaluation(operation("GET", "/orders"), {}, answers(200, {"items": [order], "next": None})),
        evaluation(operation("POST", "/orders"), {}, answers(201, order)),
    ]
    schemas = document_of(calls)["components"]["schemas"]
    assert sorted(schemas) == ["Order", "OrderList"]
    assert list(schemas["Order"]["properties"]) == ["no", "items", "total"]


def test_things_that_paths_named_are_no_enumeration():
    get = operation("GET", "/parcels/{code}", path_input("code"), query("state"))
    calls = [
        evaluation(get, {"code": code, "state": state}, answers(200, {}))
        for code, state in (("P1", "open"), ("P2", "closed"))
    ] * 10
    document = document_of(calls, constants=["P1", "P2", "open", "closed"])
    assert [one["schema"] for one in of(document, "get", "/parcels/{code}")["parameters"]] == [
        {"type": "string"},
        {"type": "string", "enum": ["closed", "open"]},
    ]
