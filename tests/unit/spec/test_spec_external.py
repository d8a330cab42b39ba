"""References to other files and URLs."""

from wimble.engine.boot.describe import load_from_file
from wimble.engine.boot.served_documents import ServedDocuments
from wimble.http.binding import binding_of
from wimble.http.http_messages import HttpResponse

ROOT = """
openapi: 3.0.3
info: {title: T, version: "1"}
paths:
  /books: {$ref: 'paths/books.yaml'}
  /lost:
    post:
      requestBody: {content: {application/json: {schema: {$ref: 'nowhere.yaml#/Lost'}}}}
      responses: {'200': {description: ok}}
  /far:
    post:
      requestBody: {content: {application/json: {schema: {$ref: 'https://elsewhere.example/x.yaml'}}}}
      responses: {'200': {description: ok}}
components:
  parameters:
    limit: {name: limit, in: query, required: true, schema: {type: integer, minimum: 5, maximum: 5}}
"""
BOOKS = """
post:
  parameters: [{$ref: '../openapi.yaml#/components/parameters/limit'}]
  requestBody:
    required: true
    content:
      application/json:
        schema: {$ref: '../schemas.yaml#/Book'}
        example: {$ref: 'data, not a reference', title: Emma}
  responses: {'201': {description: made}}
"""
SCHEMAS = """
Book:
  type: object
  required: [title, author]
  properties:
    title: {type: string, enum: [Emma]}
    author: {$ref: '#/Author'}
Author:
  type: object
  required: [name]
  properties:
    name: {type: string, enum: [Jane]}
    book: {$ref: 'schemas.yaml#/Book'}
"""


def files(tmp_path):
    (tmp_path / "paths").mkdir()
    (tmp_path / "openapi.yaml").write_text(ROOT)
    (tmp_path / "paths" / "books.yaml").write_text(BOOKS)
    (tmp_path / "schemas.yaml").write_text(SCHEMAS)
    return tmp_path / "openapi.yaml"


def body_of(operation):
    return next(one for one in binding_of(operation).inputs if one.location == "body").template


def test_files_beside_the_document_are_read_and_may_refer_back(tmp_path):
    books = load_from_file(str(files(tmp_path))).operations[0]
    assert [(one.name, one.location) for one in binding_of(books).inputs] == [("limit", "query"), ("body", "body")]
    assert books.inputs[0].template.phenotype() == 5
    value = body_of(books).phenotype()
    assert value["title"] == "Emma"
    assert value["author"]["name"] == "Jane"


def test_what_cannot_be_read_is_a_warning_that_names_its_place(tmp_path):
    specification = load_from_file(str(files(tmp_path)))
    assert [operation.id for operation in specification.operations] == ["POST /books", "POST /lost", "POST /far"]
    lines = "\n".join(specification.warnings)
    assert (
        "#/paths/~1lost/post/requestBody/content/application~1json/schema/$ref: `nowhere.yaml` cannot be read" in lines
    )
    assert "#/paths/~1far/post" in lines and "is outside of the document, and not beside it" in lines


def test_a_document_from_a_server_has_its_parts_read_from_there():
    pages = {"/openapi.yaml": ROOT, "/paths/books.yaml": BOOKS, "/schemas.yaml": SCHEMAS}
    asked = []

    def fetch(path):
        asked.append(path)
        text = pages.get(path)
        return HttpResponse(404 if text is None else 200, (("content-type", "text/plain"),), (text or "").encode())

    (specification,) = ServedDocuments(fetch, "http://h:1").look()
    assert body_of(specification.operations[0]).phenotype()["author"]["name"] == "Jane"
    assert asked.count("/schemas.yaml") == 1
    assert any("the server answers 404" in line for line in specification.warnings)


def test_a_reference_to_the_documents_own_address_is_local(tmp_path):
    (tmp_path / "a.yaml").write_text(
        "openapi: 3.2.0\n$self: https://api.example/a.yaml\ninfo: {title: T, version: '1'}\n"
        "paths: {/x: {get: {parameters: [{$ref: 'https://api.example/a.yaml#/components/parameters/p'}], "
        "responses: {'200': {description: ok}}}}}\n"
        "components: {parameters: {p: {name: p, in: query, schema: {type: integer}}}}\n"
    )
    specification = load_from_file(str(tmp_path / "a.yaml"))
    assert [one.name for one in specification.operations[0].inputs] == ["p"]
    assert specification.warnings == ()
