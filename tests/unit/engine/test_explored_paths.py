"""Paths of programs without a router, as far as answers and texts of the program show them."""

from random import Random

import pytest

from engine_parts import ScriptedSut
from wimble.engine.boot.explored_paths import PathExplorer
from wimble.http.request_building import build_request
from wimble.model.routes import PathPart, Procedure, Route
from wimble.model.targets import TargetTable
from wimble.spec.routes.route_operations import routed_operations


def found(program, *texts):
    table = TargetTable()
    table.constants.put("/srv/app.js", [(number, text) for number, text in enumerate(texts, 1)])
    sut = ScriptedSut(program)
    routes = PathExplorer(sut, table, Random(1)).routes()
    return [one.id for one in routed_operations(routes).operations], sut


def serving(*operations):
    return lambda memory, operation: (200, operation) if operation in operations else (404, None)


def test_a_program_that_answers_any_path_alike_has_a_root():
    operations, _ = found(lambda memory, operation: (200, None))
    assert operations[0] == "GET /"


def test_texts_that_look_like_paths_are_tried():
    operations, _ = found(serving("GET /books", "POST /books"), "/books", "/nothing", "no path")
    assert operations == ["GET /books", "POST /books"]


def test_texts_are_tried_below_each_other():
    operations, _ = found(serving("GET /api/books"), "/api", "/books")
    assert operations == ["GET /api/books"]


def test_an_answer_that_repeats_the_rest_of_an_unknown_path_is_that_of_an_unknown_path():
    def program(memory, operation):
        method, _, path = operation.partition(" ")
        mounted = path.startswith("/admin")
        rest = path.removeprefix("/admin") or "/" if mounted else path
        if mounted and method == "DELETE" and rest.startswith("/books/"):
            return 204, None
        return 404, {"message": f"Cannot find any path matching {rest}."}

    operations, _ = found(program, "/admin", "/books/:id")
    assert operations == ["DELETE /admin/books/{part1}"]


def test_what_is_below_a_path_that_serves_anything_is_no_path_of_its_own():
    def program(memory, operation):
        return (200, "a file") if operation.startswith("GET /files") else (404, None)

    operations, _ = found(program, "/files", "/books", "/authors")
    assert operations == ["GET /files"]


def test_a_path_that_refuses_a_method_is_tried_with_the_others():
    def program(memory, operation):
        method, path = operation.split()
        if not path.startswith("/books/"):
            return 404, None
        return (200, operation) if method == "PUT" else (405, None)

    operations, _ = found(program, *(f"/nothing{number}" for number in range(120)), "/books/:id")
    assert operations == ["PUT /books/{part1}"]


def test_few_texts_are_tried_with_all_methods():
    operations, _ = found(serving("DELETE /books", "PATCH /books"), "/books")
    assert operations == ["PATCH /books", "DELETE /books"]


@pytest.mark.parametrize("program", [lambda memory, operation: (404, None), lambda memory, operation: (401, None)])
def test_nothing_is_found_where_all_paths_are_refused_alike(program):
    operations, _ = found(program, "/books", "/authors/:id")
    assert operations == []


def test_procedures_that_a_request_makes_known_replace_what_is_found_below_their_adapter():
    program = serving("GET /rpc", "GET /rpc/:name", "GET /books")
    table = TargetTable()
    table.constants.put("/srv/app.js", [(1, "/rpc"), (2, "/books")])
    sut = ScriptedSut(program)
    path = (PathPart("/rpc"), PathPart("/books.add"))
    sut.api.routes = (Route("trpc", ("POST",), path, procedure=Procedure("mutation", "json")),)
    routes = PathExplorer(sut, table, Random(1)).routes()
    assert [one.id for one in routed_operations(routes).operations] == ["POST /rpc/books.add", "GET /books"]


def test_the_program_starts_afresh_after_requests_that_may_have_changed_it():
    _, sut = found(serving("GET /books"), "/books")
    assert sut.n_starts == 1


def test_a_program_that_ignores_the_method_has_one_operation_per_path():
    def program(memory, operation):
        return (200, "books") if operation.endswith(" /books") else (404, None)

    operations, _ = found(program, "/books")
    assert operations == ["GET /books"]


def test_bodies_of_probes_are_empty_objects():
    """Programs that read the body first refuse what is no JSON, before they look at the rest of the path."""
    _, sut = found(serving("POST /books"), "/books")
    bodies = {build_request(call).body for case in sut.ran for call in case.calls if call.operation.id == "POST /books"}
    assert bodies == {b"{}"}


def test_methods_that_a_guard_refuses_alike_are_told_apart_from_those_that_are_not_served():
    def program(memory, operation):
        return (401, "log in") if operation in ("GET /books", "PATCH /books") else (404, None)

    operations, _ = found(program, "/books")
    assert operations == ["GET /books", "PATCH /books"]
