"""Which API descriptions are found on a SUT and in its project."""

import json
from pathlib import Path

import pytest

from wimble.engine.boot.api_description import ApiDescription, load_files
from wimble.errors import SchemaError
from wimble.execute.http.redirected_requests import RequestForm
from wimble.http.binding import binding_of
from wimble.http.http_messages import HttpResponse
from wimble.model.routes import PathPart, Route
from wimble.runtimes.known_runtimes import RUNTIMES
from wimble.settings import Settings
from wimble.users import AuthUser


def document(*paths, title="t"):
    operations = {path: {"get": {"responses": {}}} for path in paths}
    return {"openapi": "3.0.3", "info": {"title": title, "version": "1"}, "paths": operations}


def as_json(value):
    return ("application/json", json.dumps(value))


DOCUMENT = document("/a")
JSON = as_json(DOCUMENT)
URL = "http://127.0.0.1:3000"
NOWHERE = Path(__file__).parent / "no-such-folder"


class Server:
    """A SUT that answers what it is told to; else 404 with the path, as Express does."""

    def __init__(self, pages=None, needs_user="", redirects_to=""):
        self.pages = {
            path: HttpResponse(200, (("content-type", kind),), text.encode())
            for path, (kind, text) in (pages or {}).items()
        }
        self.needs_user = needs_user
        self.redirects_to = redirects_to
        self.asked = []
        self.api = self
        self.base_url, self.port, self.ports = URL, 3000, (3000,)
        self.form, self.runtime = RequestForm(), next(iter(RUNTIMES.values()))
        # A documentation package serves the pages, so they are no operations.
        self.routes = tuple(Route("express", ("GET",), (PathPart(path),), package="swagger") for path in self.pages)
        self.n_logins = 0
        self.is_gone = self.is_starting = False

    def fetch(self, path, accept="*/*", port=None, user=""):
        self.asked.append(path)
        if self.is_gone:
            return None
        if self.is_starting:
            return HttpResponse(503, (), b"starting")
        if self.needs_user and user != self.needs_user:
            return HttpResponse(401, (), b"")
        if self.redirects_to:
            return HttpResponse(302, (("location", self.redirects_to + path),), b"")
        return self.pages.get(path, HttpResponse(404, (), f"Cannot GET {path}".encode()))

    def ask(self, request, port=None):
        return None

    def update_routes(self):
        pass

    def await_service(self):
        self.is_starting = False

    def log_in(self, *, strict=False):
        self.n_logins += 1

    @property
    def is_alive(self):
        return True


def described(server, folder=None, **options):
    settings = Settings(**{"command": ("node", "s.js"), "port": 3000, **options}, working_dir=folder or NOWHERE)
    return ApiDescription(settings, server, ()).find(load_files(settings, ()))


def paths(found):
    return [binding_of(operation).path for operation in found.specification.operations]


def test_a_well_known_path_is_found():
    assert described(Server({"/v3/api-docs": JSON})).specification.source == f"{URL}/v3/api-docs"


def test_a_documentation_page_leads_to_the_document():
    page = "<html><script>SwaggerUIBundle({ url: '/internal/spec-1.json' })</script></html>"
    found = described(Server({"/docs": ("text/html", page), "/internal/spec-1.json": JSON}))
    assert found.specification.source == f"{URL}/internal/spec-1.json"


def test_all_documents_that_a_page_names_are_used():
    names = ["users", "orders", "cars", "books", "keys"]
    page = "<title>Swagger UI</title><script>urls: " + json.dumps(
        [{"url": f"/specs/{name}.json", "name": name} for name in names]
    )
    pages = {f"/specs/{name}.json": as_json(document(f"/{name}")) for name in names}
    found = described(Server({"/api-docs": ("text/html", page), **pages}))
    assert paths(found) == [f"/{name}" for name in names]
    assert (
        found.specification.source
        == f"{URL}/specs/users.json, {URL}/specs/orders.json, {URL}/specs/cars.json and 2 more"
    )


def test_a_document_of_which_the_sut_serves_nothing_is_left_out():
    served = ("text/plain", "[]")
    pages = {"/openapi.json": as_json(document("/a")), "/swagger.json": as_json(document("/pets")), "/a": served}
    found = described(Server(pages))
    assert paths(found) == ["/a"]
    assert "/swagger.json: left out" in found.notes[0]


