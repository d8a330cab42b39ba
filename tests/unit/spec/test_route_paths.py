"""Paths in the notations of web frameworks, as templates."""

import pytest

from wimble.model.routes import PathPart
from wimble.spec.routes.path_templates import Template, templates_of
from wimble.spec.routes.regex_paths import regex_variants, with_literal


def paths(framework, *parts):
    return [template.path for template in templates_of([PathPart(part) for part in parts], framework)]


def of_regex(source):
    return [(one.path, one.patterns) for one in templates_of([PathPart(source, is_regex=True)], "express")]


@pytest.mark.parametrize(
    ("framework", "path", "expected"),
    [
        ("express", "/books/:id", ["/books/{id}"]),
        ("express", "/books/:id?", ["/books/{id}", "/books"]),
        ("express", "/books{/:id}", ["/books/{id}", "/books"]),
        ("express", "/files/:name.:ext", ["/files/{name}.{ext}"]),
        ("express", "/files/:name{.:ext}", ["/files/{name}.{ext}", "/files/{name}"]),
        ("express", "/flights/:from-:to", ["/flights/{from}-{to}"]),
        ("express", "/colou?r", ["/colour", "/color"]),
        ("express", "/a\\:b", ["/a:b"]),
        ("express", "/tree/*", ["/tree/{wildcard}"]),
        ("express", "/tree/*path", ["/tree/{path}"]),
        ("express", "/tree/:path*", ["/tree/{path}", "/tree"]),
        ("express", "/:a/:a", ["/{a}/{a2}"]),
        ("find-my-way", "/price::list", ["/price:list"]),
        ("find-my-way", "/at/:hour(^\\d+$)h:minute(^\\d+$)m", ["/at/{hour}h{minute}m"]),
        ("hapi", "/users/{id}/{tab?}", ["/users/{id}/{tab}", "/users/{id}"]),
        ("hapi", "/files/{path*}", ["/files/{path}"]),
        ("hapi", "/at/{place*2}", ["/at/{place}/{place2}"]),
        ("hono", "/posts/:day{[0-9]{2}}/:name", ["/posts/{day}/{name}"]),
        ("koa", "/all/(.*)", ["/all/{part}"]),
    ],
)
def test_the_notation_of_each_framework_becomes_path_templates(framework, path, expected):
    assert paths(framework, path) == expected


def test_parts_are_joined_by_one_slash():
    assert paths("express", "/api/", "/users", "/") == ["/api/users"]
    assert paths("express", "/api", "users/:id") == ["/api/users/{id}"]
    assert paths("express", "/") == ["/"]
    assert paths("find-my-way", "/api/users/") == ["/api/users/"]


@pytest.mark.parametrize(
    ("framework", "path", "pattern"),
    [
        ("express", "/:id(\\d+)", "^(?:\\d+)$"),
        ("express", "/:kind(a|b)", "^(?:a|b)$"),
        ("find-my-way", "/:id(^\\d{3}$)", "^(?:\\d{3})$"),
        ("hono", "/:id{[a-z]{2,3}}", "^(?:[a-z]{2,3})$"),
    ],
)
def test_a_restricted_parameter_keeps_its_pattern(framework, path, pattern):
    (template,) = templates_of([PathPart(path)], framework)
    assert list(template.patterns.values()) == [pattern]


def test_regular_expressions_become_path_templates():
    assert of_regex(r"^\/books\/(\d+)$") == [("/books/{part}", {"part": r"^(?:(\d+))$"})]
    assert of_regex(r"^\/(?<kind>cats|dogs)\/all\/?$") == [("/{kind}/all", {"kind": "^(?:(cats|dogs))$"})]
    assert of_regex(r"^/x$|^/y$") == [("/x", {}), ("/y", {})]
    assert of_regex(r".*fly$") == [("/{part}", {"part": "^(?:.*fly)$"})]
    assert of_regex(r"^\/files(\/.*)?$") == [("/files/{wildcard}", {}), ("/files", {})]
    assert of_regex(r"^\/a\.b\/?(?=\/|$)") == [("/a.b", {})]


def test_a_star_as_the_pattern_of_a_parameter_stands_for_any_text():
    (template,) = templates_of([PathPart("/static/:file(*)")], "express")
    assert template == Template("/static/{file}", {}, ends_in_wildcard=True)


def test_groups_of_a_regular_expression_that_hold_slashes_are_forms_of_the_path():
    station = {"part": "^(?:([A-Z]{3}\\d))$"}
    optional = of_regex(r"^\/stations\/([A-Z]{3}\d)(?:\/latest)?$")
    assert optional == [("/stations/{part}", station), ("/stations/{part}/latest", station)]
    assert of_regex(r"^\/(a\/b|c\/d\/e)$") == [("/a/b", {}), ("/c/d/e", {})]
    assert of_regex(r"^\/a(?:\/b(?:\/c)?)?$") == [("/a", {}), ("/a/b", {}), ("/a/b/c", {})]


def test_a_regular_expression_of_any_number_of_segments_is_no_template():
    assert of_regex(r"^\/a(?:\/\d+)*$") == []
    assert of_regex(r"^\/(broken$") == []


def test_each_form_of_a_regular_expression_is_one_of_its_own():
    forms = regex_variants(r"^\/stations\/(?<id>[A-Z]{3}\d)(?:\/(\w+))?$")
    assert forms == [r"^\/stations\/(?<id>[A-Z]{3}\d)$", r"^\/stations\/(?<id>[A-Z]{3}\d)\/(\w+)$"]
    assert [regex_variants(form) for form in forms] == [[form] for form in forms]
    assert with_literal(forms[1], 2, "latest") == r"^\/stations\/(?<id>[A-Z]{3}\d)\/latest$"
    assert with_literal(forms[1], 1, "latest") is None, "it does not match"
    assert with_literal(forms[1], 3, "latest") is None


def test_templates_of_one_route_are_bounded():
    assert len(paths("express", "".join(f"/:p{n}?" for n in range(12)))) <= 8


def test_shapes_ignore_names():
    assert Template("/a/{x}/b/{y}").shape == Template("/a/{id}/b/{name}").shape == "/a/{}/b/{}"
