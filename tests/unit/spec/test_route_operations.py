"""Operations that follow from routes, what is left out, and how routes compare with a document."""

from random import Random

import pytest

from wimble.http.binding import binding_of
from wimble.model.routes import PathPart, Procedure, Route
from wimble.spec.openapi.openapi_operations import load_openapi
from wimble.spec.routes.left_out_routes import is_health_check
from wimble.spec.routes.required_headers import told_headers, with_required_headers
from wimble.spec.routes.route_comparison import compared
from wimble.spec.routes.route_operations import route_document, routed_operations
from wimble.types import ABSENT

EXPRESS_ALL = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT", "COPY")


def route(path, *methods, framework="express", **more):
    return Route(framework, methods, (PathPart(path),), "/srv/app.js", 3, **more)


def ids(*routes):
    return [one.id for one in routed_operations(routes).operations]


def left_out(*routes):
    return {one.path: one.reason for one in routed_operations(routes).left_out}


def loaded(*routes):
    return load_openapi(route_document(routed_operations(routes).operations), "routes").operations


def documented(*operations):
    paths = {}
    for operation in operations:
        method, path = operation.split()
        paths.setdefault(path, {})[method.lower()] = {"responses": {}}
    return load_openapi({"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": paths}, "d").operations


def test_a_document_is_made_of_routes():
    operations = loaded(route("/books", "GET", "POST"), route("/books/:id(\\d+)", "PUT", "DELETE"))
    assert [operation.id for operation in operations] == [
        "GET /books", "POST /books", "PUT /books/{id}", "DELETE /books/{id}",
    ]  # fmt: skip
    inputs = {
        operation.id: [(one.name, one.location) for one in binding_of(operation).inputs] for operation in operations
    }
    assert inputs["GET /books"] == []
    # Whether a route reads a body, and of which media type, is learnt.
    assert inputs["POST /books"] == []
    assert inputs["PUT /books/{id}"] == [("id", "path")]
    document = route_document(routed_operations([route("/books/:id(\\d+)", "GET")]).operations)
    (parameter,) = document["paths"]["/books/{id}"]["get"]["parameters"]
    assert parameter["schema"] == {"type": "string", "pattern": "^(?:\\d+)$"}


def test_a_function_that_hands_requests_to_another_framework_is_no_operation():
    inner = route("/api/books/{id}", "GET", framework="openapi-backend")
    assert ids(route("/api"), inner) == ["GET /api/books/{id}"]
    assert "GET /api" in ids(route("/api"), route("/api/books", "GET"))
    assert "GET /ap" in ids(route("/ap"), inner)
    assert "GET /api" in ids(route("/api", "GET"), inner)


def test_each_operation_knows_where_its_route_was_registered():
    (operation,) = routed_operations([Route("express", ("GET",), (PathPart("/a"),), "/srv/a.js", 7)]).operations
    assert (operation.registered.operation, operation.registered.file, operation.registered.line) == (
        "GET /a", "/srv/a.js", 7,
    )  # fmt: skip


def test_a_route_for_any_method_is_tried_with_the_usual_ones():
    assert ids(route("/any", *EXPRESS_ALL)) == ["GET /any", "POST /any", "PUT /any", "PATCH /any", "DELETE /any"]
    assert ids(route("/any")) == ids(route("/any", *EXPRESS_ALL))


def test_any_method_is_middleware_where_the_path_has_routes_of_its_own():
    assert ids(route("/items", *EXPRESS_ALL), route("/items", "GET"), route("/items", "POST")) == [
        "GET /items", "POST /items",
    ]  # fmt: skip


def test_head_is_no_operation_beside_get():
    assert ids(route("/a", "HEAD", "GET"), route("/b", "HEAD")) == ["GET /a", "HEAD /b"]


def test_the_same_route_registered_twice_is_one_operation():
    assert ids(route("/a/:id", "GET"), route("/a/:key", "GET"), route("/a/:id/", "GET")) == ["GET /a/{id}"]


def test_routes_that_differ_by_a_header_are_one_operation_with_that_header():
    (operation,) = loaded(
        route("/v", "GET", framework="find-my-way", requires={"accept-version": "1.0.0"}),
        route("/v", "GET", framework="find-my-way", requires={"accept-version": "2.0.0"}),
    )
    (header,) = binding_of(operation).inputs
    assert (header.name, header.location, header.required) == ("accept-version", "header", True)
    (operation,) = loaded(route("/v", "GET", requires={"accept-version": "1.0.0"}), route("/v", "GET"))
    assert not binding_of(operation).inputs[0].required


