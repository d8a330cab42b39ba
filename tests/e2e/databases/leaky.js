'use strict';
// Forgets to end a transaction, so rows that were changed before stay locked.
const http = require('node:http');
const { Pool } = require('pg');

const pool = new Pool({ connectionString: process.env.DATABASE_URL });
const answers = { 200: { description: 'done' } };
const document = { openapi: '3.0.3', info: { title: 'Leaky', version: '1' }, paths: { '/leak': { post: { responses: answers } } } };

http
  .createServer(async (request, response) => {
    if (request.url === '/leak') {
      await pool.query('SET lock_timeout = 100; UPDATE t SET n = n + 1').catch(() => {});
      const client = await pool.connect();
      await client.query('BEGIN');
      await client.query('SET LOCAL lock_timeout = 100');
      await client.query('UPDATE t SET n = n + 1').catch(() => {});
    }
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(request.url === '/openapi.json' ? document : {}));
  })
  .listen(process.env.PORT || 0, '127.0.0.1');
