// An API on Redis, by the callbacks of version 3: only keys that a test brings lead past the 404.
'use strict';
const http = require('node:http');
const { createClient } = require('redis');

const client = createClient({ url: process.env.REDIS_URL });

const token = { name: 'token', in: 'path', required: true, schema: { type: 'string', minLength: 1, maxLength: 12 } };
const answers = { 200: { description: 'one' }, 404: { description: 'none' } };
const document = {
  openapi: '3.0.3',
  info: { title: 'Sessions', version: '1' },
  paths: {
    '/sessions/{token}': { parameters: [token], get: { responses: answers }, post: { responses: answers } },
    '/visits': { post: { responses: answers } },
  },
};

function session(token, done) {
  client.hget(`session:${token}`, 'role', (error, found) => {
    if (error) return done(500, { error: error.message });
    if (found === null) return done(404, { error: 'none' });
    if (found === 'admin') return done(500, { error: 'no rights yet' });
    return done(200, { token });
  });
}

function start(token, done) {
  client
    .multi()
    .hset(`session:${token}`, 'role', 'guest')
    .expire(`session:${token}`, 3600)
    .exec((error) => done(error ? 500 : 200, { token }));
}

const send = (response) => (status, body) => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};

const server = http.createServer((request, response) => {
  const answer = send(response);
  const [kind, name] = request.url.split('/').slice(1).map(decodeURIComponent);
  if (kind === 'openapi.json') return answer(200, document);
  if (kind === 'visits') {
    return client.incr('visits', (error, visits) => {
      client.get('visits'); // nobody waits for it
      answer(error ? 500 : 200, { visits });
    });
  }
  return request.method === 'POST' ? start(name, answer) : session(name, answer);
});
client.on('ready', () => server.listen(Number(process.env.PORT), '127.0.0.1'));