@pytest.mark.parametrize(
    ("left", "reason"),
    [
        (route("/shutdown", "POST"), "stop the API"),
        (route("/admin/exit", "GET"), "stop the API"),
        (route("*", "GET"), "catches every path"),
        (route("*", *EXPRESS_ALL), "catches every path"),
        (route("/{*path}", *EXPRESS_ALL), "catches every path"),
        (route("/proxy/*", *EXPRESS_ALL, package="@fastify/http-proxy"), "catches every path"),
        (route("/static", is_mount=True, handler="serveStatic"), "static files"),
        (route("/files/*", "GET", package="@fastify/static"), "static files"),
        (route("/docs", "GET", package="@fastify/swagger-ui"), "documentation page"),
        (route("/api-docs", is_mount=True, handler="swaggerInitFn"), "documentation page"),
        (route("/swagger-ui", "GET"), "documentation page"),
        (route("/legacy", is_mount=True, handler="legacy"), "is not known"),
        (route("/a", "OPTIONS"), "preflight"),
    ],
)  # fmt: skip
def test_what_is_left_out_and_why(left, reason):
    assert ids(left, route("/books", "GET")) == ["GET /books"]
    assert reason in next(iter(left_out(left).values()))


def test_functions_that_serve_a_documentation_page_together_are_no_operations():
    """As `app.use('/docs', swaggerUi.serve, swaggerUi.setup(document))`: the last one has no name of its own."""
    page = route("/docs", is_mount=True, handler="swaggerInitFn"), route("/docs"), route("/books", "GET")
    assert ids(*page) == ["GET /books"]
    assert list(left_out(*page)) == ["/docs"]


def test_a_regular_expression_that_is_no_path_is_told():
    unreadable = Route("express", ("GET",), (PathPart(r"^\/a(?:\/b)*$", is_regex=True),))
    assert ids(unreadable) == []
    assert "cannot be read" in left_out(unreadable)[r"GET ^\/a(?:\/b)*$"]


@pytest.mark.parametrize(
    "path", ["/jobs/:id/stop", "/orders/:id/restart", "/docs/:id", "/documents", "/files/*", "/exits"]
)
def test_similar_paths_are_operations(path):
    assert len(ids(route(path, "POST"))) == 1


def test_a_route_of_any_method_below_a_prefix_is_an_operation_of_the_usual_methods():
    assert "POST /callbacks/{wildcard}" in ids(route("/callbacks/*", *EXPRESS_ALL))


def test_what_takes_the_rest_below_a_prefix_of_other_routes_is_no_operation():
    rest, book = route("/api/*", *EXPRESS_ALL), route("/api/books/:id", "GET")
    assert ids(rest, book) == ["GET /api/books/{id}"]
    assert "every path" in left_out(rest, book)["/api/{wildcard}"]
    assert len(ids(route("/api/*", "GET"), book)) == 2
    assert len(ids(rest, route("/apis/:id", "GET"))) == 6
    assert len(ids(rest, route("/api/books/:id", "GET", framework="hono"))) == 6


def test_middleware_above_routes_is_not_worth_a_note():
    assert left_out(route("/api", is_mount=True, handler="auth"), route("/api/books", "GET")) == {}


def test_health_checks_are_known():
    assert [path for path in ("/health", "/healthz", "/api/ready", "/ping", "/healthy-food", "/pings/1") if is_health_check(path)] == [
        "/health", "/healthz", "/api/ready", "/ping",
    ]  # fmt: skip


def procedure(name, kind, form):
    method = "POST" if kind == "mutation" else "GET"
    return route(f"/trpc/{name}", method, procedure=Procedure(kind, form))


def test_queries_of_trpc_have_their_input_as_json_in_the_query_string():
    health, by_id = loaded(procedure("health", "query", "none"), procedure("books.byId", "query", "json"))
    assert health.inputs == ()
    (given,) = by_id.inputs
    assert (given.name, given.sent_in, given.is_json) == ("input", "query", True)


