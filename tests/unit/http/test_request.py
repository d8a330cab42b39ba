"""How calls are rendered to requests."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wimble.genes.fixed import ConstantGene
from wimble.genes.undeclared import FileText
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.http.request_building import build_request
from wimble.http.texts import json_bytes, text_of
from wimble.model.observation import call_resolver
from wimble.model.testcase import Call
from wimble.types import ABSENT


def request_of(path, *inputs, method="GET"):
    """inputs: (name, location, value, further fields of Input)."""
    specs = tuple(
        HttpInput(name=name, location=location, template=ConstantGene(value), **more)
        for name, location, value, more in inputs
    )
    operation = http_operation(id=f"{method} {path}", method=method, path=path, inputs=specs)
    return build_request(Call(operation, tuple(spec.template for spec in specs)))


def path_of(value, **more):
    return request_of("/books/{id}", ("id", "path", value, more)).target


def query_of(value, **more):
    target = request_of("/books", ("q", "query", value, more)).target
    assert target.startswith("/books")
    return target.removeprefix("/books").removeprefix("?")


@pytest.mark.parametrize(
    ("value", "more", "target"),
    [
        (7, {}, "/books/7"),
        ("a b", {}, "/books/a%20b"),
        ("a/b?c#d", {}, "/books/a%2Fb%3Fc%23d"),
        ("..", {}, "/books/%252E%252E"),
        (".", {}, "/books/%252E"),
        ("...", {}, "/books/..."),
        ("%2e%2e", {}, "/books/%252e%252e"),
        ("é€", {}, "/books/%C3%A9%E2%82%AC"),
        ("a\r\nHost: x", {}, "/books/a%0D%0AHost%3A%20x"),
        ("", {}, "/books/%20"),
        (ABSENT, {}, "/books/%20"),
        (True, {}, "/books/true"),
        (None, {}, "/books/null"),
        (3.0, {}, "/books/3"),
        ([], {}, "/books/%20"),
        ([1, "a,b"], {}, "/books/1,a%2Cb"),
        ({"x": 1, "y": 2}, {}, "/books/x,1,y,2"),
        ({"x": 1, "y": 2}, {"explode": True}, "/books/x=1,y=2"),
        ([1, 2], {"style": "label"}, "/books/.1,2"),
        ([1, 2], {"style": "label", "explode": True}, "/books/.1.2"),
        (5, {"style": "matrix"}, "/books/;id=5"),
        ([1, 2], {"style": "matrix"}, "/books/;id=1,2"),
        ([1, 2], {"style": "matrix", "explode": True}, "/books/;id=1;id=2"),
        ({"x": 1}, {"style": "matrix", "explode": True}, "/books/;x=1"),
        ("a/b c/d", {"has_segments": True}, "/books/a/b%20c/d"),
        ("/a//b/", {"has_segments": True}, "/books/%2Fa%2F%2Fb%2F"),
        ("a/../b", {"has_segments": True}, "/books/a/%252E%252E/b"),
    ],
)
def test_path_values_stay_within_their_segment(value, more, target):
    assert path_of(value, **more) == target


@given(st.text(st.characters()))
def test_any_path_value_reaches_the_operation(value):
    segments = path_of(value).split("/")
    assert len(segments) == 3
    assert segments[2]
    assert segments[2].lower().replace("%2e", ".") not in (".", "..")
    assert segments[2].isascii()
    assert not set(segments[2]) & set("?# \r\n")


def test_dots_that_only_together_make_a_dot_segment_are_encoded():
    target = request_of("/a/{x}{y}", ("x", "path", ".", {}), ("y", "path", ".", {})).target
    assert target == "/a/%252E%252E"


def test_a_path_name_without_an_input_is_filled():
    assert request_of("/a/{x}/b").target == "/a/%20/b"


@pytest.mark.parametrize(
    ("value", "more", "query"),
    [
        ("a&b=c d", {}, "q=a%26b%3Dc%20d"),
        ("", {}, "q="),
        (ABSENT, {}, ""),
        ([1, 2], {}, "q=1&q=2"),
        ([], {}, ""),
        ([1, "x,y"], {"explode": False}, "q=1,x%2Cy"),
        ([1, 2], {"style": "spaceDelimited"}, "q=1%202"),
        ([1, 2], {"style": "pipeDelimited"}, "q=1%7C2"),
        ([1, 2], {"style": "pipeDelimited", "explode": True}, "q=1&q=2"),
        ({"a": 1, "b c": 2}, {}, "a=1&b%20c=2"),
        ({"a": 1, "b": 2}, {"explode": False}, "q=a,1,b,2"),
        ({"a": 1, "b": {"c": 2}}, {"style": "deepObject"}, "q%5Ba%5D=1&q%5Bb%5D%5Bc%5D=2"),
        ({"a": [1, 2]}, {"style": "deepObject"}, "q%5Ba%5D=1&q%5Ba%5D=2"),
        ({"a": [{"b": 1}]}, {"style": "deepObject"}, "q%5Ba%5D%5B0%5D%5Bb%5D=1"),
        ({"a": 1}, {"media_type": "application/json"}, "q=%7B%22a%22%3A1%7D"),
        ([{"a": 1}], {}, "q=%7B%22a%22%3A1%7D"),
    ],
)
def test_a_query_parameter_is_written_in_its_style(value, more, query):
    assert query_of(value, **more) == query


def test_headers_of_a_request_without_inputs():
    assert request_of("/books") == HttpRequest("GET", "/books", (("Accept", "*/*"),), None)


@given(st.text(st.characters(codec="utf-16", exclude_categories=())))
def test_header_values_cannot_break_the_request(value):
    headers = dict(request_of("/", ("X-A", "header", value, {})).headers)
    headers["X-A"].encode("latin-1")
    assert not set(headers["X-A"]) & set("\r\n\0\x7f")


def test_header_parameters_replace_defaults_but_never_framing():
    request = request_of(
        "/",
        ("accept", "header", "text/csv", {}),
        ("Content-Length", "header", "99", {}),
        ("bad name", "header", "x", {}),
        ("X-List", "header", [1, 2], {}),
    )
    assert request.headers == (("accept", "text/csv"), ("X-List", "1,2"))


def test_cookies_share_one_header():
    request = request_of("/", ("a", "cookie", "x; y", {}), ("b", "cookie", 2, {}), ("c", "cookie", ABSENT, {}))
    assert request.headers[-1] == ("Cookie", "a=x%3B%20y; b=2")


def body_of(value, media_type=""):
    request = request_of("/b", ("body", "body", value, {"media_type": media_type}), method="POST")
    return request.body, dict(request.headers).get("Content-Type")


@pytest.mark.parametrize(
    ("value", "media_type", "body", "content_type"),
    [
        ({"a": "é", "b": None}, "application/json", '{"a":"é","b":null}'.encode(), "application/json"),
        ("text", "application/vnd.api+json", b'"text"', "application/vnd.api+json"),
        ([1], "*/*", b"[1]", "application/json"),
        ({"a": "x y", "b": [1, 2]}, "application/x-www-form-urlencoded", b"a=x%20y&b=1&b=2", None),
        ({"a": {"b": 1}}, "application/x-www-form-urlencoded", b"a%5Bb%5D=1", None),
        ("plain é", "text/plain; charset=utf-8", "plain é".encode(), "text/plain; charset=utf-8"),
        ("", "text/plain", b"", "text/plain"),
        (ABSENT, "application/json", None, None),
    ],
)
def test_a_body_is_written_as_its_media_type_says(value, media_type, body, content_type):
    expected_type = content_type or (media_type if body is not None else None)
    assert body_of(value, media_type) == (body, expected_type)


def test_multipart_bodies_hold_one_part_per_value():
    body, content_type = body_of({"a": "1", "b": ["x", "y"]}, "multipart/form-data")
    boundary = content_type.split("boundary=")[1]
    parts = body.decode().split(f"--{boundary}")
    assert [part.split("\r\n")[-2] for part in parts[1:-1]] == ["1", "x", "y"]
    assert parts[-1] == "--\r\n"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=())),
        st.lists,
    )
)
def test_json_bodies_are_always_json(value):
    text = json_bytes(value)
    assert text == json_bytes(value)
    json.loads(text)
    assert b"NaN" not in text or b'"' in text


def test_numbers_as_text_read_as_javascript_writes_them():
    assert [text_of(value) for value in (1.5, 2.0, 10**30, -0.25)] == ["1.5", "2", "1" + "0" * 30, "-0.25"]


def observation(index, **more):
    response = HttpResponse(201, tuple(more.get("headers", ())), more.get("body", b""))
    return http_observation(call_index=index, request=HttpRequest("POST", "/"), response=response)


@pytest.mark.parametrize(
    ("index", "pointer", "value"),
    [
        (0, "/id", 7),
        (0, "/items/1/a~1b", "x"),
        (0, "/items/9", ABSENT),
        (0, "/items/-1", ABSENT),
        (0, "/none", ABSENT),
        (0, "header:location", "ab c"),
        (0, "header:etag", "v1"),
        (0, "header:none", ABSENT),
        (1, "/id", ABSENT),
        (-1, "/id", ABSENT),
    ],
)
def test_references_to_earlier_responses(index, pointer, value):
    body = b'{"id": 7, "items": [0, {"a/b": "x"}]}'
    headers = (("location", "http://h/books/ab%20c/?x=1"), ("etag", "v1"))
    resolve = call_resolver([observation(0, body=body, headers=headers)])
    assert resolve(index, pointer) == value


def test_a_failed_call_gives_no_references():
    failed = http_observation(call_index=0, request=HttpRequest("GET", "/"), failure="timeout")
    assert call_resolver([failed])(0, "/id") is ABSENT


def test_a_file_in_a_body_that_is_no_form_is_its_text():
    file = FileText.of("a,b", "rows.csv", "text/csv")
    assert (
        json_bytes({"file": file, "more": [file, 10**30]})
        == b'{"file":"a,b","more":["a,b",1000000000000000000000000000000]}'
    )
    assert json_bytes({"file": file}) == b'{"file":"a,b"}'
    with pytest.raises(TypeError):
        json_bytes({"file": object()})
