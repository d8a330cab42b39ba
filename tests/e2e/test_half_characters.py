"""Half a surrogate pair, wherever a program may have one: in its text, in what it compares, as a key, in what it throws
and answers."""

from __future__ import annotations

import json

import pytest
from test_run import run_generated_tests

pytestmark = pytest.mark.e2e

SERVER = r"""'use strict';
const http = require('node:http');
const HALF = 'cut \ud83d';
const table = { '\udc00 low': 1, ['k\ud800']: 2 };
http.createServer((request, response) => {
  const url = new URL(request.url, 'http://localhost');
  const name = url.searchParams.get('name') ?? '';
  const cut = ('\u{1f600}' + name).slice(0, 1);
  const answer = (status, body) => response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  if (cut === name || name === HALF || table[name + '\ud800'] === 7 || name.startsWith('\udead')) return answer(200, { half: cut });
  if (/^[\ud800]z/.test(name)) return answer(200, { half: name });
  switch (cut + name) {
    case '\ud83dboom':
      throw_(cut);
  }
  if (name === 'thrown') try { throw_(cut); } catch (error) { return answer(500, { error: error.message }); }
  return answer(200, { name, cut });
}).listen(Number(process.env.PORT));
function throw_(cut) {
  throw new Error('half: ' + cut);
}
"""


def test_half_a_character_ends_no_run(project):
    inputs = [{"name": "name", "in": "query", "schema": {"type": "string"}}]
    paths = {"/cut": {"get": {"parameters": inputs, "responses": {"200": {"description": "cut"}}}}}
    project.add("half.js", SERVER)
    project.add(
        "openapi.json", json.dumps({"openapi": "3.0.3", "info": {"title": "H", "version": "1"}, "paths": paths})
    )
    result = project.run("--max-calls", "600", "--seed", "1", "--format", "node-test", "--", "node", "half.js")
    assert result.code == 1, result.stderr + result.stdout
    assert "cannot read" not in result.stderr + result.stdout
    titles = [finding["title"] for finding in project.summary["findings"]]
    assert any("half: " in title for title in titles), titles
    ran = run_generated_tests(project)
    assert ran.returncode == 0, ran.stdout[-4000:]
