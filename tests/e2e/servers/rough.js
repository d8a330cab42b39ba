'use strict';
// An API whose answers are a trial for any HTTP client: one kind of roughness per path, and one fault to be found among them.
const http = require('node:http');
const zlib = require('node:zlib');

const JSON_TYPE = { 'content-type': 'application/json' };
const BODY = JSON.stringify({ ok: true, text: 'a'.repeat(200) });
const MEGABYTE = Buffer.alloc(1 << 20, 0x20);
/** Made once: on a busy machine it takes longer than a call may. */
const BOMB = zlib.gzipSync(Buffer.alloc(50 << 20));
const requestsSeen = new Map();

/** Writes until the client has gone, or `count` pieces are written. */
function pour(response, piece, { everyMs = 0, count = Infinity } = {}) {
  let written = 0;
  const more = () => {
    if (response.destroyed) return;
    if (written++ >= count) return void response.end();
    if (everyMs) return void (response.write(piece), setTimeout(more, everyMs));
    if (response.write(piece)) setImmediate(more);
    else response.once('drain', more);
  };
  more();
}

const raw = (text) => (request) => request.socket.end(text);
const encoded = (name, encode) => (request, response) =>
  response.writeHead(200, { ...JSON_TYPE, 'content-encoding': name }).end(encode(BODY));

const ANSWERS = {
  '/huge': (request, response) => (response.writeHead(200, JSON_TYPE), pour(response, MEGABYTE, { count: 100 })),
  '/flood': (request, response) => (response.writeHead(200, { 'content-type': 'text/plain' }), pour(response, MEGABYTE)),
  '/drip': (request, response) => (response.writeHead(200, { 'content-type': 'application/x-ndjson' }), pour(response, '{}\n', { everyMs: 100 })),
  '/events': (request, response) => (response.writeHead(200, { 'content-type': 'text/event-stream' }), pour(response, 'data: 1\n\n', { everyMs: 50 })),
  '/stands-still': (request, response) => (response.writeHead(200, JSON_TYPE), response.write('{"ok":')),
  '/too-short': raw('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"ok":true}'),
  '/too-long': (request) => request.socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{"ok":true}{"surplus":1}'),
  '/gzip': encoded('gzip', zlib.gzipSync),
  '/deflate': encoded('deflate', zlib.deflateSync),
  '/brotli': encoded('br', zlib.brotliCompressSync),
  '/twice': encoded('gzip, br', (text) => zlib.brotliCompressSync(zlib.gzipSync(text))),
  '/unknown-coding': encoded('rot13', (text) => Buffer.from(text).reverse()),
  '/bomb': encoded('gzip', () => BOMB),
  '/not-utf8': (request, response) => response.writeHead(200, JSON_TYPE).end(Buffer.from([0x22, 0xff, 0xfe, 0x80, 0x22])),
  '/redirect': (request, response) => response.writeHead(302, { location: '/redirect' }).end(),
  '/close': (request, response) => response.writeHead(200, { ...JSON_TYPE, connection: 'close' }).end(BODY),
  '/drop-after': (request, response) => response.writeHead(200, JSON_TYPE).end(BODY, () => setImmediate(() => request.socket.destroy())),
  '/later': (request, response) => {
    const seen = (requestsSeen.get('/later') ?? 0) + 1;
    requestsSeen.set('/later', seen);
    if (seen > 5) return response.writeHead(429, { ...JSON_TYPE, 'retry-after': '900' }).end('{"error":"slow down"}');
    response.writeHead(200, JSON_TYPE).end(BODY);
  },
  '/hints': (request, response) => {
    response.writeContinue();
    response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    response.writeHead(200, JSON_TYPE).end(BODY);
  },
  '/trailers': (request, response) => {
    response.writeHead(200, { ...JSON_TYPE, trailer: 'x-checksum' });
    response.write(BODY);
    response.addTrailers({ 'x-checksum': 'abc' });
    response.end();
  },
  '/reset': (request) => request.socket.resetAndDestroy(),
  '/fault': (request, response) => {
    const amount = new URL(request.url, 'http://localhost').searchParams.get('amount');
    if (amount === '12') return response.writeHead(500, JSON_TYPE).end(JSON.stringify({ error: String(undefined) }));
    response.writeHead(200, JSON_TYPE).end(BODY);
  },
};

const ANYTHING = { type: 'object', required: ['ok'], properties: { ok: { type: 'boolean' } } };
const paths = Object.fromEntries(
  Object.keys(ANSWERS).map((path) => {
    const parameters = path === '/fault' ? [{ name: 'amount', in: 'query', schema: { type: 'string' } }] : [];
    const answers = { 200: { description: 'ok', content: { '*/*': { schema: ANYTHING } } }, default: { description: 'else' } };
    return [path, { get: { parameters, responses: answers } }];
  }),
);

http
  .createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    if (pathname === '/openapi.json') {
      return response.writeHead(200, JSON_TYPE).end(JSON.stringify({ openapi: '3.0.3', info: { title: 'Rough', version: '1' }, paths }));
    }
    const answer = ANSWERS[pathname];
    if (!answer) return response.writeHead(404, JSON_TYPE).end('{"error":"nothing here"}');
    answer(request, response);
  })
  .listen(process.env.PORT, '127.0.0.1');
