'use strict';
/** The golden messages of protocol/mock-examples, from the mock server's side. */
const { after, test } = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { once } = require('node:events');
const { MockServer } = require('../mocks/mock-server.cjs');
const { PlannedAnswers } = require('../mocks/planned-answers.cjs');

const FOLDER = path.join(__dirname, '..', '..', '..', 'protocol', 'mock-examples');
const example = (name) => JSON.parse(fs.readFileSync(path.join(FOLDER, `${name}.json`), 'utf8'));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mock-examples-'));
after(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Sends bytes to a service over an announced connection; returns what the server told the core, and the answer. */
async function talk({ host, port, pid = 0, client = '' }, bytes) {
  const told = [];
  const server = new MockServer({
    folder,
    certificateFor: () => Promise.reject(new Error('no TLS here')),
    onRequest: (request) => told.push({ type: 'request', ...request }),
    onUnmockable: (connection) => told.push({ type: 'unmockable', ...connection }),
  });
  const { type, seq, answers, down } = example('plan');
  assert.strictEqual(type, 'plan');
  server.plan(seq, answers);
  server.closeConnections(down, () => told.push({ type: 'closed', seq }));
  server.listener.listen(0, '127.0.0.1');
  await once(server.listener, 'listening');
  after(() => server.listener.close());
  const socket = net.connect(server.listener.address().port, '127.0.0.1');
  await once(socket, 'connect');
  fs.writeFileSync(path.join(folder, String(socket.localPort)), [host, port, pid, client, '.', ''].join('\n'));
  let answer = '';
  socket.on('data', (part) => {
    answer += part;
    if (answer.endsWith('}')) socket.end();
  });
  socket.on('error', () => {});
  socket.write(Buffer.from(bytes, 'latin1'));
  await once(socket, 'close');
  return { told, answer };
}

test('a planned request is reported as written, and gets the planned answer', async () => {
  const expected = example('request');
  const head = expected.headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const sent = `${expected.method} ${expected.target} HTTP/1.1\r\n${head}\r\n${expected.body}`;
  const service = { host: 'api.payments.example', port: 80, pid: expected.pid, client: expected.client };
  const { told, answer } = await talk(service, sent);
  assert.deepStrictEqual(told, [example('closed'), expected]);
  assert.match(answer, /^HTTP\/1\.1 201 /);
  assert.match(answer, /\r\n\r\n\{"paid":true\}$/);
});

test('a protocol that is no HTTP is reported as written', async () => {
  const expected = example('unmockable');
  const { told } = await talk({ host: expected.host, port: expected.port }, '\x10\x12');
  assert.deepStrictEqual(told, [example('closed'), expected]);
});

test('a connection that nobody has announced is closed without an answer, unless it asks for a proxy', async () => {
  const server = new MockServer({
    folder,
    certificateFor: () => Promise.reject(new Error('no TLS here')),
    onRequest: (request) => reported.push(request),
    onUnmockable: () => {},
  });
  const reported = [];
  server.listener.listen(0, '127.0.0.1');
  await once(server.listener, 'listening');
  after(() => server.listener.close());
  const asked = async (target) => {
    const socket = net.connect(server.listener.address().port, '127.0.0.1');
    let answer = '';
    socket.on('data', (part) => (answer += part));
    socket.on('error', () => {});
    socket.write(`GET ${target} HTTP/1.1\r\nHost: a.example\r\nUser-Agent: curl/8.5.0\r\nConnection: close\r\n\r\n`);
    await once(socket, 'close');
    return answer;
  };
  assert.strictEqual(await asked('/v1'), '');
  assert.match(await asked('http://a.example/v1'), /^HTTP\/1\.1 404 /);
  assert.deepStrictEqual(
    reported.map(({ origin, target, client }) => [origin, target, client]),
    [['http://a.example:80', '/v1', 'curl']],
  );
});

test('a wildcard stands for one segment that is not empty', () => {
  const answers = new PlannedAnswers();
  answers.plan([{ id: 1, origin: 'http://a.example:80', method: 'GET', path: '/*' }]);
  const taken = (/** @type {string} */ target) => answers.take('http://a.example:80', 'GET', target).answer?.id ?? null;
  assert.deepEqual(['/a', '/a?b=1', '/', '/?b=1', '/a/b'].map(taken), [1, 1, null, null, null]);
});
