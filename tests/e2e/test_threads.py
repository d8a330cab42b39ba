"""SUTs that do their work in several processes or threads: faults, lines and tests are those of the user's files."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.e2e

CLUSTER = """const cluster = require('node:cluster');
if (cluster.isPrimary) {
  for (let i = 0; i < 3; i++) cluster.fork();
} else {
  require('./shop.js');
}
"""

LEVELS = """const { parentPort } = require('node:worker_threads');

function priceOf(level) {
  if (level === 'gold-7') {
    throw new RangeError('no price');
  }
  return level.length > 3 ? 10 : 20;
}

parentPort.on('message', (level) => {
  try {
    parentPort.postMessage({ price: priceOf(level) });
  } catch (error) {
    parentPort.postMessage({ error: error.message });
  }
});
"""

COMPUTES = """const http = require('node:http');
const { Worker } = require('node:worker_threads');

const worker = new Worker('./levels.js');
const document = {
  openapi: '3.0.3',
  info: { title: 'Levels', version: '1' },
  paths: {
    '/price': {
      get: {
        parameters: [{ name: 'level', in: 'query', required: true, schema: { type: 'string' } }],
        responses: { 200: { description: 'ok' } },
      },
    },
  },
};
http
  .createServer((request, response) => {
    const url = new URL(request.url, 'http://localhost');
    response.setHeader('Content-Type', 'application/json');
    if (url.pathname === '/openapi.json') return response.end(JSON.stringify(document));
    worker.once('message', (answer) => {
      response.statusCode = answer.error ? 500 : 200;
      response.end(JSON.stringify(answer));
    });
    worker.postMessage(String(url.searchParams.get('level')));
  })
  .listen(process.env.PORT);
"""


def line_of(project, name: str, mark: str) -> int:
    lines = (project.folder / name).read_text().splitlines()
    return next(number for number, text in enumerate(lines, 1) if mark in text)


def test_whichever_process_of_a_cluster_answers_its_faults_are_found(project):
    project.add("cluster.js", CLUSTER)
    result = project.run("--max-calls", "3000", "--seed", "1", "--format", "none", "--", "node", "cluster.js")
    assert result.code == 1, result.stderr
    causes = {(f["cause"]["file"], f["cause"]["line"]) for f in project.summary["findings"]}
    for mark in ("discount.amount", "no such level"):
        assert ("shop.js", line_of(project, "shop.js", mark)) in causes
    assert project.is_port_free(), "the whole tree was stopped"


def test_what_a_worker_thread_compares_guides_the_search_to_its_faults(project):
    project.add("levels.js", LEVELS)
    project.add("computes.js", COMPUTES)
    result = project.run("--max-calls", "2000", "--seed", "1", "--format", "none", "--", "node", "computes.js")
    assert result.code == 1, result.stderr
    [finding] = project.summary["findings"]
    assert (finding["cause"]["file"], finding["cause"]["line"]) == (
        "levels.js",
        line_of(project, "levels.js", "no price"),
    )
    assert finding["cause"]["message"] == "RangeError: no price"
