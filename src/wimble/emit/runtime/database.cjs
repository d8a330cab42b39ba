'use strict';
/*
 * The database behind the tests beside this file (PostgreSQL): puts in the rows that a test needs, and takes back afterwards what the test
 * and its calls have changed, so that rows which were there before stay as they were.
 *
 * Uses the `pg` package of the system under test, and the connection that this finds: the URL in the environment variable that the system
 * under test takes it from, else what `pg` reads itself (PGUSER, PGPASSWORD, ...) with the host and database seen when the tests were made.
 */
const { createRequire } = require('node:module');
const path = require('node:path');

// <settings>
const WORKING_DIR = path.resolve(__dirname, '.');
const URL_VARIABLE = '';
const CONNECTION = { host: '127.0.0.1', port: 5432, database: '' };
const TABLES = []; // parents before their children
const SEQUENCES = [];
// </settings>

/** Keys from here on no sequence gets to in a test; moving it there might end it. */
const FAR_KEY = 1_000_000_000;

let client = null;
let before = null;

async function query(text, values = []) {
  if (client === null) {
    const { Client } = createRequire(path.join(WORKING_DIR, 'package.json'))('pg');
    const url = URL_VARIABLE && process.env[URL_VARIABLE];
    client = new Client(url ? { connectionString: url } : CONNECTION);
    await client.connect();
  }
  return (await client.query(text, values)).rows;
}

/** Remembers what is there. */
async function begin() {
  const rows = new Map();
  for (const table of TABLES) rows.set(table, await rowsOf(table));
  const sequences = [];
  for (const name of SEQUENCES) {
    const [state] = await query(`SELECT last_value, is_called FROM ${name}`);
    sequences.push([name, state]);
  }
  before = { rows, sequences };
}

/** Key -> row, both as JSON text: so every value comes back exactly. */
async function rowsOf(table) {
  const found = await query(`SELECT ${keyOf(table)} AS key, to_jsonb(t)::text AS row FROM ${table.sql} AS t`);
  return new Map(found.map(({ key, row }) => [key, row]));
}

function keyOf(table) {
  return `jsonb_build_array(${table.key.map((name) => `t.${quoted(name)}`).join(', ')})::text`;
}

function quoted(name) {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Puts a row into a table; columns that are not named get their defaults. */
async function insert(name, row) {
  const table = TABLES.find((one) => one.name === name);
  const columns = Object.keys(row);
  const places = columns.map((_, index) => `$${index + 1}`).join(', ');
  const overriding = table.numbered ? 'OVERRIDING SYSTEM VALUE ' : '';
  await query(`INSERT INTO ${table.sql} (${columns.map(quoted).join(', ')}) ${overriding}VALUES (${places})`, Object.values(row));
  if (table.numbered && table.numbered.column in row) {
    const { column, sequence } = table.numbered;
    await query(
      `SELECT setval('${sequence.replaceAll("'", "''")}', rows.key)
         FROM (SELECT max(${quoted(column)}) AS key FROM ${table.sql}) AS rows, ${sequence} AS counter
        WHERE rows.key >= counter.last_value AND rows.key < ${FAR_KEY}`,
    );
  }
}

/** Makes the tables hold what they held at `begin`: children lose rows before their parents, and get them back after. */
async function restore() {
  if (before === null) return;
  await query('BEGIN');
  const changes = [];
  for (const table of [...TABLES].reverse()) {
    const old = before.rows.get(table);
    const now = await rowsOf(table);
    const extra = [...now.keys()].filter((key) => !old.has(key));
    if (extra.length > 0) await query(`DELETE FROM ${table.sql} AS t WHERE ${keyOf(table)} = ANY ($1)`, [extra]);
    changes.push([table, [...old].filter(([key, row]) => now.get(key) !== row), now]);
  }
  for (const [table, rows, now] of changes.reverse()) {
    for (const [key, row] of rows) await putBack(table, key, row, now.has(key));
  }
  for (const [name, { last_value: value, is_called: isCalled }] of before.sequences) {
    await query(`SELECT setval('${name.replaceAll("'", "''")}', $1, $2)`, [value, isCalled]);
  }
  await query('COMMIT');
  before = null;
}

async function putBack(table, key, row, isThere) {
  const columns = table.columns.map(quoted).join(', ');
  const values = `SELECT ${columns} FROM jsonb_populate_record(NULL::${table.sql}, $1::jsonb)`;
  if (isThere) {
    await query(`UPDATE ${table.sql} AS t SET (${columns}) = (${values}) WHERE ${keyOf(table)} = $2`, [row, key]);
  } else {
    const overriding = table.numbered ? 'OVERRIDING SYSTEM VALUE ' : '';
    await query(`INSERT INTO ${table.sql} (${columns}) ${overriding}${values}`, [row]);
  }
}

async function close() {
  const open = client;
  client = null;
  if (open !== null) await open.end();
}

module.exports = { begin, close, insert, restore };
