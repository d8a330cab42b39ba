'use strict';
/** An Express application with most of what Express has, called with many requests; prints each answer. */

const http = require('node:http');
const path = require('node:path');
const { errorText, report } = require('./tap.cjs');

const express = require(path.join(String(process.env.CONFORMANCE_MODULES), 'express'));

/** Of this moment or of this run. */
const CHANGING_HEADERS = new Set(['date', 'last-modified']);

function createApp() {
  const app = express();
  app.set('trust proxy', 'loopback');
  app.set('etag', 'strong');
  app.set('json spaces', 1);
  app.engine('txt', (/** @type {string} */ file, /** @type {any} */ options, /** @type {Function} */ done) => done(null, `${path.basename(file)}: ${options.name}`));
  app.set('view engine', 'txt');
  app.set('views', __dirname);
  app.locals.name = 'world';
  app.use(express.json({ limit: '1kb' }), express.urlencoded({ extended: true }), express.text(), express.raw());
  app.use('/static', express.static(__dirname, { index: false, dotfiles: 'deny' }));
  app.param('id', (/** @type {any} */ request, /** @type {any} */ _response, /** @type {Function} */ next, /** @type {string} */ id) => {
    if (id === 'bad') return next(Object.assign(new Error('bad id'), { status: 422 }));
    request.found = { id };
    return next();
  });
  app.get('/items/:id', (/** @type {any} */ request, /** @type {any} */ response) => response.json({ ...request.found, query: request.query, params: request.params }));
  app.all('/echo{/*rest}', (/** @type {any} */ request, /** @type {any} */ response) => {
    const { method, url, originalUrl, baseUrl, path: own, body, ip, ips, protocol, secure, xhr, hostname, subdomains, fresh, stale } = request;
    const asked = [request.accepts('json', 'html'), request.acceptsCharsets('utf-8'), request.acceptsEncodings('gzip'), request.acceptsLanguages('de', 'en'), request.is('json'), request.range(100), request.get('x-test')];
    response.json({ method, url, originalUrl, baseUrl, own, body: Buffer.isBuffer(body) ? body.toString('hex') : body, ip, ips, protocol, secure, xhr, hostname, subdomains, fresh, stale, asked });
  });
  app.get('/format', (/** @type {any} */ _request, /** @type {any} */ response) => response.format({ 'text/plain': () => response.send('plain'), json: () => response.send({ a: 1 }) }));
  app.get('/cookie', (/** @type {any} */ _request, /** @type {any} */ response) => response.cookie('a', { b: 1 }, { expires: new Date(0), httpOnly: true, path: '/x' }).clearCookie('c').append('X-More', ['1', '2']).vary('Accept').links({ next: '/2' }).send('c'));
  app.get('/redirect', (/** @type {any} */ request, /** @type {any} */ response) => response.redirect(Number(request.query.status ?? 302), request.query.to ?? 'back'));
  app.get('/send/:kind', (/** @type {any} */ request, /** @type {any} */ response) => {
    const bodies = { buffer: Buffer.from('b'), number: 12, null: null, boolean: true, text: 'x'.repeat(3000), undefined };
    response.status(201).type('txt').send(/** @type {any} */ (bodies)[request.params.kind]);
  });
  app.get('/status/:code', (/** @type {any} */ request, /** @type {any} */ response) => response.sendStatus(Number(request.params.code)));
  app.get('/jsonp', (/** @type {any} */ _request, /** @type {any} */ response) => response.jsonp({ html: '<b>\u2028' }));
  app.get('/render/:view', (/** @type {any} */ request, /** @type {any} */ response) => response.render(request.params.view));
  app.get('/file', (/** @type {any} */ request, /** @type {any} */ response, /** @type {Function} */ next) => response.sendFile(request.query.name, { root: __dirname }, next));
  app.get('/download', (/** @type {any} */ _request, /** @type {any} */ response) => response.download(__filename, 'näme.js'));
  app.get('/throw', () => {
    throw new Error('thrown');
  });
  app.get('/reject', async () => {
    await null;
    throw Object.assign(new TypeError('rejected'), { statusCode: 418, headers: { 'x-why': 'tea' } });
  });
  const router = express.Router({ mergeParams: true, strict: true, caseSensitive: true });
  router.route('/Part/').get((/** @type {any} */ request, /** @type {any} */ response) => response.send([request.baseUrl, request.params])).post((/** @type {any} */ _request, /** @type {any} */ _response, /** @type {Function} */ next) => next('router'));
  app.use('/sub/:owner', router);
  app.get(/^\/r(\d+)x?$/, (/** @type {any} */ request, /** @type {any} */ response) => response.send(request.params[0]));
  app.use((/** @type {any} */ error, /** @type {any} */ _request, /** @type {any} */ response, /** @type {Function} */ next) => {
    if (response.headersSent) return next(error);
    return response.status(error.status ?? error.statusCode ?? 500).json({ seen: errorText(error) });
  });
  return app;
}

