'use strict';
/** What is thrown in a handler is told with place and message, whatever framework catches it. */
const { test } = require('node:test');
const assert = require('node:assert');
const { mkdirSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { FakeCore } = require('./support/fake-core.cjs');

const BODY = `
  const user = null;
  return user.name;
`;

const APPS = {
  'express, async handler': [
    'app.cjs',
    `const app = require('express')(); app.get('/', async () => {${BODY}}); app.listen(0);`,
  ],
  'express, error middleware of a library': [
    'app.cjs',
    `const app = require('express')(); app.get('/', () => {${BODY}}); app.use(Object.assign((a, b, c, d) => c.status(500).end(), {})); app.listen(0);`,
    { isMessageUnknown: true },
  ],
  'express, error middleware of the user': [
    'app.cjs',
    `const app = require('express')(); app.get('/', () => {${BODY}}); app.use((err, req, res, next) => res.status(500).json({})); app.listen(0);`,
  ],
  koa: [
    'app.cjs',
    `const Koa = require('koa'); const app = new Koa({}); app.silent = true; app.use(async () => {${BODY}}); app.listen(0);`,
  ],
  fastify: [
    'app.cjs',
    `const app = require('fastify')(); app.get('/', async () => {${BODY}}); app.listen({ port: 0 });`,
  ],
  'fastify, ES module': [
    'app.mjs',
    `import fastify from 'fastify'; const app = fastify(); app.get('/', async () => {${BODY}}); await app.listen({ port: 0 });`,
  ],
  'express, ES module': [
    'app.mjs',
    `import express from 'express'; const app = express(); app.get('/', () => {${BODY}}); app.listen(0);`,
  ],
  'hono, async handler': [
    'app.mjs',
    `import { Hono } from 'hono'; import { serve } from '@hono/node-server'; const app = new Hono(); app.get('/', async () => {${BODY}}); serve({ fetch: app.fetch, port: 0 });`,
  ],
  'hono, CommonJS, handler behind middleware': [
    'app.cjs',
    `const { Hono } = require('hono'); const app = new Hono(); app.use(async (c, next) => next()); app.get('/', () => {${BODY}}); require('@hono/node-server').serve({ fetch: app.fetch, port: 0 });`,
  ],
  'plain http that catches': [
    'app.cjs',
    `require('http').createServer((req, res) => { try { (() => {${BODY}})(); } catch (e) { res.statusCode = 500; res.end('x'.repeat(3)); } }).listen(0);`,
  ],
};

for (const [name, [file, text, { isMessageUnknown = false } = {}]] of Object.entries(APPS)) {
  test(name, async () => {
    const core = await FakeCore.start({ [file]: text });
    try {
      core.run([file], { env: { NODE_ENV: 'test' } });
      await core.listening();
      const { result, answers } = await core.evaluate(1, ['GET /']);
      assert.strictEqual(answers[0].status, 500);
      const [cause] = result.causes;
      assert.deepStrictEqual([cause.file, cause.line], [`${core.folder}/${file}`, 3]);
      if (!isMessageUnknown) {
        assert.strictEqual(cause.message, "TypeError: Cannot read properties of null (reading 'name')");
      }
    } finally {
      await core.stop();
    }
  });
}

/** Of what Nest has up to version 11, and from version 12 on. */
const CAUGHT_BY_NEST = {
  commonjs: 'exports.ExceptionsHandler = class',
  module: 'export class ExceptionsHandler',
};
const CATCHING = ` {
  next(error, res) { res.statusCode = 500; res.end('{}'); }
  run(handler, res) { try { handler(); } catch (error) { this.next(error, res); } }
};`;

for (const type of ['commonjs', 'module']) {
  test(`what Nest catches, as a package of type ${type}`, async () => {
    const path = 'exceptions/exceptions-handler.js';
    const core = await FakeCore.start({
      'app.mjs': `import { createServer } from 'node:http'; import * as all from '@nestjs/core/${path}';
        const nest = new (all.default ?? all).ExceptionsHandler();
        createServer((req, res) => nest.run(() => {${BODY}}, res)).listen(0);`,
    });
    try {
      const folder = join(core.folder, 'node_modules');
      rmSync(folder);
      mkdirSync(join(folder, '@nestjs/core/exceptions'), { recursive: true });
      writeFileSync(join(folder, '@nestjs/core/package.json'), JSON.stringify({ name: '@nestjs/core', type }));
      writeFileSync(join(folder, '@nestjs/core', path), CAUGHT_BY_NEST[type] + CATCHING);
      core.run(['app.mjs'], { env: { NODE_ENV: 'test' } });
      await core.listening();
      const { result } = await core.evaluate(1, ['GET /']);
      const [cause] = result.causes;
      assert.strictEqual(cause.message, "TypeError: Cannot read properties of null (reading 'name')");
    } finally {
      await core.stop();
    }
  });
}

test('what middleware of a package passes on before a statement of the program runs has no line there', async () => {
  const core = await FakeCore.start({
    'parts/node_modules/uploads/index.js': `exports.single = (req, res, next) => next(new Error('Unexpected field'));`,
    'app.cjs': `const app = require('express')(); const { single } = require('./parts/node_modules/uploads');
      app.put('/', single, (req, res) => { res.end(); });
      app.use((err, req, res, next) => {
        res.status(500).json({ message: err.message });
      });
      app.listen(0);`,
  });
  try {
    core.run(['app.cjs'], { env: { NODE_ENV: 'test' } });
    await core.listening();
    const { result } = await core.evaluate(1, ['PUT /']);
    const [cause] = result.causes;
    assert.deepStrictEqual([cause.file, cause.line, cause.message], ['', 0, 'Error: Unexpected field']);
    assert.match(cause.stack, /node_modules\/uploads\/index\.js:1/);
  } finally {
    await core.stop();
  }
});

test('what a handler of fastify throws after it has hijacked its reply', async () => {
  const app = 'app.cjs';
  const handler = `async (request, reply) => { reply.hijack(); setTimeout(() => reply.raw.end('late'), 20); ${BODY}}`;
  const text = `const app = require('fastify')(); app.get('/', ${handler}); app.listen({ port: 0 });`;
  const core = await FakeCore.start({ [app]: text });
  try {
    core.run([app], { env: { NODE_ENV: 'test' } });
    await core.listening();
    const { result, answers } = await core.evaluate(1, ['GET /']);
    assert.strictEqual(answers[0].status, 200);
    const [cause] = result.causes;
    assert.deepStrictEqual(
      [cause.line, cause.message],
      [3, "TypeError: Cannot read properties of null (reading 'name')"],
    );
  } finally {
    await core.stop();
  }
});

const BOOM = `exports.boomify = function (error) { error.isBoom = true; return error; };
exports.badImplementation = function (message) { return exports.boomify(message instanceof Error ? message : new Error(message)); };`;
const CLASS_BOOM = `module.exports = class Boom { static boomify(error) { return error; }
  static badImplementation(message) { return message instanceof Error ? message : new Error(message); } };`;
/** As hapi's toolkit: programming errors and others become answers that hide their messages. */
const HAPI = (/** @type {string} */ name) => `const Boom = require('${name}');
exports.serve = (handler) => require('http').createServer(async (req, res) => {
  try { await handler(req); } catch (error) {
    error instanceof TypeError ? Boom.badImplementation(error) : Boom.boomify(error);
    res.statusCode = 500;
  }
  res.end('{"message":"An internal server error occurred"}');
}).listen(0);`;

for (const [name, boom] of [
  ['@hapi/boom', BOOM],
  ['boom', CLASS_BOOM],
]) {
  test(`hapi with ${name}`, async () => {
    const core = await FakeCore.start({
      [`api/node_modules/${name}/package.json`]: '{"main":"lib/index.js"}',
      [`api/node_modules/${name}/lib/index.js`]: boom,
      'api/node_modules/hapi/index.js': HAPI(name),
      'api/app.cjs': `require('hapi').serve(async () => {${BODY}});`,
    });
    try {
      core.run(['api/app.cjs']);
      await core.listening();
      const { result } = await core.evaluate(1, ['GET /']);
      const [cause] = result.causes;
      assert.deepStrictEqual([cause.file, cause.line], [`${core.folder}/api/app.cjs`, 3]);
      assert.strictEqual(cause.message, "TypeError: Cannot read properties of null (reading 'name')");
    } finally {
      await core.stop();
    }
  });
}

/** As hapi's package: it compares the scopes of a route with those of the credentials. */
const HAPI_AUTH = `module.exports = class Auth {
  constructor(settings) { this.settings = settings; }
  _access(request) {
    const { access } = request.route.settings.auth || this.settings.default;
    for (const { scope } of access) {
      const held = [].concat(request.auth.credentials.scope);
      if ([...(scope.selection || []), ...(scope.required || [])].some((one) => held.includes(one))) return true;
    }
    throw new Error('Insufficient scope');
  }
};`;

test('scopes that hapi asks of users are told', async () => {
  const scopes = `{
  '/staff': { scope: ['nurse', 'xq1zk'] }, '/gone': { id: 1 }, '/default': { scope: 'nurse' }, '/in': { scope: ['doctor'] },
}`;
  const core = await FakeCore.start({
    'node_modules/@hapi/hapi/package.json': '{"name":"@hapi/hapi","main":"lib/auth.js"}',
    'node_modules/@hapi/hapi/lib/auth.js': HAPI_AUTH,
    'app.cjs': `const Auth = require('@hapi/hapi');
const auth = new Auth({ default: { access: [{ scope: { required: ['own-{params.id}'] } }] } });
const users = ${scopes};
require('http').createServer((req, res) => {
  const settings = req.url === '/default' ? {} : { auth: { access: [{ scope: { selection: ['doctor'] } }] } };
  const credentials = users[req.url];
  try { auth._access({ params: { id: 'a7' }, route: { settings }, auth: { credentials } }); } catch (error) {
    res.statusCode = error.stack.includes('/src/') ? 500 : 403;
  }
  res.end();
}).listen(0);`,
  });
  try {
    core.run(['app.cjs']);
    await core.listening();
    const { answers, result } = await core.evaluate(1, ['GET /staff', 'GET /gone', 'GET /default', 'GET /in']);
    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      [403, 403, 403, 200],
    );
    const told = result.hints
      .filter(({ kind, right }) => kind === 'comparison' && ['doctor', 'own-a7'].includes(right))
      .map(({ call, left, right, wanted, name }) => [call, left, right, wanted, name]);
    assert.deepStrictEqual(told, [
      [0, 'xq1zk', 'doctor', true, 'credentials.scope'],
      [0, 'nurse', 'doctor', true, 'credentials.scope'],
      [2, 'nurse', 'own-a7', true, 'credentials.scope'],
    ]);
    const [read] = result.hints.filter(({ kind, path }) => kind === 'input' && path[0] === 'scope');
    assert.deepStrictEqual([read.call, read.held], [1, { id: 1 }]);
  } finally {
    await core.stop();
  }
});

