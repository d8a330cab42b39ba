'use strict';
// Members come from elsewhere: no call makes one, so only rows that a test brings lead past the 404.
const http = require('node:http');
const { Pool } = require('pg');

const pool = new Pool({ connectionString: process.env.DATABASE_URL });

const document = {
  openapi: '3.0.3',
  info: { title: 'Members', version: '1' },
  paths: {
    '/members/{card}': {
      parameters: [{ name: 'card', in: 'path', required: true, schema: { type: 'string', maxLength: 12 } }],
      get: { responses: { 200: { description: 'one' }, 404: { description: 'none' } } },
    },
  },
};

async function answer(path) {
  if (path === '/openapi.json') return [200, document];
  const card = decodeURIComponent(path.split('/')[2] ?? '');
  const { rows } = await pool.query('SELECT m.*, c.city FROM members m JOIN cities c ON c.id = m.city_id WHERE m.card = $1', [card]);
  if (rows.length === 0) return [404, { error: 'none' }];
  if (rows[0].kind === 'child') return [200, { guardian: rows[0].guardian.toLowerCase() }];
  return [200, { card, city: rows[0].city }];
}

const server = http.createServer(async (request, response) => {
  let status = 500;
  let body = { error: 'broken' };
  try {
    [status, body] = await answer(request.url);
  } catch (error) {
    console.error(error);
    body = { error: error.message };
  }
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
});

async function main() {
  await pool.query(`
    CREATE TABLE IF NOT EXISTS cities (id serial PRIMARY KEY, city text NOT NULL);
    CREATE TABLE IF NOT EXISTS members (
      card varchar(12) PRIMARY KEY, city_id integer NOT NULL REFERENCES cities (id),
      kind text NOT NULL DEFAULT 'adult' CHECK (kind IN ('adult', 'child')), guardian text
    )`);
  server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
}

main();
