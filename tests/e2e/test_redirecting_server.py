"""APIs that redirect every plain request, as behind a proxy that ends https: the search and the suites get through."""

from __future__ import annotations

import json
import subprocess

import pytest

from runners import runner_command

pytestmark = pytest.mark.e2e

SERVER = """'use strict';
const http = require('node:http');
http.createServer((request, response) => {
  if (%s) return response.writeHead(301, { Location: `https://shop.example${request.url}` }).end();
  const { pathname } = new URL(request.url, 'http://localhost');
  response.writeHead(pathname === '/books' ? 200 : 404, { 'Content-Type': 'application/json' }).end(JSON.stringify({ pathname }));
}).listen(Number(process.env.PORT), '127.0.0.1');
"""
NO_PROXY = "request.headers['x-forwarded-proto'] !== 'https'"
OTHER_HOST = "request.headers.host !== 'shop.example'"
NOT_LOCAL = "!request.headers.host.startsWith('localhost:')"


@pytest.mark.parametrize(
    ("condition", "format_name"),
    [(NO_PROXY, "node-test"), (NO_PROXY, "pytest"), (OTHER_HOST, "pytest"), (NOT_LOCAL, "node-test")],
)
def test_the_search_and_its_suite_get_through(project, condition, format_name):
    answers = {"responses": {"200": {"description": "there"}}}
    document = {"openapi": "3.0.3", "info": {"title": "L", "version": "1"}, "paths": {"/books": {"get": answers}}}
    project.add("redirecting.js", SERVER % condition)
    project.add("openapi.json", json.dumps(document))
    result = project.run("--max-calls", "40", "--seed", "1", "--format", format_name, "--", "node", "redirecting.js")
    assert result.code == 0, result.stderr + result.stdout
    assert "redirects every request" in result.stdout
    assert any("/books answers 200" in test["name"] for test in project.summary["tests"]), project.summary["tests"]
    command = runner_command(format_name, project.folder / "wimble-out" / "tests")
    ran = subprocess.run(
        command, cwd=project.folder, capture_output=True, text=True, timeout=60, env=project.environment
    )
    assert ran.returncode == 0, ran.stdout[-4000:]
