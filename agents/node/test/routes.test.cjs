'use strict';
/** The routes that frameworks have registered are told with their places, and nothing else about them changes. */

const { test } = require('node:test');
const assert = require('node:assert');
const { FakeCore } = require('./support/fake-core.cjs');

/** Runs a program, and returns its routes as `METHODS path:line`. */
async function routesOf(t, text, { file = 'app.cjs', evaluations = 0, others = {} } = {}) {
  const core = await FakeCore.start({ [file]: text, ...others });
  t.after(() => core.stop());
  core.run([file]);
  await core.listening();
  for (let seq = 1; seq <= evaluations; seq++) await core.evaluate(seq, ['GET /add']);
  const routes = core.peer.ofType('routes').flatMap((message) => message.routes);
  for (const route of routes) {
    assert.ok(route.file === '' || route.file === `${core.folder}/${file}`, route.file);
    assert.ok(route.port === null || route.port === core.port);
  }
  return { routes, shown: routes.map(shown), core };
}

function shown({ methods, path, line, is_mount: isMount, handler }) {
  const names = methods.length > 8 ? 'ALL' : methods.join(',');
  const text = path.map((part) => (part.is_regex ? `/${part.text}/` : part.text)).join(' + ');
  return `${isMount ? `mount of ${handler}` : names} ${text}:${line}`;
}

test('express: routers, mounts, applications in applications, regular expressions', async (t) => {
  const { shown: found } = await routesOf(
    t,
    `const express = require('express');
const app = express(); app.use(express.json());
app.use('/files', express.static('.'));
const users = express.Router();
users.get('/', (req, res) => res.json([]));
users.route('/:id').get((req, res) => res.json({})).delete((req, res) => res.end());
const v1 = express.Router(); v1.use('/users', users);
app.use(['/api', '/v1'], v1);
const admin = express(); admin.post('/stats', (req, res) => res.end());
app.use('/admin', admin);
const inner = express(); inner.get('/x', (req, res) => res.end()); v1.use('/inner', inner);
app.get(/^\\/re\\/(\\d+)$/, (req, res) => res.end());
app.all('/any', (req, res) => res.end());
app.listen(0);`,
  );
  assert.deepStrictEqual(found, [
    'mount of serveStatic /files:3',
    'GET /api + /users + /:5',
    'GET,DELETE /api + /users + /:id:6',
    'GET /api + /inner + /x:11',
    'GET /v1 + /users + /:5',
    'GET,DELETE /v1 + /users + /:id:6',
    'GET /v1 + /inner + /x:11',
    'POST /admin + /stats:9',
    'GET /^\\/re\\/(\\d+)$/:12',
    'ALL /any:13',
  ]);
});

test('routes that are registered late are told with the next result', async (t) => {
  const { shown: found } = await routesOf(
    t,
    `const app = require('express')();
app.get('/add', (req, res) => {
  app.get('/late', (req, res) => res.end());
  res.end();
});
app.listen(0);`,
    { evaluations: 2 },
  );
  assert.deepStrictEqual(found, ['GET /add:2', 'GET /late:3']);
});

/** What moleculer-web and its broker do with aliases: each gateway gets the methods of the schema, bound to itself. */
const GATEWAY = `exports.methods = {
  createAlias(route, path, action) {
    const [method, end] = path.includes(' ') ? path.split(' ') : ['*', path];
    return { route, method, path: end, fullPath: route.path + end, action };
  },
};`;

test('moleculer-web: aliases of its routes, with the path of the route before them', async (t) => {
  const text = `const schema = require('./lib/node_modules/moleculer-web/src');
const gateway = { server: require('http').createServer((req, res) => res.end()) };
const createAlias = schema.methods.createAlias.bind(gateway);
createAlias({ path: '/api' }, 'GET /books/:id', 'books.get');
createAlias({ path: '' }, '/health', 'node.health');
gateway.server.listen(0);`;
  const files = {
    'lib/node_modules/moleculer-web/src/index.js': GATEWAY,
    'lib/node_modules/moleculer-web/package.json': '{"name": "moleculer-web", "version": "0.10.8"}',
  };
  const { shown: found } = await routesOf(t, text, { others: files });
  assert.deepStrictEqual(found, ['GET /api/books/:id:4', ' /health:5']);
});

const VHOST = `module.exports = function vhost(hostname, handle) {
  return function vhost(req, res, next) {
    if (req.headers.host !== hostname) return next();
    handle(req, res, next);
  };
};`;

test('express: what the package vhost serves has its host', async (t) => {
  const text = `const express = require('express'); const vhost = require('./lib/node_modules/vhost');
const app = express(); const inner = express(); const router = express.Router();
inner.get('/b', (req, res) => res.end()); router.get('/c', (req, res) => res.end());
app.use(vhost('api.example.com', inner)); app.use('/v1', vhost('*.example.com', router));
app.get('/a', (req, res) => res.end());
app.use(vhost('end.example.com', (req, res) => res.end()));
app.listen(0);`;
  const { shown: found, routes } = await routesOf(t, text, { others: { 'lib/node_modules/vhost/index.js': VHOST } });
  assert.deepStrictEqual(found, ['GET /b:3', 'GET /v1 + /c:3', 'GET /a:5']);
  const hosts = routes.map(({ requires }) => requires.host);
  assert.deepStrictEqual(hosts, ['api.example.com', 'a.example.com', undefined]);
});

