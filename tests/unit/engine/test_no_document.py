"""`--schema none`: documents are ignored, and the routes of the program describe the API."""

from pathlib import Path

import pytest

from wimble.engine.boot.api_description import ApiDescription, load_files
from wimble.errors import SchemaError, UsageError
from wimble.execute.http.redirected_requests import RequestForm
from wimble.model.routes import PathPart, Route
from wimble.settings import Settings

ROUTES = (Route("express", ("GET",), (PathPart("/orders/:id"),)), Route("express", ("POST",), (PathPart("/orders"),)))


class Program:
    """A started SUT; asking it for a document is an error."""

    base_url, port, ports = "http://127.0.0.1:3000", 3000, (3000,)
    form = RequestForm()

    def __init__(self, routes=()):
        self.api = self
        self.routes = routes

    def update_routes(self):
        pass

    def use_port(self, port):
        raise AssertionError

    def fetch(self, path, accept="*/*", port=None, user=""):
        raise AssertionError(f"asked for {path}")


def described(program, folder=Path(), **options):
    settings = Settings(
        **{"command": ("node", "s.js"), "schemas": ("none",), "port": 3000, **options}, working_dir=folder
    )
    return ApiDescription(settings, program, ()).find(load_files(settings, ())).specification


def test_documents_of_the_project_and_of_the_server_are_ignored(tmp_path):
    (tmp_path / "openapi.json").write_text('{"openapi": "3.0.3", "info": {}, "paths": {"/a": {"get": {}}}}')
    found = described(Program(ROUTES), tmp_path)
    assert [operation.id for operation in found.operations] == ["GET /orders/{id}", "POST /orders"]
    assert found.routes.undocumented == ()


def test_a_program_without_routes_is_told():
    with pytest.raises(SchemaError, match="no route was found in the running program") as caught:
        described(Program())
    assert caught.value.slug == "routes-not-found"


def test_it_excludes_documents():
    with pytest.raises(UsageError, match="`none` and 2 other documents contradict each other") as caught:
        described(Program(ROUTES), schemas=("none", "a.json", "/b"))
    assert "./none" in caught.value.hint


def test_it_needs_a_program_that_is_started():
    with pytest.raises(UsageError, match="its routes cannot be seen"):
        described(Program(ROUTES), command=(), url="http://127.0.0.1:3000")


def test_a_file_of_that_name_can_be_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("none").write_text(
        '{"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"get": {}}}}'
    )
    assert list(load_files(Settings(command=("node", "s.js"), schemas=("./none",)), ())) == ["./none"]
