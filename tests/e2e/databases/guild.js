'use strict';
// Members of MySQL, with the login of a file. No call makes one, so only rows that a test brings lead past the 404.
const fs = require('node:fs');
const http = require('node:http');
const mysql = require('mysql');

const file = process.env.LOGIN_FILE;
const login = file ? JSON.parse(fs.readFileSync(file, 'utf8')) : require('./ormconfig.js');
const port = Number(process.env.MYSQL_PORT);
const pool = mysql.createPool({ host: '127.0.0.1', port, database: 'shop', charset: 'utf8mb4', ...login });
const query = (text, values) =>
  new Promise((resolve, reject) => pool.query(text, values, (error, rows) => (error ? reject(error) : resolve(rows))));

const document = {
  openapi: '3.0.3',
  info: { title: 'Guild', version: '1' },
  paths: {
    '/members/{card}': {
      parameters: [{ name: 'card', in: 'path', required: true, schema: { type: 'string', maxLength: 12 } }],
      get: { responses: { 200: { description: 'one' }, 404: { description: 'none' } } },
    },
  },
};

async function answer(path) {
  if (path === '/openapi.json') return [200, document];
  const [member] = await query('SELECT * FROM guild_members WHERE card = ?', [decodeURIComponent(path.split('/')[2] ?? '')]);
  if (member === undefined) return [404, { error: 'none' }];
  return [200, { card: member.card, city: member.city.trim() }];
}

const server = http.createServer(async (request, response) => {
  const [status, body] = await answer(request.url).catch((error) => [500, { error: error.name }]);
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
});

query('CREATE TABLE IF NOT EXISTS guild_members (card varchar(12) PRIMARY KEY, city text) CHARACTER SET utf8mb4').then(() => {
  server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
});
