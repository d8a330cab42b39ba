'use strict';
// Hides what its database refuses when half of the work is done, and asks once for each row.
const http = require('node:http');
const { Pool } = require('pg');

const pool = new Pool({ connectionString: process.env.DATABASE_URL });

const document = {
  openapi: '3.0.3',
  info: { title: 'Codes', version: '1' },
  paths: {
    '/codes/{code}': {
      parameters: [{ name: 'code', in: 'path', required: true, schema: { type: 'string', minLength: 1 } }],
      put: { responses: { 204: { description: 'kept' } } },
    },
    '/uses': { get: { parameters: [{ name: 'code', in: 'query', required: true, schema: { type: 'string' } }], responses: { 200: { description: 'those of a code' } } } },
    '/codes': { get: { responses: { 200: { description: 'all' } } } },
  },
};

async function answer(method, path) {
  if (path === '/openapi.json') return [200, document];
  if (method === 'PUT') {
    await pool.query('INSERT INTO uses (code) VALUES ($1)', [path]);
    await pool.query('INSERT INTO codes (code) VALUES ($1) ON CONFLICT DO NOTHING', [decodeURIComponent(path.split('/')[2])]);
    return [200, {}];
  }
  if (path.startsWith('/uses')) {
    const { rows } = await pool.query(`SELECT code FROM uses WHERE code = '${new URL(path, 'http://host').searchParams.get('code')}'`);
    return [200, { n: rows.length }];
  }
  const { rows } = await pool.query('SELECT code FROM codes');
  const uses = [];
  for (const { code } of rows) {
    const found = await pool.query('SELECT count(*) AS n FROM uses WHERE code = $1', [code]);
    uses.push(found.rows[0].n);
  }
  return [200, { uses }];
}

const server = http.createServer(async (request, response) => {
  const [status, body] = await answer(request.method, request.url).catch(() => [500, { error: 'broken' }]);
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
});

async function main() {
  await pool.query('CREATE TABLE IF NOT EXISTS codes (code varchar(5) PRIMARY KEY); CREATE TABLE IF NOT EXISTS uses (code text)');
  server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
}

main();
