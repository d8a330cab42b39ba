import json

import pytest

from wimble.engine.boot.describe import discover, discover_on
from wimble.errors import SchemaError
from wimble.http.binding import binding_of
from wimble.http.http_messages import HttpResponse

DOCUMENT = {"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"get": {"responses": {}}}}}


class Server:
    """Answers what it is told to; 404 else."""

    def __init__(self, **pages: tuple[str, str]) -> None:
        self.pages = {
            path: HttpResponse(200, (("content-type", kind),), text.encode()) for path, (kind, text) in pages.items()
        }
        self.asked: list[str] = []

    def __call__(self, path: str) -> HttpResponse:
        self.asked.append(path)
        return self.pages.get(path, HttpResponse(404, (), b""))


JSON = ("application/json", json.dumps(DOCUMENT))


def test_a_well_known_path_is_found():
    specification = discover_on(Server(**{"/v3/api-docs": JSON}), "http://h")
    assert specification is not None
    assert specification.source == "http://h/v3/api-docs"


def test_a_documentation_page_leads_to_the_document():
    page = "<html><script>SwaggerUIBundle({ url: '/internal/spec-1.json' })</script></html>"
    specification = discover_on(Server(**{"/docs": ("text/html", page), "/internal/spec-1.json": JSON}), "http://h")
    assert specification is not None
    assert specification.source == "http://h/internal/spec-1.json"


def test_pages_that_lead_to_each_other_end():
    page = "<a></a><script>ui({ url: '/docs' }); ui({ url: '/api-docs' })</script>"
    assert discover_on(Server(**{"/docs": ("text/html", page), "/api-docs": ("text/html", page)}), "http://h") is None


def test_the_path_of_the_url_is_where_the_api_is_mounted():
    specification = discover_on(Server(**{"/api/v1/openapi.json": JSON}), "http://h", base_path="/api/v1")
    assert specification is not None
    assert [binding_of(operation).path for operation in specification.operations] == ["/api/v1/a"]


def test_the_servers_document_goes_before_files(tmp_path):
    (tmp_path / "openapi.json").write_text(json.dumps({**DOCUMENT, "info": {"title": "file", "version": "1"}}))
    assert discover(Server(**{"/openapi.json": JSON}), "http://h", tmp_path).title == "t"
    assert discover(Server(), "http://h", tmp_path).title == "file"


def test_what_was_found_but_is_unusable_is_told(tmp_path):
    (tmp_path / "openapi.json").write_text('{"openapi": "3.0.3", "info": {}, "paths": {}}')
    with pytest.raises(SchemaError) as caught:
        discover(Server(), "http://h", tmp_path)
    assert any("no operations" in line for line in caught.value.details)


def test_a_server_that_goes_away_ends_the_looking():
    asked = []
    assert discover_on(lambda path: asked.append(path), "http://h") is None
    assert len(asked) == 1
