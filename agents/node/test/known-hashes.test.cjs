'use strict';
/** Hashes of passwords are computed once (docs/reference/isolation.md). */
const { test } = require('node:test');
const assert = require('node:assert');
const { FakeCore } = require('./support/fake-core.cjs');

/** As bcryptjs is: `export function`, and an object of all of them; each call of the original is counted. */
const PACKAGE = `
let n = 0;
export function hash(password, salt) {
  if (password === 'refused') return Promise.reject(new Error('refused'));
  return Promise.resolve('$2b$10$' + String(++n).padStart(22, '.') + password);
}
export function hashSync(password, salt, callback) {
  return callback === undefined ? '$2b$10$' + ++n : typeof callback;
}
/** Calls back with undefined in place of an error, as the native package does. */
export function compare(password, digest, callback) {
  n++;
  if (callback === undefined) return Promise.resolve(digest.slice(29) === password);
  setImmediate(callback, undefined, digest.slice(29) === password);
}
export function count() { return n; }
export default { hash, hashSync, compare, count };
`;
const APP = `
import assert from 'node:assert';
import http from 'node:http';
import { promisify } from 'node:util';
import { scrypt, scryptSync, pbkdf2 } from 'node:crypto';
import bcrypt, { hash } from 'bcryptjs';
const routes = {
  '/hash': async () => [await hash('a', 10), await bcrypt.hash('a', 10), await hash('b', 10), bcrypt.count()],
  '/compare': async () => [
    await bcrypt.compare('a', '$2b$10$......................a'), await bcrypt.compare('b', '$2b$10$......................a'),
    await bcrypt.compare('a', 'no digest'), bcrypt.count(),
  ],
  '/refused': async () => [await hash('refused', 10).catch((error) => error.message)],
  '/callbacks': async () => [
    await new Promise((resolve) => bcrypt.compare('a', '$2b$10$......................a', (...args) => resolve(args.map(String)))),
    bcrypt.hashSync('s', 10, () => {}), bcrypt.count(),
  ],
  '/no-callback': async () => {
    await promisify(scrypt)('p', 's', 8);
    try {
      return [typeof scrypt('p', 's', 8)];
    } catch (error) {
      return [error.code];
    }
  },
  '/unhandled': async () => {
    const seen = new Promise((resolve) => process.once('unhandledRejection', (error) => resolve(error.message)));
    hash('refused', 10);
    return [await seen];
  },
  '/large': async () => {
    const key = await promisify(pbkdf2)('p', 's', 1, 5000, 'sha256');
    const salt = new Uint8Array(4);
    salt.valueOf = () => assert.fail('the program can see this');
    scryptSync('p', salt, 8);
    return [key.length];
  },
  '/keys': async () => {
    const options = { N: 2 ** 15, maxmem: 2 ** 26 };
    const before = process.cpuUsage();
    const keys = [scryptSync('p', 's', 8, options), await promisify(scrypt)('p', 's', 8, options), await promisify(pbkdf2)('p', 's', 9, 8, 'sha256')];
    const texts = keys.map((key) => key.toString('hex') + key.buffer.byteLength);
    keys[0].fill(0);
    const { user, system } = process.cpuUsage(before);
    return { texts, ms: (user + system) / 1000 };
  },
};
http.createServer(async (req, res) => {
  const text = JSON.stringify(await routes[req.url]());
  res.setHeader('Content-Length', text.length);
  res.end(text);
}).listen(0);
`;

async function withApp(work) {
  const core = await FakeCore.start({
    'app.mjs': APP,
    'node_modules/bcryptjs/package.json': '{"name":"bcryptjs","type":"module","main":"index.js"}',
    'node_modules/bcryptjs/index.js': PACKAGE,
  });
  let seq = 0;
  try {
    core.run(['app.mjs']);
    await core.listening();
    await work(async (route, isolate) => {
      const { answers } = await core.evaluate(++seq, [`GET ${route}`], { isolate });
      return JSON.parse(answers[0].body);
    });
  } finally {
    await core.stop();
  }
}

test('a hash of a password is the one of an earlier evaluation, and two hashes of one evaluation differ', async () => {
  await withApp(async (ask) => {
    const first = await ask('/hash', true);
    assert.strictEqual(new Set(first.slice(0, 3)).size, 3);
    assert.strictEqual(first[3], 3);
    assert.deepStrictEqual(await ask('/hash', true), first);
    const plain = await ask('/hash', false);
    assert.strictEqual(plain[3], 6, 'outside of the search each hash is computed');
    assert.deepStrictEqual(await ask('/refused', true), ['refused']);
    assert.deepStrictEqual(await ask('/refused', true), ['refused']);
  });
});

test('a password is checked once against a digest, and each time against another text', async () => {
  await withApp(async (ask) => {
    assert.deepStrictEqual(await ask('/compare', true), [true, false, false, 3]);
    assert.deepStrictEqual(await ask('/compare', true), [true, false, false, 4]);
  });
});

test('keys are derived once, and each caller gets bytes of its own', async () => {
  await withApp(async (ask) => {
    const first = await ask('/keys', true);
    assert.strictEqual(first.texts[0], first.texts[1]);
    const second = await ask('/keys', true);
    assert.deepStrictEqual(second.texts, first.texts);
    assert.ok(second.ms < first.ms / 3, `${second.ms} ms after ${first.ms} ms`);
    assert.deepStrictEqual((await ask('/keys', false)).texts, first.texts);
  });
});

test('a callback gets what the function gives in place of an error, and a synchronous function calls none', async () => {
  await withApp(async (ask) => {
    assert.deepStrictEqual(await ask('/callbacks', true), [['undefined', 'true'], 'function', 1]);
    assert.deepStrictEqual(await ask('/callbacks', true), [['undefined', 'true'], 'function', 1]);
  });
});

test('arguments that were accepted with a callback are refused without one', async () => {
  await withApp(async (ask) => {
    for (let n = 0; n < 2; n++) assert.deepStrictEqual(await ask('/no-callback', true), ['ERR_INVALID_ARG_TYPE']);
  });
});

test('a rejection that the program does not handle stays unhandled, and inputs are read unseen', async () => {
  await withApp(async (ask) => {
    assert.deepStrictEqual(await ask('/unhandled', true), ['refused']);
    for (let n = 0; n < 2; n++) assert.deepStrictEqual(await ask('/large', true), [5000]);
  });
});
