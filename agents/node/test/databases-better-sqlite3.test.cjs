'use strict';
/**
 * `better-sqlite3` as far as its shape goes (the package itself has to be compiled): what is seen, what is proxy, and
 * how the first command waits.
 */

const { test } = require('node:test');
const assert = require('node:assert');
const { FakeCore } = require('./support/fake-core.cjs');
const { toldCommands } = require('./support/told-commands.cjs');

const WRAPPERS = `
exports.prepare = function prepare(sql) {
  if (/;./.test(sql)) throw new RangeError('The supplied SQL string contains more than one statement');
  return new (require('../statement.js'))(this, sql);
};
exports.exec = function exec(sql) { this.said.push(sql); return this; };
`;
const STATEMENT = `
module.exports = class Statement {
  constructor(database, source) { this.database = database; this.source = source; this.reader = /^(select|pragma)/i.test(source); }
  run(...params) { if (params[0] === 'twice') throw new Error('UNIQUE'); this.database.said.push(this.source); return { changes: 1 }; }
  get(...params) { return this.source.startsWith('PRAGMA') ? { foreign_keys: 1 } : params[0] === 'there' ? { a: 1 } : undefined; }
  all() { return this.source.startsWith('PRAGMA') ? [[1n]] : [[1n], ['x']]; }
  iterate() { return []; }
  bind() { return this; }
  raw() { return this; }
  safeIntegers() { return this; }
  columns() { return [{ name: 'a' }]; }
}
`;
const DRIVER = `
function Database(name) { this.name = name; this.memory = name === ':memory:'; this.inTransaction = false; this.said = []; }
const { prepare, exec } = require('./methods/wrappers.js');
Object.assign(Database.prototype, { prepare, exec, transaction: require('./methods/transaction.js') });
module.exports = Database;
`;

const SERVER = `
const http = require('http');
const Database = require('better-sqlite3/lib/database.js');
const shape = ['prepare', 'exec', 'transaction'].map((name) => Database.prototype[name]).map((f) => [f.name, f.length, String(f)]);
let database;
http.createServer((request, response) => {
  database ??= new Database(':memory:');
  let value;
  try {
    if (request.url === '/add') value = database.prepare('INSERT INTO t VALUES (?)').run('a').changes;
    if (request.url === '/twice') database.prepare('INSERT INTO t VALUES (?)').run('twice');
    if (request.url === '/find') value = [database.prepare('SELECT a FROM t WHERE a = ?').get('there'), database.prepare('SELECT a FROM t').get({ a: 1 }), database.prepare('SELECT a FROM t WHERE a = ?').bind(['bound']).get()];
    if (request.url === '/wrong') database.prepare('SELECT a; b');
    if (request.url === '/shape') value = [shape, database.said];
    if (request.url === '/lock') database.inTransaction = true;
  } catch (error) {
    value = error.stack.split('\\n').slice(0, 2).join('|').replace(/\\(.*/, '');
  }
  response.end(JSON.stringify(value ?? null));
}).listen(0, '127.0.0.1');
`;

test('commands are told, the first one waits until it is released, and queries of the core run in between', async (t) => {
  const files = {
    'database.js': DRIVER,
    'statement.js': STATEMENT,
    'methods/wrappers.js': WRAPPERS,
    'methods/transaction.js': 'module.exports = function transaction(run) { return run; };',
  };
  const placed = Object.fromEntries(
    Object.entries(files).map(([name, text]) => [`node_modules/better-sqlite3/lib/${name}`, text]),
  );
  const core = await FakeCore.start({
    'server.js': SERVER,
    ...placed,
    'node_modules/better-sqlite3/package.json': '{"name":"better-sqlite3"}',
  });
  t.after(() => core.stop());
  core.run(['server.js']);
  await core.listening();
  const running = core.evaluate(1, ['GET /add', 'GET /twice', 'GET /find', 'GET /wrong'], { commands: true });
  const told = await core.until(() => core.peer.ofType('database')[0], 'database');
  assert.deepStrictEqual([told.dialect, told.is_in_process, told.held], ['sqlite', true, true]);
  let isOver = false;
  running.then(() => (isOver = true));
  let n = 0;
  const ask = async (text, params = []) => {
    core.peer.say({ type: 'query', n: ++n, database: told.id, text, params });
    const { columns, rows, affected, error } = await core.until(
      () => core.peer.ofType('rows').find((message) => message.n === n),
      'rows',
    );
    return { columns, rows, affected, error };
  };
  assert.deepStrictEqual(await ask('SELECT a FROM t'), {
    columns: ['a'],
    rows: [[1], ['x']],
    affected: null,
    error: '',
  });
  assert.strictEqual(isOver, false, 'it waits');
  core.peer.say({ type: 'release', database: told.id });
  const { answers, result } = await running;
  assert.deepStrictEqual(
    answers.map(({ body }) => JSON.parse(body)),
    [
      1,
      'Error: UNIQUE|    at Statement.run ',
      [{ a: 1 }, null, null],
      'RangeError: The supplied SQL string contains more than one statement|    at Database.prepare ',
    ],
  );
  assert.deepStrictEqual(toldCommands(result), [
    [0, 'INSERT INTO t VALUES (?)', ['a'], null, 1, null],
    [1, 'INSERT INTO t VALUES (?)', ['twice'], null, null, 'Error: UNIQUE'],
    [2, 'SELECT a FROM t WHERE a = ?', ['there'], 1, null, null],
    [2, 'SELECT a FROM t', [{ a: 1 }], 0, null, null],
    [2, 'SELECT a FROM t WHERE a = ?', ['bound'], 0, null, null],
    [3, 'SELECT a; b', [], null, null, 'RangeError: The supplied SQL string contains more than one statement'],
  ]);
  assert.ok(result.commands[0].site.endsWith('server.js:10'), result.commands[0].site);
  assert.deepStrictEqual(await ask('DELETE FROM t; DELETE FROM u'), {
    columns: [],
    rows: [],
    affected: null,
    error: '',
  });
  const second = await core.evaluate(2, ['GET /shape', 'GET /lock'], { commands: true });
  const [shape, said] = JSON.parse(second.answers[0].body);
  assert.deepStrictEqual(
    shape.map(([name, length]) => [name, length]),
    [
      ['prepare', 1],
      ['exec', 1],
      ['transaction', 1],
    ],
  );
  assert.ok(shape.every(([name, , text]) => text.startsWith(`function ${name}(`)));
  const ofTheCore = [
    'PRAGMA synchronous = OFF',
    'DELETE FROM t; DELETE FROM u',
    'ROLLBACK',
    'PRAGMA foreign_keys = 1',
    'PRAGMA synchronous = 1',
  ];
  assert.deepStrictEqual(said, ['INSERT INTO t VALUES (?)', ...ofTheCore]);
  assert.strictEqual(second.result.commands, undefined, "proxied queries are not the program's");
  assert.match((await ask('SELECT a FROM t')).error, /transaction of the program is open/);
});
