'use strict';
/** Drivers as ES modules: what they export is told when they have run, and nothing else about them changes. */

const { test } = require('node:test');
const assert = require('node:assert');
const vm = require('node:vm');
const { announcing, isAnnounced } = require('../src/loader/announce.cjs');
const { FakeCore } = require('./support/fake-core.cjs');

const ANNOUNCED = { '@scope/driver': ['dist/index.js'] };
const PATH = '/srv/node_modules/.pnpm/@scope+driver@1.0.0/node_modules/@scope/driver/dist/index.js';

test('only files of the table', () => {
  assert.ok(isAnnounced(PATH, ANNOUNCED));
  for (const other of [
    '/srv/dist/index.js',
    '/srv/node_modules/@scope/driver/index.js',
    '/srv/node_modules/@scope/driver/lib/dist/index.js',
    '/srv/node_modules/constructor/dist/index.js',
  ]) {
    assert.ok(!isAnnounced(other, ANNOUNCED), other);
    assert.strictEqual(announcing('export const a = 1;', other, ANNOUNCED), 'export const a = 1;');
  }
});

test('what is exported by a name follows the text, whatever it is called inside', () => {
  const text =
    'import{a as b}from"./chunk.js";export{b as Driver,c as "a name"};export class Pool{}export function connect(){}export default 1;export*from"./more.js";export{d}from"./d.js";var c\n//# sourceMappingURL=index.js.map';
  const told = announcing(text, PATH, ANNOUNCED);
  assert.ok(told.startsWith(text + '\n'));
  assert.ok(told.endsWith('{__proto__:null,"Driver":b,"a name":c,Pool,connect}))}catch{}'), told);
});

test('an exported function may be replaced, for those that import it and within the module', () => {
  const told = announcing(
    'export function make() { return 1 }\nexport const twice = () => make() * 2;',
    PATH,
    ANNOUNCED,
  );
  const context = {
    __wimble_announce__: (/** @type {string} */ _, /** @type {any} */ exports) => ({ ...exports, make: () => 5 }),
  };
  const program = told.replaceAll('export ', '');
  assert.deepEqual({ ...vm.runInNewContext(program + ';({ a: make(), b: twice() })', context) }, { a: 5, b: 10 });
  assert.equal(vm.runInNewContext(program + ';make()'), 1, 'without the agent');
});

test('nothing is told of what exports nothing, and a text that is none is left alone', () => {
  assert.strictEqual(announcing('import "./a.js";', PATH, ANNOUNCED), 'import "./a.js";');
  assert.strictEqual(announcing('export {', PATH, ANNOUNCED), 'export {');
});

test('a function that is the default export is announced before it is exported, and may be replaced', () => {
  const text = 'import a from "./a.js"\nexport default Make\nfunction Make() { return a }';
  const told = announcing(text, PATH, ANNOUNCED);
  assert.ok(told.endsWith(text), 'all lines, and the columns of all but the first');
  const context = {
    __wimble_announce__: (/** @type {string} */ path, /** @type {any} */ made) => () => [path, made()],
  };
  const program = told
    .replace('import a from "./a.js"', 'const a = 5')
    .replace('export default Make', 'const made = Make');
  assert.deepEqual(vm.runInNewContext(program + '\nmade()', context), [PATH, 5]);
  assert.strictEqual(vm.runInNewContext(program + '\nmade()'), 5, 'without the agent');
  assert.strictEqual(announcing('export default 1', PATH, ANNOUNCED), 'export default 1');
});

test('the statement does nothing without the agent', () => {
  const told = announcing('export const a = 1;', PATH, ANNOUNCED);
  vm.runInNewContext(told.slice(told.indexOf('try{')));
});

const PROGRAM = `
import { PGlite, protocol } from '@electric-sql/pglite';
import http from 'node:http';
const { execProtocolRawSync, _runExclusiveQuery } = PGlite.prototype;
const message = Buffer.from([81, 0, 0, 0, 13, ...Buffer.from('select 1\\0')]); // a simple query
http.createServer((request, response) => new PGlite().execProtocolRawSync(message) && response.end(JSON.stringify([PGlite.name, protocol.Parser.name, String(PGlite), String(execProtocolRawSync), _runExclusiveQuery.length]))).listen(0, '127.0.0.1');
`;
const DRIVER = `class q { execProtocolRawSync(bytes) { return bytes; } _runExclusiveQuery(run) { return run(); } isInTransaction() { return false; } }
const p = { Parser: class Parser { parse(bytes, callback) { callback(bytes); } } };
export { q as PGlite, p as protocol };`;

test('a driver that is imported is tapped, and looks as it did', async (t) => {
  const folder = 'node_modules/@electric-sql/pglite';
  const core = await FakeCore.start({
    'server.mjs': PROGRAM,
    [`${folder}/dist/index.js`]: DRIVER,
    [`${folder}/package.json`]: '{"type":"module","exports":"./dist/index.js"}',
  });
  t.after(() => core.stop());
  core.run(['server.mjs']);
  await core.listening();
  const { answers, result } = await core.evaluate(1, ['GET /'], { commands: true });
  const methods = DRIVER.slice(0, DRIVER.indexOf('\n'));
  assert.deepStrictEqual(JSON.parse(answers[0].body), [
    'q',
    'Parser',
    methods,
    'execProtocolRawSync(bytes) { return bytes; }',
    1,
  ]);
  assert.deepStrictEqual(
    result.commands.map(({ text }) => text),
    ['select 1'],
  );
});
