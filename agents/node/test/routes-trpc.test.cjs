'use strict';
/** Procedures of tRPC are routes below the path at which an adapter's function is mounted, and the program cannot tell. */

const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');
const assert = require('node:assert');
const { FakeCore } = require('./support/fake-core.cjs');

const MODULES = path.join(__dirname, '..', 'node_modules');

const ROUTER = `
const t = initTRPC.create();
const any = (value) => value;
const router = t.router({
  health: t.procedure.query(() => 'ok'),
  books: t.router({
    byId: t.procedure.input(any).query(({ input }) => input),
    add: t.procedure.input(any).mutation(({ input }) => input),
    'odd:name': t.procedure.mutation(() => 1),
    changes: t.procedure.subscription(() => null),
  }),
});
`;
const REQUIRED = `const { initTRPC } = require('@trpc/server'); ${ROUTER}`;
const LISTEN = { express: 'app.listen(0);', fastify: 'app.listen({ port: 0 });' };
const EXPRESS = `
const app = require('express')();
app.use('/api', require('express').Router().use('/trpc', createExpressMiddleware({ router })));
${LISTEN.express}`;

/** Runs a program with version 10 or 11, and returns its core. */
async function running(t, version, text, file = 'app.cjs', options = {}) {
  const core = await FakeCore.start({ [`in/${file}`]: text });
  t.after(() => core.stop());
  const installed = path.join(core.folder, 'in/node_modules/@trpc/server');
  fs.cpSync(path.join(MODULES, version === 10 ? 'trpc10' : '@trpc/server'), installed, { recursive: true });
  core.run([`in/${file}`], options);
  return core;
}

async function routesOf(t, version, text, file) {
  const core = await running(t, version, text, file);
  await core.listening();
  const routes = core.peer.ofType('routes').flatMap((message) => message.routes);
  for (const route of routes) assert.ok(route.port === null || route.port === core.port);
  const shown = routes.map(({ methods, path: parts, line, procedure, ...route }) => {
    assert.strictEqual(route.file, `${core.folder}/in/${file ?? 'app.cjs'}`);
    const { kind, input } = procedure;
    return `${methods.join()} ${parts.map((part) => part.text).join(' + ')}:${line} ${kind} ${input}`;
  });
  return { shown, routes };
}

/** What is expected of the router below a path. */
const below = (base) => [
  `GET ${base}/health:5 query none`,
  `GET ${base}/books.byId:7 query json`,
  `POST ${base}/books.add:8 mutation json`,
  `POST ${base}/books.odd\\:name:9 mutation none`,
  `GET ${base}/books.changes:10 subscription none`,
];

for (const version of [10, 11]) {
  test(`version ${version}: mounted in Express`, async (t) => {
    const adapter = "const { createExpressMiddleware } = require('@trpc/server/adapters/express');";
    const { shown, routes } = await routesOf(t, version, REQUIRED + adapter + EXPRESS);
    assert.deepStrictEqual(shown, below('/api + /trpc + '));
    assert.ok(routes.every(({ framework, port }) => framework === 'express' && port !== null));
  });

  test(`version ${version}: mounted in Express, as ES modules`, async (t) => {
    const imports =
      "import { initTRPC } from '@trpc/server'; import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
    const adapter = "import { createExpressMiddleware } from '@trpc/server/adapters/express';";
    const { shown } = await routesOf(t, version, imports + ROUTER + adapter + EXPRESS, 'app.mjs');
    assert.deepStrictEqual(shown, below('/api + /trpc + '));
  });

  test(`version ${version}: the plugin of Fastify, below prefixes`, async (t) => {
    const { shown } = await routesOf(
      t,
      version,
      `${REQUIRED}
const { fastifyTRPCPlugin } = require('@trpc/server/adapters/fastify');
const app = require('fastify')();
app.register(async (v1) => { v1.register(fastifyTRPCPlugin, { prefix: '/trpc', trpcOptions: { router } }); }, { prefix: '/v1' });
${LISTEN.fastify}`,
    );
    assert.deepStrictEqual(shown, below('/v1/trpc + '));
  });

  test(`version ${version}: the listener of a server, called by a function of the program or not`, async (t) => {
    const listening = (listener) => `${REQUIRED}
const { createHTTPHandler } = require('@trpc/server/adapters/standalone');
const handler = createHTTPHandler({ router });
require('node:http').createServer(${listener}).listen(0);`;
    const direct = await routesOf(t, version, listening('handler'));
    assert.deepStrictEqual(direct.shown, below(''));
    assert.ok(direct.routes.every(({ framework, port }) => framework === 'trpc' && port !== null));
    const called = await routesOf(t, version, listening('(req, res) => handler(req, res)'));
    assert.deepStrictEqual(called.shown, below(''));
  });
}

