"""Sleeps, schedules and left-over work of a real server: found quickly, verified by its own clock, blamed on the right
call."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from test_run import run_generated_tests

pytestmark = pytest.mark.e2e

NODE_MODULES = Path(__file__).parents[2] / "agents" / "node" / "node_modules"

SERVER = """'use strict';
const http = require('node:http');
const cron = require('node-cron');
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

setInterval(() => {
  throw new Error('the interval ran');
}, 4000);
cron.schedule('* * * * * *', () => {
  process.exitCode = 3; // the job ran
});

http.createServer(async (request, response) => {
  const url = new URL(request.url, 'http://localhost');
  const answer = (status, body) => response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  if (url.pathname === '/slow') {
    if (url.searchParams.get('mode') === 'careful') {
      await wait(3000);
      return answer(500, { error: 'too careful' });
    }
    return answer(200, { mode: 'quick' });
  }
  if (url.pathname === '/dice') {
    return answer(200, { rolled: Math.random() < 0.5 ? 'low' : 'high' });
  }
  return answer(404, {});
}).listen(Number(process.env.PORT));
"""

DOCUMENT = {
    "openapi": "3.0.3",
    "info": {"title": "Slow", "version": "1"},
    "paths": {
        "/slow": {
            "get": {
                "parameters": [{"name": "mode", "in": "query", "schema": {"type": "string"}}],
                "responses": {"200": {"description": "quick"}},
            }
        },
        "/dice": {"get": {"responses": {"200": {"description": "a throw"}}}},
    },
}


@pytest.fixture
def slow(project):
    project.add("slow.js", SERVER)
    project.add("openapi.json", json.dumps(DOCUMENT))
    (project.folder / "node_modules").symlink_to(NODE_MODULES)
    return project


def line_of(mark: str) -> int:
    return next(n for n, text in enumerate(SERVER.splitlines(), 1) if mark in text)


def test_a_fault_behind_a_sleep_is_found_and_its_test_takes_its_time(slow):
    result = slow.run("--max-calls", "300", "--seed", "1", "--format", "node-test", "--", "node", "slow.js")
    assert result.code == 1, result.stderr + result.stdout
    summary = slow.summary
    assert [(f["operation"], f["status"]) for f in summary["findings"]] == [("GET /slow", 500)]
    assert all(finding["test"] for finding in summary["findings"])
    assert [(s["kind"], s["file"], s["line"], s["period_ms"], s["expression"]) for s in summary["schedules"]] == [
        ("interval", "slow.js", line_of("setInterval"), 4000, ""),
        ("cron", "slow.js", line_of("cron.schedule"), None, "* * * * * *"),
    ]
    assert "2 schedules did not run: slow.js:6 interval of 4 s, slow.js:9 cron * * * * * *" in result.stdout
    ran = run_generated_tests(slow)
    assert ran.returncode == 0, ran.stdout[-4000:]
    assert_asserts_no_toss(slow)


def test_one_seed_gives_one_result_where_dice_decide(slow):
    # A start may or may not see the turn of a second, and what runs while the API starts is told: here the job is due
    # once a year.
    slow.add("slow.js", SERVER.replace("'* * * * * *'", "'0 0 1 1 *'"))
    seen = []
    for _ in range(2):
        slow.run("--max-calls", "300", "--seed", "3", "--format", "none", "--", "node", "slow.js")
        summary = slow.summary
        seen.append({key: summary[key] for key in ("targets", "lines", "branches", "needed_budget")})
    assert seen[0] == seen[1]


COINS = """'use strict';
const http = require('node:http');
const { randomInt } = require('node:crypto');
http.createServer((request, response) => {
  const answer = (status, body) => response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  if (request.method === 'POST') {
    const side = randomInt(2) === 0 ? 'low' : 'high';
    return answer(201, { side, of: request.url });
  }
  const isHigh = Math.random() >= 0.5;
  return request.url.startsWith('/luck') ? answer(isHigh ? 200 : 404, { of: 'luck' }) : answer(200, { side: isHigh ? 'high' : 'low', of: request.url });
}).listen(Number(process.env.PORT));
"""


def test_no_test_asserts_which_side_a_coin_shows(project):
    paths = {f"/coin{number}": {"get": {"responses": {}}, "post": {"responses": {}}} for number in range(5)}
    paths |= {f"/luck{number}": {"get": {"responses": {}}} for number in range(5)}
    project.add("coins.js", COINS)
    project.add(
        "openapi.json", json.dumps({"openapi": "3.0.3", "info": {"title": "C", "version": "1"}, "paths": paths})
    )
    result = project.run("--max-calls", "400", "--seed", "1", "--format", "node-test", "--", "node", "coins.js")
    assert result.code == 0, result.stderr + result.stdout
    texts = assert_asserts_no_toss(project)
    assert "/coin0" in texts
    assert "/luck" not in texts


def assert_asserts_no_toss(project) -> str:
    texts = "".join(path.read_text() for path in (project.folder / "wimble-out" / "tests").glob("*.test.mjs"))
    assert "'high'" not in texts
    assert "'low'" not in texts
    return texts
