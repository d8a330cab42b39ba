'use strict';
// A PUT changes a row, and then keeps its process busy for good.
const http = require('node:http');
const { Pool } = require('pg');

const pool = new Pool({ connectionString: process.env.DATABASE_URL });
const document = {
  openapi: '3.0.3',
  info: { title: 'Seats', version: '1' },
  paths: { '/seats': { put: { responses: { 204: { description: 'moved' } } } } },
};

http
  .createServer(async (request, response) => {
    if (request.url === '/openapi.json') {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
      return;
    }
    if (request.method === 'PUT') {
      await pool.query('UPDATE seats SET moves = moves + 1');
      for (let n = 0; ; n++);
    }
    response.writeHead(404).end();
  })
  .listen(Number(process.env.PORT), '127.0.0.1');
