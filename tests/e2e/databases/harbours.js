'use strict';
// Keeps its list in memory from the first time it is asked for, whatever is added later.
const http = require('node:http');
const { Pool } = require('pg');

const pool = new Pool({ connectionString: process.env.DATABASE_URL });
let kept;

const document = {
  openapi: '3.0.3',
  info: { title: 'Harbours', version: '1' },
  paths: {
    '/harbours': {
      get: { responses: { 200: { description: 'all' } } },
      post: {
        requestBody: { content: { 'application/json': { schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } } } },
        responses: { 201: { description: 'added' }, 400: { description: 'no name' } },
      },
    },
  },
};

async function answer(method, path, body) {
  if (path === '/openapi.json') return [200, document];
  if (path !== '/harbours') return [404, {}];
  if (method === 'GET') {
    kept ??= (await pool.query('SELECT name FROM harbours')).rows;
    return [200, { n: kept.length }];
  }
  const { name } = JSON.parse(body);
  if (typeof name !== 'string' || name.includes('\0')) return [400, {}];
  await pool.query('INSERT INTO harbours (name) VALUES ($1)', [name]);
  return [201, { name }];
}

const server = http.createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const [status, value] = await answer(request.method, request.url, body).catch(() => [400, { error: 'no JSON' }]);
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
});

async function main() {
  await pool.query('CREATE TABLE IF NOT EXISTS harbours (name text)');
  server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
}

main();
