'use strict';
/** Requests to services that calls send behind their answers (external/late-requests.cjs, time-skipping.cjs). */

const assert = require('node:assert');
const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');
const { once } = require('node:events');
const { test } = require('node:test');
const { FakeCore } = require('./support/fake-core.cjs');

const APP = `
const http = require('http');
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const send = (target) => new Promise((resolve, reject) => {
  http.get('http://service.example' + target, (res) => res.resume().on('end', resolve)).on('error', reject);
});
const routes = {
  '/pay': async (res) => {
    await send('/charges');
    res.end('ok');
    await wait(150);
    await Promise.all([send('/events'), fetch('http://service.example/fetched')]);
  },
  '/forget': async (res) => {
    res.end('ok');
    await fetch('http://service.example/first');
    await send('/second');
  },
  '/other': async (res) => {
    await wait(400);
    await send('/own');
    res.end('ok');
  },
};
http.createServer((req, res) => routes[req.url](res)).listen(0);
`;

/** @param {(core: FakeCore, asked: string[]) => Promise<void>} work asked: the requests that the service has got */
async function withService(work) {
  const asked = [];
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'late-requests-'));
  fs.writeFileSync(path.join(folder, 'authority.pem'), '');
  const service = http.createServer((request, response) => {
    asked.push(request.url);
    setTimeout(() => response.end('{}'), 5);
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const mocks = { port: service.address().port, closed_port: 1, folder, allowed: [], included: [] };
  const core = await FakeCore.start({ 'app.cjs': APP });
  try {
    core.run(['app.cjs'], { env: { WIMBLE_MOCKS: JSON.stringify(mocks) } });
    await core.listening();
    await work(core, asked);
  } finally {
    await core.stop();
    service.closeAllConnections();
    service.close();
    fs.rmSync(folder, { recursive: true });
  }
}

test('a request that a call sends while a newer one runs is told to be of that call', async () => {
  await withService(async (core, asked) => {
    const { result } = await core.evaluate(1, ['GET /pay', 'GET /other']);
    assert.deepStrictEqual(asked.sort(), ['/charges', '/events', '/fetched', '/own']);
    assert.deepStrictEqual(result.late_requests, [
      { call: 0, method: 'GET', target: '/events' },
      { call: 0, method: 'GET', target: '/fetched' },
    ]);
    await core.evaluate(2, ['GET /pay']);
    const next = await core.evaluate(3, ['GET /other']);
    const calls = (next.result.late_requests ?? []).map(({ call }) => call);
    assert.deepStrictEqual(calls, [null, null], 'those of an earlier evaluation');
  });
});

test('an evaluation ends once services have answered what its calls have sent behind their answers', async () => {
  await withService(async (core, asked) => {
    await core.evaluate(1, ['GET /other']); // from the first request on, services are known to be called
    const { result } = await core.evaluate(2, ['GET /forget']);
    assert.deepStrictEqual(asked, ['/own', '/first', '/second']);
    assert.strictEqual(result.late_requests, undefined);
  });
});
