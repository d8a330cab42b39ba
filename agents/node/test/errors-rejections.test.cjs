'use strict';
/** Where rejections that nobody handles come from, if their stacks name no file of the program. */
const { test } = require('node:test');
const assert = require('node:assert');
const { FakeCore } = require('./support/fake-core.cjs');

const APP = `
const http = require('http');
process.on('unhandledRejection', () => {});
http.createServer((req, res) => {
  if (req.url === '/send') {
    fetch('http://127.0.0.1:1/mails');
  }
  let answer = 'sent';
  if (req.url === '/other') answer = 'other';
  res.end(answer);
}).listen(0, '127.0.0.1');
`;

test('a rejection without a place is where its promise was made, in the call that made it', async () => {
  const core = await FakeCore.start({ 'app.cjs': APP });
  try {
    core.run(['app.cjs']);
    await core.listening();
    await core.evaluate(1, ['GET /send', 'GET /other', 'GET /other']);
    const crash = await core.until(() => core.peer.ofType('crash')[0], 'crash');
    assert.strictEqual(crash.cause.message, 'TypeError: fetch failed');
    assert.strictEqual(crash.cause.line, 6);
    assert.match(crash.cause.statement, /app\.cjs:6$/);
    assert.strictEqual(crash.fatal, undefined, 'the program has a handler');
    assert.strictEqual(crash.late === null ? crash.call : crash.late.call, 0);
  } finally {
    await core.stop();
  }
});

test('an error that ends the process says so', async () => {
  const core = await FakeCore.start({ 'app.cjs': APP.replace(/^process.*$/m, '') });
  try {
    core.run(['app.cjs']);
    await core.listening();
    core.evaluate(1, ['GET /send']).catch(() => {});
    const crash = await core.until(() => core.peer.ofType('crash')[0], 'crash');
    assert.strictEqual(crash.fatal, true);
    assert.strictEqual((await core.exited).code, 1);
  } finally {
    await core.stop();
  }
});
