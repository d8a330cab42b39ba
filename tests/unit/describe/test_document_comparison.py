"""What is told of an API that differs from its document, and what is not."""

from described_calls import BOOK, answers, body, evaluation, header, operation, path_input, query, recorded, room
from wimble.describe.document_comparison import compared
from wimble.genes import ObjectGene, OptionalGene, StringGene
from wimble.http.declarations import ResponseSpec
from wimble.report.comparison_text import comparison_lines, comparison_sentence

JSON = "application/json"
BOOK_SCHEMA = {
    "type": "object",
    "properties": {
        "id": {},
        "title": {},
        "pages": {},
        "isbn": {},
        "loans": {"type": "array", "items": {"type": "object"}},
    },
}
LIST_SCHEMA = {"type": "array", "items": {"$ref": "#/$defs/Book"}, "$defs": {"Book": BOOK_SCHEMA}}


def spec(status, schema=None, media_type=JSON):
    return ResponseSpec(status=status, content=((media_type, schema),) if schema is not None else ())


def differences(evaluations, operations=None, learnt=(), **more):
    operations = operations or list(
        {one.test_case.calls[0].operation.id: one.test_case.calls[0].operation for one in evaluations}.values()
    )
    records = recorded(evaluations)
    for one in operations:
        records.note_learnt(one, learnt)
    found = compared(operations, records, **more)
    return (
        [(one.kind, one.detail) for one in found.undocumented],
        [(one.kind, one.detail) for one in found.unseen],
    )


def test_statuses_and_members():
    get = operation("GET", "/books", responses=[spec("200", LIST_SCHEMA), spec("304")])
    assert differences(
        [
            evaluation(get, {}, answers(200, [{**BOOK, "loans": [{"day": 1}]}])),
            evaluation(get, {}, answers(429, {"error": "slow"})),
            evaluation(get, {}, answers(500, {"error": "fault"})),
        ]
    ) == (
        [("answer member", "200 $[].author"), ("status", "429")],
        [("answer member", "200 $[].isbn"), ("status", "304")],
    )


def test_ranges_and_default_cover_statuses():
    get = operation("GET", "/books", responses=[spec("2XX", LIST_SCHEMA), spec("404"), spec("default")])
    assert differences(
        [evaluation(get, {}, answers(206, [{"id": 1, "title": "", "pages": 1, "isbn": "", "loans": []}]))]
        + [evaluation(get, {}, answers(status, {})) for status in (404, 418)]
    ) == ([], [])


def test_members_of_open_objects_are_no_difference():
    schema = {"anyOf": [{"properties": {"a": {}}, "additionalProperties": {"type": "integer"}}, {"type": "null"}]}
    get = operation("GET", "/counts", responses=[spec("200", schema)])
    assert differences([evaluation(get, {}, answers(200, {"a": 1, "b": 2}))]) == ([], [])


def test_schemas_of_parts_are_joined():
    schema = {"allOf": [{"properties": {"a": {}}}, {"oneOf": [{"properties": {"b": {}}}, {"properties": {"c": {}}}]}]}
    get = operation("GET", "/parts", responses=[spec("200", schema)])
    assert differences([evaluation(get, {}, answers(200, {"a": 1, "b": 2, "d": 3}))]) == (
        [("answer member", "200 $.d")],
        [("answer member", "200 $.c")],
    )


def test_media_types_are_compared_with_the_document():
    get = operation("GET", "/books", responses=[ResponseSpec(status="200", content=((JSON, {}), ("text/csv", None)))])
    assert differences([evaluation(get, {}, answers(200, b"<a/>", content_type="text/xml; charset=utf-8"))]) == (
        [("media type", "200 text/xml")],
        [("media type", "200 application/json"), ("media type", "200 text/csv")],
    )


def test_parameters_are_compared_with_the_document():
    get = operation(
        "GET", "/books", query("page"), query("sort"), header("X-Key"), room("query"), responses=[spec("200")]
    )
    calls = [evaluation(get, {"page": "1", "query": {"debug": "1", "k3j9x": "1"}}, answers(200, []))]
    assert differences(calls, learnt=[("query", "debug")]) == (
        [("parameter", "debug (query)")],
        [("parameter", "X-Key (header)"), ("parameter", "sort (query)")],
    )


def test_members_of_bodies():
    gene = ObjectGene((("title", StringGene()), ("pages", OptionalGene(StringGene()))))
    post = operation("POST", "/books", body(gene, required=True), responses=[spec("201")])
    assert differences([evaluation(post, {"body": {"title": "Dune"}}, answers(201))]) == (
        [],
        [("body member", "$.pages")],
    )
    wider = operation("POST", "/books", body(), responses=[spec("201")])
    calls = [evaluation(wider, {"body": {"title": "Dune", "gift": True, "other": 1}}, answers(201))]
    assert differences(calls, learnt=[("body", "gift")]) == ([("body member", "$.gift")], [])


def test_operations_are_compared_with_the_document():
    get, new, old, sad = (
        operation("GET", f"/{name}", responses=[spec("200")]) for name in ("got", "new", "old", "sad")
    )
    calls = [
        evaluation(get, {}, answers(200)),
        evaluation(new, {}, answers(201)),
        evaluation(sad, {}, answers(404)),
    ]
    found = differences(calls, operations=[get, new, old, sad], undocumented=["GET /new"], unserved=["GET /old"])
    assert found == (
        [("operation", ""), ("status", "404")],
        [("operation", ""), ("operation", "never answered with success")],
    )


def test_a_document_without_answers_declares_none():
    get = operation("GET", "/books/{id}", path_input())
    assert differences([evaluation(get, {"id": "1"}, answers(200, BOOK))]) == ([], [])


def test_the_comparison_in_words():
    get = operation("GET", "/books", responses=[spec("200", LIST_SCHEMA)])
    comparison = compared(
        [get], recorded([evaluation(get, {}, answers(200, [BOOK])), evaluation(get, {}, answers(400))])
    )
    assert comparison_sentence(comparison) == (
        "1 status and 1 member of answers are not in the document; 2 declared ones were never seen"
    )
    assert comparison_lines(comparison) == [
        "Not in the document (1 status and 1 member of answers)",
        "  GET /books: member of answers 200 $[].author; status 400",
        "In the document, never seen (2 members of answers)",
        "  GET /books: members of answers 200 $[].isbn, 200 $[].loans",
    ]
    assert comparison_sentence(compared([], recorded([]))) == (
        "the document names all that was seen, and all that it names was seen"
    )
