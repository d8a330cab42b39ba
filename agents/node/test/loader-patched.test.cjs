'use strict';
/**
 * A program that patches built-ins before it loads further files sees no call of the agent's, and its files are
 * instrumented all the same.
 */

const test = require('node:test');
const assert = require('node:assert/strict');
const { FakeCore } = require('./support/fake-core.cjs');

/** Watches every method of the usual built-ins for callers of the agent; a few of them are broken for good. */
const APP = `
const { apply, construct, defineProperty, getOwnPropertyDescriptor, ownKeys } = Reflect;
const { writeSync } = require('fs');
const PlainError = Error;
const call = Function.prototype.call.bind(Function.prototype.call);
const { includes, split } = String.prototype;
let isBusy = false;
function reportAgent(name) {
  if (isBusy) return;
  isBusy = true;
  // The caller is the first frame below this one and the watcher.
  const caller = call(split, new PlainError().stack, '\\n')[3] ?? '';
  if (call(includes, caller, '/agents/node/')) writeSync(2, name + ' was called' + caller + '\\n');
  isBusy = false;
}
function watch(owner, label) {
  for (const key of ownKeys(owner)) {
    const descriptor = getOwnPropertyDescriptor(owner, key);
    // Not iterators: V8 asks one in every constructor that a class has not written down.
    if (typeof key === 'symbol' || typeof descriptor.value !== 'function' || !descriptor.configurable || key === 'constructor') continue;
    const original = descriptor.value;
    const { watched } = { watched(...args) { reportAgent(label + '.' + String(key)); return apply(original, this, args); } };
    defineProperty(owner, key, { ...descriptor, value: watched });
  }
}
for (const [label, owner] of Object.entries({ Array: Array.prototype, String: String.prototype, Map: Map.prototype, Set: Set.prototype, RegExp: RegExp.prototype, WeakMap: WeakMap.prototype,
  Function: Function.prototype, Hash: require('crypto').Hash.prototype, JSON, Math, path: require('path'), fs: require('fs'), url: require('url') })) watch(owner, label);
const evil = () => { throw new PlainError('a broken built-in was called'); };
for (const name of ['map', 'flatMap', 'reduce', 'findIndex', 'every', 'some']) Array.prototype[name] = evil;
const text = require('./other.cjs')(2);
import('./module.mjs').then(({ default: answer }) => {
  writeSync(1, text + answer + '\\n');
  require('http').createServer(() => {}).listen(0);
});
`;
const FILES = {
  'app.cjs': APP,
  'other.cjs':
    "/* not import('this') */ module.exports = function (a) { if (a === 1) return 'one'; return a?.zz?.includes(a) ? 'two' : `three`; };\n",
  'module.mjs': "const list = [1, 2, 3]; export default list.includes(2) && process.pid > 0 ? ' four' : ' five';\n",
};

/** @param {FakeCore} core @param {Record<string, string>} env */
async function startAndAsk(core, env) {
  core.peers.length = 0;
  core.run(['app.cjs'], { env });
  await core.listening();
  assert.equal(core.output.stdout, 'three four\n');
  const files = core.peer
    .ofType('file')
    .map(({ path, error, targets }) => [path.slice(core.folder.length + 1), error, targets.length > 3]);
  assert.deepEqual(
    files.sort(),
    Object.keys(FILES)
      .sort()
      .map((name) => [name, null, true]),
  );
  assert.equal(core.output.stderr, '');
  core.child.kill('SIGKILL');
  await core.exited;
}

test('built-ins that are patched before further files are loaded', async () => {
  const core = await FakeCore.start(FILES);
  try {
    await startAndAsk(core, {});
    const cached = { WIMBLE_CACHE: `${core.folder}/cache` };
    await startAndAsk(core, cached);
    await startAndAsk(core, cached);
  } finally {
    await core.stop();
  }
});