def test_where_nothing_can_be_told_all_documents_are_used():
    pages = {"/openapi.json": as_json(document("/a")), "/swagger.json": as_json(document("/b"))}
    assert paths(described(Server(pages))) == ["/a", "/b"]


def test_a_document_that_says_nothing_more_is_left_out():
    pages = {"/openapi.json": as_json(document("/a", "/b")), "/api-docs": as_json(document("/b", title="part"))}
    assert described(Server(pages)).specification.source == f"{URL}/openapi.json"


def test_the_configuration_of_a_page_leads_to_the_document():
    page = "<script>SwaggerUIBundle({ configUrl: '/v3/api-docs/swagger-config' })</script>"
    config = as_json({"urls": [{"url": "/hidden/a.json", "name": "a"}]})
    pages = {"/swagger-ui": ("text/html", page), "/v3/api-docs/swagger-config": config, "/hidden/a.json": JSON}
    assert paths(described(Server(pages))) == ["/a"]


@pytest.mark.parametrize(
    "page",
    [
        f"""<div id="app"></div><script>Scalar.createApiReference('#app', {{"content": {json.dumps(DOCUMENT)}}})</script>""",
        f"""<script id="api-reference" type="application/json">{json.dumps(DOCUMENT)}</script>""",
        f"""<script>const __redoc_state = {{"menu": {{}}, "spec": {{"data": {json.dumps(DOCUMENT)}}}}};</script>""",
        f"""<script id="api-reference" data-configuration="{json.dumps({"content": json.dumps(DOCUMENT)}).replace('"', "&quot;")}">""",
    ],
)
def test_a_document_may_be_a_part_of_the_page(page):
    assert paths(described(Server({"/reference": ("text/html", page)}))) == ["/a"]


@pytest.mark.parametrize(
    "page",
    [
        """<script>Redoc.init("/hidden/a.json", {}, document.body)</script>""",
        """<redoc spec-url=/hidden/a.json></redoc>""",
        """<script>Scalar.createApiReference('#app', { sources: [{ url: '/hidden/a.json' }] })</script>""",
        """<script id="api-reference" data-configuration="{&quot;url&quot;: &quot;/hidden/a.json&quot;}"></script>""",
    ],
)
def test_a_page_may_name_the_document(page):
    assert paths(described(Server({"/reference": ("text/html", page), "/hidden/a.json": JSON}))) == ["/a"]


def test_the_root_page_may_link_to_the_documentation():
    pages = {
        "/": ("text/html", "<h1>Our shop, with Swagger</h1><a href='/dev/api-docs'>docs</a>"),
        "/dev/api-docs": ("text/html", "<script>SwaggerUIBundle({ url: '/dev/api.json' })</script>"),
        "/dev/api.json": JSON,
    }
    assert paths(described(Server(pages))) == ["/a"]


def test_urls_of_other_pages_are_not_fetched():
    server = Server({"/": ("text/html", "<script>go({ url: '/orders/delete-all' })</script>"), "/openapi.json": JSON})
    described(server)
    assert "/orders/delete-all" not in server.asked


def test_pages_that_lead_to_each_other_end():
    page = "<a></a><script>swagger({ url: '/docs' }); ui({ url: '/api-docs' })</script>"
    with pytest.raises(SchemaError):
        described(Server({"/docs": ("text/html", page), "/api-docs": ("text/html", page)}))


def test_the_path_of_the_url_is_where_the_api_is_mounted():
    found = described(Server({"/api/v1/openapi.json": JSON}), command=(), url=f"{URL}/api/v1")
    assert paths(found) == ["/api/v1/a"]


def test_the_servers_document_goes_before_files(tmp_path):
    (tmp_path / "openapi.json").write_text(json.dumps({**DOCUMENT, "info": {"title": "file", "version": "1"}}))
    assert described(Server({"/openapi.json": JSON}), tmp_path).specification.title == "t"
    assert described(Server(), tmp_path).specification.title == "file"


