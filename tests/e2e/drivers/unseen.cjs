'use strict';
// Prints what a program can see of its drivers, as JSON: the same with the agent inside and without.
process.removeAllListeners('warning'); // what old versions say of themselves
const util = require('node:util');
const seen = [];
const note = (...values) => seen.push(values);
const plain = (stack) => String(stack).replace(/:\d+:\d+|\bconn:\d+/g, '').replaceAll(__dirname, '');

function shape(owner, names) {
  for (const name of names) {
    const method = owner[name];
    note(name, method.name, method.length, String(method), Object.hasOwn(method, 'prototype'), Object.keys(owner).includes(name));
  }
  note(Object.getOwnPropertyNames(owner));
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
  note(label, turns, Object.keys(promise));
}

async function onMongoose(version, core, options, ofClient) {
  const folder = `./${version}/node_modules/mongoose/node_modules`;
  const Pool = require(`${folder}/${core}/connection/pool.js`);
  const { Query, Response } = require(`${folder}/${core}/connection/commands.js`);
  shape(Pool.prototype, ['write']);
  shape(Query.prototype, ['toBin']);
  shape(Response.prototype, ['parse']);
  const { MongoClient } = require(`${folder}/mongodb`);
  const client = await MongoClient.connect(process.env.MONGODB_URL, options);
  const things = ofClient(client).collection(`things_${version}`);
  await ticks('insert', things.insertOne({ _id: 1, a: 1 }));
  await things.insertOne({ _id: 1 }).catch((error) => note(plain(error.stack), Object.keys(error), error.code));
  await new Promise((resolve) => things.findOne({ a: 2 }, () => resolve(note(plain(new Error('in a callback').stack)))));
  let reads = 0;
  const counted = {
    _id: 3,
    get a() {
      return ++reads;
    },
  };
  await things.insertOne(counted);
  note(reads, await things.find({}).batchSize(1).toArray());
  const broken = {
    _id: 2,
    get a() {
      throw new Error('in a getter');
    },
  };
  try {
    await things.insertOne(broken);
  } catch (error) {
    note(plain(error.stack).split('\n').slice(0, 10)); // the stack limit counts frames of the agent
  }
  await things.drop();
  await client.close();
}

async function onRedis() {
  const redis = require('./redis3/node_modules/redis');
  shape(redis.RedisClient.prototype, ['internal_send_command', 'return_reply', 'return_error', 'handle_reply']);
  const client = redis.createClient(process.env.REDIS_URL);
  const say = (...args) => new Promise((resolve) => args.shift().call(client, ...args, (error, reply) => resolve(note(error && [plain(error.stack), Object.keys(error)], reply, plain(new Error('in a callback').stack)))));
  await say(client.set, 'k', 'v');
  await say(client.incr, 'k');
  await say(client.hgetall, 'none');
  await new Promise((resolve) => client.multi().set('a', '1').get('a').exec((error, replies) => resolve(note(replies, plain(new Error('in a callback').stack)))));
  client.incr('k'); // nobody waits for its error
  await new Promise((resolve) => client.once('error', (error) => resolve(note(plain(error.stack)))));
  try {
    client.set('k', {});
  } catch (error) {
    note(plain(error.stack));
  }
  note(client.get('k', () => {}), Object.keys(client));
  await say(client.del, 'k', 'a');
  client.quit();
}

async function onPostgres(postgres) {
  note(postgres.name, postgres.length, String(postgres));
  const sql = postgres(process.env.DATABASE_URL, { max: 2 });
  const first = sql`SELECT ${1}::int AS x`;
  note(Object.keys(first));
  await ticks('query', first);
  note(Object.keys(first), Object.keys(sql.options), await first);
  await sql`SELECT FROM nowhere WHERE a = ${1}`.catch((error) => note(plain(error.stack), Object.keys(error)));
  const rows = await sql`SELECT 1 AS one`;
  note(rows, rows.count, rows.command, rows.columns.length);
  await sql.begin(async (own) => note(await own`SELECT ${'a'}::text AS x`)).catch(() => {});
  await sql.begin(async (own) => await own`SELECT 1 / 0`).catch((error) => note(plain(error.stack)));
  for await (const some of sql`SELECT * FROM generate_series(1, 3) AS n`.cursor(2)) note(some);
  note(await sql.unsafe('SELECT 1 AS one; SELECT 2 AS two'));
  const reserved = await sql.reserve();
  note(await reserved`SELECT 3 AS three`);
  reserved.release();
  await sql.end();
}

