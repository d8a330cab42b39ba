'use strict';
/** Signatures that packages compare become hints about the statement that has called the package. */

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const { mkdirSync, mkdtempSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { beforeEach, test } = require('node:test');

const { memory } = require('../src/base/thread-memory.cjs');
const { clearRecorder, recorder } = require('../src/runtime/calls/recorder.cjs');
const { noteVerified, watchSignatureChecks } = require('../src/runtime/packages/signature-checks.cjs');

const STATEMENT = 7;
const untouched = crypto.timingSafeEqual;
watchSignatureChecks();

const folder = path.join(mkdtempSync(path.join(tmpdir(), 'wimble-')), 'node_modules', 'hooks');
mkdirSync(folder, { recursive: true });
writeFileSync(path.join(folder, 'package.json'), '{"name":"hooks","version":"1.0.0"}');
writeFileSync(
  path.join(folder, 'verify.js'),
  "const crypto = require('crypto'); module.exports = (a, b) => crypto.timingSafeEqual(a, b);",
);
const verify = require(path.join(folder, 'verify.js'));

const digest = (/** @type {string} */ text) => crypto.createHmac('sha256', 'secret').update(text).digest();

/** @param {() => unknown} run */
function hintsOf(run) {
  run();
  const found = recorder.hints.map((hint) => JSON.parse(hint.text));
  clearRecorder();
  return found.map(({ target, left, right, name }) => ({ target, left, right, name }));
}

beforeEach(() => {
  clearRecorder();
  recorder.areHintsWanted = true;
  recorder.record = /** @type {any} */ ({ call: 0 });
  memory.last[0] = STATEMENT;
});

test('the function looks the same', () => {
  assert.equal(crypto.timingSafeEqual.name, untouched.name);
  assert.equal(crypto.timingSafeEqual.length, untouched.length);
  assert.throws(() => crypto.timingSafeEqual(Buffer.from('a'), Buffer.from('ab')), {
    code: 'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH',
  });
});

test('texts are told as they are', () => {
  const given = 'a'.repeat(64);
  const due = digest('{}').toString('hex');
  const found = hintsOf(() => assert.equal(verify(Buffer.from(given), Buffer.from(due)), false));
  assert.deepEqual(found, [{ target: STATEMENT, left: given, right: due, name: 'signature of a package' }]);
});

test('bytes are told in hexadecimal digits and in base64', () => {
  const [given, due] = [digest('a'), digest('b')];
  const found = hintsOf(() => verify(given, due));
  assert.deepEqual(
    found.map(({ left, right }) => [left, right]),
    /** @type {const} */ (['hex', 'base64']).map((encoding) => [given.toString(encoding), due.toString(encoding)]),
  );
});

test('what WebCrypto would have accepted is told, once it has checked a signature', () => {
  const [given, data] = [digest('a'), Buffer.from('{"n":1}')];
  const made = { digest: 'sha256', key: Buffer.from('secret') };
  const due = digest('{"n":1}');
  for (const signed of [data, data.buffer.slice(data.byteOffset, data.byteOffset + data.length)]) {
    recorder.record = /** @type {any} */ ({ call: 0 });
    const found = hintsOf(() => noteVerified(made, given, signed));
    assert.deepEqual(
      found.map(({ left, right }) => [left, right]),
      /** @type {const} */ (['hex', 'base64']).map((encoding) => [given.toString(encoding), due.toString(encoding)]),
    );
  }
  recorder.record = /** @type {any} */ ({ call: 0 });
  assert.deepEqual(
    hintsOf(() => noteVerified(made, due, data)),
    [],
  );
  assert.deepEqual(
    hintsOf(() => noteVerified(made, given, Buffer.from('eyJhbGciOiJIUzI1NiJ9.e30'))),
    [],
  );
});

test('nothing is told of equal signatures, of the own code of the program, and outside of calls', () => {
  const due = digest('a');
  assert.deepEqual(
    hintsOf(() => assert.equal(verify(due, digest('a')), true)),
    [],
  );
  recorder.record = /** @type {any} */ ({ call: 0 });
  assert.deepEqual(
    hintsOf(() => crypto.timingSafeEqual(due, digest('b'))),
    [],
  );
  recorder.record = null;
  assert.deepEqual(
    hintsOf(() => verify(due, digest('b'))),
    [],
  );
});
