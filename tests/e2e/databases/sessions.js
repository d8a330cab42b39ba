'use strict';
// Sessions and visits are made elsewhere: only keys and rows that a test brings lead past the 404. The table of visits has no key.
const http = require('node:http');
const { Pool } = require('pg');
const { createClient } = require('redis');

const pool = new Pool({ connectionString: process.env.DATABASE_URL });
const client = createClient({ url: process.env.REDIS_URL });

const token = { name: 'token', in: 'path', required: true, schema: { type: 'string', maxLength: 12 } };
const answers = { 200: { description: 'one' }, 404: { description: 'none' } };
const document = {
  openapi: '3.0.3',
  info: { title: 'Sessions', version: '1' },
  paths: {
    '/sessions/{token}': { parameters: [token], get: { responses: answers } },
    '/visits/{token}': { parameters: [token], get: { responses: answers }, post: { responses: { 201: { description: 'noted' } } } },
  },
};

async function session(token) {
  const role = await client.hGet(`session:${token}`, 'role');
  if (role === null) return [404, { error: 'none' }];
  throw new Error(`no rights of a ${typeof role}`);
}

async function visits(token, isNew) {
  if (isNew) {
    await pool.query('INSERT INTO visits VALUES (NULL, 0)');
    return [201, { token, visits: await client.incr('visits') }];
  }
  const { rows } = await pool.query('SELECT times FROM visits WHERE token = $1', [token]);
  if (rows.length === 0) return [404, { error: 'none' }];
  throw new Error(`visits of ${typeof rows[0].times}`);
}

http
  .createServer(async (request, response) => {
    let status = 200;
    let body = document;
    try {
      const [kind, name] = request.url.split('/').slice(1).map(decodeURIComponent);
      if (kind === 'sessions') [status, body] = await session(name);
      if (kind === 'visits') [status, body] = await visits(name, request.method === 'POST');
    } catch (error) {
      console.error(error);
      [status, body] = [500, { error: error.message }];
    }
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  })
  .listen(Number(process.env.PORT), '127.0.0.1', () => client.connect());
