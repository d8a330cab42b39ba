'use strict';
// Prints what a program can see of its drivers, as JSON: the same with the agent inside and without.
const seen = [];
const note = (...values) => seen.push(values);
const plain = (stack) => String(stack).replace(/:\d+:\d+/g, '').replaceAll(__dirname, '');

function shape(owner, names) {
  for (const name of names) {
    const { value: method, writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(owner, name);
    note(name, method.name, method.length, String(method), Object.hasOwn(method, 'prototype'), writable, enumerable, configurable);
  }
}

function caught(work) {
  try {
    note(work());
  } catch (error) {
    note(plain(error?.stack ?? error), Object.keys(Object(error)));
  }
}

function onBetterSqlite3() {
  const Database = require('better-sqlite3');
  shape(Database.prototype, ['prepare', 'exec', 'transaction']);
  const database = new Database(':memory:');
  database.exec('CREATE TABLE t (a UNIQUE)');
  const insert = database.prepare('INSERT INTO t VALUES (?)');
  shape(Object.getPrototypeOf(insert), ['run', 'get', 'all', 'iterate', 'bind']);
  note(insert.run(1), database.prepare('SELECT * FROM t').all());
  caught(() => insert.run(1));
  caught(() => database.prepare('SELECT * FROM nowhere'));
  caught(() => database.exec('nonsense'));
  caught(() => database.transaction(() => insert.run(1))());
  const bound = database.prepare('SELECT * FROM t WHERE a = ?').bind([1]);
  note(bound.all());
  caught(() => bound.bind([2]));
  caught(() => bound.get(1));
}

async function onLibsql() {
  const Database = require('libsql');
  note(Object.getOwnPropertyNames(Database), Object.getOwnPropertyNames(Database.prototype));
  shape(Database.prototype, ['prepare', 'exec', 'transaction', 'pragma']);
  const database = new Database(':memory:');
  database.exec('CREATE TABLE t (a UNIQUE)');
  const insert = database.prepare('INSERT INTO t VALUES (?)');
  shape(Object.getPrototypeOf(insert), ['run', 'get', 'all', 'iterate', 'raw']);
  note(insert.run(1).changes, Object.keys(insert), database.prepare('SELECT * FROM t').all(), database.prepare('SELECT * FROM t').raw().get());
  note([...database.prepare('SELECT * FROM t WHERE a = ?').iterate(1)], database.pragma('user_version'), database.inTransaction);
  caught(() => insert.run(1));
  caught(() => database.prepare('INSERT INTO t VALUES (1) RETURNING a').all());
  caught(() => database.prepare('SELECT * FROM nowhere'));
  caught(() => database.exec('nonsense'));
  caught(() => database.transaction(() => insert.run(1))());
  const client = require('@libsql/client').createClient({ url: 'file::memory:' });
  await client.executeMultiple('CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1)');
  note(await client.execute('SELECT a FROM t'), await client.batch(['INSERT INTO t VALUES (2)', 'SELECT count(*) FROM t']));
  await client.execute('INSERT INTO t VALUES (1)').catch((error) => note(plain(error.stack), Object.keys(error), error.code));
  client.close();
}

async function onSqlJs() {
  const start = require('sql.js');
  note(start.name, start.length, start.default === start, Object.keys(start));
  const SQL = await start();
  note(Object.keys(SQL));
  shape(SQL.Database.prototype, ['prepare', 'run', 'exec', 'each', 'iterateStatements']);
  const database = new SQL.Database();
  note(database.run('CREATE TABLE t (a UNIQUE)') === database);
  const insert = database.prepare('INSERT INTO t VALUES (?)');
  shape(Object.getPrototypeOf(insert), ['bind', 'step', 'reset']);
  note(insert.run([1]), database.exec('SELECT * FROM t; SELECT 2'), Object.keys(insert));
  caught(() => insert.run([1]));
  caught(() => database.run('nonsense'));
  caught(() => database.exec('SELECT * FROM nowhere'));
  database.each('SELECT a FROM t', (row) => note(row));
}

async function onPglite(PGlite) {
  const owners = [PGlite.prototype, Object.getPrototypeOf(PGlite.prototype)];
  note(Object.getOwnPropertyNames(PGlite), owners.map((owner) => Object.getOwnPropertyNames(owner)));
  shape(owners[0], ['execProtocolRawSync', '_runExclusiveQuery']);
  const database = await PGlite.create();
  note(Object.keys(database));
  note(await database.exec('CREATE TABLE t (a int UNIQUE); INSERT INTO t VALUES (1)'), await database.query('SELECT a FROM t WHERE a = $1', ['1']));
  for (const text of ['nonsense', 'INSERT INTO t VALUES (1)', "SELECT 'x'::int"]) {
    await database.query(text).catch((error) => note(plain(error.stack), Object.keys(error)));
    await database.exec(text).catch((error) => note(plain(error.stack), Object.keys(error)));
  }
  await database.transaction(async (inside) => note(await inside.query('DELETE FROM t RETURNING a')));
  await database.close();
}

async function main() {
  await null; // away from the frames of the loader
  onBetterSqlite3();
  await onLibsql();
  await onSqlJs();
  await onPglite(require('@electric-sql/pglite').PGlite);
  await onPglite((await import('@electric-sql/pglite')).PGlite);
  process.stdout.write(JSON.stringify(seen, null, 1));
}

main();
