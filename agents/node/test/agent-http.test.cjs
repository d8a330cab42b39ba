'use strict';
const { test } = require('node:test');
const assert = require('node:assert');
const { FakeCore } = require('./support/fake-core.cjs');

const EXPRESS_APP = `
const express = require('express');
const app = express();
app.use(express.json());
app.get('/n/:n', (req, res) => {
  if (Number(req.params.n) === 42) {
    return res.json({ hit: true });
  }
  res.json({ hit: false });
});
app.get('/null', (req, res) => {
  const user = undefined;
  res.json(user.name);
});
app.get('/plain500', (req, res) => {
  res.status(500).send('no');
});
app.post('/async', async (req, res) => {
  await null;
  JSON.parse(req.body.text);
  res.json('ok');
});
app.listen(0);
`;

async function withApp(files, work, options) {
  const core = await FakeCore.start(files);
  try {
    core.run(options?.args ?? ['app.cjs'], options);
    await work(core);
  } finally {
    await core.stop();
  }
}

test('an Express app is measured call by call', async () => {
  await withApp({ 'app.cjs': EXPRESS_APP }, async (core) => {
    const listening = await core.listening();
    assert.strictEqual(listening.protocol, 'http');
    assert.strictEqual(core.peer.messages[0].type, 'hello');
    const boot = core.peer.ofType('result')[0];
    assert.ok(core.named(boot)['app.cjs:4 line'] === 1, 'boot coverage is reported');

    const far = await core.evaluate(1, ['GET /n/900']);
    assert.deepStrictEqual(
      far.answers.map((a) => a.status),
      [200],
    );
    assert.strictEqual(far.result.calls, 1);
    const hit = 'app.cjs:6 branch === true';
    const near = await core.evaluate(2, ['GET /n/50']);
    assert.ok(far.h[hit] > 0 && near.h[hit] > far.h[hit] && near.h[hit] < 1, `${far.h[hit]} ${near.h[hit]}`);
    const hint = near.result.hints.find(({ operator }) => operator === 'identical');
    assert.deepStrictEqual(
      { operator: hint.operator, left: hint.left, right: hint.right, wanted: hint.wanted, call: hint.call },
      { operator: 'identical', left: 50, right: 42, wanted: true, call: 0 },
    );
    const found = await core.evaluate(3, ['GET /n/1', 'GET /n/42']);
    assert.strictEqual(found.h[hit], 1);
    const at = found.result.targets.findIndex((id, i) => i % 3 === 0 && core.nameOf(id) === hit);
    assert.strictEqual(found.result.targets[at + 1], 1, 'the second call covered it');

    const covered = found.result.targets.filter((_, i) => i % 3 === 0 && found.result.targets[i + 2] === 1);
    const again = await core.evaluate(4, ['GET /n/42'], { covered });
    assert.ok(!(hit in again.h));
    const full = await core.evaluate(5, ['GET /n/42'], { full: true, hints: false });
    assert.strictEqual(full.h[hit], 1);
    assert.deepStrictEqual(full.result.hints, []);
  });
});

test('causes of 5xx answers name place and message', async () => {
  await withApp({ 'app.cjs': EXPRESS_APP }, async (core) => {
    await core.listening();
    const { result, answers } = await core.evaluate(1, [
      'GET /null',
      'GET /plain500',
      ['POST /async', { text: '{' }],
      'GET /n/1',
    ]);
    assert.deepStrictEqual(
      answers.map((a) => a.status),
      [500, 500, 500, 200],
    );
    assert.deepStrictEqual(
      result.causes.map((c) => c.call),
      [0, 1, 2],
    );
    const [typeError, plain, parse] = result.causes;
    assert.strictEqual(typeError.message, "TypeError: Cannot read properties of undefined (reading 'name')");
    assert.strictEqual(typeError.file, `${core.folder}/app.cjs`);
    assert.strictEqual(typeError.line, 13);
    assert.strictEqual(typeError.statement, `${core.folder}/app.cjs:13`);
    assert.deepStrictEqual([plain.line, plain.message, plain.stack], [16, '', '']);
    assert.match(parse.message, /^SyntaxError: /);
    assert.strictEqual(parse.line, 20);
  });
});

const APP_WITH_PACKAGE = `
const { createServer } = require('http');
const { refuse } = require('store');
createServer((request, response) => {
  try {
    throw new Error('no cookie');
  } catch {
    refuse(request.url.slice(1), (err, value) => {
      response.statusCode = err ? 500 : 200;
      response.end(String(value));
    });
  }
}).listen(0);
`;
const PACKAGE = `
function Refusal(kind) {
  this.message = 'missing';
  if (kind === 'stack') this.stack = new Error().stack;
  if (kind === 'status') this.status = 404;
}
exports.refuse = (kind, callback) => setImmediate(callback, new Refusal(kind));
`;

test('an object that a package makes in the place of an error is the cause, rather than an error handled before', async () => {
  await withApp({ 'app.cjs': APP_WITH_PACKAGE, 'node_modules/store/index.js': PACKAGE }, async (core) => {
    await core.listening();
    const { result } = await core.evaluate(1, ['GET /stack', 'GET /status', 'GET /neither']);
    assert.deepStrictEqual(
      result.causes.map((c) => c.message),
      ['object: missing', 'object: missing', 'Error: no cookie'],
    );
  });
});

const TWO_SERVERS = `
const { createServer } = require('http');
const told = () => console.log('listening');
const first = createServer((request, response) => response.end('ok')).listen(0, () => {
  createServer().on('error', told).listen(first.address().port, told);
});
`;

test('a server that has not got its port is told, whatever its program does with the error', async () => {
  await withApp({ 'app.cjs': TWO_SERVERS }, async (core) => {
    await core.listening();
    await core.until(() => (core.peer.ofType('unbound').length > 0 ? true : undefined));
    assert.strictEqual(core.peer.ofType('listening').length, 1);
  });
});
