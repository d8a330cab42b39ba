"""A suite starts the API with the environment variables that the run had, and without those that it did not have."""

from __future__ import annotations

import subprocess

import pytest

from runners import runner_command

pytestmark = pytest.mark.e2e

SERVER = """'use strict';
const http = require('node:http');
const { GREETING, DATA_FOLDER = 'none', API_SECRET, LANGUAGE_OF_DAY = 'de' } = process.env;
http.createServer((request, response) => {
  if (request.url === '/openapi.json') {
    const paths = { '/greeting': { get: { responses: {} } } };
    return response.end(JSON.stringify({ openapi: '3.0.3', info: { title: 'G', version: '1' }, paths }));
  }
  const body = { greeting: GREETING, folder: DATA_FOLDER, language: LANGUAGE_OF_DAY, isSigned: Boolean(API_SECRET) };
  response.writeHead(GREETING ? 200 : 503, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}).listen(Number(process.env.PORT));
"""
SECRET = "a8f5f167f44f4964e6c998dee827110c"


@pytest.mark.parametrize("test_format", ["node-test", "pytest"])
def test_what_the_api_reads_is_set_and_a_secret_is_asked_for(project, test_format):
    project.add("greeter.js", SERVER)
    before = dict(project.environment)
    folder = str(project.folder / "data")
    project.environment |= {"GREETING": "Servus", "DATA_FOLDER": folder, "API_SECRET": SECRET}

    result = project.run("--max-calls", "20", "--seed", "1", "--format", test_format, "--", "node", "greeter.js")

    assert result.code == 0, result.stderr
    assert "needs      the environment variable API_SECRET, which the program reads and the run had" in result.stdout
    tests = project.folder / "wimble-out" / "tests"
    written = "".join(path.read_text() for path in tests.iterdir() if path.is_file())
    assert SECRET not in written + result.stdout
    assert "'Servus'" in written or '"Servus"' in written

    def ran_with(**variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            runner_command(test_format, tests), cwd=project.folder, env=before | variables, capture_output=True,
            text=True, timeout=60, check=False,
        )  # fmt: skip

    ran = ran_with(API_SECRET=SECRET)
    assert ran.returncode == 0, ran.stdout[-3000:]
    ran = ran_with(API_SECRET=SECRET, GREETING="Moin", LANGUAGE_OF_DAY="nl")
    assert ran.returncode == 0, "the API behaves as in the run"
    ran = ran_with(API_SECRET=SECRET, DATA_FOLDER="/srv")
    assert ran.returncode != 0, "what the environment says of places is kept"
