'use strict';
/*
 * The database behind the tests beside this file: puts in the rows that a test needs, and takes back afterwards what the test and its calls
 * have changed, so that rows which were there before stay as they were.
 *
 * Uses the driver of the system under test (it is looked for in that one's folder), and the connection that this finds:
 *
 *   WIMBLE_DATABASE_URL   a URL of your own
 *   URL_VARIABLE          the environment variable that held the URL when the tests were made
 *   CONNECTION            else what was seen then: host, port and name, with user and password as the driver finds them, or a file (HELPER)
 */
const { createRequire } = require('node:module');
const path = require('node:path');
const { createInterface } = require('node:readline');

// <settings>
const WORKING_DIR = path.resolve(__dirname, '.');
const DRIVER = 'pg';
const HELPER = './database-pg.cjs';
const URL_VARIABLE = '';
const CONNECTION = { host: '127.0.0.1', port: 5432, database: '' };
const TABLES = []; // parents before their children
// </settings>

let database = null;
let tables = TABLES;
let before = null;

async function opened() {
  if (database === null) {
    const url = process.env.WIMBLE_DATABASE_URL || (URL_VARIABLE && process.env[URL_VARIABLE]);
    database = await require(HELPER)(createRequire(path.join(WORKING_DIR, 'package.json')), url || '', CONNECTION, DRIVER);
  }
  return database;
}

/** Some databases make tables as they are written to. */
async function allTables() {
  const { tables: find } = await opened();
  return find === undefined ? TABLES : find(TABLES);
}

/** Remembers what is there. */
async function begin() {
  const { readCounters, readRows } = await opened();
  tables = await allTables();
  before = new Map();
  for (const table of tables) before.set(table, { rows: await readRows(table), counter: await readCounters(table) });
}

/** Puts a row into a table; columns that are not named get their defaults. */
async function insert(name, row) {
  const table = tables.find((one) => one.name === name) ?? { name };
  const cells = Object.entries(row).map(([column, value]) => [column, isBytes(value) ? Buffer.from(value.$bytes, 'base64') : value]);
  await (await opened()).insert(table, Object.fromEntries(cells));
}

function isBytes(value) {
  return typeof value === 'object' && value !== null && '$bytes' in value;
}

/** Makes the tables hold what they held at `begin`: children lose rows before their parents, and get them back after. */
async function restore() {
  if (before === null) return;
  const { closesAfterTest, inTransaction, putBack, readRows, remove, setCounter } = await opened();
  for (const table of await allTables()) {
    if (!tables.some((one) => one.name === table.name)) tables.push(table);
  }
  await inTransaction(async () => {
    const changes = [];
    for (const table of [...tables].reverse()) {
      const old = before.get(table)?.rows ?? new Map();
      const now = await readRows(table);
      const extra = [...now.keys()].filter((key) => !old.has(key));
      if (extra.length > 0) await remove(table, extra);
      changes.push([table, [...old].filter(([key, row]) => now.get(key) !== row), now]);
    }
    for (const [table, rows, now] of changes.reverse()) {
      for (const [key, row] of rows) await putBack(table, key, row, now.has(key));
    }
  });
  for (const [table, { counter }] of before) await setCounter(table, counter);
  before = null;
  if (closesAfterTest) await close();
}

async function close() {
  const open = database;
  database = null;
  if (open !== null) await open.close();
}

/** As a program: one command per line of standard input, and for each a line with what went wrong, or an empty text. */
async function serve() {
  const commands = { begin, insert, restore };
  for await (const line of createInterface({ input: process.stdin })) {
    const [name, ...rest] = JSON.parse(line);
    const error = await commands[name](...rest).then(() => '', (reason) => String(reason));
    process.stdout.write(`${JSON.stringify(error)}\n`);
  }
  await close();
}

if (require.main === module) serve();

module.exports = { begin, close, insert, restore };
