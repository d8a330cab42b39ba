'use strict';
/** Keeps a number outside of its folder, where wimble does not look. `/reset` sets it back. */
const fs = require('node:fs');
const http = require('node:http');

const FILE = process.env.ENTRIES_FILE;
const read = () => (fs.existsSync(FILE) ? Number(fs.readFileSync(FILE, 'utf8')) : 0);
const path = (method, responses) => ({ [method]: { responses } });
const DOCUMENT = {
  openapi: '3.0.3',
  info: { title: 'Ledger', version: '1' },
  paths: {
    '/entries': { ...path('get', { 200: { description: 'count' } }), ...path('post', { 201: { description: 'added' }, 409: { description: 'full' } }) },
  },
};

const server = http.createServer((request, response) => {
  const answer = (status, value) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  if (request.url === '/openapi.json') return answer(200, DOCUMENT);
  if (request.url === '/reset' && request.method === 'POST') {
    fs.rmSync(FILE, { force: true });
    return answer(200, {});
  }
  if (request.url !== '/entries') return answer(404, {});
  const count = read();
  if (request.method === 'GET') return answer(200, { count });
  if (count >= 2) return answer(409, { full: true });
  fs.writeFileSync(FILE, String(count + 1));
  return answer(201, { count: count + 1 });
});
server.listen(Number(process.env.PORT), '127.0.0.1');
