'use strict';
// Checks what it is sent, and leaves to the database what only that can know: whether a chip is taken, and who still has dogs.
const http = require('node:http');
const { Pool } = require('pg');

const pool = new Pool({ connectionString: process.env.DATABASE_URL });

const json = (schema) => ({ required: true, content: { 'application/json': { schema } } });
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1, maximum: 2000000000 } };
const text = { type: 'string', minLength: 6, maxLength: 30 };
const answers = { 200: { description: 'done' }, 400: { description: 'what?' }, 404: { description: 'none' } };
const document = {
  openapi: '3.0.3',
  info: { title: 'Kennel', version: '1' },
  paths: {
    '/owners': { post: { requestBody: json({ type: 'object', required: ['email'], properties: { email: text } }), responses: answers } },
    '/owners/{id}': {
      parameters: [id],
      delete: { responses: answers },
      patch: { requestBody: json({ type: 'object', required: ['email'], properties: { email: text } }), responses: answers },
    },
    '/dogs': {
      post: {
        requestBody: json({
          type: 'object',
          required: ['chip', 'owner'],
          properties: { chip: { type: 'string', pattern: '^[0-9]{15}$' }, owner: { type: 'integer', minimum: 1, maximum: 2000000000 } },
        }),
        responses: answers,
      },
    },
  },
};

const isText = (value) => typeof value === 'string' && value.length >= 6 && value.length <= 30 && !value.includes('\0');
const isId = (value) => Number.isInteger(value) && value >= 1 && value <= 2000000000;

async function addOwner({ email }) {
  if (!isText(email)) return [400, {}];
  return [200, (await pool.query('INSERT INTO owners (email) VALUES ($1) RETURNING email', [email])).rows[0]];
}

async function changeOwner(owner, { email }) {
  if (!isText(email)) return [400, {}];
  return [(await pool.query('UPDATE owners SET email = $1 WHERE id = $2', [email, owner])).rowCount ? 200 : 404, {}];
}

async function removeOwner(owner) {
  return [(await pool.query('DELETE FROM owners WHERE id = $1', [owner])).rowCount ? 200 : 404, {}];
}

async function addDog({ chip, owner }) {
  if (typeof chip !== 'string' || !/^[0-9]{15}$/.test(chip) || !isId(owner)) return [400, {}];
  const { rows } = await pool.query('SELECT id FROM owners WHERE id = $1', [owner]);
  if (rows.length === 0) return [404, {}];
  await pool.query('INSERT INTO dogs (chip, owner_id) VALUES ($1, $2)', [chip, owner]);
  return [200, {}];
}

async function answer(request, body) {
  if (request.url === '/openapi.json') return [200, document];
  const [, kind, given] = request.url.split('/');
  const owner = Number(given);
  if (given !== undefined && !isId(owner)) return [400, {}];
  switch (`${request.method} ${kind}`) {
    case 'POST owners':
      return addOwner(body);
    case 'PATCH owners':
      return changeOwner(owner, body);
    case 'DELETE owners':
      return removeOwner(owner);
    case 'POST dogs':
      return addDog(body);
    default:
      return [404, {}];
  }
}

const server = http.createServer(async (request, response) => {
  let status = 400;
  let body = {};
  try {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const sent = Buffer.concat(chunks).toString();
    let given;
    try {
      given = Object(JSON.parse(sent || '{}'));
    } catch {
      given = {};
    }
    [status, body] = await answer(request, given);
  } catch (error) {
    console.error(error);
    status = 500;
  }
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
});

async function main() {
  await pool.query(`
    CREATE TABLE IF NOT EXISTS owners (id serial PRIMARY KEY, email varchar(30) NOT NULL UNIQUE);
    CREATE TABLE IF NOT EXISTS dogs (chip char(15) PRIMARY KEY, owner_id integer NOT NULL REFERENCES owners (id))`);
  server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
}

main();
