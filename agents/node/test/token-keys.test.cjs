'use strict';
/** The secrets of tokens, as `jws` gets them: reported once, for HMACs only, and without a trace in the program. */

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const { beforeEach, test } = require('node:test');

const { clearRecorder, recorder } = require('../src/runtime/calls/recorder.cjs');
const { hintKeys, watchJws } = require('../src/runtime/packages/token-keys.cjs');

const TARGET = 7;
let number = 0;

/** A package like `jws`, with what it was called with. */
function watched() {
  const calls = [];
  const exports = {
    verify(...args) {
      calls.push(args);
      if (args[0] === 'throw') throw new Error('broken');
      return true;
    },
    sign(...args) {
      calls.push(args);
      return 'a.b.c';
    },
  };
  const { name, length } = exports.verify;
  watchJws['index.js'](exports);
  assert.equal(exports.verify.name, name);
  assert.equal(exports.verify.length, length);
  return { jws: exports, calls };
}

function hints() {
  hintKeys(TARGET);
  const found = recorder.hints.map((hint) => JSON.parse(hint.text));
  clearRecorder();
  return found;
}

beforeEach(() => {
  clearRecorder();
  recorder.areHintsWanted = true;
  number += 1;
});

test('a secret is reported once, with its digest, as text, bytes and key object', () => {
  const { jws, calls } = watched();
  const secret = `text-${number}`;
  assert.equal(jws.verify('x.y.z', 'HS256', secret), true);
  jws.verify('x.y.z', 'HS256', Buffer.from(secret));
  jws.verify('x.y.z', 'HS256', crypto.createSecretKey(Buffer.from(secret)));
  const digest = crypto.createHash('sha256').update(`jwt ${secret}`).digest('hex');
  assert.deepEqual(hints(), [
    {
      kind: 'token-key',
      target: TARGET,
      call: 0,
      key: digest.slice(0, 16),
      algorithm: 'HS256',
      secret,
      digest,
      variable: '',
      claims: {},
    },
  ]);
  assert.equal(calls.length, 3);
  jws.verify('x.y.z', 'HS256', secret);
  assert.deepEqual(hints(), []);
});

test('claims that are signed are reported without times, and the variable that has the secret', () => {
  const { jws } = watched();
  const secret = `signed-${number}`;
  process.env.WIMBLE_TEST_KEY = secret;
  const payload = {
    sub: 1,
    role: 'user',
    iat: 5,
    exp: 9,
    nested: { a: 1 },
    get trap() {
      throw new Error('read');
    },
  };
  assert.equal(jws.sign({ header: { alg: 'HS512' }, payload, secret }), 'a.b.c');
  const [hint] = hints();
  delete process.env.WIMBLE_TEST_KEY;
  assert.deepEqual(hint.claims, { sub: 1, role: 'user' });
  assert.equal(hint.algorithm, 'HS512');
  assert.equal(hint.variable, 'WIMBLE_TEST_KEY');
});

test('keys of signatures with two keys, binary secrets and hostile arguments are left alone', () => {
  const { jws } = watched();
  jws.verify('x.y.z', 'RS256', '-----BEGIN PUBLIC KEY-----');
  jws.verify('x.y.z', 'HS256', Buffer.from([255, 254, 0]));
  jws.verify(
    'x.y.z',
    'HS256',
    new Proxy(
      {},
      {
        get() {
          throw new Error('read');
        },
      },
    ),
  );
  jws.sign(undefined);
  assert.deepEqual(hints(), []);
});

test('errors keep their stack, without frames of the agent', () => {
  const { jws } = watched();
  assert.throws(
    () => jws.verify('throw', 'HS256', `k-${number}`),
    (error) => !error.stack.includes('patching.cjs'),
  );
});
