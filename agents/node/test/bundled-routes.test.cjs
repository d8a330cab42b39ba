'use strict';
/** Routes that the compiler of Nitro has written into a bundle: what is rewritten, and what is told of them. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { instrument } = require('../src/instrument/instrument.cjs');
const { takeRoutes } = require('../src/routes/found-routes.cjs');
const { FileProbes } = require('../src/runtime/probes/file-probes.cjs');
require('../src/routes/nitro-routes.cjs');

const ENTRY = '{ route: "/users/:id", handler: h, lazy: true, middleware: false, method: "get" }';

/** @param {string} text in the code of a bundler, which has no source of the user's */
function rewritten(text) {
  const map = { version: 3, sources: ['/app/node_modules/nitropack/dist/x.mjs'], names: [], mappings: 'AAAA' };
  const comment = Buffer.from(JSON.stringify(map)).toString('base64');
  const whole = `${text}\n//# sourceMappingURL=data:application/json;base64,${comment}\n`;
  return instrument(whole, { path: '/x.js', isModule: false });
}

/** @param {string} text of a function @param {object} given by name */
function run(text, given) {
  const { code, table } = rewritten(`function program(${Object.keys(given).join()}) {${text}\n}`);
  const probes = new FileProbes('/x.js', 1, JSON.parse(JSON.stringify(table)));
  probes.open(true);
  return new Function('__wimble_open__', `${code}; return program`)(() => probes)(...Object.values(given));
}

test('entries of the table are wrapped, and other objects are not', () => {
  assert.match(rewritten(`const handlers = [${ENTRY}];`).code, /\[\S+\.nr\(\{ route: "\/users\/:id".*\}\)\]/);
  const minified = '{route:"/a",handler:b,lazy:!0,middleware:!1,method:void 0}';
  assert.match(rewritten(`const a=[${minified}];`).code, /\.nr\(\{route:"\/a"/);
  for (const other of ['{ route: "/a", handler: b }', '{ route: a, handler: b, lazy: true, middleware: false }']) {
    assert.doesNotMatch(rewritten(`const a = [${other}];`).code, /\.nr\(/);
  }
});

test('routes are told with the path below which they are served, middleware is not', () => {
  const any = '{ route: "/files/**:path", handler: h, lazy: false, middleware: false, method: undefined }';
  const middleware = '{ route: "", handler: h, lazy: false, middleware: true, method: undefined }';
  const used = [];
  const app = { use: (...given) => used.push(given) };
  const config = { app: { baseURL: '/shop/' } };
  const text = `const r = [${ENTRY}, ${any}, ${middleware}]; a.use(c.app.baseURL, { h }.h); a.use(c.app.baseURL, r.handler); return r;`;
  const table = run(text, { a: app, c: config, h: 1 });
  assert.equal(table.length, 3);
  assert.deepEqual(used, [
    ['/shop/', 1],
    ['/shop/', undefined],
  ]);
  const told = takeRoutes().map(({ framework, methods, path }) => ({ framework, methods, path }));
  assert.deepEqual(told, [
    { framework: 'nitro', methods: ['GET'], path: [{ text: '/shop/' }, { text: '/users/:id' }] },
    { framework: 'nitro', methods: [], path: [{ text: '/shop/' }, { text: '/files/**:path' }] },
  ]);
});
