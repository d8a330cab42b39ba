'use strict';
// A PUT is answered while its transaction has the last of the rows. It asks for the first one when somebody waits for the last:
// whoever changes them from the first to the last, as the reset does, meets a deadlock each time, and not by chance.
const http = require('node:http');
const { Pool } = require('pg');

// Two PUTs that wait for each other must not do so for longer than the reset tries: a database looks for deadlocks once.
const pool = new Pool({ connectionString: process.env.DATABASE_URL, options: '-c lock_timeout=1s' });
const MAX_WAIT_MS = 1000;
const document = {
  openapi: '3.0.3',
  info: { title: 'Seats', version: '1' },
  paths: {
    '/seats': { put: { responses: { 202: { description: 'soon' } } } },
    '/codes/{code}': { get: { parameters: [{ name: 'code', in: 'path', required: true, schema: { type: 'string', enum: ['a', 'b'] } }], responses: { 200: { description: 'open' }, 404: { description: 'none' } } } },
  },
};

const IS_WAITED_FOR = 'SELECT 1 FROM pg_stat_activity WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))';
const change = (client, id) => client.query('UPDATE seats SET moves = moves + 1 WHERE id = $1', [id]);

async function move() {
  const client = await pool.connect();
  const { rows } = await client.query('SELECT id FROM seats ORDER BY ctid'); // the reset's order
  await client.query("BEGIN; SET LOCAL deadlock_timeout = '60s'"); // so that the other one is refused
  await change(client, rows.at(-1).id).catch((error) => (client.release(true), Promise.reject(error)));
  goOn(client, rows[0].id).then(
    () => client.release(),
    () => client.release(true),
  );
}

async function goOn(client, id) {
  const end = Date.now() + MAX_WAIT_MS;
  while (Date.now() < end && !(await client.query(IS_WAITED_FOR)).rows.length);
  await change(client, id);
  await client.query('COMMIT');
}

async function answer(method, path) {
  if (path === '/openapi.json') return [200, document];
  const [, kind, value] = path.split('/');
  if (kind === 'seats' && method === 'PUT') {
    await pool.query('UPDATE seats SET moves = moves + 1');
    await move();
    return [202, null];
  }
  if (kind === 'codes') {
    const { rows } = await pool.query('SELECT * FROM codes WHERE code = $1 AND is_open', [value]);
    return rows.length ? [200, null] : [404, null];
  }
  return [404, null];
}

http
  .createServer((request, response) => {
    request.resume().on('end', () =>
      answer(request.method, request.url).then(
        ([status, body]) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
        () => response.writeHead(500).end(),
      ),
    );
  })
  .listen(Number(process.env.PORT), '127.0.0.1');