test('the path of a standalone server', async (t) => {
  const { shown } = await routesOf(
    t,
    11,
    `${REQUIRED}
require('@trpc/server/adapters/standalone').createHTTPServer({ router, basePath: '/trpc/' }).listen(0);`,
  );
  assert.deepStrictEqual(shown, below('/trpc + '));
});

test('the Fetch adapter tells its path with the first request', async (t) => {
  const core = await running(
    t,
    11,
    `${REQUIRED}
const { fetchRequestHandler } = require('@trpc/server/adapters/fetch');
require('node:http').createServer(async (req, res) => {
  const answer = await fetchRequestHandler({ endpoint: '/trpc', router, req: new Request('http://x' + req.url) });
  res.end(await answer.text());
}).listen(0);`,
  );
  await core.listening();
  assert.deepStrictEqual(core.peer.ofType('routes'), []);
  await core.evaluate(1, ['GET /trpc/health']);
  const paths = core.peer.ofType('routes').flatMap(({ routes }) => routes.map((route) => route.path));
  assert.deepStrictEqual(paths[0], [{ text: '/trpc' }, { text: '/health' }]);
  assert.strictEqual(paths.length, 5);
});

test('an input that superjson transforms', async (t) => {
  const transformer = `class SuperJSON {
  static serialize(value) { return { json: value }; }
  static deserialize({ json }) { return json; }
  static registerCustom() {}
}\n`;
  const { routes } = await routesOf(
    t,
    11,
    `${transformer}${REQUIRED.replace('create()', 'create({ transformer: SuperJSON })')}
require('@trpc/server/adapters/standalone').createHTTPServer({ router }).listen(0);`,
  );
  assert.deepStrictEqual(routes[1].procedure, { kind: 'query', input: 'superjson' });
});

const INSPECTED = `${REQUIRED}
const { createExpressMiddleware } = require('@trpc/server/adapters/express');
const { createHTTPHandler } = require('@trpc/server/adapters/standalone');
const { fastifyTRPCPlugin } = require('@trpc/server/adapters/fastify');
const { fetchRequestHandler } = require('@trpc/server/adapters/fetch');
const functions = [createExpressMiddleware, createExpressMiddleware({ router }), createHTTPHandler, createHTTPHandler({ router }), fastifyTRPCPlugin, fetchRequestHandler];
let stack = '';
try { createExpressMiddleware({ get router() { throw new Error('read'); } }); } catch (error) { stack = String(error.stack); }
const seen = [functions.map((f) => [f.name, f.length, String(f), Object.getOwnPropertyNames(f)]), stack, Object.keys(globalThis)];
console.log(JSON.stringify(seen));
require('node:http').createServer().listen(0);
`;

for (const version of [10, 11]) {
  test(`version ${version}: the program cannot tell`, async (t) => {
    const outputs = [];
    for (const agent of [true, false]) {
      const core = await running(t, version, INSPECTED, 'app.cjs', { agent });
      await Promise.race([core.exited, new Promise((resolve) => core.child.stdout.once('data', resolve))]);
      assert.notStrictEqual(core.output.stdout, '', core.output.stderr);
      outputs.push(core.output.stdout.replaceAll(core.folder, ''));
    }
    assert.strictEqual(outputs[0], outputs[1]);
  });
}
