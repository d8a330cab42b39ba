'use strict';
/** A failed assertion without a message shows the text of its call: the user's, whatever Node reads it from. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { FakeCore } = require('./support/fake-core.cjs');

const CALLS = `
function attempt(call) {
  try { call(); } catch (error) { console.log(error.name, error.message, error.generatedMessage, error.code, Object.keys(error).join(), error.stack.match(/app.[cm]js:[0-9]+/g).join()); }
}
const x = 1, list = [1, 2];
attempt(() => assert(x === 2)); attempt(() => ok(list.includes(3) && x > 4)); attempt(() => { if (x) assert.ok(x === 2 ||
    x > 3 || (() => {
        return 0; })()); });
attempt(() => strict.ok(x == '2')); attempt(() => strict(!x)); attempt(() => assert.strict.ok(x > 2 ? 1 : 0)); const later = (a) => { assert(a &&
  x); }; attempt(() => later(0)); attempt(() => assert
  .ok(!x));
attempt(() => assert()); attempt(() => assert(0, undefined)); attempt(() => assert(0, null)); attempt(() => assert(x === 2, 'told')); attempt(() => assert(0, new RangeError('mine'))); attempt(() => ok(0, { a: 1 }));
attempt(() => assert('é' === "(", )); attempt(() => assert(((a) => { a; })(x))); attempt(() => { assert(x); ok(list); assert.ok('0'); console.log('true'); });
attempt(() => { const assert = () => { throw new RangeError('another'); }; assert(x === 2); }); attempt(() => { const ok = 5; ok(x === 2); });
const spied = { ...assert, ok: (value) => console.log('spied', value) }; attempt(() => { const assert = spied; assert.ok(x === 2); });
`;
const FILES = {
  'app.cjs': `const assert = require('assert'), { ok, strict } = require('node:assert');${CALLS}`,
  'app.mjs': `import assert, { ok, strict } from 'node:assert';${CALLS}`,
};

for (const name of Object.keys(FILES)) {
  test(`assertions of ${name} say what they said`, async () => {
    const printed = [];
    for (const agent of [false, true]) {
      const core = await FakeCore.start(FILES);
      try {
        core.run([name], { agent });
        await core.exited;
        printed.push(core.output.stdout.replaceAll(core.folder, '/sut') + core.output.stderr);
      } finally {
        await core.stop();
      }
    }
    assert.match(
      printed[0],
      /AssertionError The expression evaluated to a falsy value:\n\n {2}assert\(x === 2\)\n true ERR_ASSERTION/,
    );
    assert.equal(printed[1], printed[0]);
  });
}
