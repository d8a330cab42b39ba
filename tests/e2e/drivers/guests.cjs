'use strict';
// An API on MariaDB by its own driver, with promises and callbacks: what is wrong with it shows only for rows that no
// call can make, and for an input that is part of a command.
const http = require('node:http');
const mariadb = require('mariadb');
const pool = mariadb.createPool(process.env.DATABASE_URL);
const callbacks = require('mariadb/callback').createPool(process.env.DATABASE_URL);

const card = { name: 'card', in: 'path', required: true, schema: { type: 'string', minLength: 2, maxLength: 12 } };
const answers = { 200: { description: 'ok' }, 404: { description: 'no' } };
const query = (name) => ({ name, in: 'query', required: true, schema: { type: 'string', maxLength: 20 } });
const OPENAPI = {
  openapi: '3.0.3',
  info: { title: 'Guests', version: '1' },
  paths: {
    '/guests': { get: { parameters: [query('name')], responses: answers } },
    '/guests/{card}': { parameters: [card], get: { responses: answers }, delete: { responses: answers } },
    '/guests/{card}/visits': { parameters: [card], post: { responses: answers } },
  },
};

async function guest(card) {
  const [found] = await pool.execute('SELECT card, kind FROM guests WHERE card = ?', [card]);
  if (found === undefined) return [404, { error: 'no such card' }];
  if (found.kind === 'child') throw new TypeError('no guardian');
  return [200, found];
}

async function visit(card) {
  const connection = await pool.getConnection();
  try {
    await connection.beginTransaction();
    const [found] = await connection.query({ namedPlaceholders: true, sql: 'SELECT card FROM guests WHERE card = :card FOR UPDATE' }, { card });
    if (found === undefined) return [404, { error: 'no such card' }];
    const { affectedRows } = await connection.batch('INSERT INTO visits (card, hours) VALUES (?, ?)', [[card, 1], [card, 2]]);
    await connection.query('UPDATE guests SET visits = visits + 2, seen = ?, photo = NULL WHERE card = ?', [new Date(), card]);
    await connection.commit();
    return [200, { affectedRows }];
  } finally {
    await connection.rollback();
    connection.release();
  }
}

function remove(card) {
  return new Promise((resolve, reject) =>
    callbacks.query('DELETE FROM guests WHERE card = ?', [card], (error, result) => (error ? reject(error) : resolve([result.affectedRows === 0 ? 404 : 200, {}]))),
  );
}

const search = async (name) => [200, await pool.query(`SELECT card FROM guests WHERE kind LIKE '%${name}%'`)];

const server = http.createServer(async (request, response) => {
  const url = new URL(request.url, 'http://localhost');
  const [, kind, name, more] = url.pathname.split('/').map(decodeURIComponent);
  let answer = [404, { error: 'not found' }];
  try {
    if (kind === 'openapi.json') answer = [200, OPENAPI];
    else if (more === 'visits') answer = await visit(name);
    else if (request.method === 'DELETE') answer = await remove(name);
    else if (name) answer = await guest(name);
    else if (kind === 'guests') answer = await search(url.searchParams.get('name'));
  } catch (error) {
    console.error(error);
    answer = [500, { error: 'internal' }];
  }
  response.writeHead(answer[0], { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer[1]));
});
server.listen(Number(process.env.PORT || 0), '127.0.0.1');
