'use strict';
/** Serves each guard of guards.js, and logs those that were passed to the file GUARD_LOG. */

const { appendFileSync } = require('node:fs');
const http = require('node:http');
const { guards } = require('./guards.js');
const { operations } = require('./operations.js');

async function bodyOf(request) {
  let text = '';
  for await (const chunk of request) text += chunk;
  return JSON.parse(text);
}

async function inputsOf(request, url) {
  if (request.method === 'POST') return bodyOf(request);
  return Object.fromEntries(url.searchParams);
}

const server = http.createServer(async (request, response) => {
  const url = new URL(request.url, 'http://localhost');
  const answer = (status, value) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value));
  };
  if (url.pathname === '/openapi.json') return answer(200, operations);
  const guard = guards[url.pathname.slice(1)];
  if (guard === undefined) return answer(404, { error: 'no such guard' });
  try {
    const inputs = await inputsOf(request, url);
    if (guard(inputs)) throw new RangeError(url.pathname.slice(1));
    return answer(200, { passed: false });
  } catch (error) {
    if (!(error instanceof RangeError)) return answer(400, { error: 'bad input' });
    if (process.env.GUARD_LOG) appendFileSync(process.env.GUARD_LOG, `${Date.now()} ${error.message}\n`);
    return answer(500, { error: error.message });
  }
});

server.listen(Number(process.env.PORT ?? 3170), '127.0.0.1');