/** As the package `accepts`, which Express and Koa ask. */
const ACCEPTS = `module.exports = Accepts;
function Accepts(req) {
  if (!(this instanceof Accepts)) return new Accepts(req);
  this.headers = req.headers;
}
Accepts.prototype.type = Accepts.prototype.types = function (types) {
  const all = Array.isArray(types) ? types : [...arguments];
  return all.find((one) => this.headers.accept.endsWith(one)) || false;
};`;

test('media types among which the program chooses are told', async () => {
  const core = await FakeCore.start({
    'node_modules/accepts/package.json': '{"name":"accepts"}',
    'node_modules/accepts/index.js': ACCEPTS,
    'app.cjs': `const accepts = require('accepts');
require('http').createServer((req, res) => {
  const [path, asked] = req.url.split('?');
  const accept = accepts({ headers: { accept: asked } });
  const type = path === '/list' ? accept.types(['application/rss+xml', 'text/*', 'json']) : accept.type('html', 'x');
  res.statusCode = type ? 200 : 406;
  res.end();
}).listen(0);`,
  });
  try {
    core.run(['app.cjs']);
    await core.listening();
    const { answers, result } = await core.evaluate(1, ['GET /list?*/*', 'GET /list?application/json', 'GET /?xq1zk']);
    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      [406, 200, 406],
    );
    assert.deepStrictEqual(
      result.hints
        .filter(({ right }) => String(right).includes('/') && !String(right).startsWith('/'))
        .map(({ call, left, right }) => [call, left, right]),
      [
        [0, '*/*', 'application/rss+xml'],
        [0, '*/*', 'application/json'],
        [1, 'application/json', 'application/rss+xml'],
        [2, 'xq1zk', 'text/html'],
      ],
    );
  } finally {
    await core.stop();
  }
});