@pytest.mark.parametrize("form", ["none", "json", "superjson"])
def test_mutations_of_trpc_always_have_a_json_body(form):
    (add,) = loaded(procedure("books.add", "mutation", form))
    (content,) = add.inputs
    assert content.role == "content"
    for seed in range(20):
        value = content.template.sampled(Random(seed)).phenotype()
        assert value is not ABSENT
        assert form != "none" or value == {}
        assert form != "superjson" or "json" in value


def test_subscriptions_of_trpc_are_left_out_and_told():
    changes = procedure("books.changes", "subscription", "none")
    assert ids(changes) == []
    assert list(left_out(changes)) == ["GET /trpc/books.changes"]


def test_names_of_procedures_do_not_stop_the_api():
    assert ids(procedure("restart", "mutation", "none")) == ["POST /trpc/restart"]


def test_routes_are_compared_with_a_document_by_shape():
    routed = routed_operations([route("/books/:id", "GET"), route("/books", "POST"), route("/secret", "GET")])
    comparison = compared(documented("GET /books/{bookId}", "POST /books", "DELETE /books/{bookId}"), routed)
    assert [one.id for one in comparison.undocumented] == ["GET /secret"]
    assert comparison.unserved == ("DELETE /books/{bookId}",)


def test_a_route_with_parameters_may_serve_several_documented_paths():
    routed = routed_operations([route("/pet/:action", "GET"), route("/x", "GET")])
    comparison = compared(documented("GET /pet/findByStatus", "GET /pet/findByTag", "GET /x"), routed)
    assert (comparison.undocumented, comparison.unserved) == ((), ())


def test_nothing_counts_as_unserved_below_a_function_that_is_mounted():
    routed = routed_operations(
        [route("/a", "GET"), route("/b", "GET"), route("/c", "GET"), route("/legacy", is_mount=True, handler="legacy")]
    )
    comparison = compared(documented("GET /a", "GET /b", "GET /c", "GET /legacy/x", "GET /gone"), routed)
    assert comparison.unserved == ("GET /gone",)


def test_nothing_counts_as_unserved_where_hardly_any_path_fits():
    routed = routed_operations([route("/a", "GET")])
    assert compared(documented("GET /v1/a", "GET /v1/b", "GET /v1/c"), routed).unserved == ()


def test_thousands_of_routes():
    routed = routed_operations([route(f"/r{n}/:id", "GET", "POST") for n in range(5000)])
    assert len(routed.operations) == 10_000


def versioned(path, *versions, header="X-Version"):
    return [route(path, "GET", requires={header: version} if version else {}) for version in versions]


def headers(operations):
    """Returns name, values and whether it is required of each header."""
    return [
        (given.name, getattr(given.template, "gene", given.template).options, given.required)
        for operation in operations
        for given in binding_of(operation).inputs
        if given.location == "header"
    ]


def test_operations_of_a_document_get_the_headers_that_their_routes_require():
    routed = routed_operations(
        [*versioned("/books/:id", "1", "2"), *versioned("/pens", "3", ""), *versioned("/ink", "4")]
    ).operations
    before = documented("GET /books/{book}", "GET /pens", "GET /cups")
    after = with_required_headers(before, routed)
    assert headers(after) == [("X-Version", ("1", "2"), True), ("X-Version", ("3",), False)]
    assert [one.inputs[0].name for one in after[:1]] == ["book"]
    assert told_headers(before, after) == [
        "2 operations look for the header X-Version (1 or 2 or 3), which the document does not name"
    ]
    assert with_required_headers(after, routed) == after


def test_a_version_in_the_media_type_is_sent_although_documents_cannot_declare_it():
    routes = versioned("/books", "application/json;v=2", header="Accept")
    routed = routed_operations(routes).operations
    assert headers(with_required_headers(loaded(*routes), routed)) == [("Accept", ("application/json;v=2",), True)]


def test_a_host_by_which_routes_differ_is_sent_although_documents_cannot_declare_it():
    routes = versioned("/a", "admin.example", header="host")
    routed = routed_operations(routes).operations
    assert headers(loaded(*routes)) == []
    assert headers(with_required_headers(loaded(*routes), routed)) == [("host", ("admin.example",), True)]


def test_what_stands_for_the_rest_of_a_path_may_have_slashes():
    operations = loaded(route("/export/*rest", "GET"), route("/books/:id", "GET"))
    kept = {one.id: [given.has_segments for given in binding_of(one).inputs] for one in operations}
    assert kept == {"GET /export/{rest}": [True], "GET /books/{id}": [False]}
