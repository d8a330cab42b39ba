"""Races of a real server: double bookings, also of a last seat and of the rest of a large stock, and a lost update,
beside code that does it safely.
"""

from __future__ import annotations

import json
import re
import subprocess

import pytest

from waiting import is_listening, wait_until

pytestmark = pytest.mark.e2e

SERVER = """'use strict';
const http = require('node:http');
const taken = new Set();
let seats = 3;
let tickets = 300;
const stock = { unsafe: 50, safe: 50 };
const later = () => new Promise((resolve) => setTimeout(resolve, 200));
const answers = {
  async 'POST /unsafe/bookings'() {
    const isTaken = taken.has('unsafe');
    await later();
    if (isTaken) return [409, { error: 'taken' }];
    taken.add('unsafe');
    return [201, { booked: true }];
  },
  async 'POST /seats'() {
    if (seats === 0) return [409, { error: 'sold out' }];
    await new Promise(setImmediate);
    seats -= 1;
    return [201, { booked: true }];
  },
  async 'POST /tickets'({ count }) {
    if (!Number.isInteger(count) || count < 1) return [400, { error: 'how many?' }];
    if (count > tickets) return [409, { error: 'sold out' }];
    await new Promise(setImmediate);
    tickets -= count;
    return [201, { booked: count }];
  },
  async 'POST /safe/bookings'() {
    if (taken.has('safe')) return [409, { error: 'taken' }];
    taken.add('safe');
    await later();
    return [201, { booked: true }];
  },
  async 'POST /unsafe/stock'() {
    const left = stock.unsafe;
    await later();
    stock.unsafe = left - 1;
    return [200, { ok: true }];
  },
  async 'POST /safe/stock'() {
    stock.safe -= 1;
    await later();
    return [200, { ok: true }];
  },
  async 'GET /stock'() {
    return [200, stock];
  },
};
http.createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  const answer = answers[`${request.method} ${request.url}`];
  let given = {};
  try {
    given = JSON.parse(text) ?? {};
  } catch {}
  const [status, body] = answer ? await answer(given) : [404, { error: 'no route' }];
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}).listen(Number(process.env.PORT));
"""
PATHS = ["/unsafe/bookings", "/seats", "/safe/bookings", "/unsafe/stock", "/safe/stock"]


@pytest.fixture
def racy(project):
    answers = {"responses": {status: {"description": "an answer"} for status in ("200", "201", "409")}}
    count = {"type": "object", "required": ["count"], "properties": {"count": {"type": "integer", "minimum": 1}}}
    tickets = {"requestBody": {"required": True, "content": {"application/json": {"schema": count}}}, **answers}
    tickets["responses"] = {**answers["responses"], "400": {"description": "an answer"}}
    paths = {path: {"post": answers} for path in PATHS} | {"/stock": {"get": answers}, "/tickets": {"post": tickets}}
    project.add("racy.js", SERVER)
    project.add(
        "openapi.json", json.dumps({"openapi": "3.0.3", "info": {"title": "R", "version": "1"}, "paths": paths})
    )
    return project


def test_double_bookings_and_lost_updates_are_told_with_commands_that_show_them(racy):
    result = racy.run("--max-calls", "100", "--seed", "1", "--", "node", "racy.js")
    assert result.code == 1, result.stderr
    findings = json.loads((racy.folder / "wimble-out" / "findings.json").read_text())["findings"]
    assert sorted(one["title"] for one in findings) == [
        "POST /seats answers 201 twice to two calls at once, and 409 to the second of two in turn",
        "POST /tickets answers 201 twice to two calls at once, and 409 to the second of two in turn",
        "POST /unsafe/bookings answers 201 twice to two calls at once, and 409 to the second of two in turn",
        "POST /unsafe/stock loses one of two calls at once: $.unsafe is 49 instead of 48",
    ]
    for finding in findings:
        assert finding["oracle"] == "race"
        assert finding["test"] is None
        assert re.search(r"in ([4-9]|10) of ([4-9]|10) runs of two calls at once", finding["observed"])
    (curl,) = (one["curl"] for one in racy.summary["findings"] if "/unsafe/bookings answers 201" in one["title"])
    with subprocess.Popen(["node", "racy.js"], cwd=racy.folder, env=racy.environment) as server:
        try:
            wait_until(lambda: is_listening(racy.port))
            ran = subprocess.run(["sh", "-c", curl], capture_output=True, text=True, timeout=60, check=False)
        finally:
            server.kill()
    assert ran.stdout.count("201 Created") == 2, ran.stdout + curl
