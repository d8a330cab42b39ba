'use strict';
/** An error of a command is attributed to the function that wrote the command, not to a helper that hands it on. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { instrument } = require('../src/instrument/instrument.cjs');
const { firstOwnFrame } = require('../src/base/error-stacks.cjs');
const { Causes } = require('../src/runtime/errors/error-causes.cjs');
const { handedOn, takeCommandCaller } = require('../src/runtime/errors/handed-on-commands.cjs');
const { relay } = require('../src/runtime/errors/handed-on-answers.cjs');
const { newRecord, recorder } = require('../src/runtime/calls/recorder.cjs');
const { Files } = require('../src/runtime/process/instrumented-files.cjs');
const { FakeCore } = require('./support/fake-core.cjs');

/** @param {string} text @returns {number[] | undefined} */
function relays(text) {
  return instrument(text, { path: '/x.js', isModule: false }).table.relays?.map(([, line]) => line);
}

const CASES = [
  ['async function rows(sql, values) {\n  return (await pool.query(sql, values)).rows;\n}', [2]],
  ['const row = async (text) => (await rows(text))[0];', [1]],
  ['class Db { run(...args) { return this.client.execute(...args); } }', [1]],
  ['function run(query) {\n  return withClient((client) =>\n    client.query({ text: query }));\n}', [3]],
  ["function users(name) { return pool.query('SELECT 1', [name]); }", undefined],
  ['function byId(id) { return repository.get(id); }', undefined],
  ['function parse(text) { return JSON.parse(text); }', undefined],
  ["function search(q) { return pool.query(`SELECT '${q}'`); }", undefined],
];

const ANSWERS = [
  ['const send = (res, status, body) => res.status(status).json(body);', [1]],
  ["function send(res, body) {\n  res.writeHead(200);\n  res.end(body ? JSON.stringify(body) : '');\n}", [3]],
  ['class Base { ok(ctx, data) { ctx.body = { data }; } }', [1]],
  ['const fail = (reply, message) => send(reply, 400, { error: message });', [1]],
  ['const list = (req, res) => res.json(orders);', undefined],
  ['find().then((row) => res.json(row));', undefined],
  ['function show(res, order) { res.json({ id: order.id }); }', undefined],
  ['const handler = (req, res) => service(req, res);', undefined],
];

for (const [text, expected] of [...CASES, ...ANSWERS]) test(text, () => assert.deepEqual(relays(text), expected));

