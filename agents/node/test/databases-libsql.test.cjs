'use strict';
/** `libsql` as far as its shape goes: what is seen of its commands, and that copies of remote databases are left alone. */

const { test } = require('node:test');
const assert = require('node:assert');
const { FakeCore } = require('./support/fake-core.cjs');
const { toldCommands } = require('./support/told-commands.cjs');

const DRIVER = `
class Database {
  constructor(file) { this.file = file; this.open = true; this.inTransaction = false; }
  prepare(text) { if (text === 'nonsense') throw new Error('syntax'); return new Statement(this.file, text); }
  exec() {}
}
class Statement {
  constructor(file, text) { this.rows = text.includes('database_list') ? [{ name: 'main', file }] : [{ a: 1 }, { a: 2 }]; this.text = text; }
  run() { return { changes: 3 }; }
  get(...values) { return values[0] === 'there' ? this.rows[0] : undefined; }
  iterate() {
    const { rows, text } = this;
    return (function* () { yield* rows; if (text.includes('RETURNING')) throw new Error('UNIQUE'); })();
  }
  all(...values) { return [...this.iterate(...values)]; }
}
module.exports = Database;
`;

const SERVER = `
const fs = require('fs');
const http = require('http');
const Database = require('libsql');
fs.writeFileSync('copy.db-info', '');
const own = new Database('');
const copy = new Database(__dirname + '/copy.db');
http.createServer((request, response) => {
  const database = request.url.startsWith('/copy') ? copy : own;
  let value;
  try {
    if (request.url.endsWith('/add')) value = database.prepare('INSERT INTO t VALUES (?)').run(['a']).changes;
    if (request.url.endsWith('/find')) value = [database.prepare('SELECT a').get('there'), database.prepare('SELECT b').all('x'), [...database.prepare('SELECT c').iterate()].length];
    if (request.url.endsWith('/twice')) database.prepare('INSERT INTO t VALUES (1) RETURNING a').all();
    if (request.url.endsWith('/wrong')) database.prepare('nonsense');
    if (request.url.endsWith('/script')) database.exec('BEGIN');
  } catch (error) {
    value = error.message;
  }
  response.end(JSON.stringify(value ?? null));
}).listen(0, '127.0.0.1');
`;

test('commands are told with their parameters, counts and errors, each once; copies of remote databases are left alone', async (t) => {
  const core = await FakeCore.start({
    'server.js': SERVER,
    'node_modules/libsql/index.js': DRIVER,
    'node_modules/libsql/package.json': '{"name":"libsql"}',
  });
  t.after(() => core.stop());
  core.run(['server.js']);
  await core.listening();
  const calls = ['GET /add', 'GET /find', 'GET /twice', 'GET /wrong', 'GET /script', 'GET /copy/add', 'GET /copy/find'];
  const running = core.evaluate(1, calls, { commands: true });
  const told = await core.until(() => core.peer.ofType('database')[0], 'database');
  assert.deepStrictEqual([told.driver, told.dialect, told.is_in_process], ['libsql', 'sqlite', true]);
  core.peer.say({ type: 'release', database: told.id });
  const { answers, result } = await running;
  assert.deepStrictEqual(
    answers.map(({ body }) => JSON.parse(body)),
    [3, [{ a: 1 }, [{ a: 1 }, { a: 2 }], 2], 'UNIQUE', 'syntax', null, 3, [{ a: 1 }, [{ a: 1 }, { a: 2 }], 2]],
  );
  assert.deepStrictEqual(toldCommands(result), [
    [0, 'INSERT INTO t VALUES (?)', ['a'], null, 3, null],
    [1, 'SELECT a', ['there'], 1, null, null],
    [1, 'SELECT b', ['x'], 2, null, null],
    [1, 'SELECT c', [], null, null, null],
    [2, 'INSERT INTO t VALUES (1) RETURNING a', [], null, null, 'Error: UNIQUE'],
    [3, 'nonsense', [], null, null, 'Error: syntax'],
    [4, 'BEGIN', [], null, null, null],
  ]);
});
