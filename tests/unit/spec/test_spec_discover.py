"""Finding API descriptions."""

from wimble.spec.loading.discovery import (
    WELL_KNOWN_PATHS,
    find_schema_files,
    looks_like_openapi,
    schema_in_script,
    schema_links_in_html,
)


def test_well_known_paths_are_distinct_and_absolute():
    assert len(set(WELL_KNOWN_PATHS)) == len(WELL_KNOWN_PATHS)
    assert all(path.startswith("/") for path in WELL_KNOWN_PATHS)
    assert WELL_KNOWN_PATHS[0] == "/openapi.json"


def test_files_are_found_by_name_shallow_and_plain_first(tmp_path):
    for name in (
        "docs/openapi.yaml", "src/api/shop.openapi.json", "swagger.json", "my-openapi.yml", "openapi.v2.json", "api-docs.json",
        "node_modules/x/openapi.json", ".git/openapi.json", "dist/openapi.json", "a/b/c/d/e/openapi.json", "openapi.md",
        "openapi-typescript.config.js", "package.json", "swaggered.json",
    ):  # fmt: skip
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("{}")
    found = [path.relative_to(tmp_path).as_posix() for path in find_schema_files(tmp_path)]
    assert found == [
        "swagger.json", "openapi.v2.json", "api-docs.json", "my-openapi.yml", "docs/openapi.yaml", "src/api/shop.openapi.json",
    ]  # fmt: skip
    assert find_schema_files(tmp_path / "none") == []


def test_documents_that_wimble_has_inferred_are_left_out(tmp_path):
    for marker in (".wimble-output", ".wimble-experiment"):
        (tmp_path / marker[1:] / "below").mkdir(parents=True)
        (tmp_path / marker[1:] / marker).write_text("")
        for name in ("openapi.json", "below/openapi.json"):
            (tmp_path / marker[1:] / name).write_text("{}")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "openapi.json").write_text("{}")
    assert find_schema_files(tmp_path) == [tmp_path / "other" / "openapi.json"]


def test_what_looks_like_openapi():
    assert looks_like_openapi({"openapi": "3.0.0", "paths": {}})
    assert looks_like_openapi({"swagger": 2.0, "paths": {}})
    for other in (None, [], "x", {}, {"openapi": "3.0.0"}, {"paths": {}}, {"openapi": {}, "paths": {}}):
        assert not looks_like_openapi(other)


def test_pages_of_swagger_ui_and_redoc_name_the_document():
    page = """<html><script src="./swagger-ui-bundle.js"></script><script src="swagger-ui-init.js"></script>
      <script>SwaggerUIBundle({ url: "https://petstore.swagger.io/v2/swagger.json", dom_id: '#swagger-ui' });
      const ui = SwaggerUIBundle({"url": './openapi.json', urls: [{name: "b", url: "/specs/b.yaml"}]})</script>"""
    assert schema_links_in_html(page, "/docs/index.html") == [
        "/docs/openapi.json",
        "/specs/b.yaml",
        "/docs/swagger-ui-init.js",
    ]
    assert schema_links_in_html("<redoc spec-url='/api/spec.json?v=1'></redoc>", "/docs") == ["/api/spec.json?v=1"]
    assert schema_links_in_html('<script id="api-reference" data-url="openapi.yaml">', "/reference") == [
        "/openapi.yaml"
    ]
    assert schema_links_in_html("<p>hello</p>") == []
    assert schema_links_in_html('url: "http://[x" url: "javascript:alert(1)" url: "http://localhost:3000/a.json"') == [
        "/a.json"
    ]


def test_a_document_inside_of_a_script_is_found():
    script = """window.onload = function() { var options = {
      "swaggerDoc": {"openapi": "3.0.0", "paths": {"/a": {"get": {}}}}, "customOptions": {} }; }"""
    assert schema_in_script(script) == {"openapi": "3.0.0", "paths": {"/a": {"get": {}}}}
    assert schema_in_script('"swaggerDoc": {"a": ') is None
    assert schema_in_script('spec: {"a": 1}') is None
