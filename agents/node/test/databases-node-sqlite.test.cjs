'use strict';
/**
 * `node:sqlite`, the real one: what is seen, what is proxy, how the first command waits, and that the program cannot
 * tell.
 */

const { test } = require('node:test');
const assert = require('node:assert');
const { isBuiltin } = require('node:module');
const { FakeCore } = require('./support/fake-core.cjs');
const { toldCommands } = require('./support/told-commands.cjs');
const { waitUntil } = require('./support/wait-until.cjs');

const skip = isBuiltin('node:sqlite') ? false : 'this version of Node has no node:sqlite';

const PROGRAM = `
function shapes({ DatabaseSync, StatementSync }) {
  return [DatabaseSync, StatementSync].flatMap(({ prototype }) => Object.entries(Object.getOwnPropertyDescriptors(prototype)).map(([name, { value, enumerable, writable }]) => [name, value?.name, value?.length, String(value), enumerable, writable, 'prototype' in (value ?? {})]));
}
function answer(sqlite, at, open) {
  const database = open();
  if (at === '/shapes') return shapes(sqlite);
  if (at === '/add') return database.prepare('INSERT INTO t (a) VALUES (?)').run('b').changes;
  if (at === '/twice') database.prepare('INSERT INTO t (a) VALUES (?)').run('a');
  if (at === '/find') return [database.prepare('SELECT a FROM t WHERE a = $a').get({ a: 'a' }), database.prepare('SELECT a FROM t').all(), [...database.prepare('SELECT id FROM t').iterate()]];
  if (at === '/tag') return database.createTagStore ? database.createTagStore().all\`SELECT a FROM t WHERE id = \${1}\` : [];
  if (at === '/begin') database.exec('BEGIN');
  if (at === '/wrong') database.prepare('SELECT * FROM nowhere');
  return null;
}
function serve(sqlite, http) {
  let database;
  const open = () => (database ??= new sqlite.DatabaseSync(process.env.FILE));
  http.createServer((request, response) => {
    let value;
    try {
      value = answer(sqlite, request.url, open);
    } catch (error) {
      value = [error.message, error.code, error.errcode, error.stack.split('\\n').slice(0, 3).map((line) => line.replace(/\\(?file:.*|\\(.*/, ''))];
    }
    response.end(JSON.stringify(value));
  }).listen(0, '127.0.0.1');
}
`;
const SERVERS = {
  'server.cjs': `const sqlite = require('node:sqlite');\nconst http = require('http');\n${PROGRAM}\nserve(sqlite, http);`,
  'server.mjs': `import http from 'node:http';\nimport * as sqlite from 'node:sqlite';\n${PROGRAM}\nserve(sqlite, http);`,
};
const CALLS = ['/shapes', '/add', '/twice', '/find', '/tag', '/wrong'];

async function prepared(t, server) {
  const core = await FakeCore.start({ [server]: SERVERS[server], 'port.cjs': TELL_PORT });
  t.after(() => core.stop());
  const file = `${core.folder}/rows.db`;
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(file);
  database.exec(
    "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE); INSERT INTO t VALUES (1, 'a'), (9007199254740993, NULL)",
  );
  database.close();
  return { core, env: { FILE: file } };
}

/** Without an agent nobody tells the port. */
const TELL_PORT = `
const { Server } = require('net');
const { listen } = Server.prototype;
Server.prototype.listen = function (...args) { return listen.apply(this, args).on('listening', () => console.log(this.address().port)); };
`;

async function plainAnswers(core, server, env) {
  core.run(['--require', './port.cjs', server], { agent: false, env });
  await waitUntil(() => /\d\n/.test(core.output.stdout));
  const bodies = [];
  for (const url of CALLS) {
    bodies.push(await (await fetch(`http://127.0.0.1:${Number(core.output.stdout)}${url}`)).json());
  }
  return bodies;
}

