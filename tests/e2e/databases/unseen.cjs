'use strict';
// Prints what a program can see of its drivers, as JSON: the same with the agent inside and without.
const seen = [];
const note = (...values) => seen.push(values);
const plain = (stack) => String(stack).replace(/:\d+:\d+/g, '').replaceAll(__dirname, '');

function shape(owner, names) {
  for (const name of names) {
    const method = owner[name];
    note(name, method.name, method.length, String(method), Object.hasOwn(method, 'prototype'), Object.keys(owner).includes(name));
  }
}

async function ticks(label, promise) {
  let turns = 0;
  let isOver = false;
  const done = promise.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  await done;
  for (; !isOver; turns++) await null;
  note(label, turns, Object.getPrototypeOf(promise) === Promise.prototype, Object.keys(promise));
}

async function onPostgres() {
  const { Client, Pool, Query } = require('pg');
  const Connection = require('pg/lib/connection');
  shape(Connection.prototype, ['query', 'parse', 'bind', 'sync']);
  shape(Client.prototype, ['query', '_pulseQueryQueue']);
  note(Object.getOwnPropertyNames(Connection.prototype), Object.getOwnPropertyNames(Client.prototype), Object.keys(new Query('x')));
  const client = new Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  await ticks('query', client.query('SELECT 1'));
  await client.query('SELECT FROM nowhere WHERE a = $1', [1]).catch((error) => note(plain(error.stack), Object.keys(error)));
  await new Promise((resolve) => client.query('SELECT 1', () => resolve(note(plain(new Error('in a callback').stack)))));
  await new Promise((resolve) => client.query('SELECT 1 / 0', (error) => resolve(note(plain(error.stack), plain(new Error('in a callback').stack)))));
  const stored = await client.query({ name: 'stored', text: 'SELECT $1::text AS x', values: ['a'] });
  note(stored.rows, stored.command, stored.rowCount, Object.keys(stored));
  const { rows } = await client.query("SELECT 1 AS one; SELECT 'two' AS two").then((all) => all[1]);
  note(rows);
  await client.end();
  const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 2 });
  const answers = await Promise.all([1, 2, 3, 4].map((n) => pool.query('SELECT $1::int AS n, pg_sleep(0.01)', [n])));
  note(answers.map((answer) => answer.rows[0].n), pool.totalCount, pool.idleCount);
  await pool.end();
}

async function onMysql() {
  const mysql = require('mysql2');
  shape(require('./node_modules/mysql2/lib/commands/query.js').prototype, ['start']);
  shape(require('./node_modules/mysql2/lib/packets/packet.js').prototype, ['asError']);
  const connection = mysql.createConnection(process.env.MYSQL_URL);
  await new Promise((resolve) => connection.query('SELECT FROM nowhere', (error) => resolve(note(plain(error.stack), Object.keys(error), plain(new Error('in a callback').stack)))));
  await new Promise((resolve) => connection.execute('SELECT ? AS x', [5], (error, rows, fields) => resolve(note(rows, fields.length, plain(new Error('in a callback').stack)))));
  const query = connection.query('SELECT 1 AS one UNION SELECT 2');
  const events = [];
  for (const name of ['fields', 'result', 'end', 'error']) query.on(name, (value) => events.push([name, name === 'result' ? value : null]));
  await new Promise((resolve) => query.once('end', resolve));
  note(events);
  await connection.promise().query('SELECT * FROM nowhere').catch((error) => note(plain(error.stack)));
  await new Promise((resolve) => connection.end(resolve));
}

async function onOldMysql() {
  const mysql = require('mysql');
  shape(require('./node_modules/mysql/lib/protocol/sequences/Query.js').prototype, ['start']);
  shape(require('./node_modules/mysql/lib/protocol/sequences/Sequence.js').prototype, ['_packetToError', 'end']);
  const connection = mysql.createConnection(process.env.MYSQL_URL);
  await new Promise((resolve) => connection.query('SELECT FROM nowhere', (error) => resolve(note(plain(error.stack), Object.keys(error), plain(new Error('in a callback').stack)))));
  await new Promise((resolve) => connection.query('SELECT ? AS x', [5], (error, rows, fields) => resolve(note(rows, fields.length, plain(new Error('in a callback').stack)))));
  const query = connection.query('SELECT 1 AS one UNION SELECT 2');
  const events = [];
  for (const name of ['fields', 'result', 'end', 'error']) query.on(name, (value) => events.push([name, name === 'result' ? value : null]));
  await new Promise((resolve) => query.once('end', resolve));
  note(events, Object.keys(query));
  await new Promise((resolve) => connection.end(resolve));
}

async function onMongodb() {
  const { MongoClient } = require('mongodb');
  const { Connection } = require('./node_modules/mongodb/lib/cmap/connection.js');
  const { OpMsgRequest, OpMsgResponse } = require('./node_modules/mongodb/lib/cmap/commands.js');
  const { connect } = require('./node_modules/mongodb/lib/cmap/connect.js');
  shape(Connection.prototype, ['command']);
  shape(OpMsgRequest.prototype, ['toBin']);
  shape(OpMsgResponse.prototype, ['parse']);
  note(connect.name, connect.length, String(connect), Object.getOwnPropertyNames(Connection.prototype));
  const client = new MongoClient(process.env.MONGODB_URL, { monitorCommands: true });
  const events = [];
  for (const name of ['commandStarted', 'commandSucceeded', 'commandFailed', 'connectionCreated']) client.on(name, (event) => events.push([name, event.commandName]));
  const db = client.db();
  const things = db.collection('things');
  await ticks('insert', things.insertOne({ _id: 1, a: 1 }));
  await ticks('find', things.findOne({ a: 2 }));
  await things.insertOne({ _id: 1 }).catch((error) => note(plain(error.stack), Object.keys(error), error.code));
  await db.command({ nothing: 1 }).catch((error) => note(plain(error.stack)));
  const broken = {
    _id: 2,
    get a() {
      throw new Error('in a getter');
    },
  };
  await things.insertOne(broken).catch((error) => note(plain(error.stack)));
  let reads = 0;
  const counted = {
    _id: 3,
    get a() {
      return ++reads;
    },
  };
  await things.insertOne(counted);
  note(reads, await things.find({}, { batchSize: 1 }).toArray());
  await things.bulkWrite([{ updateOne: { filter: { a: 1 }, update: { $inc: { a: 1 } } } }, { deleteMany: { filter: { a: 9 } } }]).then((result) => note(Object.keys(result)));
  await things.drop();
  note(events);
  await client.close();
}

async function main() {
  if (process.env.DATABASE_URL) await onPostgres();
  if (process.env.MYSQL_URL) await onMysql();
  if (process.env.MYSQL_URL) await onOldMysql();
  if (process.env.MONGODB_URL) await onMongodb();
  process.stdout.write(JSON.stringify(seen, null, 1));
}

main();
