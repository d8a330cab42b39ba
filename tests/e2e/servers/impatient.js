// Calls a service in the way that the path names, and answers with what came of it and how long it took.
const { fork } = require('node:child_process');
const http = require('node:http');
const https = require('node:https');
const { Worker, isMainThread, parentPort } = require('node:worker_threads');

const SERVICE = 'https://slow.example/status';
const PATIENCE_MS = 7000;

const plain = (options = {}, heed = () => {}) =>
  new Promise((resolve, reject) => {
    const request = https.get(SERVICE, options, (response) => {
      let text = '';
      response.on('data', (part) => (text += part));
      response.on('end', () => resolve(`${response.statusCode} ${text}`));
      response.on('error', reject);
    });
    heed(request);
    request.on('error', reject);
  });

const overHttps = (options) =>
  plain(options, (request) => request.on('timeout', () => request.destroy(new Error('too slow'))));

const said = (other) => new Promise((resolve) => other.once('message', resolve));

const withController = () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), PATIENCE_MS);
  return fetch(SERVICE, { signal: controller.signal });
};

const WAYS = {
  '/plain': () => plain(),
  '/fetch': async () => (await fetch(SERVICE)).text(),
  '/signal': () => fetch(SERVICE, { signal: AbortSignal.timeout(PATIENCE_MS) }),
  '/controller': withController,
  '/socket': () => overHttps({ timeout: PATIENCE_MS }),
  '/default': () => overHttps({ timeout: 5000 }), // as Node's own agent has
  '/agent': () => overHttps(),
  '/race': () => Promise.race([fetch(SERVICE), new Promise((_, fail) => setTimeout(fail, PATIENCE_MS, new Error('raced')))]),
  '/worker': () => said(new Worker(__filename)),
  '/child': () => said(fork(__filename, ['child'])),
};

const outcome = (promise) =>
  Promise.resolve(promise).then(
    (value) => (value instanceof Response ? String(value.status) : value),
    (error) => (error.cause ?? error).code || error.name + ': ' + error.message,
  );

if (!isMainThread) outcome(overHttps()).then((text) => parentPort.postMessage(text));
else if (process.argv[2] === 'child') outcome(overHttps()).then((text) => process.send(text, () => process.exit()));
else {
  http
    .createServer(async (request, response) => {
      if (!(request.url in WAYS)) return response.writeHead(404).end();
      const since = performance.now();
      const text = await outcome(WAYS[request.url]());
      response.setHeader('content-type', 'application/json');
      return response.end(JSON.stringify([text, Math.round(performance.now() - since)]));
    })
    .listen(Number(process.env.PORT ?? 0), '127.0.0.1');
}
