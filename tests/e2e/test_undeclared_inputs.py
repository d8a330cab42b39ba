"""Faults behind inputs that no document names, on real frameworks: found, reported, and in the suite."""

from __future__ import annotations

import json

import pytest

from conftest import ROOT

pytestmark = pytest.mark.e2e

DOCUMENT = {
    "openapi": "3.0.3",
    "info": {"title": "t", "version": "1"},
    "paths": {
        "/a": {"get": {"responses": {"200": {"description": "ok"}}}},
        "/b": {"post": {"responses": {"200": {"description": "ok"}}}},
    },
}
SERVERS = {
    "express": """
const express = require('express');
const app = express();
app.use(express.json());
app.get('/a', (req, res) => {
  if (req.query.debug === 'verbose') throw new Error('FAULT-query');
  if (req.get('X-Tenant') === 'acme') throw new Error('FAULT-header');
  const { trace, page = 1 } = req.query;
  if (trace && page > 50) throw new Error('FAULT-pattern');
  const options = Object.fromEntries(new URL(req.url, 'http://x').searchParams);
  if (options.mode === 'slow') throw new Error('FAULT-copy');
  res.json({});
});
app.post('/b', (req, res) => {
  const data = req.body?.data;
  if (!data) return res.status(400).json({});
  if (data.kind === 'bulk' && data.items && data.items[2].sku === 'Z9') throw new Error('FAULT-list');
  res.json({});
});
app.post('/lines', express.text({ type: 'text/csv' }), (req, res) => {
  if (!req.is('text/csv')) return res.status(415).json({});
  if (req.body.startsWith('id;name')) throw new Error('FAULT-csv');
  res.json({});
});
app.listen(process.env.PORT);
""",
    "http": """
const http = require('http');
http.createServer((req, res) => {
  const url = new URL(req.url, 'http://x');
  const end = (status, body) => { res.writeHead(status); res.end(JSON.stringify(body)); };
  if (url.pathname === '/a') {
    const cookies = Object.fromEntries((req.headers.cookie || '').split('; ').filter(Boolean).map((p) => p.split('=')));
    if (cookies.theme === 'dark') return end(500, 'FAULT-cookie');
    return end(url.searchParams.get('q') === 'all' ? 500 : 200, 'FAULT-query');
  }
  let text = '';
  req.on('data', (chunk) => { text += chunk; });
  req.on('end', () => {
    const form = Object.fromEntries(new URLSearchParams(text));
    const isForm = (req.headers['content-type'] || '').includes('urlencoded');
    end(isForm && form.coupon === 'FREE' ? 500 : 200, 'FAULT-form');
  });
}).listen(process.env.PORT);
""",
}
SHOWN = {
    "express": ("FAULT-query", "FAULT-header", "FAULT-pattern", "FAULT-copy", "FAULT-list", "FAULT-csv"),
    "http": ("theme=dark", "q=all", "coupon=FREE"),
}
"""What the findings have to show."""


@pytest.mark.parametrize("framework", ["express", "http"])
def test_faults_behind_undeclared_inputs_are_found_and_their_tests_pass(project, framework: str) -> None:
    (project.folder / "node_modules").symlink_to(ROOT / "agents/node/node_modules")
    project.add("server.js", SERVERS[framework])
    project.add("openapi.json", json.dumps(DOCUMENT))
    project.run("--max-calls", "600", "--seed", "1", "--", "node", "server.js")
    findings = (project.folder / "wimble-out" / "findings.json").read_text()
    assert [fault for fault in SHOWN[framework] if fault not in findings] == []
    suite = project.run_suite()
    assert suite.returncode == 0, suite.stdout[-2000:]
