'use strict';
// Counts in Redis, with both of its drivers.
const http = require('node:http');
const Redis = require('ioredis');
const { createClient } = require('redis');

const port = Number(process.env.REDIS_PORT);
const prefixed = new Redis({ port, keyPrefix: 'shop:', lazyConnect: true });
const client = createClient({ url: `redis://127.0.0.1:${port}` });
const connected = client.connect();

const answers = { 200: { description: 'done' } };
const document = {
  openapi: '3.0.3',
  info: { title: 'Counter', version: '1' },
  paths: Object.fromEntries(['hits', 'books', 'scripts', 'sessions', 'everything'].map((name) => [`/${name}`, { post: { responses: answers } }])),
};

async function answer(path) {
  await connected;
  switch (path) {
    case '/hits':
      return { hits: await prefixed.incr('hits'), best: await prefixed.pipeline().zincrby('best', 5, 'x').lpush('list', '1').exec() };
    case '/books':
      return client.multi().hSet('shop:book', 'a', '9').hDel('shop:book', 'b').rename('shop:best', 'other').exec().catch((error) => error.message);
    case '/scripts':
      return prefixed.eval("redis.call('DEL', 'session') return redis.call('SET', KEYS[1], 'x')", 1, 'made');
    case '/sessions':
      return [await client.del('session'), await client.set('mine', 'x', { EX: 5 }), await client.append('\xff', 'x')];
    case '/everything':
      return client.flushAll();
    default:
      return undefined;
  }
}

http
  .createServer(async (request, response) => {
    const value = request.url === '/openapi.json' ? document : await answer(request.url);
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(value ?? null));
  })
  .listen(process.env.PORT || 0, '127.0.0.1');
