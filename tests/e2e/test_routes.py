"""APIs without a document: routes are read from the running framework, or found by what the program compares."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from wimble.engine.events import SpecificationLoaded

pytestmark = pytest.mark.e2e

PACKAGES = {
    "new": ["express@5", "fastify@5", "koa@3", "@koa/router@14", "koa-mount@4", "hono@4", "@hono/node-server@1",
            "@hapi/hapi@21", "polka@0.5", "connect@3", "@trpc/server@11", "@hono/trpc-server@0.4", "zod@4",
            "openapi-backend@5", "@feathersjs/feathers@5", "@feathersjs/koa@5"],
    "old": ["express@4", "fastify@4", "koa@2", "koa-router@12", "restify@11"],
}  # fmt: skip
"""Two folders, since a folder holds one version of a package."""


@pytest.fixture(scope="session")
def frameworks(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("frameworks")
    for name, packages in PACKAGES.items():
        (folder / name).mkdir()
        (folder / name / "package.json").write_text('{"private": true}')
        subprocess.run(
            ["npm", "install", "--no-audit", "--no-fund", "--silent", *packages],
            cwd=folder / name, check=True, timeout=300,
        )  # fmt: skip
    return folder


EXPRESS = """
const express = require('express');
const app = express();
app.use(express.json());
app.use('/public', express.static('.'));
const books = express.Router();
books.get('/', (req, res) => res.json([]));
books.post('/', (req, res) => res.status(201).json(req.body.title.trim()));
books.get('/:id(PATTERN)', (req, res) => res.json({ id: req.params.id }));
app.use('/api/books', books);
const admin = express();
admin.get('/stats', (req, res) => res.json({ books: 0 }));
app.use('/admin', admin);
app.post('/shutdown', () => process.exit());
app.get(/^\\/isbn\\/(\\d+)$/, (req, res) => res.json({ isbn: req.params[0] }));
app.listen(process.env.PORT, () => setImmediate(() => app.get('/late', (req, res) => res.end())));
"""
EXPRESS_ROUTES = ["GET /admin/stats", "GET /api/books", "GET /api/books/{id}", "GET /isbn/{part}", "GET /late",
                  "POST /api/books"]  # fmt: skip
FASTIFY = """
const app = require('fastify')();
app.register(async (books) => {
  books.get('/', async () => []);
  books.put('/:id', async (request) => ({ id: request.params.id }));
}, { prefix: '/books' });
app.get('/versions', { constraints: { version: '1.0.0' } }, async () => ({ version: 1 }));
app.get('/versions', { constraints: { version: '2.0.0' } }, async () => ({ version: 2 }));
app.setNotFoundHandler((request, reply) => reply.code(404).send({}));
app.listen({ port: Number(process.env.PORT) });
"""
KOA = """
const Koa = require('koa');
const Router = require('ROUTER');
const posts = new Router();
posts.get('/', (ctx) => { ctx.body = []; });
posts.delete('/:post', (ctx) => { ctx.status = 204; });
const forums = new Router({ prefix: '/forums' });
forums.use('/:forum/posts', posts.routes());
const app = new Koa();
app.use(forums.routes()).use(forums.allowedMethods());
MOUNT
app.listen(process.env.PORT);
"""
MOUNT = """const inner = new Koa(); const more = new Router(); more.get('/hello', (ctx) => { ctx.body = {}; });
inner.use(more.routes()); app.use(require('koa-mount')('/mounted', inner));"""
HONO = """
import { Hono } from 'hono';
import { serve } from '@hono/node-server';
const books = new Hono();
books.get('/', (c) => c.json([])).get('/:id{[0-9]+}', (c) => c.json({ id: c.req.param('id') }));
const app = new Hono();
app.use('*', async (c, next) => { await next(); });
app.route('/books', books);
app.get('/shelves/:name?', (c) => c.json({}));
serve({ fetch: app.fetch, port: Number(process.env.PORT) });
"""
HAPI = """
const server = require('@hapi/hapi').server({ port: process.env.PORT, host: '127.0.0.1' });
server.route({ method: ['PUT', 'PATCH'], path: '/books/{id}/{part?}', handler: () => ({}) });
server.route({ method: '*', path: '/{any*}', handler: (request, h) => h.response({}).code(404) });
server.start();
"""
POLKA = """
const polka = require('polka');
const books = polka(); books.get('/:id', (req, res) => res.end('{}'));
polka().use('/books', books).post('/', (req, res) => res.end('{}')).listen(process.env.PORT);
"""
FEATHERS = """
const { feathers } = require('@feathersjs/feathers');
const { koa, rest, bodyParser, errorHandler } = require('@feathersjs/koa');
const app = koa(feathers());
app.use(errorHandler()).use(bodyParser()).configure(rest());
app.use('/books/', {
  options: { multi: ['remove'] },
  async find() { return []; }, async get(id) { return { id }; }, async create(data) { return data; },
  async patch(id, data) { return data; }, async remove(id) { return { id }; }, async borrow(data) { return data; },
}, { methods: ['find', 'get', 'create', 'remove', 'borrow'] });
app.use('shelves/:shelf/books', { async find({ route }) { return [route.shelf]; } });
app.listen(Number(process.env.PORT));
"""
CONNECT = """
const app = require('connect')();
app.use('/pass', (req, res, next) => next());
app.use('/books', (req, res) => res.end('{}'));
require('http').createServer(app).listen(process.env.PORT);
"""
OPENAPI_BACKEND = """
const { OpenAPIBackend } = require('openapi-backend');
const app = require('express')();
const operation = (operationId) => ({ operationId, responses: { 200: { description: 'ok' } } });
const api = new OpenAPIBackend({
  definition: {
    openapi: '3.0.3', info: { title: 'books', version: '1' }, servers: [{ url: 'http://localhost/api' }],
    paths: { '/books': { post: operation('add') }, '/books/{id}': {
      get: operation('get'), parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
    } },
  },
  handlers: {
    get: (context, req, res) => res.json({ id: context.request.params.id }),
    add: ({ request }, req, res) => res.json({ title: request.requestBody?.title ?? 'none' }),
    notFound: (context, req, res) => res.status(404).json({ error: 'not found' }),
  },
});
app.use(require('express').json());
app.use('/api', (req, res) => api.handleRequest({ ...req, path: req.path, method: req.method, query: req.query,
                                                  headers: req.headers, body: req.body }, req, res));