def test_all_files_are_used_that_describe_what_is_served(tmp_path):
    for name in ("a", "b", "pets"):
        (tmp_path / f"{name}.openapi.json").write_text(json.dumps(document(f"/{name}")))
    served = ("text/plain", "[]")
    assert paths(described(Server({"/a": served, "/b": served}), tmp_path)) == ["/a", "/b"]
    assert paths(described(Server(), tmp_path)) == ["/a"]


def test_what_was_found_but_is_unusable_is_told(tmp_path):
    (tmp_path / "openapi.json").write_text('{"openapi": "3.0.3", "info": {}, "paths": {}}')
    with pytest.raises(SchemaError) as caught:
        described(Server(), tmp_path)
    assert any("no operations" in line for line in caught.value.details)


def test_without_a_document_the_error_says_what_was_seen_and_what_can_be_done(tmp_path):
    (tmp_path / "package.json").write_text('{"dependencies": {"express": "^4", "fastify": "^4"}}')
    with pytest.raises(SchemaError) as caught:
        described(Server(redirects_to="https://shop.example"), tmp_path)
    text = "\n".join(caught.value.details)
    assert "x 302 to https://shop.example" in text
    assert "@fastify/swagger (for fastify)" in text
    assert "--schema FILE" in text


def test_a_document_that_needs_credentials_is_fetched_with_those_of_a_user():
    server = Server({"/openapi.json": JSON}, needs_user="ann")
    assert paths(described(server, users=(AuthUser(name="bob"), AuthUser(name="ann")))) == ["/a"]
    assert server.n_logins == 1


def test_several_documents_that_the_user_named(tmp_path):
    file = tmp_path / "spec.json"
    file.write_text(json.dumps(document("/a", "/b")))
    server = Server({"/more.json": as_json(document("/b", "/c"))})
    found = described(server, schemas=(str(file), "/more.json"))
    assert paths(found) == ["/a", "/b", "/c"]
    assert any("describes GET /b, too" in warning for warning in found.specification.warnings)


def test_a_page_that_the_user_named():
    page = "<script>SwaggerUIBundle({ url: '/hidden/a.json' })</script>"
    server = Server({"/my/page": ("text/html", page), "/hidden/a.json": JSON})
    assert paths(described(server, schemas=("/my/page",))) == ["/a"]


def test_a_path_that_the_user_named_without_a_document():
    with pytest.raises(SchemaError, match="answers 404"):
        described(Server(), schemas=("/nothing.json",))


def test_a_server_that_answers_503_to_everything_is_waited_for():
    server = Server({"/openapi.json": JSON})
    server.is_starting = True
    assert described(server).specification.title == "t"


def test_a_server_that_goes_away_ends_the_looking():
    server = Server()
    server.is_gone = True
    with pytest.raises(SchemaError):
        described(server)
    assert server.asked == ["/openapi.json"]


def routed(server, *routes):
    server.routes = [
        Route("express", methods, (PathPart(path),), f"{NOWHERE}/app.js", 3, port=port)
        for path, methods, port in routes
    ]
    return server


def test_the_documents_own_path_is_an_operation_if_no_package_serves_it():
    server = routed(Server({"/openapi.json": JSON}))
    specification = described(server).specification
    assert [binding_of(operation).path for operation in specification.operations] == ["/a", "/openapi.json"]
    assert specification.routes.undocumented == ()


def test_routes_describe_an_api_without_a_document():
    found = described(routed(Server(), ("/b/:id", ("GET", "DELETE"), 3000), ("/c", ("POST",), None))).specification
    assert [operation.id for operation in found.operations] == ["GET /b/{id}", "DELETE /b/{id}", "POST /c"]
    assert found.source == "routes of express"
    assert found.routes.undocumented == ()


def test_routes_of_other_servers_are_left_out():
    server = routed(Server(), ("/b", ("GET",), 3000), ("/metrics", ("GET",), 9090))
    assert paths(described(server)) == ["/b"]


def test_routes_that_a_document_lacks_join_it():
    server = routed(Server({"/openapi.json": JSON}), ("/openapi.json", ("GET",), 3000), ("/a", ("GET", "PUT"), 3000))
    specification = described(server).specification
    assert [operation.id for operation in specification.operations] == ["GET /a", "GET /openapi.json", "PUT /a"]
    assert [one.operation for one in specification.routes.undocumented] == ["PUT /a"]
    assert specification.source == f"{URL}/openapi.json"