/** @returns {{line: string, headers?: Record<string, string>, body?: string}[]} */
function requests() {
  const json = { 'content-type': 'application/json' };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const gets = ['/', '/items/1', '/items/bad', '/items/a%20b?x[y]=1&x[z]=2&q=a&q=b', '/items/%', '/echo', '/echo/a/b?c=d', '/format', '/cookie', '/redirect', '/redirect?status=301&to=/a%0d%0ab', '/redirect?to=http://x.y/ä'];
  gets.push('/send/buffer', '/send/number', '/send/null', '/send/boolean', '/send/text', '/send/undefined', '/status/204', '/status/404', '/status/99', '/status/x', '/jsonp?callback=f', '/jsonp?callback=f[0].g()', '/jsonp', '/render/hello', '/render/none', '/render/a.none');
  gets.push('/file?name=tap.cjs', '/file?name=../run.cjs', '/file?name=none', '/file', '/download', '/throw', '/reject', '/sub/me/Part/', '/sub/me/part/', '/sub/me/Part', '/r12', '/r12x', '/rx', '/static/tap.cjs', '/static/', '/static/.hidden', '/static/%00', '/static/../run.cjs', '//double', '/?');
  const list = gets.flatMap((url) => ['GET', 'HEAD', 'DELETE', 'OPTIONS'].map((method) => ({ line: `${method} ${url}` })));
  const bodies = ['{"a":[1,{"b":null}]}', '{"a":', '', 'null', '"text"', `{"long":"${'x'.repeat(1100)}"}`, '{"__proto__":{"x":1}}'];
  const posts = [
    ...bodies.flatMap((body) => [json, form, { 'content-type': 'text/plain' }, { 'content-type': 'application/octet-stream' }, { 'content-type': 'application/json; charset=bad' }, {}].map((headers) => ({ line: 'POST /echo/x', headers, body }))),
    ...['a=1&b[c]=2&b[d][]=3', 'a=%ZZ', '&&==', 'a[b][c][d][e][f][g]=1', 'a[0]=x&a[5]=y'].map((body) => ({ line: 'PUT /echo/form', headers: form, body })),
    { line: 'POST /sub/me/Part/', body: '' },
  ];
  const headers = [{ accept: 'text/html' }, { accept: 'application/json;q=0.1, text/plain' }, { accept: 'image/png' }, { 'accept-language': 'de;q=0.5, en', 'accept-charset': 'latin1' }, { range: 'bytes=2-5' }, { range: 'bytes=x' }, { 'x-forwarded-for': '1.2.3.4, 5.6.7.8', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'a.b.c.example.com:81' }, { 'x-requested-with': 'XMLHttpRequest', 'x-test': 'yes' }, { 'if-none-match': '*', 'cache-control': 'no-cache' }, { 'content-encoding': 'gzip' }];
  for (const each of headers) for (const url of ['/echo', '/format', '/file?name=tap.cjs', '/items/1']) list.push(/** @type {any} */ ({ line: `GET ${url}`, headers: each }));
  return [...list, .../** @type {any} */ (posts)];
}

/**
 * @param {number} port
 * @param {{line: string, headers?: Record<string, string>, body?: string}} request
 */
function answerTo(port, { line, headers = {}, body }) {
  const [method, url] = line.split(' ');
  return new Promise((resolve) => {
    const call = http.request({ port, method, path: url, agent: false, headers: { host: 'test.example', ...headers } }, (response) => {
      let text = '';
      response.setEncoding('latin1');
      response.on('data', (part) => (text += part));
      response.on('end', () => {
        const kept = Object.entries(response.headers).filter(([name]) => !CHANGING_HEADERS.has(name));
        resolve([response.statusCode, kept, text]);
      });
    });
    call.on('error', (error) => resolve(['error', error.message]));
    call.end(body);
  });
}

async function main() {
  report('functions', Object.entries(express).map(([name, value]) => [name, typeof value === 'function' ? [value.name, value.length, String(value)] : typeof value]));
  const server = http.createServer(createApp()).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  for (const request of requests()) report(`${request.line} ${JSON.stringify(request.headers ?? {})} ${request.body?.slice(0, 30) ?? ''}`, await answerTo(port, request));
  server.close();
}

main();
