"""What of an answer is something new to a black-box search, and what is not."""

import json

from wimble.http.binding import http_operation
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.oracles.documents import answer_shapes
from wimble.oracles.documents.answer_shapes import MAX_KEYS, MAX_MESSAGES, MAX_SHAPES, AnswerShapes
from wimble.types import OperationId

BOOKS = http_operation(id=OperationId("GET /books"), method="GET", path="/books")
QUERY = http_operation(id=OperationId("query books"), method="POST", path="/graphql", graphql="query")


def shapes(known, body, status=200, *, target="/books", operation=BOOKS, media_type="application/json"):
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    response = HttpResponse(status, (("content-type", media_type),), raw)
    return known.of(operation, http_observation(call_index=0, request=HttpRequest("GET", target), response=response))


def test_places_and_types_whatever_the_values_are():
    found = shapes(AnswerShapes(), {"items": [{"id": 1, "tags": []}, {"id": 2, "tags": ["a"]}], "next": None})
    assert sorted(found) == [
        "$ object", "$.items list", "$.items[] object", "$.items[].id number", "$.items[].tags empty list",
        "$.items[].tags list", "$.items[].tags[] string", "$.next null",
    ]  # fmt: skip
    known = AnswerShapes()
    assert shapes(known, [{"id": 1, "ok": True}]) == shapes(known, [{"id": 99, "ok": False}, {"id": 3, "ok": True}])


def test_keys_that_others_of_the_place_have_are_left_out():
    known = AnswerShapes()
    assert "$.discount left out" not in shapes(known, {"id": 1})
    shapes(known, {"id": 2, "discount": 5})
    assert "$.discount left out" in shapes(known, {"id": 3})
    assert "$.discount left out" in shapes(known, {"id": 1}), "also of an answer that came before"


def test_keys_that_are_data_share_a_place():
    known = AnswerShapes()
    first = shapes(known, {"7d2f1c9a-0b1e": {"n": 1}, "2024-01-02": {"n": 2}})
    assert sorted(first) == ["$ object", "$.* object", "$.*.n number"]
    assert shapes(known, {"someone": {"n": 3}}) == first
    many = AnswerShapes()
    for number in range(MAX_KEYS + 2):
        found = shapes(many, {"word" + chr(97 + number % 26) + chr(97 + number // 26): 1})
    assert sorted(found) == ["$ object", "$.* number"]


def test_messages_without_what_was_sent():
    known = AnswerShapes()
    first = shapes(known, {"error": "coupon SUMMER has expired"}, 400, target="/books?coupon=SUMMER")
    assert first == shapes(known, {"error": "coupon winter has expired"}, 400, target="/books?coupon=winter")
    other = shapes(known, {"error": "coupon SUMMER is unknown"}, 400, target="/books?coupon=SUMMER")
    assert set(first) - set(other) == {"says 'coupon … has expired'"}


def test_each_refusal_of_a_list_is_one():
    issues = {
        "errors": [{"path": ["title"], "message": "Required"}, {"path": ["lines", 3, "n"], "message": "Too small"}]
    }
    found = shapes(AnswerShapes(), issues, 422)
    assert {"says 'Required' of title", "says 'Too small' of lines.n"} <= set(found)


def test_errors_of_graphql_are_messages_and_its_data_are_not():
    answer = {"data": {"books": None}, "errors": [{"message": "no shelf 12", "path": ["books"]}]}
    assert "says 'no shelf …'" in shapes(AnswerShapes(), answer, operation=QUERY)
    assert not any(name.startswith("says") for name in shapes(AnswerShapes(), {"message": "hello"}))


def test_bodies_that_are_not_json_are_told_by_their_type():
    assert shapes(AnswerShapes(), b"<p>x</p>", media_type="text/html") == ["is text/html"]
    assert shapes(AnswerShapes(), b"", 204) == ["has no body"]


def test_there_is_an_end_to_what_one_operation_can_show():
    known = AnswerShapes()
    words = ["".join(chr(97 + number // 26**place % 26) for place in range(4)) for number in range(3 * MAX_SHAPES)]
    said = {name for word in words for name in shapes(known, {"error": f"{word} is bad"}, 400) if name[:4] == "says"}
    assert len(said) == MAX_MESSAGES
    places = {name for word in words for name in shapes(known, {word[0]: {word[1]: {word[2:]: 1}}})}
    assert len(places) <= MAX_SHAPES


def test_a_deep_or_long_body_is_looked_at_in_part(monkeypatch):
    monkeypatch.setattr(answer_shapes, "MAX_VISITS", 5)
    deep: object = 1
    for _ in range(50):
        deep = [deep]
    assert len(shapes(AnswerShapes(), deep)) == 5
