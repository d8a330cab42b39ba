'use strict';
/** The secrets of tokens, as `jws` gets them: reported once, for HMACs only, and without a trace in the program. */

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const { beforeEach, test } = require('node:test');

const { clearRecorder, recorder } = require('../src/runtime/calls/recorder.cjs');
const { hintKeys, watchHmacs, watchJws } = require('../src/runtime/packages/token-keys.cjs');

const TARGET = 7;
let number = 0;

const untouched = { createHmac: crypto.createHmac, importKey: crypto.webcrypto.subtle.importKey };
watchHmacs();

const base64url = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
const textToSign = (claims, alg = 'HS256') => `${base64url({ alg, typ: 'JWT' })}.${base64url(claims)}`;

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
  hints();
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
    roles: ['reader', 'writer', () => 1],
    nested: { a: 1, exp: 3, deeper: { list: [{ b: true, far: { away: 1 } }] } },
    get trap() {
      throw new Error('read');
    },
  };
  assert.equal(jws.sign({ header: { alg: 'HS512' }, payload, secret }), 'a.b.c');
  const [hint] = hints();
  delete process.env.WIMBLE_TEST_KEY;
  assert.deepEqual(hint.claims, {
    sub: 1,
    role: 'user',
    roles: ['reader', 'writer'],
    nested: { a: 1, exp: 3, deeper: { list: [{ b: true }] } },
  });
  assert.equal(hint.algorithm, 'HS512');
  assert.equal(hint.variable, 'WIMBLE_TEST_KEY');
});

test('a key is reported again once a token has longer lists of claims', () => {
  const { jws } = watched();
  const secret = `lists-${number}`;
  jws.sign({ header: { alg: 'HS256' }, payload: { id: 1, roles: [] }, secret });
  assert.deepEqual(hints()[0].claims, { id: 1, roles: [] });
  jws.sign({ header: { alg: 'HS256' }, payload: { id: 2, roles: ['member'] }, secret });
  assert.deepEqual(hints()[0].claims, { id: 2, roles: ['member'] });
  jws.sign({ header: { alg: 'HS256' }, payload: { id: 3, roles: ['admin'] }, secret });
  assert.deepEqual(hints(), []);
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

test('whatever package signs a token with an HMAC of Node, its secret and claims are reported', () => {
  const secret = `hmac-${number}`;
  const data = textToSign({ sub: 3, role: 'user', iat: 1 }, 'HS384');
  const key = crypto.createSecretKey(Buffer.from(secret));
  const expected = untouched.createHmac('sha384', secret).update(data).digest('base64url');
  assert.equal(crypto.createHmac('sha384', secret).update(data).digest('base64url'), expected);
  crypto.createHmac('SHA384', key).update(Buffer.from(data)).digest();
  crypto.createHmac('sha384', new Uint8Array(Buffer.from(secret))).update(data);
  const found = hints();
  assert.equal(found.length, 1);
  assert.deepEqual([found[0].secret, found[0].algorithm, found[0].claims], [secret, 'HS384', { sub: 3, role: 'user' }]);
});

test('a secret of WebCrypto is reported when it signs or checks a token', async () => {
  const { subtle } = crypto.webcrypto;
  const secret = `subtle-${number}`;
  const algorithm = { name: 'HMAC', hash: { name: 'SHA-512' } };
  const key = await subtle.importKey('raw', Buffer.from(secret), algorithm, false, ['sign', 'verify']);
  await subtle.sign(algorithm, key, Buffer.from('no token'));
  assert.deepEqual(hints(), []);
  const data = Buffer.from(textToSign({ sub: 4 }, 'HS512'));
  assert.equal(await subtle.verify(algorithm, key, Buffer.from('no signature'), data), false);
  const [found] = hints();
  assert.deepEqual([found.secret, found.algorithm, found.claims], [secret, 'HS512', { sub: 4 }]);
});

test('the claims of a token that the core has made are none of the program', () => {
  const header = Buffer.from('{"alg": "HS256", "typ": "JWT"}').toString('base64url');
  crypto.createHmac('sha256', `made-up-${number}`).update(`${header}.${base64url({ sub: '1', name: 'x' })}`);
  crypto.createHmac('sha256', `made-up-${number}`).update(textToSign({ sub: 1 }));
  assert.deepEqual(hints()[0].claims, { sub: 1 });
});

test('other HMACs are no keys of tokens', () => {
  crypto.createHmac('sha256', `webhook-${number}`).update('{"a":1}').digest('hex');
  crypto.createHmac('sha1', `other-${number}`).update(textToSign({})).digest('hex');
  const hmac = crypto.createHmac('sha256', `cookie-${number}`);
  crypto.createHash('sha256').update(textToSign({})).digest('hex');
  hmac.update('s:1').update(textToSign({}));
  assert.deepEqual(hints(), []);
});

test('the functions of Node look as they did, and fail as they did', async () => {
  const { subtle } = crypto.webcrypto;
  assert.deepEqual([crypto.createHmac.name, crypto.createHmac.length], ['createHmac', untouched.createHmac.length]);
  const kind = (/** @type {Function} */ one) => Object.prototype.toString.call(one);
  assert.equal(kind(subtle.importKey), kind(untouched.importKey)); // an async function up to some 24.x, a plain one then
  assert.equal(crypto.Hmac.prototype.update, crypto.Hash.prototype.update);
  assert.throws(() => crypto.createHmac('sha256'), { code: 'ERR_INVALID_ARG_TYPE' });
  assert.throws(() => crypto.createHmac('sha256', 'k').update(5), { code: 'ERR_INVALID_ARG_TYPE' });
  await assert.rejects(
    subtle.importKey('raw', 'no bytes', { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']),
    TypeError,
  );
});
