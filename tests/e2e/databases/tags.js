'use strict';
// Lists tags as PostgreSQL has them, by words that name no order, and by others that do.
const http = require('node:http');
const { Pool } = require('pg');

const pool = new Pool({ connectionString: process.env.DATABASE_URL });

const answers = { 200: { description: 'done' } };
const document = {
  openapi: '3.0.3',
  info: { title: 'Tags', version: '1' },
  paths: { '/tags': { get: { responses: answers } }, '/sorted': { get: { responses: answers } } },
};

const server = http.createServer(async (request, response) => {
  const send = (value) => {
    response.writeHead(value ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value ?? {}));
  };
  const path = request.url.split('?')[0];
  if (path === '/openapi.json') return send(document);
  if (path === '/tags') return send({ tags: (await pool.query('SELECT id, name FROM tags WHERE id > 0')).rows });
  if (path === '/sorted') return send({ tags: (await pool.query('SELECT id, name FROM tags ORDER BY id')).rows });
  send();
});

server.listen(Number(process.env.PORT), '127.0.0.1');
