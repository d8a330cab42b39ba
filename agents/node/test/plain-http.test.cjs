'use strict';
/** What the mock server reads and sends itself is what Node's server would have read and sent. */

const assert = require('node:assert');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { once } = require('node:events');
const { test } = require('node:test');
const { MockServer } = require('../mocks/mock-server.cjs');

const ORIGIN = 'http://prices.example:80';
const GET = 'GET /prices/7?in=EUR HTTP/1.1\r\nHost: prices.example\r\nX-Id:  a \r\nConnection: keep-alive\r\n\r\n';
const POST = 'POST /prices/7 HTTP/1.1\r\nHost: prices.example\r\nContent-Length: 6\r\n\r\nprix=é'.replace('é', 'Ã');
const JSON_HEADERS = [['Content-Type', 'application/json']];

/** @returns {Promise<{ bytes: string, requests: object[], isHandedOver: boolean }>} what comes of the texts */
async function exchanged(t, texts, answers, isPlain = true) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'wimble-plain-'));
  const requests = [];
  const server = new MockServer({ folder, onRequest: (one) => requests.push(one) });
  let isHandedOver = false;
  const servePlain = server.servePlain.bind(server);
  server.servePlain = (socket, handOver) => {
    const noted = () => {
      isHandedOver = true;
      handOver();
    };
    return isPlain ? servePlain(socket, noted) : noted();
  };
  server.plan(1, answers);
  server.listener.listen(0, '127.0.0.1');
  await once(server.listener, 'listening');
  const socket = net.connect(server.listener.address().port, '127.0.0.1');
  t.after(() => {
    socket.destroy();
    server.listener.close();
    fs.rmSync(folder, { recursive: true });
  });
  await once(socket, 'connect');
  fs.writeFileSync(path.join(folder, String(socket.localPort)), 'prices.example\n80\n7\naxios\n.\n');
  let bytes = '';
  socket.on('data', (part) => (bytes += part.toString('latin1')));
  for (const text of texts) {
    const before = bytes.length;
    socket.write(text, 'latin1');
    for (let waits = 0; bytes.length === before && waits < 100; waits++) {
      await new Promise((done) => setTimeout(done, 5));
    }
  }
  return { bytes: bytes.replace(/Date: .*/g, 'Date'), requests, isHandedOver };
}

const answerTo = (method, more = {}) => ({
  id: 3,
  origin: ORIGIN,
  method,
  path: '/prices/*',
  headers: JSON_HEADERS,
  ...more,
});

const SAME = {
  'an answer': [[GET], [answerTo('GET', { body: '{"price":"7 €"}' })]],
  'no answer': [[GET, GET], []],
  'an empty body': [[GET], [answerTo('GET', { status: 503 })]],
  'bytes, and a status without a name': [
    [GET],
    [answerTo('GET', { status: 299, body: '/w==', body_encoding: 'base64' })],
  ],
  'a body': [
    [POST, GET],
    [answerTo('POST', { body: '{}' }), answerTo('GET', { body: '[]' })],
  ],
  'a request in parts': [[GET.slice(0, 30), GET.slice(30)], [answerTo('GET', { body: '{}' })]],
  'only the head': [[GET.replace('GET', 'HEAD')], [answerTo('HEAD', { body: '{}' })]],
};

for (const [name, [texts, answers]] of Object.entries(SAME)) {
  test(`${name}: the same bytes and reports`, async (t) => {
    const plain = await exchanged(t, texts, answers);
    const byNode = await exchanged(t, texts, answers, false);
    assert.strictEqual(plain.bytes, byNode.bytes);
    assert.ok(plain.bytes.startsWith('HTTP/1.1 '));
    assert.deepStrictEqual(plain.requests, byNode.requests);
    assert.strictEqual(plain.isHandedOver, false);
  });
}

const OTHERS = {
  'two cookies': [
    [GET],
    [
      answerTo('GET', {
        headers: [
          ['Set-Cookie', 'a=1'],
          ['Set-Cookie', 'b=2'],
        ],
      }),
    ],
  ],
  'no content': [[GET], [answerTo('GET', { status: 204 })]],
  'a body in chunks': [
    [POST.replace('Content-Length: 6', 'Transfer-Encoding: chunked').replace('prix=Ã', '1\r\na\r\n0\r\n\r\n')],
    [],
  ],
  'a client that closes': [[GET.replace('keep-alive', 'close')], [answerTo('GET', { body: '{}' })]],
  'a malformed header': [['GET / HTTP/1.1\r\nHost: a\r\nno header\r\n\r\n'], []],
  'no host': [['GET / HTTP/1.1\r\n\r\n'], []],
  'two requests at once': [[GET + GET], [answerTo('GET', { body: '{}' })]],
  'a plain request, then another one': [[GET, GET.replace('keep-alive', 'close')], [answerTo('GET', { body: '{}' })]],
};

for (const [name, [texts, answers]] of Object.entries(OTHERS)) {
  test(`${name}: Node's server answers`, async (t) => {
    const plain = await exchanged(t, texts, answers);
    const byNode = await exchanged(t, texts, answers, false);
    assert.strictEqual(plain.bytes, byNode.bytes);
    assert.deepStrictEqual(plain.requests, byNode.requests);
    assert.strictEqual(plain.isHandedOver, true);
  });
}
