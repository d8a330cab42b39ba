'use strict';
// Counts in memory, and has a mode in which it takes nothing, which only a start ends.
const http = require('node:http');
const NAMES = ['ash', 'birch', 'cedar', 'elm', 'fir', 'larch', 'maple', 'oak'];
let isClosed = false;
const counts = new Map();
const json = (schema) => ({ required: true, content: { 'application/json': { schema } } });
const answers = { 200: { description: 'done' }, 400: { description: 'what?' }, 503: { description: 'closed' } };
const paths = { '/close': { post: { requestBody: json({ type: 'object', required: ['isSure'], properties: { isSure: { type: 'boolean' } } }), responses: answers } } };
for (const name of NAMES) {
  paths[`/${name}`] = { post: { requestBody: json({ type: 'object', required: ['n'], properties: { n: { type: 'integer' } } }), responses: answers } };
}
const document = { openapi: '3.0.3', info: { title: 'Trees', version: '1' }, paths };
const server = http.createServer((request, response) => {
  let text = '';
  request.on('data', (chunk) => (text += chunk));
  request.on('end', () => {
    const send = (status, value) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    const name = request.url.slice(1);
    if (name === 'openapi.json') return send(200, document);
    let body;
    try { body = JSON.parse(text); } catch { return send(400, { error: 'no JSON' }); }
    if (name === 'close') {
      if (body?.isSure === true) isClosed = true;
      return send(200, { isClosed });
    }
    if (isClosed) return send(503, { error: 'closed' });
    if (!NAMES.includes(name)) return send(404, {});
    const n = body?.n;
    if (!Number.isInteger(n)) return send(400, { error: 'n' });
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    if (n > 1000) return send(200, { name, size: 'huge', count });
    if (n < 0) return send(200, { name, size: 'none', count });
    if (n === 77 + name.length) return send(200, { name, size: 'odd', count });
    send(200, { name, size: 'some', count });
  });
});
server.listen(Number(process.env.PORT), '127.0.0.1');
