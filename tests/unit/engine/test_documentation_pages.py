"""Pages of the API's document are told from the API by what they answer."""

import pytest
from msgspec.structs import replace

from engine_parts import ScriptedApi, operation
from wimble.engine.boot.documentation_pages import MAX_ASKED_PAGES, without_documentation_pages
from wimble.engine.boot.routes_in_sut import joining_operations, with_routes
from wimble.http.http_messages import HttpResponse
from wimble.model.operation import Specification
from wimble.model.routes import PathPart, Route
from wimble.spec.routes.left_out_routes import DOCUMENTATION
from wimble.spec.routes.route_operations import routed_operations

DOCUMENT = "http://127.0.0.1:3000/v1/description.json"
SCALAR = """<script>Scalar.createApiReference('#app', { "_integration": "express", "url": "/v1/description.json" })</script>"""
EMBEDDED = """<script>Scalar.createApiReference('#app', {"content": {"openapi": "3.0.0", "paths": {}}})</script>"""


def route(method, path):
    return Route("express", (method,), (PathPart(path),))


def answer(text, media_type="text/html; charset=utf-8"):
    return HttpResponse(200, (("content-type", media_type),), text.encode())


@pytest.mark.parametrize(
    ("response", "is_page"),
    [
        (answer(SCALAR), True),
        (answer(EMBEDDED), True),
        (answer(SCALAR.replace("description", "prices")), False),
        (answer("<h1>Welcome</h1>"), False),
        (answer(SCALAR, "application/json"), False),
        (None, False),
    ],
)
def test_a_page_shows_a_document_of_the_api(response, is_page):
    routed = routed_operations([route("GET", "/reference"), route("POST", "/reference"), route("GET", "/things")])
    asked = []

    def fetch(path):
        asked.append(path)
        return response if path == "/reference" else answer("{}", "application/json")

    found = without_documentation_pages(routed, routed.operations, ["/v1/description.json"], fetch)
    assert asked == ["/reference", "/things"], "only what can be read without an input"
    left = [(one.path, one.reason) for one in found.left_out]
    assert left == ([("GET /reference", DOCUMENTATION), ("POST /reference", DOCUMENTATION)] if is_page else [])
    assert [one.id for one in found.operations][-1] == "GET /things" and len(found.operations) == 3 - 2 * is_page


def test_few_paths_are_asked():
    routed = routed_operations([route("GET", f"/{number}") for number in range(50)])
    asked = []
    without_documentation_pages(routed, routed.operations, [], asked.append)
    assert len(asked) == MAX_ASKED_PAGES


class Documented(ScriptedApi):
    base_url = "http://127.0.0.1:3000"

    def fetch(self, path, accept="*/*", port=None, user=""):
        return answer(SCALAR) if path == "/reference" else answer("{}", "application/json")


def test_a_page_neither_joins_the_search_at_its_start_nor_later():
    api = Documented()
    api.routes = (route("GET", "/things"), route("GET", "/reference"), route("POST", "/orders"))
    things = Specification(operations=(operation("GET /things"),), source=DOCUMENT, title="", kind="openapi")
    described = with_routes(things, api)
    assert [one.id for one in described.operations] == ["GET /things", "POST /orders", "GET /v1/description.json"]
    assert [one.operation for one in described.routes.undocumented] == ["POST /orders"]
    api.routes = (*api.routes, route("DELETE", "/orders/:id"))
    joining = joining_operations(replace(described, operations=described.operations), api)
    assert [one.id for one in joining.operations] == ["DELETE /orders/{id}"]
