'use strict';
// A club on MariaDB by the driver that DRIVER names, by callbacks, promises, prepared statements and transactions.
const http = require('node:http');
const { promisify } = require('node:util');
const mysql = require(process.env.DRIVER ?? 'mysql2');

const pool = mysql.createPool(process.env.MYSQL_URL);
const promised = pool.promise ? pool.promise() : promising(pool);

/** What mysql2 brings along. */
function promising(owner) {
  const query = (text, values) => new Promise((resolve, reject) => owner.query(text, values, (error, rows, fields) => (error ? reject(error) : resolve([rows, fields]))));
  const [getConnection, beginTransaction, commit, rollback] = ['getConnection', 'beginTransaction', 'commit', 'rollback'].map((name) => owner[name] && promisify(owner[name].bind(owner)));
  return {
    query, execute: query, beginTransaction, commit, rollback,
    getConnection: async () => promising(await getConnection()),
    release: () => owner.release(),
  };
}

const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1, maximum: 4 } };
const body = { required: true, content: { 'application/json': { schema: { type: 'object', required: ['email'], properties: { email: { type: 'string', maxLength: 50 } } } } } };
const answers = { 200: { description: 'done' }, 404: { description: 'none' } };
const document = {
  openapi: '3.0.3',
  info: { title: 'Club', version: '1' },
  paths: {
    '/members': { get: { responses: answers }, post: { requestBody: body, responses: answers } },
    '/members/{id}': { parameters: [id], put: { responses: answers }, delete: { responses: answers } },
    '/members/{id}/visits': { parameters: [id], post: { responses: answers } },
  },
};

async function answer(method, path, input) {
  const [, first, number, second] = path.split('/');
  if (path === '/openapi.json') return [200, document];
  if (first !== 'members') return [404];
  if (second === 'visits') {
    const connection = await promised.getConnection();
    try {
      await connection.beginTransaction();
      await connection.execute('INSERT INTO visits (member_id, fee) VALUES (?, ?)', [number, 3]);
      await connection.execute('UPDATE members SET weight = weight + 1.5, flags = 3, height = 7 WHERE id = ?', [number]);
      await connection.commit();
      return [200];
    } catch (error) {
      await connection.rollback();
      if (error.code === 'ER_NO_REFERENCED_ROW_2') return [404];
      throw error;
    } finally {
      connection.release();
    }
  }
  if (method === 'POST') {
    await promised.execute('INSERT IGNORE INTO members (email) VALUES (?)', [input.email]);
    return [200];
  }
  if (method === 'GET') return new Promise((resolve) => pool.query('SELECT * FROM members ORDER BY id', (error, rows) => resolve(error ? [500] : [200, rows])));
  const text = method === 'PUT' ? 'UPDATE members SET email = CONCAT(email, id), picture = NULL WHERE id = ?' : 'DELETE FROM members WHERE id = ?';
  const [{ affectedRows }] = await promised.query(text, [number]);
  return [affectedRows > 0 ? 200 : 404];
}

http
  .createServer((request, response) => {
    let text = '';
    request.on('data', (part) => (text += part));
    request.on('end', async () => {
      const [status, value] = await answer(request.method, request.url, text ? JSON.parse(text) : {}).catch((error) => [500, { error: error.message }]);
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(value ?? {}));
    });
  })
  .listen(process.env.PORT || 0, '127.0.0.1');