api.init().then(() => app.listen(process.env.PORT));
"""
RESTIFY = """
const server = require('restify').createServer();
server.get('/books/:id', (req, res, next) => { res.send({}); next(); });
server.del('/books/:id', (req, res, next) => { res.send(204); next(); });
server.listen(process.env.PORT);
"""
PLAIN = """
const http = require('http');
const send = (res, status, body) => res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const books = new Map([['b1', { title: 'One' }]]);
const todos = new Set();
const shelves = new Map([['left', {}]]);
const table = { 'GET /stats': (req, res) => send(res, 200, { books: books.size }) };
http.createServer((req, res) => {
  const { pathname } = new URL(req.url, 'http://localhost');
  const parts = pathname.split('/').filter(Boolean);
  if (req.method === 'GET' && pathname === '/books') return send(res, 200, [...books.keys()]);
  if (req.method === 'POST' && pathname === '/books') return send(res, 201, {});
  if (parts[0] === 'books' && parts.length === 2) {
    const book = books.get(parts[1]);
    if (!book) return send(res, 404, { error: 'no such book' });
    if (req.method === 'DELETE') return send(res, 204);
    return send(res, 200, { title: book.title });
  }
  if (parts[0] === 'authors' && parts[2] === 'books') return send(res, 200, []);
  if (/^\\/orders\\/(\\d+)$/.test(pathname)) return send(res, 200, { order: pathname });
  if (pathname.startsWith('/files/')) return send(res, 200, { file: pathname });
  const shelf = /^\\/shelves\\/(\\w+)\\/(\\w+)$/.exec(pathname);
  if (shelf) {
    if (!shelves.has(shelf[1])) return send(res, 404, { error: 'no such shelf' });
    if (`${req.method} ${shelf[2]}` === 'PUT label') return send(res, 200, {});
    return send(res, 405, { error: 'no such method' });
  }
  if (parts[0] === 'todos' && parts.length === 2 && todos.has(parts[1])) {
    if (req.method === 'GET') return send(res, 200, {});
    if (req.method === 'PATCH') return send(res, 200, {});
  }
  if (req.method === 'POST' && pathname === '/todos') return send(res, 201, { id: todos.add('t1') && 't1' });
  if (parts[0] === 'notes') return req.on('data', (part) => JSON.parse(part)).on('end', () => send(res, 422, {}));
  const handler = table[`${req.method} ${pathname}`];
  if (handler) return handler(req, res);
  switch (pathname) { case '/ping': return send(res, 200, {}); }
  return send(res, 404, { error: 'not found' });
}).listen(process.env.PORT);
"""
ROUTE_LIST = """
const http = require('http');
const routes = [];
function route(method, pattern, handler) {
  routes.push({ method, regex: new RegExp('^' + pattern.replace(/:[a-z]+/g, '([^/]+)') + '/?$'), handler });
}
for (const noun of ['books', 'authors', 'shelves', 'loans']) {
  route('GET', `/${noun}`, (req) => (req.headers['x-reader'] ? 200 : 401));
  route('POST', `/${noun}`, (req) => (req.headers['x-reader'] ? 201 : 401));
  route('PATCH', `/${noun}/:id`, (req) => (req.headers['x-reader'] ? 200 : 401));
}
http.createServer((req, res) => {
  const { pathname } = new URL(req.url, 'http://localhost');
  for (const { method, regex, handler } of routes) {
    if (method !== req.method || !regex.exec(pathname)) continue;
    res.writeHead(handler(req), { 'Content-Type': 'application/json' });
    return res.end('{}');
  }
  res.writeHead(404).end();
}).listen(process.env.PORT);
"""
APPS = {
    "express 5": ("new", "app.js", EXPRESS.replace("(PATTERN)", ""), EXPRESS_ROUTES),
    "express 4": ("old", "app.js", EXPRESS.replace("PATTERN", "\\\\d+"), EXPRESS_ROUTES),
    "fastify 5": ("new", "app.js", FASTIFY, ["GET /books", "GET /versions", "PUT /books/{id}"]),
    "fastify 4": ("old", "app.js", FASTIFY, ["GET /books", "GET /versions", "PUT /books/{id}"]),
    "koa 3": ("new", "app.js", KOA.replace("ROUTER", "@koa/router").replace("MOUNT", MOUNT),
              ["DELETE /forums/{forum}/posts/{post}", "GET /forums/{forum}/posts", "GET /mounted/hello"]),
    "koa 2": ("old", "app.js", KOA.replace("ROUTER", "koa-router").replace("MOUNT", ""),
              ["DELETE /forums/{forum}/posts/{post}", "GET /forums/{forum}/posts"]),
    "hono": ("new", "app.mjs", HONO, ["GET /books", "GET /books/{id}", "GET /shelves", "GET /shelves/{name}"]),
    "hapi": ("new", "app.js", HAPI, ["PATCH /books/{id}", "PATCH /books/{id}/{part}", "PUT /books/{id}",
                                     "PUT /books/{id}/{part}"]),
    "polka": ("new", "app.js", POLKA, ["GET /books/{id}", "POST /"]),
    "openapi-backend": ("new", "app.js", OPENAPI_BACKEND, ["GET /api/books/{id}", "POST /api/books"]),
    "feathers": ("new", "app.js", FEATHERS, [
        "DELETE /books", "DELETE /books/{id}", "GET /books", "GET /books/{id}", "GET /shelves/{shelf}/books",
        "POST /books"]),
    "connect": ("new", "app.js", CONNECT, ["DELETE /books", "GET /books", "PATCH /books", "POST /books", "PUT /books"]),
    "restify": ("old", "app.js", RESTIFY, ["DELETE /books/{id}", "GET /books/{id}"]),
    "plain http": ("new", "app.js", PLAIN, [
        "DELETE /books/{part2}", "GET /authors/{part2}/books", "GET /books", "GET /books/{part2}",
        "GET /files/{part1}", "GET /notes", "GET /orders/{part}", "GET /ping", "GET /stats", "GET /todos/{part2}",
        "PATCH /todos/{part2}", "POST /books", "POST /notes", "POST /todos", "PUT /shelves/{part}/label"]),
    "a list of routes": ("new", "app.js", ROUTE_LIST, sorted(
        route for noun in ("books", "authors", "shelves", "loans")
        for route in (f"GET /{noun}", f"POST /{noun}", f"PATCH /{noun}/{{part}}"))),
}  # fmt: skip


@pytest.fixture
def app(project, frameworks):
    """Runs wimble on an app with the packages of a folder."""
    for file in project.folder.iterdir():
        file.unlink()

    def run(packages, file, text, *options, max_calls=150):
        project.add(file, text)
        (project.folder / "node_modules").symlink_to(frameworks / packages / "node_modules")
        return project.run("--max-calls", str(max_calls), "--seed", "1", *options, "--", "node", file)

    return run


def operations(project):
    report = (project.folder / "wimble-out" / "junit.xml").read_text()
    return sorted(
        name for name in (part.split('"', 1)[0] for part in report.split('<testcase name="')[1:]) if " " in name
    )


@pytest.mark.parametrize("name", APPS)
def test_an_api_without_a_document(project, app, name):
    packages, file, text, expected = APPS[name]
    result = app(packages, file, text, "--format", "none")
    assert result.code in (0, 1), result.stderr + result.stdout
    found = operations(project)
    if name == "plain http":
        assert set(expected) <= set(found)
        assert len(found) <= len(expected) + 4, found
        assert [one for one in found if "/shelves/" in one] == ["PUT /shelves/{part}/label"]
    else:
        assert found == expected
    assert project.summary["schema"].startswith("routes of ")
    assert project.summary["operations"]["reached_2xx"] >= len(expected) - 1
    assert project.summary["routes"]["undocumented"] == []


def test_faults_and_tests_without_a_document(project, app):
    packages, file, text, _ = APPS["express 5"]
    result = app(packages, file, text, max_calls=1500)
    assert result.code == 1, result.stderr + result.stdout
    findings = project.summary["findings"]
    assert {(found["operation"], found["status"], found["cause"]["line"]) for found in findings} == {
        ("POST /api/books", 500, 8)
    }
    left = {one["path"]: (one["reason"], one["line"]) for one in project.summary["routes"]["left_out"]}
    assert left == {"/public": ("static files", 5), "POST /shutdown": ("it would stop the API", 14)}
    assert "left out of the search (it would stop the API): POST /shutdown (app.js:14)" in result.stderr
    assert project.run_suite().returncode == 0


TRPC = """import { serve } from '@hono/node-server';
import { trpcServer } from '@hono/trpc-server';
import { initTRPC, TRPCError } from '@trpc/server';
import { Hono } from 'hono';
import { z } from 'zod';
const t = initTRPC.create();
const router = t.router({
  books: t.router({
    byId: t.procedure.input(z.object({ id: z.string().regex(/^B-\\d{3}$/) })).query(({ input }) => {
      if (input.id > 'B-5') throw new TRPCError({ code: 'NOT_FOUND' });
      return input.id;
    }),
    add: t.procedure.input(z.object({ pages: z.number().min(1), tags: z.array(z.string()).nullable() })).mutation(
      ({ input }) => input.tags.length,
    ),
  }),
});
const app = new Hono();
app.use('/api/trpc/*', trpcServer({ router, endpoint: '/api/trpc' }));
serve({ fetch: app.fetch, port: Number(process.env.PORT) });
"""


def test_procedures_of_trpc(project, app):
    result = app("new", "app.mjs", TRPC, max_calls=300)
    assert result.code == 1, result.stderr + result.stdout
    assert operations(project) == ["GET /api/trpc/books.byId", "POST /api/trpc/books.add"]
    assert project.summary["operations"]["reached_2xx"] == 2
    (found,) = project.summary["findings"]
    assert (found["operation"], found["status"], found["cause"]["line"]) == ("POST /api/trpc/books.add", 500, 14)
    names = [test["name"] for test in project.summary["tests"]]
    assert any("books.byId answers 404" in name for name in names), names
    assert project.run_suite().returncode == 0


WITH_DOCUMENT = """
const express = require('express');
const app = express();
app.get('/openapi.json', (req, res) => res.json(require('./document.json')));
app.get('/authors', (req, res) => res.json({}));
app.get('/books/:id', (req, res) => res.json({}));
app.delete('/hidden', (req, res) => res.json({}));
app.listen(process.env.PORT);
"""


def test_routes_are_compared_with_the_document(project, app):
    answers = {"responses": {"200": {"description": "there"}}}
    paths = {"/books/{bookId}": {"get": answers}, "/authors": {"get": answers}, "/gone": {"get": answers}}
    document = {"openapi": "3.0.3", "info": {"title": "B", "version": "1"}, "paths": paths}
    project.add("document.json", json.dumps(document))
    result = app("new", "app.js", WITH_DOCUMENT)
    assert result.code in (0, 1), result.stderr
    routes = project.summary["routes"]
    assert routes["undocumented"] == [{"operation": "DELETE /hidden", "file": "app.js", "line": 7}]
    assert routes["unserved"] == ["GET /gone"]
    assert operations(project) == [
        "DELETE /hidden", "GET /authors", "GET /books/{bookId}", "GET /gone", "GET /openapi.json",
    ]  # fmt: skip
    assert any(test["name"].startswith("GET /openapi.json answers 200") for test in project.summary["tests"])
    assert "1 route is not in the document and joined the search: DELETE /hidden (app.js:7)" in result.stderr


def test_thousands_of_routes(project, frameworks, monkeypatch):
    text = """
const app = require('express')();
for (let n = 0; n < 5000; n++) app.get(`/r${n}/:id`, (req, res) => res.json({ n }));
app.listen(process.env.PORT);
"""
    project.add("app.js", text)
    (project.folder / "node_modules").symlink_to(frameworks / "new" / "node_modules")
    with project.search(monkeypatch, {}, ("node", "app.js"), max_calls=100) as events:
        (loaded,) = [event for event in events if isinstance(event, SpecificationLoaded)]
    assert (loaded.n_operations, loaded.source) == (5000, "routes of express")