async function watchedAnswers(core, server, env) {
  core.run([server], { env });
  await core.listening();
  const running = core.evaluate(
    1,
    CALLS.map((url) => `GET ${url}`),
  );
  const told = await core.until(() => core.peer.ofType('database')[0], 'database');
  core.peer.say({ type: 'release', database: told.id });
  return (await running).answers.map(({ body }) => JSON.parse(body));
}

for (const server of Object.keys(SERVERS)) {
  test(
    `commands of ${server} are told, the first one waits until it is released, and queries of the core run in between`,
    { skip },
    async (t) => {
      const { core, env } = await prepared(t, server);
      core.run([server], { env });
      await core.listening();
      const running = core.evaluate(
        1,
        CALLS.map((url) => `GET ${url}`),
        { commands: true },
      );
      const told = await core.until(() => core.peer.ofType('database')[0], 'database');
      assert.deepStrictEqual(
        [told.driver, told.dialect, told.name, told.is_in_process, told.held],
        ['node:sqlite', 'sqlite', `${core.folder}/rows.db`, false, true],
      );
      let n = 0;
      const ask = async (text, params = []) => {
        core.peer.say({ type: 'query', n: ++n, database: told.id, text, params });
        const { columns, rows, affected, error } = await core.until(
          () => core.peer.ofType('rows').find((message) => message.n === n),
          'rows',
        );
        return { columns, rows, affected, error };
      };
      const all = {
        columns: ['id', 'a', 'a'],
        rows: [
          [1, 'a', 'a'],
          [{ $bigint: '9007199254740993' }, null, null],
        ],
        affected: null,
        error: '',
      };
      assert.deepStrictEqual(await ask('SELECT id, a, a FROM t'), all, 'the first command waits');
      core.peer.say({ type: 'release', database: told.id });
      const { answers, result } = await running;
      const hasStores = JSON.parse(answers[4].body).length > 0;
      assert.deepStrictEqual(toldCommands(result), [
        [1, 'INSERT INTO t (a) VALUES (?)', ['b'], null, 1, null],
        [2, 'INSERT INTO t (a) VALUES (?)', ['a'], null, null, 'Error: UNIQUE constraint failed: t.a'],
        [3, 'SELECT a FROM t WHERE a = $a', [{ a: 'a' }], 1, null, null],
        [3, 'SELECT a FROM t', [], 3, null, null],
        [3, 'SELECT id FROM t', [], null, null, null],
        ...(hasStores ? [[4, 'SELECT a FROM t WHERE id = ?', [1], 1, null, null]] : []),
        [5, 'SELECT * FROM nowhere', [], null, null, 'Error: no such table: nowhere'],
      ]);
      assert.match(result.commands[0].site, /server\..js:\d+$/);
      assert.deepStrictEqual(
        await ask(
          "PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE; DELETE FROM t WHERE a = 'b;'; DELETE FROM t WHERE a = 'b'; COMMIT",
        ),
        { columns: [], rows: [], affected: null, error: '' },
      );
      assert.match((await ask('BEGIN; DELETE FROM t; DELETE FROM nowhere')).error, /no such table: nowhere/);
      assert.deepStrictEqual(await ask('SELECT id, a, a FROM t'), all, 'what broke off was taken back');
      assert.deepStrictEqual((await ask('UPDATE t SET a = ? WHERE id = 1', ['z'])).affected, 1);
      const begun = await core.evaluate(2, ['GET /begin'], { commands: true });
      assert.deepStrictEqual(
        begun.result.commands.map(({ text }) => text),
        ['BEGIN'],
        "proxied queries are not the program's",
      );
      assert.match((await ask('SELECT a FROM t')).error, /transaction of the program is open/);
    },
  );

  test(`${server} answers and fails as without the agent`, { skip }, async (t) => {
    const bodies = [];
    for (const answers of [plainAnswers, watchedAnswers]) {
      const { core, env } = await prepared(t, server);
      bodies.push(await answers(core, server, env));
    }
    assert.deepStrictEqual(bodies[1], bodies[0]);
  });
}
