'use strict';
/** An error of a command is attributed to the function that wrote the command, not to a helper that hands it on. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { instrument } = require('../src/instrument/instrument.cjs');
const { firstOwnFrame } = require('../src/base/error-stacks.cjs');

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

for (const [text, expected] of CASES) test(text, () => assert.deepEqual(relays(text), expected));

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
