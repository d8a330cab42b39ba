// A library whose patrons are in a database, and whose sessions are in Redis if REDIS_URL names one, else in memory. It
// counts the sign-ups and logins that it gets, for the test.
const http = require('http');
const { Pool } = require('pg');

const pool = new Pool({ connectionString: process.env.DATABASE_URL });
const inMemory = new Map();
const inRedis = process.env.REDIS_URL ? new (require('ioredis'))(process.env.REDIS_URL) : null;
const sessions = inRedis
  ? { get: (token) => inRedis.get(token), set: (token, id) => inRedis.set(token, id), delete: (token) => inRedis.del(token) }
  : inMemory;
const received = { signUps: 0, logins: 0 };

const routes = {
  'POST /register': async ({ name, password }) => {
    received.signUps += 1;
    const { rows: [taken] } = await pool.query('SELECT id FROM patrons WHERE name = $1', [name]);
    if (taken) return [409, {}];
    const { rows: [made] } = await pool.query('INSERT INTO patrons (name, password) VALUES ($1, $2) RETURNING id', [name, password]);
    return [201, { id: made.id }];
  },
  'POST /login': async ({ name, password }) => {
    received.logins += 1;
    const { rows: [patron] } = await pool.query('SELECT * FROM patrons WHERE name = $1 AND password = $2', [name, password]);
    if (!patron) return [401, {}];
    const token = `t-${patron.id}-${received.logins}`;
    await sessions.set(token, patron.id);
    return [200, { token }];
  },
  'POST /loans': async (_, patron) => {
    await pool.query('INSERT INTO loans (patron) VALUES ($1)', [patron]);
    const { rows: [{ count }] } = await pool.query('SELECT count(*)::int FROM loans');
    return [201, { count, patron }];
  },
  'POST /logout': async (_, patron, token) => [await sessions.delete(token) ? 204 : 404, {}],
  'GET /patrons': async () => [200, (await pool.query('SELECT count(*)::int FROM patrons')).rows[0]],
  'GET /received': async () => [200, received],
};

const server = http.createServer((request, response) => {
  let text = '';
  request.on('data', (part) => { text += part; });
  request.on('end', async () => {
    const token = request.headers.authorization;
    const route = `${request.method} ${request.url}`;
    const needsUser = /loans|logout/.test(route);
    const answer = routes[route] ?? (() => [404, {}]);
    const patron = token && await sessions.get(token);
    const [status, value] = needsUser && !patron ? [401, {}] : await answer(text ? JSON.parse(text) : {}, patron, token);
    response.writeHead(status, { 'content-type': 'application/json' }).end(status === 204 ? undefined : JSON.stringify(value));
  });
});

async function start() {
  await pool.query('CREATE TABLE IF NOT EXISTS patrons (id serial PRIMARY KEY, name text UNIQUE, password text)');
  await pool.query('CREATE TABLE IF NOT EXISTS loans (id serial PRIMARY KEY, patron int REFERENCES patrons)');
}

start().then(() => server.listen(Number(process.env.PORT), '127.0.0.1'));
