'use strict';
// Goes on in the database after its answer, from the last row to the first: whoever changes these in another order meanwhile meets a deadlock.
const http = require('node:http');
const { Pool } = require('pg');

const pool = new Pool({ connectionString: process.env.DATABASE_URL });
const parameter = (name, schema) => [{ name, in: 'path', required: true, schema }];
const document = {
  openapi: '3.0.3',
  info: { title: 'Seats', version: '1' },
  paths: {
    '/seats/{id}': { put: { parameters: parameter('id', { type: 'integer', minimum: 1, maximum: 2 }), responses: { 202: { description: 'soon' } } } },
    '/codes/{code}': { get: { parameters: parameter('code', { type: 'string', enum: ['a', 'b'] }), responses: { 200: { description: 'open' }, 404: { description: 'none' } } } },
  },
};

async function move(id) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('UPDATE seats SET moves = moves + 1 WHERE id = 3');
    await client.query('SELECT pg_sleep(0.02)');
    await client.query('UPDATE seats SET moves = moves + 1 WHERE id = $1', [id]);
    await client.query('COMMIT');
  } catch {
    await client.query('ROLLBACK');
  } finally {
    client.release();
  }
}

async function answer(method, path) {
  if (path === '/openapi.json') return [200, document];
  const [, kind, value] = path.split('/');
  if (kind === 'seats' && method === 'PUT') {
    await pool.query('UPDATE seats SET moves = moves + 1');
    void move(Number(value));
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
