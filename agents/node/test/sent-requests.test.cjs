'use strict';
/** Requests to services: where calls send them, also behind their answers (sent-requests.cjs, time-skipping.cjs). */

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
const http2 = require('http2');
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
  '/redirected': async (res) => {
    res.end('ok');
    await wait(150);
    http.get('http://service.example/moved', (moved) => {
      moved.resume();
      http.get('http://service.example/target', (found) => found.resume());
    });
  },
  '/newer-protocol': async (res) => {
    res.end('ok');
    await wait(150);
    const session = http2.connect('http://service.example');
    session.on('error', () => {});
    session.request({ ':path': '/streamed' }).on('error', () => {}).end();
    const socket = http.get({ host: 'service.example', path: '/socket', createConnection: connect });
    socket.on('error', () => {});
  },
  '/other': async (res) => {
    await wait(400);
    await send('/own');
    res.end('ok');
  },
};
const connect = () => require('net').connect(80, 'service.example');
http.createServer((req, res) => routes[req.url](res)).listen(0);
`;

/** @param {(core: FakeCore, asked: string[]) => Promise<void>} work asked: the requests that the service has got */
async function withService(work) {
  const asked = [];
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sent-requests-'));
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

/** The requests of a result, with what the line that has sent them begins with. */
function placed({ sent_requests }) {
  return sent_requests.map(({ call, method, target, late, site }) => {
    const line = APP.split('\n')[Number(site.split(':').pop()) - 1];
    return [call, method, target, late, line.trim().split('(')[0]];
  });
}

test('a request that a call sends while a newer one runs is told to be of that call', async () => {
  await withService(async (core, asked) => {
    const { result } = await core.evaluate(1, ['GET /pay', 'GET /other']);
    assert.deepStrictEqual(asked.sort(), ['/charges', '/events', '/fetched', '/own']);
    assert.deepStrictEqual(placed(result), [
      [0, 'GET', '/charges', false, 'http.get'],
      [0, 'GET', '/events', true, 'http.get'],
      [0, 'GET', '/fetched', true, 'await Promise.all'],
      [1, 'GET', '/own', false, 'http.get'],
    ]);
    await core.evaluate(2, ['GET /pay']);
    const next = await core.evaluate(3, ['GET /other']);
    const calls = next.result.sent_requests.filter(({ late }) => late).map(({ call }) => call);
    assert.deepStrictEqual(calls, [null, null], 'those of an earlier evaluation');
  });
});

test('requests over HTTP/2 and without an agent, as WebSockets have it, are told, too', async () => {
  await withService(async (core) => {
    const { result } = await core.evaluate(1, ['GET /newer-protocol', 'GET /other']);
    const late = placed(result).filter(([call]) => call === 0);
    assert.deepStrictEqual(late, [
      [0, 'GET', '/streamed', true, 'session.request'],
      [0, 'GET', '/socket', true, 'const socket = http.get'],
    ]);
  });
});

test('a request that a client sends as it handles an answer is one of the call that has sent the first one', async () => {
  await withService(async (core) => {
    const { result } = await core.evaluate(1, ['GET /redirected', 'GET /other']);
    const sent = placed(result).map(([call, , target, late]) => [call, target, late]);
    assert.deepStrictEqual(sent, [
      [0, '/moved', true],
      [0, '/target', true],
      [1, '/own', false],
    ]);
  });
});

test('an evaluation ends once services have answered what its calls have sent behind their answers', async () => {
  await withService(async (core, asked) => {
    await core.evaluate(1, ['GET /other']); // from the first request on, services are known to be called
    const { result } = await core.evaluate(2, ['GET /forget']);
    assert.deepStrictEqual(asked, ['/own', '/first', '/second']);
    assert.ok(result.sent_requests.every(({ late }) => !late));
  });
});
