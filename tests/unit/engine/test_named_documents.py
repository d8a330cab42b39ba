"""Documents that `--service-schema` names belong to the origin before them."""

import json

import pytest

from wimble.engine.boot.known_services import NamedServices
from wimble.errors import UsageError
from wimble.settings import Settings

DOCUMENT = {"openapi": "3.0.3", "info": {"title": "plans", "version": "1"}, "paths": {}}


class Knowledge:
    def __init__(self):
        self.origins = []

    def add_recorded(self, recorded):
        assert not list(recorded)

    def add_document(self, document):
        self.origins += document.origins


@pytest.mark.parametrize(
    ("named", "origin"),
    [
        ("https://plans.example", "https://plans.example:443"),
        ("http://plans.example:8080/", "http://plans.example:8080"),
        ("http://[2001:db8::7]:8080", "http://[2001:db8::7]:8080"),
        ("https://[2001:db8::7]", "https://[2001:db8::7]:443"),
    ],
)
def test_an_origin_is_a_name_or_an_address(tmp_path, named, origin):
    file = tmp_path / "plans.json"
    file.write_text(json.dumps(DOCUMENT))
    knowledge = Knowledge()
    NamedServices(Settings(service_schemas=(f"{named}={file}",))).teach(knowledge)
    assert knowledge.origins == [origin]


@pytest.mark.parametrize("named", ["http://[2001:db8::7", "http://plans.example:port"])
def test_what_is_no_origin_is_refused(tmp_path, named):
    file = tmp_path / "plans.json"
    file.write_text(json.dumps(DOCUMENT))
    with pytest.raises(UsageError, match="is no origin"):
        NamedServices(Settings(service_schemas=(f"{named}={file}",)))