test('a function that hands on a command keeps the statement that is running, before its own', () => {
  const code = (/** @type {string} */ text) => instrument(text, { path: '/x.js', isModule: false }).code;
  assert.match(code('const run = (sql) => pool.query(sql);'), /=> \(\$wmb\.rc\(\),\$wmb\.r\(/);
  assert.match(code('function run(sql) { return pool.query(sql); }'), /\{\$wmb\.rc\(\);/);
  assert.doesNotMatch(code('function run(id) { return pool.query(id); }'), /rc\(/);
});

const HELPERS = `const rows = async (sql, values) =>
  (await pool.query(sql, values)).rows;
const row = (sql, values) => rows(sql, values)
  .then((found) => found[0]);
const id = (value) => {
  return value;
};
const byName = (name) =>
  row('SELECT 1', [id(name)]);`;

test('the caller of helpers is the statement that runs where the first of them begins', () => {
  const files = new Files();
  const { code, table } = instrument(HELPERS, { path: '/app/a.js', isModule: false });
  const { probes } = files.register('/app/a.js', 'h', JSON.stringify(table));
  const body = code.replace(/const \$wmb=.*?;/, '');
  const pool = { query: async () => ({ rows: [1] }) };
  const byName = new Function('$wmb', 'pool', `${body}\nreturn byName;`)(probes, pool);
  recorder.record = newRecord(3, null, null, 0);
  relay.isRelay = (file, line) => files.isRelay(file, line);
  handedOn.callingPlace = (stamp) => files.callingPlace(stamp);
  handedOn.isWanted = true;
  byName('Ann');
  handedOn.isWanted = false;
  assert.deepEqual(takeCommandCaller(3), { file: '/app/a.js', line: 9 });
  assert.equal(takeCommandCaller(3), null);
  recorder.record = null;
});

const STACK =
  'error: syntax error\n    at /p/node_modules/pg/x.js:1:1\n    at async rows (/p/db.js:7:28)\n    at /p/a.js:17:28';
const isOwn = (/** @type {string} */ path) => !path.includes('node_modules');

test('the first frame that is no relay is the place', () => {
  const isRelay = (/** @type {string} */ path, /** @type {number} */ line) => path === '/p/db.js' && line === 7;
  assert.deepEqual(firstOwnFrame(STACK, isOwn), { file: '/p/db.js', line: 7 });
  assert.deepEqual(firstOwnFrame(STACK, isOwn, isRelay), { file: '/p/a.js', line: 17 });
  assert.deepEqual(
    firstOwnFrame(STACK, isOwn, () => true),
    { file: '/p/db.js', line: 7 },
  );
});

test('where helpers alone are in the stack of an error, its place is in the resolver of its field', () => {
  const files = { isSource: isOwn, isRelay: (/** @type {string} */ path) => path === '/p/db.js', isNext: () => false };
  const causes = new Causes(/** @type {any} */ ({ ...files, originalPlace: () => null }), isOwn);
  const resolver = { file: '/p/resolvers.js', line: 4 };
  const at = (/** @type {string} */ stack) => {
    const error = Object.assign(new Error(), { stack });
    return causes.ofLocated(0, { path: 'film', error, place: null, resolver, isOfValue: false });
  };
  const alone = at(STACK.slice(0, STACK.lastIndexOf('\n')));
  assert.deepEqual([alone.file, alone.line], ['/p/resolvers.js', 4]);
  assert.ok(alone.stack.endsWith('/p/db.js:7:28)\n    at /p/resolvers.js:4'), 'the core finds the place in the stack');
  const called = at(STACK);
  assert.deepEqual([called.file, called.line, called.stack], ['/p/a.js', 17, STACK]);
});

const MADE_ONCE =
  'not_found: missing\n    at Object.<anonymous> (/p/node_modules/store/index.js:481:19)\n' +
  '    at Module._compile (node:internal/modules/cjs/loader:1521:14)\n' +
  '    at require (node:internal/modules/helpers:182:18)\n    at Object.<anonymous> (/p/app.js:1:78)\n' +
  '    at Module._compile (node:internal/modules/cjs/loader:1521:14)';
const MADE_ONCE_IN_A_MODULE =
  'Error: missing\n    at file:///p/app.mjs:1:78\n    at ModuleJob.run (node:internal/modules/esm/module_job:222:25)';

test('an error that was made while a module was loaded has no place in a call', () => {
  const never = () => false;
  assert.deepEqual(firstOwnFrame(MADE_ONCE, isOwn), { file: '/p/app.js', line: 1 });
  assert.equal(firstOwnFrame(MADE_ONCE, isOwn, never, true), null);
  assert.equal(firstOwnFrame(MADE_ONCE_IN_A_MODULE, isOwn, never, true), null);
  const inCall = MADE_ONCE + '\n    at handler (/p/routes.js:5:3)';
  assert.deepEqual(firstOwnFrame(inCall, isOwn, never, true), { file: '/p/routes.js', line: 5 });
});

const NEXTS = [
  ['async function log(ctx, next) {\n  try {\n    await next();\n  } catch (e) {\n    throw e;\n  }\n}', [3]],
  ['app.use((req, res, next) => next());', [1]],
  ['const all = async (next, ctx) => {\n  await next();\n};', undefined],
  ['function run(next) {\n  return jobs.next();\n}', undefined],
];
for (const [text, expected] of NEXTS) {
  test('hands on the request: ' + text, () => {
    const { table } = instrument(text, { path: '/x.js', isModule: false });
    assert.deepEqual(
      table.nexts?.map(([, line]) => line),
      expected,
    );
  });
}

test('a line that hands on the request is no place', () => {
  const isNext = (/** @type {string} */ path, /** @type {number} */ line) => path === '/p/db.js' && line === 7;
  assert.deepEqual(firstOwnFrame(STACK, isOwn, undefined, true, isNext), { file: '/p/a.js', line: 17 });
  assert.equal(
    firstOwnFrame(STACK, isOwn, undefined, true, () => true),
    null,
  );
});

const APP = `
const { createServer } = require('node:http');
const send = (res, status, body) => {
  res.statusCode = status;
  res.end(JSON.stringify(body));
};
const ok = (res, body) => send(res, 200, body);
const count = async () => 3;
createServer(async (req, res) => {
  await null;
  if (req.url === '/a') {
    ok(res, { a: 1 });
  } else if (req.url === '/b') {
    send(res, 404, { error: 'none' });
  } else {
    ok(res, { n: count() });
  }
}).listen(0);
`;
const line = (/** @type {string} */ part) => APP.slice(0, APP.indexOf(part)).split('\n').length;

test('an answer is attributed to who called the function that answers', async () => {
  const core = await FakeCore.start({ 'app.cjs': APP });
  try {
    core.run(['app.cjs'], { env: { NODE_ENV: 'test' } });
    await core.listening();
    const { result } = await core.evaluate(1, ['GET /a', 'GET /b', 'GET /c'], { full: true });
    const lines = ['ok(res, { a', 'send(res, 404', 'ok(res, { n'].map(line);
    assert.deepEqual(
      result.causes.map((/** @type {any} */ one) => one.line),
      lines,
    );
    assert.deepEqual(
      result.causes[2].mistakes.map((/** @type {any} */ one) => one.line),
      [lines[2]],
    );
  } finally {
    await core.stop();
  }
});
