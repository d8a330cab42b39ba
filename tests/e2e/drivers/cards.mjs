// An API on PostgreSQL by Postgres.js, as an ES module: what is wrong with it shows only for rows that no call can make.
import http from 'node:http';
import postgres from 'postgres';

const sql = postgres(process.env.DATABASE_URL, { max: 3, onnotice: () => {} });

const card = { name: 'card', in: 'path', required: true, schema: { type: 'string', minLength: 2, maxLength: 12 } };
const answers = { 200: { description: 'ok' }, 404: { description: 'no' } };
const OPENAPI = {
  openapi: '3.0.3',
  info: { title: 'Cards', version: '1' },
  paths: {
    '/cards/{card}': {
      parameters: [card, { name: 'kind', in: 'query', schema: { type: 'string', enum: ['adult', 'child'] } }],
      get: { responses: answers },
      delete: { responses: answers },
    },
    '/cards/{card}/loans': { parameters: [card], post: { responses: answers } },
  },
};

async function member(card, kind) {
  const ofKind = kind === null ? sql`` : sql`AND kind = ${kind}`;
  const [found] = await sql`SELECT card, kind, settings FROM members WHERE card = ${card} ${ofKind}`;
  if (found === undefined) return [404, { error: 'no such card' }];
  if (found.kind === 'child') throw new TypeError('no guardian');
  return [200, found];
}

function loan(card) {
  return sql.begin(async (own) => {
    const [found] = await own`SELECT card FROM members WHERE card = ${card} FOR UPDATE`;
    if (found === undefined) return [404, { error: 'no such card' }];
    const [made] = await own`INSERT INTO loans ${own({ card, at: new Date(0) })} RETURNING id`;
    await own`UPDATE members SET loans = loans + 1 WHERE card = ${card}`;
    return [200, made];
  });
}

async function remove(card) {
  const { count } = await sql`DELETE FROM members WHERE card = ${card}`;
  return [count === 0 ? 404 : 200, {}];
}

const server = http.createServer(async (request, response) => {
  const url = new URL(request.url, 'http://localhost');
  const [, kind, name, more] = url.pathname.split('/').map(decodeURIComponent);
  let answer = [404, { error: 'not found' }];
  try {
    if (kind === 'openapi.json') answer = [200, OPENAPI];
    else if (more === 'loans') answer = await loan(name);
    else if (request.method === 'DELETE') answer = await remove(name);
    else if (kind === 'cards') answer = await member(name, url.searchParams.get('kind'));
  } catch (error) {
    console.error(error);
    answer = [500, { error: 'internal' }];
  }
  response.writeHead(answer[0], { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer[1]));
});
server.listen(Number(process.env.PORT || 0), '127.0.0.1');
