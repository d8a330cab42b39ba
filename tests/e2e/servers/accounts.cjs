'use strict';
// An API on a file of SQLite, made by the start of the program, that ends when it reads an account of one kind.
const http = require('node:http');
const { DatabaseSync } = require('node:sqlite');

const database = new DatabaseSync('accounts.db');
if (process.env.JOURNAL) database.exec(`PRAGMA journal_mode = ${process.env.JOURNAL}`);
database.exec('CREATE TABLE IF NOT EXISTS accounts (id INTEGER PRIMARY KEY AUTOINCREMENT, code TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, sum INTEGER)');
database.exec("INSERT INTO accounts (code, kind, sum) SELECT 'A1', 'plain', 3 WHERE NOT EXISTS (SELECT 1 FROM accounts)");

const parameters = [{ name: 'code', in: 'path', required: true, schema: { type: 'string', maxLength: 9 } }];
const responses = { 200: { description: 'ok' }, 404: { description: 'none' } };
const body = { required: true, content: { 'application/json': { schema: { type: 'object', required: ['sum'], properties: { sum: { type: 'integer', minimum: 0, maximum: 99 } } } } } };
const document = {
  openapi: '3.0.3',
  info: { title: 'Accounts', version: '1' },
  paths: { '/accounts/{code}': { parameters, get: { responses }, put: { requestBody: body, responses } } },
};

function answer(method, path, input) {
  if (path === '/openapi.json') return [200, document];
  const code = decodeURIComponent(path.split('/')[2] ?? '');
  const account = database.prepare('SELECT * FROM accounts WHERE code = ?').get(code);
  if (account === undefined) return [404, {}];
  if (method === 'PUT') database.prepare('UPDATE accounts SET sum = ? WHERE code = ?').run(Number(input.sum) || 0, code);
  if (account.kind === 'blocked') process.exit(9);
  return [200, { id: account.id, sum: database.prepare('SELECT sum FROM accounts WHERE code = ?').get(code).sum }];
}

const server = http.createServer((request, response) => {
  let text = '';
  request.on('data', (part) => (text += part));
  request.on('end', () => {
    let [status, value] = [400, {}];
    try {
      [status, value] = answer(request.method, request.url, text ? JSON.parse(text) : {});
    } catch (error) {
      value = { error: error.name };
    }
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(value));
  });
});
server.listen(Number(process.env.PORT), '127.0.0.1');
