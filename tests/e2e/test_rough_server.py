"""A server with every kind of rough answer, end to end: the search goes on, finds the fault among them, and its tests
pass."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from runners import runner_command

LONG = pytest.mark.long
pytestmark = pytest.mark.e2e


@pytest.mark.parametrize("test_format", ["node-test", pytest.param("pytest", marks=LONG)])
def test_rough_answers_neither_stop_the_search_nor_spoil_its_tests(project, test_format):
    options = ("--max-calls", "150", "--call-timeout", "1s", "--seed", "1", "--format", test_format)
    result = project.run(*options, "--", "node", "rough.js", timeout_s=300)
    assert result.code == 1, result.stderr
    findings = {(finding["oracle"], finding["operation"]) for finding in project.summary["findings"]}
    assert {
        ("server-error", "GET /fault"),
        ("connection-lost", "GET /reset"),
        ("connection-lost", "GET /too-short"),
        ("no-answer", "GET /stands-still"),
        ("response-schema", "GET /not-utf8"),
    } == findings, "and nothing that is no fault"
    command = runner_command(test_format, project.folder / "wimble-out" / "tests")
    ran = subprocess.run(
        command, cwd=project.folder, env=project.environment, capture_output=True, text=True, timeout=200
    )
    assert ran.returncode == 0, ran.stdout[-4000:]
    assert project.is_port_free()


LIMITED = """
'use strict';
const http = require('node:http');
let n = 0;
const document = { openapi: '3.0.3', info: { title: 'Limited', version: '1' }, paths: { '/add': { get: {
  parameters: [{ name: 'to', in: 'query', required: true, schema: { type: 'integer', minimum: 0, maximum: 30 } }],
  responses: { 200: { description: 'ok' }, 429: { description: 'later' } } } } } };
http.createServer((request, response) => {
  const url = new URL(request.url, 'http://localhost');
  if (url.pathname === '/openapi.json') return response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
  if (++n > 40) return response.writeHead(429, { 'retry-after': '900' }).end('later');
  if (url.searchParams.get('to') === '17') return response.writeHead(500).end('seventeen');
  response.end('ok');
}).listen(process.env.PORT, '127.0.0.1');
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_a_rate_limit_in_memory_is_outlasted_by_fresh_starts_and_told(project):
    project.add("limited.js", LIMITED)
    result = project.run("--max-calls", "600", "--seed", "1", "--format", "node-test", "--", "node", "limited.js")
    assert result.code == 1, result.stderr
    assert [finding["status"] for finding in project.summary["findings"]] == [500]
    (warning,) = project.summary["warnings"]
    assert "429 (too many requests, with Retry-After: 900)" in warning
    assert int(warning.split()[2]) < 120, "most of the 600 calls were served"
    assert any("429" in test["name"] for test in project.summary["tests"]), "forty calls use up the limit"
