"""An API that adds a route and answers in another form some time after it has begun to listen: verified tests and
suites wait for both.
"""

from __future__ import annotations

import json
import subprocess

import pytest
from test_run import run_generated_tests

from runners import runner_command

pytestmark = pytest.mark.e2e

SERVER = """'use strict';
const http = require('node:http');
const routes = { '/early': { at: 'once' } };
let type = 'text/plain';
setTimeout(() => {
  routes['/versions'] = { version: 3 };
  type = 'application/json';
}, 900);
http.createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  const found = routes[pathname];
  response.writeHead(found ? 200 : 404, { 'Content-Type': type }).end(JSON.stringify(found ?? { error: 'none' }));
}).listen(Number(process.env.PORT));
"""


@pytest.fixture
def late(project):
    answers = {"responses": {"200": {"description": "there"}}}
    paths = {"/early": {"get": answers}, "/versions": {"get": answers}}
    project.add("late.js", SERVER)
    project.add(
        "openapi.json", json.dumps({"openapi": "3.0.3", "info": {"title": "L", "version": "1"}, "paths": paths})
    )
    return project


@pytest.mark.parametrize("format_name", ["node-test", pytest.param("pytest", marks=pytest.mark.long)])
def test_suites_wait_for_a_late_route(late, format_name):
    result = late.run("--max-time", "5s", "--seed", "1", "--format", format_name, "--", "node", "late.js")
    assert result.code == 0, result.stderr + result.stdout
    tests = late.folder / "wimble-out" / "tests"
    assert any("/versions answers 200" in test["name"] for test in late.summary["tests"]), late.summary["tests"]
    helper = "sut.cjs" if format_name == "node-test" else "sut.py"
    settings = (tests / helper).read_text()
    assert "/versions" in settings
    assert "/wimble-no-such-route" in settings
    command = runner_command(format_name, tests)
    ran = subprocess.run(command, cwd=late.folder, capture_output=True, text=True, timeout=120, env=late.environment)
    assert ran.returncode == 0, ran.stdout[-4000:]


def test_nothing_is_waited_for_where_all_is_there_at_once(late):
    late.add("late.js", SERVER.replace("900", "0"))
    result = late.run("--max-calls", "100", "--seed", "1", "--format", "node-test", "--", "node", "late.js")
    assert result.code == 0, result.stderr + result.stdout
    helper = (late.folder / "wimble-out" / "tests" / "sut.cjs").read_text()
    assert "const READY_PATHS = [];" in helper
    ran = run_generated_tests(late)
    assert ran.returncode == 0, ran.stdout[-4000:]
