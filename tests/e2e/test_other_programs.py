"""Programs that the SUT starts reach the mock server too: through a proxy, or through the agent if they are Node."""

import json
import sys
from functools import cache
from pathlib import Path

import pytest

from namespaces import run_in_namespace

pytestmark = pytest.mark.e2e

REDIRECTED = Path(__file__).parents[1] / "shared" / "services" / "redirected_program.py"
PROGRAM = Path(__file__).parent / "servers" / "other-programs.js"
PLAN = [
    {"id": 0, "origin": "http://prices.example:80", "method": "GET", "path": "/v1/*", "body": "7"},
    {"id": 1, "origin": "https://prices.example:443", "method": "GET", "path": "/v1/*", "body": "8"},
]


@cache
def seen():
    found = json.loads(run_in_namespace(REDIRECTED, str(PROGRAM), json.dumps(PLAN), "[]", "[]", PYTHON=sys.executable))
    assert found["errors"] == ""
    return dict(found["printed"]), found["requests"]


def test_a_program_that_is_not_node_gets_planned_answers_through_a_proxy():
    assert seen()[0]["spawnSync"] == "7"


def test_such_a_program_trusts_the_mock_server_over_tls():
    assert seen()[0]["exec"] == "8"


def test_a_child_of_node_is_redirected_although_its_environment_is_bare():
    requests = {one["target"]: one for one in seen()[1] if one["type"] == "request"}
    assert seen()[0]["node"] == "7"
    assert requests["/v1/child"]["client"] == "fetch"
    assert requests["/v1/child"]["pid"] > 0


def test_the_client_of_such_a_program_is_known_from_its_requests():
    clients = {one["client"] for one in seen()[1] if one["type"] == "request" and one["pid"] == 0}
    assert clients == {"Python-urllib"}


def test_programs_that_are_not_node_are_reported_by_name():
    reported = [(one["host"], one["port"]) for one in seen()[1] if one["type"] == "unmockable"]
    assert reported == [(Path(sys.executable).name, 0)]


def test_the_environment_of_the_sut_stays_as_it_is():
    assert seen()[0]["own"] == "undefined"


def test_unix_sockets_of_others_are_reached_and_reported_but_not_those_of_loaders():
    program = PROGRAM.with_name("beside-mocks.js")
    found = json.loads(run_in_namespace(REDIRECTED, str(program), "[]", "[]", "[]"))
    assert found["errors"] == ""
    assert dict(found["printed"]) == {"docker.sock": "docker.sock", "own.sock": "own.sock"}
    [reported] = found["requests"]
    assert (reported["kind"], reported["port"]) == ("reached", 0)
    assert reported["host"].startswith("unix:/") and reported["host"].endswith("/docker.sock")