test('an application that a function of the program calls', async (t) => {
  const { shown: found, routes } = await routesOf(
    t,
    `const express = require('express');
const inner = express(); inner.get('/b', (req, res) => res.end());
const app = express(); app.get('/a', (req, res) => res.end()); app.use('/in', inner);
require('node:http').createServer((req, res) => app(req, res)).listen(0);`,
  );
  assert.deepStrictEqual(found, ['GET /a:3', 'GET /in + /b:2']);
  assert.deepStrictEqual([...new Set(routes.map(({ port }) => port))], [null]);
});

test('fastify: prefixes, constraints, no handler of unknown paths', async (t) => {
  const { shown: found, routes } = await routesOf(
    t,
    `const app = require('fastify')({ exposeHeadRoutes: false });
app.register(async (users) => {
  users.get('/:id(^\\\\d+$)', async () => ({}));
  users.setNotFoundHandler(async () => ({}));
}, { prefix: '/users' });
app.get('/v', { constraints: { version: '1.2.0' } }, async () => 1);
app.setNotFoundHandler(async () => ({}));
app.listen({ port: 0 });`,
  );
  assert.deepStrictEqual(found.sort(), ['GET /users/:id(^\\d+$):3', 'GET /v:6']);
  assert.deepStrictEqual(routes.find(({ path }) => path[0].text === '/v').requires, { 'accept-version': '1.2.0' });
});

test('connect-like servers: functions without `next` answer each request', async (t) => {
  const { shown: found } = await routesOf(
    t,
    `const app = require('express')();
app.use('/pass', function pass(req, res, next) { next(); });
app.use('/end', (req, res) => res.end());
app.listen(0);`,
  );
  assert.deepStrictEqual(found, ['mount of pass /pass:2', ' /end:3']);
});

test('ES modules are tapped as well', async (t) => {
  const { shown: found } = await routesOf(
    t,
    `import express, { Router } from 'express';
const app = express(); const router = Router();
router.put('/:id', (req, res) => res.end());
app.use('/things', router);
app.listen(0);`,
    { file: 'app.mjs' },
  );
  assert.deepStrictEqual(found, ['PUT /things + /:id:3']);
});

const INSPECTED = `
const express = require('express');
const Router = require('express').Router;
const app = express();
app.get('/a', (req, res) => res.end());
const prototype = Object.getPrototypeOf(app.router);
let stack = '';
try { app.use('/x', 5); } catch (error) { stack = error.stack; }
const seen = [
  ...['use', 'route'].map((name) => {
    const descriptor = Object.getOwnPropertyDescriptor(prototype, name) ?? Object.getOwnPropertyDescriptor(Object.getPrototypeOf(prototype), name);
    return descriptor && [descriptor.value.name, descriptor.value.length, String(descriptor.value), descriptor.enumerable, 'prototype' in descriptor.value];
  }),
  Object.keys(app.router.stack[0]), Object.keys(app).sort(), stack.match(/app.cjs:[0-9]+/g), stack.split(String.fromCharCode(10))[0],
];
app.get('/seen', (req, res) => res.json(seen));
const server = app.listen(0, () => console.log(JSON.stringify(seen) + '\\n' + server.address().port));
`;

test('the program cannot tell', async (t) => {
  const outputs = [];
  for (const agent of [true, false]) {
    const core = await FakeCore.start({ 'app.cjs': INSPECTED });
    t.after(() => core.stop());
    core.run(['app.cjs'], { agent });
    await Promise.race([core.exited, new Promise((resolve) => core.child.stdout.once('data', resolve))]);
    assert.notStrictEqual(core.output.stdout, '', core.output.stderr);
    outputs.push(core.output.stdout.split('\n')[0].replaceAll(core.folder, ''));
  }
  assert.strictEqual(outputs[0], outputs[1]);
});