async function onMariadb({ createConnection, createPool }, onCallbacks) {
  note(createConnection.name, createConnection.length, String(createConnection));
  const connection = await createConnection({ ...mariadbSettings(), multipleStatements: true });
  const asked = connection.query('SELECT 1 AS one');
  await ticks('query', asked);
  const { meta, ...rest } = await connection.query('INSERT INTO unseen VALUES (1)').then((reply) => ({ ...reply, names: Object.keys(reply), shown: util.inspect(reply), text: JSON.stringify(reply) }));
  note(rest, meta, await connection.query('SELECT 1 AS one; DELETE FROM unseen; SELECT 2 AS two'));
  const error = async (promise) => promise.catch((error) => note(plain(error.stack), Object.keys(error), error.code));
  await error(connection.query('SELECT FROM nowhere'));
  await error(connection.execute('SELECT ? FROM nowhere', [1]));
  await error(connection.query('SELECT ?', [])); // the driver refuses it when it would send it
  await error(connection.batch('INSERT INTO unseen VALUES (?)', [['x'], [{}]]));
  const telling = { toSqlString: () => (note(plain(new Error('in a value').stack)), 'text') };
  note(await connection.query('SELECT ? AS x', [telling]), await connection.execute('SELECT ? AS x', [telling]));
  const prepared = await connection.prepare('SELECT ? AS x');
  note(await prepared.execute(['a']));
  prepared.close();
  for await (const row of connection.queryStream('SELECT 1 AS one UNION SELECT 2')) note(row, plain(new Error('in a stream').stack));
  await connection.end();
  const pool = createPool({ ...mariadbSettings(), connectionLimit: 2 });
  note(await pool.batch('INSERT INTO unseen VALUES (?)', [[1], [2]]), await Promise.all([1, 2, 3].map((n) => pool.query('SELECT ? AS n', n))));
  note(await pool.query('DELETE FROM unseen'));
  await pool.end();
  const called = onCallbacks.createConnection(mariadbSettings());
  await new Promise((resolve) => called.query('DO 0', (error, reply) => resolve(note(reply, plain(new Error('in a callback').stack)))));
  await new Promise((resolve) => called.query('SELECT FROM nowhere', (error) => resolve(note(plain(error.stack), plain(new Error('in a callback').stack)))));
  const sent = called.query('DO 0');
  await new Promise((resolve) => sent.on('end', () => resolve(note(Object.keys(sent), plain(new Error('in a listener').stack)))));
  await new Promise((resolve) => called.end(resolve));
}

function mariadbSettings() {
  const { hostname: host, port, username: user, pathname } = new URL(process.env.MARIADB_URL);
  return { host, port: Number(port), user, database: pathname.slice(1), insertIdAsNumber: true };
}

async function onBothMariadbs() {
  const ofFolder = require('node:module').createRequire(require('node:path').join(__dirname, 'mariadb/'));
  const made = await ofFolder('mariadb').createConnection(mariadbSettings());
  await made.query('CREATE OR REPLACE TABLE unseen (n int)');
  await made.end();
  await onMariadb(ofFolder('mariadb'), ofFolder('mariadb/callback'));
  const entry = (name) => import(require('node:url').pathToFileURL(require('node:path').join(__dirname, 'mariadb/node_modules/mariadb', name)));
  await onMariadb(await entry('promise.js'), await entry('callback.js'));
}

async function main() {
  if (process.env.MONGODB_URL) {
    await onMongoose('mongoose4', 'mongodb/node_modules/mongodb-core/lib', {}, (client) => client);
    await onMongoose('mongoose5', 'mongodb/lib/core', {}, (client) => client.db());
    await onMongoose('mongoose5', 'mongodb/lib/core', { useUnifiedTopology: true }, (client) => client.db());
  }
  if (process.env.REDIS_URL) await onRedis();
  if (process.env.MARIADB_URL) await onBothMariadbs();
  if (process.env.DATABASE_URL) {
    const url = require('node:url').pathToFileURL(require('node:path').join(__dirname, 'postgres/node_modules/postgres/src/index.js'));
    await onPostgres(require('./postgres/node_modules/postgres'));
    await onPostgres((await import(url)).default);
  }
  process.stdout.write(JSON.stringify(seen, null, 1));
}

main();
