from random import Random

from fake_sut import operation

from wimble.genes import IntegerGene
from wimble.http.binding import http_operation
from wimble.http.declarations import ResponseSpec
from wimble.model.observation import PLACE
from wimble.model.scalar_fields import MAX_FIELDS, iter_scalar_fields
from wimble.search.resources.bindings import Bindings, declared_fields
from wimble.search.resources.resources import Resources
from wimble.types import OperationId

POST = operation("POST", "/books")
GET = operation("GET", "/books/{bookId}", bookId=IntegerGene())
(BINDING,) = Resources((POST, GET)).bindings(GET)


def most_chosen(bindings, producer=POST, n=400):
    rng = Random(3)
    chosen = [bindings.choose(producer, "bookId", "book", rng) for _ in range(n)]
    best = max(dict.fromkeys(chosen), key=chosen.count)
    return best, chosen.count(best) / n


def test_scalars_are_found_in_document_order_with_escaped_pointers():
    body = {"id": 1, "a/b": {"c~": "x"}, "list": [{"k": 1}, {"k": 2}, {"k": 3}], "none": None, "flag": True}
    assert list(iter_scalar_fields(body)) == [
        ("/id", "id", 1),
        ("/a~1b/c~0", "c~", "x"),
        ("/list/0/k", "k", 1),
        ("/list/1/k", "k", 2),
        ("/flag", "flag", True),
    ]


def test_scalars_of_a_huge_body_are_bounded():
    assert len(list(iter_scalar_fields([{str(i): i for i in range(1_000)}]))) == MAX_FIELDS
    deep = 1
    for _ in range(500):
        deep = {"x": deep}
    assert list(iter_scalar_fields(deep)) == []


def test_identifier_in_a_wrapper_is_preferred_once_seen():
    bindings = Bindings()
    bindings.see_fields(
        POST, [("/data/bookId", "bookId", 7), ("/data/author/id", "id", 3), ("/data/title", "title", "x")]
    )
    pointer, share = most_chosen(bindings)
    assert pointer == "/data/bookId"
    assert share > 0.7


def test_a_parameter_that_asks_for_a_slug_rarely_gets_the_id_beside_it():
    bindings, rng = Bindings(), Random(3)
    bindings.see_fields(POST, [("/id", "id", 7), ("/slug", "slug", "a-b")])
    chosen = [bindings.choose(POST, "slug", "book", rng) for _ in range(400)]
    assert chosen.count("/slug") > 0.75 * len(chosen)


def test_before_any_answer_the_pointer_follows_from_where_the_operation_answers():
    bindings, rng = Bindings(), Random(3)
    create = http_operation(
        id=OperationId("mutation createBook"),
        method="POST",
        path="/graphql",
        operation_id="createBook",
        graphql="mutation",
        resource="book",
        provides="new",
    )
    chosen = {bindings.choose(create, "slug", "book", rng) for _ in range(200)} - {PLACE}
    assert all(pointer.startswith("/data/createBook/") for pointer in chosen)
    assert "/data/createBook/slug" in chosen


def test_location_is_used_where_it_was_seen_and_no_body():
    bindings = Bindings()
    bindings.see_place(POST)
    assert most_chosen(bindings)[0] == PLACE


def test_pointer_that_leads_to_404_loses_and_one_that_works_recovers():
    bindings = Bindings()
    bindings.see_fields(POST, [("/bookId", "bookId", 7), ("/id", "id", 8)])
    for _ in range(5):
        bindings.learn(POST, BINDING, "/bookId", worked=False)
    assert most_chosen(bindings)[0] == "/id"
    for _ in range(6):
        bindings.learn(POST, BINDING, "/bookId", worked=True)
        bindings.learn(POST, BINDING, "/id", worked=False)
    assert most_chosen(bindings)[0] == "/bookId"


def test_declared_schema_names_the_field_before_any_answer():
    schema = {
        "$ref": "#/$defs/Answer",
        "$defs": {
            "Answer": {"allOf": [{"properties": {"result": {"$ref": "#/$defs/Book"}}}]},
            "Book": {
                "properties": {
                    "isbn": {"type": "string"},
                    "bookId": {"type": "integer"},
                    "next": {"$ref": "#/$defs/Book"},
                }
            },
        },
    }
    post = http_operation(
        id=OperationId("POST /books"),
        method="POST",
        path="/books",
        responses=(ResponseSpec(status="201", content=(("application/json", schema),)), ResponseSpec(status="404")),
    )
    assert ("/result/bookId", "bookId") in declared_fields(post)
    assert len(declared_fields(post)) <= MAX_FIELDS
    assert most_chosen(Bindings(), post)[0] == "/result/bookId"


def test_list_gives_the_identifier_of_its_first_element():
    listing = operation("GET", "/books")
    assert most_chosen(Bindings(), listing)[0].startswith("/0/")