test('loopback: the table that controllers are entered in, below the path of the server', async (t) => {
  const core = await FakeCore.start({
    // In the structure of @loopback/rest 12.
    'node_modules/@loopback/rest/package.json': '{"name": "@loopback/rest", "main": "dist/index.js"}',
    'node_modules/@loopback/rest/dist/router/routing-table.js': `
class RoutingTable { registerRoute(route) { this.last = route; } }
exports.RoutingTable = RoutingTable;`,
    'node_modules/@loopback/rest/dist/http-handler.js': `
const { RoutingTable } = require('./router/routing-table');
class HttpHandler {
  constructor(config) { this._serverConfig = config; this._routes = new RoutingTable(); }
  registerRoute(route) { this._routes.registerRoute(route); }
}
exports.HttpHandler = HttpHandler;`,
    'node_modules/@loopback/rest/dist/index.js': `exports.HttpHandler = require('./http-handler').HttpHandler;`,
    'app.cjs': `const { HttpHandler } = require('@loopback/rest');
const handler = new HttpHandler({ basePath: '/api' });
handler.registerRoute({ verb: 'get', path: '/todos/{id}' });
require('http').createServer((req, res) => res.end()).listen(0);`,
  });
  t.after(() => core.stop());
  core.run(['app.cjs']);
  await core.listening();
  const routes = core.peer.ofType('routes').flatMap((message) => message.routes);
  assert.deepStrictEqual(routes.map(shown), ['GET /api/todos/{id}:3']);
  assert.strictEqual(routes[0].framework, 'loopback');
});

/** In the structure of openapi-backend 5. */
const OPENAPI_BACKEND = {
  'node_modules/openapi-backend/package.json': '{"name": "openapi-backend", "main": "index.js"}',
  'node_modules/openapi-backend/backend.js': `
class OpenAPIBackend {
  constructor({ definition, apiRoot = '/' }) { this.inputDocument = definition; this.apiRoot = apiRoot; }
  async init() { await null; this.definition = this.inputDocument; this.registerHandler('list', () => {}); }
  registerHandler(id, handler) { this.handlers = { [id]: handler }; }
  async handleRequest(request, ...more) { return request.path + more.length; }
}
exports.OpenAPIBackend = OpenAPIBackend;`,
  'node_modules/openapi-backend/index.js': `exports.OpenAPIBackend = require('./backend').OpenAPIBackend;`,
};

for (const [options, prefix] of [
  [{}, ''],
  [{ apiRoot: '/root/' }, '/root'],
  [{ servers: [{ url: 'https://example.com/v1/' }] }, '/v1'],
  [{ servers: [{ url: '/v2' }], apiRoot: '/root' }, '/root'],
  [{ servers: [{ url: 'http://localhost:{port}/v3' }] }, ''],
]) {
  test(`openapi-backend: the operations of its document, ${JSON.stringify(options)}`, async (t) => {
    const { servers, ...more } = options;
    const paths = {
      '/pets': { get: {}, post: {}, summary: 'all' },
      '/pets/{id}': { delete: {}, parameters: [] },
      'x-y': { get: {} },
    };
    const core = await FakeCore.start({
      ...OPENAPI_BACKEND,
      'app.cjs': `const { OpenAPIBackend } = require('openapi-backend');
const api = new OpenAPIBackend(${JSON.stringify({ definition: { servers, paths }, ...more })});
api.init().then(() => require('http').createServer((req, res) => res.end()).listen(0));`,
    });
    t.after(() => core.stop());
    core.run(['app.cjs']);
    await core.listening();
    const routes = core.peer.ofType('routes').flatMap((message) => message.routes);
    assert.deepStrictEqual(routes.map(shown), [
      `GET ${prefix}/pets:3`,
      `POST ${prefix}/pets:3`,
      `DELETE ${prefix}/pets/{id}:3`,
    ]);
    assert.ok(routes.every(({ framework }) => framework === 'openapi-backend'));
  });
}

test('openapi-backend: below the path of the function that hands requests on', async (t) => {
  const core = await FakeCore.start({
    ...OPENAPI_BACKEND,
    'app.cjs': `const { OpenAPIBackend } = require('openapi-backend');
const paths = { '/pets/{id}': { get: {} } };
const made = (apiRoot) => new OpenAPIBackend({ definition: { paths }, apiRoot });
const [first, second, third, fourth] = [made('/'), made('/in'), made('/'), made('/')];
const at = { get path() { return '/pets/1'; } };
const request = (baseUrl, params) =>
  Object.defineProperties({ baseUrl, params, originalUrl: baseUrl + '/pets/1' }, Object.getOwnPropertyDescriptors(at));
Promise.all([first, second, third, fourth].map((one) => one.init())).then(async () => {
  for (const one of [request('/a', {}), request('/b', {}), request('/a', {})]) {
    const answer = await first.handleRequest(one, one, {});
    if (answer !== '/pets/12') throw new Error(answer);
  }
  const { path } = request('/c');
  await second.handleRequest({ path, method: 'GET' }, request('/c', {}), {});
  await third.handleRequest({ path: '/d/pets/1', method: 'GET' }, request('/d', {}), {});
  await fourth.handleRequest(request('/e5', { version: 'e5' }));
  require('http').createServer((req, res) => res.end()).listen(0);
});`,
  });
  t.after(() => core.stop());
  core.run(['app.cjs']);
  await core.listening();
  const routes = core.peer.ofType('routes').flatMap((message) => message.routes);
  const told = new Set(routes.map((route) => route.path.map(({ text }) => text).join('|')));
  assert.deepStrictEqual([...told].sort(), ['/a|/pets/{id}', '/b|/pets/{id}', '/c/in|/pets/{id}', '/pets/{id}']);
});
